//! Tests of `src/world/registry.rs`.

use reelm::fact::{Text, Value};
use reelm::world::registry::*;
use std::collections::BTreeMap;
use std::sync::Arc;

#[test]
fn rules_are_asked_in_the_order_of_needs_then_of_the_manifest_and_the_worlds_own_last() {
    let manifest = |needs: &str, rules: &str| {
        Arc::new(serde_json::from_str::<Value>(&format!(r#"{{"needs":{{{needs}}},"rules":[{rules}]}}"#)).unwrap())
    };
    let rule = |name: &str| format!(r#"{{"name":"{name}","on":["*"],"refuse":"no"}}"#);
    let extension =
        |name: &str, enabled, manifest| (Text::from(name), Extension { name: name.into(), enabled, manifest, made: Default::default() });
    let mut registry = Registry {
        extensions: BTreeMap::from([
            extension("a", true, manifest(r#""c":"*""#, &rule("a:1"))),
            extension("b", false, manifest("", &rule("b:1"))),
            extension("c", true, manifest("", &format!("{},{}", rule("c:2"), rule("c:1")))),
        ]),
        ..Registry::default()
    };
    registry.rules.insert(
        "own".into(),
        RuleVersion { source: Arc::new(serde_json::from_str(r#"{"on":["*"],"refuse":"no"}"#).unwrap()), made: Default::default() },
    );
    registry.relist();
    let names: Vec<_> = registry.judges.on("say").into_iter().map(|judge| judge.name().to_string()).collect();
    assert_eq!(names, ["c:2", "c:1", "a:1", "world:own"]);
}
