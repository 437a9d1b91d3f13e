//! `draft`: what somebody may publish, and what would become of the world then.

use anyhow::{Context, Result, bail};
use clap::Subcommand;

use crate::fact::{Text, Thing, Value};
use crate::portal::{Backtested, DraftReview, FoundDraft, WouldWear};
use crate::verb::{DraftChange, thing_named};

use super::door::{Door, Ended};

/// Drafts: what they would change
#[derive(Subcommand)]
#[command(after_help = "Example: reelm draft show @operator/draft-42")]
pub enum DraftCommand {
    /// Shows what publishing a draft would change, and how to publish it
    #[command(after_help = "Example: reelm draft show @operator/draft-42 --last 200

What would differ, what lint says, who would wear something else now, and in which of its last moments the being would have.")]
    Show {
        /// Where it is, such as @operator/draft-42
        address: String,
        /// In how many of the last moments of the being that it is about
        #[arg(long, default_value_t = 50)]
        last: usize,
    },
}

impl DraftCommand {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let Self::Show { address, last } = self;
        let (history, world) = door.world()?;
        let operator = world.being(world.operator()).context("this world has no operator")?;
        let thing = thing_named(&world, operator, world.now(), &address);
        let thing = thing
            .map_err(|reason| anyhow::anyhow!("cannot see `{address}`: {reason}; `reelm see @operator` lists what the operator holds"))?;
        let found = if let Thing::Matter(id) = thing { FoundDraft::of(&world, id) } else { None };
        let Some(found) = found else { bail!("expected a draft that somebody holds, found `{address}`") };
        let review = found.review(&world, &history, last)?;
        door.say(&review, || told(&review))?;
        Ok(Ended::Well)
    }
}

/// The review in lines.
fn told(review: &DraftReview) -> String {
    let name = |being: &Value| being.as_str().unwrap_or("nobody").to_owned();
    let mut lines = vec![
        format!("{}, drawn up by {} for {} to publish", review.address, name(&review.by), name(&review.holder)),
        format!("{} {} {}", review.action, review.target, review.args),
    ];
    if let Some(outlook) = &review.outlook {
        let place = |place: &str| if place.is_empty() { "all of it".to_owned() } else { place.to_owned() };
        let change = |change: &DraftChange| format!("{}: {} → {}", place(&change.place), change.is, change.would);
        lines.extend(listed("what would differ", outlook.changes.iter().map(change)));
        lines.extend(listed("what may not be meant", outlook.warnings.iter().map(ToString::to_string)));
        let wear = |wear: &WouldWear| format!("{}: {} → {}", name(&wear.being), stack(&wear.was), stack(&wear.would));
        lines.extend(listed("who would wear something else now", outlook.wear.iter().map(wear)));
        lines.extend(past(&outlook.moments));
    }
    lines.push(match &review.refused {
        Some(reason) => format!("\npublishing it now would be refused: {} ({})", reason, reason.code.sentence()),
        None => format!("\npublish it: reelm do {} draft.publish '{{\"hash\": \"{}\"}}'", review.address, review.hash),
    });
    lines.join("\n")
}

/// Lines under a title; nothing where there are none.
fn listed(title: &str, lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines = lines.map(|line| format!("  {line}")).peekable();
    let title = lines.peek().map(|_| format!("\n{title}"));
    title.into_iter().chain(lines).collect()
}

fn past(moments: &[Backtested]) -> Vec<String> {
    let (count, differing) = (moments.len(), moments.iter().filter(|moment| moment.differs));
    let line = |moment: &Backtested| format!("#{} {}: {} → {}", moment.seq, moment.time, stack(&moment.was), stack(&moment.would));
    let title = format!("what it would have worn in {} of its last {count} moments", differing.clone().count());
    listed(&title, differing.map(line))
}

fn stack(roles: &[Text]) -> String {
    if roles.is_empty() { "nothing".to_owned() } else { roles.join(" + ") }
}
