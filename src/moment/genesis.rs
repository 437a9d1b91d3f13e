//! Genesis: the first frame of every world, by which `@world`, the root and the operator come to be.

use crate::fact::{
    BeingId, Birth, Call, Closing, Cognition, Draft, Fact, Hash, Made, Millis, Rank, SpaceId, Text, Thought, Value, WakeId, WakeKind,
    WorldId,
};
use crate::role::Spec;

/// The version of everything that a replay must compute alike: evaluator, glob, cron, script engine, operations.
pub const SEMANTICS: i64 = 1;

/// The role that `@world` and the operator wear: the whole surface, in a file like any other role.
pub const OPERATOR_ROLE: &str = include_str!("../../roles/operator.md");

/// The name of the being from whom the operator's rights flow.
pub const OPERATOR: &str = "operator";

/// The name of the being as which visitors come who are not logged in.
pub const ARRIVAL: &str = "arrival";

/// Drafts the genesis of a world from its arguments: `name`, `seed`, `zone`, `simulated`, `role` (the operator's).
pub fn genesis(world: WorldId, args: &Value, at: Millis, key_of: &dyn Fn(BeingId) -> Hash) -> Draft {
    let being = |name: &str, parent, index, cognition| Birth {
        name: name.into(),
        parent,
        home: SpaceId::ROOT,
        coords: None,
        cognition,
        script: None,
        default_role: Some(Text::from(OPERATOR)),
        flow: Value::Null.into(),
        grants: vec!["*".into()],
        qualities: Value::Null.into(),
        key: key_of(BeingId::new(0, index)),
    };
    let operator = BeingId::new(0, 2);
    let mut facts = vec![
        Fact::Born(Box::new(being("world", None, 0, Cognition::Human))),
        Fact::SpaceMade { name: "".into(), parent: None, kind: "world".into(), size: None, coords: None, owner: Some(operator) },
        Fact::Born(Box::new(being(OPERATOR, Some(BeingId::WORLD), 2, Cognition::Human))),
    ];
    let config = [("semantics", Value::Int(SEMANTICS)), ("operator", Value::from(OPERATOR))];
    let given = ["name", "seed", "zone", "simulated"].into_iter().filter_map(|key| Some((key, args.get(key)?.clone())));
    facts.extend(config.into_iter().chain(given).map(|(key, value)| Fact::ConfigSet { key: key.into(), value: value.into() }));
    facts.push(Fact::RoleSet { name: OPERATOR.into(), origin: "reelm".into(), role: args.get("role").cloned().unwrap_or_default().into() });
    Draft {
        world,
        being: BeingId::WORLD,
        n: 0,
        prev: Hash::NOTHING,
        prev_seq: 0,
        seq: 0,
        opened: 0,
        opened_at: at,
        at,
        offset: 0,
        driver: None,
        cognition: Cognition::Human,
        attempt: 1,
        wake: WakeId { rank: Rank::Person, due: at, cause: Made { seq: 0, index: 0 }, kind: WakeKind::Gesture },
        stack: Vec::new(),
        worn: Hash::NOTHING,
        thought: Thought::Given,
        call: Some(Call::be("genesis", args.clone())),
        facts,
        closing: Closing::Act,
        intent: None,
    }
}

/// The operator's role as genesis records it.
pub fn operator_role() -> Value {
    Spec::from_markdown("roles/operator.md", OPERATOR_ROLE).map(|spec| spec.to_value()).unwrap_or_default()
}
