//! Screen: what is shown of a run: who is where, each moment as it becomes durable, and what it came to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use anyhow::Result;

use crate::fact::{Code, Millis, Spend, Text, Thing, harmless, visible, write_duration};
use crate::minds::{AheadCount, OutageNow};
use crate::past::{DearRoot, Report};
use crate::run::{Ran, Stopped};
use crate::world::{Local, World, address_of, iso};

use super::door::Door;
use super::moment_line::{MomentLines, MomentWriting};
use super::usage::amount;

/// The output of a running world.
pub(super) struct Screen<'a> {
    door: &'a Door,
    error: Option<anyhow::Error>,
    worn: BTreeMap<Text, Vec<Text>>,
    lines: MomentLines,
}

impl<'a> Screen<'a> {
    /// A screen of one run.
    pub(super) fn new(door: &'a Door, writing: MomentWriting) -> Self {
        Self { door, error: None, worn: BTreeMap::new(), lines: writing.lines() }
    }

    /// Shows where each being is, and what it wears.
    pub(super) fn board(&mut self, world: &World) -> Result<()> {
        if self.door.speech.is_for_programs() {
            return Ok(());
        }
        let mut board = String::new();
        let _ = writeln!(
            board,
            "== {} at {}, {} beings ==",
            world.world_setting("name").as_str().unwrap_or_default(),
            time(world.now(), world),
            world.beings().filter(|being| !being.ended).count()
        );
        for space in world.spaces().filter(|space| space.count > 0) {
            let _ = write!(board, "  {}:", address_of(world, Thing::Space(space.id)));
            for being in world.beings_in(space.id).take(12).filter_map(|id| world.being(id)) {
                let wears = world.wears(being.id, world.now());
                let worn = if wears.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", wears.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join("+"))
                };
                let _ = write!(board, " @{}{worn}", being.name);
            }
            let _ = writeln!(board, "{}", if space.count > 12 { format!(" and {} more", space.count - 12) } else { String::new() });
        }
        let mut out = std::io::stdout().lock();
        write!(out, "{}", harmless(&board))?;
        Ok(out.flush()?)
    }

    /// One moment.
    pub(super) fn moment(&mut self, report: &Report) {
        if self.error.is_some() {
            return;
        }
        let why = self.change(report);
        let lines = &mut self.lines;
        self.error = self.door.speech.write(&mut std::io::stdout().lock(), report, || format!("{}{why}", lines.line(report))).err();
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

    /// The first error of writing it, if any.
    pub(super) fn failed(&mut self) -> Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }
}

/// An instant in a world's zone.
pub(super) fn time(at: Millis, world: &World) -> String {
    iso(at, Local::of(at, world.zone()).offset)
}

/// Why it stopped.
fn stopped(ran: &Ran) -> String {
    match &ran.stopped {
        Stopped::Done => "done".to_owned(),
        Stopped::Quiet => "nobody has anything left to do".to_owned(),
        Stopped::Told => "stopped".to_owned(),
        Stopped::Broke(broken) => format!("stopped behind {broken}"),
        Stopped::WaitsFor(name) => format!("the world waits for @{name}"),
    }
}

/// The result of a run, as JSON.
pub(super) fn summary(ran: &Ran, world: &World, dearest: &[DearRoot]) -> serde_json::Value {
    let broken = if let Stopped::Broke(broken) = &ran.stopped { Some(broken) } else { None };
    let AheadCount { calls, in_vain } = ran.ahead;
    let turned_away: Vec<serde_json::Value> = ran
        .turned_away
        .iter()
        .map(|one| serde_json::json!({ "connection": one.connection, "status": one.why, "said": one.said }))
        .collect();
    let ahead = serde_json::json!({ "calls": calls, "inVain": in_vain, "vain": ran.vain });
    serde_json::json!({
        "stopped": stopped(ran), "broken": broken, "moments": ran.tally.moments(), "closings": ran.tally, "mostlyRefused": ran.tally.called.mostly_refused(), "nextSeq": ran.seq, "at": ran.at,
        "time": time(ran.at, world), "shortOf": ran.short_of, "ahead": ahead, "held": ran.held, "turnedAway": turned_away, "toApprove": world.approvals().count(), "dearest": dearest, "worldHash": world.hash(),
    })
}

/// The same, in words.
pub(super) fn words(ran: &Ran, world: &World, dearest: &[DearRoot], door: &Door) -> String {
    let began = world.being(crate::fact::BeingId::WORLD).map_or(ran.at, |being| being.born_at);
    let mut closings = if ran.tally.moments() == 0 { String::new() } else { format!("\n{}", ran.tally) };
    ran.tally.called.mostly_refused().iter().for_each(|refused| closings += &format!("\n{refused}"));
    if let AheadCount { calls, in_vain: in_vain @ 1.. } = ran.ahead {
        let paid = if ran.vain.is_nothing() { String::new() } else { format!(" (at most {} tokens)", ran.vain.tokens()) };
        closings += &format!("\nasked ahead: {calls} calls, {in_vain} of them in vain{paid}");
    }
    closings += &cost_most(dearest, world);
    ran.held.iter().for_each(|(why, names)| closings += &held(*why, names));
    ran.turned_away.iter().for_each(|one| closings += &turned_away(one));
    closings += &to_approve(world.approvals().count());
    let more = ran.short_of.map(|end| format!("; the same command goes on to {}", time(end, world))).unwrap_or_default();
    format!(
        "{}: {} moments; everything below #{} is durable in `{}`{closings}\nworld time {} ({} since its beginning){more}, world hash {}",
        stopped(ran),
        ran.tally.moments(),
        ran.seq,
        door.data.display(),
        time(ran.at, world),
        write_duration(ran.at - began),
        world.hash()
    )
}

/// The beginnings that cost most.
fn cost_most(dearest: &[DearRoot], world: &World) -> String {
    let currency = world.world_setting("llm.currency").as_str().unwrap_or_default().to_owned();
    let line = |dear: &DearRoot| {
        let spend = dear.sum.spend.minus(dear.sum.vain);
        let Spend { calls, money, .. } = spend;
        let money = if money > 0 { format!(", {currency} {}", amount(money)) } else { String::new() };
        let many = if calls == 1 { "call" } else { "calls" };
        let began = dear.began.as_deref().map_or_else(|| format!("what began with {}", dear.root), visible);
        format!("\n  {calls} {many}, {} tokens{money}: {began}", spend.tokens())
    };
    if dearest.is_empty() { String::new() } else { format!("\ncost most:{}", dearest.iter().map(line).collect::<String>()) }
}

/// How many requests to the outside wait for somebody's leave.
fn to_approve(waiting: usize) -> String {
    match waiting {
        0 => String::new(),
        1 => "\n1 request waits to be approved: `reelm outbox` shows it".to_owned(),
        many => format!("\n{many} requests wait to be approved: `reelm outbox` shows them"),
    }
}

/// How many of those who wait are named.
const NAMED: usize = 3;

/// Why a connection is asked no more, in the words of its provider.
fn turned_away(OutageNow { connection, why, said, .. }: &OutageNow) -> String {
    let said = said.as_ref().map(|said| format!(" \"{said}\"")).unwrap_or_default();
    format!("\nnot asked again: `llm.{connection}`, since its provider answered {why}{said}; the next run asks it once")
}

/// Names those who wait and cannot be asked, with what is lacking.
fn held(why: Code, names: &[Text]) -> String {
    let named: Vec<String> = names.iter().take(NAMED).map(|name| format!("@{name}")).collect();
    let others = names.len().saturating_sub(NAMED);
    let more = if others > 0 { format!(" and {others} more") } else { String::new() };
    format!("\nnot asked: {}{more} ({why}: {})", named.join(", "), why.sentence())
}
