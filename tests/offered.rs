//! Offered: is whatever a role and a place allow on something near offered to a mind, and does whatever is offered pass the gate?

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use reelm::fact::{Call, CodeKind, Coords, Thing};
use reelm::role::Spec;
use reelm::world::{PlacedKind, address_of};
use serde_json::json;

use super::kit::{self, Small, args, source};
use super::mind::Script;
use super::told::told;

/// The deeds that are tried, with arguments that fit.
const DEEDS: [(&str, &str); 3] =
    [("quality.set", r#"{"path":"t.n","value":1}"#), ("matter.set", r#"{"content":"other"}"#), ("say", r#"{"content":"Hello."}"#)];
/// Entries that a role may list.
const ENTRIES: [&str; 8] = [
    "say",
    "quality.set",
    "{action: 'quality.set', on: {rel: here}}",
    "{action: 'quality.set', on: '/field/m7'}",
    "{action: 'quality.set', on: {rel: self}}",
    "{action: 'matter.set', on: {pattern: 'field/m1*'}}",
    "{action: 'matter.set', on: '/field/m199'}",
    "{action: 'quality.set', on: {pattern: 'field/@b*'}}",
];

#[derive(Clone, Debug)]
struct Ground {
    spots: Vec<(i64, i64)>,
    entries: BTreeSet<usize>,
    allowed: BTreeSet<usize>,
}

impl Ground {
    /// The world, with Ada who thinks so.
    fn plant(&self, cognition: &str) -> Small {
        let allow: Vec<&str> = self.allowed.iter().map(|at| DEEDS[*at].0).collect();
        let mut text = super::told::WORLD.split("[[space]]").next().unwrap().to_owned();
        text += &format!("[[space]]\npath = \"/field\"\nsize = [60, 60]\nallow = {}\n", json!(allow));
        for (n, (x, y)) in self.spots.iter().enumerate() {
            text += &format!("[[matter]]\nat = \"/field\"\nname = \"m{n}\"\ntype = \"stone\"\ncoords = [{x}, {y}]\n");
            if n % 3 == 0 {
                text +=
                    &format!("[[being]]\nname = \"b{n}\"\nhome = \"/field\"\nrole = \"deaf\"\nscript = \"look\"\ncoords = [{y}, {x}]\n");
            }
        }
        text +=
            &format!("[[being]]\nname = \"ada\"\nhome = \"/field\"\ncoords = [30, 30]\nrole = \"worker\"\ncognition = \"{cognition}\"\n");
        let mut source = source(&text);
        let entries: Vec<&str> = self.entries.iter().map(|at| ENTRIES[*at]).collect();
        let role = format!("---\nname: worker\ncanSee: ['**']\ncanDo: [{}]\ntriggerOn: [message]\n---\nYou work.\n", entries.join(", "));
        source.roles.push(Spec::from_markdown("role.md", &role).unwrap());
        Small::grow(&source, 1, 1)
    }
}

/// Of a few hundred things, or of thousands.
fn ground() -> impl Strategy<Value = Ground> {
    let things = kit::size(250, 10_000);
    let spots = proptest::collection::vec((0_i64..60, 0_i64..60), things * 9 / 10..things);
    let (entries, allowed) =
        (proptest::collection::btree_set(0..ENTRIES.len(), 1..5), proptest::collection::btree_set(0..DEEDS.len(), 0..3));
    (spots, entries, allowed).prop_map(|(spots, entries, allowed)| Ground { spots, entries, allowed })
}

/// The targets on which each operation is offered.
fn offered(ground: &Ground) -> BTreeMap<String, BTreeSet<String>> {
    let mut small = ground.plant("llm");
    let (system, _) = told(&mut small, &Script::default(), "hello").remove(0);
    let line = |line: &str| {
        let (name, rest) = line.strip_prefix("- do ")?.split_once([' ', ':'])?;
        let (_, on) = rest.rsplit_once("(on ")?;
        Some((name.to_owned(), on.trim_end_matches(')').split([' ', ',']).map(str::to_owned).collect()))
    };
    system.lines().filter_map(line).collect()
}

proptest! {
    #![proptest_config(kit::cases(2, 4))]
    #[test]
    fn whatever_is_allowed_on_something_near_is_offered_and_whatever_is_offered_passes_the_gate(ground in ground()) {
        let offered = offered(&ground);
        let mut small = ground.plant("human");
        let world = small.world();
        let field = world.spaces().find(|space| space.name.as_ref() == "field").unwrap().id;
        let from = Coords { x: 30, y: 30, z: 0 };
        let near = |kind| world.nearest(field, kind, from).take(24).collect::<Vec<_>>();
        let mut things: Vec<Thing> = [PlacedKind::Beings, PlacedKind::Matter].into_iter().flat_map(near).collect();
        things.push(Thing::Space(field));
        let near: BTreeSet<String> = things.into_iter().map(|thing| address_of(&world, thing)).collect();
        for (action, with) in DEEDS {
            let on = offered.get(action).cloned().unwrap_or_default();
            for address in near.union(&on).filter(|address| address.starts_with(['/', '@'])) {
                let report = small.living().act("ada", Call::doing(address, action, args(with))).unwrap();
                let is_let = report.reason.as_ref().is_none_or(|reason| reason.code.kind() != CodeKind::Gate);
                let fits = report.closing.word() == "act";
                prop_assert!(is_let || !on.contains(address), "{action} on {address} is offered and refused: {:?}", report.reason);
                // Of what fits more than can be listed, the nearest are.
                prop_assert!(!fits || on.contains(address) || on.len() >= 24, "{action} on {address} is allowed and not offered: {on:?}");
            }
        }
    }
}
