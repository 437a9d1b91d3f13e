//! Roles: what operators change behaviour with: roles and their versions, flows tried before they are published, signals and who reads them.

use std::collections::BTreeMap;
use std::path::Path as Dir;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value as Json5, json};
use utoipa::ToSchema;

use crate::fact::{BeingId, Canon, Content, Fact, Frame, Hash, Seq, Text, Thing, Value, WakeKind};
use crate::moment::{Composer, Opening, open};
use crate::role::{Entry as Token, Flow, Known, Operator, Path as RolePath, Spec, lint, lint_spec};
use crate::run::{load_from, resume};
use crate::store::{Entry, LogStore, Mode, Store};
use crate::verb::{Named, operations};
use crate::world::{Being, RoleVersion, Wake, World, iso};

use super::hall::Hall;
use super::sent::{Asked, Sent};
use super::thing::As;
use super::trouble::{Trouble, Wrong};
use super::who::{Sight, Who};

/// How many users of a role are named.
const NAMED: usize = 24;
/// The most moments of one backtest.
const BACK_MAX: usize = 500;

fn tokens(entries: &[Token]) -> Vec<Value> {
    entries.iter().map(Token::to_value).collect()
}

fn listed(world: &World, name: &Text, role: &RoleVersion) -> Json5 {
    let users: Vec<Value> = world.wearers_of(name).take(NAMED).map(|being| world.name_of(being)).collect();
    let spec = &role.spec;
    json!({
        "name": name, "origin": role.origin, "version": role.version, "hash": role.hash, "description": spec.description,
        "users": world.wearers_of(name).count(), "someUsers": users, "requiredCognition": spec.required_cognition.map(|cognition| cognition.word()),
        "canSee": tokens(&spec.can_see), "canDo": tokens(&spec.can_do), "canSummon": tokens(&spec.can_summon), "canBe": tokens(&spec.can_be),
    })
}

/// All roles, with where each comes from and who may come to wear it
#[utoipa::path(get, path = "/api/roles", params(As), responses((status = 200, body = Vec<Object>), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn roles(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<Vec<Json5>>, Trouble> {
    let sight = who.sight(&hall, asked.speaker.as_deref())?;
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
    let sight = who.sight(&hall, asked.speaker.as_deref())?;
    sight.register("roles")?;
    let key = Text::from(name.as_str());
    let role = sight.world.registry().roles.get(&key).ok_or_else(|| Trouble::not_found(&format!("/.roles/{name}")))?;
    let users: Vec<Value> = sight.world.wearers_of(&key).take(256).map(|being| sight.world.name_of(being)).collect();
    let (dir, world) = (hall.dir.clone(), sight.world.clone());
    let history = hall.recall(move || history(&dir, &world, &key)).await?;
    Ok(Json(json!({
        "role": role.spec.to_value(), "origin": role.origin, "hash": role.hash, "version": role.version, "users": users,
        "markdown": role.spec.to_markdown(), "history": history,
    })))
}

/// Every version of a role that was ever set, the newest first: each with the role as it was.
fn history(dir: &Dir, world: &World, name: &Text) -> Result<Vec<Json5>, Trouble> {
    let (store, _) = LogStore::open(dir, Mode::Read).map_err(Trouble::inside)?;
    let mut versions = Vec::new();
    for entry in store.read(0).map_err(Trouble::inside)? {
        let Entry::Frame { bytes, .. } = entry.map_err(Trouble::inside)? else { continue };
        let frame = Frame::read(&bytes).map_err(Trouble::inside)?;
        let draft = frame.draft();
        for fact in &draft.facts {
            let Fact::RoleSet { name: set, role, .. } = fact else { continue };
            if set != name {
                continue;
            }
            let whole = match role {
                Content::Here(value) => Some(value.clone()),
                Content::There { hash, .. } => store.blob(hash).map_err(Trouble::inside)?.and_then(|bytes| Value::from_canon(&bytes).ok()),
            };
            let label =
                draft.call.as_ref().and_then(|call| if let Content::Here(args) = &call.args { args.get("label").cloned() } else { None });
            versions.push(json!({
                "version": versions.len() + 1, "seq": draft.seq, "time": iso(draft.at, draft.offset), "by": world.name_of(draft.being), "label": label,
                "hash": whole.as_ref().map(|role| Hash::of(&role.to_canon())), "role": whole,
            }));
        }
    }
    versions.reverse();
    Ok(versions)
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
    let sight = who.sight(&hall, None)?;
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
            let registry = sight.world.registry();
            let required = |name: &str| registry.roles.get(name).map(|role| role.spec.required_cognition);
            let known = Known {
                roles: &required,
                signals: None,
                cognition: being.as_ref().map(|being| being.cognition),
                default_role: being.as_ref().and_then(|being| being.default_role.as_deref()),
            };
            Ok(judged(Vec::new(), json!(lint(&flow, &known))))
        }
        _ => Err(Trouble::bad("expected {\"role\": {…}} or {\"flow\": […]}")),
    }
}

/// What would be worn with other roles or another flow.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// Whose flow.
    being: String,
    /// The flow to be tried; without it, the one it has.
    #[schema(value_type = Option<Vec<Object>>)]
    flow: Option<Value>,
    /// Roles to be tried, by name; null for one that would be taken back.
    #[schema(value_type = Option<Object>)]
    roles: Option<BTreeMap<Text, Value>>,
    /// How many moments back; without it 50.
    last: Option<usize>,
}

/// The facts by which a trial's world differs, checked as if they were to be set.
fn supposed(trial: &Trial, being: BeingId) -> Result<Vec<Fact>, Trouble> {
    let mut facts = Vec::new();
    for (name, role) in trial.roles.iter().flatten() {
        if !role.is_null() {
            let spec = Spec::from_value(role).map_err(|error| Trouble::bad(error.to_string()).at(format!("/roles/{name}")))?;
            if spec.name != *name {
                return Err(Trouble::bad(format!("the role under `{name}` is named `{}`", spec.name)).at(format!("/roles/{name}")));
            }
        }
        facts.push(Fact::RoleSet { name: name.clone(), origin: "draft".into(), role: role.clone().into() });
    }
    if let Some(flow) = &trial.flow {
        Flow::compile(flow).map_err(|error| Trouble::bad(error.to_string()).at(format!("/flow{}", error.place)))?;
        facts.push(Fact::FlowSet { being, flow: flow.clone().into() });
    }
    Ok(facts)
}

/// The same moment on a world where those facts were so.
fn reopened(world: &World, being: &Being, wake: &Arc<Wake>, at: i64, facts: &[Fact]) -> Option<(World, Opening)> {
    let supposed = world.imagine(being.id, (world.next_seq(), 0), at, facts);
    let being = supposed.being(being.id)?.clone();
    let opening = open(&supposed, &being, wake, at, None, &mut Composer::default());
    Some((supposed, opening))
}

/// The being whose flow is tried: one that the reader sees and whose flow it may read.
///
/// A draft can ask for any signal and any role, and its trace says what it saw: so these books have to be open to it as well.
fn tried(sight: &Sight, trial: &Trial) -> Result<Arc<Being>, Trouble> {
    sight.register("signals")?;
    sight.register("roles")?;
    let address = format!("@{}", trial.being.trim_start_matches('@'));
    let Named::Thing(Thing::Being(id)) = sight.named(&address)? else { return Err(Trouble::not_found(&address)) };
    sight.may_see(&Named::Register { of: Thing::Being(id), register: "flow".into(), entry: "".into() })?;
    sight.world.being(id).cloned().ok_or_else(|| Trouble::not_found(&address))
}

/// What a being would wear now, with a draft flow or draft roles
#[utoipa::path(post, path = "/api/flow/now", request_body = Trial, responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong)))]
pub async fn now(State(hall): State<Arc<Hall>>, who: Who, Sent(trial): Sent<Trial>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall, None)?;
    let being = tried(&sight, &trial)?;
    let wake = Arc::new(Wake::gesture(sight.world.next_seq(), sight.world.at()));
    let facts = supposed(&trial, being.id)?;
    let (world, opening) =
        reopened(&sight.world, &being, &wake, sight.world.at(), &facts).ok_or_else(|| Trouble::not_found(&trial.being))?;
    Ok(Json(json!({ "stack": opening.stack, "trace": opening.trace(&world, None) })))
}

/// In which of its last moments a being would have worn something else
#[utoipa::path(post, path = "/api/flow/backtest", request_body = Trial, responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong), (status = 500, body = Wrong)))]
pub async fn backtest(State(hall): State<Arc<Hall>>, who: Who, Sent(trial): Sent<Trial>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall, None)?;
    let being = tried(&sight, &trial)?;
    let facts = supposed(&trial, being.id)?;
    let last = trial.last.unwrap_or(50).clamp(1, BACK_MAX);
    let dir = hall.dir.clone();
    let moments = hall.recall(move || back(&dir, being.id, &facts, last)).await?;
    let differ = moments.iter().filter(|moment| moment.get("differs") == Some(&json!(true))).count();
    Ok(Json(json!({ "moments": moments, "differ": differ })))
}

fn back(dir: &Dir, being: BeingId, facts: &[Fact], last: usize) -> Result<Vec<Json5>, Trouble> {
    let (store, _) = LogStore::open(dir, Mode::Read).map_err(Trouble::inside)?;
    let reel = store.reel(being, 0).map_err(Trouble::inside)?;
    let mut drafts = Vec::new();
    for seq in reel.iter().rev().take(last).rev() {
        if let Some(crate::store::Record::Frame { bytes, .. }) = store.frame(*seq).map_err(Trouble::inside)? {
            drafts.push(Frame::read(&bytes).map_err(Trouble::inside)?.draft().clone());
        }
    }
    let opened: std::collections::BTreeSet<Seq> = drafts.iter().map(|draft| draft.opened).collect();
    let (Some(first), Some(end)) = (opened.first().copied(), opened.last().copied()) else { return Ok(Vec::new()) };
    let begun = resume(dir, &store, Some(first), &mut |_| {}).map_err(Trouble::inside)?;
    let mut worlds: BTreeMap<Seq, World> = BTreeMap::from([(first, begun.world.clone())]);
    load_from(&store, begun, Some(end), |frame, world| {
        let next = frame.draft().seq + 1;
        if opened.contains(&next) {
            worlds.insert(next, world.clone());
        }
    })
    .map_err(Trouble::inside)?;
    let moment = |draft: &crate::fact::Draft| -> Option<Json5> {
        let world = worlds.get(&draft.opened)?;
        let being = world.being(draft.being)?;
        let wake = match draft.wake.kind {
            WakeKind::Gesture => Arc::new(Wake::gesture(draft.seq, draft.at)),
            _ => world.inbox().get(draft.being, &draft.wake)?.clone(),
        };
        let was: Vec<&Text> = draft.stack.iter().map(|worn| &worn.role).collect();
        let (_, opening) = reopened(world, being, &wake, draft.opened_at, facts)?;
        let would: Vec<&Text> = opening.stack.iter().map(|worn| &worn.role).collect();
        Some(json!({ "seq": draft.seq, "time": iso(draft.opened_at, draft.offset), "was": was, "would": would, "differs": was != would }))
    };
    Ok(drafts.iter().rev().filter_map(moment).collect())
}

/// What conditions may name: paths, operators and the signals that are published
#[utoipa::path(get, path = "/api/paths", params(As), responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn paths(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall, asked.speaker.as_deref())?;
    sight.register("roles")?;
    let mut signals = Vec::new();
    leaves("", &sight.world.signals().to_value(), &mut signals);
    let parts: Vec<String> = RolePath::PARTS.iter().map(|(prefix, rest)| format!("{prefix}{rest}")).collect();
    Ok(Json(json!({ "paths": RolePath::WORDS, "parts": parts, "operators": Operator::WORDS, "signals": signals })))
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
    let sight = who.sight(&hall, asked.speaker.as_deref())?;
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
    let sight = who.sight(&hall, asked.speaker.as_deref())?;
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
    let sight = who.sight(&hall, asked.speaker.as_deref())?;
    sight.register("dead")?;
    let world = &sight.world;
    let told = world.inbox().dead().take(1000).map(|(being, letter)| {
        json!({ "being": world.name_of(being), "kind": letter.wake.id.kind.word(), "cause": letter.wake.id.cause.to_string(),
            "wake": letter.wake.to_value(|being| world.name_of(being)), "reason": letter.reason, "at": letter.at })
    });
    Ok(Json(told.collect()))
}
