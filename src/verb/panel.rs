//! Panel: what is asked of one before it is let in, and whom it asks when a moment of its being opens.

use std::collections::BTreeSet;

use crate::fact::{BeingId, Code, Cognition, Members, Panel, Reason, Text, Value};
use crate::world::{Being, World};

/// How arguments say whom a being asks; only one that thinks so says it.
pub(super) fn panel_of(
    world: &World,
    (name, being): (&Text, Option<BeingId>),
    cognition: Cognition,
    args: &Value,
) -> Result<Option<Panel>, Reason> {
    let written = args.get("panel");
    match (cognition, written) {
        (Cognition::Panel, None) => Err(Reason::new(Code::ArgsRequired, "/panel")),
        (Cognition::Panel, Some(written)) => {
            let panel = Panel::read(written)?;
            circle(world, name, &named(world, being, &panel)).map_or(Ok(Some(panel)), |circle| Err(of_circle(&circle)))
        }
        (Cognition::Llm | Cognition::Human | Cognition::Script | Cognition::Bridge, None) => Ok(None),
        (Cognition::Llm | Cognition::Human | Cognition::Script | Cognition::Bridge, Some(_)) => {
            Err(Reason::new(Code::ArgsUnknown, "/panel"))
        }
    }
}

/// The names of those whom a panel asks, as they are now; of whoever is yet to be born there are no children.
fn named(world: &World, being: Option<BeingId>, panel: &Panel) -> Vec<Text> {
    match &panel.of {
        Members::Named { names } => names.clone(),
        Members::Children => {
            let children = being.into_iter().flat_map(|being| world.children_of(being));
            children.filter_map(|child| world.being(child)).map(|child| child.name.clone()).collect()
        }
    }
}

/// The names by which a panel comes to ask itself, in order, if it does.
fn circle(world: &World, name: &Text, members: &[Text]) -> Option<Vec<Text>> {
    let mut seen = BTreeSet::new();
    let mut ways: Vec<Vec<Text>> = members.iter().map(|member| vec![name.clone(), member.clone()]).collect();
    while let Some(way) = ways.pop() {
        let last = way.last()?;
        if last == name {
            return Some(way);
        }
        if !seen.insert(last.clone()) {
            continue;
        }
        let Some(being) = world.being_named(last).filter(|being| being.cognition == Cognition::Panel) else { continue };
        for next in being.panel.iter().flat_map(|panel| named(world, Some(being.id), panel)) {
            ways.push(way.iter().cloned().chain([next]).collect());
        }
    }
    None
}

fn of_circle(circle: &[Text]) -> Reason {
    Reason::new(Code::PanelCircle, circle.iter().map(|name| format!("@{name}")).collect::<Vec<_>>().join(" → "))
}

/// The members of a being's panel, in the order in which they are asked. An error where it has no panel, a member is unknown or has
/// ended, their number is wrong, or it comes to ask itself.
pub fn members(world: &World, being: &Being) -> Result<Vec<BeingId>, Reason> {
    let wrong = |place: String| Reason::new(Code::PanelMember, place);
    let panel = being.panel.as_ref().ok_or_else(|| wrong(format!("@{}", being.name)))?;
    let names = named(world, Some(being.id), panel);
    if names.is_empty() || names.len() > Panel::MEMBERS_MAX {
        return Err(wrong(format!("@{}: {} members", being.name, names.len())));
    }
    let living = |name: &Text| world.being_named(name).filter(|member| !member.ended).map(|member| member.id);
    let members = names.iter().map(|name| living(name).ok_or_else(|| wrong(format!("@{name}")))).collect::<Result<Vec<_>, _>>()?;
    circle(world, &being.name, &names).map_or(Ok(members), |circle| Err(of_circle(&circle)))
}

/// A panel as it is shown, where a being thinks so: how it asks, and what it has asked and not decided yet.
pub(super) fn shown(world: &World, being: &Being) -> Option<(&'static str, Value)> {
    let panel = being.panel.as_ref().filter(|_| being.cognition == Cognition::Panel)?;
    let mut shown = panel.to_value().as_map().cloned().unwrap_or_default();
    let open = world.inbox().of(being.id).filter_map(|wake| Some(world.ballots(wake.poll()?)));
    let open: Vec<Value> = open.take(Panel::MEMBERS_MAX).collect();
    if !open.is_empty() {
        shown.insert("ballots".into(), Value::List(open));
    }
    Some(("panel", Value::Map(shown)))
}
