//! Sheet: the table of answers: a row for each being, question and point, one more with each answer, and in its order once all are there.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::fact::{Seq, Spend, Text, Value, WorldId};
use crate::source::other_separator;
use crate::store::keep;
use crate::world::Timestamp;

use super::points::{StoodAt, SurveyPoints};
use super::unclear::GivenReply;

/// The header of the table of answers.
const COLUMNS: [&str; 17] = [
    "point",
    "seq",
    "time",
    "being",
    "item",
    "answer",
    "raw",
    "refusal",
    "calls",
    "input",
    "output",
    "role",
    "moment",
    "fork",
    "world",
    "instrument",
    "note",
];

/// One question as it is asked: at which seq and instant, whom, and what.
pub(in crate::cli) type AskedOnce = (Seq, String, String, String);

/// The answer that a row holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::cli) struct CellKey {
    /// The seq that was asked at.
    pub(in crate::cli) seq: Seq,
    /// The instant of the world at which it was asked.
    pub(in crate::cli) time: String,
    /// The point as it was named.
    pub(in crate::cli) point: String,
    /// Whose, as an address.
    pub(in crate::cli) being: String,
    /// The question.
    pub(in crate::cli) item: String,
}

impl CellKey {
    /// The question behind it, without the name of its point.
    pub(in crate::cli) fn asked(&self) -> AskedOnce {
        (self.seq, self.time.clone(), self.being.clone(), self.item.clone())
    }
}

/// One answer.
#[derive(Clone, Debug, Serialize)]
pub(in crate::cli) struct AnswerRow {
    /// The point as it was named.
    pub(in crate::cli) point: String,
    /// The seq where the fork began.
    pub(in crate::cli) seq: Seq,
    /// The instant of the world at which it was asked.
    pub(in crate::cli) time: String,
    /// Who, as an address.
    pub(in crate::cli) being: String,
    /// The question.
    pub(in crate::cli) item: String,
    /// The answer as read from the reply.
    pub(in crate::cli) answer: Value,
    /// The reply of the mind, letter for letter.
    pub(in crate::cli) raw: String,
    /// Why there is no answer.
    pub(in crate::cli) refusal: Option<String>,
    /// The cost of the answer.
    #[serde(flatten)]
    pub(in crate::cli) spend: Spend,
    /// The role that was worn first as it was asked.
    pub(in crate::cli) role: Option<Text>,
    /// The moment, as it is named in the fork.
    pub(in crate::cli) moment: Option<String>,
    /// The fork, by its name.
    pub(in crate::cli) fork: String,
    /// The world that the fork comes from, by its id.
    pub(in crate::cli) world: WorldId,
    /// That it is the answer at a point with another name, which is one with this.
    pub(in crate::cli) note: String,
}

impl AnswerRow {
    /// The key of the answer: its moment, being and item.
    pub(in crate::cli) fn key(&self) -> CellKey {
        CellKey { seq: self.seq, time: self.time.clone(), point: self.point.clone(), being: self.being.clone(), item: self.item.clone() }
    }

    /// The same answer at a point that is one with this by another name; it was paid for once.
    pub(in crate::cli) fn also_at(&self, point: String) -> Self {
        Self { note: same_as(&self.point), point, spend: Spend::default(), ..self.clone() }
    }

    /// The outcome of its question.
    pub(in crate::cli) fn reply(&self) -> GivenReply<'_> {
        GivenReply { item: &self.item, refusal: self.refusal.as_deref().unwrap_or_default(), raw: &self.raw }
    }

    fn cells(&self, instrument: &str) -> Vec<String> {
        let answer = match &self.answer {
            Value::Null => String::new(),
            value => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
        };
        let Spend { calls, input, output, .. } = self.spend;
        vec![
            self.point.clone(),
            self.seq.to_string(),
            self.time.clone(),
            self.being.clone(),
            self.item.clone(),
            answer,
            self.raw.clone(),
            self.refusal.clone().unwrap_or_default(),
            calls.to_string(),
            input.to_string(),
            output.to_string(),
            self.role.as_deref().unwrap_or_default().to_owned(),
            self.moment.clone().unwrap_or_default(),
            self.fork.clone(),
            self.world.to_string(),
            instrument.to_owned(),
            self.note.clone(),
        ]
    }
}

fn same_as(point: &str) -> String {
    format!("same as {point}")
}

/// A file of answers that is gone on with.
pub(in crate::cli) struct AnswerSheet {
    file: PathBuf,
    instrument: String,
    rows: BTreeMap<CellKey, Vec<String>>,
    points: SurveyPoints,
}

impl AnswerSheet {
    /// Reads what a file holds already. A row that was cut off in the middle is taken away.
    pub(in crate::cli) fn open(file: &Path, instrument: &str) -> Result<Self> {
        let points = SurveyPoints::of(file, instrument)?;
        let mut sheet = Self { file: file.to_owned(), instrument: instrument.to_owned(), rows: BTreeMap::new(), points };
        let text = match std::fs::read(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return sheet.begun(),
            text => text.with_context(|| format!("cannot read `{}`", file.display()))?,
        };
        let mut reader = csv::ReaderBuilder::new().from_reader(text.as_slice());
        if reader.headers().is_ok_and(|columns| columns.is_empty()) {
            return sheet.begun();
        }
        if !reader.headers().is_ok_and(|columns| columns.iter().eq(COLUMNS)) {
            if let Some(what) = other_separator(&String::from_utf8_lossy(&text)) {
                bail!("--out: {}:1: {what}", file.display());
            }
            bail!("--out: `{}` is no table of answers; name another file, or move this one away", file.display());
        }
        let (mut whole, mut records) = (reader.position().byte(), reader.into_records());
        while let Some(record) = records.next() {
            let end = records.reader().position().byte();
            let is_cut = end == text.len() as u64 && text.last() != Some(&b'\n');
            let cells = record.ok().filter(|_| !is_cut).map(|record| record.iter().map(str::to_owned).collect::<Vec<_>>());
            let Some(cells) = cells else { break };
            sheet.take(cells)?;
            whole = end;
        }
        OpenOptions::new().write(true).open(file).and_then(|file| file.set_len(whole)).with_context(|| sheet.cannot())?;
        Ok(sheet)
    }

    fn cannot(&self) -> String {
        format!("cannot write `{}`", self.file.display())
    }

    /// A new file, with the columns alone.
    fn begun(mut self) -> Result<Self> {
        self.points = SurveyPoints::begun(&self.file, &self.instrument);
        let mut out = csv::Writer::from_path(&self.file).with_context(|| self.cannot())?;
        out.write_record(COLUMNS)?;
        out.flush().with_context(|| self.cannot())?;
        Ok(self)
    }

    fn take(&mut self, cells: Vec<String>) -> Result<()> {
        let cell =
            |column: &str| COLUMNS.iter().zip(&cells).find(|(own, _)| **own == column).map(|(_, cell)| cell.clone()).unwrap_or_default();
        if cell("instrument") != self.instrument {
            bail!(
                "--out: `{}` holds answers to other questions, or of another world; name another file, or move this one away",
                self.file.display()
            );
        }
        let seq = cell("seq").parse().with_context(|| format!("--out: `{}` holds a row whose seq is no number", self.file.display()))?;
        let key = CellKey { seq, time: cell("time"), point: cell("point"), being: cell("being"), item: cell("item") };
        self.rows.insert(key, cells);
        Ok(())
    }

    /// Whether there is an answer already.
    pub(in crate::cli) fn holds(&self, key: &CellKey) -> bool {
        self.rows.contains_key(key)
    }

    /// The seq and the instant for which a point stood when the table began, or answers at it were taken.
    pub(in crate::cli) fn stood(&self, point: &str) -> Option<(Seq, Timestamp)> {
        let of_rows = || self.rows.keys().find(|key| key.point == point).map(|key| (key.seq, &key.time));
        let (seq, time) = self.points.get(point).map(|at| (at.seq, &at.time)).or_else(of_rows)?;
        Some((seq, time.parse().ok()?))
    }

    /// Writes down where its points stand, beside the table.
    pub(in crate::cli) fn keep_points(&mut self, stand: BTreeMap<String, StoodAt>) -> Result<()> {
        self.points.add(&self.file, stand)
    }

    /// Adds the answer to each of these that the sheet has at the same point by another name.
    pub(in crate::cli) fn add_twins(&mut self, keys: &[CellKey]) -> Result<()> {
        for key in keys.iter().filter(|key| !self.rows.contains_key(key)).cloned().collect::<Vec<_>>() {
            let twin = self.rows.iter().find(|(other, _)| other.asked() == key.asked());
            let Some((first, cells)) = twin.map(|(other, cells)| (other.point.clone(), cells.clone())) else { continue };
            let other = |(column, cell): (&&str, String)| match *column {
                "point" => key.point.clone(),
                "note" => same_as(&first),
                "calls" | "input" | "output" => "0".to_owned(),
                _ => cell,
            };
            let cells = COLUMNS.iter().zip(cells).map(other).collect();
            self.append(key, cells)?;
        }
        Ok(())
    }

    /// The outcomes of the questions of these.
    pub(in crate::cli) fn replies<'s>(&'s self, keys: &'s [CellKey]) -> impl Iterator<Item = GivenReply<'s>> {
        let at = |column: &str| COLUMNS.iter().position(|own| *own == column).unwrap_or_default();
        let (refusal, raw) = (at("refusal"), at("raw"));
        let reply = move |key: &'s CellKey| {
            let cells = self.rows.get(key)?;
            Some(GivenReply { item: &key.item, refusal: cells.get(refusal)?, raw: cells.get(raw)? })
        };
        keys.iter().filter_map(reply)
    }

    /// Adds an answer, which is on the disk when this returns.
    pub(in crate::cli) fn add(&mut self, row: &AnswerRow) -> Result<()> {
        self.append(row.key(), row.cells(&self.instrument))
    }

    fn append(&mut self, key: CellKey, cells: Vec<String>) -> Result<()> {
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(&cells)?;
        let line = out.into_inner().map_err(|error| error.into_error())?;
        let added = OpenOptions::new().append(true).open(&self.file).and_then(|mut file| {
            file.write_all(&line)?;
            file.sync_data()
        });
        added.with_context(|| self.cannot())?;
        self.rows.insert(key, cells);
        Ok(())
    }

    /// Puts the rows in an order; what stands in none of its places comes behind them.
    pub(in crate::cli) fn settle(mut self, order: &[CellKey]) -> Result<()> {
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(COLUMNS)?;
        let first: Vec<Vec<String>> = order.iter().filter_map(|key| self.rows.remove(key)).collect();
        first.iter().chain(self.rows.values()).try_for_each(|cells| out.write_record(cells))?;
        keep(&self.file, &out.into_inner().map_err(|error| error.into_error())?).with_context(|| self.cannot())
    }
}
