//! Be: identities bound and let go: birth, end, inhabit, release.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::fact::{
    BeingId, Birth, Code, Cognition, Credential, Fact, KeyOf, Made, Millis, Reason, Seq, Text, Thing, Value, parse_duration,
};
use crate::world::{Being, World, address_of, looks};

use super::op::{checked_flow, coords, first_qualities, fit_name, thing_named};
use super::panel::panel_of;
use super::right::{above, has_right, is_allowed, may_drive, may_grant, may_pass};
use super::schema::Schema;

/// The operation that ends a being.
pub(super) const END: &str = "end";

/// The longest lease of an inhabited being, in milliseconds.
pub const LEASE_MAX: Millis = 60 * 60 * 1000;
/// The lease where none is asked for.
const LEASE: Millis = 60 * 1000;

/// The words that nobody is born as: in addresses, conditions and histories they mean something else. `world` and `operator` are those
/// whom genesis makes.
const RESERVED: [&str; 15] =
    ["me", "self", "here", "home", "parent", "none", "null", "llm", "human", "script", "bridge", "panel", "caller", "operator", "world"];

/// Whether a name is one of those words, or looks like one.
pub fn is_reserved(name: &str) -> bool {
    static KEPT: LazyLock<BTreeSet<Text>> = LazyLock::new(|| RESERVED.iter().flat_map(|word| looks(word)).collect());
    looks(name).iter().any(|look| KEPT.contains(look))
}

/// The context of an operation on identity.
pub struct Binding<'a> {
    /// The world as it is.
    pub world: &'a World,
    /// The being that acts.
    pub actor: &'a Being,
    /// When.
    pub at: Millis,
    /// The frame that is being drafted.
    pub seq: Seq,
    /// The key of a being that is about to be born, and what it delegates: recorded input.
    pub key_of: KeyOf<'a>,
    /// Tells whoever watches what no seal holds.
    pub tell: &'a dyn Fn(&str),
}

/// The operation by which a world begins; the engine alone does it.
pub const GENESIS: &str = "genesis";

/// The operations, with the JSON Schema of each one's payload and the sentences in which it is told.
pub const OPERATIONS: &[(&str, &str, &str, &[&str])] = &[
    (
        "birth",
        "gives birth to a child",
        r#"{"type":"object","required":["name"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"parent":{"type":"string"},"cognition":{"enum":["llm","human","script","bridge","panel"]},"script":{"type":["string","null"]},"panel":{"type":"object"},
            "defaultRole":{"type":["string","null"]},"flow":{"type":["array","null"]},"home":{"type":"string"},"coords":{},
            "grants":{"type":"array","items":{"type":"string"}},"qualities":{"type":"object"}}}"#,
        &["brings @{{name args.name}} into the world", "brings somebody into the world"],
    ),
    (
        END,
        "ends oneself or a descendant",
        r#"{"type":"object","additionalProperties":false,"properties":{"being":{"type":"string"}}}"#,
        &["ends {{args.being}}", "ends {{other}}", "ends"],
    ),
    (
        "inhabit",
        "drives a descendant for a while; again renews the lease",
        r#"{"type":"object","required":["being"],"additionalProperties":false,"properties":{"being":{"type":"string"},"for":{"type":"string"}}}"#,
        &["begins to drive {{args.being}}", "begins to drive {{other}}", "begins to drive somebody"],
    ),
    (
        "release",
        "stops driving a being",
        r#"{"type":"object","required":["being"],"additionalProperties":false,"properties":{"being":{"type":"string"}}}"#,
        &["stops driving {{args.being}}", "stops driving {{other}}", "stops driving somebody"],
    ),
];

/// The schema of an operation's payload.
pub(super) fn payload_schema(operation: &str) -> Option<&'static Schema> {
    static SCHEMAS: LazyLock<BTreeMap<&'static str, Schema>> =
        LazyLock::new(|| OPERATIONS.iter().map(|(name, _, schema, _)| (*name, Schema::of_text(schema))).collect());
    SCHEMAS.get(operation)
}

impl Binding<'_> {
    /// Drafts the facts of an operation whose payload has been checked.
    pub fn draft(&self, operation: &str, payload: &Value) -> Result<Vec<Fact>, Reason> {
        match operation {
            "birth" => self.birth(payload),
            END => self.end(payload),
            "inhabit" => self.inhabit(payload),
            "release" => self.release(payload),
            _ => Err(Reason::new(Code::UnknownOperation, operation)),
        }
    }

    fn birth(&self, payload: &Value) -> Result<Vec<Fact>, Reason> {
        let text = |key: &str| payload.get(key).and_then(Value::as_text).cloned();
        let name = text("name").ok_or_else(|| Reason::new(Code::ArgsRequired, "/name"))?;
        let name = fit_name(&name)?;
        self.check_free(&name)?;
        let home = match text("home") {
            None => self.actor.position,
            Some(home) => match thing_named(self.world, self.actor, self.at, &home)? {
                Thing::Space(home) => home,
                Thing::Being(_) | Thing::Matter(_) => return Err(Reason::new(Code::WrongTarget, "/home")),
            },
        };
        if !has_right(self.world, self.actor.id, home) && !is_allowed(self.world, home, "be.birth") {
            return Err(Reason::new(Code::GatePlace, self.world.path_of(home)));
        }
        let grid = self.world.space(home);
        let coords = coords(payload.get("coords"));
        if coords.is_some_and(|coords| !grid.is_some_and(|space| space.holds(coords))) {
            return Err(Reason::new(Code::OffGrid, "/coords"));
        }
        let flow = payload.get("flow").cloned().unwrap_or_default();
        if !flow.is_null() {
            checked_flow(self.actor, &flow, self.tell)?;
        }
        let default_role = text("defaultRole");
        let grants: Vec<Text> = payload
            .get("grants")
            .and_then(Value::as_list)
            .unwrap_or_default()
            .iter()
            .filter_map(|grant| grant.as_text().cloned())
            .collect();
        may_grant(self.actor, default_role.as_deref())?;
        may_pass(self.actor, grants.iter().map(AsRef::as_ref))?;
        let qualities = match first_qualities(payload, self.at)? {
            none if none.is_empty() => Value::Null,
            some => some.to_value(),
        };
        let Credential { key, delegation } = (self.key_of)(BeingId(Made { seq: self.seq, index: 0 }));
        let cognition = text("cognition").and_then(|word| word.parse().ok()).unwrap_or(Cognition::Script);
        let panel = panel_of(self.world, (&name, None), cognition, payload)?;
        let birth = Birth {
            name,
            parent: Some(self.parent(payload)?),
            home,
            coords,
            cognition,
            script: text("script"),
            default_role,
            flow: flow.into(),
            grants,
            qualities: qualities.into(),
            key,
            delegation: delegation.filter(|_| cognition.delegates()),
        };
        let asks = |panel| Fact::PanelSet { being: BeingId(Made { seq: self.seq, index: 0 }), panel: Box::new(panel) };
        Ok([Fact::Born(Box::new(birth))].into_iter().chain(panel.map(asks)).collect())
    }

    /// Whether a being may be called so: no word that means something else, no name of another, and none that looks like either.
    fn check_free(&self, name: &str) -> Result<(), Reason> {
        if is_reserved(name) {
            Err(Reason::new(Code::NameReserved, name))
        } else if self.world.being_named(name).is_some() {
            Err(Reason::new(Code::NameTaken, name))
        } else if self.world.looks_taken(name) {
            Err(Reason::new(Code::NameAlike, name))
        } else {
            Ok(())
        }
    }

    /// The parent of the new being: the actor, or a descendant of the actor.
    fn parent(&self, payload: &Value) -> Result<BeingId, Reason> {
        let Some(address) = payload.get("parent").and_then(Value::as_str) else { return Ok(self.actor.id) };
        match thing_named(self.world, self.actor, self.at, address)? {
            Thing::Being(parent) => {
                above(self.world, self.actor.id, parent)?;
                let lives = self.world.being(parent).is_some_and(|being| !being.ended);
                if lives { Ok(parent) } else { Err(Reason::new(Code::Ended, address)) }
            }
            Thing::Space(_) | Thing::Matter(_) => Err(Reason::new(Code::WrongTarget, "/parent")),
        }
    }

    fn being(&self, payload: &Value) -> Result<&Being, Reason> {
        let Some(address) = payload.get("being").and_then(Value::as_str) else { return Ok(self.actor) };
        match thing_named(self.world, self.actor, self.at, address)? {
            Thing::Being(id) => {
                let being = self.world.being(id).ok_or_else(|| Reason::new(Code::NotFound, address))?;
                if being.ended { Err(Reason::new(Code::Ended, address)) } else { Ok(being) }
            }
            Thing::Space(_) | Thing::Matter(_) => Err(Reason::new(Code::WrongTarget, "/being")),
        }
    }

    fn end(&self, payload: &Value) -> Result<Vec<Fact>, Reason> {
        let being = self.being(payload)?;
        above(self.world, self.actor.id, being.id)?;
        let address = || address_of(self.world, Thing::Being(being.id));
        if being.id == BeingId::WORLD || being.id == self.world.operator() {
            return Err(Reason::new(Code::Needed, address()));
        }
        if self.world.matter_in(Thing::Being(being.id)).next().is_some() {
            return Err(Reason::new(Code::NotEmpty, address()));
        }
        Ok(vec![Fact::Ended { of: Thing::Being(being.id) }])
    }

    fn inhabit(&self, payload: &Value) -> Result<Vec<Fact>, Reason> {
        let being = self.being(payload)?;
        if being.id == self.actor.id || being.id == BeingId::WORLD {
            return Err(Reason::new(Code::WrongTarget, "/being"));
        }
        above(self.world, self.actor.id, being.id)?;
        if being.driver_at(self.at).is_some_and(|driver| driver != self.actor.id) {
            return Err(Reason::new(Code::Driven, address_of(self.world, Thing::Being(being.id))));
        }
        may_drive(self.actor, being, self.at)?;
        let lease = match payload.get("for").and_then(Value::as_str) {
            None => LEASE,
            Some(text) => {
                parse_duration(text).filter(|ms| (1..=LEASE_MAX).contains(ms)).ok_or_else(|| Reason::new(Code::BadDuration, "/for"))?
            }
        };
        Ok(vec![Fact::Inhabited { being: being.id, driver: self.actor.id, until: self.at.saturating_add(lease) }])
    }

    fn release(&self, payload: &Value) -> Result<Vec<Fact>, Reason> {
        let being = self.being(payload)?;
        match being.driver_at(self.at) {
            Some(driver) if driver == self.actor.id || self.world.is_ancestor(self.actor.id, driver) => {
                Ok(vec![Fact::Released { being: being.id }])
            }
            _ => Err(Reason::new(Code::NotDriven, address_of(self.world, Thing::Being(being.id)))),
        }
    }
}
