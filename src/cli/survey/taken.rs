//! Taken: what a survey has come to while it asks, and at its end: the answers, and the cells that are missing, with the reason.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};
use serde_json::json;

use crate::fact::{Code, Spend};

use super::super::door::{Door, Ended};
use super::sheet::{AnswerRow, AnswerSheet, AskedOnce, CellKey};
use super::unclear::ReplyCounts;

/// The outcome of one question.
pub(in crate::cli) enum Surveyed {
    /// The being answered, or was free to.
    Answered(Box<AnswerRow>),
    /// Its model was not asked, or not heard.
    Missing(AskedOnce, Code),
}

/// The answers of a survey so far.
pub(in crate::cli) struct TakenAnswers {
    /// The cells of the table, in their order.
    pub(in crate::cli) order: Vec<CellKey>,
    /// The other points that get the answer, for each question that is asked once.
    pub(in crate::cli) twins: BTreeMap<AskedOnce, Vec<String>>,
    /// The file, if there is one.
    pub(in crate::cli) sheet: Option<AnswerSheet>,
    /// The answers of this command.
    pub(in crate::cli) rows: BTreeMap<CellKey, AnswerRow>,
    /// Why there is no answer.
    pub(in crate::cli) missing: BTreeMap<AskedOnce, Code>,
}

impl TakenAnswers {
    /// Takes down what came of a question, at each name of its point.
    pub(in crate::cli) fn take(&mut self, surveyed: Surveyed) -> Result<()> {
        let row = match surveyed {
            Surveyed::Answered(row) => *row,
            Surveyed::Missing(asked, code) => {
                self.missing.insert(asked, code);
                return Ok(());
            }
        };
        let points = self.twins.get(&row.key().asked()).cloned().unwrap_or_default();
        let others: Vec<AnswerRow> = points.into_iter().map(|point| row.also_at(point)).collect();
        for row in std::iter::once(row).chain(others) {
            self.sheet.as_mut().map_or(Ok(()), |sheet| sheet.add(&row))?;
            self.rows.insert(row.key(), row);
        }
        Ok(())
    }

    /// Tells the answers, or what the file holds; cells that are missing are an error, which lists them.
    pub(in crate::cli) fn tell(self, door: &Door, file: Option<&Path>, wanted: usize, spent: Spend) -> Result<Ended> {
        let Self { order, sheet, rows, missing, .. } = self;
        let lacks = |key: &&CellKey| missing.contains_key(&key.asked()) && !rows.contains_key(key);
        let lacking: Vec<(&CellKey, Code)> =
            order.iter().filter(lacks).filter_map(|key| Some((key, *missing.get(&key.asked())?))).collect();
        if let Some((sheet, file)) = sheet.zip(file) {
            let replies = ReplyCounts::of(sheet.replies(&order));
            sheet.settle(&order)?;
            let list: Vec<_> = lacking
                .iter()
                .map(|(key, code)| json!({ "point": key.point, "being": key.being, "item": key.item, "why": code.word() }))
                .collect();
            let json = json!({
                "out": file, "answers": order.len() - lacking.len(), "new": rows.len(), "left": lacking.len(), "unclear": replies.unclear, "unsaid": replies.unsaid,
                "missing": list, "spent": spent,
            });
            door.say(&json, || summary(file, (order.len(), wanted, rows.len()), &replies, spent))?;
            replies.warnings().iter().for_each(|warning| door.warn(warning));
        } else {
            order.iter().filter_map(|key| rows.get(key)).try_for_each(|row| door.say(row, || line(row)))?;
            let replies = ReplyCounts::of(rows.values().map(AnswerRow::reply));
            if replies.unclear > 0 {
                door.note(&format!("{} of {} answers are unclear: what was said is no answer of the kind", replies.unclear, rows.len()));
            }
            replies.warnings().iter().for_each(|warning| door.warn(warning));
        }
        if lacking.is_empty() { Ok(Ended::Well) } else { bail!(complaint(&lacking)) }
    }
}

/// A sentence about the cells that are missing, and a line for each.
fn complaint(lacking: &[(&CellKey, Code)]) -> String {
    let unpaid = lacking.iter().filter(|(_, code)| *code == Code::NoBudget).count();
    let still = lacking.iter().filter(|(_, code)| matches!(code, Code::Paused | Code::BrakeTripped)).count();
    let unheard = lacking.len() - unpaid - still;
    let of_budget = (unpaid > 0)
        .then(|| format!("the budget had no room for {unpaid} of the questions; the same command with another --budget asks them"));
    let of_models =
        (unheard > 0).then(|| format!("{unheard} of the questions reached no model that was heard; the same command asks them again"));
    let of_still = (still > 0).then(|| {
        format!("{still} of the questions were put to nobody, since a place, a being or the world stands still there; ask at another point")
    });
    let told: Vec<String> = of_budget.into_iter().chain(of_models).chain(of_still).collect();
    let list: Vec<String> =
        lacking.iter().map(|(key, code)| format!("\n  {} {} {}: {}", key.point, key.being, key.item, code.word())).collect();
    format!("{}:{}", told.join("; "), list.concat())
}

fn summary(file: &Path, (all, wanted, new): (usize, usize, usize), replies: &ReplyCounts, spent: Spend) -> String {
    let ReplyCounts { unclear, unsaid, .. } = *replies;
    let before = if all > wanted { format!(", {} were there already", all - wanted) } else { String::new() };
    let left = if wanted > new { format!(", {} are left", wanted - new) } else { String::new() };
    let vague = if unclear > 0 { format!(", {unclear} of all are unclear") } else { String::new() };
    let silent = if unsaid > 0 { format!(", {unsaid} of all say nothing") } else { String::new() };
    let cost = if spent.calls > 0 { format!("; {} calls, {} tokens", spent.calls, spent.tokens()) } else { String::new() };
    format!("`{}`: {new} new answers{before}{left}{vague}{silent}{cost}", file.display())
}

fn line(row: &AnswerRow) -> String {
    let answer = row.answer.as_str().map_or_else(|| row.answer.to_string(), str::to_owned);
    let told = row.refusal.as_ref().map_or(answer, |refusal| format!("- ({refusal}) {}", row.raw));
    let note = if row.note.is_empty() { String::new() } else { format!(" ({})", row.note) };
    format!("{} {} {}: {told}{note}", row.point, row.being, row.item)
}
