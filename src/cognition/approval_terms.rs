//! Approval terms: which requests of a bridge somebody has to approve before they leave, and who that is.
//!
//! `approve = { by = "@ada", when = {…}, for = "1d" }` in the setting of the bridge: without `when` every request.

use crate::fact::{BeingId, Cognition, Hash, Millis, SpaceId, Spend, Summons, Text, Thing, Trigger, Value, WornRole, parse_duration};
use crate::moment::Opening;
use crate::role::Petition;
use crate::verb::has_to_be_approved;
use crate::world::{ApprovalAnswer, Being, World, address_of};

/// The words for an approver who is not named.
pub const OWNER: &str = "owner";
pub const PARENT: &str = "asker's parent";
/// The longest request of which a model is shown all, in bytes: others are a person's to approve.
const SHOWN_MAX: usize = 7_000;
/// How long an approval is waited for where nothing is said: a day.
const USUAL_WAIT: Millis = 86_400_000;

/// The approver, the conditions of a request that waits for them, and how long it waits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ApprovalTerms {
    by: Text,
    /// Nothing: every request.
    when: Option<Value>,
    waits: Millis,
}

impl ApprovalTerms {
    /// As a setting says it. A `when` that cannot be read lets nothing out.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let approve = value.get("approve").filter(|approve| !approve.is_null())?;
        let text = |key: &str| approve.get(key).and_then(Value::as_text);
        Some(Self {
            by: text("by").cloned().unwrap_or_else(|| OWNER.into()),
            when: approve.get("when").cloned(),
            waits: text("for").and_then(|waits| parse_duration(waits)).unwrap_or(USUAL_WAIT),
        })
    }

    /// The question whether a request may leave; none where nobody has to approve it, or somebody has approved these very bytes.
    pub(super) fn petition(&self, opening: &Opening, world: &World, body: &str, most: Spend) -> Option<Box<Summons>> {
        let hash = Hash::of(body.as_bytes());
        let asker = opening.caller.and_then(|asker| world.being(asker)).map(AsRef::as_ref);
        let by = self.approver(opening, world, body);
        // Of whoever asks for another it is not known who that is.
        let asks = is_deputy(opening, world) || asker.is_none_or(|asker| self.asks(opening, world, asker, body, most));
        if !asks || has_leave(opening, world, (by, hash), &cost(most)) {
            return None;
        }
        let until = opening.opened_at.saturating_add(self.waits);
        let told = Value::map([
            ("bridge", Value::from(address_of(world, Thing::Being(opening.being.id)))),
            ("wake", Value::from(opening.wake.id.cause.to_string())),
            ("request", Value::from(hash.to_string())),
            ("bytes", Value::text(body)),
            ("asker", asker.map_or(Value::Null, |asker| Value::from(address_of(world, Thing::Being(asker.id))))),
            ("root", opening.wake.root.map_or(Value::Null, |root| Value::from(root.to_string()))),
            ("cost", cost(most)),
        ]);
        let (intent, caller_role) = (Some(Summons::PETITION.into()), Some(opening.worn.name.clone()).filter(|name| !name.is_empty()));
        let stack = opening.stack.clone();
        Some(Box::new(Summons { intent, caller_role, stack, until: Some(until), rank: opening.wake.id.rank, ..Summons::told(by, told) }))
    }

    fn asks(&self, opening: &Opening, world: &World, asker: &Being, body: &str, most: Spend) -> bool {
        let Some(Ok(when)) = self.when.as_ref().map(Petition::compile) else { return true };
        // A body that cannot be read is not known to be harmless.
        let Some(request) = request_of(body) else { return true };
        let has_parts = request.get("body").is_some_and(|body| body.as_map().is_some());
        if when.asks_body() && !has_parts {
            return true;
        }
        let asked = Value::map([("request", request), ("cost", cost(most))]);
        has_to_be_approved(&when, world, (asker, Thing::Being(opening.being.id)), &asked, opening.opened_at)
    }

    /// The being that is asked. Nobody approves their own request but the operator, who is asked where nobody else could hear of it, or of all of it.
    fn approver(&self, opening: &Opening, world: &World, body: &str) -> BeingId {
        if is_deputy(opening, world) {
            return world.operator();
        }
        let asker = opening.caller.and_then(|asker| world.being(asker));
        let named = match self.by.as_ref() {
            OWNER => owner_around(world, opening.being.position),
            PARENT => asker.and_then(|asker| asker.parent),
            name => world.being_named(name.trim_start_matches('@')).map(|being| being.id),
        };
        // One that gives birth can come to act as the newborn.
        let is_of = |asker: BeingId, by: BeingId| asker == by || world.is_ancestor(asker, by);
        let is_own = |by: BeingId| [opening.caller, opening.wake.caller_driver()].into_iter().flatten().any(|asker| is_of(asker, by));
        let hears = |by: &Being| {
            let is_shown_all = by.cognition_at(opening.opened_at) != Cognition::Llm || body.len() <= SHOWN_MAX;
            by.id != BeingId::WORLD && by.id != opening.being.id && !by.ended && by.listens.contains(&Trigger::Message) && is_shown_all
        };
        let named = named.filter(|by| !is_own(*by)).and_then(|by| world.being(by)).filter(|by| hears(by));
        named.map_or(world.operator(), |by| by.id)
    }
}

/// Whether these bytes may leave at this cost: whoever approves them now, or the operator, has said so, and not longer ago than it would have been
/// waited for.
fn has_leave(opening: &Opening, world: &World, (by, hash): (BeingId, Hash), cost: &Value) -> bool {
    let Some(approval) = opening.wake.approval.as_ref().filter(|approval| approval.lets(hash)) else { return false };
    let Some(ApprovalAnswer::Yes { by: said }) = approval.said else { return false };
    let is_by = said == by || said == world.operator() || said == BeingId::WORLD;
    is_by && approval.told.get("cost") == Some(cost) && opening.opened_at <= approval.until
}

/// Whether whoever asks did so for another, as a deputy does.
fn is_deputy(opening: &Opening, world: &World) -> bool {
    let stack = opening.wake.summons().map(|summons| summons.stack.as_slice()).unwrap_or_default();
    let place = opening.caller.and_then(|asker| world.being(asker)).map_or(opening.being.position, |asker| asker.position);
    // A role that is not there any more may have been one.
    let acts = |worn: &WornRole| world.role_at(&worn.role, place).is_none_or(|role| role.spec.acts_for_caller);
    stack.iter().any(acts)
}

fn owner_around(world: &World, space: SpaceId) -> Option<BeingId> {
    world.upward(space).find_map(|space| space.owner)
}

/// The most that a request may cost.
fn cost(most: Spend) -> Value {
    let whole = |count: u64| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
    let money = Value::number(most.money as f64 / 1e6).unwrap_or_default();
    Value::map([("calls", whole(most.calls)), ("bytes", whole(most.bytes)), ("money", money)])
}

/// The parts of a request that conditions may ask about, and of a body that is JSON its parts too; nothing where that cannot be read, so that
/// nobody is told apart by what hides from a reader.
fn request_of(body: &str) -> Option<Value> {
    let Ok(Value::Map(mut request)) = serde_json::from_str::<Value>(body) else { return None };
    let url = request.get("url").and_then(Value::as_str).and_then(|url| url::Url::parse(url).ok());
    let host = url.and_then(|url| url.host_str().map(str::to_owned));
    let text = |key: &str| request.get(key).and_then(Value::as_str).unwrap_or_default();
    let inner = text("body").trim_start_matches('\u{feff}').trim();
    let is_json = inner.starts_with(['{', '[']) || text("type").to_ascii_lowercase().contains("json");
    if is_json {
        let inner: Value = serde_json::from_str(inner).ok()?;
        request.insert("body".into(), inner);
    }
    request.insert("host".into(), host.map_or(Value::Null, Value::from));
    Some(Value::Map(request))
}
