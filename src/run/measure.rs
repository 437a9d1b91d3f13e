//! Measures: named expressions over a world, and tables of its beings, sampled at instants of its time.
//!
//! A sample shows the world with all that has closed at its instant or before, as a look at that instant does.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::fact::{Code, Hash, Millis, Seq, Text, Value, parse_duration};
use crate::script::{Host, Limits, Program, Sandbox, ScriptError, Stream};
use crate::source::MeasureList;
use crate::verb::{answer, looks_for};
use crate::world::{Being, World, iso};

use super::table::Table;

/// Why measures cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// An expression is wrong, or failed.
    #[error("{file}:{line}: measure `{name}`: {source}")]
    Expression {
        /// The source file.
        file: String,
        /// The line of the measure.
        line: usize,
        /// Its name.
        name: String,
        /// Why.
        #[source]
        source: Box<ScriptError>,
    },
    /// An interval is wrong.
    #[error("{file}:{line}: every: expected a duration such as `10m`, found `{found}`")]
    Interval {
        /// The source file.
        file: String,
        /// The line of the measure.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A table is wrong.
    #[error("{file}:{line}: table: {what}")]
    Table {
        /// The source file.
        file: String,
        /// The line of the table.
        line: usize,
        /// The error in it.
        what: String,
    },
    /// It was told to stop; what was due is not taken.
    #[error("the run was told to stop while measures were taken; nothing of what was due is kept")]
    Stopped,
}

/// One sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// When.
    pub at: Millis,
    /// The same, as people read it.
    pub time: String,
    /// The name of the measure.
    pub measure: String,
    /// The value that was taken.
    pub value: Value,
    /// The seq below which all frames were seen.
    pub below: Seq,
}

/// When something is sampled.
struct Beat {
    /// None: once, at the end.
    every: Option<Millis>,
    next: Millis,
}

impl Beat {
    fn new(every: Option<&str>, start: Millis, (file, line): (&str, usize)) -> Result<Self, MeasureError> {
        let wrong = |found: &str| MeasureError::Interval { file: file.to_owned(), line, found: found.to_owned() };
        let every = every.map(|every| parse_duration(every).filter(|ms| *ms > 0).ok_or_else(|| wrong(every))).transpose()?;
        Ok(Self { every, next: start })
    }

    /// Leaves out what was due before an instant, or at it, where rounds have closed at that instant already.
    fn begin(&mut self, at: Millis, start: Millis) {
        if let Some(every) = self.every.filter(|_| at > start && self.next <= at) {
            let missed = (at - self.next) / every + 1;
            self.next = self.next.saturating_add(missed.saturating_mul(every));
        }
    }

    /// The next instant, if it is before another.
    fn due(&mut self, before: Millis) -> Option<Millis> {
        let (every, due) = (self.every?, self.next);
        (due < before).then(|| self.next = due.saturating_add(every))?;
        Some(due)
    }
}

struct TimedMeasure {
    name: String,
    line: usize,
    program: Program,
    beat: Beat,
}

/// The measures of a source or a world, and where each stands.
pub struct Measures {
    file: String,
    start: Millis,
    list: Vec<TimedMeasure>,
    tables: Vec<(Table, Beat)>,
    sandbox: Sandbox,
    /// The flag that ends them while a run goes on.
    stop: Arc<AtomicBool>,
    /// All samples so far, in order.
    pub samples: Vec<Sample>,
}

/// Where measures stood, to be taken back to.
pub(super) struct Mark {
    samples: usize,
    rows: Vec<usize>,
    next: Vec<Millis>,
}

/// The name of an expression in its own errors.
const VALUE: &str = "value";
/// What stands before an expression in its script.
const HEAD: &str = "fn measured() { ";
/// Makes a value that is no number empty, such as the mean of nobody and all that is reckoned from it.
const EMPTY: &str = "fn measure() { let value = measured(); if type_of(value) == \"f64\" && value.is_nan() { () } else { value } }";

impl Measures {
    /// Compiles measures; the first samples are taken at the world's start.
    pub fn new(source: &MeasureList) -> Result<Self, MeasureError> {
        let list = source.measures.iter().map(|written| {
            let (item, line, file) = (&written.item, written.line, source.file.clone());
            let text: Text = format!("{HEAD}{} }} {EMPTY}", item.value).into();
            Sandbox::check(&text, VALUE, "measure", 0).map_err(|error| MeasureError::Expression {
                file: file.clone(),
                line,
                name: item.name.clone(),
                source: Box::new(error.behind(HEAD.len() as u32)),
            })?;
            let beat = Beat::new(item.every.as_deref(), source.start, (&file, line))?;
            let program = Program { hash: Hash::of(text.as_bytes()), file: VALUE.into(), source: text };
            Ok(TimedMeasure { name: item.name.clone(), line, program, beat })
        });
        let mut names = BTreeSet::new();
        let tables = source.tables.iter().map(|written| {
            let (item, line, file) = (&written.item, written.line, &source.file);
            let wrong = |what| MeasureError::Table { file: file.clone(), line, what };
            let table = Table::new(item).map_err(wrong)?;
            // Each is a file of its own, by its name.
            if !names.insert(item.name.as_str()) {
                return Err(wrong(format!("name: a table `{}` is written twice", item.name)));
            }
            Ok((table, Beat::new(item.every.as_deref(), source.start, (file, line))?))
        });
        Ok(Self {
            file: source.file.clone(),
            start: source.start,
            list: list.collect::<Result<_, _>>()?,
            tables: tables.collect::<Result<_, _>>()?,
            sandbox: Sandbox::new(Limits::measure()),
            stop: Arc::default(),
            samples: Vec::new(),
        })
    }

    /// Takes what a run of a source would take first, on the world as it is planted: what fails there fails whenever it is run. A measure
    /// that is taken at the end alone finds another world by then, but no other functions.
    pub fn rehearse(&mut self, world: &Arc<World>) -> Result<(), MeasureError> {
        self.until(world, world.now().saturating_add(1))?;
        match self.end(world) {
            Err(MeasureError::Expression { source, .. })
                if !matches!(source.code(), Code::ScriptUnknownFunction | Code::ScriptUnknownVariable) =>
            {
                Ok(())
            }
            ended => ended,
        }
    }

    /// The value of each measure in a world as it stands, in their order.
    pub fn now(measured: &MeasureList, world: &Arc<World>, at: Millis) -> Result<Vec<Value>, MeasureError> {
        Self::new(measured)?.taken(world, at)
    }

    /// The same of those that are compiled already; nothing of it is kept among the samples.
    pub fn taken(&mut self, world: &Arc<World>, at: Millis) -> Result<Vec<Value>, MeasureError> {
        let before = self.samples.len();
        (0..self.list.len()).try_for_each(|index| self.take(index, world, at))?;
        Ok(self.samples.drain(before..).map(|sample| sample.value).collect())
    }

    /// The tables, with their rows so far.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().map(|(table, _)| table)
    }

    fn beats(&mut self) -> impl Iterator<Item = &mut Beat> {
        self.list.iter_mut().map(|measure| &mut measure.beat).chain(self.tables.iter_mut().map(|(_, beat)| beat))
    }

    /// How often samples are taken, of the measures and of each table; none: only at the end.
    pub fn intervals(&self) -> impl Iterator<Item = Option<Millis>> {
        let own = self.list.iter().filter_map(|measure| measure.beat.every).min();
        std::iter::once(own).chain(self.tables.iter().map(|(_, beat)| beat.every))
    }

    /// Begins with a world that has a past: what was due before was not seen, so it is not sampled.
    pub fn begin(&mut self, at: Millis) {
        let start = self.start;
        self.beats().for_each(|beat| beat.begin(at, start));
    }

    /// Lets a flag end them as soon as it is true.
    pub(super) fn heed(&mut self, stop: &Arc<AtomicBool>) {
        self.sandbox = Sandbox::heeding(Limits::measure(), stop.clone());
        self.stop = stop.clone();
    }

    /// Where they stand.
    pub(super) fn mark(&mut self) -> Mark {
        let rows = self.tables.iter().map(|(table, _)| table.rows.len()).collect();
        Mark { samples: self.samples.len(), rows, next: self.beats().map(|beat| beat.next).collect() }
    }

    /// Takes back what was taken since: the world has not come that far.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.samples.truncate(mark.samples);
        self.tables.iter_mut().zip(mark.rows).for_each(|((table, _), rows)| table.rows.truncate(rows));
        self.beats().zip(mark.next).for_each(|(beat, next)| beat.next = next);
    }

    /// Takes every sample that is due before an instant at which something closes next; none of them where it is told to stop.
    pub fn until(&mut self, world: &Arc<World>, before: Millis) -> Result<(), MeasureError> {
        let mark = self.mark();
        let taken = self.take_due(world, before);
        if matches!(taken, Err(MeasureError::Stopped)) {
            self.rewind(mark);
        }
        taken
    }

    fn take_due(&mut self, world: &Arc<World>, before: Millis) -> Result<(), MeasureError> {
        for index in 0..self.list.len() {
            while let Some(due) = self.list.get_mut(index).and_then(|measure| measure.beat.due(before)) {
                self.take(index, world, due)?;
            }
        }
        for (table, beat) in &mut self.tables {
            while let Some(due) = beat.due(before) {
                if self.stop.load(Ordering::Relaxed) {
                    return Err(MeasureError::Stopped);
                }
                table.take(world, due);
            }
        }
        Ok(())
    }

    /// Takes what is due as far as world time has come, and what is taken once, then. A stop is what it comes after, so none ends it.
    pub fn end(&mut self, world: &Arc<World>) -> Result<(), MeasureError> {
        self.heed(&Arc::default());
        let at = world.now();
        self.until(world, at.saturating_add(1))?;
        for index in 0..self.list.len() {
            if self.list.get(index).is_some_and(|measure| measure.beat.every.is_none()) {
                self.take(index, world, at)?;
            }
        }
        let once = self.tables.iter_mut().filter(|(_, beat)| beat.every.is_none());
        once.for_each(|(table, _)| table.take(world, at));
        Ok(())
    }

    fn take(&mut self, index: usize, world: &Arc<World>, at: Millis) -> Result<(), MeasureError> {
        let Some(measure) = self.list.get(index) else { return Ok(()) };
        let stream = Stream::of(&Hash::NOTHING.0, "world", 0, "measure");
        self.sandbox.begin();
        let value = self.sandbox.call(&measure.program, "measure", Vec::new(), Arc::new(Over(world.clone(), at)), stream);
        let wrong = |error| match error {
            ScriptError::Stopped { .. } => MeasureError::Stopped,
            error => MeasureError::Expression {
                file: self.file.clone(),
                line: measure.line,
                name: measure.name.clone(),
                source: Box::new(error),
            },
        };
        let sample = Sample {
            at,
            time: iso(at, crate::world::Local::of(at, world.zone()).offset),
            measure: measure.name.clone(),
            value: value.map_err(wrong)?,
            below: world.next_seq(),
        };
        self.samples.push(sample);
        Ok(())
    }
}

/// The questions that a measure may ask at an instant: everything that anybody could see, and counts over all living beings.
struct Over(Arc<World>, Millis);

impl Over {
    fn living(&self) -> impl Iterator<Item = &Arc<Being>> {
        self.0.living()
    }

    fn numbers<'a>(&'a self, path: &'a str) -> impl Iterator<Item = f64> + 'a {
        self.living().filter_map(move |being| being.qualities.read_at(path, self.1)?.as_float())
    }
}

impl Host for Over {
    fn ask(&self, what: &str, args: Vec<Value>) -> Result<Value, String> {
        let first = args.first().and_then(Value::as_str).unwrap_or_default();
        let count = |n: usize| Ok(Value::Int(n as i64));
        match what {
            "count" => match args.get(1) {
                Some(wanted) => {
                    count(self.living().filter(|being| being.qualities.read_at(first, self.1).as_deref() == Some(wanted)).count())
                }
                None => count(
                    self.living()
                        .filter(|being| being.qualities.read_at(first, self.1).is_some_and(|value| *value.as_ref() != Value::Bool(false)))
                        .count(),
                ),
            },
            "sum" => Ok(Value::number(self.numbers(first).sum()).unwrap_or_default()),
            "mean" => {
                let (sum, n) = self.numbers(first).fold((0.0, 0.0), |(sum, n), x| (sum + x, n + 1.0));
                // Of nobody there is none: the sandbox makes it a number that is none, so that a sample is empty and no plausible 0.
                Ok(if n > 0.0 { Value::number(sum / n).unwrap_or_default() } else { Value::Null })
            }
            "wearing" => count(self.living().filter(|being| being.wearing.iter().any(|role| role.as_ref() == first)).count()),
            "beings" => count(self.living().count()),
            _ => {
                let operator = self.0.being(self.0.operator()).ok_or("ended")?;
                answer(&self.0, operator, (what, first), self.1).map_err(|reason| reason.to_string())
            }
        }
    }

    fn looks_at(&self, what: &str, args: &[Value]) -> usize {
        match what {
            "see" | "why_not" => looks_for(&self.0, args).max(4),
            "signal" | "setting" | "space" | "here" => 4,
            _ => self.0.beings().len(),
        }
    }
}
