//! Tests of `src/role/judge.rs`.

use reelm::role::judge::*;

fn fault(json: &str) -> String {
    Judge::compile("x:y", &serde_json::from_str(json).unwrap()).unwrap_err().to_string()
}

#[test]
fn what_is_malformed_or_unknown_in_a_rule_is_an_error_with_its_place() {
    for (json, expected) in [
        ("7", "rule: expected a rule"),
        (r#"{"on":["say"]}"#, "expected a sentence under `refuse`, or a `script`"),
        (r#"{"refuse":"no"}"#, "on: expected a list of entries as in canDo, found none"),
        (r#"{"on":[],"refuse":"no"}"#, "on: expected 1 to 32 entries, found 0"),
        (r#"{"on":"say","refuse":"no"}"#, "on: expected a list"),
        (r#"{"on":["signal.set"],"refuse":"no"}"#, "on[0]: `signal.set` covers"),
        (r#"{"on":[{"action":"say","on":{"rel":"hear"}}],"refuse":"no"}"#, "on[0].on.rel: expected a relation, found `hear`"),
        (r#"{"on":["say"],"refuse":7}"#, "refuse: expected text, found the number `7`"),
        (r#"{"on":["say"],"refuse":"no","wen":{}}"#, "did you mean `when`?"),
        (
            r#"{"on":["say"],"refuse":"no","when":{"target.qualty.a.b":1}}"#,
            "expected something that a rule can ask, found `target.qualty.a.b`",
        ),
        (r#"{"on":["say"],"refuse":"no","when":{"actor.nmae":"ada"}}"#, "did you mean `actor.name`?"),
        (r#"{"on":["say"],"refuse":"no","when":{"me.name":"ada"}}"#, "write `by.name` for whoever acts"),
        (r#"{"on":["say"],"refuse":"no","when":{"space.type":"court"}}"#, "write `by.space.type` for whoever acts"),
        (
            r#"{"on":["say"],"refuse":"no","when":{"actor.name":{"eq":{"path":"me.name"}}}}"#,
            "when.\"actor.name\".eq.path: expected something",
        ),
        (r#"{"on":["say"],"refuse":"no","when":{"args.content":{"has":"!"}}}"#, "when.\"args.content\": expected operators, found `has`"),
        (r#"{"on":["say"],"refuse":"no","when":{"by.name":{"eq":"ada","lke":"a"}}}"#, "found `lke` beside operators"),
    ] {
        let found = fault(json);
        assert!(found.contains(expected), "{json}: {found}");
    }
}

#[test]
fn every_path_of_a_rule_gives_itself_back() {
    use reelm::role::Path;
    use reelm::role::{Aspect, Party};
    let parts = Aspect::PARTS.iter().map(|(prefix, ..)| format!("{prefix}a.b"));
    let aspects: Vec<String> = Aspect::WORDS.iter().map(|(word, _)| (*word).to_owned()).chain(parts).collect();
    for party in Party::ALL {
        for aspect in &aspects {
            let text = format!("{}.{aspect}", party.word());
            let path = Path::parse_ruled(&text).unwrap();
            assert!(!path.is_unknown() && path.to_string() == text, "{text}");
            assert!(Path::parse(&text).unwrap().is_unknown(), "a flow knows no {text}");
        }
    }
    for text in Path::RULED.iter().chain(&["args.content", "world.court.in-session"]) {
        assert!(!Path::parse_ruled(text).unwrap().is_unknown(), "{text}");
    }
}
