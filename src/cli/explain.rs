//! `explain`: why a moment was as it was: what was worn and why, what was seen, what was done, what was refused.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use crate::cognition::{Asking, PromptPart, Reply};
use crate::fact::{Closing, Code, Fact, Seq, Value, visible};
use crate::past::{Effects, Explained, History, Knew, MomentName, UsedSetting, call_line};
use crate::tell::{is_heard, quoted, words_of};
use crate::world::{Ballot, iso};

use super::bundle::in_bundle;
use super::door::{Door, Ended};
use super::outline::outline;

/// How many moments that one woke are told at most.
const EFFECTS: usize = 100;

/// Says why a moment was as it was
#[derive(Args)]
#[command(after_help = "Example: reelm explain 120        (the frame with seq 120)
         reelm explain @ada/7     (the eighth frame of @ada's reel)
         reelm explain @ada/7 --seen
         reelm explain @ben/3 --prompt
         reelm explain @ada/7 --causes --effects
         reelm explain @ada/7 --knew /factory
         reelm explain 120 --file hour.bundle")]
pub struct Explain {
    /// A seq, or @being/n
    moment: MomentName,
    /// Only what its model was sent, message by message
    #[arg(long)]
    prompt: bool,
    /// Its causes, from wake to wake, back to a person, a schedule or genesis
    #[arg(long, conflicts_with = "prompt")]
    causes: bool,
    /// Its effects: the moments it woke, and those that they woke
    #[arg(long, conflicts_with = "prompt")]
    effects: bool,
    /// How many wakes back or forth
    #[arg(long, value_name = "N", default_value_t = 64)]
    depth: u32,
    /// Also what its being saw, and what its model was sent
    #[arg(long, conflicts_with_all = ["prompt", "causes", "effects"])]
    seen: bool,
    /// The view that its being had of an address when it opened, through the role that it wore then
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["prompt", "causes", "effects"])]
    knew: Option<String>,
    /// The moment of a bundle instead, which needs no world
    #[arg(long, conflicts_with_all = ["causes", "effects"])]
    file: Option<PathBuf>,
}

impl Explain {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if let Some(file) = &self.file {
            return self.say_bundled(door, file);
        }
        let history = door.history()?;
        let seq = history.seq_of_moment(&self.moment)?;
        if self.causes || self.effects {
            return self.say_chain(door, &history, seq);
        }
        if let Some(address) = &self.knew {
            let knew = history.knew(seq, address)?;
            door.say(&knew, || knew_words(&knew))?;
            return Ok(Ended::Well);
        }
        let mut explained = history.explain(seq)?;
        let world = history.world_at(history.end())?;
        explained.report.because_of = history.because(seq, &world, |_| true)?;
        if self.prompt {
            return say_prompt(door, &explained);
        }
        door.say(&explained.to_json(), || words(&explained, self.seen))?;
        Ok(Ended::Well)
    }

    /// The same of a moment in a bundle, as far as that tells it.
    fn say_bundled(&self, door: &Door, file: &Path) -> Result<Ended> {
        if let Some(address) = &self.knew {
            let (knew, _) = in_bundle(file, &self.moment, |moment| Ok(moment.knew(address)?))?;
            door.say(&knew, || knew_words(&knew))?;
            return Ok(Ended::Well);
        }
        let (explained, root_key) = in_bundle(file, &self.moment, |moment| Ok(moment.explain()?))?;
        if self.prompt {
            return say_prompt(door, &explained);
        }
        let mut json = explained.to_json();
        if let Some(json) = json.as_object_mut() {
            json.insert("rootKey".to_owned(), root_key.to_string().into());
            json.extend(explained.untold.iter().map(|untold| ("untold".to_owned(), untold.as_str().into())));
        }
        door.say(&json, || format!("{}\nsealed by @world, whose key is {root_key}", words(&explained, self.seen)))?;
        Ok(Ended::Well)
    }
}

impl Explain {
    /// Prints the causes and the effects of a moment.
    fn say_chain(&self, door: &Door, history: &History, seq: Seq) -> Result<Ended> {
        let world = history.world_at(history.end())?;
        let chain = history.causes(seq, if self.causes { self.depth } else { 0 }, &world)?;
        let effects = self.effects.then(|| history.effects(seq, self.depth, EFFECTS, &world)).transpose()?;
        let json = serde_json::json!({
            "moment": chain.moment, "causes": self.causes.then_some(&chain.causes), "moreCauses": self.causes && chain.more,
            "effects": effects.as_ref().map(|effects| &effects.effects), "moreEffects": effects.as_ref().map(|effects| effects.more),
        });
        door.say(&json, || {
            let mut lines = vec![chain.moment.to_string()];
            if self.causes {
                lines.extend(chain.causes.iter().map(ToString::to_string));
                lines.extend(chain.more.then(|| "… and what lies behind that; `--depth` goes further".to_owned()));
            }
            if let Some(Effects { effects, until, more }) = &effects {
                lines.push(if effects.is_empty() { "it woke nobody".to_owned() } else { "it woke".to_owned() });
                lines.extend(effects.iter().map(ToString::to_string));
                lines.extend(
                    more.then(|| format!("… there may be more: looked for below #{until}, {EFFECTS} at most, {} deep", self.depth)),
                );
            }
            lines.join("\n")
        })?;
        Ok(Ended::Well)
    }
}

fn knew_words(knew: &Knew) -> String {
    let Knew { being, address, seq, time, why, value } = knew;
    let when = format!("at {time}, on the world below #{seq}");
    match why {
        Some(why) => format!("{being} could not see {address} {when}: {why}"),
        None => format!("{being} could see {address} {when}:\n{}", outline(value)),
    }
}

fn say_prompt(door: &Door, explained: &Explained) -> Result<Ended> {
    let messages = explained.prompt();
    if messages.is_empty() {
        bail!("--prompt: no model was asked in #{}; the same without --prompt shows what its mind saw", explained.report.seq);
    }
    for (role, content) in messages {
        door.say(&serde_json::json!({ "role": role, "content": content }), || format!("{role}:\n{content}\n"))?;
    }
    Ok(Ended::Well)
}

/// All of it in words: why and what first; what was seen and what a model was sent only where that is wanted.
pub(super) fn words(explained: &Explained, with_seen: bool) -> String {
    let Explained { frame, name, why, report, untold, .. } = explained;
    let draft = frame.draft();
    let mut text = format!(
        "#{} {name}, its moment {} (opened at {} on the world below #{}, attempt {})\n\n{}\n",
        draft.seq,
        draft.n,
        iso(draft.opened_at, draft.offset),
        draft.opened,
        draft.attempt,
        report.sentence()
    );
    if let Some(why) = why {
        text += &format!("\nwoken by {}, due {}\n\n{}\n", why.because, iso(draft.wake.due, draft.offset), why.trace);
    }
    if let Some(untold) = untold {
        text += &alone_lines(explained, untold);
    }
    text += &act_lines(explained);
    if let Some(why) = why {
        text += &format!("\nwent by\n{}", why.settings.iter().map(setting_line).collect::<String>());
        text += &if with_seen { format!("saw\n{}", below(&why.face)) } else { "saw: `--seen` shows it\n".to_owned() };
    }
    if let Some(why) = why.as_ref().filter(|why| !why.votes.is_empty()) {
        text += &format!("\nits members voted\n{}", why.votes.iter().map(vote_line).collect::<String>());
    }
    text += &asked_lines(explained, with_seen);
    for fact in &draft.facts {
        text += &format!("  fact: {}\n", fact_line(fact));
    }
    let signed =
        if frame.signature().is_some() { "signed by its being" } else { "covered by the seal of @world, to which its being delegates" };
    format!("{text}hash {}, {signed}", frame.hash())
}

/// The call and how it closed, what was said, the rules that were asked, and what its scripts noted.
fn act_lines(explained: &Explained) -> String {
    let Explained { frame, rules, report, .. } = explained;
    let draft = frame.draft();
    let closed = |closing: &Closing| {
        let Some(reason) = closing.reason() else { return closing.word().to_owned() };
        format!("{}: {reason}: {}", closing.word(), reason.code.sentence())
    };
    let mut text = match (&draft.call, &draft.closing) {
        (Some(call), Closing::Act) => format!("\nact: {}\n", call_line(call)),
        (Some(call), closing) => format!("\ncall: {}\n{}\n", call_line(call), closed(closing)),
        (None, closing) => format!("\n{}\n", closed(closing)),
    };
    if let Some(words) = draft.call.as_ref().and_then(words_of) {
        text += &format!("{}: {}\n", if is_heard(&draft.closing) { "said" } else { "not said" }, quoted(&words));
    }
    report.hints.iter().for_each(|hint| text += &format!("  {hint}\n"));
    rules.iter().for_each(|rule| text += &format!("  {rule}\n"));
    if !report.notes.is_empty() {
        text += "\nits scripts said, to whoever watched:\n";
        report.notes.iter().for_each(|note| text += &format!("  {note}\n"));
    }
    text
}

/// The request to a model and its reply; the messages themselves only where they are wanted.
fn asked_lines(explained: &Explained, with_seen: bool) -> String {
    let Some((request, reply)) = &explained.said else { return String::new() };
    let message = |(role, content): (_, _)| format!("{role}:\n{content}");
    let told: Vec<String> = if with_seen { explained.prompt().into_iter().map(message).collect() } else { Vec::new() };
    let told = if told.is_empty() { String::new() } else { format!("{}\n\n", told.join("\n\n")) };
    let connection = request.get("connection").cloned().unwrap_or_default();
    let reply_text = visible(&reply.to_string());
    format!("\nasked {connection}\n{}\n{told}{}\nreply: {reply_text}\n", attempts(reply), split_lines(explained))
}

/// A value as people read it, below a line that says what it is.
fn below(value: &Value) -> String {
    outline(value).lines().map(|line| format!("  {line}\n")).collect()
}

/// The wake and the stack as the frame alone says them, and the sentence on the rest.
fn alone_lines(explained: &Explained, untold: &str) -> String {
    let draft = explained.frame.draft();
    let stack: Vec<&str> = explained.report.stack.iter().map(AsRef::as_ref).collect();
    let wears = if stack.is_empty() { "no role".to_owned() } else { stack.join(" + ") };
    let (because, cause, due) = (&explained.report.because, draft.wake.cause, iso(draft.wake.due, draft.offset));
    format!("\nwoken by {because} (cause {cause}), due {due}\n\nwears {wears}\n\n{untold}\n")
}

/// How wide a bar is at most, in characters.
const BAR: usize = 40;

/// The tokens of each part of the prompt, as bars, with the model's own count.
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
        let vain = if one.is_vain && one.error != Some(Code::Ahead) { ", ahead" } else { "" };
        format!("  {}: {what}{vain}\n", visible(one.connection.as_deref().unwrap_or_default()))
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
