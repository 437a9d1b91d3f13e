//! `explain`: why a moment was as it was: what was worn and why, what was seen, what was done, what was refused.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::fact::{Call, Canon, Closing, Content, Draft, Fact, Frame, Seq, Thought, Value, WakeKind};
use crate::moment::{Composer, open};
use crate::run::{call_line, resume};
use crate::store::{Record, Store};
use crate::world::{Wake, World, iso};

use super::door::pretty;
use super::{Door, Ended};

/// Says why a moment was as it was
#[derive(Args)]
#[command(after_help = "Example: reelm explain 120        (the frame with seq 120)
         reelm explain @ada/7     (the eighth frame of @ada's reel)")]
pub struct Explain {
    /// A seq, or @being/n
    moment: String,
}

impl Explain {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let store = door.store()?;
        let seq = self.seq(door, &store)?;
        let Some(Record::Frame { bytes, .. }) = store.frame(seq)? else {
            bail!("there is no frame {seq}; the world ends before {}", store.ending().seq);
        };
        let frame = Frame::read(&bytes)?;
        let draft = frame.draft();
        let world = resume(&door.data, &store, Some(draft.opened), &mut |_| {})?.world;
        let why = self.why(draft, &world);
        let said = said(draft, &store)?;
        let name = world.being(draft.being).map_or_else(|| draft.being.to_string(), |being| format!("@{}", being.name));
        let json = serde_json::json!({
            "seq": draft.seq, "being": name, "n": draft.n, "hash": frame.hash(), "openedAt": iso(draft.opened_at, draft.offset),
            "wake": why.as_ref().map(|why| &why.wake), "trace": why.as_ref().map(|why| &why.trace), "face": why.as_ref().map(|why| &why.face),
            "thought": said.as_ref().map(|(request, reply)| serde_json::json!({ "request": request, "reply": reply })),
            "stack": draft.stack, "call": draft.call, "closing": draft.closing, "facts": draft.facts,
        });
        door.say(&json, || words(&frame, &name, why.as_ref(), said.as_ref()))?;
        Ok(Ended::Well)
    }

    fn seq(&self, door: &Door, store: &dyn Store) -> Result<Seq> {
        if let Ok(seq) = self.moment.trim_start_matches('#').parse() {
            return Ok(seq);
        }
        let (name, n) = self
            .moment
            .strip_prefix('@')
            .and_then(|rest| rest.split_once('/'))
            .with_context(|| format!("expected a seq such as 120, or @ada/7, found `{}`", self.moment))?;
        let n: u64 = n.parse().with_context(|| format!("expected a number behind `@{name}/`, found `{n}`"))?;
        let (_, loaded) = door.world(None)?;
        let being = loaded.world.being_named(name).with_context(|| format!("there is no being `@{name}` in this world"))?;
        store.reel(being.id, n)?.first().copied().with_context(|| format!("the reel of @{name} has only {} frames", being.next_n))
    }

    /// The moment opened again, as far as the world then holds it.
    fn why(&self, draft: &Draft, world: &World) -> Option<Why> {
        let being = world.being(draft.being)?;
        let is_gesture = draft.wake.kind == WakeKind::Gesture;
        let wake =
            if is_gesture { Arc::new(Wake::gesture(draft.seq, draft.at)) } else { world.inbox().get(draft.being, &draft.wake)?.clone() };
        let call: Option<&Call> = draft.call.as_ref().filter(|_| is_gesture);
        let opening = open(world, being, &wake, draft.opened_at, call, &mut Composer::default());
        Some(Why { wake: wake.to_value(|being| world.name_of(being)), trace: opening.trace(world, call), face: opening.face(world) })
    }
}

struct Why {
    wake: Value,
    trace: crate::role::Trace,
    face: Value,
}

/// What a model was asked, and its raw reply.
fn said(draft: &Draft, store: &dyn Store) -> Result<Option<(Value, Value)>> {
    let Thought::Model { request, reply } = &draft.thought else { return Ok(None) };
    let whole = |content: &Content| -> Result<Value> {
        match content {
            Content::Here(value) => Ok(value.clone()),
            Content::There { hash, .. } => {
                let bytes = store.blob(hash)?.with_context(|| format!("the log has no blob {hash}"))?;
                Ok(Value::from_canon(&bytes)?)
            }
        }
    };
    Ok(Some((whole(request)?, whole(reply)?)))
}

/// The messages of a request, one after the other, and the reply as it came.
fn thought(request: &Value, reply: &Value) -> String {
    let body: serde_json::Value =
        request.get("body").and_then(Value::as_str).and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default();
    let part = |message: &serde_json::Value, key: &str| message.get(key).and_then(|part| part.as_str()).unwrap_or_default().to_owned();
    let messages = body.get("messages").and_then(|messages| messages.as_array()).into_iter().flatten();
    let told: Vec<String> = messages.map(|message| format!("{}:\n{}", part(message, "role"), part(message, "content"))).collect();
    format!("\nasked {}\n\n{}\n\nreply: {reply}\n", request.get("connection").cloned().unwrap_or_default(), told.join("\n\n"))
}

fn words(frame: &Frame, name: &str, why: Option<&Why>, said: Option<&(Value, Value)>) -> String {
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
        text += &format!("\nwoken by {}\n\n{}\n\nsaw {}\n", why.wake, why.trace, pretty(&why.face));
    }
    if let Some((request, reply)) = said {
        text += &thought(request, reply);
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
    for fact in &draft.facts {
        text += &format!("  fact: {}\n", fact_line(fact));
    }
    format!("{text}hash {}", frame.hash())
}

fn fact_line(fact: &Fact) -> String {
    let line = serde_json::to_string(fact).unwrap_or_default();
    if line.chars().count() <= 200 { line } else { line.chars().take(199).chain(['…']).collect() }
}
