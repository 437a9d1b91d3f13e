//! MeasureList: what a source measures of its world, as the world remembers it beside all that its source said, and read back from there.

use crate::fact::{BeingId, Millis, Value};
use crate::world::{MEASURES, TABLES, World};

use super::item::{MeasureItem, OnLine, TableItem};
use super::written::Source;

/// The measures and tables of a world, from a file or from the world.
#[derive(Clone, Debug)]
pub struct MeasureList {
    /// The file, or the address, where it is written.
    pub file: String,
    /// The instant from which samples are due.
    pub start: Millis,
    /// The measures.
    pub measures: Vec<OnLine<MeasureItem>>,
    /// The tables.
    pub tables: Vec<OnLine<TableItem>>,
}

impl MeasureList {
    /// As a source writes it.
    pub fn of_source(source: &Source) -> Self {
        Self { file: source.file.clone(), start: source.start, measures: source.measures.clone(), tables: source.tables.clone() }
    }

    /// One expression alone.
    pub fn of_expression(value: &str) -> Self {
        let item = MeasureItem { name: value.to_owned(), value: value.to_owned(), every: None, title: None, warn: None };
        Self { file: value.to_owned(), start: 0, measures: vec![OnLine { item, line: 1, from: None }], tables: Vec::new() }
    }

    /// As a world has it.
    pub fn of_world(world: &World) -> Self {
        let registry = world.registry();
        let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
        let line = |at: usize| at + 1;
        let measures = registry.measured(MEASURES).iter().enumerate().map(|(at, item)| OnLine {
            item: MeasureItem {
                name: text(item, "name").unwrap_or_default(),
                value: text(item, "value").unwrap_or_default(),
                every: text(item, "every"),
                title: text(item, "title"),
                warn: item.get("warn").cloned(),
            },
            line: line(at),
            from: None,
        });
        let columns = |item: &Value| {
            let columns = item.get("columns").and_then(Value::as_list).unwrap_or_default();
            columns.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let tables = registry.measured(TABLES).iter().enumerate().map(|(at, item)| OnLine {
            item: TableItem { name: text(item, "name").unwrap_or_default(), columns: columns(item), every: text(item, "every") },
            line: line(at),
            from: None,
        });
        Self {
            file: "/.measures".to_owned(),
            start: world.being(BeingId::WORLD).map_or(0, |being| being.born_at),
            measures: measures.collect(),
            tables: tables.collect(),
        }
    }

    /// Whether nothing is measured.
    pub fn is_nothing(&self) -> bool {
        self.measures.is_empty() && self.tables.is_empty()
    }

    /// Whether another measures the same.
    pub fn is_same(&self, other: &Self) -> bool {
        self.said() == other.said()
    }

    /// As the world remembers it, each list by its key.
    pub(super) fn said(&self) -> [(&'static str, Value); 2] {
        let text = |key: &'static str, text: Option<&String>| text.map(|text| (key, Value::text(text)));
        let measure = |MeasureItem { name, value, every, title, warn }: &MeasureItem| {
            let said = [text("every", every.as_ref()), text("title", title.as_ref()), warn.clone().map(|warn| ("warn", warn))];
            Value::map([("name", Value::text(name)), ("value", Value::text(value))].into_iter().chain(said.into_iter().flatten()))
        };
        let measures = self.measures.iter().map(|OnLine { item, .. }| measure(item));
        let table = |TableItem { name, columns, every }: &TableItem| {
            let columns = Value::List(columns.iter().map(Value::text).collect());
            Value::map([("name", Value::text(name)), ("columns", columns)].into_iter().chain(text("every", every.as_ref())))
        };
        let tables = self.tables.iter().map(|OnLine { item, .. }| table(item));
        [(MEASURES, Value::List(measures.collect())), (TABLES, Value::List(tables.collect()))]
    }
}
