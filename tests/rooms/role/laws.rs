//! Laws: runs the tables of fixtures/flows and the properties that hold for every flow and every role.
//!
//! Test code only. A row gives a flow or one `when`, a moment and the roles, and says the stack, why, the refusal or the warnings.

use std::collections::BTreeSet;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use crate::kit;
use reelm::fact::{Cognition, Map, Text, Value};

use reelm::role::Flow;
use reelm::role::Spec;
use reelm::role::Trace;
use reelm::role::wardrobe::Wardrobe as _;
use reelm::role::{Basis, Guards, LintCode, lint};
use reelm::role::{JsonContext, JsonWardrobe};
use reelm::role::{Own, Stack};

/// The flow that the first page about roles tells of; rows name it `court`.
const COURT: &str = r#"[
    {"when": {"verb": "summon", "caller.role": "human"}, "role": "human-conversationalist"},
    {"when": {"space.name": "court", "world.court.in-session": true}, "role": "judge"},
    {"role": "court-watcher"},
    {"stack": true, "when": {"time.sinceLastMoment": {"gte": 60}}, "role": "emotions:bored"},
    {"stack": true, "when": {"world.court.recent-disturbance": true}, "role": "emotions:alert"}
]"#;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// One row of a table, with what it does not say left at its default.
struct LawRow<'a>(&'a Value);

impl LawRow<'_> {
    fn texts(&self, key: &str) -> Option<Vec<&str>> {
        Some(self.0.get(key)?.as_list()?.iter().map(|item| item.as_str().unwrap()).collect())
    }

    fn flow(&self) -> Value {
        match (self.0.get("flow"), self.0.get("when")) {
            (Some(Value::Text(name)), None) if &**name == "court" => json(COURT),
            (Some(flow), None) => flow.clone(),
            (None, Some(when)) => Value::List(vec![Value::map([("role", Value::from("yes")), ("when", when.clone())])]),
            _ => panic!("a row has a flow or a when"),
        }
    }

    fn wardrobe(&self) -> JsonWardrobe {
        JsonWardrobe::read("row", self.0.get("roles").unwrap_or(&Value::Map(Map::new()))).unwrap()
    }

    fn explain(&self, flow: &Flow) -> Trace {
        let text = |key: &str| self.0.get(key).and_then(Value::as_text);
        let no = Text::from("no");
        let cognition = text("cognition").map_or(Cognition::Llm, |word| word.parse().unwrap());
        let default_role = if self.0.get("when").is_some() { Some(&no) } else { text("defaultRole") };
        let own = Own { default_role, cognition, requested: text("requested") };
        let context = JsonContext::read(self.0.get("context").unwrap()).unwrap();
        let mut stack = Stack::default();
        flow.evaluate(&context, &self.wardrobe(), &own, &mut stack);
        let trace = flow.explain(&context, &self.wardrobe(), &own);
        assert_eq!(stack, trace.stack, "evaluating and explaining differ");
        trace
    }

    fn check(&self) {
        let compiled = Flow::compile(&self.flow());
        if let Some(refused) = self.texts("refused") {
            let error = compiled.unwrap_err();
            assert_eq!(error.place, refused[0]);
            assert!(error.to_string().contains(refused[1]), "{error}");
            return;
        }
        let flow = compiled.unwrap();
        let trace = self.explain(&flow);
        let worn: Vec<_> = trace.stack.roles().map(|role| &**role).collect();
        if let Some(stack) = self.texts("stack") {
            assert_eq!(worn, stack, "{trace}");
        }
        if let Some(holds) = self.0.get("holds") {
            assert_eq!(Value::from(worn == ["yes"]), *holds, "{trace}");
        }
        for (index, outcome) in self.0.get("why").and_then(Value::as_map).into_iter().flatten() {
            let clause = &trace.clauses[index.parse::<usize>().unwrap()];
            assert_eq!(serde_json::to_string(&clause.outcome).unwrap(), outcome.to_string(), "clause {index}\n{trace}");
        }
        for line in self.texts("says").unwrap_or_default() {
            assert!(trace.to_string().contains(line), "expected `{line}` in\n{trace}");
        }
        self.check_warnings(&flow);
    }

    fn check_warnings(&self, flow: &Flow) {
        let Some(expected) = self.texts("warns") else { return };
        let wardrobe = self.wardrobe();
        let roles = |name: &str| wardrobe.role(name).map(Guards::of);
        let signals: Option<BTreeSet<Text>> = self.texts("signals").map(|list| list.into_iter().map(Text::from).collect());
        let warnings =
            lint(flow, &Basis { roles: &roles, signals: signals.as_ref(), cognition: None, default_role: None, role_names: &[] });
        let found: Vec<_> = warnings
            .iter()
            .map(|warning| format!("{} {}", warning.place, serde_json::to_string(&warning.code).unwrap().trim_matches('"')))
            .collect();
        assert_eq!(found, expected, "{warnings:#?}");
        for hint in self.texts("hints").unwrap_or_default() {
            assert!(warnings.iter().any(|warning| warning.hint.as_deref() == Some(hint)), "{hint}: {warnings:#?}");
        }
    }
}

/// Runs every row and tells of all that fail.
fn run(table: &str) {
    let table = json(table);
    let rows = table.get("rows").unwrap().as_list().unwrap();
    let mut failed = Vec::new();
    for row in rows {
        let name = row.get("name").unwrap().to_string();
        if let Err(panic) = std::panic::catch_unwind(|| LawRow(row).check()) {
            let why = panic.downcast_ref::<String>().cloned().unwrap_or_default();
            failed.push(format!("{name}\n{why}"));
        }
    }
    assert!(rows.len() > 10, "the table is not there");
    assert!(failed.is_empty(), "{} of {} rows fail\n\n{}", failed.len(), rows.len(), failed.join("\n\n"));
}

#[test]
fn every_example_of_the_design_answers_as_told() {
    run(include_str!("../../../fixtures/flows/examples.json"));
}

#[test]
fn every_guard_holds() {
    run(include_str!("../../../fixtures/flows/guards.json"));
}

#[test]
fn every_corner_of_when_is_as_the_design_says() {
    run(include_str!("../../../fixtures/flows/when.json"));
}

#[test]
fn whatever_is_malformed_is_refused_with_its_place() {
    run(include_str!("../../../fixtures/flows/refused.json"));
}

#[test]
fn whatever_is_probably_not_meant_is_warned_of() {
    run(include_str!("../../../fixtures/flows/lint.json"));
}

#[test]
fn nesting_and_numbers_of_conditions_have_an_end() {
    let deep = |levels: usize| json(&format!("[{{\"role\":\"a\",\"when\":{}{{}}{}}}]", "{\"not\":".repeat(levels), "}".repeat(levels)));
    assert!(Flow::compile(&deep(15)).is_ok());
    assert!(Flow::compile(&deep(16)).unwrap_err().what.contains("nested at most 16"));
    let below = |levels: usize| json(&format!("[{{\"role\":\"a\",\"when\":{}1{}}}]", "{\"a\":".repeat(levels), "}".repeat(levels)));
    assert!(Flow::compile(&below(16)).is_ok());
    assert!(Flow::compile(&below(17)).is_err());
    let many = |count: usize| json(&format!("[{{\"role\":\"a\",\"when\":{{\"and\":[{}]}}}}]", vec!["{\"verb\":\"do\"}"; count].join(",")));
    assert!(Flow::compile(&many(1024)).is_ok());
    assert!(Flow::compile(&many(1025)).unwrap_err().what.contains("1024"));
    assert!(Flow::compile(&Value::List(vec![json(r#"{"role":"a"}"#); 257])).unwrap_err().what.contains("256"));
}

#[test]
fn a_flow_knows_the_signals_it_reads() {
    let flow = Flow::compile(&json(
        r#"[{"role":"a","when":{"world":{"court":{"in-session":true}},"or":[{"coords.x":{"gt":{"path":"world.line.speed"}}}]}}]"#,
    ))
    .unwrap();
    let signals: Vec<_> = flow.signals().iter().map(|signal| &**signal).collect();
    assert_eq!(signals, ["court.in-session", "line.speed"]);
    assert!(flow.reads_signal("court.in-session") && flow.reads_signal("court.in-session.since") && flow.reads_signal("court"));
    assert!(!flow.reads_signal("court.in") && !flow.reads_signal("line.speed2"));
}

#[test]
fn a_context_tells_of_paths_that_nothing_can_ask_for() {
    let context = JsonContext::read(&json(r#"{"space":{"nam":"x"},"me.quality.a":{"b..c":1,"d":2}}"#)).unwrap();
    assert_eq!(context.unknown(), [Text::from("space.nam")]);
    assert!(JsonContext::read(&json(r#"{"a..b":1}"#)).is_err());
    assert!(JsonContext::read(&json("[]")).is_err());
}

/// Values small enough to meet one another.
fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-2i64..3).prop_map(Value::Int),
        (-5i64..5).prop_map(|n| Value::number(n as f64 / 2.0).unwrap()),
        "[ab*]{0,2}".prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::List),
            btree_map("[ab]".prop_map(Text::from), inner, 0..3).prop_map(Value::Map)
        ]
    })
}

const PATHS: &[&str] = &["verb", "coords.x", "time.hour", "me.quality.a.b", "world.a.b", "unknown.path"];

fn path() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(PATHS)
}

fn context() -> impl Strategy<Value = Value> {
    btree_map(path(), value(), 0..6).prop_map(Value::map)
}

/// Objects made of the words of flows, well formed or not.
fn anything() -> impl Strategy<Value = Value> {
    let key = prop_oneof![
        path().prop_map(str::to_owned),
        proptest::sample::select(reelm::role::operator::Operator::WORDS).prop_map(str::to_owned),
        proptest::sample::select(&["and", "or", "not", "path", "when", "role", "stack", "space", "name", ""][..]).prop_map(str::to_owned),
        any::<String>(),
    ];
    prop_oneof![leaf(), Just(Value::from("a-role")), any::<String>().prop_map(Value::from)].prop_recursive(6, 48, 4, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::List),
            btree_map(key.clone().prop_map(Text::from), inner, 0..4).prop_map(Value::Map)
        ]
    })
}

/// A well-formed `when`.
fn when() -> impl Strategy<Value = Value> {
    let operand = || prop_oneof![value(), path().prop_map(|path| Value::map([("path", Value::from(path))]))];
    let choices =
        || prop_oneof![vec(operand(), 0..3).prop_map(Value::List), path().prop_map(|path| Value::map([("path", Value::from(path))]))];
    let ordered = || prop_oneof![(-2i64..3).prop_map(Value::Int), "[ab]".prop_map(Value::from)];
    let test = prop_oneof![
        leaf(),
        vec(leaf(), 0..3).prop_map(Value::List),
        (proptest::sample::select(&["eq", "ne", "contains"][..]), operand()).prop_map(|(op, v)| Value::map([(op, v)])),
        (proptest::sample::select(&["in", "notIn"][..]), choices()).prop_map(|(op, v)| Value::map([(op, v)])),
        (proptest::sample::select(&["gt", "gte", "lt", "lte"][..]), ordered()).prop_map(|(op, v)| Value::map([(op, v)])),
        any::<bool>().prop_map(|b| Value::map([("present", Value::Bool(b))])),
    ];
    btree_map(path(), test, 0..3).prop_map(Value::map).prop_recursive(3, 16, 3, |inner| {
        (inner.clone(), vec(inner.clone(), 0..3), proptest::sample::select(&["and", "or"][..]), inner, any::<bool>()).prop_map(
            |(beside, list, word, not, negates)| {
                let Value::Map(mut map) = beside else { return Value::Null };
                map.insert(word.into(), Value::List(list));
                if negates {
                    map.insert("not".into(), not);
                }
                Value::Map(map)
            },
        )
    })
}

fn flow() -> impl Strategy<Value = Value> {
    let clause = (when(), proptest::sample::select(&["a", "b", "ghost", "human-only"][..]), any::<bool>())
        .prop_map(|(when, role, stack)| Value::map([("when", when), ("role", Value::from(role)), ("stack", Value::Bool(stack))]));
    vec(clause, 0..5).prop_map(Value::List)
}

fn holds(when: Value, context: &JsonContext) -> bool {
    let flow = Flow::compile(&Value::List(vec![Value::map([("when", when), ("role", Value::from("yes"))])])).unwrap();
    let mut stack = Stack::default();
    let own = Own { default_role: None, cognition: Cognition::Llm, requested: None };
    flow.evaluate(context, &JsonWardrobe::default(), &own, &mut stack);
    !stack.is_empty()
}

fn test_of(path: &str, operator: &str, operand: &Value) -> Value {
    Value::map([(path, Value::map([(operator, operand.clone())]))])
}

fn negated(when: &Value) -> Value {
    Value::map([("not", when.clone())])
}

fn spec() -> impl Strategy<Value = Value> {
    let entry = prop_oneof![
        "[a-z:/@*?. \"'#]{1,12}".prop_map(Value::from),
        proptest::sample::select(reelm::role::relation::Rel::WORDS).prop_map(|word| Value::map([("rel", Value::from(word))])),
        any::<String>().prop_map(|text| Value::map([("pattern", Value::from(text))])),
        any::<String>().prop_map(Value::from),
    ];
    let action = (any::<String>(), entry.clone(), "[a-z]{1,5}")
        .prop_map(|(action, on, ns)| Value::map([("action", Value::from(action)), ("on", on), ("ns", Value::from(ns))]));
    let list = vec(entry, 0..4).prop_map(Value::List);
    (list.clone(), vec(action, 0..3).prop_map(Value::List), list, any::<[String; 3]>(), any::<bool>(), 0i64..100_000_000).prop_map(
        |(see, act, summon, [description, see_resolver, prompt], continues, thinks)| {
            Value::map([
                ("name", Value::from("ns:some-role")),
                ("canSee", see),
                ("canDo", act),
                ("canSummon", summon),
                ("description", Value::from(description)),
                ("see", Value::from(vec![see_resolver])),
                ("selfContinue", Value::Bool(continues)),
                ("triggerOn", Value::from(if continues { vec!["hear", "enter"] } else { vec![] })),
                ("thinks", Value::from(format!("{thinks}ms"))),
                ("prompt", Value::from(prompt)),
            ])
        },
    )
}

proptest! {
    #![proptest_config(kit::cases(64, 512))]

    #[test]
    fn ne_and_not_in_are_exactly_the_negations(path in path(), operand in value(), list in vec(value(), 0..3), context in context()) {
        let context = JsonContext::read(&context).unwrap();
        prop_assert_ne!(holds(test_of(path, "ne", &operand), &context), holds(test_of(path, "eq", &operand), &context));
        let list = Value::List(list);
        prop_assert_ne!(holds(test_of(path, "notIn", &list), &context), holds(test_of(path, "in", &list), &context));
        prop_assert_eq!(holds(test_of(path, "in", &list), &context), holds(Value::map([(path, list)]), &context));
    }

    #[test]
    fn not_negates_and_lists_join_as_logic_does(a in when(), b in when(), context in context()) {
        let context = JsonContext::read(&context).unwrap();
        let (is_a, is_b) = (holds(a.clone(), &context), holds(b.clone(), &context));
        prop_assert_ne!(holds(negated(&a), &context), is_a);
        let list = |word| Value::map([(word, Value::List(vec![a.clone(), b.clone()]))]);
        prop_assert_eq!(holds(list("and"), &context), is_a && is_b);
        prop_assert_eq!(holds(list("or"), &context), is_a || is_b);
    }

    #[test]
    fn explaining_answers_as_evaluating_does(
        flow in flow(), context in context(), default in any::<bool>(), requested in proptest::option::of("a|b|c"), human in any::<bool>()
    ) {
        let flow = Flow::compile(&flow).unwrap();
        let context = JsonContext::read(&context).unwrap();
        let wardrobe = JsonWardrobe::read("t", &json(r#"{"ghost":null,"human-only":{"requiredCognition":"human"}}"#)).unwrap();
        let (floor, requested) = (Text::from("floor"), requested.map(Text::from));
        let cognition = if human { Cognition::Human } else { Cognition::Script };
        let own = Own { default_role: default.then_some(&floor), cognition, requested: requested.as_ref() };
        let mut stack = Stack::default();
        flow.evaluate(&context, &wardrobe, &own, &mut stack);
        let trace = flow.explain(&context, &wardrobe, &own);
        prop_assert_eq!(&stack, &trace.stack);
        prop_assert_eq!(trace.clauses.len(), flow.roles().count());
        let roles: BTreeSet<_> = stack.roles().collect();
        prop_assert_eq!(roles.len(), stack.choices().len(), "a role is worn twice");
        prop_assert!(stack.roles().all(|role| &**role != "ghost" && (human || &**role != "human-only")));
        prop_assert!(!default || !stack.is_empty());
        let _ = (trace.to_string(), serde_json::to_string(&trace).unwrap());
    }

    #[test]
    fn no_clause_that_the_lint_calls_impossible_ever_matches(when in when(), context in context(), hour in 0i64..4, acts in any::<bool>()) {
        let flow = Flow::compile(&Value::List(vec![Value::map([("when", when.clone()), ("role", Value::from("a"))])])).unwrap();
        let known = Basis { roles: &|_| Some(Guards::default()), signals: None, cognition: None, default_role: None, role_names: &[] };
        let warnings = lint(&flow, &known);
        let says = |code| warnings.iter().any(|warning| warning.place == "[0].when" && warning.code == code);
        // The lint knows which words and hours there are, so the moment keeps to them.
        let Value::Map(mut moment) = context else { return Ok(()) };
        moment.insert("time.hour".into(), Value::Int(hour));
        moment.insert("verb".into(), if acts { Value::from("do") } else { Value::Null });
        let held = holds(when, &JsonContext::read(&Value::Map(moment)).unwrap());
        prop_assert!(!(held && says(LintCode::NeverTrue)));
        prop_assert!(held || !says(LintCode::AlwaysTrue));
    }

    #[test]
    fn no_json_makes_compiling_panic(clauses in vec(anything(), 0..3), when in anything(), text in any::<String>()) {
        for value in [Value::List(clauses), Value::List(vec![Value::map([("role", Value::from("a")), ("when", when.clone())])]), when] {
            let known = Basis { roles: &|_| None, signals: None, cognition: Some(Cognition::Llm), default_role: Some("x"), role_names: &[] };
            match Flow::compile(&value) {
                Ok(flow) => drop(lint(&flow, &known)),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
            let _ = (Spec::from_value(&value), JsonContext::read(&value), JsonWardrobe::read("f", &value));
        }
        let _ = (Spec::from_json("f", &text), Spec::from_markdown("f", &text), Spec::from_markdown("f", &format!("---\n{text}\n---\n")));
    }

    #[test]
    fn a_role_reads_back_from_its_value_and_from_its_markdown(value in spec()) {
        let Ok(spec) = Spec::from_value(&value) else { return Ok(()) };
        prop_assert_eq!(&Spec::from_value(&spec.to_value()).unwrap(), &spec);
        prop_assert_eq!(&Spec::from_json("f", &spec.to_value().to_string()).unwrap(), &spec);
        let markdown = spec.to_markdown();
        prop_assert_eq!(&Spec::from_markdown("f", &markdown).unwrap(), &spec, "{}", markdown);
        prop_assert_eq!(Spec::from_markdown("f", &markdown).unwrap().hash(), spec.hash());
    }
}
