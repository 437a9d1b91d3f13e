//! Reply: what came of asking a model, as it is recorded: of each attempt what a server sent or what went wrong, and how long all took.
//!
//! It is kept in frames and cassettes as a map, whose keys nobody else names. A value of any other form is read as far as it goes, and
//! written again unchanged: a record is evidence, and is never corrected.

use serde::{Deserialize, Serialize};

use crate::dialect::TokenCount;
use crate::fact::{Code, Map, Text, Value};

/// The outcome of a request to a model, over all its attempts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Value", into = "Value")]
pub struct Reply {
    /// The last attempt.
    pub last: Asking,
    /// How often the connection of the last attempt was asked.
    pub attempts: Option<u32>,
    /// The attempts before it, over other connections too.
    pub tried: Vec<Asking>,
    /// How long all of it took, in milliseconds.
    pub ms: Option<u64>,
    /// As it was read, where that is not what is written.
    pub odd: Option<Box<Value>>,
}

/// The outcome of one attempt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asking {
    /// The connection that was asked.
    pub connection: Option<Text>,
    /// The failure, where no server answered.
    pub error: Option<Code>,
    /// The status with which a server answered.
    pub status: Option<i64>,
    /// The body that the server sent; it is dropped for an attempt that was repeated.
    pub body: Option<Text>,
    /// The model as it was served.
    pub model: Option<Text>,
    /// The tokens that the server counted.
    pub usage: Option<TokenCount>,
    /// Whether it was made ahead of its moment, and in vain.
    pub is_vain: bool,
}

impl Reply {
    /// The reply where nobody was asked more than once.
    pub fn of(last: Asking) -> Self {
        Self { last, ..Self::default() }
    }

    /// The reply where none came, and why.
    pub fn failed(error: Code) -> Self {
        Self::of(Asking { error: Some(error), ..Asking::default() })
    }

    /// Every attempt, the last one last.
    pub fn all(&self) -> impl Iterator<Item = &Asking> {
        self.tried.iter().chain([&self.last])
    }

    fn written(&self) -> Value {
        let mut map = self.last.written();
        let mut insert = |key: &str, value: Option<Value>| value.and_then(|value| map.insert(key.into(), value));
        insert("attempts", self.attempts.map(|attempts| Value::Int(attempts.into())));
        insert("ms", self.ms.map(whole));
        let tried = || Value::List(self.tried.iter().map(|one| Value::Map(one.written())).collect());
        insert("tried", (!self.tried.is_empty()).then(tried));
        Value::Map(map)
    }
}

impl Asking {
    /// Whether a server answered, and well.
    pub fn is_answer(&self) -> bool {
        self.error.is_none() && self.status.is_some_and(|status| (200..=299).contains(&status))
    }

    fn read(value: &Value) -> Self {
        let text = |key: &str| value.get(key).and_then(Value::as_text).cloned();
        let count = |key: &str| value.get("usage").and_then(|usage| usage.get(key)).and_then(Value::as_int).map(i64::unsigned_abs);
        Self {
            connection: text("connection"),
            // A word that nobody knows any more says that something went wrong all the same.
            error: text("error").map(|word| word.parse().unwrap_or(Code::ReplyLost)),
            status: value.get("status").and_then(Value::as_int),
            body: text("body"),
            model: text("model"),
            usage: count("input").zip(count("output")).map(|(input, output)| TokenCount {
                input,
                cached: count("cached").unwrap_or(0),
                output,
            }),
            is_vain: value.get("vain").and_then(Value::as_bool) == Some(true),
        }
    }

    fn written(&self) -> Map {
        let mut map = Map::new();
        let mut insert = |key: &str, value: Option<Value>| value.and_then(|value| map.insert(key.into(), value));
        insert("connection", self.connection.as_ref().map(Value::from));
        insert("error", self.error.map(|code| Value::text(code.word())));
        insert("status", self.status.map(Value::Int));
        insert("body", self.body.as_ref().map(Value::from));
        insert("model", self.model.as_ref().map(Value::from));
        insert("usage", self.usage.map(written_count));
        insert("vain", self.is_vain.then_some(Value::Bool(true)));
        map
    }
}

fn written_count(TokenCount { input, cached, output }: TokenCount) -> Value {
    let cached = (cached > 0).then(|| ("cached", whole(cached)));
    Value::map([("input", whole(input)), ("output", whole(output))].into_iter().chain(cached))
}

fn whole(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

impl From<Value> for Reply {
    fn from(value: Value) -> Self {
        let number = |key: &str| value.get(key).and_then(Value::as_int);
        let tried = value.get("tried").and_then(Value::as_list).unwrap_or_default();
        let reply = Self {
            last: Asking::read(&value),
            attempts: number("attempts").and_then(|attempts| u32::try_from(attempts).ok()),
            tried: tried.iter().map(Asking::read).collect(),
            ms: number("ms").map(i64::unsigned_abs),
            odd: None,
        };
        if reply.written() == value { reply } else { Self { odd: Some(Box::new(value)), ..reply } }
    }
}

impl From<Reply> for Value {
    fn from(reply: Reply) -> Self {
        let written = reply.written();
        reply.odd.map_or(written, |odd| *odd)
    }
}
