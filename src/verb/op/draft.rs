//! Draft: what would change authority is drawn up first, and published by an act of its own.

use crate::fact::{Code, Fact, Reason, SpaceId, Text, Thing};
use crate::world::address_of;

use super::super::drafted::{BE, DraftedCall, base_of};
use super::super::right::Rule;
use super::deed::{Core, Deed, fit_name, thing_named};

/// The name of drawing up.
pub const DRAFT_MAKE: &str = "draft.make";
/// The name of publishing.
pub const DRAFT_PUBLISH: &str = "draft.publish";

pub(super) const OPS: &[Core] = &[
    Core {
        name: DRAFT_MAKE,
        target: &["being"],
        about: "draws up what whoever asked could publish, as matter in their hands; done to them, and changes nothing else",
        told: &["draws up a draft for {{being}}", "draws up a draft"],
        schema: r#"{"type":"object","required":["action","args"],"additionalProperties":false,"properties":{
            "action":{"type":"string","description":"the operation that publishing it does, such as role.set, flow.set, signal.set or be.birth"},
            "target":{"type":"string","description":"the address that it would be done to; without one the world"},
            "args":{"type":"object","description":"the arguments of that operation"},
            "name":{"type":"string","description":"what the draft is called"}}}"#,
        rule: Rule::Oneself,
        draft: make,
    },
    Core {
        name: DRAFT_PUBLISH,
        target: &["matter"],
        about: "does what a draft in one's hands says, as one's own deed; the draft is gone then",
        told: &["publishes a draft"],
        schema: r#"{"type":"object","required":["hash"],"additionalProperties":false,"properties":{
            "hash":{"type":"string","description":"the hash that the draft shows: so nothing is published but what was read"}}}"#,
        rule: Rule::Held,
        draft: publish,
    },
];

/// Whether its call is one that can be drafted has been asked.
fn make(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let holder = deed.being()?.id;
    let (action, args) = (deed.required("action")?, deed.value("args"));
    let of = drafted_for(deed)?;
    let target = of.map(|of| address_of(deed.world, of)).unwrap_or_default();
    let base = base_of(&of.map(|of| DraftedCall::now(deed.world, &action, of, &args)).unwrap_or_default());
    let name = deed.text("name").unwrap_or_else(|| Text::from(format!("draft-{}", deed.seq)));
    let name = fit_name(&name)?;
    if deed.world.matter_named(deed.target, &name).is_some() {
        return Err(Reason::new(Code::NameTaken, &name));
    }
    let call = DraftedCall { action, target: target.into(), args, base };
    Ok(vec![Fact::Drafted { holder, name, content: call.to_value().into() }])
}

/// The target of a draft; none for an operation on identity, whose payload names its being.
pub(in crate::verb) fn drafted_for(deed: &Deed<'_>) -> Result<Option<Thing>, Reason> {
    match (deed.required("action")?.starts_with(BE), deed.args.get("target").is_some()) {
        (true, _) => Ok(None),
        (false, true) => deed.thing("target").map(Some),
        (false, false) => Ok(Some(Thing::Space(SpaceId::ROOT))),
    }
}

/// The draft as it is has to be the one that is named, and what it was drawn up against has to stand there still; what it says is then done
/// as an act of whoever holds it.
fn publish(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let call = deed.world.matter(deed.matter()?).and_then(|matter| DraftedCall::of(matter)).ok_or_else(|| deed.wrong_target())?;
    if deed.required("hash")?.as_ref() != call.hash().to_string() {
        return Err(Reason::new(Code::DraftHash, address_of(deed.world, deed.target)));
    }
    let of = (!call.target.is_empty()).then(|| thing_named(deed.world, deed.actor, deed.at, &call.target)).transpose()?;
    let now = base_of(&of.map(|of| DraftedCall::now(deed.world, &call.action, of, &call.args)).unwrap_or_default());
    if now != call.base {
        return Err(Reason::new(Code::BaseVersion, &call.target));
    }
    // A published draft ends: it could never be published again, and the frames keep who drew it up and who published it.
    Ok(vec![Fact::Ended { of: deed.target }])
}
