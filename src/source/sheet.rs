//! Sheet: a CSV file that a source names, read whole: its header, and each row with its line.

use std::path::Path;

use crate::fact::visible;

use super::error::PopulationError;

/// The separators that other programs write instead of commas, each with its name.
const OTHERS: [(u8, &str); 3] = [(b';', "`;`"), (b'\t', "tabs"), (b'|', "`|`")];
/// The most characters of a text that an error repeats.
const SHOWN_MAX: usize = 60;

/// A CSV file, read.
pub(super) struct CsvSheet {
    /// The file, for messages.
    pub(super) file: String,
    /// The line of its header.
    pub line: usize,
    /// Its columns that have a header, in their order.
    pub(super) columns: Vec<SheetColumn>,
    /// Its rows but for those that hold nothing.
    pub(super) rows: Vec<SheetRow>,
}

/// A column.
#[derive(Clone)]
pub(super) struct SheetColumn {
    /// Its place, from 1.
    pub(super) number: usize,
    /// Its header as written.
    pub(super) header: String,
}

/// A row.
pub struct SheetRow {
    /// The line on which it begins.
    pub line: usize,
    /// The text of each column of the file.
    fields: Vec<String>,
}

impl CsvSheet {
    /// Reads a file of a source's folder.
    pub(super) fn read(dir: &Path, name: &str) -> Result<Self, PopulationError> {
        let path = dir.join(name);
        let file = path.display().to_string();
        let bytes = std::fs::read(&path).map_err(|source| PopulationError::Read { file: file.clone(), source })?;
        let wrong = |(line, what)| PopulationError::Wrong { file: file.clone(), line, what };
        let text = utf8(&bytes).map_err(wrong)?;
        let ParsedSheet { line, columns, rows } = parse(text).map_err(wrong)?;
        Ok(Self { file, line, columns, rows })
    }

    /// The column with that header.
    pub(super) fn column(&self, header: &str) -> Option<&SheetColumn> {
        self.columns.iter().find(|column| column.header == header)
    }

    /// That something is wrong on a line.
    pub(super) fn wrong(&self, line: usize, what: impl Into<String>) -> PopulationError {
        PopulationError::Wrong { file: self.file.clone(), line, what: what.into() }
    }

    /// The same in one column.
    pub(super) fn wrong_in(&self, line: usize, column: &SheetColumn, what: &str) -> PopulationError {
        self.wrong(line, format!("column {} {}: {what}", column.number, shown(&column.header)))
    }
}

impl SheetRow {
    /// The text in a column.
    pub(super) fn field(&self, column: &SheetColumn) -> &str {
        self.fields.get(column.number - 1).map_or("", String::as_str)
    }
}

/// A text of the file in backticks, not longer than a reader needs.
pub(super) fn shown(text: &str) -> String {
    let short: String = text.chars().take(SHOWN_MAX).collect();
    let short = if short.len() < text.len() { short + "…" } else { short };
    format!("`{}`", visible(&short))
}

/// The line of an error, counted from 1, and its text.
type SheetFault = (usize, String);

/// The text of a file, without the mark that some programs begin it with.
fn utf8(bytes: &[u8]) -> Result<&str, SheetFault> {
    let is_wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || bytes.iter().take(4).any(|byte| *byte == 0);
    if is_wide {
        return Err((1, "expected UTF-8, found UTF-16; save the file as CSV in UTF-8".to_owned()));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let mut line = before.split(|byte| *byte == b'\n');
        let (lines, last) = (line.clone().count(), line.next_back().unwrap_or_default());
        let found = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
        (
            lines,
            format!("expected UTF-8, found the byte 0x{found:02x} behind {} others of the line; save the file as CSV in UTF-8", last.len()),
        )
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// That a header is one column by commas and several by another separator, in words; none where it is not so.
pub fn other_separator(text: &str) -> Option<String> {
    let header = unquoted_header(text);
    let count = |sign: u8| header.iter().filter(|byte| **byte == sign).count();
    let (count_of_other, other) = OTHERS.iter().map(|(sign, other)| (count(*sign), other)).max_by_key(|(count, _)| *count)?;
    let is_other = count(b',') == 0 && count_of_other > 0;
    is_other.then(|| {
        let found = shown(text.trim_start().lines().next().unwrap_or_default());
        let columns = count_of_other + 1;
        format!(
            "column 1 {found}: expected commas between the columns, found {other} between {columns} columns; write commas, or export the table again as CSV with commas"
        )
    })
}

/// The line on which a field begins that a quotation mark opens and none closes: it would hold all rows behind it.
fn open_quote(text: &str) -> Option<usize> {
    let (mut line, mut opened, mut begins) = (1, None, true);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            // Two are one mark of the field.
            b'"' if opened.is_some() => opened = opened.filter(|_| bytes.next_if_eq(&b'"').is_some()),
            b'"' if begins => opened = Some(line),
            _ => {}
        }
        // A mark within a field that none begins is a letter of it.
        begins = matches!(byte, b',' | b'\n' | b'\r') || begins && matches!(byte, b' ' | b'\t');
        line += usize::from(byte == b'\n');
    }
    opened
}

/// The bytes of the first line that no quotation marks hold.
fn unquoted_header(text: &str) -> Vec<u8> {
    let mut is_quoted = false;
    let bytes = text.trim_start().bytes().map(|byte| {
        is_quoted ^= byte == b'"';
        (is_quoted, byte)
    });
    let header = bytes.take_while(|(is_quoted, byte)| *is_quoted || !matches!(byte, b'\n' | b'\r'));
    header.filter(|(is_quoted, _)| !is_quoted).map(|(_, byte)| byte).collect()
}

/// The contents of a CSV text, from a file or elsewhere.
pub struct ParsedSheet {
    pub line: usize,
    columns: Vec<SheetColumn>,
    pub rows: Vec<SheetRow>,
}

pub fn parse(text: &str) -> Result<ParsedSheet, SheetFault> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).has_headers(false).from_reader(text.as_bytes());
    let mut lines = LineCount { text: text.as_bytes(), at: 0, line: 1 };
    if let Some(line) = open_quote(text) {
        return Err((
            line,
            "expected `\"` at the end of the field that `\"` begins here, found none; close it, or write `\"\"` for the mark itself"
                .to_owned(),
        ));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| (lines.line, error.to_string()))?;
        let line = lines.of(record.position().map_or(0, |position| usize::try_from(position.byte()).unwrap_or(usize::MAX)));
        rows.push(SheetRow { line, fields: record.iter().map(str::to_owned).collect() });
    }
    let mut rows = rows.into_iter();
    let header = rows.next().ok_or_else(|| (1, "expected a line of headers, found nothing".to_owned()))?;
    if let Some(what) = other_separator(text) {
        return Err((header.line, what));
    }
    let rows: Vec<SheetRow> = rows.filter(|row| row.fields.iter().any(|field| !field.is_empty())).collect();
    let columns = columns(&header, &rows)?;
    rows.iter().try_for_each(|row| counted(row, header.fields.len()))?;
    Ok(ParsedSheet { line: header.line, columns, rows })
}

/// The columns that have a header.
fn columns(header: &SheetRow, rows: &[SheetRow]) -> Result<Vec<SheetColumn>, SheetFault> {
    let mut columns: Vec<SheetColumn> = Vec::new();
    for (number, text) in (1..).zip(&header.fields) {
        let column = SheetColumn { number, header: text.clone() };
        if let Some((_, other)) = OTHERS.iter().find(|(sign, _)| text.as_bytes().contains(sign)) {
            let what = format!(
                "column {number} {}: expected fields separated by `,` alone, found {other} too; write commas throughout",
                shown(text)
            );
            return Err((header.line, what));
        }
        if let Some(first) = columns.iter().find(|first| first.header == *text && !text.is_empty()) {
            return Err((header.line, format!("columns {} and {number} are both called {}; rename one", first.number, shown(text))));
        }
        let filled = rows.iter().find(|row| text.is_empty() && !row.field(&column).is_empty());
        if let Some(row) = filled {
            let found = shown(row.field(&column));
            return Err((header.line, format!("column {number} has no header, and line {} says {found} there; give it one", row.line)));
        }
        if !text.is_empty() {
            columns.push(column);
        }
    }
    Ok(columns)
}

/// That a row has as many fields as the header.
fn counted(row: &SheetRow, wanted: usize) -> Result<(), SheetFault> {
    let more = row.fields.iter().skip(wanted).any(|field| !field.is_empty());
    if row.fields.len() >= wanted && !more {
        return Ok(());
    }
    let what = format!(
        "expected {wanted} fields as in the header, found {}; a field that holds the separator or a line break stands between two `\"`",
        row.fields.len()
    );
    Err((row.line, what))
}

/// Counts lines forward: a record's own count is off where lines end in CR and LF, or are empty.
struct LineCount<'a> {
    text: &'a [u8],
    at: usize,
    pub line: usize,
}

impl LineCount<'_> {
    /// The line of the record that is looked for from a byte on.
    fn of(&mut self, from: usize) -> usize {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_before = |at: usize, byte: u8| self.at + at < from || byte == b'\n' || byte == b'\r';
        let mut passed = 0;
        for (at, byte) in rest.iter().copied().enumerate().take_while(|(at, byte)| is_before(*at, *byte)) {
            passed = at + 1;
            let is_pair = byte == b'\r' && rest.get(at + 1) == Some(&b'\n');
            if (byte == b'\n' || byte == b'\r') && !is_pair {
                self.line += 1;
            }
        }
        self.at += passed;
        self.line
    }
}
