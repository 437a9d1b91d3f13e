//! Approval terms: which requests of a bridge somebody has to approve before they leave, and who that is.
//!
//! `approve = { by = "@ada", when = {…}, for = "1d" }` in the setting of the bridge: without `when` every request.

use serde_json::Value as Json;

use crate::fact::{BeingId, Hash, Millis, SpaceId, Spend, Summons, Text, Thing, Value, parse_duration};
use crate::moment::Opening;
use crate::role::Petition;
use crate::verb::has_to_be_approved;
use crate::world::{Being, World, address_of};

/// The words for an approver who is not named.
pub const OWNER: &str = "owner";
pub const PARENT: &str = "asker's parent";
/// How long an approval is waited for where nothing is said: a day.
const USUAL_WAIT: Millis = 86_400_000;

/// Who approves, what, and how long they are waited for.
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

    /// What asks for an approval of a request before it may leave; nothing where none is needed, or it has been given for these very bytes.
    pub(super) fn petition(&self, opening: &Opening, world: &World, body: &str, most: Spend) -> Option<Box<Summons>> {
        let hash = Hash::of(body.as_bytes());
        let asker = opening.caller.and_then(|asker| world.being(asker))?;
        let has_leave = opening.wake.approval.as_ref().is_some_and(|approval| approval.lets(hash));
        if has_leave || !self.asks(opening, world, asker, body, most) {
            return None;
        }
        let by = self.approver(opening, world, asker);
        let until = opening.opened_at.saturating_add(self.waits);
        let told = Value::map([
            ("bridge", Value::from(address_of(world, Thing::Being(opening.being.id)))),
            ("wake", Value::from(opening.wake.id.cause.to_string())),
            ("request", Value::from(hash.to_string())),
            ("bytes", Value::text(body)),
            ("asker", Value::from(address_of(world, Thing::Being(asker.id)))),
            ("root", opening.wake.root.map_or(Value::Null, |root| Value::from(root.to_string()))),
            ("cost", cost(most)),
        ]);
        let (intent, caller_role) = (Some(Summons::PETITION.into()), Some(opening.worn.name.clone()).filter(|name| !name.is_empty()));
        let stack = opening.stack.clone();
        Some(Box::new(Summons { intent, caller_role, stack, until: Some(until), rank: opening.wake.id.rank, ..Summons::told(by, told) }))
    }

    fn asks(&self, opening: &Opening, world: &World, asker: &Being, body: &str, most: Spend) -> bool {
        let Some(Ok(when)) = self.when.as_ref().map(Petition::compile) else { return true };
        let asked = Value::map([("request", request_of(body)), ("cost", cost(most))]);
        has_to_be_approved(&when, world, (asker, Thing::Being(opening.being.id)), &asked, opening.opened_at)
    }

    /// Who is asked: nobody approves their own request but the operator, who is asked where there is nobody else.
    fn approver(&self, opening: &Opening, world: &World, asker: &Being) -> BeingId {
        let named = match self.by.as_ref() {
            OWNER => owner_around(world, opening.being.position),
            PARENT => asker.parent,
            name => world.being_named(name.trim_start_matches('@')).map(|being| being.id),
        };
        let lives = |id: &BeingId| *id != BeingId::WORLD && world.being(*id).is_some_and(|being| !being.ended);
        named.filter(lives).filter(|by| *by != asker.id).unwrap_or(world.operator())
    }
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

/// The parts of a request that conditions may ask about; of a body that is JSON its parts too.
fn request_of(body: &str) -> Value {
    let Ok(mut request) = serde_json::from_str::<Json>(body) else { return Value::Null };
    let host = request.get("url").and_then(Json::as_str).and_then(|url| url::Url::parse(url).ok());
    let host = host.and_then(|url| url.host_str().map(str::to_owned));
    if let Some(inner) = request.get("body").and_then(Json::as_str).and_then(|text| serde_json::from_str::<Json>(text).ok()) {
        request.as_object_mut().and_then(|request| request.insert("body".to_owned(), inner));
    }
    let mut value: Value = serde_json::from_value(request).unwrap_or_default();
    if let (Value::Map(map), Some(host)) = (&mut value, host) {
        map.insert("host".into(), Value::from(host));
    }
    value
}
