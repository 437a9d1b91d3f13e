//! Naming: what stands at an address as people call it: `/line/qa/board-00684` is board 684, `@wheel-works` Wheel works, `/line/press` the press.

use crate::fact::{Text, Thing, VALUE, is_name_sign, plain};
use crate::world::{World, thing_at};

use super::part::{ToldPart, cut};

/// How long a name is in a sentence, in characters.
const NAME_MAX: usize = 80;
/// Kinds of things that are called by a title.
const TITLED: [&str; 8] = ["book", "film", "newspaper", "novel", "play", "poem", "song", "story"];
/// Words behind which a name has no article of its own.
const ARTICLES: [&str; 20] = [
    "a", "an", "another", "each", "every", "her", "his", "its", "my", "no", "one", "our", "some", "that", "the", "their", "these", "this",
    "those", "your",
];

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

/// Whether a name has a number.
pub(super) fn has_digit(name: &str) -> bool {
    name.chars().any(|c| c.is_ascii_digit())
}

/// A name behind `the`, unless it has a number or an article of its own.
pub(super) fn with_the(name: String) -> String {
    let has_article = name.split_once(' ').is_some_and(|(first, _)| ARTICLES.contains(&first));
    if has_digit(&name) || has_article { name } else { format!("the {name}") }
}

/// A thing that is no longer where its address says, since the moment that is told has moved it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedThing {
    /// The last name of its address.
    pub name: Text,
    /// Its type.
    pub kind: Text,
}

/// A thing, a place or a being as one says it in a sentence.
pub(super) fn called(address: &str, world: &World, moved: &[MovedThing]) -> String {
    if address == "/" || address == "@world" {
        return "the world".to_owned();
    }
    if address.starts_with('@') && !address.contains('/') {
        return titled(address);
    }
    if address.rsplit('/').next().is_some_and(|last| last.starts_with('@')) {
        return titled(address);
    }
    let name = readable(address);
    if name.chars().any(|c| c.is_ascii_digit()) {
        return name;
    }
    let kind = match thing_at(world, address) {
        Some(Thing::Matter(id)) => world.matter(id).map(|matter| matter.kind.to_string()),
        Some(_) => Some(String::new()),
        None => moved.iter().find(|moved| address.rsplit('/').next() == Some(&moved.name)).map(|moved| moved.kind.to_string()),
    };
    if kind.is_some_and(|kind| TITLED.iter().any(|title| kind.contains(title))) { titled(&name) } else { with_the(name) }
}

/// Whether a letter may stand in a name.
fn is_of_name(sign: char) -> bool {
    is_name_sign(sign) || matches!(sign, '-' | '_')
}

/// How long a name at the beginning of a text is: its last sign is no dot, and before it may stand an `@`.
fn name_length(text: &str) -> usize {
    let bare = text.strip_prefix('@').unwrap_or(text);
    let run = bare.find(|sign| !is_of_name(sign) && sign != '.').unwrap_or(bare.len());
    let name = bare.get(..run).unwrap_or_default().trim_end_matches('.');
    if name.is_empty() { 0 } else { text.len() - bare.len() + name.len() }
}

/// How long the steps of a path at the beginning of a text are: each `/` and a name.
fn path_length(text: &str) -> usize {
    let mut length = 0;
    while let Some(rest) = text.get(length..).and_then(|rest| rest.strip_prefix('/')) {
        match name_length(rest) {
            0 => break,
            name => length += 1 + name,
        }
    }
    length
}

/// How long the address is with which a text begins, if one does.
fn address_length(text: &str) -> Option<usize> {
    let head = match text.strip_prefix('@') {
        Some(rest) => 1 + rest.find(|sign| !is_of_name(sign)).unwrap_or(rest.len()),
        None => 0,
    };
    let length = head + path_length(text.get(head..)?);
    (length > 1).then_some(length)
}

/// Where the next address begins from a place on, and how long it is; none stands inside a word, a number or another address.
fn next_address(text: &str, from: usize) -> Option<(usize, usize)> {
    let mut before: Option<char> = None;
    text.get(from..)?.char_indices().find_map(|(at, sign)| {
        let is_inside = before.replace(sign).is_some_and(|before| (is_of_name(before) && before != '-') || "/.:@".contains(before));
        let begins = matches!(sign, '/' | '@') && !is_inside;
        let length = begins.then(|| address_length(text.get(from + at..)?)).flatten()?;
        Some((from + at, length))
    })
}

/// Words with addresses in them as a sentence has them: each thing by its name.
pub fn named(text: &str, world: &World) -> Vec<ToldPart> {
    named_among(text, world, &[])
}

/// The same where some things are no longer where their addresses say.
pub(super) fn named_among(text: &str, world: &World, moved: &[MovedThing]) -> Vec<ToldPart> {
    let [begins, ends] = VALUE;
    let mut parts: Vec<ToldPart> = Vec::new();
    // A value stands between its marks, and nothing in it is named.
    for stretch in text.split(begins) {
        let (value, own) = stretch.split_once(ends).unwrap_or(("", stretch));
        let told = Some(ToldPart::words(value)).filter(|value| !value.text.is_empty()).into_iter().chain(named_in(own, world, moved));
        for part in told {
            match parts.last_mut() {
                Some(last) if last.to.is_none() && part.to.is_none() => last.text += &part.text,
                _ => parts.push(part),
            }
        }
    }
    parts
}

/// The same of words without values.
fn named_in(text: &str, world: &World, moved: &[MovedThing]) -> Vec<ToldPart> {
    let (mut parts, mut from) = (Vec::<ToldPart>::new(), 0);
    while let Some((at, length)) = next_address(text, from) {
        let (before, address) = (text.get(from..at).unwrap_or_default(), text.get(at..at + length).unwrap_or_default());
        let name = called(address, world, moved);
        let has_article = before.ends_with(' ') && before.trim_end().rsplit(' ').next().is_some_and(|word| ARTICLES.contains(&word));
        let name = if has_article { name.trim_start_matches("the ").to_owned() } else { name };
        parts.extend(Some(before).filter(|before| !before.is_empty()).map(ToldPart::words));
        parts.push(ToldPart::naming(name, address));
        from = at + length;
    }
    parts.extend(text.get(from..).filter(|rest| !rest.is_empty()).map(ToldPart::words));
    parts
}

/// A role without its namespace, in words: `emotions:worn-out` is worn out.
pub fn short_role(role: &str) -> String {
    readable(role.rsplit(':').next().unwrap_or(role))
}

/// Those who did the same: the first two, and how many others.
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
