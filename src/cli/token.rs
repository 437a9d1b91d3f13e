//! `token`: the keys by which programs come in: made, listed, taken back, by whoever holds the world's files.

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use serde_json::{Value as Json, json};

use crate::fact::{Millis, Verbs, write_duration};
use crate::portal::{LASTS_MS, ListedToken, Tokens, Wanted, no_person, now, person, terms};

use super::door::{Door, Ended};
use super::line::Reach;

/// Tokens for programs: made, listed, taken back
#[derive(Subcommand)]
#[command(after_help = "Example: reelm token make --as @ada --only see,do --for 30d --name watering

A program sends it as `Authorization: Bearer TOKEN`, or acts by REELM_TOKEN=TOKEN reelm do …")]
pub enum Token {
    /// Makes one and shows it, once
    #[command(after_help = "Example: reelm token make --as @ada --only see,do --for 30d --name watering")]
    Make {
        /// As whom its program acts
        #[arg(long = "as", value_name = "@BEING", default_value = "@operator")]
        as_being: String,
        /// The verbs that it may be used for: some of see, do, summon, be
        #[arg(long, value_name = "VERBS")]
        only: Option<Verbs>,
        /// How long it lasts; 90 days where nothing is said
        #[arg(long = "for", value_name = "DURATION", value_parser = lasts)]
        lasts: Option<Millis>,
        /// What it is for
        #[arg(long, default_value = "")]
        name: String,
    },
    /// Lists those that last
    #[command(after_help = "Example: reelm token list")]
    List,
    /// Takes one back: nothing is done by it any more
    #[command(after_help = "Example: reelm token take 3f9a0c")]
    Take {
        /// Its id, as `token list` shows it
        id: String,
    },
}

impl Token {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if door.token.is_some() {
            bail!("a token makes, lists and takes back no tokens; take REELM_TOKEN away");
        }
        match self {
            Self::Make { as_being, only, lasts, name } => make(door, &as_being, only, lasts, name),
            Self::List => list(door),
            Self::Take { id } => take(door, &id),
        }
    }
}

/// How long a token lasts.
fn lasts(text: &str) -> Result<Millis, String> {
    terms(None, Some(text)).map(|(_, lasts)| lasts)
}

fn make(door: &Door, being: &str, only: Option<Verbs>, lasts: Option<Millis>, name: String) -> Result<Ended> {
    let lasts = write_duration(lasts.unwrap_or(LASTS_MS));
    let (only, lasts_ms) = terms(only, Some(&lasts)).map_err(anyhow::Error::msg)?;
    let made = match Reach::to(door)? {
        Reach::There(line) => line.ask("POST", "/api/tokens", &json!({ "being": being, "name": name, "only": only, "for": lasts }))?,
        Reach::Here(living, _) => {
            let world = living.world().clone();
            let of = person(&world, being).with_context(|| no_person(&world, being))?;
            let (token, secret) = Tokens::of(&door.data)?.make(Wanted { being: of, name, only, since: now(), lasts: lasts_ms })?;
            living.stop()?;
            serde_json::to_value(ListedToken::of(&world, &token, Some(secret)))?
        }
    };
    let text = |key: &str| made.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    door.say(&made, || {
        format!(
            "{}\nit is shown this once; `{}` may {only} until {}, or until `reelm token take {}`",
            text("token"),
            text("being"),
            text("until"),
            text("id")
        )
    })?;
    Ok(Ended::Well)
}

fn list(door: &Door) -> Result<Ended> {
    let (_, world) = door.world()?;
    for token in Tokens::of(&door.data)?.list(None, now()) {
        let listed = serde_json::to_value(ListedToken::of(&world, token, None))?;
        let text = |key: &str| listed.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        door.say(&listed, || format!("{}  {}  {}  until {}  {}", text("id"), text("being"), token.only, text("until"), text("name")))?;
    }
    Ok(Ended::Well)
}

fn take(door: &Door, id: &str) -> Result<Ended> {
    match Reach::to(door)? {
        Reach::There(line) => drop(line.ask("DELETE", &format!("/api/tokens/{id}"), &Json::Null)?),
        Reach::Here(living, _) => {
            let was_there = Tokens::of(&door.data)?.take(id, None)?;
            living.stop()?;
            if !was_there {
                bail!("there is no token `{id}`; `reelm token list` names them");
            }
        }
    }
    door.say(&json!({ "taken": id }), || format!("{id} is of no use any more"))?;
    Ok(Ended::Well)
}
