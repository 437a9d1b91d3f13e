//! Roles: what operators change behaviour with: roles and flows, their versions, and the lint of a draft.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fact::{Canon, Hash, Seq, SpaceId, Text, Value};
use crate::past::{History, LoadError, Version, Versions};
use crate::role::{Entry, Flow, RoleError, Spec, Warning};
use crate::source::{flow_warnings, role_warnings};
use crate::world::{RoleVersion, World, iso};

use super::hall::Hall;
use super::sent::{Asked, Sent};
use super::shapes::WarningShape;
use super::sight::Sight;
use super::trouble::{Trouble, Wrong};
use super::who::{Then, Who};

/// Of how many of the newest frames that may hold a version the versions are told.
const LOOKED_BACK: u64 = 65_536;
/// How many users of a role are named.
const NAMED: usize = 24;

fn tokens(entries: &[Entry]) -> Vec<Value> {
    entries.iter().map(Entry::to_value).collect()
}

/// A role in short, and who may come to wear it.
#[derive(Serialize, ToSchema)]
#[schema(as = RoleSummary)]
#[serde(rename_all = "camelCase")]
pub struct RoleListed {
    #[schema(value_type = String)]
    name: Text,
    /// The source that it comes from.
    #[schema(value_type = String)]
    origin: Text,
    version: u32,
    #[schema(value_type = String)]
    hash: Hash,
    #[schema(value_type = Option<String>)]
    description: Option<Text>,
    /// The spaces that have a version of their own.
    places: Vec<String>,
    /// How many may come to wear it.
    users: usize,
    /// Some of them.
    #[schema(value_type = Vec<String>)]
    some_users: Vec<Value>,
    required_cognition: Option<&'static str>,
    can_see: Vec<Value>,
    can_do: Vec<Value>,
    can_summon: Vec<Value>,
    can_be: Vec<Value>,
    /// The operations by which others may move its wearer.
    lets: Vec<String>,
}

impl RoleListed {
    fn of(sight: &Sight, name: &Text, role: &RoleVersion) -> Self {
        let (world, spec) = (&sight.world, &role.spec);
        let users = world.wearers_of(name).count();
        sight.walked.look(users);
        let places = world.registry().local_roles.get(name).into_iter().flat_map(|places| places.keys());
        Self {
            name: name.clone(),
            origin: role.origin.clone(),
            version: role.version,
            hash: role.hash,
            description: spec.description.clone(),
            places: places.map(|space| world.path_of(*space)).collect(),
            users,
            some_users: world.wearers_of(name).take(NAMED).map(|being| world.name_of(being)).collect(),
            required_cognition: spec.required_cognition.map(|cognition| cognition.word()),
            can_see: tokens(&spec.can_see),
            can_do: tokens(&spec.can_do),
            can_summon: tokens(&spec.can_summon),
            can_be: tokens(&spec.can_be),
            lets: spec.lets.iter().map(|glob| glob.as_str().to_owned()).collect(),
        }
    }
}

/// A role, its file and its versions.
#[derive(Serialize, ToSchema)]
#[schema(as = RolePage)]
pub struct RoleTold {
    /// As it is set.
    #[schema(value_type = Object)]
    role: Value,
    #[schema(value_type = String)]
    origin: Text,
    #[schema(value_type = String)]
    hash: Hash,
    version: u32,
    /// The beings that may come to wear it.
    #[schema(value_type = Vec<String>)]
    users: Vec<Value>,
    /// The spaces that have a version of their own.
    places: Vec<RolePlace>,
    /// As a file.
    markdown: String,
    /// Its versions, the newest first, for those who may read the world's moments.
    history: Vec<RoleSet>,
    /// Whether there may be older ones: 65,536 frames are looked at, the newest of those that may hold one.
    stopped: bool,
}

/// A space's own version of a role.
#[derive(Serialize, ToSchema)]
pub struct RolePlace {
    space: String,
    version: u32,
    #[schema(value_type = String)]
    origin: Text,
    #[schema(value_type = String)]
    hash: Hash,
    #[schema(value_type = Object)]
    role: Value,
    markdown: String,
}

impl RolePlace {
    fn of(world: &World, space: SpaceId, role: &RoleVersion) -> Self {
        Self {
            space: world.path_of(space),
            version: role.version,
            origin: role.origin.clone(),
            hash: role.hash,
            role: role.spec.to_value(),
            markdown: role.spec.to_markdown(),
        }
    }
}

/// One version of a role or a flow: when it was set, and by whom.
#[derive(Serialize, ToSchema)]
#[schema(as = Version)]
pub struct VersionTold {
    /// Its number; null where the versions before it were not looked for and nothing else says it.
    version: Option<u32>,
    /// Where it holds; none: everywhere.
    space: Option<String>,
    /// Whether there is no such space any more.
    gone: bool,
    #[schema(value_type = u64)]
    seq: Seq,
    time: String,
    /// The being that set it.
    #[schema(value_type = Option<String>)]
    by: Value,
    /// The label that its setter gave it.
    #[schema(value_type = Option<String>)]
    label: Option<Value>,
    /// None where it cannot be read.
    #[schema(value_type = Option<String>)]
    hash: Option<Hash>,
}

impl VersionTold {
    /// When a version was set, and what it is as a whole.
    fn of(world: &World, version: Version) -> (Self, Option<Value>) {
        let Version { version, space, seq, at, offset, by, label, whole } = version;
        let told = Self {
            version,
            space: space.map(|space| world.path_of(space)),
            gone: space.is_some_and(|space| world.space(space).is_none()),
            seq,
            time: iso(at, offset),
            by: world.name_of(by),
            label,
            hash: whole.as_ref().map(|whole| Hash::of(&whole.to_canon())),
        };
        (told, whole)
    }
}

/// One version of a role.
#[derive(Serialize, ToSchema)]
#[schema(as = RoleVersion)]
pub struct RoleSet {
    #[serde(flatten)]
    version: VersionTold,
    /// None: taken back.
    #[schema(value_type = Option<Object>)]
    role: Option<Value>,
}

/// One flow that a being had.
#[derive(Serialize, ToSchema)]
#[schema(as = FlowVersion)]
pub struct FlowSet {
    #[serde(flatten)]
    version: VersionTold,
    flow: Option<Value>,
}

/// The flow of a being, and its versions.
#[derive(Serialize, ToSchema)]
#[schema(as = FlowPage)]
pub struct FlowTold {
    flow: Value,
    #[schema(value_type = String)]
    hash: Hash,
    /// Its versions, the newest first, for those who may read the world's moments.
    history: Vec<FlowSet>,
    /// Whether there may be older ones: 65,536 frames are looked at, the newest of those that may hold one.
    stopped: bool,
}

/// All roles, with where each comes from and who may come to wear it
#[utoipa::path(get, path = "/api/roles", params(Then), responses((status = 200, body = Vec<RoleListed>), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn roles(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<Then>) -> Result<Json<Vec<RoleListed>>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    sight.register("roles")?;
    Ok(Json(sight.world.registry().roles.iter().map(|(name, role)| RoleListed::of(&sight, name, role)).collect()))
}

/// One role, its file and its versions
#[utoipa::path(get, path = "/api/roles/{name}", params(("name" = String, Path), Then), responses((status = 200, body = RoleTold), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn role(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Path(name): Path<String>,
    Asked(asked): Asked<Then>,
) -> Result<Json<RoleTold>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    sight.register("roles")?;
    let key = Text::from(name.as_str());
    let role = sight.world.registry().roles.get(&key).ok_or_else(|| Trouble::not_found(&format!("/.roles/{name}")))?;
    let users: Vec<Value> = sight.world.wearers_of(&key).take(256).map(|being| sight.world.name_of(being)).collect();
    let local = sight.world.registry().local_roles.get(&key).into_iter().flatten();
    let places = local.map(|(space, role)| RolePlace::of(&sight.world, *space, role)).collect();
    let (versions, stopped) =
        versions(&hall, &who, &sight, move |history, world| history.versions_of_role(&key, world, LOOKED_BACK)).await?;
    let history = versions.into_iter().map(|(version, role)| RoleSet { version, role }).collect();
    Ok(Json(RoleTold {
        role: role.spec.to_value(),
        origin: role.origin.clone(),
        hash: role.hash,
        version: role.version,
        users,
        places,
        markdown: role.spec.to_markdown(),
        history,
        stopped,
    }))
}

/// The versions of something, the newest first, and whether there may be older ones; for whoever may read the world's moments, else none:
/// reading history costs, and tells who did what and when.
async fn versions(
    hall: &Hall,
    who: &Who,
    sight: &Sight,
    of: impl FnOnce(&History, &World) -> Result<Versions, LoadError> + Send + 'static,
) -> Result<(Vec<(VersionTold, Option<Value>)>, bool), Trouble> {
    if sight.register("moments").is_err() {
        return Ok((Vec::new(), false));
    }
    let (dir, world) = (hall.dir.clone(), sight.world.clone());
    let read = move |interest| {
        let Versions { newest, stopped } = of(&History::while_asked(&dir, interest)?, &world)?;
        Ok((newest.into_iter().map(|version| VersionTold::of(&world, version)).collect(), stopped))
    };
    hall.recall(who, read).await
}

/// The flow of a being, and its versions
#[utoipa::path(get, path = "/api/being/{name}/flow", params(("name" = String, Path), Then), responses((status = 200, body = FlowTold), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn flow(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Path(name): Path<String>,
    Asked(asked): Asked<Then>,
) -> Result<Json<FlowTold>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    let being = sight.being_named(&name)?;
    let of = being.id;
    sight.reads(of, "flow")?;
    let source = being.flow.source().clone();
    let (versions, stopped) = versions(&hall, &who, &sight, move |history, world| history.versions_of_flow(of, world, LOOKED_BACK)).await?;
    let history = versions.into_iter().map(|(version, flow)| FlowSet { version, flow }).collect();
    Ok(Json(FlowTold { hash: Hash::of(&source.to_canon()), flow: source, history, stopped }))
}

/// A role or a flow to be checked: one of both.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Sketch {
    /// A role as it would be set.
    #[schema(value_type = Option<Object>)]
    role: Option<Value>,
    /// A flow as it would be set.
    #[schema(value_type = Option<Vec<Object>>)]
    flow: Option<Value>,
    /// The being whose flow it would be.
    being: Option<String>,
}

/// The findings of lint in a draft.
#[derive(Serialize, ToSchema)]
pub struct Linted {
    /// For these it would be refused.
    errors: Vec<Fault>,
    /// These are probably not meant.
    #[schema(value_type = Vec<WarningShape>)]
    warnings: Vec<Warning>,
}

/// Why a draft would be refused.
#[derive(Serialize, ToSchema)]
pub struct Fault {
    /// Where it is written.
    place: String,
    what: String,
}

impl Linted {
    fn refused(place: &str, what: impl std::fmt::Display) -> Self {
        Self { errors: vec![Fault { place: place.to_owned(), what: what.to_string() }], warnings: Vec::new() }
    }

    fn warned(warnings: Vec<Warning>) -> Self {
        Self { errors: Vec::new(), warnings }
    }
}

/// Checks a draft: errors would be refused, warnings are probably not meant
#[utoipa::path(post, path = "/api/lint", request_body = Sketch, responses((status = 200, body = Linted), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong)))]
pub async fn linting(State(hall): State<Arc<Hall>>, who: Who, Sent(draft): Sent<Sketch>) -> Result<Json<Linted>, Trouble> {
    let sight = hall.sight_now(&who, None)?;
    sight.register("roles")?;
    match draft {
        Sketch { role: Some(role), flow: None, .. } => Ok(Json(match Spec::from_value(&role) {
            Ok(spec) => Linted::warned(role_warnings(&sight.world, &spec)),
            Err(wrong) => Linted::refused(if let RoleError::Key { key, .. } = &wrong { key } else { "role" }, &wrong),
        })),
        Sketch { role: None, flow: Some(flow), being } => {
            let flow = match Flow::compile(&flow) {
                Ok(flow) => flow,
                Err(wrong) => return Ok(Json(Linted::refused(&wrong.place, &wrong))),
            };
            let being = being.and_then(|name| sight.world.being_named(name.trim_start_matches('@')).cloned());
            Ok(Json(Linted::warned(flow_warnings(&sight.world, &flow, being.as_deref()))))
        }
        _ => Err(Trouble::bad("expected {\"role\": {…}} or {\"flow\": […]}")),
    }
}
