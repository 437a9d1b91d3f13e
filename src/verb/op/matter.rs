//! Matter: made, changed, ended.

use crate::fact::{Code, Fact, MatterId, Reason, Thing};
use crate::world::{DRAFT, address_of};

use super::super::right::Rule;
use super::deed::{Core, Deed, fit_name};

/// The type of matter of which none is said.
pub(in crate::verb) const PLAIN_MATTER: &str = "matter";

pub(super) const OPS: &[Core] = &[
    Core {
        name: "matter.make",
        target: &[],
        about: "makes matter in the target: a space, oneself, or other matter",
        told: &["makes {{a args.name}}[ in {{other}}]", "makes something[ in {{other}}]"],
        schema: r#"{"type":"object","required":["name"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"type":{"type":"string","maxLength":64},"content":{},"coords":{},"qualities":{"type":"object"}}}"#,
        rule: Rule::Place,
        draft: make,
    },
    Core {
        name: "matter.set",
        target: &["matter"],
        about: "gives the target matter another name, type or content",
        told: &["changes {{target}}"],
        schema: r#"{"type":"object","additionalProperties":false,"properties":{"name":{"type":"string"},"type":{"type":"string","maxLength":64},"content":{}}}"#,
        rule: Rule::Place,
        draft: set,
    },
    Core {
        name: "matter.end",
        target: &["matter"],
        about: "ends the target matter, which must be empty",
        told: &["takes {{target}} away"],
        schema: r#"{"type":"object","additionalProperties":false}"#,
        rule: Rule::Place,
        draft: end,
    },
];

fn make(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let name = deed.required("name")?;
    let name = fit_name(&name)?;
    let in_space = if let Thing::Space(space) = deed.target { Some(space) } else { None };
    let taken = deed.world.matter_named(deed.target, &name).is_some()
        || in_space.is_some_and(|space| deed.world.child_space(space, &name).is_some());
    if taken {
        return Err(Reason::new(Code::NameTaken, &name));
    }
    let coords = match in_space {
        Some(space) => deed.coords_on("coords", space)?,
        None => None,
    };
    let kind = deed.kind_or(PLAIN_MATTER)?;
    is_no_draft(&kind)?;
    let mut facts = vec![Fact::MatterMade { name, kind, place: deed.target, coords, content: deed.value("content").into() }];
    facts.extend(deed.qualities(Thing::Matter(MatterId(deed.made(0))))?);
    Ok(facts)
}

fn set(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let id = deed.matter()?;
    let matter = deed.world.matter(id).ok_or_else(|| deed.wrong_target())?;
    is_no_draft(&matter.kind)?;
    let kind = deed.kind_or(&matter.kind)?;
    is_no_draft(&kind)?;
    let mut facts = Vec::new();
    if deed.args.get("name").is_some() || deed.args.get("type").is_some() {
        let name = deed.text("name").unwrap_or_else(|| matter.name.clone());
        let name = fit_name(&name)?;
        let is_space = matches!(matter.place, Thing::Space(space) if deed.world.child_space(space, &name).is_some());
        if is_space || deed.world.matter_named(matter.place, &name).is_some_and(|other| other != id) {
            return Err(Reason::new(Code::NameTaken, &name));
        }
        facts.push(Fact::Named { of: Thing::Matter(id), name, kind });
    }
    if let Some(content) = deed.args.get("content") {
        facts.push(Fact::Filled { matter: id, content: content.clone().into() });
    }
    Ok(facts)
}

/// Refuses the type of drafts: a draft is published by its hash, so its matter is fixed.
fn is_no_draft(kind: &str) -> Result<(), Reason> {
    if kind == DRAFT { Err(Reason::new(Code::DraftFixed, DRAFT)) } else { Ok(()) }
}

fn end(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let id = deed.matter()?;
    if deed.world.matter_in(Thing::Matter(id)).next().is_some() {
        return Err(Reason::new(Code::NotEmpty, address_of(deed.world, deed.target)));
    }
    Ok(vec![Fact::Ended { of: Thing::Matter(id) }])
}
