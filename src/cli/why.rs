//! `why`: which facts made a value what it is, the newest first.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::past::{History, MadeValues, Makings, WhyOf};
use crate::run::{MeasureError, Measures};
use crate::source::MeasureList;
use crate::world::World;

use super::door::{Door, Ended};
use super::given::{self, AtPoint};
use super::progress::Progress;

/// Says which facts made a value what it is: by whom, in which moment, by which operation
#[derive(Args)]
#[command(after_help = "Example: reelm why @ada.skateco.mood
         reelm why /factory/line --at ~1h
         reelm why world.skateco.power
         reelm why @ada.skateco.mood --series --most 100
         reelm why 'mean(\"skateco.mood\")' --series

Of what: a being, space or matter (@ada, /factory/line) · a quality (@ada.t.n, or @ada.t with all that is below) · world.PATH or /.signals/PATH ·
/.roles/NAME · @ada/.flow · /.settings/KEY · @ada/.settings/KEY. It goes back to the fact that set all of it; --at goes further back.
With --series also of an expression, as measures have them: a line where its value changes.")]
pub struct WhyAsked {
    /// Of what
    #[arg(value_name = "ADDRESS[.PATH]")]
    of: String,
    #[command(flatten)]
    then: AtPoint,
    /// How many facts are told at most
    #[arg(long, value_name = "N", default_value = "20", value_parser = given::count())]
    most: usize,
    /// The values it had instead, one after the other, the oldest first: a line of each
    #[arg(long)]
    series: bool,
}

impl WhyAsked {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (history, world) = door.world_at(&self.then.at)?;
        let operator = world.being(world.operator()).context("this world has no operator")?;
        let of = match WhyOf::read(&self.of, &world, operator) {
            Ok((_, of)) => of,
            Err(_) if self.is_expression() => return self.say_expression(door, &history, &world),
            Err(reason) => bail!("expected something such as @ada.t.n, /factory or world.t.dice, found `{}`: {reason}", self.of),
        };
        let meant = || of.meant(&self.of, &world);
        if self.series {
            return say_values(door, &history.made_values(&of, &world, self.most)?, || {
                format!("`{}` was never written{}", self.of, meant())
            });
        }
        let mut makings = history.making(&of, &world, self.most)?;
        for making in &mut makings.made {
            making.because_of = history.because(making.seq, &world, |_| true)?;
        }
        door.say(&makings, || words(&self.of, &makings, meant))?;
        Ok(Ended::Well)
    }

    /// Whether it calls something, as no address does and every expression over a world.
    fn is_expression(&self) -> bool {
        self.of.contains('(')
    }

    /// Says to what an expression came behind each frame, where that was another value.
    fn say_expression(&self, door: &Door, history: &History, world: &World) -> Result<Ended> {
        if !self.series {
            bail!("no fact makes the value of an expression; `--series` tells which values `{}` had", self.of);
        }
        let mut measures = Measures::new(&MeasureList::of_expression(&self.of)).map_err(wrong)?;
        let mut value =
            |world: &World| Ok::<_, MeasureError>(measures.taken(&Arc::new(world.clone()), world.now())?.pop().unwrap_or_default());
        // An expression that fails now is wrong; one that failed in the past alone had nothing there yet.
        value(world).map_err(wrong)?;
        let progress = Progress::of(world.next_seq(), "measuring", "frames");
        let values = history.read_values(world.next_seq(), self.most, |world| {
            progress.at(world.next_seq());
            value(world).unwrap_or_default()
        })?;
        drop(progress);
        say_values(door, &values, || format!("`{}` came to nothing behind every frame", self.of))
    }
}

/// Why an expression has no value.
fn wrong(error: MeasureError) -> anyhow::Error {
    match error {
        MeasureError::Expression { name, source, .. } => {
            anyhow::anyhow!("expected an expression as measures have them, such as mean(\"t.n\"), found `{name}`: {source}")
        }
        other => other.into(),
    }
}

/// Says values, a line of each, and on the other stream which are missing; none at all are an error, unless they may be archived.
fn say_values(door: &Door, values: &MadeValues, none: impl FnOnce() -> String) -> Result<Ended> {
    values.unread.iter().for_each(|unread| door.warn(unread));
    for value in &values.values {
        door.say(value, || value.to_string())?;
    }
    if values.more {
        door.note(MORE);
    }
    if values.values.is_empty() && values.unread.is_none() {
        bail!(none());
    }
    Ok(Ended::Well)
}

/// The words where not all was told.
const MORE: &str = "… and more before; `--most` tells more";

fn words(of: &str, makings: &Makings, meant: impl FnOnce() -> String) -> String {
    let Makings { value, made, more, unread } = makings;
    let mut lines = vec![if value.is_null() { of.to_owned() } else { format!("{of} is {value}") }];
    lines.extend(made.iter().map(ToString::to_string));
    match unread {
        Some(unread) => lines.push(format!("older facts: {unread}")),
        None if made.is_empty() => lines.push(format!("no fact has set it{}", meant())),
        None => {}
    }
    if *more {
        lines.push(MORE.to_owned());
    }
    lines.join("\n")
}
