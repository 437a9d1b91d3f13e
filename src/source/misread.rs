//! Misread: all that a reader of TOML does not take of a text, not the first of it alone.
//!
//! What is wrong is blanked out, and the rest is read again, with each thing where it stood.

use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};

use crate::fact::line_of;

/// The most faults that are told of one text.
pub(super) const FAULTS_MAX: usize = 50;

/// A fault of a text, as its reader says it.
pub(super) struct Misread {
    pub(super) span: Option<Range<usize>>,
    pub(super) message: String,
}

impl Misread {
    fn of(error: &toml::de::Error) -> Self {
        Self { span: error.span(), message: error.message().to_owned() }
    }
}

/// What could be read of a text, its faults, and what of it was left out.
pub(super) struct HalfRead<T> {
    pub(super) read: Option<T>,
    pub(super) faults: Vec<Misread>,
    pub(super) left_out: String,
}

/// Reads a text; what stands in it against its grammar is told alone, since the rest would be guessed at.
pub(super) fn read_all<T: DeserializeOwned>(text: &str) -> HalfRead<T> {
    let mut half = HalfRead { read: None, faults: Vec::new(), left_out: String::new() };
    let (_, malformed) = DeTable::parse_recoverable(text);
    if !malformed.is_empty() {
        // What stands behind it on its line is read by guessing.
        let line = |fault: &Misread| fault.span.as_ref().map(|span| line_of(text, span.start));
        half.faults = malformed.iter().map(Misread::of).collect();
        half.faults.dedup_by_key(|fault| line(fault));
        return half;
    }
    let mut left = text.to_owned();
    let mut blanked: Vec<String> = Vec::new();
    while half.faults.len() < FAULTS_MAX {
        let error = match toml::from_str::<T>(&left) {
            Ok(read) => {
                half.read = Some(read);
                break;
            }
            Err(error) => error,
        };
        let lacking = error.message().strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
        // What lacks because it was left out has been told.
        if !lacking.is_some_and(|key| blanked.iter().any(|blanked| blanked == key)) {
            half.faults.push(Misread::of(&error));
        }
        let Some(fault) = error.span().and_then(|span| Blank::of(&left, span, lacking.is_some())) else { break };
        blanked.extend(fault.key);
        half.left_out += left.get(fault.span.clone()).unwrap_or_default();
        left = without(&left, fault.span);
    }
    half
}

/// A text in which a part is blank.
fn without(text: &str, part: Range<usize>) -> String {
    let blank = |(at, sign): (usize, char)| if part.contains(&at) && sign != '\n' { " ".repeat(sign.len_utf8()) } else { sign.to_string() };
    text.char_indices().map(blank).collect()
}

/// How far something reaches that is wrong: a pair of key and value, or a table whole.
struct Blank {
    key: Option<String>,
    span: Range<usize>,
}

impl Blank {
    /// The innermost pair or table around a fault.
    fn of(text: &str, fault: Range<usize>, is_whole: bool) -> Option<Self> {
        let table = DeTable::parse(text).ok()?;
        let (mut tables, mut extents) = (Vec::new(), Vec::new());
        walk(table.get_ref(), &mut tables, &mut extents);
        tables.sort_unstable();
        if let Some(name) = tables.contains(&fault.start).then(|| header(text, fault.start)).flatten() {
            let below = format!("{name}.");
            let others = tables.iter().filter(|start| **start > fault.start).copied();
            let end = others.filter_map(|start| Some((start, header(text, start)?))).find(|(_, other)| !other.starts_with(&below));
            return Some(Self { key: None, span: fault.start..end.map_or(text.len(), |(start, _)| start) });
        }
        let around = |extent: &&Self| extent.span.contains(&fault.start) && (!is_whole || extent.span.end >= fault.end);
        let innermost = extents.iter().filter(around).min_by_key(|extent| extent.span.len())?;
        Some(Self { key: innermost.key.clone(), span: innermost.with_comma(text) })
    }

    /// With the comma that parts it from what stands behind it, or else before it.
    fn with_comma(&self, text: &str) -> Range<usize> {
        let Range { start, end } = self.span.clone();
        let behind = text.get(end..).unwrap_or_default();
        let before = text.get(..start).unwrap_or_default();
        let space = behind.len() - behind.trim_start().len();
        if behind.trim_start().starts_with(',') {
            return start..end + space + 1;
        }
        match before.trim_end().strip_suffix(',') {
            Some(rest) => rest.len()..end,
            None => start..end,
        }
    }
}

/// The name in the header that begins at a place.
fn header(text: &str, start: usize) -> Option<&str> {
    let line = text.get(start..)?.lines().next().filter(|line| line.starts_with('['))?;
    line.split(']').next().map(|head| head.trim_start_matches('[').trim())
}

/// Notes where the tables of a table begin that have a header, and how far its pairs reach.
fn walk(table: &DeTable<'_>, tables: &mut Vec<usize>, extents: &mut Vec<Blank>) {
    for (key, value) in table {
        let (start, end) = (key.span().start, value.span().end);
        if start < value.span().start {
            extents.push(Blank { key: Some(key.get_ref().to_string()), span: start..end });
        }
        into(value.get_ref(), value.span().start, tables, extents);
    }
}

fn into(value: &DeValue<'_>, start: usize, tables: &mut Vec<usize>, extents: &mut Vec<Blank>) {
    match value {
        DeValue::Table(table) => {
            tables.push(start);
            walk(table, tables, extents);
        }
        DeValue::Array(items) => items.iter().for_each(|item| into(item.get_ref(), item.span().start, tables, extents)),
        _ => {}
    }
}
