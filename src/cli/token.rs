//! `token`: the keys by which programs come in: made, listed, taken back, by whoever holds the world's files.

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

use crate::fact::{Millis, Verbs, write_duration};
use crate::portal::{LASTS_MS, ListedToken, TokenRate, Tokens, Wanted, no_person, now, person, terms};

use super::door::{Door, Ended};
use super::line::{Reach, SocketLine};

/// Tokens for programs: made, listed, taken back
#[derive(Subcommand)]
#[command(after_help = "Example: reelm token make --as @ada --only see,do --for 30d --name watering

A program sends it as `Authorization: Bearer TOKEN`, or acts by REELM_TOKEN=TOKEN reelm do …")]
pub enum Token {
    /// Makes one and shows it, once
    #[command(after_help = "Example: reelm token make --as @ada --only see,do --for 30d --name watering")]
    Make(TokenToMake),
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

/// The terms of a new token
#[derive(Args)]
pub struct TokenToMake {
    /// As whom its program acts
    #[arg(long = "as", value_name = "@BEING", default_value = "@operator")]
    as_being: String,
    /// The verbs that it may be used for: some of see, do, summon, be
    #[arg(long, value_name = "VERBS")]
    only: Option<Verbs>,
    /// How long it lasts; 90 days where nothing is said
    #[arg(long = "for", value_name = "DURATION", value_parser = lasts)]
    lasts: Option<Millis>,
    /// How many requests a served world takes by it within a second, minute, hour or day, such as 30/m
    #[arg(long, value_name = "COUNT/UNIT")]
    rate: Option<TokenRate>,
    /// The purpose of the token
    #[arg(long, default_value = "")]
    name: String,
}

impl Token {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if door.token.is_some() {
            bail!("a token makes, lists and takes back no tokens; take REELM_TOKEN away");
        }
        match self {
            Self::Make(wanted) => make(door, wanted),
            Self::List => list(door),
            Self::Take { id } => take(door, &id),
        }
    }
}

/// How long a token lasts.
fn lasts(text: &str) -> Result<Millis, String> {
    terms(None, Some(text)).map(|(_, lasts)| lasts)
}

fn make(door: &Door, wanted: TokenToMake) -> Result<Ended> {
    let TokenToMake { as_being, only, lasts, rate, name } = wanted;
    let lasts = write_duration(lasts.unwrap_or(LASTS_MS));
    let (only, lasts_ms) = terms(only, Some(&lasts)).map_err(anyhow::Error::msg)?;
    let made = match Reach::to(door)? {
        Reach::There(line) => {
            let new = json!({ "being": as_being, "name": name, "only": only, "for": lasts, "rate": rate });
            line.ask("POST", "/api/tokens", &new)?
        }
        Reach::Here(living, _) => {
            let world = living.world().clone();
            let being = person(&world, &as_being).with_context(|| no_person(&world, &as_being))?;
            let (token, secret) = Tokens::of(&door.data)?.make(Wanted { being, name, only, since: now(), lasts: lasts_ms, rate })?;
            living.stop()?;
            serde_json::to_value(ListedToken::of(&world, &token, Some(secret)))?
        }
    };
    let (text, often) = (text_of(&made), rate.map(|rate| format!(", {} at most,", rate.in_words())).unwrap_or_default());
    door.say(&made, || {
        format!(
            "{}\nit is shown this once; `{}` may {only}{often} until {}, or until `reelm token take {}`",
            text("token"),
            text("being"),
            text("until"),
            text("id")
        )
    })?;
    Ok(Ended::Well)
}

/// Reads the texts of a listed token.
fn text_of(listed: &Json) -> impl Fn(&str) -> String {
    |key| listed.get(key).and_then(Json::as_str).unwrap_or_default().to_owned()
}

fn list(door: &Door) -> Result<Ended> {
    for listed in listed(door)? {
        door.say(&listed, || line_of(&listed))?;
    }
    Ok(Ended::Well)
}

/// The tokens that last. The process that serves the world knows uses that are not written yet.
fn listed(door: &Door) -> Result<Vec<Json>> {
    if let Some(line) = SocketLine::to(&door.data) {
        return Ok(serde_json::from_value(line.ask("GET", "/api/tokens", &Json::Null)?)?);
    }
    let (_, world) = door.world()?;
    let tokens = Tokens::of(&door.data)?;
    let listed = tokens.list(None, now()).map(|token| Ok(serde_json::to_value(ListedToken::of(&world, token, None))?));
    listed.collect()
}

/// The line of a token in the list.
fn line_of(listed: &Json) -> String {
    let text = text_of(listed);
    let only: Vec<&str> = listed.get("only").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect();
    let rate = if text("rate").is_empty() { String::new() } else { format!("  {}", text("rate")) };
    let used = if text("used").is_empty() { "never used".to_owned() } else { format!("used {}", text("used")) };
    format!("{}  {}  {}{rate}  until {}  {used}  {}", text("id"), text("being"), only.join(","), text("until"), text("name"))
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
