//! Outline: a value as people read it: a line a key, a list of like things as a table, and nothing of what is empty.

use crate::fact::{Value, visible};

use super::paint::columns;

/// How wide a table or a line is where no terminal says it, in signs.
const WIDE: usize = 110;
/// The narrowest a terminal is taken to be: below it nothing would be a table.
const NARROW: usize = 40;
/// The widest cell of a table.
const CELL: usize = 48;

/// The columns of what a row is called.
const FIRST: [&str; 3] = ["name", "key", "address"];

/// The outline of a value, as wide as the terminal that shows it.
pub fn outline(value: &Value) -> String {
    outline_within(value, columns().unwrap_or(WIDE))
}

/// The outline of a value in so many signs a line. A wider table is told as a list; a longer text stands alone, whole.
pub fn outline_within(value: &Value, wide: usize) -> String {
    let mut outline = Outline { wide: wide.max(NARROW), lines: Vec::new() };
    outline.below(value, 0);
    if outline.lines.is_empty() { "nothing".to_owned() } else { outline.lines.join("\n") }
}

/// The lines of an outline as they come.
struct Outline {
    wide: usize,
    lines: Vec<String>,
}

impl Outline {
    fn say(&mut self, depth: usize, text: &str) {
        self.lines.push(format!("{}{text}", indent(depth)));
    }

    /// How many signs there are beside an indent and a key.
    fn room(&self, depth: usize, key: usize) -> usize {
        self.wide.saturating_sub(2 * depth + key)
    }

    fn below(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Map(map) => {
                let said: Vec<(&str, &Value)> =
                    map.iter().map(|(key, value)| (key.as_ref(), value)).filter(|(_, value)| !is_empty(value)).collect();
                let room = self.room(depth, 0);
                let is_beside = |(key, value): &&(&str, &Value)| short(value, room.saturating_sub(key.chars().count() + 2)).is_some();
                let width = said.iter().filter(is_beside).map(|(key, _)| key.chars().count()).max().unwrap_or(0);
                said.iter().for_each(|(key, value)| self.entry(key, value, (depth, width)));
            }
            Value::List(list) => self.items(list, depth),
            other => whole(other).lines().for_each(|line| self.say(depth, line)),
        }
    }

    /// A key and what stands under it: beside it where that is short, else below.
    fn entry(&mut self, key: &str, value: &Value, (depth, width): (usize, usize)) {
        let key_width = key.chars().count();
        match short(value, self.room(depth, key_width.max(width) + 2)) {
            Some(text) => self.say(depth, &format!("{key}{}  {text}", " ".repeat(width.saturating_sub(key_width)))),
            None => {
                self.say(depth, key);
                self.below(value, depth + 1);
            }
        }
    }

    /// The items of a list: a table where they are alike, else one below another.
    fn items(&mut self, list: &[Value], depth: usize) {
        if let Some(rows) = table(list, self.room(depth, 0)) {
            rows.iter().for_each(|row| self.say(depth, row));
            return;
        }
        for (at, item) in list.iter().enumerate() {
            match short(item, self.room(depth, 0)) {
                Some(text) => self.say(depth, &text),
                None => {
                    // An empty line parts what takes several.
                    if at > 0 {
                        self.lines.push(String::new());
                    }
                    self.below(item, depth);
                }
            }
        }
    }
}

/// Things that are alike as the rows of a table, below the names of its columns; none where they are not, or where it would be too wide.
fn table(list: &[Value], wide: usize) -> Option<Vec<String>> {
    let rows: Vec<_> = list.iter().map(Value::as_map).collect::<Option<_>>()?;
    let mut columns: Vec<&str> = Vec::new();
    for key in rows.iter().flat_map(|row| row.iter()).filter(|(_, value)| !is_empty(value)).map(|(key, _)| key.as_ref()) {
        if !columns.contains(&key) {
            columns.push(key);
        }
    }
    // The columns that name a thing come first.
    columns.sort_by_key(|key| !FIRST.contains(key));
    let cell = |value: Option<&Value>| match value.filter(|value| !is_empty(value)) {
        None => String::new(),
        // The beginning of a larger value; `see` of the thing itself shows it whole.
        Some(value) => cut(&short(value, wide).unwrap_or_else(|| value.to_string())),
    };
    let head = columns.iter().map(|key| (*key).to_owned()).collect();
    let mut cells: Vec<Vec<String>> = vec![head];
    for row in rows {
        cells.push(columns.iter().map(|key| cell(row.get(*key))).collect());
    }
    let widths: Vec<usize> = (0..columns.len())
        .map(|at| cells.iter().filter_map(|row| row.get(at)).map(|text| text.chars().count()).max().unwrap_or(0))
        .collect();
    let fits = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1) <= wide;
    let line = |row: Vec<String>| {
        let padded = row.iter().zip(&widths).map(|(text, width)| format!("{text}{}", " ".repeat(width - text.chars().count())));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    (fits && !columns.is_empty()).then(|| cells.into_iter().map(line).collect())
}

/// As much of a text as a cell has room for.
fn cut(text: &str) -> String {
    if text.chars().count() <= CELL { text.to_owned() } else { text.chars().take(CELL - 1).chain(['…']).collect() }
}

/// A value in one line of so many signs, where it has room there.
fn short(value: &Value, wide: usize) -> Option<String> {
    let text = match value {
        Value::Map(map) if map.values().any(|value| matches!(value, Value::Map(_))) => return None,
        Value::Map(map) => {
            let said = map.iter().filter(|(_, value)| !is_empty(value));
            said.map(|(key, value)| Some(format!("{key}: {}", short(value, wide)?))).collect::<Option<Vec<_>>>()?.join(", ")
        }
        Value::List(list) if list.iter().any(|item| matches!(item, Value::Map(_) | Value::List(_))) => return None,
        Value::List(list) => list.iter().map(whole).collect::<Vec<_>>().join(", "),
        other => whole(other),
    };
    (text.chars().count() <= wide && !text.contains('\n')).then_some(text)
}

/// A value that is no map and no list as its text, whatever takes hold of a terminal made visible.
fn whole(value: &Value) -> String {
    match value {
        Value::Text(text) => text.lines().map(visible).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Text(text) => text.is_empty(),
        Value::List(list) => list.iter().all(is_empty),
        Value::Map(map) => map.values().all(is_empty),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => false,
    }
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}
