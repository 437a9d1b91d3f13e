//! Sites: what stands where in a text of TOML, so that an error is told at the line and column of what it speaks of.
//!
//! An error knows the line of its table and says, in its sentence, a key (`home: …`, `canSee[0]`, `/coords`) or what was found there. The
//! site is the key's value, or within it what was found.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::fact::line_of;

/// Something in a text: a table, a pair of key and value, or an item of a list.
struct Site {
    path: Vec<String>,
    key: Option<Range<usize>>,
    value: Range<usize>,
    /// What a plain value says.
    said: Option<String>,
    is_table: bool,
}

impl Site {
    /// Whether it is a table with a header of its own.
    fn is_header(&self, text: &str) -> bool {
        let line = text.get(..self.value.start).and_then(|before| before.rsplit('\n').next());
        self.is_table
            && text.get(self.value.start..).is_some_and(|rest| rest.starts_with('['))
            && line.is_some_and(|line| line.trim().is_empty())
    }
}

/// All that stands in a text.
pub(super) struct Sites<'t> {
    text: &'t str,
    all: Vec<Site>,
}

/// What an act calls by another name than a source.
const CALLED: [(&str, &str); 2] = [("qualities", "quality"), ("size", "size")];
/// What begins advice, which speaks of nothing that stands there.
const ADVICE: [&str; 4] = ["did you mean ", "; write ", "; did ", "known are "];

impl<'t> Sites<'t> {
    /// What stands in a text, as far as it can be read.
    pub(super) fn of(text: &'t str) -> Self {
        let (table, _) = DeTable::parse_recoverable(text);
        let mut sites = Self { text, all: Vec::new() };
        sites.table(table.get_ref(), &[]);
        sites
    }

    fn table(&mut self, table: &DeTable<'_>, path: &[String]) {
        for (key, value) in table {
            let path = [path, &[key.get_ref().to_string()]].concat();
            self.value(value.get_ref(), value.span(), Some(key.span()), path);
        }
    }

    fn value(&mut self, value: &DeValue<'_>, span: Range<usize>, key: Option<Range<usize>>, path: Vec<String>) {
        let said = match value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) => Some(number.as_str().to_owned()),
            DeValue::Float(number) => Some(number.as_str().to_owned()),
            DeValue::Boolean(holds) => Some(holds.to_string()),
            DeValue::Datetime(time) => Some(time.to_string()),
            DeValue::Array(_) | DeValue::Table(_) => None,
        };
        self.all.push(Site { path: path.clone(), key, value: span, said, is_table: matches!(value, DeValue::Table(_)) });
        match value {
            DeValue::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.value(item.get_ref(), item.span(), None, [path.as_slice(), &[at.to_string()]].concat());
                }
            }
            DeValue::Table(table) => self.table(table, &path),
            _ => {}
        }
    }

    /// The place, in bytes, of what a sentence speaks of in the table or the pair that begins on a line.
    pub(super) fn spoken_of(&self, line: usize, what: &str) -> Option<usize> {
        let told = ADVICE.iter().filter_map(|advice| what.find(advice)).min().and_then(|end| what.get(..end)).unwrap_or(what);
        let (item, words) = (self.item(line)?, quoted(told));
        let within: Vec<&Site> = self.all.iter().filter(|site| site.path.starts_with(item)).collect();
        let keyed = paths(told, &words).into_iter().find_map(|path| resolved(&within, item, &path));
        let narrowed = |sites: &[&Site]| words.iter().rev().find_map(|word| found(sites, word));
        let Some(site) = keyed else {
            let own = || within.iter().find(|site| site.path.len() == item.len()).and_then(|site| site.key.clone()).map(|key| key.start);
            return narrowed(&within).or_else(|| named(&within, told)).or_else(own);
        };
        let below: Vec<&Site> = within.iter().copied().filter(|other| other.path.starts_with(&site.path)).collect();
        narrowed(&below).or(Some(site.value.start))
    }

    /// The line on which the table begins that has something on a line.
    pub(super) fn table_of(&self, line: usize) -> Option<usize> {
        let headers = self.all.iter().filter(|site| site.is_header(self.text)).map(|site| line_of(self.text, site.value.start));
        headers.filter(|header| *header <= line).max()
    }

    /// The path of what begins on a line: a table, else the first pair.
    fn item(&self, line: usize) -> Option<&[String]> {
        let on_line = |at: usize| line_of(self.text, at) == line;
        let table = self.all.iter().filter(|site| site.is_header(self.text)).find(|site| on_line(site.value.start));
        let pair = || self.all.iter().find(|site| site.key.as_ref().is_some_and(|key| on_line(key.start)));
        table.or_else(pair).map(|site| site.path.as_slice())
    }
}

/// The site at a path below an item: the whole path, or its end alone where it stands once.
fn resolved<'s>(within: &[&'s Site], item: &[String], path: &[String]) -> Option<&'s Site> {
    let below = |site: &&&Site| site.path.get(item.len()..) == Some(path);
    let own = || within.iter().find(|site| site.path.len() == item.len() && item.ends_with(path));
    if let Some(site) = within.iter().find(below).or_else(own) {
        return Some(site);
    }
    let mut ends = within.iter().filter(|site| site.path.len() > item.len() + path.len() && site.path.ends_with(path));
    let first = ends.next()?;
    ends.next().is_none().then_some(*first)
}

/// Where a word is a key or a plain value.
fn found(sites: &[&Site], word: &str) -> Option<usize> {
    let key = |site: &&&Site| site.key.is_some() && site.path.last().is_some_and(|key| key == word);
    let said = sites.iter().find(|site| site.said.as_deref() == Some(word)).map(|site| site.value.start);
    said.or_else(|| sites.iter().find(key).and_then(|site| site.key.clone()).map(|key| key.start))
}

/// Where an address or a path stands that a sentence has without backticks.
fn named(sites: &[&Site], what: &str) -> Option<usize> {
    let words = what.split([' ', ':', ';', ',']).filter(|word| word.contains(['/', '.', '@']));
    words.filter_map(|word| found(sites, word)).next()
}

/// The words of a sentence that stand between backticks.
fn quoted(what: &str) -> Vec<&str> {
    what.split('`').skip(1).step_by(2).filter(|word| !word.is_empty()).collect()
}

/// The paths that a sentence says: before a colon, or as those of an act's arguments.
fn paths(what: &str, words: &[&str]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut of_flow = false;
    for segment in what.split(": ") {
        let last = segment.rsplit(' ').next().unwrap_or_default();
        // A key may stand behind the name of its table, as in "operation `sell`.told".
        let last = last.rsplit_once("`.").map_or(last, |(_, key)| key).trim_matches('`');
        // A key may be said with a line and a column within its text.
        let last = match last.split_once(':') {
            Some((key, at)) if at.chars().all(|sign| sign == ':' || sign.is_ascii_digit()) => key,
            _ => last,
        };
        let path = parts(last);
        if of_flow && last.starts_with('[') {
            paths.push([&["flow".to_owned()], path.as_slice()].concat());
        }
        of_flow = segment.starts_with("flow of ");
        paths.push(if of_flow { vec!["flow".to_owned()] } else { path });
    }
    // What is said last is nearest to the fault.
    paths.reverse();
    let pointers = words.iter().filter_map(|word| word.strip_prefix('/')).map(|pointer| {
        let part = |part: &str| CALLED.iter().find(|(act, _)| *act == part).map_or(part, |(_, source)| source).to_owned();
        pointer.split('/').map(part).collect::<Vec<_>>()
    });
    paths.extend(pointers);
    paths.retain(|path| !path.is_empty());
    paths
}

/// The parts of a path such as `[0].when."time.hour"`.
fn parts(path: &str) -> Vec<String> {
    let (mut parts, mut part, mut is_quoted) = (Vec::new(), String::new(), false);
    for sign in path.chars() {
        match sign {
            '"' => is_quoted = !is_quoted,
            '.' | '[' | ']' if !is_quoted => parts.push(std::mem::take(&mut part)),
            sign => part.push(sign),
        }
    }
    parts.push(part);
    parts.retain(|part| !part.is_empty());
    parts
}
