//! Sheet: the table of answers: a row for each being, question and point, one more with each answer, and in its order once all are there.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::fact::{Seq, Spend, Text, Value, WorldId};
use crate::store::keep;

/// What stands above the answers.
const COLUMNS: [&str; 15] = [
    "point",
    "seq",
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
];

/// Which answer a row holds: at which seq, whose, to which question.
pub(in crate::cli) type CellKey = (Seq, String, String);

/// One answer.
#[derive(Clone, Debug, Serialize)]
pub(in crate::cli) struct AnswerRow {
    /// The point as it was named.
    pub(in crate::cli) point: String,
    /// The seq where the fork began.
    pub(in crate::cli) seq: Seq,
    /// Who, as an address.
    pub(in crate::cli) being: String,
    /// The question.
    pub(in crate::cli) item: String,
    /// What was read of what was said.
    pub(in crate::cli) answer: Value,
    /// What the mind gave, letter for letter.
    pub(in crate::cli) raw: String,
    /// Why there is no answer.
    pub(in crate::cli) refusal: Option<String>,
    /// What it cost.
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
}

impl AnswerRow {
    /// Which answer it is.
    pub(in crate::cli) fn key(&self) -> CellKey {
        (self.seq, self.being.clone(), self.item.clone())
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
        ]
    }
}

/// A file of answers that is gone on with.
pub(in crate::cli) struct AnswerSheet {
    file: PathBuf,
    instrument: String,
    rows: BTreeMap<CellKey, Vec<String>>,
}

impl AnswerSheet {
    /// Reads what a file holds already. A row that was cut off in the middle is taken away.
    pub(in crate::cli) fn open(file: &Path, instrument: &str) -> Result<Self> {
        let mut sheet = Self { file: file.to_owned(), instrument: instrument.to_owned(), rows: BTreeMap::new() };
        let text = match std::fs::read(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return sheet.begun(),
            text => text.with_context(|| format!("cannot read `{}`", file.display()))?,
        };
        let mut reader = csv::ReaderBuilder::new().from_reader(text.as_slice());
        if reader.headers().is_ok_and(|columns| columns.is_empty()) {
            return sheet.begun();
        }
        if !reader.headers().is_ok_and(|columns| columns.iter().eq(COLUMNS)) {
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
    fn begun(self) -> Result<Self> {
        let mut out = csv::Writer::from_path(&self.file).with_context(|| self.cannot())?;
        out.write_record(COLUMNS)?;
        out.flush().with_context(|| self.cannot())?;
        Ok(self)
    }

    fn take(&mut self, cells: Vec<String>) -> Result<()> {
        let cell = |at: usize| cells.get(at).cloned().unwrap_or_default();
        let of = COLUMNS.iter().position(|column| *column == "instrument").map(cell).unwrap_or_default();
        if of != self.instrument {
            bail!(
                "--out: `{}` holds answers to other questions, or of another world; name another file, or move this one away",
                self.file.display()
            );
        }
        let seq = cell(1).parse().with_context(|| format!("--out: `{}` holds a row whose seq is no number", self.file.display()))?;
        self.rows.insert((seq, cell(2), cell(3)), cells);
        Ok(())
    }

    /// Whether there is an answer already.
    pub(in crate::cli) fn holds(&self, key: &CellKey) -> bool {
        self.rows.contains_key(key)
    }

    /// The seq for which a point stood when answers at it were taken.
    pub(in crate::cli) fn seq_of(&self, point: &str) -> Option<Seq> {
        self.rows.iter().find(|(_, cells)| cells.first().is_some_and(|cell| cell == point)).map(|((seq, ..), _)| *seq)
    }

    /// Adds an answer, which is on the disk when this returns.
    pub(in crate::cli) fn add(&mut self, row: &AnswerRow) -> Result<()> {
        let cells = row.cells(&self.instrument);
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(&cells)?;
        let line = out.into_inner().map_err(|error| error.into_error())?;
        let added = OpenOptions::new().append(true).open(&self.file).and_then(|mut file| {
            file.write_all(&line)?;
            file.sync_data()
        });
        added.with_context(|| self.cannot())?;
        self.rows.insert(row.key(), cells);
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
