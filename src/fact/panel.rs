//! Panel: whom a being asks that thinks by asking others, in which order, what decides, and how long it waits for them.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::act::Reason;
use super::canon::{canon_enum, canon_struct};
use super::code::Code;
use super::duration::{parse_duration, write_duration};
use super::id::Millis;
use super::schema::DurationText;
use super::value::{Text, Value};
use super::words::words;

words! {
    /// In which order the members of a panel are asked.
    Turns, "way to ask" {
        /// All at once.
        0 => Parallel = "parallel",
        /// One after the other: each hears how those before voted.
        1 => InTurn = "in-turn",
    }
}

/// Who is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Members {
    /// These, by their names, in this order.
    Named {
        /// The names, without `@`.
        names: Vec<Text>,
    },
    /// Its children that live when the moment opens, in order of birth.
    Children,
}

/// The rule that makes one call of the ballots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decide {
    /// The call that most voted for, once more than half of the members have answered.
    Majority,
    /// The first vote that comes.
    First,
    /// A script: its `decide(face)`.
    Script {
        /// Its name.
        name: Text,
    },
}

/// How a being thinks by asking others.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Panel {
    /// The members: addresses, or `{rel: children}`.
    #[schemars(schema_with = "members_schema")]
    pub of: Members,
    /// In which order.
    #[schemars(with = "Option<Turns>")]
    pub ask: Turns,
    /// The deciding rule: `majority`, `first`, or the name of a script.
    #[schemars(with = "Option<String>")]
    pub decide: Decide,
    /// How long whoever is asked is waited for, in milliseconds.
    #[schemars(with = "Option<DurationText>")]
    pub until: Millis,
}

canon_enum!(Members { 0 => Named { names }, 1 => Children });
canon_enum!(Decide { 0 => Majority, 1 => First, 2 => Script { name } });
canon_struct!(Panel { of, ask, decide, until });

/// The relation by which members are named that are not listed.
const CHILDREN: &str = "children";
/// How long a panel waits that does not say so.
const UNTIL: Millis = 10 * 60 * 1000;

impl Decide {
    /// The word for it; a script's own name.
    pub fn word(&self) -> &str {
        match self {
            Self::Majority => "majority",
            Self::First => "first",
            Self::Script { name } => name,
        }
    }
}

impl Panel {
    /// The most members that are asked.
    pub const MEMBERS_MAX: usize = 64;

    /// A panel as it is written, or what of it is wrong: a code, and a place below `/panel`.
    pub fn read(written: &Value) -> Result<Self, Reason> {
        let wrong = |code: Code, key: &str| Reason::new(code, format!("/panel{key}"));
        let map = written.as_map().ok_or_else(|| wrong(Code::ArgsType, ""))?;
        if let Some(key) = map.keys().find(|key| !matches!(key.as_ref(), "of" | "ask" | "decide" | "until")) {
            return Err(wrong(Code::ArgsUnknown, &format!("/{key}")));
        }
        let text = |key: &str| match map.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(_) => Err(wrong(Code::ArgsType, &format!("/{key}"))),
        };
        let of = members(map.get("of").ok_or_else(|| wrong(Code::ArgsRequired, "/of"))?)?;
        let ask = text("ask")?.map_or(Ok(Turns::Parallel), |word| word.parse().map_err(|_| wrong(Code::ArgsEnum, "/ask")))?;
        let decide = match text("decide")? {
            None => Decide::Majority,
            Some(word) => match word.as_ref() {
                "majority" => Decide::Majority,
                "first" => Decide::First,
                "" => return Err(wrong(Code::ArgsLength, "/decide")),
                _ => Decide::Script { name: word },
            },
        };
        let until = text("until")?.map_or(Some(UNTIL), |text| parse_duration(&text).filter(|until| *until > 0));
        Ok(Self { of, ask, decide, until: until.ok_or_else(|| wrong(Code::ArgsFormat, "/until"))? })
    }

    /// The same as it is written.
    pub fn to_value(&self) -> Value {
        let of = match &self.of {
            Members::Named { names } => Value::List(names.iter().map(|name| Value::from(format!("@{name}"))).collect()),
            Members::Children => Value::map([("rel", Value::text(CHILDREN))]),
        };
        Value::map([
            ("of", of),
            ("ask", Value::from(self.ask.word())),
            ("decide", Value::text(self.decide.word())),
            ("until", Value::from(write_duration(self.until))),
        ])
    }
}

/// Reads the members as written: addresses, each once, or `{rel: children}`.
fn members(written: &Value) -> Result<Members, Reason> {
    let wrong = |code: Code, place: String| Reason::new(code, format!("/panel/of{place}"));
    if let Some(map) = written.as_map() {
        let is_children = map.len() == 1 && map.get("rel").and_then(Value::as_str) == Some(CHILDREN);
        return if is_children { Ok(Members::Children) } else { Err(wrong(Code::ArgsEnum, "/rel".to_owned())) };
    }
    let list = written.as_list().ok_or_else(|| wrong(Code::ArgsType, String::new()))?;
    if list.is_empty() || list.len() > Panel::MEMBERS_MAX {
        return Err(wrong(Code::ArgsItems, String::new()));
    }
    let mut names: Vec<Text> = Vec::with_capacity(list.len());
    for (at, member) in list.iter().enumerate() {
        let address = member.as_str().ok_or_else(|| wrong(Code::ArgsType, format!("/{at}")))?;
        let name = address.strip_prefix('@').filter(|name| !name.is_empty() && !name.contains('/'));
        let name = Text::from(name.ok_or_else(|| wrong(Code::ArgsPattern, format!("/{at}")))?);
        if names.contains(&name) {
            return Err(wrong(Code::ArgsItems, format!("/{at}")));
        }
        names.push(name);
    }
    Ok(Members::Named { names })
}

/// What [`members`] reads.
fn members_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "anyOf": [
        { "type": "array", "items": { "type": "string", "pattern": "^@[^/]+$" }, "minItems": 1, "maxItems": Panel::MEMBERS_MAX, "uniqueItems": true },
        { "type": "object", "properties": { "rel": { "const": CHILDREN } }, "required": ["rel"], "additionalProperties": false }
    ] })
}

impl Serialize for Panel {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(s)
    }
}
