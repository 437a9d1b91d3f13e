//! Tests of `src/role/fade.rs`.

use proptest::prelude::*;
use reelm::fact::{Fading, Millis, Value};
use reelm::role::Path;
use reelm::role::fade::*;
use reelm::role::operand::look;
use reelm::role::{Context, Seen};

use reelm::role::Flow;

/// Two qualities of oneself: one fades, the other may.
struct Two(Fading, Value);

struct TwoAt(Value, Value);

impl Context for TwoAt {
    fn seen(&self, path: &Path) -> Seen<'_> {
        match path {
            Path::MeQuality(path) if path.as_ref() == "a.fades" => (&self.0).into(),
            Path::MeQuality(_) => (&self.1).into(),
            _ => Seen::Null,
        }
    }
}

impl Passing for Two {
    fn at(&self, at: Millis) -> impl Context {
        TwoAt(self.0.value(at), self.1.read_at(at))
    }
    fn fading(&self, path: &Path) -> Option<Fading> {
        match path {
            Path::MeQuality(path) if path.as_ref() == "a.fades" => Some(self.0),
            _ => Fading::of(&self.1),
        }
    }
}

fn fading(from: f64, to: f64, at: Millis, over: Millis) -> Fading {
    let value = |x: f64| Value::number(x).unwrap();
    let map = Value::map([("from", value(from)), ("to", value(to)), ("at", Value::Int(at)), ("over", Value::Int(over))]);
    Fading::of(&map).unwrap()
}

fn flow(when: &str) -> Flow {
    Flow::compile(&serde_json::from_str(&format!(r#"[{{"when":{when},"role":"a"}}]"#)).unwrap()).unwrap()
}

#[test]
fn a_flow_that_compares_it_is_told_the_exact_instant() {
    let two = Two(fading(1.0, 0.0, 0, 1_000_000), Value::number(0.5).unwrap());
    for (when, wanted) in [
        (r#"{"me.quality.a.fades":{"gte":0.5}}"#, Some(501_000)),
        (r#"{"me.quality.a.fades":{"lt":0.5}}"#, Some(501_000)),
        (r#"{"me.quality.a.fades":{"lte":0.5}}"#, Some(500_000)),
        (r#"{"me.quality.a.fades":0.5}"#, Some(500_000)),
        (r#"{"me.quality.a.fades":{"gt":{"path":"me.quality.a.other"}}}"#, Some(500_000)),
        (r#"{"me.quality.a.other":{"gt":{"path":"me.quality.a.fades"}}}"#, Some(501_000)),
        (r#"{"me.quality.a.fades":[0.25,0.75]}"#, Some(250_000)),
        (r#"{"me.quality.a.fades":{"gte":2}}"#, None),
        (r#"{"me.quality.a.fades":{"present":true}}"#, None),
        (r#"{"me.quality.a.other":{"gte":0.1}}"#, None),
    ] {
        assert_eq!(flow(when).reads().fades.next(0, &two), wanted, "{when}");
    }
    assert_eq!(flow(r#"{"me.quality.a.fades":0.5}"#).reads().fades.next(500_000, &two), Some(501_000));
    assert_eq!(flow(r#"{"me.quality.a.fades":0.5}"#).reads().fades.next(501_000, &two), None);
}

proptest! {
    #[test]
    fn a_crossing_is_the_first_instant_at_which_an_answer_differs(
        from in -20i64..20, to in -20i64..20, over in 1i64..400, other in -20i64..20, fades in any::<bool>(), after in -5i64..300,
        operator in prop::sample::select(vec!["eq", "ne", "gt", "gte", "lt", "lte"]),
    ) {
        let n = |x: i64| x as f64 / 1000.0;
        let second = if fades {
            let whole = |x: i64| Value::Int(x);
            Value::map([("from", Value::number(n(other)).unwrap()), ("to", Value::number(n(-other)).unwrap()), ("at", whole(7)), ("over", whole(90))])
        } else {
            Value::number(n(other)).unwrap()
        };
        let two = Two(fading(n(from), n(to), 0, over), second);
        let flow = flow(&format!(r#"{{"me.quality.a.fades":{{"{operator}":{{"path":"me.quality.a.other"}}}}}}"#));
        let condition = flow.conditions()[0];
        let answer = |at: Millis| {
            let then = two.at(at);
            condition.holds(look(&then, &condition.path), &then)
        };
        let wanted = (after + 1..1000).find(|at| answer(*at) != answer(after));
        prop_assert_eq!(flow.reads().fades.next(after, &two), wanted);
    }
}
