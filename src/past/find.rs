//! Find: which moments somebody looks for: by who, where, what was worn and done, how it closed, and words.

use std::collections::BTreeSet;

use clap::Args;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::role::or_meant;
use crate::verb::{BE_OPERATIONS, core_operations};
use crate::world::World;

use super::history::History;
use super::load::LoadError;
use super::report::Report;

/// What is sought; a moment fits if everything that is given holds. A field of it is an option of `find` and a parameter of
/// `GET /api/moments`: it is named here, where it is judged, and nowhere else.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Args, IntoParams)]
#[command(about = None, long_about = None)]
#[into_params(parameter_in = Query)]
pub struct Sought {
    /// Whose, such as `@ada`.
    #[arg(long, value_name = "@BEING", help = "Whose moments")]
    pub being: Option<String>,
    /// In which space, or below it.
    #[arg(long, value_name = "ADDRESS")]
    pub space: Option<String>,
    /// Which role was worn.
    #[arg(long)]
    pub role: Option<String>,
    /// Which operation was called.
    #[arg(long, value_name = "OPERATION")]
    pub action: Option<String>,
    /// How it closed: act, see, refused, failed, requeued, dead-letter or ended.
    #[arg(long, value_parser = CLOSINGS, help = "How it closed")]
    pub closing: Option<String>,
    /// With which code it was refused or failed.
    #[arg(long, value_name = "CODE", help = "With which code it was refused or failed, such as gate-role")]
    pub reason: Option<String>,
    /// Which model thought.
    #[arg(long)]
    pub model: Option<String>,
    /// What asking a model has cost at least, in the world's currency.
    #[arg(long, value_name = "MONEY", value_parser = money)]
    pub cost: Option<f64>,
    /// How many tokens it has taken at least.
    #[arg(long, value_name = "N")]
    #[param(value_type = Option<i64>, minimum = 0)]
    pub tokens: Option<u64>,
    /// On which day of the world's zone, such as `2026-03-06`.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day, help = "On which day of the world's zone")]
    pub day: Option<String>,
    /// Words in what was done, said or refused.
    // Each of them has to stand there, in any order and any case. On the command line they need no option.
    #[arg(skip)]
    pub text: Option<String>,
}

/// How a moment can close, as it is typed.
const CLOSINGS: [&str; 7] = ["act", "see", "refused", "failed", "requeued", "dead-letter", "ended"];

/// A day of the world's zone, as it is typed.
fn day(text: &str) -> Result<String, String> {
    let read = chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d");
    read.map(|day| day.to_string()).map_err(|_| format!("expected a day such as 2026-03-02, found `{text}`"))
}

/// An amount of money, as it is typed.
fn money(text: &str) -> Result<f64, String> {
    let read = text.parse().ok().filter(|amount: &f64| amount.is_finite() && *amount >= 0.0);
    read.ok_or_else(|| format!("expected an amount such as 0.05, found `{text}`"))
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
            && is(&self.reason, report.reason.as_ref().map_or("", |reason| reason.code.word()))
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

impl History {
    /// What is sought by a name that nothing ever had, if anything is, for when nothing was found.
    ///
    /// What the world has now mostly says so; for a name that it has not, the whole is read: it may have been one once.
    pub fn missing(&self, sought: &Sought) -> Result<Option<String>, LoadError> {
        let mut names = Names::default();
        names.have(&self.world_at(self.end())?);
        if names.missing(sought).is_some() {
            self.moments(0, None, |_, report| names.note(&report))?;
        }
        Ok(names.missing(sought))
    }
}

/// What of a world has a name: what is sought there under another was mistyped.
#[derive(Default)]
struct Names {
    beings: BTreeSet<String>,
    spaces: BTreeSet<String>,
    roles: BTreeSet<String>,
    actions: BTreeSet<String>,
    reasons: BTreeSet<String>,
    models: BTreeSet<String>,
}

impl Names {
    /// Notes what a moment of its history names.
    fn note(&mut self, report: &Report) {
        let keep = |names: &mut BTreeSet<String>, name: &str| {
            if !name.is_empty() && !names.contains(name) {
                names.insert(name.to_owned());
            }
        };
        keep(&mut self.beings, &report.being);
        keep(&mut self.spaces, &report.space);
        report.stack.iter().for_each(|role| keep(&mut self.roles, role));
        keep(&mut self.actions, report.action.as_deref().unwrap_or_default());
        keep(&mut self.reasons, &report.reason.as_ref().map(|reason| reason.code.to_string()).unwrap_or_default());
        keep(&mut self.models, report.cost.as_ref().map_or("", |cost| &cost.model));
    }

    /// Notes what the world has, whether it ever did anything or not.
    fn have(&mut self, world: &World) {
        self.beings.extend(world.beings().map(|being| being.name.to_string()));
        self.spaces.extend(world.spaces().map(|space| world.path_of(space.id)));
        self.roles.extend(world.registry().roles.keys().map(ToString::to_string));
        self.actions.extend(core_operations().map(|operation| operation.name.to_owned()));
        self.actions.extend(world.registry().operations.keys().map(ToString::to_string));
        self.actions.extend(BE_OPERATIONS.iter().map(|(name, ..)| (*name).to_owned()));
    }

    /// What is sought by a name that nothing has, if anything is.
    fn missing(&self, sought: &Sought) -> Option<String> {
        let being = sought.being.as_deref().map(|being| being.trim_start_matches('@'));
        let space = sought.space.as_deref().map(|space| if space == "/" { space } else { space.trim_end_matches('/') });
        let asked = [
            (being, &self.beings, "there is no being `@", "@"),
            (space, &self.spaces, "there is no space `", ""),
            (sought.role.as_deref(), &self.roles, "there is no role `", ""),
            (sought.action.as_deref(), &self.actions, "there is no operation `", ""),
            (sought.reason.as_deref(), &self.reasons, "no moment closed with the reason `", ""),
            (sought.model.as_deref(), &self.models, "no moment was thought by the model `", ""),
        ];
        asked.into_iter().find_map(|(wanted, known, what, mark)| {
            let wanted = wanted.filter(|wanted| !known.contains(*wanted))?;
            let meant = or_meant(mark, wanted, known.iter().map(String::as_str));
            Some(format!("{what}{wanted}` in this world{meant}"))
        })
    }
}
