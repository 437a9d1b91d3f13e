//! Tables: do the pinned crates on which a replay stands still answer as they did? Where one of them answers otherwise, `SEMANTICS` must rise.
//!
//! `REMAKE=1 cargo test tables::` writes fixtures/tables.txt anew.

use std::fmt::Write;

use chrono::{TimeZone, Utc};
use reelm::world::StemLanguages;
use reelm::world::diary::Topic;
use serde_json::json;

use super::kit::args;

/// The answers of each crate, a line each.
fn answers() -> String {
    let mut told = String::new();
    for (language, words) in [
        ("english", "running flowerpots happily ponies skies generously"),
        ("german", "häuser gelaufen kinder straßen freundlichkeiten"),
        ("french", "chantons chevaux continuellement"),
    ] {
        let languages = StemLanguages::read(&args(&json!([language]).to_string()));
        let stems: Vec<String> = words.split(' ').map(|word| format!("{word} {}", languages.stems(word).join(" "))).collect();
        let _ = writeln!(told, "stems {language}: {}", stems.join(", "));
    }
    for text in ["Ada's 3.5 flower-pots, can't", "閣楼の鍵は石の下", "สวัสดีครับ 10,000", "naïve co\u{301}té"]
    {
        let words: Vec<String> = Topic::words(text).filter_map(Topic::word).map(|word| word.to_string()).collect();
        let _ = writeln!(told, "words {text}: {}", words.join(" | "));
    }
    for pattern in ["*/7 9-17 * * 1-5", "0 0 29 2 *", "30 2 L * *", "15 14 1 * *"] {
        let from = Utc.with_ymd_and_hms(2026, 3, 2, 8, 0, 0).unwrap();
        let next = pattern
            .parse::<croner::Cron>()
            .map(|cron| cron.iter_after(from).take(3).map(|at| at.to_rfc3339()).collect::<Vec<_>>().join(" "));
        let _ = writeln!(told, "cron {pattern}: {}", next.unwrap_or_else(|error| error.to_string()));
    }
    for name in ["paypa1", "раураl", "rn", "Ⅷ", "ada"] {
        let skeleton: String = unicode_security::skeleton(name).collect();
        let _ = writeln!(told, "lookalike {name}: {skeleton}");
    }
    let schema = json!({ "type": "object", "required": ["n"], "properties": { "n": { "type": "integer", "multipleOf": 2 }, "at": { "format": "date-time" }, "s": { "pattern": "^a+$", "maxLength": 3 } } });
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    for value in [
        json!({}),
        json!({ "n": 3 }),
        json!({ "n": 2.0 }),
        json!({ "n": 2, "at": "2026-02-30T00:00:00Z" }),
        json!({ "n": 2, "s": "aaaa" }),
        json!({ "n": 2, "s": "b" }),
    ] {
        let wrong: Vec<String> =
            validator.iter_errors(&value).map(|error| format!("{} {}", error.instance_path(), error.schema_path())).collect();
        let _ = writeln!(told, "schema {}: {}", value, wrong.join(", "));
    }
    told
}

#[test]
fn the_pinned_crates_answer_as_their_table_says() {
    let file = format!("{}/fixtures/tables.txt", env!("CARGO_MANIFEST_DIR"));
    let answers = answers();
    if std::env::var_os("REMAKE").is_some() {
        std::fs::write(&file, &answers).unwrap();
    }
    let table = std::fs::read_to_string(&file).unwrap();
    assert!(
        table == answers,
        "a crate answers otherwise: raise SEMANTICS, and write the table anew with `REMAKE=1 cargo test tables::`\n{answers}"
    );
}
