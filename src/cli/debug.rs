//! `debug`: the past stepped through by lines on stdin, for people, or one JSON value a line in both directions, for programs.

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::{Value as Json, json};

use crate::past::{Here, LookedFor, Point, Stepper, Stop, WatchedValue, Way};
use crate::role::{Inquiry, did_you_mean};
use crate::verb::see;

use super::bisect::being_of;
use super::door::{Door, Ended, pretty};
use super::explain::words as explained_words;
use super::rehearse::{script_in, words as rehearsed_words};

/// Steps through the past: forward, back, to a breakpoint
#[derive(Args)]
#[command(after_help = "Example: reelm debug @ada --at @ada/7

Commands come in lines; `help` lists them. With --json each line in is a JSON string such as \"until refused\", or an object
{\"do\": \"until refused\", \"id\": 7}, and each line out one value: where it stands, or {\"error\": …}, with the id.")]
pub struct Debug {
    /// The being whose moments are stepped over: @ada; without, all of the world's
    being: Option<String>,
    /// Where to begin
    #[arg(long, value_name = "POINT", default_value = "now")]
    at: Point,
}

const HELP: &str = "next [N]   back [N]     a moment of this being (n, b)
next! [N]  back! [N]    a moment of the world (n!, b!)
until WHAT              to the next: act, refused, failed, stack, changed ADDRESS.quality, when {…}
back until WHAT         the same backwards
break when {…}          a breakpoint; `break` lists them, `clear [N]` takes one or all away
go         back go      to the next breakpoint
watch ADDRESS.quality   shows its value after each step; once more: no longer
try [FILE.rhai]         what a script does in this moment, line by line; without a file, the script of its being
see ADDRESS  explain  prompt  where  at POINT  help  quit";

/// The words with which commands begin.
const COMMANDS: [&str; 16] =
    ["next", "back", "next!", "back!", "until", "break", "clear", "go", "watch", "try", "see", "explain", "prompt", "where", "at", "help"];

/// The answer to a debugger command.
enum Answered {
    /// Where it stands now, and what it came to where that is not what was asked for.
    Stands(Box<Here>, Option<String>),
    /// Something else, for programs and in words.
    Told(Json, String),
    /// That was all.
    Quit,
}

/// A walk, and what somebody has said of it.
struct DebugWalk {
    stepper: Stepper,
    breaks: Vec<(String, Inquiry)>,
}

impl Debug {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let at = history.seq_of(&self.at).context("--at")?;
        let me = self.being.as_deref().map(|name| being_of(&history.world_at(history.end())?, name)).transpose()?;
        let mut session = DebugWalk { stepper: Stepper::new(history, me, at), breaks: Vec::new() };
        let begins = session.stands()?;
        session.say(door, None, begins)?;
        let is_asked = std::io::stdin().is_terminal() && !door.speech.is_for_programs();
        loop {
            if is_asked {
                write!(std::io::stderr(), "{}> ", session.stepper.at())?;
            }
            let mut line = String::new();
            if std::io::stdin().lock().read_line(&mut line)? == 0 {
                return Ok(Ended::Well);
            }
            let (id, command) = if door.speech.is_for_programs() { read(&line) } else { (None, Ok(line.trim().to_owned())) };
            match command.and_then(|command| session.obey(&command)) {
                Ok(Answered::Quit) => return Ok(Ended::Well),
                Ok(answer) => session.say(door, id, answer)?,
                Err(error) => {
                    let told = format!("{error:#}");
                    door.say(&with_id(json!({ "error": told }), id), || told.clone())?;
                }
            }
        }
    }
}

/// A line of a program: the command, and the id under which it is answered.
fn read(line: &str) -> (Option<Json>, Result<String>) {
    match serde_json::from_str(line) {
        Ok(Json::String(command)) => (None, Ok(command)),
        Ok(Json::Object(map)) => {
            let command = map.get("do").and_then(Json::as_str).map(str::to_owned);
            (map.get("id").cloned(), command.context("expected the command under `do`, such as {\"do\": \"next\"}"))
        }
        _ => (
            None,
            Err(anyhow::anyhow!("expected a JSON string such as \"next\", or {{\"do\": \"next\", \"id\": 7}}, found `{}`", line.trim())),
        ),
    }
}

fn with_id(mut told: Json, id: Option<Json>) -> Json {
    if let (Some(map), Some(id)) = (told.as_object_mut(), id) {
        map.insert("id".to_owned(), id);
    }
    told
}

impl DebugWalk {
    fn say(&self, door: &Door, id: Option<Json>, answer: Answered) -> Result<()> {
        match answer {
            Answered::Stands(here, note) => {
                let mut told = serde_json::to_value(&here)?;
                if let (Some(map), Some(note)) = (told.as_object_mut(), &note) {
                    map.insert("note".to_owned(), note.as_str().into());
                }
                door.say(&with_id(told, id), || here_words(&here, note.as_deref()))
            }
            Answered::Told(value, words) => door.say(&with_id(json!({ "value": value }), id), || words),
            Answered::Quit => Ok(()),
        }
    }

    fn obey(&mut self, line: &str) -> Result<Answered> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest.split_once(char::is_whitespace).unwrap_or((rest, ""))) {
            ("back" | "b", ("until", what)) => self.until(Way::Back, what),
            ("back" | "b", ("go", "")) => self.go(Way::Back),
            ("next" | "n" | "", _) => self.steps(Way::On, rest, |stepper, way| Ok(stepper.step(way)?)),
            ("back" | "b", _) => self.steps(Way::Back, rest, |stepper, way| Ok(stepper.step(way)?)),
            ("next!" | "n!", _) => self.steps(Way::On, rest, |stepper, way| Ok(stepper.step_world(way))),
            ("back!" | "b!", _) => self.steps(Way::Back, rest, |stepper, way| Ok(stepper.step_world(way))),
            ("until", _) => self.until(Way::On, rest),
            ("go", _) => self.go(Way::On),
            ("break", _) => self.add_break(rest),
            ("clear", _) => self.clear(rest),
            ("watch", _) => {
                self.stepper.watch(rest.parse()?);
                self.stands()
            }
            ("at", _) => {
                let point: Point = rest.parse().map_err(anyhow::Error::msg)?;
                let at = self.stepper.history().seq_of(&point)?;
                self.stepper.put(at);
                self.stands()
            }
            ("where", _) => self.stands(),
            ("try", _) => self.try_script(rest),
            ("see", _) => self.see(rest),
            ("explain" | "prompt", _) => self.explain(word),
            ("help", _) => Ok(Answered::Told(HELP.lines().collect(), HELP.to_owned())),
            ("quit" | "q", _) => Ok(Answered::Quit),
            _ => bail!(
                "expected a command, found `{word}`; {}",
                did_you_mean("", word, COMMANDS).unwrap_or_else(|| "`help` lists them".to_owned())
            ),
        }
    }

    fn stands(&mut self) -> Result<Answered> {
        self.stands_with(None, Way::On)
    }

    /// Where it stands. Where the way back ends at an archive it says so, and which file has the rest.
    fn stands_with(&mut self, note: Option<&str>, way: Way) -> Result<Answered> {
        let here = self.stepper.here()?;
        let is_edge = here.moment.is_none() || (note.is_some() && way == Way::Back);
        let unread = self.stepper.history().unread(0).filter(|_| is_edge);
        let said: Vec<String> = note.map(str::to_owned).into_iter().chain(unread).collect();
        Ok(Answered::Stands(Box::new(here), (!said.is_empty()).then(|| said.join("; "))))
    }

    fn steps(&mut self, way: Way, many: &str, step: fn(&mut Stepper, Way) -> Result<bool>) -> Result<Answered> {
        let many = if many.is_empty() { 1 } else { count(many)? };
        for _ in 0..many {
            if !step(&mut self.stepper, way)? {
                let none = if way == Way::On { "there is no later one" } else { "there is no earlier one" };
                return self.stands_with(Some(none), way);
            }
        }
        self.stands()
    }

    /// To the next place at which something is so; a breakpoint on the way stops it too.
    fn until(&mut self, way: Way, what: &str) -> Result<Answered> {
        let stop = Stop::read(what, self.stepper.me())?;
        let stops = std::iter::once(stop).chain(self.stops()).collect();
        self.seek(way, stops)
    }

    fn go(&mut self, way: Way) -> Result<Answered> {
        let stops: Vec<Stop> = self.stops().collect();
        if stops.is_empty() {
            bail!("there is no breakpoint to go to; `break when {{…}}` makes one");
        }
        self.seek(way, stops)
    }

    fn seek(&mut self, way: Way, stops: Vec<Stop>) -> Result<Answered> {
        let is_found = self.stepper.seek(way, &Stop::First(stops))?;
        self.stands_with((!is_found).then_some("there is none that way"), way)
    }

    fn stops(&self) -> impl Iterator<Item = Stop> {
        self.breaks.iter().map(|(_, inquiry)| Stop::When(self.wanted(inquiry)))
    }

    fn wanted(&self, inquiry: &Inquiry) -> LookedFor {
        LookedFor { inquiry: inquiry.clone(), me: self.stepper.me() }
    }

    fn add_break(&mut self, when: &str) -> Result<Answered> {
        if !when.is_empty() {
            self.breaks.push((when.to_owned(), when.parse()?));
        }
        let listed: Vec<&str> = self.breaks.iter().map(|(text, _)| text.as_str()).collect();
        let lines: Vec<String> = (1..).zip(&listed).map(|(n, text)| format!("{n}: {text}")).collect();
        Ok(Answered::Told(json!(listed), if lines.is_empty() { "no breakpoint".to_owned() } else { lines.join("\n") }))
    }

    fn clear(&mut self, which: &str) -> Result<Answered> {
        match which {
            "" => self.breaks.clear(),
            which => {
                let at = count(which)?;
                if at == 0 || at > self.breaks.len() {
                    bail!("expected one of {} breakpoints, found `{which}`", self.breaks.len());
                }
                self.breaks.remove(at - 1);
            }
        }
        self.add_break("")
    }

    fn see(&mut self, address: &str) -> Result<Answered> {
        let world = self.stepper.world()?;
        let speaker = self.stepper.me().and_then(|me| world.being(me)).or_else(|| world.being(world.operator()));
        let speaker = speaker.context("nobody lives here yet")?;
        let value = see(&world, speaker, address, world.now()).map_err(|reason| anyhow::anyhow!("cannot see `{address}`: {reason}"))?;
        Ok(Answered::Told(serde_json::to_value(&value)?, pretty(&value)))
    }

    /// Tries a script in the moment behind which it stands, statement by statement.
    fn try_script(&mut self, file: &str) -> Result<Answered> {
        let seq = self.stepper.at().checked_sub(1).context("before the first moment there is nothing to try a script in")?;
        let world = self.stepper.world()?;
        let history = self.stepper.history();
        let frame = history.frame(seq, &world)?.with_context(|| format!("there is no frame {seq}"))?;
        let script = Some(file).filter(|file| !file.is_empty()).map(|file| script_in(Path::new(file))).transpose()?;
        let rehearsal = history.rehearse(frame.draft().being, seq, script.as_ref())?;
        Ok(Answered::Told(serde_json::to_value(&rehearsal)?, rehearsed_words(&rehearsal)))
    }

    /// The moment behind which it stands: all of it, or what its model was sent.
    fn explain(&mut self, what: &str) -> Result<Answered> {
        let seq = self.stepper.at().checked_sub(1).context("before the first moment there is nothing to explain")?;
        let explained = self.stepper.history().explain(seq)?;
        if what == "explain" {
            return Ok(Answered::Told(explained.to_json(), explained_words(&explained, true)));
        }
        let prompt = explained.prompt();
        if prompt.is_empty() {
            bail!("no model was asked in #{seq}; `explain` shows what was seen");
        }
        let words: Vec<String> = prompt.iter().map(|(role, content)| format!("{role}:\n{content}")).collect();
        let told = prompt.iter().map(|(role, content)| json!({ "role": role, "content": content })).collect();
        Ok(Answered::Told(told, words.join("\n\n")))
    }
}

fn count(text: &str) -> Result<usize> {
    text.parse().map_err(|_| anyhow::anyhow!("expected a number, found `{text}`"))
}

fn here_words(here: &Here, note: Option<&str>) -> String {
    let mut lines: Vec<String> = note.map(str::to_owned).into_iter().collect();
    lines.push(match &here.moment {
        Some(moment) => moment.raw_line(),
        None if here.at == 0 => "before the first moment".to_owned(),
        None => format!("before #{}, the first moment that is not archived", here.at),
    });
    lines.extend(here.watched.iter().map(|WatchedValue { name, value }| format!("  {name}: {value}")));
    lines.join("\n")
}
