//! Resolvers: what every world can show a mind whose role names it, beside what it recalls. All of it is folded state, so it is never stale.

use crate::fact::{MatterId, Receipt, SilenceKind, SpaceId, Summons, Thing, Value, Verb, WakeKind, says};
use crate::moment::Opening;
use crate::verb::{
    ACTING, AROUND, Address, Asker, LIFE, Named, RECENT, ROLES, SHELF, THE_WORLD, about, claim_value, claims, clock, in_brackets, see,
};
use crate::world::{Being, UNANSWERED, World, address_of};

use super::ballot::question;
use super::block::{Item, ItemGroup};
use super::glance::line as line_of;
use super::near::{LISTED, Near, matter, where_from};
use super::petition::petition;

/// Through how many places one looks for those that one may see.
const LOOKED_THROUGH: usize = 256;

/// The value of a built-in resolver; `None` where no built-in one has that name.
pub(super) fn shown(written: &str, opening: &Opening, world: &World) -> Option<Value> {
    let asker = Asker { world, actor: &opening.being, worn: &opening.worn, caller: opening.caller, at: opening.opened_at };
    let shown = match in_brackets(written) {
        (AROUND, None) => around(opening, &asker),
        (THE_WORLD, None) => the_world(&asker),
        (ACTING, None) => acting(opening, &asker),
        (ROLES, None) => roles(&asker),
        (RECENT, Some(count)) => recent(&asker, count.parse().unwrap_or(LISTED)),
        (SHELF, Some(address)) => shelf(&asker, address),
        _ => return None,
    };
    Some(shown)
}

/// A map of the pairs that have a value.
fn line<const N: usize>(pairs: [(&str, Option<Value>); N]) -> Value {
    Value::map(pairs.into_iter().filter_map(|(key, value)| Some((key, value?))))
}

fn around(opening: &Opening, asker: &Asker<'_>) -> Value {
    let Asker { world, actor, .. } = asker;
    let near = Near::of(opening, world);
    let others = near.by_distance(world, actor).filter(|thing| *thing != Thing::Being(actor.id));
    let seen = others.filter(|thing| asker.may_reach(Verb::See, *thing).is_ok()).take(LISTED);
    let told = seen.map(|thing| {
        let (coords, kind) = match thing {
            Thing::Being(id) => (world.being(id).filter(|other| other.position == actor.position).and_then(|other| other.coords), "being"),
            Thing::Space(_) => (None, "space"),
            Thing::Matter(id) => (world.matter(id).and_then(|matter| matter.coords), "matter"),
        };
        let apart = actor.coords.zip(coords).map(|(from, to)| where_from(from, to));
        line([
            ("address", Some(Value::from(address_of(world, thing)))),
            ("kind", Some(Value::text(kind))),
            ("away", apart.map(|(away, _)| Value::Int(away))),
            ("bearing", apart.and_then(|(_, bearing)| bearing).map(Value::text)),
        ])
    });
    Value::List(told.collect())
}

fn the_world(asker: &Asker<'_>) -> Value {
    let Asker { world, .. } = asker;
    let may_see = |space: &SpaceId| asker.may_reach(Verb::See, Thing::Space(*space)).is_ok();
    let places = world.spaces().map(|space| space.id).take(LOOKED_THROUGH).filter(may_see).take(LISTED);
    let extensions =
        world.registry().extensions.values().filter(|extension| extension.enabled).map(|extension| Value::from(&extension.name));
    let said = |key: &str| world.world_said(key).cloned().filter(|value| value.as_str().is_some_and(|text| !text.is_empty()));
    let signals = world.signals().to_value();
    line([
        ("name", said("name")),
        ("about", said("about")),
        ("beings", Some(Value::Int(world.standing() as i64))),
        ("places", Some(Value::List(places.map(|space| Value::from(world.path_of(space))).collect()))),
        ("signals", Some(signals).filter(|signals| signals.as_map().is_some_and(|map| !map.is_empty()))),
        ("extensions", Some(Value::List(extensions.collect()))),
    ])
}

/// The other wakes that wait for it, the schedules by which it wakes, and who is at what of all that it may see.
fn acting(opening: &Opening, asker: &Asker<'_>) -> Value {
    let (being, world) = (&opening.being, asker.world);
    let waits = world.inbox().of(being.id).filter(|wake| wake.id != opening.wake.id && wake.id.kind != WakeKind::End);
    let waits: Vec<Value> = waits.take(LISTED).map(|wake| world.told(wake)).collect();
    let schedules: Vec<Value> = being.schedules.keys().map(Value::from).collect();
    let some = |list: Vec<Value>| Some(list).filter(|list| !list.is_empty()).map(Value::List);
    let sees = |thing: Thing| asker.may_reach(Verb::See, thing).is_ok();
    let claims = claims(world, SpaceId::ROOT, Some(being.id), asker.at, Some(&sees));
    let claims: Vec<Value> = claims.into_iter().take(LISTED).map(|claim| claim_value(world, claim)).collect();
    line([("waits", some(waits)), ("schedules", some(schedules)), ("claims", some(claims))])
}

fn roles(asker: &Asker<'_>) -> Value {
    let Asker { world, actor, .. } = asker;
    let registry = world.registry();
    let given = registry.roles.keys().filter(|name| gives(actor, name)).take(LISTED);
    Value::List(given.map(Value::from).collect())
}

fn gives(actor: &Being, role: &str) -> bool {
    actor.grants.iter().any(|grant| crate::role::Glob::new(grant).is_ok_and(|glob| glob.matches(role)))
}

fn recent(asker: &Asker<'_>, count: usize) -> Value {
    let newest = see(asker.world, asker.actor, &format!("@{}{LIFE}", asker.actor.name), asker.at).unwrap_or_default();
    Value::List(newest.as_list().unwrap_or_default().iter().take(count).rev().cloned().collect())
}

fn shelf(asker: &Asker<'_>, address: &str) -> Value {
    let told = lying(asker, address).take(LISTED).filter_map(|id| {
        let (name, matter) = (asker.world.thing_name(Thing::Matter(id))?, asker.world.matter(id)?);
        Some(about(matter).map_or_else(|| Value::from(name), |about| Value::from(format!("{name}: {about}"))))
    });
    Value::List(told.collect())
}

/// The things on a shelf, in the order in which a look pages through them. A shelf is a table of contents: it names what lies there, whatever
/// its reader may look at.
fn lying<'a>(asker: &Asker<'a>, address: &str) -> Box<dyn Iterator<Item = MatterId> + 'a> {
    match on_shelf(asker, address) {
        None => Box::new(std::iter::empty()),
        Some(thing) if thing == Thing::Space(asker.actor.position) => Box::new(matter(asker.world, asker.actor)),
        Some(thing) => Box::new(asker.world.matter_in(thing).map(|(_, id)| id)),
    }
}

/// The thing of such an address, if it may be seen.
fn on_shelf(asker: &Asker<'_>, address: &str) -> Option<Thing> {
    let named = address.parse::<Address>().ok()?.resolve(asker.world, asker.actor, asker.at).ok()?;
    match named {
        Named::Thing(thing) if asker.may_see(&named).is_ok() => Some(thing),
        _ => None,
    }
}

/// How much lies on a shelf behind what is told of it, and where it can be seen; nothing for another resolver. A look goes on there for a
/// reader who may see each thing that is told: for others it is another list than this table of contents.
pub(super) fn rest(written: &str, asker: &Asker<'_>) -> Option<(usize, String, bool)> {
    let (SHELF, Some(address)) = in_brackets(written) else { return None };
    let is_seen = |id: &MatterId| asker.may_reach(Verb::See, Thing::Matter(*id)).is_ok();
    let all = asker.world.matter_count(on_shelf(asker, address)?).saturating_sub(LISTED);
    let goes_on = lying(asker, address).take(LISTED).all(|id| is_seen(&id));
    let count_seen = || lying(asker, address).skip(LISTED).filter(is_seen).count();
    let more = if all > 0 && goes_on && !asker.sees_all() { count_seen() } else { all };
    Some((more, address.to_owned(), goes_on))
}

/// The answer of a resolver of every world, in sentences of ours; nothing for one that an extension brings.
pub(super) fn told(written: &str, value: &Value, world: &World) -> Option<Vec<Item>> {
    let lines: Vec<String> = match in_brackets(written) {
        (AROUND, None) => value.as_list()?.iter().map(beside).collect(),
        (ACTING, None) => waiting(value, world),
        (ROLES, None) => value.as_list()?.iter().map(|role| format!("- {}", line_of(role))).collect(),
        _ => return None,
    };
    Some(lines.into_iter().map(Item::of).collect())
}

/// `- @bob, 3 away to the east`
fn beside(thing: &Value) -> String {
    let text = |key: &str| thing.get(key).and_then(Value::as_str);
    let to = text("bearing").map(|bearing| format!(" to the {bearing}")).unwrap_or_default();
    let away = thing.get("away").and_then(Value::as_int).map(|away| format!(", {away} away{to}")).unwrap_or_default();
    format!("- {} ({}){away}", text("address").unwrap_or_default(), text("kind").unwrap_or_default())
}

/// A wake that waits, with the words that it brings, and the word by which it is answered where one is given.
fn wait(wake: &Value, word: Option<&str>, world: &World) -> String {
    let text = |key: &str| wake.get(key).and_then(Value::as_str);
    let from = text("from").map(|from| format!(" of {from}")).unwrap_or_default();
    let word = word.map(|word| format!(", wake `{word}`")).unwrap_or_default();
    if text("kind") == Some(UNANSWERED) {
        let how = text("how").and_then(|how| how.parse().ok()).unwrap_or(SilenceKind::Looked);
        return format!("- {} {}.", text("from").unwrap_or_default(), how.sentence());
    }
    let content = wake.get("content").filter(|content| !content.is_null());
    let what = || format!("- a {}{from}{} waits{word}", text("kind").unwrap_or("wake"), about_what(wake));
    match (content, text("intent")) {
        (Some(content), Some(Summons::RECEIPT)) if let Some(receipt) = Receipt::read(content) => {
            let who = text("from").unwrap_or_default();
            format!("- what became of what you asked of {who}{word}: {who} {}", receipt.sentence())
        }
        (Some(content), Some(Summons::BALLOT)) => {
            format!("- the question of a panel{from} waits{word}\n{}", question(content, world).trim_end())
        }
        (Some(content), Some(Summons::PETITION)) => format!("{}\n{}", what(), petition(content)),
        (Some(content), _) => says(&what(), &line_of(content)),
        (None, _) => what(),
    }
}

/// The schedule, signal, place or deed that a wake came of.
fn about_what(wake: &Value) -> String {
    let text = |key: &str| wake.get(key).and_then(Value::as_str);
    let named = text("name").or_else(|| text("path")).map(|name| format!(" `{name}`"));
    let done = || text("action").zip(text("target")).map(|(action, target)| format!(" ({action} on {target})"));
    let entered = || text("space").map(|space| format!(" of {space}"));
    named.or_else(done).or_else(entered).unwrap_or_default()
}

/// The wakes of an inbox, each with the word by which it is answered.
pub(super) fn waits<'a>(entries: impl Iterator<Item = (&'a str, &'a Value)>, world: &World) -> ItemGroup {
    let lines: Vec<Item> = entries.map(|(word, wake)| Item::of(wait(wake, Some(word), world))).collect();
    ItemGroup::of(if lines.is_empty() { vec![Item::of("Nothing.")] } else { lines })
}

/// The wakes that wait, each with its words, the schedules, and who is at what.
fn waiting(value: &Value, world: &World) -> Vec<String> {
    let list = |key: &str| value.get(key).and_then(Value::as_list).unwrap_or_default();
    let schedules = list("schedules").iter().map(|name| format!("- it is planned to wake by its schedule `{}`", line_of(name)));
    let claims = list("claims").iter().map(|claim| at_work(claim, world));
    list("waits").iter().map(|waiting| wait(waiting, None, world)).chain(schedules).chain(claims).collect()
}

/// A claim in a line: the holder, until when, and why in their words.
fn at_work(claim: &Value, world: &World) -> String {
    let text = |key: &str| claim.get(key).and_then(Value::as_str).unwrap_or_default();
    let instant = |key: &str| clock(world, claim.get(key).and_then(Value::as_int).unwrap_or_default(), world.now());
    let line = format!("- {} has {} since {}, until {}", text("by"), text("on"), instant("since"), instant("until"));
    if text("why").is_empty() { line } else { says(&line, text("why")) }
}
