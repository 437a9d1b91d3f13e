//! `ask`, `tell`, `guide`: summonses of one kind each: what is asked changes nothing, what is told wants no answer, and who guides wears the
//! role for it.

use std::str::FromStr;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::fact::{Answering, Call, Text, Value, Verbs};
use crate::verb::{Address, Named, addressee};
use crate::world::World;

use super::act::{ActBy, answer};
use super::chat::Chat;
use super::door::{Door, Ended};

/// Asks somebody something, and nothing is changed by it
#[derive(Args)]
#[command(after_help = "Example: reelm ask @ada 'how is my bench?'

This is an act in the world: the question stands in its history, and who was asked remembers it. `reelm interview` asks in a fork instead,
and nobody knows of it. Whatever they try to do about it is refused as `gate-narrowed`. What they answer lies in `reelm inbox`, which also
says so where somebody has heard it and gives no answer. With --wait the answer is shown here.")]
pub struct Ask {
    /// Whom
    target: String,
    /// The question
    #[arg(required = true)]
    text: Vec<String>,
    /// Waits until they have answered, or until it is known that they give no answer
    #[arg(long, conflicts_with = "answers")]
    wait: bool,
    #[command(flatten)]
    by: ActBy,
}

/// Tells somebody something, and wants no answer
#[derive(Args)]
#[command(after_help = "Example: reelm tell @ada 'bench 135x10'")]
pub struct Tell {
    /// Whom
    target: String,
    /// The words to tell
    #[arg(required = true)]
    text: Vec<String>,
    #[command(flatten)]
    by: ActBy,
}

/// Asks somebody for guidance, in the role that they have for it
#[derive(Args)]
#[command(after_help = "Example: reelm guide @ada 'where do I begin?'")]
pub struct Guide {
    /// Whom
    target: String,
    /// What about
    #[arg(default_value = "Guide me.")]
    text: Vec<String>,
    #[command(flatten)]
    by: ActBy,
}

fn spoken(words: &[String], more: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::map([("content", Value::from(words.join(" ")))].into_iter().chain(more))
}

impl Ask {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let only = Verbs::ASKING.each().map(|verb| Value::text(verb.word())).collect();
        let call = Call::summon(&self.target, spoken(&self.text, [("only", Value::List(only))]));
        if self.wait {
            return Chat { target: self.target, as_being: self.by.being }.once(door, call);
        }
        answer(door, &self.by, call)
    }
}

impl Tell {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let terms = [("intent", Value::text("note")), ("answer", Value::text(Answering::None.word()))];
        answer(door, &self.by, Call::summon(&self.target, spoken(&self.text, terms)))
    }
}

impl Guide {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let role = guide_role(&door.world()?.1, &self.target)?;
        if role.is_none() {
            door.warn(&format!(
                "no role that {} may wear ends in `:guide`, so they are asked as they are; name one in their flow to change that",
                self.target
            ));
        }
        answer(door, &self.by, Call::summon(&self.target, spoken(&self.text, role.map(|role| ("role", Value::from(&role))))))
    }
}

/// The role in which somebody guides, or whoever answers for a place. Where nobody does, the summons itself is refused and says why.
fn guide_role(world: &World, target: &str) -> Result<Option<Text>> {
    let operator = world.being_named("operator").context("expected a world with an operator, found none")?;
    let named = Address::from_str(target)?.resolve(world, operator, world.now());
    let Ok(Named::Thing(thing)) = named else { bail!("there is nobody at `{target}` in this world; `reelm see /` shows who is there") };
    let being = addressee(world, thing).ok().and_then(|id| world.being(id));
    Ok(being.and_then(|being| being.own_roles().find(|role| *role == "guide" || role.ends_with(":guide")).map(Text::from)))
}
