//! Fade: the next instant at which a number that fades changes an answer of a flow.
//!
//! A single fading number goes one way only, so an answer about it can change at few numbers, and when it comes to those is arithmetic. Where
//! a condition compares two of them each of their steps is looked at, so many and no more: then a wake comes early, and looks on from there.

use crate::fact::{Fading, Millis, Value};

use super::condition::Condition;
use super::operand::{Operand, look};
use super::path::Path;
use super::seen::{Context, Seen};

/// How many steps of two fading numbers are looked at.
const STEPS_MAX: usize = 512;

/// A moment in which nobody acts, at any instant that is asked for.
pub trait Passing {
    /// The moment at an instant.
    fn at(&self, at: Millis) -> impl Context;
    /// The number that fades at a path, if one does.
    fn fading(&self, path: &Path) -> Option<Fading>;
}

/// The conditions that read a quality, which may hold a number that fades.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fades(Vec<Condition>);

impl Fades {
    pub(super) fn of(conditions: &[&Condition]) -> Self {
        Self(conditions.iter().filter(|condition| may_fade(condition)).map(|condition| (*condition).clone()).collect())
    }

    /// The same together with what others read.
    pub(super) fn add(&mut self, other: &Self) {
        let new: Vec<Condition> = other.0.iter().filter(|condition| !self.0.contains(condition)).cloned().collect();
        self.0.extend(new);
    }

    /// Whether no quality is read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first instant after another at which an answer changes because a number fades.
    pub fn next(&self, after: Millis, passing: &impl Passing) -> Option<Millis> {
        self.0.iter().filter_map(|condition| next(condition, after, passing)).min()
    }
}

fn paths(condition: &Condition) -> Vec<&Path> {
    let mut paths = vec![&condition.path];
    condition.operand.paths(&mut paths);
    paths
}

fn may_fade(condition: &Condition) -> bool {
    paths(condition).into_iter().any(|path| matches!(path, Path::MeQuality(_) | Path::SpaceQuality(_)))
}

fn next(condition: &Condition, after: Millis, passing: &impl Passing) -> Option<Millis> {
    let fadings: Vec<Fading> = paths(condition).into_iter().filter_map(|path| passing.fading(path)).collect();
    let going: Vec<Fading> = fadings.into_iter().filter(|fading| fading.goes_on(after)).collect();
    let answer = |at: Millis| {
        let context = passing.at(at);
        condition.holds(look(&context, &condition.path), &context)
    };
    let now = answer(after);
    match going.as_slice() {
        [] => None,
        [fading] => {
            let mut instants = instants(*fading, &numbers(condition, &passing.at(after)));
            instants.retain(|at| *at > after);
            instants.sort_unstable();
            instants.into_iter().find(|at| answer(*at) != now)
        }
        several => {
            let step = |at: Millis| several.iter().filter_map(|fading| fading.next_step(at)).min();
            let steps = std::iter::successors(step(after), |at| step(*at)).take(STEPS_MAX);
            let mut last = None;
            for at in steps {
                if answer(at) != now {
                    return Some(at);
                }
                last = Some(at);
            }
            last.filter(|at| several.iter().any(|fading| fading.goes_on(*at)))
        }
    }
}

/// The instants at which an answer about a fading number can change: where it comes to a number that it is compared with, and past it.
fn instants(fading: Fading, numbers: &[f64]) -> Vec<Millis> {
    let around = |number: &f64| {
        // A cast from float to integer stops at the integer's own ends.
        let (low, high) = ((number * 1_000.0).floor() as i64, (number * 1_000.0).ceil() as i64);
        [low.saturating_sub(1), low, low.saturating_add(1), high, high.saturating_add(1)]
    };
    numbers.iter().flat_map(around).filter_map(|thousandths| fading.reaches(thousandths)).collect()
}

/// The numbers that a condition compares, as far as they stand still.
fn numbers<C: Context>(condition: &Condition, context: &C) -> Vec<f64> {
    let number = |seen: Seen<'_>| match seen {
        Seen::Int(whole) => Some(whole as f64),
        Seen::Float(number) => Some(number),
        _ => None,
    };
    let mut found: Vec<f64> = number(look(context, &condition.path)).into_iter().collect();
    operand_numbers(&condition.operand, context, &number, &mut found);
    found
}

fn operand_numbers<C: Context>(operand: &Operand, context: &C, number: &impl Fn(Seen<'_>) -> Option<f64>, into: &mut Vec<f64>) {
    match operand {
        Operand::Value(value) => into.extend(value.as_float()),
        Operand::Path(path) => match look(context, path) {
            Seen::Value(Value::List(list)) => into.extend(list.iter().filter_map(Value::as_float)),
            seen => into.extend(number(seen)),
        },
        Operand::List(choices) => choices.iter().for_each(|choice| operand_numbers(choice, context, number, into)),
        Operand::Glob(_) => {}
    }
}
