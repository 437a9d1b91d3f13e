//! Roles: what operators change behaviour with: roles and their versions, flows tried before they are published, signals and who reads them.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value as Json5, json};
use utoipa::ToSchema;

use crate::fact::{Canon, Hash, Text, Value};
use crate::past::{History, LoadError, Version};
use crate::role::{Entry as Token, Flow, Path as RolePath, Spec, lint_spec};
use crate::source::flow_warnings;
use crate::verb::operations;
use crate::world::{RoleVersion, World, iso};

use super::hall::Hall;
use super::sent::{Asked, Sent};
use super::sight::Sight;
use super::trouble::{Trouble, Wrong};
use super::who::{As, Who};

/// How many users of a role are named.
const NAMED: usize = 24;

fn tokens(entries: &[Token]) -> Vec<Value> {
    entries.iter().map(Token::to_value).collect()
}

fn listed(world: &World, name: &Text, role: &RoleVersion) -> Json5 {
    let users: Vec<Value> = world.wearers_of(name).take(NAMED).map(|being| world.name_of(being)).collect();
    let spec = &role.spec;
    let places = world.registry().local_roles.get(name).into_iter().flat_map(|places| places.keys());
    let places: Vec<String> = places.map(|space| world.path_of(*space)).collect();
    json!({
        "places": places, "name": name, "origin": role.origin, "version": role.version, "hash": role.hash, "description": spec.description,
        "users": world.wearers_of(name).count(), "someUsers": users, "requiredCognition": spec.required_cognition.map(|cognition| cognition.word()),
        "canSee": tokens(&spec.can_see), "canDo": tokens(&spec.can_do), "canSummon": tokens(&spec.can_summon), "canBe": tokens(&spec.can_be),
    })
}

/// All roles, with where each comes from and who may come to wear it
#[utoipa::path(get, path = "/api/roles", params(As), responses((status = 200, body = Vec<Object>), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn roles(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<Vec<Json5>>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    sight.register("roles")?;
    Ok(Json(sight.world.registry().roles.iter().map(|(name, role)| listed(&sight.world, name, role)).collect()))
}

/// One role, its file and its versions
#[utoipa::path(get, path = "/api/roles/{name}", params(("name" = String, Path), As), responses((status = 200, body = Object), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn role(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Path(name): Path<String>,
    Asked(asked): Asked<As>,
) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    sight.register("roles")?;
    let key = Text::from(name.as_str());
    let role = sight.world.registry().roles.get(&key).ok_or_else(|| Trouble::not_found(&format!("/.roles/{name}")))?;
    let users: Vec<Value> = sight.world.wearers_of(&key).take(256).map(|being| sight.world.name_of(being)).collect();
    let local = sight.world.registry().local_roles.get(&key).into_iter().flatten();
    let places: Vec<Json5> = local
        .map(|(space, role)| {
            json!({ "space": sight.world.path_of(*space), "version": role.version, "origin": role.origin, "hash": role.hash,
                "role": role.spec.to_value(), "markdown": role.spec.to_markdown() })
        })
        .collect();
    let history = versions(&hall, &who, &sight, "role", move |history| history.versions_of_role(&key)).await?;
    Ok(Json(json!({
        "role": role.spec.to_value(), "origin": role.origin, "hash": role.hash, "version": role.version, "users": users,
        "places": places, "markdown": role.spec.to_markdown(), "history": history,
    })))
}

/// Every version of something that was ever put, the newest first, for whoever may read the world's moments, else none: reading all of
/// history costs, and tells who did what and when. Each is whole, under `key`.
async fn versions(
    hall: &Hall,
    who: &Who,
    sight: &Sight,
    key: &'static str,
    of: impl FnOnce(&History) -> Result<Vec<Version>, LoadError> + Send + 'static,
) -> Result<Vec<Json5>, Trouble> {
    if sight.register("moments").is_err() {
        return Ok(Vec::new());
    }
    let (dir, world) = (hall.dir.clone(), sight.world.clone());
    let read = move || History::of(&dir).and_then(|history| of(&history)).map_err(Trouble::inside);
    let versions = hall.recall(who, read).await?;
    Ok(versions.into_iter().map(|version| put(&world, key, version)).collect())
}

/// A version as it was put.
fn put(world: &World, key: &str, version: Version) -> Json5 {
    let Version { version, space, seq, at, offset, by, label, whole } = version;
    json!({
        "version": version, "space": space.map(|space| world.path_of(space)), "gone": space.is_some_and(|space| world.space(space).is_none()),
        "seq": seq, "time": iso(at, offset), "by": world.name_of(by), "label": label,
        "hash": whole.as_ref().map(|whole| Hash::of(&whole.to_canon())), key: whole,
    })
}

/// The flow of a being, and its versions
#[utoipa::path(get, path = "/api/being/{name}/flow", params(("name" = String, Path), As), responses((status = 200, body = Object), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn flow(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Path(name): Path<String>,
    Asked(asked): Asked<As>,
) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    let being = sight.being_named(&name)?;
    let of = being.id;
    sight.reads(of, "flow")?;
    let source = being.flow.source().clone();
    let history = versions(&hall, &who, &sight, "flow", move |history| history.versions_of_flow(of)).await?;
    Ok(Json(json!({ "flow": source, "hash": Hash::of(&source.to_canon()), "history": history })))
}

/// A role or a flow to be checked: one of both.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// A role as it would be set.
    #[schema(value_type = Option<Object>)]
    role: Option<Value>,
    /// A flow as it would be set.
    #[schema(value_type = Option<Vec<Object>>)]
    flow: Option<Value>,
    /// Whose flow it would be.
    being: Option<String>,
}

/// Checks a draft: errors would be refused, warnings are probably not meant
#[utoipa::path(post, path = "/api/lint", request_body = Draft, responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong)))]
pub async fn linting(State(hall): State<Arc<Hall>>, who: Who, Sent(draft): Sent<Draft>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall.feed, None)?;
    sight.register("roles")?;
    let judged = |errors: Vec<Json5>, warnings: Json5| Json(json!({ "errors": errors, "warnings": warnings }));
    let error = |place: &str, what: String| json!({ "place": place, "what": what });
    match draft {
        Draft { role: Some(role), flow: None, .. } => Ok(match Spec::from_value(&role) {
            Ok(spec) => judged(Vec::new(), json!(lint_spec(&spec))),
            Err(wrong) => judged(vec![error("role", wrong.to_string())], json!([])),
        }),
        Draft { role: None, flow: Some(flow), being } => {
            let flow = match Flow::compile(&flow) {
                Ok(flow) => flow,
                Err(wrong) => return Ok(judged(vec![error(&wrong.place, wrong.to_string())], json!([]))),
            };
            let being = being.and_then(|name| sight.world.being_named(name.trim_start_matches('@')).cloned());
            Ok(judged(Vec::new(), json!(flow_warnings(&sight.world, &flow, being.as_deref()))))
        }
        _ => Err(Trouble::bad("expected {\"role\": {…}} or {\"flow\": […]}")),
    }
}

/// What conditions may name: paths, and the signals that are published
#[utoipa::path(get, path = "/api/paths", params(As), responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn paths(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    sight.register("roles")?;
    let mut signals = Vec::new();
    leaves("", &sight.world.signals().to_value(), &mut signals);
    let parts: Vec<String> = RolePath::PARTS.iter().map(|(prefix, rest)| format!("{prefix}{rest}")).collect();
    Ok(Json(json!({ "paths": RolePath::WORDS, "parts": parts, "signals": signals })))
}

/// The paths of everything in a nested map that is no map itself.
fn leaves(path: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Map(map) => map
            .iter()
            .for_each(|(key, value)| leaves(&if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }, value, found)),
        _ if !path.is_empty() => found.push(path.to_owned()),
        _ => {}
    }
}

/// The signals, and whose flows read each
#[utoipa::path(get, path = "/api/signals", params(As), responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn signals(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    sight.register("signals")?;
    let mut readers: BTreeMap<&Text, Vec<Value>> = BTreeMap::new();
    for being in sight.world.beings().filter(|being| !being.ended) {
        for signal in being.flow.signals() {
            let named = readers.entry(signal).or_default();
            if named.len() < 256 {
                named.push(sight.world.name_of(being.id));
            }
        }
    }
    Ok(Json(json!({ "signals": sight.world.signals().to_value(), "readers": readers })))
}

/// All operations, with the schemas of their arguments
#[utoipa::path(get, path = "/api/operations", params(As), responses((status = 200, body = Vec<Object>), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn all_operations(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<Vec<Json5>>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    sight.register("ops")?;
    let told = operations(&sight.world)
        .into_iter()
        .map(|op| json!({ "name": op.name, "about": op.about, "args": op.schema, "target": op.target }));
    Ok(Json(told.collect()))
}

/// The dead letters
#[utoipa::path(get, path = "/api/dead", params(As), responses((status = 200, body = Vec<Object>), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn dead(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<Vec<Json5>>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    sight.register("dead")?;
    let world = &sight.world;
    let told = world.inbox().dead().take(1000).map(|(being, letter)| {
        json!({ "being": world.name_of(being), "kind": letter.wake.id.kind.word(), "cause": letter.wake.id.cause.to_string(),
            "wake": letter.wake.to_value(|being| world.name_of(being)), "reason": letter.reason, "at": letter.at })
    });
    Ok(Json(told.collect()))
}
