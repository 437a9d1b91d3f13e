//! With: `replay --with`: what other code would have done in each recorded moment, told in words, as JSON and as JUnit.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;

use crate::cognition::Request;
use crate::past::Point;
use crate::replay::{AsksAnew, Deeds, RetakeCount, Retakes, retake};
use crate::source::{OtherCode, OtherName};

use super::anew::{Anew, AskingAnew, say_plan, told_asked};
use super::door::{Door, Ended};
use super::junit::{JunitCase, write_junit};

/// How many roles are told of by name.
const ROLES_TOLD: usize = 200;
/// How many kinds of deeds are told of as sentences.
const DEEDS_TOLD: usize = 3;
/// How many moments are told of in words of which nobody knows.
const UNKNOWN_TOLD: usize = 3;

/// The other code with which a history is walked.
#[derive(Args)]
pub(super) struct With {
    /// Say what other code would have done in each recorded moment: roles (judge.md), scripts (judge.rhai), folders of them, extensions, folders
    /// of those, or the directory of a source
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["being", "file"])]
    with: Vec<PathBuf>,
    /// With other code: begin here
    #[arg(long, value_name = "POINT", default_value = "0", requires = "with")]
    from: Point,
    /// With other code: take no moment behind this point
    #[arg(long, value_name = "POINT", default_value = "now", requires = "with")]
    to: Point,
    /// With other code: write what came out as JUnit XML, one test case a role
    #[arg(long, value_name = "FILE", requires = "with")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    anew: Anew,
}

impl With {
    /// Whether there is other code at all.
    pub(super) fn is_wanted(&self) -> bool {
        !self.with.is_empty()
    }

    /// Runs.
    pub(super) fn run(self, door: &Door) -> Result<Ended> {
        let mut code = OtherCode::read(&self.with)?;
        let history = door.history()?;
        let within = history.span_of(&self.from, &self.to)?;
        if within.is_empty() {
            bail!("expected --to behind --from, found {} and {}", within.start, within.end);
        }
        let ends = history.world_at(within.end)?;
        let left = code.fit(ends.registry(), history.planted()?)?;
        let kept = code.recast.kept(&ends);
        let names: Vec<String> = code.names().map(ToString::to_string).collect();
        let mut asking = self.anew.asking()?;
        let mut ask = |requests: &[Request]| asking.as_mut().map_or_else(Vec::new, |asking| asking.ask(requests));
        let asks = self.anew.is_wanted().then(|| AsksAnew { at_once: self.anew.at_once(), ask: &mut ask });
        let (retakes, deeds) = retake(&history, code.recast, within.clone(), asks)?;
        if self.anew.is_plan() {
            return say_plan(door, &retakes);
        }
        let spent = asking.as_ref().map(AskingAnew::spent);
        let mut all = json!({
            "from": within.start, "to": within.end, "code": names, "left": left.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "kept": kept, "same": retakes.all.same, "differs": retakes.all.differs, "unknown": retakes.all.unknown,
            "byRole": retakes.by_role, "byPart": retakes.by_part, "first": retakes.first, "firstUnknown": retakes.first_unknown,
            "ends": deeds.ends(), "byDeed": deeds.otherwise(),
        });
        if let Some((all, spent)) = all.as_object_mut().zip(spent) {
            all.extend([("asked".to_owned(), json!(retakes.asked)), ("spent".to_owned(), json!(spent))]);
        }
        door.say(&all, || {
            words(&retakes, &deeds, (&names, &left, &kept)) + spent.map_or_else(String::new, |spent| told_asked(&retakes, spent)).as_str()
        })?;
        if let Some(file) = &self.junit {
            write_junit(file, &format!("replay --with, frames {} to {}", within.start, within.end), &cases(&retakes))?;
        }
        match asking.map_or(Ok(()), AskingAnew::settled) {
            Err(error) if retakes.all.differs == 0 => Err(error),
            // A known difference outranks an error.
            _ => Ok(if retakes.all.differs == 0 { Ended::Well } else { Ended::Differs }),
        }
    }
}

fn words(retakes: &Retakes, deeds: &Deeds, (names, left, kept): (&[String], &[OtherName], &[String])) -> String {
    let mut lines = vec![format!("with {}: {}", listed(names), counted(&retakes.all))];
    lines.extend(deeds.sentences(DEEDS_TOLD));
    if !left.is_empty() {
        let left: Vec<String> = left.iter().map(ToString::to_string).collect();
        lines.push(format!("left out, because the world has none: {}", listed(&left)));
    }
    if !kept.is_empty() {
        lines.push(format!("kept from where the history has set it otherwise: {}", listed(kept)));
    }
    let parts: Vec<String> = retakes.by_part.iter().map(|(part, count)| format!("{} {count}", part.word())).collect();
    if !parts.is_empty() {
        lines.push(format!("by what differs: {}", parts.join(", ")));
    }
    let otherwise = |(_, count): &(_, &RetakeCount)| count.differs + count.unknown > 0;
    let roles: Vec<_> = retakes.by_role.iter().filter(otherwise).collect();
    lines.extend(roles.iter().take(ROLES_TOLD).map(|(role, count)| format!("  {role}: {}", counted(count))));
    if roles.len() > ROLES_TOLD {
        lines.push(format!("  … {} more roles", roles.len() - ROLES_TOLD));
    }
    lines.extend(retakes.first.iter().map(|retake| format!("\n{retake}")));
    more(&mut lines, retakes.all.differs, retakes.first.len(), "");
    let unknown = retakes.first_unknown.iter().take(UNKNOWN_TOLD);
    lines.extend(unknown.map(|retake| format!("\nunknown: {retake}")));
    more(&mut lines, retakes.all.unknown, UNKNOWN_TOLD, " unknown");
    if let Some(first) = &retakes.all.first {
        lines.push(format!("\n`reelm explain {first}` tells how the first of them came about"));
    }
    lines.join("\n")
}

fn more(lines: &mut Vec<String>, all: u64, told: usize, what: &str) {
    let left = all.saturating_sub(told as u64);
    if left > 0 {
        lines.push(format!("… {left} more{what}"));
    }
}

/// The first of some names, and how many there are besides.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}

fn counted(RetakeCount { same, differs, unknown, .. }: &RetakeCount) -> String {
    format!("{same} moments the same, {differs} differ, {unknown} unknown")
}

/// A test case for each role; where there are too many, one for all the others.
fn cases(retakes: &Retakes) -> Vec<JunitCase> {
    let mut cases: Vec<JunitCase> = retakes.by_role.iter().take(ROLES_TOLD).map(|(role, count)| case(role, count, retakes)).collect();
    let mut rest = RetakeCount::default();
    for count in retakes.by_role.values().skip(ROLES_TOLD) {
        (rest.same, rest.differs, rest.unknown) = (rest.same + count.same, rest.differs + count.differs, rest.unknown + count.unknown);
        rest.first = rest.first.or_else(|| count.first.clone());
    }
    if retakes.by_role.len() > ROLES_TOLD {
        cases.push(case(&format!("{} more roles", retakes.by_role.len() - ROLES_TOLD), &rest, retakes));
    }
    cases
}

fn case(role: &str, count: &RetakeCount, retakes: &Retakes) -> JunitCase {
    let first = count.first.as_deref().unwrap_or_default();
    let mut told = retakes.first.iter().chain(&retakes.first_unknown);
    let told = told.find(|retake| retake.moment == first).map_or_else(|| first.to_owned(), ToString::to_string);
    let what = format!("{}; the first: {told}", counted(count));
    JunitCase {
        place: "replay --with".to_owned(),
        name: role.to_owned(),
        took: None,
        failures: if count.differs > 0 { vec![what.clone()] } else { Vec::new() },
        skipped: (count.differs == 0 && count.unknown > 0).then_some(what),
    }
}
