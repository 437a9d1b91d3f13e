//! Guests: how the models of a measured world answer. An answer and its latency follow from the request alone, so every run has one history.

use serde_json::{Value as Json, json};

use super::dice::{one_of, share};
use super::rooms::RoomWorld;

/// The shortest and the longest latency, in microseconds.
const LATENCY_US: (u64, u64) = (100_000, 1_000_000);

/// A question to a guest, and its answer.
pub(super) struct GuestTurn {
    /// Who is asked.
    pub(super) name: String,
    /// The room in which it stands, as an address.
    pub(super) room: String,
    /// Its deed.
    pub(super) deed: GuestDeed,
}

/// The deed of a guest.
pub(super) enum GuestDeed {
    /// It does nothing.
    Nothing,
    /// It says a word that nobody else says, to somebody or to all in the room.
    Speaks { word: String, to: Option<String> },
    /// It goes to a room.
    Moves(String),
}

/// How a word begins that a guest speaks, and how many bytes it has.
const WORD: (&str, usize) = ("word", 16);

/// How long an answer to a request takes, in microseconds.
pub(super) fn latency_us(body: &str, divisor: u64) -> u64 {
    let (shortest, longest) = LATENCY_US;
    (shortest + (share(&["latency", body]) * (longest - shortest) as f64) as u64) / divisor.max(1)
}

/// The spoken words that a text holds.
pub(super) fn words_in(text: &str) -> impl Iterator<Item = &str> {
    let (begins, length) = WORD;
    text.match_indices(begins).filter_map(move |(at, _)| text.get(at..at + length))
}

/// The word of a guest who is asked this.
fn word_of(key: &str) -> String {
    let (begins, length) = WORD;
    let hash = blake3::hash(key.as_bytes()).to_hex();
    begins.chars().chain(hash.chars()).take(length).collect()
}

impl GuestTurn {
    /// The answer of a world's guest to a request; nothing where the request asks no guest.
    pub(super) fn of(body: &str, world: &RoomWorld) -> Option<Self> {
        let body: Json = serde_json::from_str(body).ok()?;
        let messages = body.get("messages")?.as_array()?;
        let content = |message: &Json| Some(message.get("content")?.as_str()?.to_owned());
        let (system, user) = (content(messages.first()?)?, content(messages.last()?)?);
        let name = system.split_once("You are @")?.1.split([',', '.', ' ']).next()?.to_owned();
        let room = system.split_once("You stand in ")?.1.split(['.', ' ']).next()?.to_owned();
        let instant = system.rsplit_once("\nIt is ")?.1.split(',').next()?;
        let key = [name.as_str(), instant, &user].join("|");
        let drawn = share(&["deed", &key]);
        let deed = if drawn < world.spoken {
            let to = if world.is_aloud { None } else { Some(roommate(&name, &key, world)?) };
            GuestDeed::Speaks { word: word_of(&key), to }
        } else if drawn < world.spoken + world.moved {
            GuestDeed::Moves(format!("/r{}", one_of(world.rooms, &["to", &key])))
        } else {
            GuestDeed::Nothing
        };
        Some(Self { name, room, deed })
    }

    /// The answer as a server sends it.
    pub(super) fn body(&self) -> String {
        let act = |act: &str, target: &str, args: Json| ("do", json!({ "target": target, "action": act, "args": args }));
        let call = match &self.deed {
            GuestDeed::Nothing => None,
            GuestDeed::Speaks { word, to: Some(to) } => Some(("summon", json!({ "target": to, "content": word }))),
            GuestDeed::Speaks { word, to: None } => Some(act("say", &self.room, json!({ "content": word }))),
            GuestDeed::Moves(to) => Some(act("move", &format!("@{}", self.name), json!({ "to": to }))),
        };
        let (message, reason) = match call {
            None => (json!({ "role": "assistant", "content": "Nothing to do." }), "stop"),
            Some((tool, args)) => {
                let function = json!({ "name": tool, "arguments": args.to_string() });
                let calls = json!([{ "id": "c1", "type": "function", "function": function }]);
                (json!({ "role": "assistant", "content": null, "tool_calls": calls }), "tool_calls")
            }
        };
        let usage = json!({ "prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720 });
        json!({ "model": "guest", "choices": [{ "index": 0, "message": message, "finish_reason": reason }], "usage": usage }).to_string()
    }
}

/// Another guest of the room in which one was born.
fn roommate(name: &str, key: &str, world: &RoomWorld) -> Option<String> {
    let (home, nth) = name.split_once('k')?;
    let steps = 1 + one_of(world.each - 1, &["whom", key]);
    Some(format!("@{home}k{}", (nth.parse::<usize>().ok()? + steps) % world.each))
}
