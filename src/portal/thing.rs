//! Thing: what one reads of beings, spaces and matter: through the role that the reader wears now, as any see is.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value as Json5, json};
use utoipa::IntoParams;

use crate::cognition::Connection;
use crate::fact::{BeingId, Canon, Hash, Millis, Seq, Thing, Value, Verb, WakeKind};
use crate::past::{History, Sought};
use crate::verb::{May, Named, address_of, may_be, may_do, show};
use crate::world::{Being, World};

use super::act::wake_word;
use super::hall::Hall;
use super::sent::Asked;
use super::session::may_give;
use super::sight::Sight;
use super::trouble::{Trouble, Wrong};
use super::who::{As, Who};

/// A see.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct See {
    /// What is looked at.
    address: String,
    /// As of which seq; without it, now.
    #[param(value_type = Option<i64>, minimum = 0)]
    at: Option<Seq>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// What may be done to a thing.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct To {
    /// The address of the thing.
    target: String,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// What an address shows, now or in the past
#[utoipa::path(get, path = "/api/see", params(See), responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn see(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<See>) -> Result<Json<Value>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    let Some(at) = asked.at else {
        let named = sight.named(&asked.address)?;
        return shown(&sight, &named).map(Json);
    };
    // The past is a book of its own, and opening it costs: who may read it is asked first.
    sight.register("moments")?;
    if at > sight.world.next_seq() {
        return Err(
            Trouble::bad(format!("the world ends before {}; leave `at` out to see it as it is now", sight.world.next_seq())).at("at")
        );
    }
    // Through the role that is worn now: what was worn then gives no right today.
    let dir = hall.dir.clone();
    let past = hall.recall(&who, move || History::of(&dir).and_then(|history| history.world_at(at)).map_err(Trouble::inside));
    let past = past.await?;
    let being = past.being(sight.being.id).cloned().ok_or_else(|| Trouble::not_found(&format!("@{} at {at}", sight.being.name)))?;
    let past = Sight { at: past.at(), world: Arc::new(past), being, ..sight };
    let named = past.named(&asked.address)?;
    shown(&past, &named).map(Json)
}

/// What has been named, without what in it may not be seen.
fn shown(sight: &Sight, named: &Named) -> Result<Value, Trouble> {
    let mut value = show(&sight.world, named).map_err(|reason| Trouble::refused(&reason))?;
    if let (Named::Thing(thing), Value::Map(map)) = (named, &mut value) {
        // A moment knows no time after the last frame; whoever looks at the page does.
        if let Thing::Being(id) = thing
            && let Some(being) = sight.world.being(*id)
        {
            let driver = being.driver_at(sight.at).map_or(Value::Null, |driver| sight.world.name_of(driver));
            map.insert("inhabitedBy".into(), driver);
        }
        for list in ["beings", "matter", "holds"] {
            if let Some(Value::List(items)) = map.get_mut(list) {
                items.retain(|item| is_seen(sight, item));
            }
        }
    }
    Ok(value)
}

/// Whether a being or a piece of matter that a see shows in short may be seen; what is held inside matter is named by its name alone.
fn is_seen(sight: &Sight, item: &Value) -> bool {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    let address = text("address").map(str::to_owned).or_else(|| text("name").map(|name| format!("@{name}")));
    address.is_none_or(|address| sight.named(&address).is_ok())
}

fn may_json(list: Vec<May>, name: &str, args: &str) -> Vec<Json5> {
    list.into_iter()
        .map(|may| json!({ name: may.action, "about": may.about, args: may.args, "may": may.why.is_none(), "why": may.why }))
        .collect()
}

/// What one may do to a thing right now, and why not
#[utoipa::path(get, path = "/api/may", params(To), responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn may(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<To>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    let Named::Thing(thing) = sight.named(&asked.target)? else {
        return Err(Trouble::bad(format!("`{}` is a register; name a being, a space or matter", asked.target)).at("target"));
    };
    Ok(Json(may_of(&sight, thing)))
}

fn may_of(sight: &Sight, thing: Thing) -> Json5 {
    let asker = sight.asker();
    let reach = |verb: Verb| {
        let why = asker.may_reach(verb, thing).err();
        json!({ "may": why.is_none(), "why": why })
    };
    let is_being = matches!(thing, Thing::Being(_));
    let kind = match thing {
        Thing::Being(_) => "being",
        Thing::Space(_) => "space",
        Thing::Matter(_) => "matter",
    };
    json!({
        "target": address_of(&sight.world, thing), "kind": kind,
        "see": reach(Verb::See), "summon": if is_being { reach(Verb::Summon) } else { Json5::Null },
        "do": may_json(may_do(&asker, thing), "action", "args"),
        "be": if is_being { may_json(may_be(&asker, thing), "operation", "payload") } else { Vec::new() },
    })
}

/// The open wakes of a being, each with the word by which an answer names it.
pub fn inbox_of(world: &World, being: BeingId, now: Millis) -> Vec<Json5> {
    let wakes = world.inbox().of(being).filter(|wake| wake.id.kind != WakeKind::End);
    wakes
        .take(256)
        .map(|wake| {
            let mut entry = serde_json::to_value(wake.to_value(|being| world.name_of(being))).unwrap_or_default();
            if let Some(map) = entry.as_object_mut() {
                map.insert("wake".to_owned(), json!(wake_word(&wake.id)));
                map.insert("rank".to_owned(), json!(wake.id.rank.word()));
                map.insert("isDue".to_owned(), json!(wake.id.due <= now));
                map.insert("attempts".to_owned(), json!(wake.failed));
            }
            entry
        })
        .collect()
}

/// The inbox of the being as which one reads
#[utoipa::path(get, path = "/api/inbox", params(As), responses((status = 200, body = Vec<Object>), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn inbox(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<Vec<Json5>>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    // All visitors are one being: what is said to one of them is not the others' to read.
    if who.is_visitor {
        return Ok(Json(Vec::new()));
    }
    sight.reads(sight.being.id, "inbox")?;
    Ok(Json(inbox_of(&sight.world, sight.being.id, hall.feed.now())))
}

/// Everything about a being: who it is, what it wears and why, its face, inbox and last moments
#[utoipa::path(get, path = "/api/being/{name}", params(("name" = String, Path), As), responses((status = 200, body = Object), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn being(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Path(name): Path<String>,
    Asked(asked): Asked<As>,
) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    let name = name.trim_start_matches('@');
    let being = sight.being_named(name)?;
    let (id, thing) = (being.id, Thing::Being(being.id));
    let mut told = json!({ "being": shown(&sight, &Named::Thing(thing))?, "may": may_of(&sight, thing), "mayGivePassword": may_give(&hall, &who, &being) });
    let knows = |register: &str| sight.reads(id, register).is_ok();
    let sought = Sought { being: Some(name.to_owned()), ..Sought::default() };
    let Some(map) = told.as_object_mut() else { return Err(Trouble::not_found(name)) };
    if knows("flow") {
        map.extend(inside(&sight, &being));
    }
    if knows("inbox") {
        map.insert("inbox".to_owned(), json!(inbox_of(&sight.world, id, hall.feed.now())));
    }
    if knows("moments") {
        map.insert("moments".to_owned(), json!(hall.feed.find(&sought, Seq::MAX, 20)));
    }
    Ok(Json(told))
}

/// What one knows of a being whose flow one may read.
fn inside(sight: &Sight, being: &Arc<Being>) -> serde_json::Map<String, Json5> {
    let world = &sight.world;
    let own = Sight::of(world.clone(), being.clone(), sight.at);
    let worn = &own.opening.worn;
    let list = |verb: Verb| json!(worn.list(verb).iter().map(crate::role::Entry::to_value).collect::<Vec<_>>());
    let children: Vec<Value> = world.children_of(being.id).take(256).map(|child| world.name_of(child)).collect();
    let schedules =
        show(world, &Named::Register { of: Thing::Being(being.id), register: "schedules".into(), entry: "".into() }).unwrap_or_default();
    let connection = Connection::of(world, being, worn.slot.as_deref()).map(|connection| connection.name);
    let told = json!({
        "connection": connection, "slot": worn.slot,
        "worn": {
            "stack": own.opening.stack, "trace": own.opening.trace(world, None), "prompt": worn.prompt, "thinks": worn.thinks,
            "canSee": list(Verb::See), "canDo": list(Verb::Do), "canSummon": list(Verb::Summon), "canBe": list(Verb::Be),
        },
        "face": own.opening.face(world), "flow": being.flow.source(),
        "flowHash": Hash::of(&being.flow.source().to_canon()), "children": children, "schedules": schedules,
        "grants": being.grants, "script": being.script,
    });
    if let Json5::Object(map) = told { map } else { serde_json::Map::new() }
}
