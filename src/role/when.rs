//! When: compiles a `when` object into conditions, or says where it is malformed.
//!
//! All keys of the object must hold, `and`, `or` and `not` among them; every other key is a path. Under a path: a scalar equals, a
//! list is one of, an object of operators is each of them, any other object goes on with each sub-path. An object that mixes operators
//! with sub-paths is malformed, as are `and`, `or` and `not` below a path. Nothing malformed is left for evaluation to meet.

use std::fmt;

use crate::fact::{Map, Text, Value};

use super::condition::Condition;
use super::found::kind;
use super::glob::Glob;
use super::name;
use super::operand::Operand;
use super::operator::{Operator, Takes};
use super::path::{Path, PathError};
use super::requested::{BODY, Requested};

/// How deep objects and lists may nest in a `when`.
const WHEN_DEPTH_MAX: usize = 16;
/// How many conditions a flow may hold.
const CONDITIONS_MAX: usize = 1024;

/// A flow is malformed: where, how, and what may have been meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}{}", hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default())]
pub struct FlowError {
    /// Where in the flow, such as `[1].when.or[0]."time.hour"`.
    pub place: String,
    /// The condition expected and what was found.
    pub what: String,
    /// A hint at what may have been meant.
    pub hint: Option<String>,
}

/// A group of conditions or one of them.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// One condition.
    One(Condition),
    /// All of them hold.
    And(Text, Vec<Node>),
    /// One of them holds.
    Or(Text, Vec<Node>),
    /// They do not all hold.
    Not(Text, Vec<Node>),
}

/// A place in the JSON of a flow, as a chain through the callers: written out only where it is kept or an error needs it.
#[derive(Clone, Copy)]
pub(super) enum FlowPlace<'a> {
    Clause(usize),
    Named(&'a str),
    Key(&'a FlowPlace<'a>, &'a str),
    Index(&'a FlowPlace<'a>, usize),
}

impl FlowPlace<'_> {
    pub(super) fn error(&self, what: impl Into<String>) -> FlowError {
        FlowError { place: self.to_string(), what: what.into(), hint: None }
    }

    pub(super) fn error_with(&self, what: impl Into<String>, hint: impl Into<String>) -> FlowError {
        FlowError { hint: Some(hint.into()), ..self.error(what) }
    }

    fn text(&self) -> Text {
        self.to_string().into()
    }
}

impl fmt::Display for FlowPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clause(index) => write!(f, "[{index}]"),
            Self::Named(name) => f.write_str(name),
            Self::Index(above, index) => write!(f, "{above}[{index}]"),
            Self::Key(above, key) if key.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !key.is_empty() => write!(f, "{above}.{key}"),
            Self::Key(above, key) => write!(f, "{above}.{key:?}"),
        }
    }
}

/// Compiles a whole flow's conditions, counting them.
#[derive(Default)]
pub(super) struct Compiler {
    conditions: usize,
    /// About what they ask.
    about: About,
}

/// The subject of conditions.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum About {
    /// A moment that opens; what it does not have is only missing.
    #[default]
    Opening,
    /// A deed, as a rule does; what it cannot ask is an error.
    Deed,
    /// A request to the outside; what it cannot ask is an error.
    Request,
    /// The past.
    Past,
}

impl Compiler {
    /// For the conditions of a rule.
    pub(super) fn ruling() -> Self {
        Self { about: About::Deed, ..Self::default() }
    }

    /// For conditions that are asked of the past.
    pub(super) fn looking_back() -> Self {
        Self { about: About::Past, ..Self::default() }
    }

    /// For conditions that are asked of a request to the outside.
    pub(super) fn requested() -> Self {
        Self { about: About::Request, ..Self::default() }
    }

    fn path(&self, text: &str, place: &FlowPlace<'_>) -> Result<Path, FlowError> {
        let path = self.parsed(text).map_err(|error| place.error(error.to_string()))?;
        match (&path, self.about) {
            (Path::Unknown(_), About::Deed) => {
                Err(place.error_with(format!("expected something that a rule can ask, found `{text}`"), Path::suggest_ruled(text)))
            }
            (Path::Unknown(_), About::Request) => {
                Err(place.error_with(format!("expected something that an approval can ask, found `{text}`"), Requested::suggest(text)))
            }
            _ => Ok(path),
        }
    }

    fn parsed(&self, text: &str) -> Result<Path, PathError> {
        match self.about {
            About::Opening => Path::parse(text),
            About::Deed => Path::parse_ruled(text),
            About::Request => Path::parse_requested(text),
            About::Past => Path::parse_back(text),
        }
    }

    /// Whether what it cannot ask is an error, and a path is so: then what stands under it is no sub-path.
    fn is_known(&self, path: &str) -> bool {
        let is_strict = self.about == About::Deed || (self.about == About::Request && path != BODY);
        is_strict && self.parsed(path).is_ok_and(|path| !path.is_unknown())
    }

    /// All keys of one `when` object.
    pub(super) fn when(&mut self, value: &Value, place: &FlowPlace<'_>, depth: usize) -> Result<Vec<Node>, FlowError> {
        if depth > WHEN_DEPTH_MAX {
            return Err(place.error(format!("expected conditions nested at most {WHEN_DEPTH_MAX} deep, found more")));
        }
        let Value::Map(map) = value else {
            return Err(place.error(format!("expected an object of conditions, found {}", kind(value))));
        };
        let mut nodes = Vec::with_capacity(map.len());
        for (key, value) in map {
            let place = FlowPlace::Key(place, key);
            match key.as_ref() {
                "and" => nodes.push(Node::And(place.text(), self.branches(value, &place, depth)?)),
                "or" => nodes.push(Node::Or(place.text(), self.branches(value, &place, depth)?)),
                "not" => nodes.push(Node::Not(place.text(), self.when(value, &place, depth + 1)?)),
                path => self.under(path, value, &place, depth, &mut nodes)?,
            }
        }
        Ok(nodes)
    }

    /// The list of an `and` or an `or`; each element is a `when` of its own.
    fn branches(&mut self, value: &Value, place: &FlowPlace<'_>, depth: usize) -> Result<Vec<Node>, FlowError> {
        let Value::List(list) = value else {
            return Err(place.error(format!("expected a list of objects, found {}", kind(value))));
        };
        let branch = |(index, value)| {
            let place = FlowPlace::Index(place, index);
            Ok(Node::And(place.text(), self.when(value, &place, depth + 1)?))
        };
        list.iter().enumerate().map(branch).collect()
    }

    /// Compiles the condition on one path.
    fn under(&mut self, path: &str, value: &Value, place: &FlowPlace<'_>, depth: usize, nodes: &mut Vec<Node>) -> Result<(), FlowError> {
        // Well formed it is also where only its sub-paths ask for something.
        Path::parse(path).map_err(|error| place.error(error.to_string()))?;
        match value {
            Value::Map(map) if is_operators(map, place)? => {
                let path = self.path(path, place)?;
                for (word, operand) in map {
                    let place = FlowPlace::Key(place, word);
                    // Every key was found to be an operator.
                    let Some(operator) = Operator::parse(word) else { continue };
                    nodes.push(self.condition(&path, operator, operand, &place)?);
                }
                Ok(())
            }
            // A key that is no operator may be a sub-path; where a rule must not guess, it is an error.
            Value::Map(map) if self.is_known(path) => {
                let strange = map.keys().next().map_or("nothing", AsRef::as_ref);
                Err(place.error_with(format!("expected operators, found `{strange}`"), name::hint(strange, Operator::WORDS)))
            }
            Value::Map(_) if depth >= WHEN_DEPTH_MAX => {
                Err(place.error(format!("expected conditions nested at most {WHEN_DEPTH_MAX} deep, found more")))
            }
            Value::Map(map) => {
                for (key, value) in map {
                    let place = FlowPlace::Key(place, key);
                    if matches!(key.as_ref(), "and" | "or" | "not") {
                        return Err(place.error_with(
                            format!("expected a sub-path of `{path}`, found `{key}`"),
                            format!("put `{key}` beside `{path}`, not below it"),
                        ));
                    }
                    self.under(&format!("{path}.{key}"), value, &place, depth + 1, nodes)?;
                }
                Ok(())
            }
            Value::List(_) => {
                let path = self.path(path, place)?;
                self.condition(&path, Operator::In, value, place).map(|node| nodes.push(node))
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => {
                let path = self.path(path, place)?;
                self.condition(&path, Operator::Eq, value, place).map(|node| nodes.push(node))
            }
        }
    }

    fn condition(&mut self, path: &Path, operator: Operator, operand: &Value, place: &FlowPlace<'_>) -> Result<Node, FlowError> {
        self.conditions += 1;
        if self.conditions > CONDITIONS_MAX {
            return Err(place.error(format!("expected at most {CONDITIONS_MAX} conditions in a flow, found more")));
        }
        let operand = self.operand(operator, operand, place)?;
        Ok(Node::One(Condition { place: place.text(), path: path.clone(), operator, operand }))
    }

    /// The operand, if the operator can do anything with it.
    fn operand(&self, operator: Operator, value: &Value, place: &FlowPlace<'_>) -> Result<Operand, FlowError> {
        if let Some(path) = self.path_of(value, place)? {
            return Ok(Operand::Path(path));
        }
        let wrong = |expected: &str| Err(place.error(format!("expected {expected} or {{\"path\": …}}, found {}", kind(value))));
        match (operator.takes(), value) {
            (Takes::Value, _)
            | (Takes::Order, Value::Int(_) | Value::Float(_) | Value::Text(_))
            | (Takes::Truth, Value::Bool(_))
            | (Takes::Text, Value::Text(_)) => Ok(Operand::Value(value.clone())),
            (Takes::List, Value::List(list)) => {
                let choice = |(index, value)| {
                    let path = self.path_of(value, &FlowPlace::Index(place, index))?;
                    Ok(path.map_or_else(|| Operand::Value(value.clone()), Operand::Path))
                };
                list.iter().enumerate().map(choice).collect::<Result<_, _>>().map(Operand::List)
            }
            (Takes::Glob, Value::Text(pattern)) => Glob::new(pattern).map(Operand::Glob).map_err(|error| place.error(error.to_string())),
            (Takes::List, _) => wrong("a list"),
            (Takes::Order, _) => wrong("a number, text"),
            (Takes::Truth, _) => wrong("true, false"),
            (Takes::Text, _) => wrong("text"),
            (Takes::Glob, _) => wrong("a glob"),
        }
    }

    /// The path of `{"path": …}`, if the value is one.
    fn path_of(&self, value: &Value, place: &FlowPlace<'_>) -> Result<Option<Path>, FlowError> {
        match value {
            Value::Map(map) if map.len() == 1 => match map.get("path") {
                Some(Value::Text(path)) => self.path(path, &FlowPlace::Key(place, "path")).map(Some),
                Some(other) => Err(FlowPlace::Key(place, "path").error(format!("expected a path, found {}", kind(other)))),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }
}

/// Whether the keys are operators; some of each is malformed.
fn is_operators(map: &Map, place: &FlowPlace<'_>) -> Result<bool, FlowError> {
    let known = map.keys().filter(|key| Operator::parse(key).is_some()).count();
    match map.keys().find(|key| Operator::parse(key).is_none()) {
        Some(strange) if known > 0 => Err(place.error_with(
            format!("expected operators only or sub-paths only, found `{strange}` beside operators"),
            name::hint(strange, Operator::WORDS),
        )),
        Some(_) => Ok(false),
        None => Ok(known > 0),
    }
}
