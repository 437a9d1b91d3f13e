//! Operations on claims: who is at what, so that nobody undoes the work of another.

use crate::fact::{BeingId, Code, Fact, Millis, Reason, SpaceId, Thing, Value, parse_duration};
use crate::world::{CLAIMS_MAX, World, address_of};

use super::super::claims::told;
use super::super::right::{Rule, above, is_operator, owns};
use super::deed::{Core, Deed, thing_named};

/// The operation that claims things.
pub const CLAIM_SET: &str = "claim.set";
/// And the one that ends a claim.
pub const CLAIM_END: &str = "claim.end";

/// The longest claim, in milliseconds.
const CLAIM_MAX: Millis = 60 * 60 * 1000;
/// The claim where no time is said.
const CLAIM: Millis = 10 * 60 * 1000;

pub(super) const OPS: &[Core] = &[
    Core {
        name: CLAIM_SET,
        target: &[],
        about: "claims the target, or what `on` lists, `for` 10m or up to 1h: nobody else changes it till then; `why` is told to them",
        told: &["claims {{args.on}}[ for {{args.for}}][: {{text args.why}}]", "claims {{target}}[ for {{args.for}}][: {{text args.why}}]"],
        schema: r#"{"type":"object","additionalProperties":false,"properties":{
            "on":{"type":"array","minItems":1,"maxItems":16,"items":{"type":"string"}},
            "for":{"type":"string"},"why":{"type":"string","maxLength":120}}}"#,
        rule: Rule::Claim,
        draft: set,
    },
    Core {
        name: CLAIM_END,
        target: &[],
        about: "ends the claim on the target or on what `on` lists, else all of one's own",
        told: &["lets go of {{args.on}}", "lets go of {{other}}", "lets go of all that was claimed"],
        schema: r#"{"type":"object","additionalProperties":false,"properties":{
            "on":{"type":"array","minItems":1,"maxItems":16,"items":{"type":"string"}}}}"#,
        rule: Rule::Claim,
        draft: end,
    },
];

/// The things that an operation on claims is about: those that it lists, else its target; none where that is only the world, which is the
/// target of whatever names none.
pub(in crate::verb) fn claimed_things(deed: &Deed<'_>) -> Result<Vec<Thing>, Reason> {
    let Some(listed) = deed.args.get("on").and_then(Value::as_list) else {
        return Ok(Some(deed.target).filter(|target| *target != Thing::Space(SpaceId::ROOT)).into_iter().collect());
    };
    let named = |address: &str| thing_named(deed.world, deed.actor, deed.at, address);
    listed.iter().filter_map(Value::as_str).map(named).collect()
}

fn set(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let mut things = claimed_things(deed)?;
    things.sort_unstable();
    things.dedup();
    if things.is_empty() {
        return Err(Reason::new(Code::ArgsRequired, "/on"));
    }
    for thing in &things {
        if let Thing::Being(id) = thing {
            deed.living(*id)?;
        }
    }
    let others = deed.world.claimed_by(deed.actor.id, deed.at).filter(|(thing, _)| !things.contains(thing)).count();
    if others + things.len() > CLAIMS_MAX {
        return Err(Reason::new(Code::LimitClaims, CLAIMS_MAX.to_string()));
    }
    let lease = match deed.args.get("for").and_then(Value::as_str) {
        None => CLAIM,
        Some(text) => {
            let lease = parse_duration(text).filter(|ms| (1..=CLAIM_MAX).contains(ms));
            lease.ok_or_else(|| Reason::new(Code::BadDuration, "/for"))?
        }
    };
    let why = deed.text("why").unwrap_or_else(|| "".into());
    let (by, until) = (deed.actor.id, deed.at.saturating_add(lease));
    Ok(things.into_iter().map(|of| Fact::Claimed { of, by, until, why: why.clone() }).collect())
}

fn end(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let mut things = claimed_things(deed)?;
    if things.is_empty() {
        things = deed.world.claimed_by(deed.actor.id, deed.at).map(|(thing, _)| thing).collect();
    }
    // Without a claim of one's own, the world as the target means the claim on that.
    let root = Thing::Space(SpaceId::ROOT);
    if things.is_empty() && deed.args.get("on").is_none() && deed.target == root && deed.world.claim_on(root, deed.at).is_some() {
        things.push(root);
    }
    things.sort_unstable();
    things.dedup();
    if things.is_empty() {
        return Err(Reason::new(Code::NotClaimed, address_of(deed.world, Thing::Being(deed.actor.id))));
    }
    things.iter().try_for_each(|thing| may_end_claim(deed.world, deed.actor.id, *thing, deed.at))?;
    Ok(things.into_iter().map(|of| Fact::ClaimEnded { of }).collect())
}

/// Whether somebody may end the claim on a thing: its holder, whoever stands above that, and whoever owns the place or one around it.
pub(in crate::verb) fn may_end_claim(world: &World, who: BeingId, thing: Thing, at: Millis) -> Result<(), Reason> {
    let Some(claim) = world.claim_on(thing, at) else { return Err(Reason::new(Code::NotClaimed, address_of(world, thing))) };
    if above(world, who, claim.by).is_ok() || is_operator(world, who) || owns(world, who, thing, true).is_ok() {
        Ok(())
    } else {
        Err(Reason::new(Code::GateClaimed, told(world, thing, claim, at)))
    }
}
