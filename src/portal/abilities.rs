//! Abilities: what one may do now by each verb, told as a model in the world is told it: for programs that let a model drive a being.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::cognition::{Abilities, Ability};
use crate::fact::{Canon, Hash, Text, Value};

use super::hall::Hall;
use super::sent::Asked;
use super::sight::Sight;
use super::trouble::{Trouble, Wrong};
use super::who::{As, Who};
use super::worlds::called;

/// The operations that a being may do now, verb by verb.
#[derive(Serialize, ToSchema)]
#[schema(as = Abilities)]
pub struct AbilitiesTold {
    /// The being that may do them.
    being: String,
    /// The world's display name.
    world: String,
    /// The worn roles: the primary, then the modifiers.
    #[schema(value_type = Vec<String>)]
    worn: Vec<Text>,
    /// The verbs of which its role lists anything.
    verbs: Vec<AbilityTold>,
    /// The addresses near it that it may see, the nearest first.
    near: Vec<String>,
    /// A hash that changes where it wears something else, or may do other operations.
    #[schema(value_type = String)]
    hash: Hash,
}

/// The operations of one verb that may be done now.
#[derive(Serialize, ToSchema)]
#[schema(as = Ability)]
pub struct AbilityTold {
    /// see, do, summon or be.
    verb: &'static str,
    /// The lines that tell it: what it reaches, or each operation with its arguments.
    lines: Vec<String>,
    /// The operations, of a do and a be.
    #[schema(value_type = Vec<String>)]
    operations: Vec<Text>,
}

impl AbilitiesTold {
    /// The operations that the being of a sight may do.
    pub fn of(sight: &Sight) -> Self {
        let worn = &sight.opening.worn;
        let Abilities { verbs, near } = Abilities::of(&sight.opening, &sight.asker());
        let texts = |texts: &[Text]| Value::List(texts.iter().map(Value::from).collect());
        let verbs_hashed = verbs.iter().map(|Ability { verb, operations, .. }| (verb.word(), texts(operations)));
        let hash = Hash::of(&Value::map(verbs_hashed.chain([("worn", texts(&worn.stack))])).to_canon());
        let told = |Ability { verb, lines, operations }| AbilityTold { verb: verb.word(), lines, operations };
        Self {
            being: format!("@{}", sight.being.name),
            world: called(&sight.world),
            worn: worn.stack.clone(),
            verbs: verbs.into_iter().map(told).collect(),
            near,
            hash,
        }
    }

    /// The hash that tells one answer from another.
    pub fn hash(&self) -> Hash {
        self.hash
    }
}

/// Lists the operations that one may do now, verb by verb, as a model in the world is told them
#[utoipa::path(get, path = "/api/abilities", params(As), responses((status = 200, body = AbilitiesTold), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn abilities(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<AbilitiesTold>, Trouble> {
    let sight = hall.sight_now(&who, asked.speaker.as_deref())?;
    Ok(Json(AbilitiesTold::of(&sight)))
}
