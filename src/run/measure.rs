//! Measures: named expressions over a world, sampled at instants of its time.

use std::sync::Arc;

use crate::fact::{Hash, Millis, Text, Value, parse_duration};
use crate::script::{Host, Limits, Program, Sandbox, ScriptError, Stream};
use crate::verb::answer;
use crate::world::{World, iso};

use super::source::Source;

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
}

/// One sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// When.
    pub at: Millis,
    /// The same, as people read it.
    pub time: String,
    /// Which measure.
    pub measure: String,
    /// What it came to.
    pub value: Value,
}

struct Measure {
    name: String,
    line: usize,
    program: Program,
    every: Option<Millis>,
    next: Millis,
}

/// The measures of a source, and where each stands.
pub struct Measures {
    file: String,
    list: Vec<Measure>,
    sandbox: Sandbox,
    /// All samples so far, in order.
    pub samples: Vec<Sample>,
}

impl Measures {
    /// Compiles the measures of a source; the first samples are taken at the world's start.
    pub fn new(source: &Source) -> Result<Self, MeasureError> {
        let list = source.measures.iter().map(|written| {
            let (item, line, file) = (&written.item, written.line, source.file.clone());
            let text: Text = format!("fn measure() {{ {} }}", item.value).into();
            Sandbox::check(&text, &file, "measure", 0).map_err(|error| MeasureError::Expression {
                file: file.clone(),
                line,
                name: item.name.clone(),
                source: Box::new(error),
            })?;
            let every = match &item.every {
                None => None,
                Some(every) => Some(parse_duration(every).filter(|ms| *ms > 0).ok_or_else(|| MeasureError::Interval {
                    file: file.clone(),
                    line,
                    found: every.clone(),
                })?),
            };
            let program = Program { hash: Hash::of(text.as_bytes()), file: Text::from(file), source: text };
            Ok(Measure { name: item.name.clone(), line, program, every, next: source.start })
        });
        Ok(Self {
            file: source.file.clone(),
            list: list.collect::<Result<_, _>>()?,
            sandbox: Sandbox::new(Limits::measure()),
            samples: Vec::new(),
        })
    }

    /// Begins with a world that has a past: what was due before was not seen, so it is not sampled.
    pub fn begin(&mut self, at: Millis) {
        for measure in &mut self.list {
            if let Some(every) = measure.every.filter(|_| measure.next < at) {
                let missed = (at - measure.next + every - 1) / every;
                measure.next = measure.next.saturating_add(missed.saturating_mul(every));
            }
        }
    }

    /// Takes every sample that falls due before an instant: the world is as it has been since its last frame.
    pub fn until(&mut self, world: &Arc<World>, at: Millis) -> Result<(), MeasureError> {
        for index in 0..self.list.len() {
            while let Some(due) =
                self.list.get(index).filter(|measure| measure.every.is_some() && measure.next < at).map(|measure| measure.next)
            {
                self.take(index, world, due)?;
                if let Some(measure) = self.list.get_mut(index) {
                    measure.next = due.saturating_add(measure.every.unwrap_or(Millis::MAX));
                }
            }
        }
        Ok(())
    }

    /// Takes the last sample of each.
    pub fn end(&mut self, world: &Arc<World>) -> Result<(), MeasureError> {
        let at = world.at();
        self.until(world, at)?;
        (0..self.list.len()).try_for_each(|index| self.take(index, world, at))
    }

    fn take(&mut self, index: usize, world: &Arc<World>, at: Millis) -> Result<(), MeasureError> {
        let Some(measure) = self.list.get(index) else { return Ok(()) };
        let stream = Stream::of(&Hash::NOTHING.0, "world", 0, "measure");
        let value = self.sandbox.call(&measure.program, "measure", Vec::new(), Arc::new(Over(world.clone())), stream);
        let wrong = |error| MeasureError::Expression {
            file: self.file.clone(),
            line: measure.line,
            name: measure.name.clone(),
            source: Box::new(error),
        };
        let sample = Sample {
            at,
            time: iso(at, crate::world::Local::of(at, world.zone()).offset),
            measure: measure.name.clone(),
            value: value.map_err(wrong)?,
        };
        self.samples.push(sample);
        Ok(())
    }
}

/// What a measure may ask: everything that anybody could see, and counts over all living beings.
struct Over(Arc<World>);

impl Over {
    fn living(&self) -> impl Iterator<Item = &Arc<crate::world::Being>> {
        // Those of genesis run the world; they do not live in it.
        self.0.beings().filter(|being| !being.ended && being.id.0.seq > 0)
    }

    fn numbers<'a>(&'a self, path: &'a str) -> impl Iterator<Item = f64> + 'a {
        self.living().filter_map(move |being| being.qualities.at(path).and_then(Value::as_float))
    }
}

impl Host for Over {
    fn ask(&self, what: &str, args: Vec<Value>) -> Result<Value, String> {
        let first = args.first().and_then(Value::as_str).unwrap_or_default();
        let count = |n: usize| Ok(Value::Int(n as i64));
        match what {
            "count" => match args.get(1) {
                Some(wanted) => count(self.living().filter(|being| being.qualities.at(first) == Some(wanted)).count()),
                None => {
                    count(self.living().filter(|being| being.qualities.at(first).is_some_and(|value| *value != Value::Bool(false))).count())
                }
            },
            "sum" => Ok(Value::number(self.numbers(first).sum()).unwrap_or_default()),
            "mean" => {
                let (sum, n) = self.numbers(first).fold((0.0, 0.0), |(sum, n), x| (sum + x, n + 1.0));
                Ok(Value::number(if n > 0.0 { sum / n } else { 0.0 }).unwrap_or_default())
            }
            "wearing" => count(self.living().filter(|being| being.wearing.iter().any(|role| role.as_ref() == first)).count()),
            "beings" => count(self.living().count()),
            _ => {
                let operator = self.0.being(self.0.operator()).ok_or("ended")?;
                answer(&self.0, operator, what, first).map_err(|reason| reason.to_string())
            }
        }
    }
}
