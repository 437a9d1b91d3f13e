//! Act: the call that a mind proposes, the wake that made it think, and how its moment closed.

use serde::Serialize;

use super::canon::{Canon, Writer, canon_enum, canon_struct};
use super::closing_kind::ClosingKind;
use super::code::Code;
use super::id::{Hash, Made, Millis};
use super::line::plain;
use super::mind::{Rank, Verb};
use super::value::{Text, Value};
use super::wake_kind::WakeKind;

/// The largest value that a frame carries itself, in canonical bytes; a larger one is a reference to a blob.
pub const INLINE_MAX: usize = 4096;
/// The longest place of a reason, in characters.
const PLACE_MAX: usize = 240;

/// A value as a frame carries it: itself, or the hash of the blob that holds its canonical bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The value itself.
    Here(Value),
    /// A blob.
    There {
        /// The hash of the value's canonical bytes.
        hash: Hash,
        /// How many bytes they are.
        len: u64,
    },
    /// The arguments of a call that was judged without reading them: they were not kept, nor what was said alongside.
    Unread {
        /// The hash of the canonical bytes of both, a list of two.
        hash: Hash,
        /// How many bytes they are.
        len: u64,
    },
}

/// Roughly from so many bytes on the size of a call is counted.
const MUCH: usize = 1 << 20;

/// The largest arguments and words of a call that are kept though nothing has read them, in canonical bytes.
pub const UNREAD_MAX: usize = 256;

impl Default for Content {
    fn default() -> Self {
        Self::Here(Value::Null)
    }
}

impl From<Value> for Content {
    fn from(value: Value) -> Self {
        Self::Here(value)
    }
}

impl Serialize for Content {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Here(value) => value.serialize(s),
            Self::There { hash, len } => {
                Value::map([("blob", Value::from(hash.to_string())), ("bytes", Value::Int(*len as i64))]).serialize(s)
            }
            Self::Unread { hash, len } => {
                Value::map([("unread", Value::from(hash.to_string())), ("bytes", Value::Int(*len as i64))]).serialize(s)
            }
        }
    }
}

/// One deed of one moment, not yet judged; once the gate lets it through it is the moment's act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    /// Which door.
    pub verb: Verb,
    /// The address of the thing it is done to, as the mind wrote it.
    pub target: Text,
    /// The operation of a do or a be; empty for see and summon.
    pub action: Text,
    /// The operation's arguments, or a summons' content and options.
    pub args: Content,
    /// The words said alongside.
    pub content: Option<Text>,
}

impl Call {
    /// A see of an address.
    pub fn see(target: &str) -> Self {
        Self { verb: Verb::See, target: target.into(), action: "".into(), args: Content::default(), content: None }
    }

    /// A do.
    pub fn doing(target: &str, action: &str, args: Value) -> Self {
        Self { verb: Verb::Do, target: target.into(), action: action.into(), args: args.into(), content: None }
    }

    /// A summons; `args` holds `content` and the options.
    pub fn summon(target: &str, args: Value) -> Self {
        Self { verb: Verb::Summon, target: target.into(), action: "".into(), args: args.into(), content: None }
    }

    /// A be.
    pub fn be(operation: &str, payload: Value) -> Self {
        Self { verb: Verb::Be, target: "".into(), action: operation.into(), args: payload.into(), content: None }
    }

    /// A call as scripts and ballots write it: a map of verb, target, action, args and content; nothing is no call. Or the key that is wrong.
    pub fn read(written: &Value) -> Result<Option<Self>, Text> {
        let map = match written {
            Value::Null => return Ok(None),
            Value::Map(map) => map,
            Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) | Value::List(_) => return Err("/".into()),
        };
        let wrong = |key: &str| Text::from(format!("/{key}"));
        let text = |key: &str| match map.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(_) => Err(wrong(key)),
        };
        if let Some(key) = map.keys().find(|key| !matches!(key.as_ref(), "verb" | "target" | "action" | "args" | "content")) {
            return Err(wrong(key));
        }
        let verb: Verb = text("verb")?.and_then(|word| word.parse().ok()).ok_or_else(|| wrong("verb"))?;
        let args = map.get("args").cloned().unwrap_or_default();
        Ok(Some(Self {
            verb,
            target: text("target")?.unwrap_or_else(|| "".into()),
            action: text("action")?.unwrap_or_else(|| "".into()),
            args: Content::Here(args),
            content: text("content")?,
        }))
    }

    /// The same as [`Call::read`] reads it; what is empty is left out.
    pub fn to_value(&self) -> Value {
        let args = if let Content::Here(args) = &self.args { args.clone() } else { Value::Null };
        let text = |text: &Text| if text.is_empty() { Value::Null } else { Value::from(text) };
        let content = self.content.as_ref().map_or(Value::Null, Value::from);
        let pairs = [
            ("verb", Value::from(self.verb.word())),
            ("target", text(&self.target)),
            ("action", text(&self.action)),
            ("args", args),
            ("content", content),
        ];
        Value::map(pairs.into_iter().filter(|(_, value)| !value.is_null()))
    }

    /// How many bytes its arguments and words are, at least where that is much.
    pub fn size(&self) -> u64 {
        match &self.args {
            Content::Unread { len, .. } | Content::There { len, .. } => *len,
            // Most arguments are small, and are not written out to be counted.
            Content::Here(args) if args.roughly() + self.content.as_ref().map_or(0, |words| words.len()) < MUCH => 0,
            Content::Here(args) => self.read_by_none(args).len() as u64,
        }
    }

    /// The bytes of arguments and words, which nothing reads where a call is judged without them.
    fn read_by_none(&self, args: &Value) -> Vec<u8> {
        let mut w = Writer::default();
        w.array(2);
        args.put(&mut w);
        self.content.put(&mut w);
        w.into_bytes()
    }

    /// The call as it is recorded where nothing has read its arguments and words: of more than a little, only their hash and length.
    pub fn unread(self) -> Self {
        let Content::Here(args) = &self.args else { return self };
        let bytes = self.read_by_none(args);
        if bytes.len() <= UNREAD_MAX {
            return self;
        }
        Self { args: Content::Unread { hash: Hash::of(&bytes), len: bytes.len() as u64 }, content: None, ..self }
    }
}

/// Why a moment opened, as its frame records it: enough to find the open wake again in the fold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct WakeId {
    /// Wakes of an earlier rank are taken first.
    pub rank: Rank,
    /// When it may open, in world time.
    pub due: Millis,
    /// The fact that caused it, or for a schedule the fact that made the schedule.
    pub cause: Made,
    /// Its kind; kind, cause and being together identify the wake.
    pub kind: WakeKind,
}

/// A code and a place of our own: why a call was refused or a moment failed. Never a library's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The code of the error, such as `gate-role` or `script-throw`.
    pub code: Code,
    /// Where: an address, a JSON path, or a file and line.
    pub at: Text,
}

impl Reason {
    /// A reason from its code and place; a place is shown to people, so no more than a line of it is kept, and nothing in it that moves a cursor or turns a line round.
    pub fn new(code: Code, at: impl AsRef<str>) -> Self {
        Self { code, at: plain(at.as_ref()).take(PLACE_MAX).collect::<String>().into() }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.at.is_empty() { write!(f, "{}", self.code) } else { write!(f, "{} at `{}`", self.code, self.at) }
    }
}

/// How a moment closed its wake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "as", rename_all = "kebab-case")]
pub enum Closing {
    /// The call passed the gate and is the act.
    Act,
    /// Nothing was done; the being looked.
    See,
    /// The call was judged and refused.
    Refused(Reason),
    /// The mind did not give a call; the wake stays open for another attempt.
    Failed(Reason),
    /// No further attempt is made, or a brake holds; the wake lies with the dead letters until somebody requeues it.
    DeadLetter(Reason),
    /// The thought is of no use any more; the wake stays open.
    Requeued(Reason),
    /// The being has ended; this is its final frame.
    Ended,
}

impl Closing {
    /// The same without why.
    pub const fn kind(&self) -> ClosingKind {
        match self {
            Self::Act => ClosingKind::Act,
            Self::See => ClosingKind::See,
            Self::Refused(_) => ClosingKind::Refused,
            Self::Failed(_) => ClosingKind::Failed,
            Self::DeadLetter(_) => ClosingKind::DeadLetter,
            Self::Requeued(_) => ClosingKind::Requeued,
            Self::Ended => ClosingKind::Ended,
        }
    }

    /// The word for it.
    pub const fn word(&self) -> &'static str {
        self.kind().word()
    }

    /// How a moment closes whose call was refused, and whose wake stays open.
    pub fn refused_try(reason: &Reason) -> Self {
        Self::Requeued(Reason::new(Code::Refused, format!("{} {}", reason.code, reason.at).trim_end()))
    }

    /// Why a call was refused, whether its wake is closed by that or stays open.
    pub fn refusal(&self) -> Option<Reason> {
        match self {
            Self::Refused(reason) => Some(reason.clone()),
            Self::Requeued(Reason { code: Code::Refused, at }) => {
                let (code, place) = at.split_once(' ').unwrap_or((at, ""));
                Some(Reason::new(code.parse().unwrap_or(Code::Refused), place))
            }
            Self::Act | Self::See | Self::Failed(_) | Self::DeadLetter(_) | Self::Requeued(_) | Self::Ended => None,
        }
    }

    /// Why, where there is a reason.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Refused(reason) | Self::Failed(reason) | Self::DeadLetter(reason) | Self::Requeued(reason) => Some(reason),
            Self::Act | Self::See | Self::Ended => None,
        }
    }
}

/// The mind's answer, as far as it is recorded: replay computes a script's thought again; everything else came from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Thought {
    /// No mind was asked: a brake held, or no role could be worn.
    None,
    /// A script, computed from the face; replay runs it again.
    Script,
    /// A person, or the world itself: the call in the frame is what came in.
    Given,
    /// A language model: the complete request and the raw reply.
    Model {
        /// The complete request.
        request: Content,
        /// The raw reply.
        reply: Content,
    },
}

// A sealed value is to be an encrypted blob whose key lies in the keystore and can be destroyed.
canon_enum!(Content { 0 => Here(value), 1 => There { hash, len }, 4 => Unread { hash, len } }, reserved { 2 => "sealed", 3 => "file" });
canon_struct!(Call { verb, target, action, args, content });
canon_struct!(WakeId { rank, due, cause, kind });
canon_struct!(Reason { code, at });
canon_enum!(Closing { 0 => Act, 1 => See, 2 => Refused(reason), 3 => Failed(reason), 4 => DeadLetter(reason), 5 => Requeued(reason), 6 => Ended });
canon_enum!(Thought { 0 => None, 1 => Script, 2 => Given, 3 => Model { request, reply } });
