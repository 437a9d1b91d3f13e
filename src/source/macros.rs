//! Macros: the words of a character card, in which `{{char}}` and `{{user}}` stand for names, as the words of a role.
//!
//! The character's name is written in; whoever speaks is known only when it is asked, so `{{user}}` becomes a place of the role's prompt.
//! Other text that looks like a place is escaped, so that it stays what it is.

use std::collections::BTreeSet;

/// The caller of the being, in a role's prompt.
const WHOEVER: &str = "{{ caller.name or 'somebody' }}";

/// A part of a card's text.
enum CardPart {
    Words(String),
    Whoever,
}

/// A text of a card as words of a role, with what could not be carried over.
pub fn role_words(text: &str, character: &str, left_out: &mut BTreeSet<String>) -> String {
    let text = plain_words(text);
    let mut parts = vec![CardPart::Words(String::new())];
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['{', '<']) {
        let (before, from) = rest.split_at(at);
        say(&mut parts, before);
        let (length, part) = one(from, character, left_out);
        match part {
            CardPart::Words(words) => say(&mut parts, &words),
            CardPart::Whoever => parts.extend([CardPart::Whoever, CardPart::Words(String::new())]),
        }
        rest = from.get(length..).unwrap_or_default();
    }
    say(&mut parts, rest);
    parts.iter().map(|part| if let CardPart::Words(words) = part { escaped(words) } else { WHOEVER.to_owned() }).collect()
}

/// The same where nobody fills anything in: a name, what a thing contains.
pub fn thing_words(text: &str, character: &str, left_out: &mut BTreeSet<String>) -> String {
    let words = role_words(text, character, left_out).replace(WHOEVER, "somebody");
    words.replace("{{ '{' }}", "{")
}

/// A text without what no terminal and no model needs: other ends of lines, and letters that are not seen.
fn plain_words(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    lines.chars().filter(|letter| matches!(letter, '\n' | '\t') || !letter.is_control()).collect::<String>().trim().to_owned()
}

fn say(parts: &mut [CardPart], words: &str) {
    if let Some(CardPart::Words(said)) = parts.last_mut() {
        said.push_str(words);
    }
}

/// The first part of a text that begins with `{` or `<`, and its length.
fn one(from: &str, character: &str, left_out: &mut BTreeSet<String>) -> (usize, CardPart) {
    // Cards of old write them so.
    for (mark, part) in
        [("<user>", CardPart::Whoever), ("<bot>", CardPart::Words(character.to_owned())), ("<char>", CardPart::Words(character.to_owned()))]
    {
        if from.get(..mark.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(mark)) {
            return (mark.len(), part);
        }
    }
    let inside = from.strip_prefix("{{").and_then(|inside| inside.split_once("}}")).map(|(inside, _)| inside);
    match inside.filter(|inside| !inside.contains(['{', '\n'])) {
        Some(inside) => (inside.len() + 4, meant(inside.trim(), character, left_out)),
        None => (1, CardPart::Words(from.chars().take(1).collect())),
    }
}

/// The meaning of a macro.
fn meant(inside: &str, character: &str, left_out: &mut BTreeSet<String>) -> CardPart {
    let word = inside.to_lowercase();
    let (name, rest) = inside.split_once(':').unwrap_or((inside, ""));
    match (word.as_str(), name.to_lowercase().as_str()) {
        ("user", _) => return CardPart::Whoever,
        ("char" | "bot", _) => return CardPart::Words(character.to_owned()),
        // A program's default where the card says nothing, and remarks to writers of cards, become nothing.
        ("original", _) | (_, "comment" | "hidden_key") => return CardPart::Words(String::new()),
        _ if inside.starts_with("//") => return CardPart::Words(String::new()),
        _ => {}
    }
    let shown: String = inside.chars().take(40).collect();
    if name.eq_ignore_ascii_case("random") || name.eq_ignore_ascii_case("pick") {
        let first = rest.trim_start_matches(':').split(',').next().unwrap_or_default().split("::").next().unwrap_or_default().trim();
        left_out.insert(format!("the macro `{{{{{shown}}}}}`: the first of its choices stands there"));
        return CardPart::Words(first.to_owned());
    }
    left_out.insert(format!("the macro `{{{{{shown}}}}}`: its words stand there as they are"));
    CardPart::Words(inside.to_owned())
}

/// Words in which no place begins where a prompt is filled in.
fn escaped(words: &str) -> String {
    let next = words.chars().skip(1).map(Some).chain([None]);
    let one = |(letter, next): (char, Option<char>)| match (letter, next) {
        ('{', None | Some('{' | '%' | '#')) => "{{ '{' }}".to_owned(),
        _ => letter.to_string(),
    };
    words.chars().zip(next).map(one).collect()
}
