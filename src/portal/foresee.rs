//! Foresee: the newest moments of those whom a draft concerns, lived once more before it is published. Nothing of it is sealed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fact::{Code, Content, Fact, Reason, Seq, SpaceId, Text, Thing, Value};
use crate::past::History;
use crate::replay::{DeedCount, DeedEnds, ForeseenPast, Lookback, ReplayError, Supposing, foresee};
use crate::role::{Flow, Spec};
use crate::verb::{Named, has_right};
use crate::world::{Local, iso};

use super::hall::Hall;
use super::sent::Sent;
use super::sight::Sight;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// How long back moments are lived, in milliseconds.
const SPAN: i64 = 86_400_000;
/// How many moments are lived at most.
const MOMENTS: u64 = 20_000;
/// How long they are lived at most.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many kinds of deeds are told.
const TOLD: usize = 3;

/// A draft whose effect is asked for: another flow of a being, or other roles.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForeseeAsked {
    /// The being whose flow it is.
    being: Option<String>,
    /// The flow.
    #[schema(value_type = Option<Vec<Object>>)]
    flow: Option<Value>,
    /// Roles by name; null for one that would be taken back.
    #[schema(value_type = Option<Object>)]
    roles: Option<BTreeMap<Text, Value>>,
    /// The space in which the roles would hold; without it everywhere.
    space: Option<String>,
}

/// How the newest moments would have come out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Foreseen)]
pub struct ForeseenTold {
    /// Where the span begins that was lived, and where it ends.
    from: String,
    to: String,
    /// Whether that is a whole day, or all that there is of it; else there were too many moments, or it took too long.
    is_whole: bool,
    /// How many moments of those whom it concerns were lived.
    moments: u64,
    /// How all of them come out.
    #[serde(flatten)]
    ends: DeedEndsTold,
    /// The gravest, three at most.
    deeds: Vec<DeedTold>,
    /// How many more kinds of deeds come out otherwise.
    more: usize,
    /// All of it in sentences.
    sentences: Vec<String>,
}

/// How moments come out, each kind by itself.
#[derive(Serialize, ToSchema)]
#[schema(as = DeedEnds)]
pub struct DeedEndsTold {
    /// Something else would be worn.
    worn: u64,
    /// They would be refused, and were not.
    refused: u64,
    /// They would fail, and did not.
    failed: u64,
    /// Something else would be done.
    otherwise: u64,
    /// A model would be asked something else; its recorded reply comes to the same.
    unknown: u64,
}

/// One kind of deed of a being.
#[derive(Serialize, ToSchema)]
#[schema(as = Deed)]
pub struct DeedTold {
    /// The being.
    #[schema(value_type = String)]
    being: Text,
    /// How often it was done in all.
    all: u64,
    #[serde(flatten)]
    ends: DeedEndsTold,
    /// The first that comes out otherwise.
    #[schema(value_type = Option<u64>)]
    first: Option<Seq>,
    /// Its sentence.
    sentence: String,
}

impl From<DeedEnds> for DeedEndsTold {
    fn from(DeedEnds { worn, refused, failed, otherwise, unknown }: DeedEnds) -> Self {
        Self { worn, refused, failed, otherwise, unknown }
    }
}

impl From<&DeedCount> for DeedTold {
    fn from(count: &DeedCount) -> Self {
        let sentence = format!("{}.", count.sentence());
        Self {
            being: count.being.clone(),
            all: count.all,
            ends: count.ends.into(),
            first: count.first.as_ref().map(|first| first.seq),
            sentence,
        }
    }
}

impl ForeseeAsked {
    /// The facts that are supposed; of a draft that is none, the error.
    fn facts(&self, sight: &Sight) -> Result<Vec<Fact>, Trouble> {
        let mut facts = Vec::new();
        if let Some(flow) = &self.flow {
            Flow::compile(flow)
                .map_err(|error| Trouble::bad(error.to_string()).at(format!("/flow{}", error.place.trim_start_matches("flow"))))?;
            let being = self.being.as_deref().ok_or_else(|| Trouble::bad("expected the being whose flow it is").at("/being"))?;
            facts.push(Fact::FlowSet { being: sight.being_named(being)?.id, flow: flow.clone().into() });
        }
        let space = self.space.as_deref().map(|space| sight.named(space)).transpose()?;
        for (name, role) in self.roles.iter().flatten() {
            if !role.is_null() {
                Spec::from_value(role).map_err(|error| Trouble::bad(error.to_string()).at(format!("/roles/{name}")))?;
            }
            let (name, origin, role) = (name.clone(), Text::from("draft"), Content::from(role.clone()));
            facts.push(match space {
                None | Some(Named::Thing(Thing::Space(SpaceId::ROOT))) => Fact::RoleSet { name, origin, role },
                Some(Named::Thing(Thing::Space(space))) => Fact::RoleSetIn { space, name, origin, role },
                Some(_) => return Err(Trouble::bad("expected the path of a space, such as `/square`").at("/space")),
            });
        }
        if facts.is_empty() {
            return Err(Trouble::bad("expected `flow` with its `being`, or `roles`"));
        }
        Ok(facts)
    }
}

/// Lives the newest moments of those whom a draft concerns once more: the last day, at most 20,000 moments and five seconds
#[utoipa::path(post, path = "/api/foresee", request_body = ForeseeAsked, responses((status = 200, body = ForeseenTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong), (status = 500, body = Wrong)))]
pub async fn foreseen(State(hall): State<Arc<Hall>>, who: Who, Sent(asked): Sent<ForeseeAsked>) -> Result<Json<ForeseenTold>, Trouble> {
    let sight = hall.sight_now(&who, None)?;
    // It tells what others did, and what they could do: so it takes the right that publishing takes, and those books.
    for register in ["signals", "roles", "moments"] {
        sight.register(register)?;
    }
    if !has_right(&sight.world, sight.being.id, SpaceId::ROOT) {
        return Err(Trouble::refused(&Reason::new(Code::GatePlace, "/")));
    }
    let supposing = Supposing::of(asked.facts(&sight)?);
    let dir = hall.dir.clone();
    let told = hall.recall(&who, move |interest| {
        let history = History::while_asked(&dir, interest)?;
        let begun = Instant::now();
        let mut is_over = || begun.elapsed() > PATIENCE;
        let seen =
            foresee(&history, &supposing, sight.at, Lookback { span: SPAN, moments: MOMENTS, is_over: &mut is_over }).map_err(trouble)?;
        Ok(ForeseenTold::of(&sight, &seen))
    });
    told.await.map(Json)
}

fn trouble(error: ReplayError) -> Trouble {
    match error {
        ReplayError::Load(error) => error.into(),
        other => Trouble::bad(other.to_string()),
    }
}

impl ForeseenTold {
    fn of(sight: &Sight, ForeseenPast { deeds, from, is_whole, .. }: &ForeseenPast) -> Self {
        let time = |at| iso(at, Local::of(at, sight.world.zone()).offset);
        let all = deeds.otherwise();
        Self {
            from: time(*from),
            to: time(sight.at),
            is_whole: *is_whole,
            moments: deeds.moments(),
            ends: deeds.ends().into(),
            more: all.len().saturating_sub(TOLD),
            deeds: all.iter().take(TOLD).map(DeedTold::from).collect(),
            sentences: deeds.sentences(TOLD),
        }
    }
}
