//! Texts: what scripts do with text, each function counted by the text that it walks or copies.

use std::ops::{Range, RangeInclusive};

use rhai::{Array, Dynamic, Engine, ImmutableString, NativeCallContext};

use super::lists::{part, place};
use super::print::text_of;
use super::work::{Work, Worked, too_large};

/// Offers a function of texts; the length of the text is counted before it runs.
macro_rules! offer {
    ($engine:ident, $work:ident, $name:expr, |$own:ident, $text:ident $(, $arg:ident: $type:ty)*| $body:expr) => {{
        let $own = $work.clone();
        $engine.register_fn($name, move |$text: &mut ImmutableString $(, $arg: $type)*| -> Worked<_> {
            $own.text($text.len())?;
            $body
        });
    }};
}

/// Offers them all.
pub(super) fn offer(engine: &mut Engine, work: &Work) {
    lengths(engine, work);
    joined(engine, work);
    cases(engine, work);
    searches(engine, work);
    cuts(engine, work);
    replaced(engine, work);
    divided(engine, work);
    letters(engine);
    ordered(engine, work);
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn lengths(engine: &mut Engine, work: &Work) {
    offer!(engine, work, "len", |own, text| Ok(chars(text) as i64));
    let own = work.clone();
    engine.register_get("len", move |text: &mut ImmutableString| own.text(text.len()).map(|()| chars(text) as i64));
    engine.register_fn("bytes", |text: &mut ImmutableString| text.len() as i64);
    engine.register_get("bytes", |text: &mut ImmutableString| text.len() as i64);
    engine.register_fn("is_empty", |text: &mut ImmutableString| text.is_empty());
    engine.register_get("is_empty", |text: &mut ImmutableString| text.is_empty());
    offer!(engine, work, "get", |own, text, at: i64| Ok(letter(text, at).map_or(Dynamic::UNIT, Dynamic::from_char)));
    offer!(engine, work, "set", |own, text, at: i64, with: char| {
        let at = place(chars(text), at);
        *text = text.chars().enumerate().map(|(place, letter)| if place == at { with } else { letter }).collect::<String>().into();
        Ok(())
    });
    offer!(engine, work, "clear", |own, text| {
        *text = ImmutableString::new();
        Ok(())
    });
}

fn letter(text: &str, at: i64) -> Option<char> {
    let far = usize::try_from(at.unsigned_abs()).ok()?;
    if at < 0 { text.chars().rev().nth(far - 1) } else { text.chars().nth(far) }
}

fn joined(engine: &mut Engine, work: &Work) {
    fn both(own: &Work, a: &str, b: &str) -> Worked<ImmutableString> {
        own.text(a.len() + b.len())?;
        Ok([a, b].concat().into())
    }
    let own = work.clone();
    engine.register_fn("+", move |a: &str, b: &str| both(&own, a, b));
    let own = work.clone();
    engine.register_fn("+", move |a: &str, b: char| both(&own, a, &b.to_string()));
    let own = work.clone();
    engine.register_fn("+", move |a: char, b: &str| both(&own, &a.to_string(), b));
    let own = work.clone();
    engine.register_fn("+", move |a: &str, b: Dynamic| both(&own, a, &text_of(&own, &b, false)?));
    let own = work.clone();
    engine.register_fn("+", move |a: Dynamic, b: &str| both(&own, &text_of(&own, &a, false)?, b));
    for name in ["+=", "append"] {
        offer!(engine, work, name, |own, text, more: Dynamic| {
            *text = both(&own, text, &text_of(&own, &more, false)?)?;
            Ok(())
        });
        offer!(engine, work, name, |own, text, more: ImmutableString| {
            *text = both(&own, text, &more)?;
            Ok(())
        });
        offer!(engine, work, name, |own, text, more: char| {
            *text = both(&own, text, &more.to_string())?;
            Ok(())
        });
    }
    macro_rules! pad_with {
        ($with:ty) => {
            let own = work.clone();
            engine.register_fn(
                "pad",
                move |context: NativeCallContext<'_>, text: &mut ImmutableString, length: i64, with: $with| -> Worked<()> {
                    if length > context.engine().max_string_size() as i64 {
                        return Err(too_large("Length of string"));
                    }
                    pad(&own, length, text, &with.to_string())
                },
            );
        };
    }
    pad_with!(&str);
    pad_with!(char);
}

/// Pads to a length in characters; nothing can be padded with nothing.
fn pad(own: &Work, length: i64, text: &mut ImmutableString, with: &str) -> Worked<()> {
    own.text(text.len())?;
    let length = usize::try_from(length).unwrap_or(0);
    let missing = length.saturating_sub(chars(text));
    if missing == 0 || with.is_empty() {
        return Ok(());
    }
    own.text(missing.saturating_mul(4))?;
    let padding: String = with.chars().cycle().take(missing).collect();
    *text = format!("{text}{padding}").into();
    Ok(())
}

fn cases(engine: &mut Engine, work: &Work) {
    offer!(engine, work, "to_upper", |own, text| Ok(ImmutableString::from(text.to_uppercase())));
    offer!(engine, work, "to_lower", |own, text| Ok(ImmutableString::from(text.to_lowercase())));
    offer!(engine, work, "make_upper", |own, text| {
        *text = text.to_uppercase().into();
        Ok(())
    });
    offer!(engine, work, "make_lower", |own, text| {
        *text = text.to_lowercase().into();
        Ok(())
    });
    offer!(engine, work, "trim", |own, text| {
        *text = text.trim().into();
        Ok(())
    });
}

/// The byte at which a character stands.
fn byte(text: &str, at: usize) -> usize {
    text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte)
}

/// Where a part stands in a text, in characters; -1 for nowhere.
fn found(text: &str, part: &str, from: i64) -> i64 {
    let from = place(chars(text), from);
    let begins = byte(text, from);
    let rest = text.get(begins..).unwrap_or_default();
    let at = if part.is_empty() || rest.is_empty() { None } else { rest.find(part) };
    at.and_then(|at| rest.get(..at)).map_or(-1, |before| (from + chars(before)) as i64)
}

fn searches(engine: &mut Engine, work: &Work) {
    offer!(engine, work, "contains", |own, text, part: &str| Ok(text.contains(part)));
    offer!(engine, work, "contains", |own, text, part: char| Ok(text.contains(part)));
    offer!(engine, work, "starts_with", |own, text, part: &str| Ok(text.starts_with(part)));
    offer!(engine, work, "starts_with", |own, text, part: char| Ok(text.starts_with(part)));
    offer!(engine, work, "ends_with", |own, text, part: &str| Ok(text.ends_with(part)));
    offer!(engine, work, "ends_with", |own, text, part: char| Ok(text.ends_with(part)));
    offer!(engine, work, "index_of", |own, text, part: &str| Ok(found(text, part, 0)));
    offer!(engine, work, "index_of", |own, text, part: char| Ok(found(text, &part.to_string(), 0)));
    offer!(engine, work, "index_of", |own, text, part: &str, from: i64| Ok(found(text, part, from)));
    offer!(engine, work, "index_of", |own, text, part: char, from: i64| Ok(found(text, &part.to_string(), from)));
}

/// A part of a text, in characters.
fn sub(text: &str, start: i64, count: i64) -> ImmutableString {
    let part = part(chars(text), start, count);
    text.chars().skip(part.start).take(part.len()).collect::<String>().into()
}

fn ranged(range: &Range<i64>) -> (i64, i64) {
    let start = range.start.max(0);
    (start, range.end.saturating_sub(start))
}

fn closed(range: &RangeInclusive<i64>) -> (i64, i64) {
    ranged(&(*range.start()..range.end().saturating_add(1)))
}

fn cuts(engine: &mut Engine, work: &Work) {
    macro_rules! both {
        (|$own:ident, $text:ident $(, $arg:ident: $type:ty)*| $part:expr) => {
            offer!(engine, work, "sub_string", |$own, $text $(, $arg: $type)*| {
                let (start, count) = $part;
                Ok(sub($text, start, count))
            });
            offer!(engine, work, "crop", |$own, $text $(, $arg: $type)*| {
                let (start, count) = $part;
                *$text = sub($text, start, count);
                Ok(())
            });
        };
    }
    both!(|own, text, start: i64, count: i64| (start, count));
    both!(|own, text, start: i64| (start, i64::MAX));
    both!(|own, text, range: Range<i64>| ranged(&range));
    both!(|own, text, range: RangeInclusive<i64>| closed(&range));
    offer!(engine, work, "truncate", |own, text, length: i64| {
        *text = sub(text, 0, length);
        Ok(())
    });
    offer!(engine, work, "pop", |own, text| {
        let last = text.chars().next_back();
        *text = text.strip_suffix(last.unwrap_or_default()).unwrap_or(text).into();
        Ok(last.map_or(Dynamic::UNIT, Dynamic::from_char))
    });
    offer!(engine, work, "pop", |own, text, count: i64| {
        let rest = chars(text).saturating_sub(usize::try_from(count.max(0)).unwrap_or(usize::MAX)) as i64;
        let tail = sub(text, rest, i64::MAX);
        *text = sub(text, 0, rest);
        Ok(tail)
    });
}

/// Replaces a part everywhere; counted before anything is built.
fn replace(own: &Work, most: usize, text: &str, find: &str, with: &str) -> Worked<ImmutableString> {
    if text.is_empty() {
        return Ok(text.into());
    }
    let times = if find.is_empty() { chars(text) + 1 } else { text.matches(find).count() };
    let grown = times.saturating_mul(with.len());
    if text.len().saturating_add(grown) > most.saturating_add(times.saturating_mul(find.len())) {
        return Err(too_large("Length of string"));
    }
    own.text(text.len() + grown)?;
    Ok(text.replace(find, with).into())
}

fn replaced(engine: &mut Engine, work: &Work) {
    macro_rules! with {
        ($find:ty, $with:ty) => {
            let own = work.clone();
            engine.register_fn(
                "replace",
                move |context: NativeCallContext<'_>, text: &mut ImmutableString, find: $find, with: $with| -> Worked<()> {
                    own.text(text.len())?;
                    *text = replace(&own, context.engine().max_string_size(), text, &find.to_string(), &with.to_string())?;
                    Ok(())
                },
            );
        };
    }
    with!(&str, &str);
    with!(&str, char);
    with!(char, &str);
    with!(char, char);
    for name in ["remove", "-="] {
        offer!(engine, work, name, |own, text, part: &str| {
            *text = text.replace(part, "").into();
            Ok(())
        });
        offer!(engine, work, name, |own, text, part: char| {
            *text = text.replace(part, "").into();
            Ok(())
        });
    }
    offer!(engine, work, "-", |own, text, part: &str| Ok(ImmutableString::from(text.replace(part, ""))));
    offer!(engine, work, "-", |own, text, part: char| Ok(ImmutableString::from(text.replace(part, ""))));
}

/// A list of the parts of a text; each of them costs what an item costs.
fn listed<'a>(own: &Work, parts: impl Iterator<Item = &'a str>) -> Worked<Array> {
    let mut list = Array::new();
    for part in parts {
        own.items(1)?;
        list.push(Dynamic::from(ImmutableString::from(part)));
    }
    Ok(list)
}

fn divided(engine: &mut Engine, work: &Work) {
    offer!(engine, work, "split", |own, text| listed(&own, text.split_whitespace()));
    offer!(engine, work, "split", |own, text, at: i64| {
        let at = byte(text, place(chars(text), at));
        listed(&own, [text.get(..at).unwrap_or_default(), text.get(at..).unwrap_or_default()].into_iter())
    });
    offer!(engine, work, "split", |own, text, by: &str| listed(&own, text.split(by)));
    offer!(engine, work, "split", |own, text, by: char| listed(&own, text.split(by)));
    offer!(engine, work, "split_rev", |own, text, by: &str| listed(&own, text.rsplit(by)));
    offer!(engine, work, "split_rev", |own, text, by: char| listed(&own, text.rsplit(by)));
    let most = |most: i64| usize::try_from(most.max(1)).unwrap_or(usize::MAX);
    offer!(engine, work, "split", |own, text, by: &str, parts: i64| listed(&own, text.splitn(most(parts), by)));
    offer!(engine, work, "split", |own, text, by: char, parts: i64| listed(&own, text.splitn(most(parts), by)));
    offer!(engine, work, "split_rev", |own, text, by: &str, parts: i64| listed(&own, text.rsplitn(most(parts), by)));
    offer!(engine, work, "split_rev", |own, text, by: char, parts: i64| listed(&own, text.rsplitn(most(parts), by)));
    let own = work.clone();
    engine.register_fn("to_chars", move |text: &mut ImmutableString| {
        own.items(text.len())?;
        Worked::Ok(text.chars().map(Dynamic::from_char).collect::<Array>())
    });
}

fn letters(engine: &mut Engine) {
    engine.register_fn("to_int", |letter: char| i64::from(u32::from(letter)));
    engine.register_fn("to_upper", |letter: char| letter.to_uppercase().next().unwrap_or(letter));
    engine.register_fn("to_lower", |letter: char| letter.to_lowercase().next().unwrap_or(letter));
    engine.register_fn("make_upper", |letter: &mut char| *letter = letter.to_uppercase().next().unwrap_or(*letter));
    engine.register_fn("make_lower", |letter: &mut char| *letter = letter.to_lowercase().next().unwrap_or(*letter));
}

fn ordered(engine: &mut Engine, work: &Work) {
    let own = work.clone();
    engine.register_fn("max", move |a: ImmutableString, b: ImmutableString| own.text(a.len()).map(|()| if a >= b { a } else { b }));
    let own = work.clone();
    engine.register_fn("min", move |a: ImmutableString, b: ImmutableString| own.text(a.len()).map(|()| if a <= b { a } else { b }));
    engine.register_fn("max", |a: char, b: char| a.max(b));
    engine.register_fn("min", |a: char, b: char| a.min(b));
}
