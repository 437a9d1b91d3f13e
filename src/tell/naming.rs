//! Naming: what stands at an address as people call it: `/line/qa/board-00684` is board 684, `@wheel-works` Wheel works, `/line/press` the press.

use crate::fact::{Thing, plain};
use crate::world::{World, thing_at};

use super::part::{ToldPart, cut};

/// How long a name is in a sentence, in characters.
const NAME_MAX: usize = 80;
/// Kinds of things that are called by a title.
const TITLED: [&str; 8] = ["book", "film", "newspaper", "novel", "play", "poem", "song", "story"];
/// Places that one stands on.
const ON: [&str; 11] = ["beach", "bridge", "deck", "field", "floor", "island", "line", "road", "roof", "square", "stage"];
/// Words behind which a name has no article of its own.
const ARTICLES: [&str; 8] = ["a", "an", "her", "his", "its", "my", "the", "their"];

/// The last name of an address as one says it: its words apart, its numbers without zeros before them.
pub(super) fn readable(address: &str) -> String {
    let last = address.rsplit('/').next().unwrap_or(address).trim_start_matches('@');
    let number = |word: &str| {
        let bare = word.trim_start_matches('0');
        let is_number = bare.len() < word.len() && bare.bytes().next().is_none_or(|byte| byte.is_ascii_digit());
        if !is_number {
            word.to_owned()
        } else if bare.is_empty() {
            "0".to_owned()
        } else {
            bare.to_owned()
        }
    };
    let words = last.split(['-', '_', '.', ' ']).filter(|word| !word.is_empty()).map(number);
    let line: String = plain(&words.collect::<Vec<_>>().join(" ")).collect();
    cut(&line, NAME_MAX)
}

/// The same at the head of a sentence, as a person or a title is called.
pub(super) fn titled(name: &str) -> String {
    let name = readable(name);
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn with_the(name: String) -> String {
    if name.chars().any(|c| c.is_ascii_digit()) { name } else { format!("the {name}") }
}

/// A thing, a place or a being as one says it in a sentence.
pub(super) fn called(address: &str, world: &World) -> String {
    if address == "/" || address == "@world" {
        return "the world".to_owned();
    }
    if address.starts_with('@') && !address.contains('/') {
        return titled(address);
    }
    let name = readable(address);
    if name.chars().any(|c| c.is_ascii_digit()) {
        return name;
    }
    let kind = match thing_at(world, address) {
        Some(Thing::Matter(id)) => world.matter(id).map(|matter| matter.kind.to_string()),
        Some(_) => Some(String::new()),
        None => None,
    };
    let is_title = match &kind {
        Some(kind) => TITLED.iter().any(|title| kind.contains(title)),
        None => address.starts_with('@'),
    };
    if is_title { titled(&name) } else { with_the(name) }
}

/// A place with the word before it: `on the line`, `in the break room`.
pub fn place_words(address: &str, world: &World) -> String {
    if address == "/" {
        return "in the world".to_owned();
    }
    let is_on = readable(address).rsplit(' ').next().is_some_and(|last| ON.contains(&last));
    format!("{} {}", if is_on { "on" } else { "in" }, called(address, world))
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// Behind `from`, the end of the steps of a path: each `/` and a name, of which a dot is no end.
fn path_ends(bytes: &[u8], from: usize) -> usize {
    let mut end = from;
    while bytes.get(end) == Some(&b'/') {
        let name = bytes.get(end + 1..).unwrap_or_default();
        let run = name.iter().take_while(|byte| is_of_name(**byte) || **byte == b'.').count();
        let Some(last) = name.get(..run).and_then(|run| run.iter().rposition(|byte| is_of_name(*byte))) else { break };
        end += last + 2;
    }
    end
}

/// The end of the address that begins at a place of a text, if one does.
fn address_ends(bytes: &[u8], begins: usize) -> Option<usize> {
    let before = begins.checked_sub(1).and_then(|at| bytes.get(at)).copied();
    let is_inside = before.is_some_and(|byte| is_of_name(byte) && byte != b'-' || b"/.:@".contains(&byte));
    match bytes.get(begins).filter(|_| !is_inside)? {
        b'@' => {
            let name = bytes.get(begins + 1..)?.iter().take_while(|byte| is_of_name(**byte)).count();
            (name > 0).then(|| path_ends(bytes, begins + 1 + name))
        }
        b'/' => Some(path_ends(bytes, begins)).filter(|end| *end > begins),
        _ => None,
    }
}

/// Words with addresses in them as a sentence has them: each thing by its name.
pub fn named(text: &str, world: &World) -> Vec<ToldPart> {
    let (bytes, mut parts, mut from, mut at) = (text.as_bytes(), Vec::<ToldPart>::new(), 0, 0);
    while at < bytes.len() {
        let Some(end) = address_ends(bytes, at) else {
            at += 1;
            continue;
        };
        let (before, address) = (text.get(from..at).unwrap_or_default(), text.get(at..end).unwrap_or_default());
        let name = called(address, world);
        let has_article = before.trim_end().rsplit(' ').next().is_some_and(|word| ARTICLES.contains(&word)) && before.ends_with(' ');
        let name = if has_article { name.trim_start_matches("the ").to_owned() } else { name };
        parts.extend(Some(before).filter(|before| !before.is_empty()).map(ToldPart::words));
        parts.push(ToldPart::naming(name, address));
        (from, at) = (end, end);
    }
    parts.extend(text.get(from..).filter(|rest| !rest.is_empty()).map(ToldPart::words));
    parts
}

/// A role without its namespace, in words: `emotions:worn-out` is worn out.
pub fn short_role(role: &str) -> String {
    readable(role.rsplit(':').next().unwrap_or(role))
}

/// Who did the same: the first two, and how many others.
pub fn subjects(beings: &[&str]) -> Vec<ToldPart> {
    let one = |being: &str| {
        let name = if being == "world" { ToldPart::words("The world") } else { ToldPart::naming(titled(being), &format!("@{being}")) };
        ToldPart { is_who: true, ..name }
    };
    match beings {
        [] => Vec::new(),
        [only] => vec![one(only)],
        [first, second] => vec![one(first), ToldPart::words(" and "), one(second)],
        [first, second, third] => vec![one(first), ToldPart::words(", "), one(second), ToldPart::words(" and "), one(third)],
        [first, second, others @ ..] => {
            vec![one(first), ToldPart::words(", "), one(second), ToldPart::words(format!(" and {} others", others.len()))]
        }
    }
}
