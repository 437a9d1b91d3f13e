//! Tests of `src/source/said.rs`.

use reelm::fact::Canon as _;
use reelm::source::Source;
use reelm::source::said::*;
use std::path::Path;

fn source(beings: &str) -> Source {
    Source::parse(Path::new("."), "world.toml", &format!("name = \"w\"\n{beings}")).unwrap()
}

fn town(count: usize) -> Source {
    source(&format!(
        "[[population]]\nprefix = \"c\"\ncount = {count}\nquality.mood.level = 5\n\"settings\" = {{ \"brakes.depth\" = 3 }}\n\
             [[population.schedule]]\nname = \"day\"\nevery = \"10s\"\nspread = true\n"
    ))
}

#[test]
fn a_population_is_remembered_in_as_many_bytes_however_many_it_has() {
    let [few, many] = [50, 5_000].map(|count| says(&town(count)));
    let [few, many] = [&few, &many].map(|said| said.to_canon().len());
    // The number itself has two bytes more.
    assert!(many <= few + 2 && many < 300, "{few} {many}");
}

#[test]
fn a_source_that_says_more_than_is_remembered_is_refused_by_the_name_of_the_limit() {
    let beings: String = (0..60).map(|n| format!("[[being]]\nname = \"b{n}\"\nquality.mood.words = \"{}\"\n", "x".repeat(100))).collect();
    let many = source(&beings);
    let found = says(&many).to_canon().len();
    assert!(fits(&many, found).is_ok());
    let error = fits(&many, found - 1).unwrap_err().to_string();
    let expected = format!("world.toml: source-size: expected at most {} bytes", found - 1);
    assert!(error.starts_with(&expected) && error.contains(&format!("found {found}")), "{error}");
    assert!(fits(&town(5_000), 400).is_ok(), "a population counts once");
}
