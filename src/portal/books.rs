//! Books: the world's registers: signals and whose flows read them, operations, dead letters; and the paths that conditions may name.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::{Millis, Reason, Text, Value};
use crate::role::Path as RolePath;
use crate::verb::{Doable, operations};

use super::hall::Hall;
use super::sent::Asked;
use super::shapes::{ReasonShape, WakeShape};
use super::trouble::{Trouble, Wrong};
use super::who::{Then, Who};

/// The paths that conditions may name.
#[derive(Serialize, ToSchema)]
pub struct Paths {
    paths: &'static [&'static str],
    /// Paths with a part that is a name.
    parts: Vec<String>,
    /// The signals that are published.
    signals: Vec<String>,
}

/// The signals, and whose flows read each.
#[derive(Serialize, ToSchema)]
pub struct Signals {
    #[schema(value_type = Object)]
    signals: Value,
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    readers: BTreeMap<Text, Vec<Value>>,
}

/// An operation, with the schema of its arguments.
#[derive(Serialize, ToSchema)]
#[schema(as = Operation)]
pub struct OperationTold {
    #[schema(value_type = String)]
    name: Text,
    /// Its purpose, in a sentence.
    #[schema(value_type = String)]
    about: Text,
    /// The JSON Schema of its arguments.
    #[schema(value_type = Object)]
    args: Value,
    /// The kinds of thing it can be done to; none: any.
    #[schema(value_type = Vec<String>)]
    target: Vec<Text>,
}

/// A wake that nobody will open unless it is requeued.
#[derive(Serialize, ToSchema)]
#[schema(as = DeadLetter)]
pub struct Letter {
    #[schema(value_type = String)]
    being: Value,
    kind: &'static str,
    /// The fact that caused it, as `seq.index`.
    cause: String,
    #[schema(value_type = WakeShape)]
    wake: Value,
    #[schema(value_type = ReasonShape)]
    reason: Reason,
    /// When it was given up, in world time.
    #[schema(value_type = i64)]
    at: Millis,
}

/// Lists the names that conditions may use: paths, and the signals that are published
#[utoipa::path(get, path = "/api/paths", params(Then), responses((status = 200, body = Paths), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn paths(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<Then>) -> Result<Json<Paths>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    sight.register("roles")?;
    let mut signals = Vec::new();
    leaves("", &sight.world.signals().to_value(), &mut signals);
    let parts: Vec<String> = RolePath::PARTS.iter().map(|(prefix, rest)| format!("{prefix}{rest}")).collect();
    Ok(Json(Paths { paths: RolePath::WORDS, parts, signals }))
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
#[utoipa::path(get, path = "/api/signals", params(Then), responses((status = 200, body = Signals), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn signals(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<Then>) -> Result<Json<Signals>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    sight.register("signals")?;
    let mut readers: BTreeMap<Text, Vec<Value>> = BTreeMap::new();
    for signal in sight.world.read_signals() {
        let named = sight.world.readers_of(&signal).take(256).map(|being| sight.world.name_of(being)).collect();
        readers.insert(signal, named);
    }
    Ok(Json(Signals { signals: sight.world.signals().to_value(), readers }))
}

/// All operations, with the schemas of their arguments
#[utoipa::path(get, path = "/api/operations", params(Then), responses((status = 200, body = Vec<OperationTold>), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn all_operations(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Asked(asked): Asked<Then>,
) -> Result<Json<Vec<OperationTold>>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    sight.register("ops")?;
    let told = |Doable { name, about, schema, target }| OperationTold { name, about, args: schema, target };
    Ok(Json(operations(&sight.world).into_iter().map(told).collect()))
}

/// The dead letters
#[utoipa::path(get, path = "/api/dead", params(Then), responses((status = 200, body = Vec<Letter>), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn dead(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<Then>) -> Result<Json<Vec<Letter>>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    sight.register("dead")?;
    let world = &sight.world;
    let told = world.inbox().dead().take(1000).map(|(being, letter)| Letter {
        being: world.name_of(being),
        kind: letter.wake.id.kind.word(),
        cause: letter.wake.id.cause.to_string(),
        wake: world.told(&letter.wake),
        reason: letter.reason.clone(),
        at: letter.at,
    });
    Ok(Json(told.collect()))
}
