//! Measures: what do samples of a world show, and when?

use reelm::fact::{Value, parse_duration};
use reelm::role::Spec;
use reelm::run::{Course, Measures, Pace, Reins, Until};
use reelm::source::Source;

use super::kit::{Small, source};
use super::terminal::Terminal;

/// A world whose one being counts every ten seconds, with a thought that takes as long as it says.
fn counting(thinks: &str, more: &str) -> Source {
    let mut source = source(&format!(
        "[[being]]\nname = \"ada\"\nrole = \"slow\"\nscript = \"count\"\n[[being.schedule]]\nname = \"tick\"\nevery = \"10s\"\n{more}"
    ));
    let role = format!("---\nname: slow\ncanDo: ['quality.inc']\nthinks: {thinks}\n---\n");
    source.roles.push(Spec::from_markdown("slow.md", &role).unwrap());
    source
}

const COUNT: &str = "[[measure]]\nname = \"n\"\nvalue = 'sum(\"t.n\")'\nevery = \"5s\"\n";

/// The seconds since the beginning and the values of all samples of a world that is run for so long, and then again.
fn sampled(source: &Source, runs: &[&str]) -> Vec<(i64, Value)> {
    let mut small = Small::grow(source, 1, 1);
    let mut samples = Vec::new();
    for run in runs {
        let mut measures = Measures::new(&reelm::source::MeasureList::of_source(source)).unwrap();
        let until = Until { duration: parse_duration(run), ..Until::default() };
        let course = Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: Some(&mut measures) };
        small.living().run(course).unwrap();
        samples.extend(measures.samples.into_iter().map(|sample| ((sample.at - source.start) / 1000, sample.value)));
    }
    samples
}

fn values(samples: &[(i64, Value)]) -> Vec<(i64, i64)> {
    samples.iter().map(|(at, value)| (*at, value.as_int().unwrap())).collect()
}

#[test]
fn a_sample_shows_the_world_with_all_that_has_closed_at_its_instant() {
    let samples = sampled(&counting("0s", COUNT), &["30s"]);
    assert_eq!(values(&samples), [(0, 0), (5, 0), (10, 1), (15, 1), (20, 2), (25, 2), (30, 3)]);
}

#[test]
fn what_a_long_thought_drafts_is_in_no_sample_before_it_closes() {
    // She wakes at the tenth second and acts at the seventeenth.
    let samples = sampled(&counting("7s", COUNT), &["20s"]);
    assert_eq!(values(&samples), [(0, 0), (5, 0), (10, 0), (15, 0), (20, 1), (25, 1)]);
}

#[test]
fn two_runs_take_the_samples_of_one() {
    for first in ["20s", "24s", "25s"] {
        let source = counting("7s", COUNT);
        let mut small = Small::grow(&source, 1, 1);
        small.run("60s");
        let end = small.world().at();
        let mut halved = Small::grow(&source, 1, 1);
        halved.run(first);
        let left = (end - halved.world().at()) / 1000;
        assert_eq!(values(&sampled(&source, &[first, &format!("{left}s")])), values(&sampled(&source, &["60s"])), "{first}");
    }
}

const PEOPLE: &str = "[[table]]\nname = \"people\"\ncolumns = [\"me.position\", \"me.quality.t.n\", \"space.count\"]\nevery = \"15s\"\n";

#[test]
fn a_table_samples_a_row_for_each_living_being() {
    let more = format!("[[being]]\nname = \"bob\"\nrole = \"free\"\nscript = \"look\"\n{PEOPLE}");
    let source = counting("0s", &more);
    let mut small = Small::grow(&source, 1, 1);
    let mut measures = Measures::new(&reelm::source::MeasureList::of_source(&source)).unwrap();
    let until = Until { duration: Some(30_000), ..Until::default() };
    small
        .living()
        .run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: Some(&mut measures) })
        .unwrap();
    let table = measures.tables().next().unwrap();
    let rows: Vec<String> = table
        .rows
        .iter()
        .map(|row| format!("{} {} {}", (row.at - source.start) / 1000, &row.being[1..], Value::List(row.cells.clone())))
        .collect();
    let here = small.world().space(reelm::fact::SpaceId::ROOT).unwrap().count;
    let expected = [(0, "ada", "null"), (0, "bob", "null"), (15, "ada", "1"), (15, "bob", "null"), (30, "ada", "3"), (30, "bob", "null")];
    assert_eq!(rows, expected.map(|(at, name, n)| format!(r#"{at} {name} ["/",{n},{here}]"#)));
}

#[test]
fn the_rows_of_a_table_stand_beside_the_measures_and_a_second_run_goes_on_with_them() {
    let terminal = Terminal::new();
    let world = |table: &str| {
        format!(
            "name = \"w\"\nstart = \"2026-03-03T08:00:00\"\n[[being]]\nname = \"ada\"\nrole = \"quiet\"\nscript = \"look\"\nquality.t.n = \"a, b\"\n[[being.schedule]]\nname = \"tick\"\nevery = \"1m\"\n{table}"
        )
    };
    terminal.write("w/roles/quiet.md", "---\nname: quiet\n---\n");
    terminal.write("w/scripts/look.rhai", "fn think(face) { () }");
    terminal.write(
        "w/world.toml",
        &world("[[table]]\nname = \"people\"\ncolumns = [\"me.position\", \"me.quality.t.n\", \"me.quality.t.m\"]\nevery = \"1m\"\n"),
    );
    terminal.types("run w --for 1m --quiet --measures out.csv").ok();
    let first = "at,being,me.position,me.quality.t.n,me.quality.t.m,below\n2026-03-03T08:00:00Z,@ada,/,\"a, b\",,6\n2026-03-03T08:01:00Z,@ada,/,\"a, b\",,7\n";
    assert_eq!(terminal.read("out.people.csv"), first);
    terminal.types("run w --for 1m --quiet --measures out.csv").ok();
    let both = format!("{first}2026-03-03T08:02:00Z,@ada,/,\"a, b\",,8\n");
    assert_eq!(terminal.read("out.people.csv"), both);
    terminal.types("measure w --out past.csv").ok();
    assert_eq!(terminal.read("past.people.csv"), both);
    terminal.types("measure w").fails(0).says(&["people @ada me.position=\"/\""]);
    for (table, said) in [
        ("name = \"a b\"\ncolumns = [\"me.name\"]\n", "name: expected letters"),
        ("name = \"a\"\ncolumns = []\n", "columns: expected at least one path"),
        ("name = \"a\"\ncolumns = [\"me.nose\"]\n", "found `me.nose`"),
        ("name = \"a\"\ncolumns = [\"me.name\"]\nevery = \"soon\"\n", "expected a duration"),
    ] {
        terminal.write("w/world.toml", &world(&format!("[[table]]\n{table}")));
        terminal.types("run w --for 1m --quiet --measures other.csv").fails(1).warns(&["world.toml:", said]);
    }
    let people = "[[table]]\nname = \"people\"\ncolumns = [\"me.name\"]\n";
    terminal.write("w/world.toml", &world(&format!("{people}{people}")));
    terminal.types("run w --for 1m --quiet --measures other.csv").fails(1).warns(&["world.toml:", "table `people`: stands twice"]);
}

#[test]
fn the_mean_of_nobody_is_empty_and_so_is_what_is_reckoned_from_it() {
    let terminal = Terminal::new();
    let measure = |name: &str, value: &str| format!("[[measure]]\nname = \"{name}\"\nvalue = '{value}'\n");
    let measures = [
        measure("some", "mean(\"n.v\")"),
        measure("nobody", "mean(\"n.w\")"),
        measure("scaled", "mean(\"n.w\") * 100 + 1"),
        measure("asked", "if mean(\"n.w\") > 0 { 1 } else { 2 }"),
        measure("sum", "sum(\"n.w\")"),
    ];
    let world = "name = \"w\"\n[[space]]\npath = \"/h\"\n[[being]]\nname = \"a\"\nhome = \"/h\"\nquality.n.v = 3\n";
    terminal.write("w/world.toml", &format!("{world}{}", measures.concat()));
    terminal.types("run w --moments 0 --quiet --measures out.csv").ok();
    let table = terminal.read("out.csv");
    let values: Vec<&str> = table.lines().skip(1).map(|line| line.split_once(',').unwrap().1).collect();
    assert_eq!(values, ["some,3,4", "nobody,,4", "scaled,,4", "asked,2,4", "sum,0,4"], "{table}");
}

#[test]
fn one_instant_has_one_number_whoever_takes_it_and_says_below_which_frame() {
    let terminal = Terminal::new();
    terminal.write(
        "w/world.toml",
        "name = \"w\"\nstart = \"2026-03-03T08:00:00\"\n[[being]]\nname = \"ada\"\nrole = \"r\"\nthink = 'act(me.address, \"quality.inc\", #{ path: \"t.n\" })'\n\
         [[being.schedule]]\nname = \"tick\"\nevery = \"1m\"\n[[role]]\nname = \"r\"\ncanDo = [\"quality.inc\"]\nprompt = \"You count.\"\n\
         [[measure]]\nname = \"often\"\nvalue = 'sum(\"t.n\")'\nevery = \"1m\"\n[[measure]]\nname = \"once\"\nvalue = 'sum(\"t.n\")'\n\
         [[table]]\nname = \"people\"\ncolumns = [\"me.quality.t.n\"]\nevery = \"1m\"\n",
    );
    terminal.types("run w --for 5m --quiet --measures out.csv").ok();
    let table = terminal.read("out.csv");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "at,measure,value,below");
    for minute in 0..=5 {
        let at = format!("2026-03-03T08:0{minute}");
        let sample = lines.iter().find(|line| line.starts_with(&at) && line.contains(",often,")).unwrap();
        let [value, below] = [2, 3].map(|column| sample.split(',').nth(column).unwrap().to_owned());
        assert_eq!(value, minute.to_string(), "{sample}");
        let seen = terminal.types(&format!("see /.measures --at {at} --json")).ok();
        assert!(seen.contains(&format!(":{value}")), "{at}: {seen}");
        let measured = terminal.types(&format!("measure --at {at} --json")).json_lines();
        let now: Vec<&serde_json::Value> =
            measured.iter().filter(|line| line["at"].as_str().unwrap().starts_with(&at) && line["measure"].is_string()).collect();
        assert_eq!(now.len(), 2, "{measured:?}");
        assert!(
            now.iter().all(|sample| [&sample["value"], &sample["below"]].map(ToString::to_string) == [value.clone(), below.clone()]),
            "{now:?}"
        );
        let then = terminal.types(&format!("see @ada --at {below} --json")).json();
        assert_eq!(then["qualities"]["t"]["n"].as_i64().unwrap_or(0).to_string(), value, "at the very frame");
    }
    assert_eq!(lines.last().unwrap().split(',').nth(2), Some("5"), "{table}");
    let rows = terminal.read("out.people.csv");
    assert!(rows.ends_with("08:05:00Z,@ada,5,11\n"), "{rows}");
    terminal.types("measure --out past.csv").ok();
    assert_eq!((terminal.read("past.csv"), terminal.read("past.people.csv")), (table, rows));
}
