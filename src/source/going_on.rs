//! GoingOn: what is going on in a world, in one sentence: conditions over its signals, its clock and its measures, and a sentence with
//! places.
//!
//! No being is asked: what a condition reads here is the same for everybody who may see it.

use std::collections::BTreeMap;

use crate::fact::{Millis, Sentence, Text, Value};
use crate::role::{Context, Inquiry, Path, Seen, Warning, or_meant};
use crate::world::{Local, World};

use super::item::NowItem;

/// Stands for the measures among the signals: no signal has a namespace of that name.
const MEASURE: &str = "world.:measure";
/// How a measure is named where people write it.
const WRITTEN: &str = "measure";
/// The name under which the value of one measure is asked.
const VALUE: &str = "value";
/// Whole numbers up to here are told as words.
const WORDS: [&str; 13] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
/// How much of a value is told, in characters.
const TOLD_MAX: usize = 60;

/// A place of the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NowPlace {
    Measure(String),
    Signal(String),
    Count(String),
}

/// A sentence and when it is so.
pub struct GoingOn {
    when: Option<Inquiry>,
    say: Sentence<NowPlace>,
    watch: bool,
}

impl GoingOn {
    /// Reads it; what is wrong with it otherwise.
    pub(super) fn read(NowItem { when, say, watch }: &NowItem, measures: &[&str]) -> Result<Self, String> {
        let place = |text: &str| Self::place(text, measures);
        let say = Sentence::parse(say, place).map_err(|what| format!("say: {what}"))?;
        let when = when.as_ref().map(compile).transpose()?;
        if let Some(strange) = when.iter().flat_map(measures_of).find(|name| !measures.contains(&name.as_str())) {
            return Err(format!("when: there is no measure `{strange}`{}", or_meant("measure.", &strange, measures.iter().copied())));
        }
        Ok(Self { when, say, watch: *watch })
    }

    fn place(text: &str, measures: &[&str]) -> Result<NowPlace, String> {
        let known = || measures.iter().copied();
        match text.split_once('.') {
            Some((WRITTEN, name)) if measures.contains(&name) => Ok(NowPlace::Measure(name.to_owned())),
            Some((WRITTEN, name)) => Err(format!("there is no measure `{name}`{}", or_meant("measure.", name, known()))),
            Some(("world", path)) if Path::parse(text).is_ok_and(|path| matches!(path, Path::World(_))) => {
                Ok(NowPlace::Signal(path.to_owned()))
            }
            Some(("count", role)) if !role.is_empty() => Ok(NowPlace::Count(role.to_owned())),
            _ => Err(format!("expected `{{{{measure.NAME}}}}`, `{{{{world.a.signal}}}}` or `{{{{count.ROLE}}}}`, found `{{{{{text}}}}}`")),
        }
    }

    /// When the value of a measure is a warning.
    pub(super) fn warns_when(warn: &Value) -> Result<Inquiry, String> {
        let named = Value::map([(format!("{WRITTEN}.{VALUE}").as_str(), warn.clone())]);
        let inquiry = compile(&named)?;
        let is_own = |path: &&Path| matches!(path, Path::World(asked) if measure_named(asked) == Some(VALUE));
        let strange = inquiry.paths().into_iter().find(|path| !is_own(path)).map(|path| path.to_string().replace(MEASURE, WRITTEN));
        match strange {
            Some(path) => Err(format!("expected a condition on its value such as `{{ gte = 3 }}`, found `{path}`")),
            None => Ok(inquiry),
        }
    }

    /// The conditions of a sentence that may not be meant.
    pub(super) fn when_doubts(when: &Value) -> Vec<Warning> {
        let warnings = compile(when).map(|inquiry| inquiry.warnings()).unwrap_or_default();
        warnings.into_iter().map(|warning| Warning { place: warning.place.replace(MEASURE, WRITTEN), ..warning }).collect()
    }

    /// The conditions of a measure's warning that may not be meant.
    pub(super) fn warn_doubts(warn: &Value) -> Vec<Warning> {
        let warnings = Self::warns_when(warn).map(|inquiry| inquiry.warnings()).unwrap_or_default();
        warnings.into_iter().map(|warning| Warning { place: "warn".to_owned(), ..warning }).collect()
    }

    /// Whether a value is one by which a measure warns.
    pub fn warns(warn: &Value, value: &Value, world: &World, at: Millis) -> bool {
        let values = BTreeMap::from([(VALUE.to_owned(), value.clone())]);
        Self::warns_when(warn).is_ok_and(|inquiry| inquiry.holds(&KnownToAll::of(world, at, &values)))
    }

    /// The first entry whose conditions hold, as a sentence, and whether somebody should look.
    pub fn of(world: &World, at: Millis, values: &BTreeMap<String, Value>) -> Option<(String, bool)> {
        let (known, names) = (KnownToAll::of(world, at, values), values.keys().map(String::as_str).collect::<Vec<_>>());
        let read = |said: &Value| {
            let item = NowItem {
                when: said.get("when").cloned(),
                say: said.get("say").and_then(Value::as_str).unwrap_or_default().to_owned(),
                watch: said.get("watch").and_then(Value::as_bool).unwrap_or_default(),
            };
            Self::read(&item, &names).ok()
        };
        let now = world.registry().page(crate::world::NOW).iter().filter_map(read);
        let mut holding = now.filter(|now| now.when.as_ref().is_none_or(|when| when.holds(&known)));
        holding.next().map(|now| (known.told(&now.say), now.watch))
    }
}

/// How many words a sentence has, each place as one.
pub(super) fn words_in(say: &str) -> usize {
    let mut text = String::new();
    let mut rest = say;
    while let Some((before, behind)) = rest.split_once("{{") {
        text.push_str(before);
        text.push('1');
        rest = behind.split_once("}}").map_or("", |(_, behind)| behind);
    }
    text.push_str(rest);
    text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count()
}

fn measure_space() -> &'static str {
    MEASURE.strip_prefix("world.").unwrap_or(MEASURE)
}

/// The measures that conditions ask for.
fn measures_of(when: &Inquiry) -> Vec<String> {
    let name = |path: &Path| if let Path::World(asked) = path { measure_named(asked).map(str::to_owned) } else { None };
    when.paths().into_iter().filter_map(name).collect()
}

fn measure_named(path: &str) -> Option<&str> {
    path.strip_prefix(measure_space())?.strip_prefix('.')
}

/// Compiles conditions that no being is asked for.
fn compile(when: &Value) -> Result<Inquiry, String> {
    let told = |text: String| text.replace(MEASURE, WRITTEN);
    let inquiry = Inquiry::compile(&asked(when)).map_err(|error| told(error.to_string()))?;
    let is_known = |path: &&Path| matches!(path, Path::World(_) | Path::TimeHour | Path::TimeMinute | Path::TimeDayOfWeek);
    let strange = inquiry.paths().into_iter().find(|path| !is_known(path)).map(ToString::to_string);
    match strange {
        Some(path) => Err(format!(
            "when: expected `world.` and a signal, `measure.` and a name, `time.hour`, `time.minute` or `time.dayOfWeek`, found `{path}`; \
             no being is asked here"
        )),
        None => Ok(inquiry),
    }
}

/// The same with measures as conditions can ask for them.
fn asked(when: &Value) -> Value {
    let is_measure = |key: &str| key == WRITTEN || key.strip_prefix(WRITTEN).is_some_and(|rest| rest.starts_with('.'));
    let renamed = |text: &Text| -> Text {
        match text.strip_prefix(WRITTEN).filter(|_| is_measure(text)) {
            Some(rest) => format!("{MEASURE}{rest}").into(),
            None => text.clone(),
        }
    };
    match when {
        Value::Map(map) => {
            let entry = |(key, value): (&Text, &Value)| match value {
                Value::Text(path) if key.as_ref() == "path" && map.len() == 1 => (key.clone(), Value::Text(renamed(path))),
                value => (renamed(key), asked(value)),
            };
            Value::Map(map.iter().map(entry).collect())
        }
        Value::List(list) => Value::List(list.iter().map(asked).collect()),
        other => other.clone(),
    }
}

/// The paths that conditions may read without a being.
struct KnownToAll<'a> {
    world: &'a World,
    local: Local,
    values: &'a BTreeMap<String, Value>,
}

impl<'a> KnownToAll<'a> {
    fn of(world: &'a World, at: Millis, values: &'a BTreeMap<String, Value>) -> Self {
        Self { world, local: Local::of(at, world.zone()), values }
    }

    fn told(&self, say: &Sentence<NowPlace>) -> String {
        let told = say.fill(|place| match place {
            NowPlace::Measure(name) => number(self.values.get(name)),
            NowPlace::Signal(path) => number(self.world.signals().at(path)),
            NowPlace::Count(role) => {
                let wearing = self.world.living().filter(|being| being.wearing.iter().any(|worn| worn.as_ref() == role));
                number(Some(&Value::Int(wearing.count() as i64)))
            }
        });
        let mut letters = told.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
    }
}

impl Context for KnownToAll<'_> {
    fn seen(&self, path: &Path) -> Seen<'_> {
        match path {
            Path::World(asked) => match measure_named(asked) {
                Some(name) => self.values.get(name).into(),
                None => self.world.signals().at(asked).into(),
            },
            Path::TimeHour => Seen::Int(self.local.hour),
            Path::TimeMinute => Seen::Int(self.local.minute),
            Path::TimeDayOfWeek => Seen::Int(self.local.day_of_week),
            _ => Seen::Null,
        }
    }
}

/// A value as a sentence tells it: small whole numbers as words, other numbers with at most one decimal.
fn number(value: Option<&Value>) -> String {
    let whole = |n: i64| usize::try_from(n).ok().and_then(|n| WORDS.get(n)).map_or_else(|| n.to_string(), |word| (*word).to_owned());
    match value {
        None | Some(Value::Null) => WORDS.first().copied().unwrap_or_default().to_owned(),
        Some(Value::Int(n)) => whole(*n),
        Some(Value::Float(x)) if x.fract() == 0.0 && x.abs() < 1e9 => whole(*x as i64),
        Some(Value::Float(x)) => format!("{x:.1}"),
        Some(value) => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            crate::fact::plain(&text).take(TOLD_MAX).collect()
        }
    }
}
