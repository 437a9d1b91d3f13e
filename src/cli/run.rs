//! `run`: plants a world or goes on with it, and shows it living.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::fact::{Code, Millis, Value};
use crate::minds::{Cassette, Completed, Minds, Recorder, Tape};
use crate::past::{History, Report, Usage};
use crate::run::{Breakpoint, Course, End, Living, Measures, Pace, Reins, Until};
use crate::source::{MeasureList, Source, warnings};
use crate::world::{Local, World};

use super::door::{Door, Ended};
use super::given::{self, AskedAhead};
use super::ground::{Manner, every_core, open_or_plant, put_beside};
use super::moment_line::MomentWriting;
use super::progress::ShownRun;
use super::samples::Samples;
use super::screen::{Screen, summary, words};
use super::steer::{steer, stop_on_signal};

/// Runs a world: plants its source where there is no world yet, else goes on
#[derive(Args)]
#[command(after_help = "Example: reelm run skateco --data /tmp/skateco --for 1d

On a terminal, without --for, --moments or --until, the world runs at 60 times the speed of the clock until Ctrl-C;
otherwise it runs as fast as it can, and without any of them for one day of world time. While a paced world runs on a terminal,
Enter pauses it and lets it go on, s takes one step, a number sets the pace, and q stops.")]
pub struct Run {
    /// The directory of a world source; may be left out where the world is there already, and in the source's own folder
    source: Option<PathBuf>,
    /// Stop after so much world time, such as 8h or 1d
    #[arg(long = "for", value_name = "DURATION", value_parser = given::duration)]
    duration: Option<Millis>,
    /// Stop after so many moments (at the end of their round)
    #[arg(long)]
    moments: Option<u64>,
    /// Stop at an instant of world time, such as 2026-03-02T18:00:00, or as soon as a condition holds, such as
    /// 'when {"world.skateco.boards": {"gte": 10}}'
    #[arg(long, value_name = "INSTANT|WHEN", value_parser = given::end)]
    until: Option<End>,
    /// Stand still behind the round of the moment with which a condition comes to hold, such as 'when {"moment.closing": "refused"}'; may be
    /// said again. Where no keys let it go on, the run ends there, and the same command goes on
    #[arg(long = "break", value_name = "WHEN", value_parser = given::breakpoint)]
    breaks: Vec<Breakpoint>,
    /// Another seed than the source's; only for a new world
    #[arg(long)]
    seed: Option<u64>,
    /// Begin the world of the source again: what lies in --data stays beside it, as `world-1`; asks first
    #[arg(long, requires = "source")]
    anew: bool,
    /// With --anew: ask nobody
    #[arg(long, requires = "anew")]
    yes: bool,
    /// Go on with a world that has lost acknowledged history; `@world` records how much
    #[arg(long)]
    accept_loss: bool,
    /// Let the world spend so much more on models, such as calls=10 or tokens=20000,money=0.5: a fork asks none without a budget of its own
    #[arg(long, value_name = "LIMITS", value_parser = given::budget)]
    budget: Option<Value>,
    /// How many threads think and sign; the result is the same
    #[arg(long, value_name = "N", value_parser = given::threads())]
    threads: Option<usize>,
    /// So many times the speed of the clock
    #[arg(long, value_name = "TIMES", conflicts_with = "realtime", value_parser = given::pace)]
    pace: Option<Pace>,
    /// With the wall clock
    #[arg(long)]
    realtime: bool,
    /// Write the measures of the source, or of the world where none is named, to a CSV file; one that is there already is gone on with
    #[arg(long, value_name = "FILE")]
    measures: Option<PathBuf>,
    /// Write what language models answer to a cassette, one line of JSON for each request; with --from, what that one lacks is added to it
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Let a cassette answer instead of language models; with --record, they are asked what it lacks
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// How long Ctrl-C waits for the answers of models that are under way; a second one stops at once
    #[arg(long, value_name = "DURATION", value_parser = given::wait, default_value = "30s")]
    grace: Duration,
    #[command(flatten)]
    ahead: AskedAhead,
    /// Exit with 1 where a thought failed, a wake became a dead letter, or an operation was refused in more than half of its calls
    #[arg(long)]
    strict: bool,
    /// Show nothing but the end
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    writing: MomentWriting,
}

/// How many of the beginnings that cost most are named.
const DEAREST: usize = 3;

/// The measures, and the file of their samples.
type Sampled = (Measures, Samples);

impl Run {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let source = self.source(door)?;
        // Measures are read before anything is written: a fault in them is a fault of the source.
        let measured = source.as_ref().map(MeasureList::of_source);
        let read = measured.as_ref().map(|measured| self.measures(measured)).transpose()?.flatten();
        let mut living = self.open(door, source.as_ref())?;
        let mut measures = self.measures_of(door, living.world(), measured, read)?;
        if let Some((_, samples)) = &measures {
            warn_of_gaps(door, samples, living.world())?;
        }
        let paid = living.world().paid().clone();
        let (pace, reins, mut screen) = (self.pace(), Reins::default(), Screen::new(door, self.writing));
        self.hold(door, &reins)?;
        if !self.quiet {
            screen.board(living.world())?;
        }
        let mut watch = |report: &Report| screen.moment(report);
        let until = self.until(living.world(), pace);
        let shown = self.shown(door, &reins, living.world(), &until);
        if let Some(instant) = until.instant.filter(|instant| *instant <= living.world().now()) {
            let (now, zone) = (living.world().now(), living.world().zone());
            let told = |at| Local::of(at, zone).iso();
            door.warn(&format!("--until {} is not ahead: the world stands at {}, so nothing is run", told(instant), told(now)));
        }
        let course = Course {
            pace,
            until,
            reins: &reins,
            watch: if self.quiet { None } else { Some(&mut watch) },
            measures: measures.as_mut().map(|(measures, _)| measures),
        };
        let ran = living.run(course);
        drop(shown);
        let stopped = living.stop();
        // The samples are of durable frames, even where a measure failed and ended the run.
        if let (Some((measures, samples)), Ok(_)) = (&measures, &stopped) {
            samples.add(measures)?;
        }
        let (ran, (world, _)) = (ran?, stopped?);
        screen.failed()?;
        if !self.quiet && !door.speech.is_for_programs() {
            screen.board(&world)?;
        }
        let mut used = Usage::default();
        used.pay(world.paid(), &paid);
        let dearest = if used.roots.is_empty() { Vec::new() } else { History::of(&door.data)?.dearest(&used, DEAREST, &world)? };
        door.say(&summary(&ran, &world, &dearest), || words(&ran, &world, &dearest, door))?;
        if let Some(failures) = ran.tally.failures().filter(|_| self.strict) {
            bail!("--strict: {failures}; `reelm find --closing failed`, `--closing dead-letter` and `--closing refused` list them");
        }
        if let Some(names) = ran.held.get(&Code::ConnectionHeld) {
            let many = if names.len() == 1 { "being waits" } else { "beings wait" };
            bail!(
                "{} {many} for a connection whose provider answers nobody; mend its key, its account, its address or its model, and run again",
                names.len()
            );
        }
        Ok(Ended::Well)
    }

    /// The world's source, where one is named, with what may not be meant in it and in the command line.
    fn source(&self, door: &Door) -> Result<Option<Source>> {
        if let Some(End::When(when)) = &self.until {
            when.warnings().iter().for_each(|warning| door.warn(&format!("--until: {warning}")));
        }
        let here = if self.source.is_none() { door.source_here()? } else { None };
        let source = self.source.as_deref().or(here.as_deref()).map(Source::read).transpose()?;
        if let Some(source) = source.as_ref().filter(|_| !self.quiet) {
            source.notes.iter().for_each(|note| door.note(note));
            warnings(source).iter().for_each(|warning| door.warn(warning));
        }
        Ok(source)
    }

    /// The measures to take during the run, and the file for their samples, if one is named.
    fn measures(&self, measured: &MeasureList) -> Result<Option<Sampled>> {
        let measures = Measures::new(measured)?;
        let Some(file) = &self.measures else { return Ok(None) };
        let samples = Samples::open(file, &measures)?;
        if let Some(file) = samples.begun().filter(|_| self.anew) {
            bail!("--measures: `{}` tells of the world until now; name another file for the one that begins", file.display());
        }
        Ok(Some((measures, samples)))
    }

    /// The same, or where no source is named that of the world.
    fn measures_of(&self, door: &Door, world: &World, named: Option<MeasureList>, read: Option<Sampled>) -> Result<Option<Sampled>> {
        let own = MeasureList::of_world(world);
        match named {
            _ if self.measures.is_none() => Ok(None),
            Some(named) => {
                if !named.is_same(&own) {
                    door.warn(&format!(
                        "`{}` measures something else than the world does; `reelm apply` gives it to the world",
                        named.file
                    ));
                }
                Ok(read)
            }
            None if own.is_nothing() => {
                bail!("--measures: nothing is measured of this world; name a source that has measures, and `reelm apply` it")
            }
            None => self.measures(&own),
        }
    }

    /// The world that is to go on, with the minds that it is to ask.
    fn open(&self, door: &Door, source: Option<&Source>) -> Result<Living> {
        let (cassette, tape) = self.tapes()?;
        let threads = self.threads.unwrap_or_else(every_core);
        if let Some(source) = source.filter(|_| self.anew) {
            put_beside(door, source, (self.seed, self.yes))?;
        }
        let manner = Manner { seed: self.seed, simulated: true, accept_loss: self.accept_loss, threads };
        let mut living = open_or_plant(door, source, manner)?;
        if let Some(budget) = &self.budget {
            living.grant(budget)?;
        }
        // Asked for once the world is open: before, what is under way in it may be another's.
        let endpoints = Living::endpoints(Some(&door.data), self.ahead.terms())?;
        let recorded: Box<dyn Minds> = match tape {
            Some(tape) => Box::new(Recorder::new(endpoints, tape)),
            None => endpoints,
        };
        living.asking(match cassette {
            Some(cassette) if self.record.is_some() => Box::new(Completed::new(cassette, recorded)),
            Some(cassette) => Box::new(cassette),
            None => recorded,
        });
        Ok(living)
    }

    /// Puts signals and, where somebody watches a clock go, keys to the reins.
    fn hold(&self, door: &Door, reins: &Reins) -> Result<()> {
        reins.set_grace(self.grace);
        reins.set_breaks(self.breaks.clone());
        stop_on_signal(reins.clone())?;
        let is_watched = !self.quiet && !door.speech.is_for_programs() && std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        if is_watched && self.pace() != Pace::Virtual {
            steer(reins.clone());
        } else {
            reins.end_at_breaks();
        }
        Ok(())
    }

    /// The cassette that answers, and what is written down on one: looked at before anything of a world is.
    fn tapes(&self) -> Result<(Option<Cassette>, Option<Tape>)> {
        let cassette = self.from.as_deref().map(Cassette::read).transpose()?;
        let tape = match (&self.from, &self.record) {
            (Some(from), Some(record)) => {
                begin_with(record, from)?;
                Some(Tape::adding(record)?)
            }
            (None, Some(record)) if holds_anything(record) => bail!(
                "--record `{0}` is there already; `--from {0} --record {0}` goes on with its answers, or name a file that is not there yet",
                record.display()
            ),
            (None, Some(record)) => Some(Tape::new(record)?),
            (_, None) => None,
        };
        Ok((cassette, tape))
    }

    /// Whether anything says when it ends.
    fn is_open(&self) -> bool {
        self.duration.is_none() && self.moments.is_none() && self.until.is_none()
    }

    fn pace(&self) -> Pace {
        match (self.realtime, self.pace) {
            (true, _) => Pace::Real,
            (false, Some(pace)) => pace,
            (false, None) if self.is_open() && std::io::stdout().is_terminal() => Pace::Times(60.0),
            (false, None) => Pace::Virtual,
        }
    }

    /// How far it has come is shown where its moments are not.
    fn shown(&self, door: &Door, reins: &Reins, world: &World, until: &Until) -> Option<ShownRun> {
        let is_shown = self.quiet && !door.speech.is_for_programs() && std::io::stderr().is_terminal();
        let (now, zone) = (world.now(), world.zone());
        let end = until.instant.or(until.duration.map(|duration| now.saturating_add(duration)));
        is_shown.then(|| ShownRun::new(reins.clone(), (now, end), move |at| Local::of(at, zone).iso()))
    }

    fn until(&self, world: &World, pace: Pace) -> Until {
        let day = (self.is_open() && pace == Pace::Virtual).then_some(24 * 60 * 60 * 1000);
        let mut until = Until { duration: self.duration.or(day), moments: self.moments, ..Until::default() };
        match &self.until {
            Some(End::When(when)) => until.when = Some(when.clone()),
            Some(End::At(instant)) => until.instant = Some(instant.in_zone(world.zone())),
            None => {}
        }
        until
    }
}

/// Has a cassette begin with what another holds; the same file does so already.
fn begin_with(record: &Path, from: &Path) -> Result<()> {
    if !record.exists() {
        std::fs::copy(from, record).with_context(|| format!("cannot write the cassette `{}`", record.display()))?;
    }
    if record.canonicalize()? != from.canonicalize()? && std::fs::read(record)? != std::fs::read(from)? {
        bail!(
            "--record `{}` holds other answers than --from `{}`; name the same file, or one that is not there yet",
            record.display(),
            from.display()
        );
    }
    Ok(())
}

/// Whether a file is there that holds anything.
fn holds_anything(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() > 0)
}

/// Says which files lack samples of what the world has lived already.
fn warn_of_gaps(door: &Door, samples: &Samples, world: &World) -> Result<()> {
    for file in samples.fit(world)? {
        door.warn(&format!(
            "`{}` lacks samples of what this world has lived since; `reelm measure --out FILE` takes all of them from its history",
            file.display()
        ));
    }
    Ok(())
}
