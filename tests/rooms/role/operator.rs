//! Tests of `src/role/operator.rs`.

use reelm::fact::Value;
use reelm::role::Glob;
use reelm::role::Path;
use reelm::role::Seen;
use reelm::role::TimeReads;
use reelm::role::condition::Condition;
use reelm::role::operand::Operand;
use reelm::role::operator::*;

#[test]
fn every_operator_has_its_word() {
    let words: Vec<_> = Operator::ALL.iter().map(|operator| operator.word()).collect();
    assert_eq!(words, Operator::WORDS);
    assert!(Operator::ALL.iter().all(|operator| Operator::parse(operator.word()) == Some(*operator)));
}

/// An operand that an operator can do something with, about five.
fn operand(operator: Operator) -> Operand {
    match operator.takes() {
        Takes::Value | Takes::Order => Operand::Value(Value::Int(5)),
        Takes::List => Operand::List(vec![Operand::Value(Value::Int(5))]),
        Takes::Truth => Operand::Value(Value::Bool(true)),
        Takes::Text => Operand::Value(Value::text("5")),
        Takes::Glob => Operand::Glob(Glob::new("5").unwrap()),
    }
}

#[test]
fn a_wait_wakes_exactly_where_an_operators_answer_changes() {
    for operator in Operator::ALL.iter().copied() {
        let (place, path) = ("here".into(), Path::TimeSinceLastMoment);
        let condition = Condition { place, path, operator, operand: operand(operator) };
        let answer = |seconds: i64| condition.holds_for(Seen::Int(seconds)).unwrap();
        let changes: Vec<_> = (1..20).filter(|seconds| answer(*seconds) != answer(seconds - 1)).collect();
        assert_eq!(TimeReads::of(&[&condition]).since_s, changes, "{operator}");
    }
}

#[test]
fn what_an_operator_asks_is_what_it_answers() {
    for operator in Operator::ALL.iter().copied() {
        let answer = |number: i64| operator.holds(Seen::Int(number), &operand(operator), &reelm::role::operand::Nothing);
        let wanted = match operator.asks() {
            Asks::Same => [false, true, false],
            Asks::Other => [true, false, true],
            Asks::Above { or_same } => [false, or_same, true],
            Asks::Below { or_same } => [true, or_same, false],
            Asks::Presence => [true; 3],
            Asks::Form => [false; 3],
        };
        assert_eq!([4, 5, 6].map(answer), wanted, "{operator}");
    }
}
