//! Find: which moments somebody looks for: by who, where, what was worn and done, how it closed, and words.

use serde::Deserialize;

use super::report::Report;

/// What is sought; a moment fits if everything that is given holds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Sought {
    /// Whose moment, with or without `@`.
    pub being: Option<String>,
    /// In which space, or below it.
    pub space: Option<String>,
    /// Which role was worn.
    pub role: Option<String>,
    /// Which operation was called.
    pub action: Option<String>,
    /// How it closed: act, see, refused, failed, requeued, dead-letter or ended.
    pub closing: Option<String>,
    /// With which code it was refused or failed.
    pub reason: Option<String>,
    /// Which model thought.
    pub model: Option<String>,
    /// What asking a model has cost at least, in the world's currency.
    pub cost: Option<f64>,
    /// How many tokens it has taken at least.
    pub tokens: Option<u64>,
    /// On which day of the world's zone, such as `2026-03-06`.
    pub day: Option<String>,
    /// Words that stand in what was done, said or refused; each of them, in any order and any case.
    pub text: Option<String>,
}

impl Sought {
    /// Whether a moment is one of those.
    pub fn fits(&self, report: &Report) -> bool {
        let is = |wanted: &Option<String>, found: &str| wanted.as_deref().is_none_or(|wanted| wanted == found);
        let is_in = |space: &str| {
            let below = report.space.strip_prefix(space.trim_end_matches('/'));
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.being.as_deref().is_none_or(|being| being.trim_start_matches('@') == report.being.as_ref())
            && self.space.as_deref().is_none_or(is_in)
            && self.role.as_deref().is_none_or(|role| report.stack.iter().any(|worn| worn.as_ref() == role))
            && is(&self.action, report.action.as_deref().unwrap_or_default())
            && is(&self.closing, report.closing)
            && is(&self.reason, report.reason.as_ref().map_or("", |reason| &reason.code))
            && is(&self.model, report.cost.as_ref().map_or("", |cost| &cost.model))
            && self.cost.is_none_or(|least| report.cost.as_ref().is_some_and(|cost| cost.spend.money as f64 / 1e6 >= least))
            && self.tokens.is_none_or(|least| report.cost.as_ref().is_some_and(|cost| cost.spend.tokens() >= least))
            && self.day.as_deref().is_none_or(|day| report.time.starts_with(day))
            && self.text.as_deref().is_none_or(|text| has_words(report, text))
    }
}

fn has_words(report: &Report, text: &str) -> bool {
    let reason = report.reason.as_ref().map(ToString::to_string).unwrap_or_default();
    let said = report.said.as_deref().unwrap_or_default();
    let whole = format!("@{} {} {} {said} {reason}", report.being, report.space, report.deed).to_lowercase();
    text.to_lowercase().split_whitespace().all(|word| whole.contains(word))
}
