//! Tests of `src/world/judges.rs`.

use reelm::fact::Value;
use reelm::role::Judge;
use reelm::world::judges::*;
use std::sync::Arc;

fn rule(on: &str) -> Value {
    serde_json::from_str(&format!(r#"{{"on":[{on}],"refuse":"no"}}"#)).unwrap()
}

fn names(judges: &Judges, action: &str) -> Vec<String> {
    judges.on(action).into_iter().map(|judge| judge.name().to_string()).collect()
}

#[test]
fn an_action_finds_its_rules_by_name_by_namespace_and_among_those_of_any_name_in_their_order() {
    let mut judges = Judges::default();
    let rules = [
        r#""say""#,
        r#""x:*""#,
        r#""*""#,
        r#"{"action":"x:run","on":"/a"}"#,
        r#""qual*""#,
        r#"{"action":"signal.set","ns":"x"}"#,
        r#""x:r?n", "x:*""#,
    ];
    for (at, on) in rules.into_iter().enumerate() {
        judges.add(Arc::new(Judge::compile(&format!("t:{at}"), &rule(on)).unwrap()));
    }
    assert_eq!(names(&judges, "say"), ["t:0", "t:2"]);
    assert_eq!(names(&judges, "x:run"), ["t:1", "t:2", "t:3", "t:6"]);
    assert_eq!(names(&judges, "x:go"), ["t:1", "t:2", "t:6"]);
    assert_eq!(names(&judges, "quality.set"), ["t:2", "t:4"]);
    assert_eq!(names(&judges, "signal.set"), ["t:5"], "what names no namespace never covers it");
    assert_eq!(names(&judges, "y:run"), ["t:2"]);
}
