//! Find: which moments somebody looks for: by who, where, what was worn and done, how it closed, and words.

use std::collections::BTreeSet;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::fact::ClosingKind;
use crate::role::or_meant;
use crate::verb::{BE_OPERATIONS, core_operations};
use crate::world::{Chapter, Of, World, no_such_day};

use super::report::Report;

/// The filter of a search; a moment fits if all given fields hold. A field of it is an option of `find` and a parameter of
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
    #[arg(long, value_parser = PossibleValuesParser::new(ClosingKind::ALL.iter().map(|kind| kind.word())).try_map(|word| word.parse::<ClosingKind>()), help = "How it closed")]
    #[param(value_type = Option<String>)]
    pub closing: Option<ClosingKind>,
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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=TOKENS_MAX))]
    #[serde(default, deserialize_with = "tokens")]
    #[param(value_type = Option<i64>, minimum = 0)]
    pub tokens: Option<u64>,
    /// On which day of the world's zone, such as `2026-03-06`.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day, help = "On which day of the world's zone")]
    pub day: Option<String>,
    /// Words in what was done, said, refused or written by a model; `or` between them parts alternatives.
    // Each word of one alternative has to stand there, in any order and any case. On the command line they need no option.
    #[arg(skip)]
    pub text: Option<String>,
}

/// The most tokens that can be asked for: what the description of the API can say.
const TOKENS_MAX: u64 = i64::MAX as u64;

/// A number of tokens, as the API is asked.
fn tokens<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let count = u64::deserialize(from)?;
    let wrong = || serde::de::Error::custom(format!("expected at most {TOKENS_MAX}, found {count}"));
    Some(count).filter(|count| *count <= TOKENS_MAX).map(Some).ok_or_else(wrong)
}

/// How a day is written.
const DAY: &str = "%Y-%m-%d";

/// A day of the world's zone, as it is typed.
fn day(text: &str) -> Result<String, String> {
    let read = chrono::NaiveDate::parse_from_str(text, DAY);
    let wrong = || no_such_day(text).unwrap_or_else(|| format!("expected a day such as 2026-03-02, found `{text}`"));
    read.map(|day| day.to_string()).map_err(|_| wrong())
}

/// An amount of money, as it is typed.
fn money(text: &str) -> Result<f64, String> {
    let read = text.parse().ok().filter(|amount: &f64| amount.is_finite() && *amount >= 0.0);
    read.ok_or_else(|| format!("expected an amount such as 0.05, found `{text}`"))
}

/// Whether a path is that of a space, or below it.
fn lies_in(path: &str, space: &str) -> bool {
    let below = path.strip_prefix(space.trim_end_matches('/'));
    below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Sought {
    /// The name of the being that is sought.
    pub(super) fn being_name(&self) -> Option<&str> {
        self.being.as_deref().map(|being| being.trim_start_matches('@'))
    }

    /// Whether nothing but words is sought.
    pub(super) fn is_words_alone(&self) -> bool {
        Self { text: None, ..self.clone() } == Self::default()
    }

    /// Whether anything is sought by a name that a world may not have.
    pub(super) fn names_anything(&self) -> bool {
        Names::default().missing(self).is_some()
    }

    /// Whether a chapter may have a moment that fits: it has all that is sought, if not in one moment. Of beings and words it says nothing.
    pub(super) fn could_be_in(&self, chapter: &Chapter) -> bool {
        let has = |of: Of, wanted: &Option<String>| wanted.as_deref().is_none_or(|wanted| chapter.may_hold(of, |found| found == wanted));
        let (money, tokens) = chapter.most();
        let day = self.day.as_deref().and_then(|day| chrono::NaiveDate::parse_from_str(day, DAY).ok());
        has(Of::Roles, &self.role)
            && has(Of::Actions, &self.action)
            && self.closing.is_none_or(|wanted| chapter.may_hold(Of::Closings, |found| found == wanted.word()))
            && has(Of::Reasons, &self.reason)
            && has(Of::Models, &self.model)
            && self.space.as_deref().is_none_or(|space| chapter.may_hold(Of::Spaces, |path| lies_in(path, space)))
            && self.cost.is_none_or(|least| money as f64 / 1e6 >= least)
            && self.tokens.is_none_or(|least| tokens >= least)
            && day.is_none_or(|day| chapter.has_day(day.to_epoch_days().into()))
    }

    /// Whether a moment is one of those, as far as its report says.
    pub fn fits(&self, report: &Report) -> bool {
        self.fits_with(report, String::new)
    }

    /// Whether a moment is one of those; `written` is asked for all that was written in it only where the report has not the words.
    pub(super) fn fits_with(&self, report: &Report, written: impl FnOnce() -> String) -> bool {
        self.fits_beside_words(report) && (self.text.is_none() || self.has_words(&line(report), written))
    }

    fn has_words(&self, line: &str, written: impl FnOnce() -> String) -> bool {
        let hold_in = |whole: String| self.words_hold(|word| whole.contains(word));
        hold_in(line.to_lowercase()) || hold_in(format!("{line} {}", written()).to_lowercase())
    }

    /// Whether all words of an alternative hold, in small letters each; `or` alone is a word like any other. Where no words are sought, they do.
    pub(super) fn words_hold(&self, holds: impl Fn(&str) -> bool) -> bool {
        let text = self.text.as_deref().unwrap_or_default().to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut alternatives = words.split(|word| *word == "or").filter(|words| !words.is_empty()).peekable();
        let all = |words: &[&str]| words.iter().all(|word| holds(word));
        if alternatives.peek().is_none() { all(&words) } else { alternatives.any(all) }
    }

    fn fits_beside_words(&self, report: &Report) -> bool {
        let is = |wanted: &Option<String>, found: &str| wanted.as_deref().is_none_or(|wanted| wanted == found);
        self.being_name().is_none_or(|being| being == report.being.as_ref())
            && self.space.as_deref().is_none_or(|space| lies_in(&report.space, space))
            && self.role.as_deref().is_none_or(|role| report.stack.iter().any(|worn| worn.as_ref() == role))
            && is(&self.action, report.action.as_deref().unwrap_or_default())
            && self.closes(report)
            && is(&self.model, report.cost.as_ref().map_or("", |cost| &cost.model))
            && self.cost.is_none_or(|least| report.cost.as_ref().is_some_and(|cost| cost.spend.money as f64 / 1e6 >= least))
            && self.tokens.is_none_or(|least| report.cost.as_ref().is_some_and(|cost| cost.spend.tokens() >= least))
            && self.day.as_deref().is_none_or(|day| report.time.starts_with(day))
    }
}

impl Sought {
    /// Whether a moment closed so, and for that reason; a try that was refused is found as a refusal too.
    fn closes(&self, report: &Report) -> bool {
        let refusal = report.refusal();
        let is_so = |wanted| report.closing == wanted || wanted == ClosingKind::Refused && refusal.is_some();
        let is_for = |wanted: &str| [&report.reason, &refusal].into_iter().flatten().any(|reason| reason.code.word() == wanted);
        self.closing.is_none_or(is_so) && self.reason.as_deref().is_none_or(is_for)
    }
}

/// All that a moment's report says in which words are looked for.
pub(super) fn line(report: &Report) -> String {
    let (reason, said) = (report.reason.as_ref().map(ToString::to_string), report.said.as_deref());
    format!("@{} {} {} {} {}", report.being, report.space, report.deed, said.unwrap_or_default(), reason.unwrap_or_default())
}

/// The names that a world has: a name that is sought and not among them was mistyped.
#[derive(Default)]
pub(super) struct Names {
    beings: BTreeSet<String>,
    spaces: BTreeSet<String>,
    roles: BTreeSet<String>,
    actions: BTreeSet<String>,
    reasons: BTreeSet<String>,
    models: BTreeSet<String>,
}

impl Names {
    /// The names in the world, whether or not any moment has them.
    pub(super) fn of(world: &World) -> Self {
        let registry = world.registry();
        let own =
            core_operations().map(|operation| operation.name.to_owned()).chain(BE_OPERATIONS.iter().map(|(name, ..)| (*name).to_owned()));
        Self {
            beings: world.beings().map(|being| being.name.to_string()).collect(),
            spaces: world.spaces().map(|space| world.path_of(space.id)).collect(),
            roles: registry.roles.keys().map(ToString::to_string).collect(),
            actions: own.chain(registry.operations.keys().map(ToString::to_string)).collect(),
            reasons: BTreeSet::new(),
            models: BTreeSet::new(),
        }
    }

    /// Each column of a chapter, with the names that are known of it.
    fn columns(&mut self) -> [(Of, &mut BTreeSet<String>); 5] {
        [
            (Of::Spaces, &mut self.spaces),
            (Of::Roles, &mut self.roles),
            (Of::Actions, &mut self.actions),
            (Of::Reasons, &mut self.reasons),
            (Of::Models, &mut self.models),
        ]
    }

    /// Notes what a chapter names; whether it could tell all of it.
    pub(super) fn note(&mut self, chapter: &Chapter) -> bool {
        let mut is_whole = true;
        for (of, names) in self.columns() {
            match chapter.values(of) {
                Some(values) => names.extend(values.map(ToString::to_string)),
                None => is_whole = false,
            }
        }
        is_whole
    }

    /// Notes what a moment names.
    pub(super) fn hear(&mut self, report: &Report) {
        self.spaces.insert(report.space.clone());
        self.roles.extend(report.stack.iter().map(ToString::to_string));
        self.actions.extend(report.action.as_ref().map(ToString::to_string));
        self.reasons.extend(report.reason.as_ref().map(|reason| reason.code.word().to_owned()));
        self.models.extend(report.cost.as_ref().map(|cost| cost.model.to_string()));
    }

    /// The message on the first sought name that nothing has, if there is one.
    pub(super) fn missing(&self, sought: &Sought) -> Option<String> {
        let being = sought.being_name();
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
