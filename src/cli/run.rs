//! `run`: plants a world or goes on with it, and shows it living.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::fact::{Text, Thing, parse_duration, write_duration};
use crate::run::{
    Cassette, Course, Endpoints, Living, Measures, Minds, Pace, Ran, Recorder, Reins, Report, Source, Stopped, Until, When, warnings,
};
use crate::verb::address_of;
use crate::world::{Local, World, iso};

use super::{Door, Ended};

/// Runs a world: plants its source where there is no world yet, else goes on
#[derive(Args)]
#[command(after_help = "Example: reelm run fixtures/worlds/skateco --data /tmp/skateco --for 1d

On a terminal, without --for, --moments or --until, the world runs at 60 times the speed of the clock until Ctrl-C;
otherwise it runs as fast as it can, and without any of them for one day of world time. While a paced world runs on a terminal,
Enter pauses it and lets it go on, s takes one step, a number sets the pace, and q stops.")]
pub struct Run {
    /// The directory of a world source; may be left out where the world is there already
    source: Option<PathBuf>,
    /// Stop after so much world time, such as 8h or 1d
    #[arg(long = "for", value_name = "DURATION")]
    duration: Option<String>,
    /// Stop after so many moments (at the end of their round)
    #[arg(long)]
    moments: Option<u64>,
    /// Stop as soon as a condition holds, such as 'when {"world.skateco.boards": {"gte": 10}}'
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
    /// Another seed than the source's; only for a new world
    #[arg(long)]
    seed: Option<u64>,
    /// How many threads think and sign; the result is the same
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// So many times the speed of the clock
    #[arg(long, value_name = "TIMES", conflicts_with = "realtime")]
    pace: Option<f64>,
    /// With the wall clock
    #[arg(long)]
    realtime: bool,
    /// Write the source's measures to a CSV file
    #[arg(long, value_name = "FILE")]
    measures: Option<PathBuf>,
    /// Write what language models answer to a cassette, one line of JSON for each request
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    record: Option<PathBuf>,
    /// Let a cassette answer instead of language models
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Show nothing but the end
    #[arg(long, short)]
    quiet: bool,
}

impl Run {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let threads = self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into)).clamp(1, 256);
        let (pace, until) = self.course()?;
        until.when.iter().flat_map(When::warnings).for_each(|warning| door.warn(&format!("--until: {warning}")));
        let source = self.source.as_deref().map(Source::read).transpose()?;
        if let Some(source) = source.as_ref().filter(|_| !self.quiet) {
            warnings(source).iter().for_each(|warning| door.warn(warning));
        }
        // Measures are read before anything is written: a fault in them is a fault of the source.
        let mut measures = match (&self.measures, &source) {
            (Some(_), Some(source)) => Some(Measures::new(source)?),
            (Some(_), None) => bail!("--measures needs the SOURCE whose measures are to be taken"),
            (None, _) => None,
        };
        if let Some(file) = &self.measures {
            // A file that cannot be written is said before the run, not after it.
            std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(file)
                .with_context(|| format!("--measures: cannot write `{}`", file.display()))?;
        }
        let minds = self.minds()?;
        let mut living = open_or_plant(door, source.as_ref(), self.seed, true, threads)?;
        if let Some(minds) = minds {
            living.asking(minds);
        }
        let reins = Reins::default();
        stop_on_signal(reins.clone())?;
        if pace != Pace::Virtual && !self.quiet && !door.json && std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
            steer(reins.clone());
        }
        let mut screen = Screen::new(door);
        if !self.quiet {
            screen.board(living.world())?;
        }
        let mut watch = |report: &Report| screen.moment(report);
        let course =
            Course { pace, until, reins: &reins, watch: if self.quiet { None } else { Some(&mut watch) }, measures: measures.as_mut() };
        let ran = living.run(course)?;
        let (world, _) = living.stop()?;
        screen.failed()?;
        if let (Some(file), Some(measures)) = (&self.measures, &measures) {
            super::measure::write(file, &measures.samples)?;
        }
        if !self.quiet && !door.json {
            screen.board(&world)?;
        }
        door.say(&summary(&ran, &world), || words(&ran, &world, door))?;
        Ok(Ended::Well)
    }

    /// Who answers in place of the endpoints, or writes down what they say.
    fn minds(&self) -> Result<Option<Box<dyn Minds>>> {
        Ok(match (&self.from, &self.record) {
            (Some(from), _) => Some(Box::new(Cassette::read(from)?)),
            (None, Some(record)) => Some(Box::new(Recorder::new(Box::new(Endpoints::default()), record)?)),
            (None, None) => None,
        })
    }

    fn course(&self) -> Result<(Pace, Until)> {
        let duration = self
            .duration
            .as_deref()
            .map(|text| parse_duration(text).with_context(|| format!("--for: expected a duration such as 8h or 1d, found `{text}`")))
            .transpose()?;
        let when: Option<When> = self.until.as_deref().map(str::parse).transpose().context("--until")?;
        if let Some(times) = self.pace.filter(|times| Pace::times(*times).is_none()) {
            bail!("--pace: expected a number of at least 0.01 and at most 600, found {times}");
        }
        let is_open = duration.is_none() && self.moments.is_none() && when.is_none();
        let pace = match (self.realtime, self.pace) {
            (true, _) => Pace::Real,
            (false, Some(times)) => Pace::Times(times),
            (false, None) if is_open && std::io::stdout().is_terminal() => Pace::Times(60.0),
            (false, None) => Pace::Virtual,
        };
        let day = (is_open && pace == Pace::Virtual).then_some(24 * 60 * 60 * 1000);
        Ok((pace, Until { duration: duration.or(day), moments: self.moments, when }))
    }
}

/// Goes on with the world of `--data`, or plants the source there.
pub(super) fn open_or_plant(door: &Door, source: Option<&Source>, seed: Option<u64>, simulated: bool, threads: usize) -> Result<Living> {
    if !Living::is_planted(&door.data)? {
        let Some(source) = source else {
            bail!("there is no world in `{}` yet; name a SOURCE to plant, such as fixtures/worlds/skateco", door.data.display());
        };
        let plant = if simulated { Living::plant } else { Living::plant_secret };
        return Ok(plant(source, seed, &door.data, threads)?);
    }
    let (living, recovery) = Living::open(&door.data, threads)?;
    if recovery.cut_bytes > 0 {
        tracing::warn!(
            bytes = recovery.cut_bytes,
            "the log ended in a torn group, which was cut; if nothing but a crash tore it, it was never acknowledged"
        );
    }
    let name = living.world().config_text("name").unwrap_or_default();
    if let Some(source) = source.filter(|source| source.name != name) {
        bail!("`{}` holds the world `{name}`, not `{}`; choose another --data", door.data.display(), source.name);
    }
    if let Some(seed) = seed.filter(|seed| living.world().config_int("seed", 0) != *seed as i64) {
        bail!(
            "`{}` was planted with the seed {}, not {seed}; leave --seed out to go on, or choose another --data",
            door.data.display(),
            living.world().config_int("seed", 0)
        );
    }
    Ok(living)
}

/// Set by Ctrl-C or SIGTERM: the run stops at the next border. A second Ctrl-C ends the process at once, which loses nothing durable.
pub(super) fn stop_on_signal(reins: Reins) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot listen for signals")?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) else { return };
            loop {
                tokio::select! {
                    heard = tokio::signal::ctrl_c() => if heard.is_err() { return },
                    _ = terminate.recv() => {}
                }
                if reins.stop() {
                    std::process::exit(130);
                }
            }
        });
    });
    Ok(())
}

/// Takes up what is typed while a world runs on a terminal.
fn steer(reins: Reins) {
    println!("Enter pauses and goes on, s takes one step, a number such as 120 sets the pace, q stops.");
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if !obey(&reins, line.trim()) {
                println!("Enter, s, q, or a pace at least 0.01 and at most 600; found `{}`", line.trim());
            }
        }
    });
}

/// Whether what was typed means anything.
fn obey(reins: &Reins, line: &str) -> bool {
    match (line, line.trim_start_matches('x').parse::<f64>()) {
        ("", _) => {
            reins.toggle();
            println!("{}", if reins.is_paused() { "paused" } else { "going on" });
        }
        ("s", _) => reins.step(),
        ("q", _) => drop(reins.stop()),
        (_, Ok(times)) => match Pace::times(times) {
            Some(pace) => reins.set_pace(pace),
            None => return false,
        },
        _ => return false,
    }
    true
}

/// What is shown while a world runs.
struct Screen<'a> {
    door: &'a Door,
    error: Option<anyhow::Error>,
    worn: BTreeMap<Text, Vec<Text>>,
}

impl<'a> Screen<'a> {
    fn new(door: &'a Door) -> Self {
        Self { door, error: None, worn: BTreeMap::new() }
    }

    /// Who is where, and what they wear.
    fn board(&mut self, world: &World) -> Result<()> {
        if self.door.json {
            return Ok(());
        }
        let mut out = std::io::stdout().lock();
        let offset = Local::of(world.at(), world.zone()).offset;
        writeln!(
            out,
            "== {} at {}, {} beings ==",
            world.config_text("name").unwrap_or("world"),
            iso(world.at(), offset),
            world.beings().filter(|being| !being.ended).count()
        )?;
        for space in world.spaces().filter(|space| space.count > 0) {
            write!(out, "  {}:", address_of(world, Thing::Space(space.id)))?;
            for being in world.beings_in(space.id).take(12).filter_map(|id| world.being(id)) {
                let wears: Vec<&str> = being.wearing.iter().map(AsRef::as_ref).collect();
                let worn = if wears.is_empty() { String::new() } else { format!(" ({})", wears.join("+")) };
                write!(out, " @{}{worn}", being.name)?;
            }
            writeln!(out, "{}", if space.count > 12 { format!(" and {} more", space.count - 12) } else { String::new() })?;
        }
        Ok(out.flush()?)
    }

    fn moment(&mut self, report: &Report) {
        if self.error.is_some() {
            return;
        }
        let why = self.change(report);
        let shown = if self.door.json { serde_json::to_string(report).map_err(anyhow::Error::from) } else { Ok(format!("{report}{why}")) };
        let mut out = std::io::stdout().lock();
        self.error = shown.and_then(|line| writeln!(out, "{line}").map_err(anyhow::Error::from)).err();
    }

    /// Why a being wears what it wears, said where that has changed.
    fn change(&mut self, report: &Report) -> String {
        let before = self.worn.insert(report.being.clone(), report.stack.clone());
        match (&report.why, before) {
            (Some(why), before) if before.as_ref() != Some(&report.stack) => {
                format!("\n      wears {} because {why}", report.stack.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join("+"))
            }
            _ => String::new(),
        }
    }

    fn failed(&mut self) -> Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }
}

fn stopped(ran: &Ran) -> String {
    match &ran.stopped {
        Stopped::Done => "done".to_owned(),
        Stopped::Quiet => "nobody has anything left to do".to_owned(),
        Stopped::Told => "stopped".to_owned(),
        Stopped::WaitsFor(name) => format!("the world waits for @{name}"),
    }
}

fn summary(ran: &Ran, world: &World) -> serde_json::Value {
    serde_json::json!({
        "stopped": stopped(ran), "moments": ran.moments, "nextSeq": ran.seq, "at": ran.at,
        "time": iso(ran.at, Local::of(ran.at, world.zone()).offset), "worldHash": world.hash(),
    })
}

fn words(ran: &Ran, world: &World, door: &Door) -> String {
    let offset = Local::of(ran.at, world.zone()).offset;
    let began = world.being(crate::fact::BeingId::WORLD).map_or(ran.at, |being| being.born_at);
    format!(
        "{}: {} moments; everything below #{} is durable in `{}`\nworld time {} ({} since its beginning), world hash {}",
        stopped(ran),
        ran.moments,
        ran.seq,
        door.data.display(),
        iso(ran.at, offset),
        write_duration(ran.at - began),
        world.hash()
    )
}
