//! Genesis: the first frame of every world, by which `@world`, the root and the operator come to be.

use crate::fact::{
    BeingId, Birth, Call, Closing, Cognition, Credential, Draft, Fact, Hash, KeyOf, Made, Millis, Rank, SEALS, SpaceId, Text, Thought,
    Value, WakeId, WakeKind, WorldId,
};
use crate::role::Spec;
use crate::verb::GENESIS;
use crate::world::{LANGUAGES, ROUNDS_MAX, register_hash};

/// The version of everything that a replay must compute alike: evaluator, glob, cron, script engine, operations. Each commit that changes
/// any of it raises the number by one and remakes the recordings (`replay/README.md`); until the first release only the newest is replayed.
pub const SEMANTICS: i64 = 96;

/// The role that `@world` and the operator wear: the whole surface, in a file like any other role.
pub const OPERATOR_ROLE: &str = include_str!("../../roles/operator.md");

/// The name of the being from whom the operator's rights flow.
pub const OPERATOR: &str = "operator";

/// The name of the being as which visitors come who are not logged in.
pub const ARRIVAL: &str = "arrival";

/// The roles that every world has: of those who stand at its root, and two to begin with for people who are born there.
const RESIDENT_ROLES: &[(&str, &str)] = &[
    ("roles/arrival.md", include_str!("../../roles/arrival.md")),
    ("roles/birther.md", include_str!("../../roles/birther.md")),
    ("roles/role-manager.md", include_str!("../../roles/role-manager.md")),
    ("roles/person.md", include_str!("../../roles/person.md")),
    ("roles/watcher.md", include_str!("../../roles/watcher.md")),
];
/// The scripts that think for those at the root.
const RESIDENT_SCRIPTS: &[(&str, &str, &str)] = &[
    ("birther", "roles/birther.rhai", include_str!("../../roles/birther.rhai")),
    ("role-manager", "roles/role-manager.rhai", include_str!("../../roles/role-manager.rhai")),
];
const RESIDENTS: &[(&str, Cognition)] = &[(ARRIVAL, Cognition::Human), ("birther", Cognition::Script), ("role-manager", Cognition::Script)];

/// The residents at the root of a new world, as an argument of its genesis: a world keeps those that it was begun with.
pub fn residents() -> Value {
    let specs = RESIDENT_ROLES.iter().filter_map(|(file, text)| Spec::from_markdown(file, text).ok());
    let scripts = RESIDENT_SCRIPTS.iter().map(|(name, file, source)| {
        Value::map([("name", Value::text(name)), ("file", Value::text(file)), ("source", Value::text(source))])
    });
    let beings =
        RESIDENTS.iter().map(|(name, cognition)| Value::map([("name", Value::text(name)), ("cognition", Value::text(cognition.word()))]));
    Value::map([
        ("roles", Value::List(specs.map(|spec| spec.to_value()).collect())),
        ("scripts", Value::List(scripts.collect())),
        ("beings", Value::List(beings.collect())),
    ])
}

/// The facts by which the residents come to be; each wears the role of its own name.
fn settle(residents: &Value, first: u32, key_of: KeyOf<'_>) -> Vec<Fact> {
    let list = |key: &str| residents.get(key).and_then(Value::as_list).unwrap_or_default().iter();
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_text).cloned().unwrap_or_else(|| Text::from(""));
    let roles = list("roles").map(|role| Fact::RoleSet { name: text(role, "name"), origin: "reelm".into(), role: role.clone().into() });
    let scripts = list("scripts").map(|script| Fact::ScriptSet {
        name: text(script, "name"),
        file: text(script, "file"),
        source: Value::from(text(script, "source")).into(),
    });
    let mut facts: Vec<Fact> = roles.chain(scripts).collect();
    for being in list("beings") {
        let index = first + facts.len() as u32;
        let name = text(being, "name");
        let cognition: Cognition = text(being, "cognition").parse().unwrap_or(Cognition::Human);
        let Credential { key, delegation } = key_of(BeingId::new(0, index));
        facts.push(Fact::Born(Box::new(Birth {
            default_role: Some(name.clone()),
            name,
            parent: Some(BeingId::WORLD),
            home: SpaceId::ROOT,
            coords: None,
            cognition,
            script: None,
            flow: Value::Null.into(),
            grants: Vec::new(),
            qualities: Value::Null.into(),
            key,
            delegation: delegation.filter(|_| cognition.delegates()),
        })));
    }
    facts
}

/// Drafts the genesis of a world from its arguments: `name`, `seed`, `zone`, `simulated`, `rounds.max`, `seals`, `recall.languages`, `role` (the operator's), `residents`, `about`.
pub fn genesis(world: WorldId, args: &Value, at: Millis, key_of: KeyOf<'_>) -> Draft {
    let being = |name: &str, parent, Credential { key, delegation }, cognition| Birth {
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
        key,
        delegation: delegation.filter(|_| cognition.delegates()),
    };
    let operator = BeingId::new(0, 2);
    let mut facts = vec![
        Fact::Born(Box::new(being("world", None, key_of(BeingId::WORLD), Cognition::Human))),
        Fact::SpaceMade { name: "".into(), parent: None, kind: "world".into(), size: None, coords: None, owner: Some(operator) },
        Fact::Born(Box::new(being(OPERATOR, Some(BeingId::WORLD), key_of(operator), Cognition::Human))),
    ];
    let register = Value::from(register_hash().to_string());
    let config = [("semantics", Value::Int(SEMANTICS)), ("register", register), ("operator", Value::from(OPERATOR))];
    let given = ["name", "seed", "zone", "simulated", ROUNDS_MAX, SEALS, LANGUAGES]
        .into_iter()
        .filter_map(|key| Some((key, args.get(key)?.clone())));
    facts.extend(config.into_iter().chain(given).map(|(key, value)| Fact::ConfigSet { key: key.into(), value: value.into() }));
    facts.push(Fact::RoleSet { name: OPERATOR.into(), origin: "reelm".into(), role: args.get("role").cloned().unwrap_or_default().into() });
    if let Some(residents) = args.get("residents") {
        facts.extend(settle(residents, facts.len() as u32, key_of));
    }
    // Last: whoever is born before is named by their place among the facts.
    facts.extend(args.get("about").map(|about| Fact::ConfigSet { key: "about".into(), value: about.clone().into() }));
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
        call: Some(Call::be(GENESIS, args.clone())),
        facts,
        closing: Closing::Act,
        intent: None,
    }
}

/// The operator's role as genesis records it.
pub fn operator_role() -> Value {
    Spec::from_markdown("roles/operator.md", OPERATOR_ROLE).map(|spec| spec.to_value()).unwrap_or_default()
}
