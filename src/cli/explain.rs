//! `explain`: why a moment was as it was: what was worn and why, what was seen, what was done, what was refused.

use anyhow::Result;
use clap::Args;

use crate::cognition::{Asking, PromptPart, Reply};
use crate::fact::{Closing, Fact, Value, visible};
use crate::past::{Explained, MomentName, UsedSetting, call_line};
use crate::world::{Ballot, iso};

use super::door::pretty;
use super::door::{Door, Ended};

/// Says why a moment was as it was
#[derive(Args)]
#[command(after_help = "Example: reelm explain 120        (the frame with seq 120)
         reelm explain @ada/7     (the eighth frame of @ada's reel)")]
pub struct Explain {
    /// A seq, or @being/n
    moment: MomentName,
}

impl Explain {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let seq = history.seq_of_moment(&self.moment)?;
        let explained = history.explain(seq)?;
        door.say(&explained.to_json(), || words(&explained))?;
        Ok(Ended::Well)
    }
}

fn words(explained: &Explained) -> String {
    let Explained { frame, name, why, said, rules, .. } = explained;
    let draft = frame.draft();
    let mut text = format!(
        "#{} {name}, its moment {} (opened at {} on the world below #{}, attempt {})\n",
        draft.seq,
        draft.n,
        iso(draft.opened_at, draft.offset),
        draft.opened,
        draft.attempt
    );
    if let Some(why) = why {
        text += &format!(
            "\nwoken by {}, due {}\n  wake: {}\n\n{}\n\nwent by\n{}\nsaw {}\n",
            why.because,
            iso(draft.wake.due, draft.offset),
            why.wake,
            why.trace,
            why.settings.iter().map(setting_line).collect::<String>(),
            pretty(&why.face)
        );
    }
    if let Some(why) = why.as_ref().filter(|why| !why.votes.is_empty()) {
        text += &format!("\nits members voted\n{}", why.votes.iter().map(vote_line).collect::<String>());
    }
    if let Some((request, reply)) = said {
        let told: Vec<String> = explained.prompt().into_iter().map(|(role, content)| format!("{role}:\n{content}")).collect();
        let connection = request.get("connection").cloned().unwrap_or_default();
        let (told, reply_text) = (told.join("\n\n"), visible(&reply.to_string()));
        text += &format!("\nasked {connection}\n{}\n{told}\n\n{}\nreply: {reply_text}\n", attempts(reply), split_lines(explained));
    }
    text += &match (&draft.call, &draft.closing) {
        (Some(call), Closing::Act) => format!("\nact: {}\n", call_line(call)),
        (Some(call), closing) => format!(
            "\ncall: {}\n{}{}\n",
            call_line(call),
            closing.word(),
            closing.reason().map(|reason| format!(": {reason}")).unwrap_or_default()
        ),
        (None, closing) => format!("\n{}{}\n", closing.word(), closing.reason().map(|reason| format!(": {reason}")).unwrap_or_default()),
    };
    rules.iter().for_each(|rule| text += &format!("  {rule}\n"));
    if !explained.report.notes.is_empty() {
        text += "\nits scripts said, to whoever watched:\n";
        explained.report.notes.iter().for_each(|note| text += &format!("  {note}\n"));
    }
    for fact in &draft.facts {
        text += &format!("  fact: {}\n", fact_line(fact));
    }
    let signed =
        if frame.signature().is_some() { "signed by its being" } else { "covered by the seal of @world, to which its being delegates" };
    format!("{text}hash {}, {signed}", frame.hash())
}

/// How wide a bar is at most, in characters.
const BAR: usize = 40;

/// What each part of the prompt took, as bars, with what the model counted.
fn split_lines(explained: &Explained) -> String {
    let parts = explained.split();
    let (all, most) = (parts.iter().map(|part| part.tokens).sum::<usize>(), parts.iter().map(|part| part.tokens).max().unwrap_or(0));
    let counted = explained.counted().map(|tokens| format!(", of which the model counted {tokens}")).unwrap_or_default();
    let bars = parts.iter().map(|PromptPart { part, tokens }| {
        let bar = "#".repeat((tokens * BAR).div_ceil(most.max(1)));
        format!("  {part:<24} {tokens:>6} {bar}\n")
    });
    format!("told in about {all} tokens{counted}\n{}", bars.collect::<String>())
}

/// Each attempt that did not end it, in a line: `  small: 503`.
fn attempts(reply: &Value) -> String {
    let line = |one: &Asking| {
        let what = one.error.map(|code| code.to_string()).or_else(|| Some(one.status?.to_string())).unwrap_or_default();
        format!("  {}: {}\n", visible(one.connection.as_deref().unwrap_or_default()), what)
    };
    Reply::from(reply.clone()).tried.iter().map(line).collect()
}

/// `@ada: do open on /door {}`.
fn vote_line((of, ballot): &(String, Option<Ballot>)) -> String {
    let told = match ballot {
        Some(Ballot { call: Some(call), .. }) => call_line(call),
        Some(Ballot { call: None, .. }) => "abstained".to_owned(),
        None => "had not answered".to_owned(),
    };
    format!("  {of}: {told}\n")
}

/// `brakes.depth: 9, from /hall`.
fn setting_line(used: &UsedSetting) -> String {
    let from = if used.from.is_empty() { "the default".to_owned() } else { format!("from {}", used.from.join(", ")) };
    let overruled = if used.overruled.is_empty() { String::new() } else { format!("; overruled: {}", used.overruled.join(", ")) };
    format!("  {}: {}, {from}{overruled}\n", used.key, used.value)
}

fn fact_line(fact: &Fact) -> String {
    let line = visible(&serde_json::to_string(fact).unwrap_or_default());
    if line.chars().count() <= 200 { line } else { line.chars().take(199).chain(['…']).collect() }
}
