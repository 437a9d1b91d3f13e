//! Garbage: does anything that is read from outside panic, or lose what it accepted, when it is arbitrary or mutated?

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use reelm::extension::Manifest;
use reelm::fact::{Cognition, Frame, Value, parse_duration, write_duration};
use reelm::role::{Flow, JsonContext, JsonWardrobe, Own, Spec, Stack};
use reelm::run::When;
use reelm::source::{Source, SourceError};
use reelm::verb::Address;

use crate::kit::{self, Small};

/// One change to some bytes: where (scaled to the length), what stands there then, and how.
type Change = (prop::sample::Index, u8, u8);

fn changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..6)
}

/// Overwrites, inserts, removes and truncates.
fn mutated(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (at, byte, how) in changes {
        if bytes.is_empty() {
            break;
        }
        let at = at.index(bytes.len());
        match how {
            0 => bytes[at] = *byte,
            1 => bytes.insert(at, *byte),
            2 => drop(bytes.remove(at)),
            // Mostly the end: a short beginning says little.
            _ => bytes.truncate(bytes.len() - (bytes.len() - at).min(usize::from(*byte))),
        }
    }
    bytes
}

fn mutated_text(text: &str, changes: &[Change]) -> String {
    String::from_utf8_lossy(&mutated(text.as_bytes(), changes)).into_owned()
}

/// Puts the value of one line of a text in the place of another's: what comes out mostly still reads, and means something else.
fn shuffled(text: &str, swaps: &[(prop::sample::Index, prop::sample::Index)]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let valued: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].contains(" = ")).collect();
    for (from, to) in swaps.iter().filter(|_| !valued.is_empty()) {
        let (from, to) = (valued[from.index(valued.len())], valued[to.index(valued.len())]);
        let (Some((_, value)), Some((key, _))) = (lines[from].split_once(" = "), lines[to].split_once(" = ")) else { continue };
        lines[to] = format!("{key} = {value}");
    }
    lines.join("\n")
}

fn swaps() -> impl Strategy<Value = Vec<(prop::sample::Index, prop::sample::Index)>> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4)
}

/// The texts of the project's own files with this name or ending, below these directories.
fn texts(dirs: &[&str], ending: &str) -> Vec<(PathBuf, String)> {
    fn walk(dir: &Path, ending: &str, found: &mut Vec<(PathBuf, String)>) {
        let mut paths: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                walk(&path, ending, found);
            } else if path.to_str().unwrap().ends_with(ending) {
                found.push((path.clone(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    for dir in dirs {
        walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(dir), ending, &mut found);
    }
    assert!(!found.is_empty(), "no file ends in {ending}");
    found
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let word = prop::sample::select(vec![
        "when",
        "role",
        "stack",
        "and",
        "or",
        "not",
        "eq",
        "ne",
        "in",
        "gt",
        "lte",
        "present",
        "matches",
        "path",
        "verb",
        "time.hour",
        "me.quality.a",
        "world.a.b",
        "space.name",
        "coords.x",
        "*",
        "person",
        "",
    ]);
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        word.clone().prop_map(Into::into),
        ".{0,8}".prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::vec((word.clone(), inner), 0..4)
                .prop_map(|pairs| serde_json::Value::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())),
        ]
    })
}

/// Compiles, and evaluates what is accepted; a refusal names its place.
fn try_flow(flow: &str, context: &serde_json::Value) {
    let Ok(value) = serde_json::from_str::<Value>(flow) else { return };
    let flow = match Flow::compile(&value) {
        Ok(flow) => flow,
        Err(error) => {
            assert!(error.place.starts_with("flow") || error.place.starts_with("["), "no place: {error}");
            return;
        }
    };
    let context = serde_json::from_str::<Value>(&context.to_string()).ok().and_then(|value| JsonContext::read(&value).ok());
    let own = Own { default_role: None, cognition: Cognition::Script, requested: None };
    let mut stack = Stack::default();
    flow.evaluate(&context.unwrap_or_default(), &JsonWardrobe::default(), &own, &mut stack);
}

fn frames() -> Vec<Vec<u8>> {
    let small = Small::plant("");
    small.shelf.frames().into_iter().map(Frame::into_bytes).collect()
}

#[test]
fn a_frame_of_any_bytes_is_refused_or_reads_back_the_same() {
    let frames = frames();
    let mut runner = proptest::test_runner::TestRunner::new(kit::cases(128, 512));
    let input = (any::<prop::sample::Index>(), changes(), prop::collection::vec(any::<u8>(), 0..200));
    runner
        .run(&input, |(which, changes, any)| {
            for bytes in [any, mutated(&frames[which.index(frames.len())], &changes)] {
                if let Ok(frame) = Frame::read(&bytes) {
                    prop_assert_eq!(frame.bytes(), bytes.as_slice());
                    let again = frame.draft().clone().sealed_by(*frame.signature()).unwrap();
                    prop_assert_eq!(again.bytes(), bytes.as_slice());
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_mutated_world_source_is_read_or_refused_with_file_and_line() {
    let sources = texts(&["fixtures/worlds"], "world.toml");
    let mut runner = proptest::test_runner::TestRunner::new(kit::cases(32, 128));
    runner
        .run(&(any::<prop::sample::Index>(), changes(), swaps(), ".{0,80}"), |(which, changes, swaps, any)| {
            let (path, text) = which.get(&sources);
            for text in [any, mutated_text(text, &changes), shuffled(text, &swaps)] {
                if let Err(SourceError::Wrong { file, line, what, .. }) = Source::parse(path.parent().unwrap(), "world.toml", &text) {
                    prop_assert!(!file.is_empty() && line > 0, "{file}:{line}: {what}\n{text}");
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_mutated_flow_of_the_fixtures_never_panics() {
    let flows = texts(&["fixtures/worlds"], ".flow.json");
    let mut runner = proptest::test_runner::TestRunner::new(kit::cases(64, 256));
    runner
        .run(&(any::<prop::sample::Index>(), changes(), json()), |(which, changes, context)| {
            try_flow(&mutated_text(&which.get(&flows).1, &changes), &context);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_mutated_role_file_or_manifest_never_panics_and_a_role_read_is_read_again() {
    let roles = texts(&["roles", "extensions"], ".md");
    let manifests = texts(&["extensions"], "manifest.toml");
    let mut runner = proptest::test_runner::TestRunner::new(kit::cases(64, 256));
    runner
        .run(&(any::<prop::sample::Index>(), changes()), |(which, changes)| {
            if let Ok(spec) = Spec::from_markdown("role.md", &mutated_text(&which.get(&roles).1, &changes)) {
                prop_assert_eq!(Spec::from_value(&spec.to_value()).unwrap().hash(), spec.hash());
            }
            drop(toml::from_str::<Manifest>(&mutated_text(&which.get(&manifests).1, &changes)));
            Ok(())
        })
        .unwrap();
}

proptest! {
    #![proptest_config(kit::cases(128, 512))]

    #[test]
    fn any_json_is_a_flow_or_refused_with_its_place(flow in json(), clauses in prop::collection::vec(json(), 1..4), context in json()) {
        try_flow(&flow.to_string(), &context);
        let clauses: Vec<_> = clauses.into_iter().map(|when| serde_json::json!({"when": when, "role": "person"})).collect();
        try_flow(&serde_json::Value::from(clauses).to_string(), &context);
    }

    #[test]
    fn an_address_that_is_accepted_prints_and_parses_back(any in ".{0,40}", likely in "(world|~|\\.|/|@)?[a-z@/.~-]{0,12}") {
        for text in [any, likely] {
            if let Ok(address) = text.parse::<Address>() {
                let printed = address.to_string();
                prop_assert_eq!(printed.parse::<Address>().ok(), Some(address), "{} printed as {}", text, printed);
            }
        }
    }

    #[test]
    fn any_duration_or_condition_is_read_or_refused(any in ".{0,40}", likely in "([0-9]{1,20}(ms|s|m|h|d)){1,4}", when in json()) {
        for text in [any.as_str(), likely.as_str()] {
            if let Some(ms) = parse_duration(text) {
                prop_assert_eq!(parse_duration(&write_duration(ms)), Some(ms), "{}", text);
            }
            drop(text.parse::<When>());
        }
        drop(format!("when {when}").parse::<When>());
    }
}
