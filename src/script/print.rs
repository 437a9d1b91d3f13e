//! Print: values as text, counted, and no deeper than any value may nest.

use std::fmt::Write as _;

use rhai::{Array, Dynamic, Engine, ImmutableString, Map};

use super::work::{DEPTH, Work, Worked};

/// A value as text: as it is said, or as it is written in a script.
pub(super) fn text_of(work: &Work, value: &Dynamic, written: bool) -> Worked<String> {
    let mut text = String::new();
    put(work, value, written, 0, &mut text)?;
    Ok(text)
}

fn put(work: &Work, value: &Dynamic, written: bool, depth: usize, text: &mut String) -> Worked<()> {
    work.items(1)?;
    if depth > DEPTH {
        text.push('…');
        return Ok(());
    }
    if let Some(list) = value.read_lock::<Array>() {
        return put_list(work, &list, depth, text);
    }
    if let Some(map) = value.read_lock::<Map>() {
        return put_map(work, &map, depth, text);
    }
    if let Some(said) = value.read_lock::<ImmutableString>() {
        work.text(said.len())?;
        if written {
            // Writing into a text cannot fail.
            let _ = write!(text, "{:?}", said.as_str());
        } else {
            text.push_str(&said);
        }
        return Ok(());
    }
    if value.is_unit() {
        text.push_str(if written { "()" } else { "" });
        return Ok(());
    }
    let _ = write!(text, "{value}");
    Ok(())
}

fn put_list(work: &Work, list: &Array, depth: usize, text: &mut String) -> Worked<()> {
    text.push('[');
    for (at, item) in list.iter().enumerate() {
        text.push_str(if at > 0 { ", " } else { "" });
        put(work, item, true, depth + 1, text)?;
    }
    text.push(']');
    Ok(())
}

fn put_map(work: &Work, map: &Map, depth: usize, text: &mut String) -> Worked<()> {
    text.push_str("#{");
    for (at, (key, item)) in map.iter().enumerate() {
        work.text(key.len())?;
        let _ = write!(text, "{}{:?}: ", if at > 0 { ", " } else { "" }, key.as_str());
        put(work, item, true, depth + 1, text)?;
    }
    text.push('}');
    Ok(())
}

/// Offers values as text.
pub(super) fn offer(engine: &mut Engine, work: &Work) {
    for (name, written) in [("to_string", false), ("print", false), ("to_debug", true), ("debug", true)] {
        let own = work.clone();
        engine.register_fn(name, move |value: &mut Dynamic| text_of(&own, value, written).map(ImmutableString::from));
        let own = work.clone();
        engine.register_fn(name, move |list: &mut Array| {
            let mut text = String::new();
            put_list(&own, list, 0, &mut text).map(|()| ImmutableString::from(text))
        });
        let own = work.clone();
        engine.register_fn(name, move |map: &mut Map| {
            let mut text = String::new();
            put_map(&own, map, 0, &mut text).map(|()| ImmutableString::from(text))
        });
        let own = work.clone();
        engine.register_fn(name, move |said: &mut ImmutableString| {
            text_of(&own, &Dynamic::from(said.clone()), written).map(ImmutableString::from)
        });
    }
}
