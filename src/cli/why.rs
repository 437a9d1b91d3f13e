//! `why`: which facts made a value what it is, the newest first.

use anyhow::{Context, Result};
use clap::Args;

use crate::past::{Makings, WhyOf};

use super::door::{Door, Ended};
use super::given::{self, AtPoint};

/// Says which facts made a value what it is: by whom, in which moment, by which operation
#[derive(Args)]
#[command(after_help = "Example: reelm why @ada.skateco.mood
         reelm why /factory/line --at ~1h
         reelm why world.skateco.power

Of what: a being, space or matter (@ada, /factory/line) · a quality (@ada.t.n, or @ada.t with all that is below) · world.PATH or /.signals/PATH ·
/.roles/NAME · @ada/.flow · /.settings/KEY · @ada/.settings/KEY. It goes back to the fact that set all of it; --at goes further back.")]
pub struct WhyAsked {
    /// Of what
    #[arg(value_name = "ADDRESS[.PATH]")]
    of: String,
    #[command(flatten)]
    then: AtPoint,
    /// How many facts are told at most
    #[arg(long, value_name = "N", default_value = "20", value_parser = given::count())]
    most: usize,
}

impl WhyAsked {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (history, world) = door.world_at(&self.then.at)?;
        let operator = world.being(world.operator()).context("this world has no operator")?;
        let wrong =
            |reason| anyhow::anyhow!("expected something such as @ada.t.n, /factory or world.t.dice, found `{}`: {reason}", self.of);
        let (_, of) = WhyOf::read(&self.of, &world, operator).map_err(wrong)?;
        let makings = history.making(&of, &world, self.most)?;
        door.say(&makings, || words(&self.of, &makings))?;
        Ok(Ended::Well)
    }
}

fn words(of: &str, makings: &Makings) -> String {
    let Makings { value, made, more } = makings;
    let mut lines = vec![if value.is_null() { of.to_owned() } else { format!("{of} is {value}") }];
    lines.extend(made.iter().map(ToString::to_string));
    if made.is_empty() {
        lines.push("no fact has set it".to_owned());
    }
    if *more {
        lines.push("… and more before; `--most` tells more".to_owned());
    }
    lines.join("\n")
}
