//! Drafts: the effect of publishing a draft: the changes, the warnings of lint, who would wear what now, and would have. Nothing of it
//! is sealed.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::fact::{BeingId, Call, Closing, Fact, MatterId, Reason, SpaceId, Text, Thing, Thought, Value};
use crate::moment::Answer;
use crate::past::{History, LoadError, Trial};
use crate::role::{Flow, Spec, Warning};
use crate::source::{flow_warnings, role_warnings};
use crate::verb::{DRAFT_PUBLISH, DraftChange, DraftedCall, Named, thing_named};
use crate::world::{Wake, World, address_of};

use super::hall::Hall;
use super::sent::Asked;
use super::shapes::{DraftChangeShape, ReasonShape, WarningShape};
use super::sight::Sight;
use super::spelled::AddressShape;
use super::trial::{Backtested, back};
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// How many of those whom a draft may concern are asked what they would wear.
const WEARERS: usize = 1_000;

/// A draft.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DraftAsked {
    /// Its address.
    #[param(value_type = AddressShape, inline)]
    address: String,
    /// How many of the last moments of the being that it is about; without it 50.
    last: Option<usize>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// A draft, and what would become of the world if its holder published it now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DraftReview)]
pub struct DraftReview {
    /// Where it is.
    pub address: String,
    /// The being that may publish it.
    #[schema(value_type = Option<String>)]
    pub holder: Value,
    /// Its author.
    #[schema(value_type = Option<String>)]
    pub by: Value,
    /// The operation that publishing it does.
    #[schema(value_type = String)]
    pub action: Text,
    /// The target; empty for an operation on identity.
    #[schema(value_type = String)]
    pub target: Text,
    /// The arguments.
    #[schema(value_type = Object)]
    pub args: Value,
    /// The hash by which it is published.
    pub hash: String,
    /// Why publishing it would be refused now.
    #[schema(value_type = Option<ReasonShape>)]
    pub refused: Option<Reason>,
    /// Its effect; none where the reader may not read what it is about.
    pub outlook: Option<Outlook>,
}

/// The effect of publishing a draft.
#[derive(Serialize, ToSchema)]
pub struct Outlook {
    /// Where what would stand there differs from what does.
    #[schema(value_type = Vec<DraftChangeShape>)]
    pub changes: Vec<DraftChange>,
    /// The warnings of lint.
    #[schema(value_type = Vec<WarningShape>)]
    pub warnings: Vec<Warning>,
    /// The beings that would wear something else now.
    pub wear: Vec<WouldWear>,
    /// The last moments of the being that it is about, with the stack it would have worn; the newest first.
    pub moments: Vec<Backtested>,
}

/// A being, and what it would wear.
#[derive(Serialize, ToSchema)]
pub struct WouldWear {
    /// The being.
    #[schema(value_type = String)]
    pub being: Value,
    /// The stack that it wears.
    #[schema(value_type = Vec<String>)]
    pub was: Vec<Text>,
    /// The stack that it would wear.
    #[schema(value_type = Vec<String>)]
    pub would: Vec<Text>,
}

/// A draft as it was found.
pub struct FoundDraft {
    draft: Thing,
    holder: BeingId,
    call: DraftedCall,
    of: Option<Thing>,
    review: DraftReview,
    facts: Vec<Fact>,
}

impl FoundDraft {
    /// The draft that some matter is; nothing where it is none, or nobody holds it.
    pub fn of(world: &World, id: MatterId) -> Option<Self> {
        let (matter, draft) = (world.matter(id)?, Thing::Matter(id));
        let (holder, call) = (world.holder_of(id)?, DraftedCall::of(matter)?);
        let being = world.being(holder)?;
        let of = thing_named(world, being, world.now(), &call.target).ok().filter(|_| !call.target.is_empty());
        let hash = call.hash().to_string();
        let (refused, facts) = published(world, holder, draft, &hash);
        let DraftedCall { action, target, args, .. } = call.clone();
        let (holder_name, by) = (world.name_of(holder), world.name_of(matter.author));
        let address = address_of(world, draft);
        let review = DraftReview { address, holder: holder_name, by, action, target, args, hash, refused, outlook: None };
        Some(Self { draft, holder, call, of, review, facts })
    }

    /// All of it, for whoever may read what it is about.
    pub fn review(self, world: &World, history: &History, last: usize) -> Result<DraftReview, LoadError> {
        let changes = self.of.map(|of| self.call.difference(world, of)).unwrap_or_default();
        let (warnings, wear) = (self.warnings(world), self.wear(world));
        let facts: Vec<Fact> = self.facts.iter().filter(|fact| **fact != (Fact::Ended { of: self.draft })).cloned().collect();
        let moments = match self.of {
            Some(Thing::Being(being)) if !facts.is_empty() => back(history, world, being, last, &|_| facts.clone())?,
            _ => Vec::new(),
        };
        Ok(DraftReview { outlook: Some(Outlook { changes, warnings, wear, moments }), ..self.review })
    }

    fn warnings(&self, world: &World) -> Vec<Warning> {
        let role = self.call.args.get("role").and_then(|role| Spec::from_value(role).ok());
        let flow = self.call.args.get("flow").and_then(|flow| Flow::compile(flow).ok());
        let being = if let Some(Thing::Being(id)) = self.of { world.being(id) } else { None };
        let of_flow = flow.map(|flow| flow_warnings(world, &flow, being.map(AsRef::as_ref)));
        role.map(|role| role_warnings(world, &role)).into_iter().chain(of_flow).flatten().collect()
    }

    fn wear(&self, world: &World) -> Vec<WouldWear> {
        let (at, imagined) = (world.now(), world.imagine(self.holder, (world.next_seq(), 0), world.now(), &self.facts));
        let concerned: Vec<BeingId> = match self.of {
            Some(Thing::Being(being)) => vec![being],
            _ => world.living().take(WEARERS).map(|being| being.id).collect(),
        };
        let differs = |id: BeingId| {
            let (was, would) = (world.wears(id, at).to_vec(), imagined.wears(id, at).to_vec());
            (was != would).then(|| WouldWear { being: world.name_of(id), was, would })
        };
        concerned.into_iter().filter_map(differs).collect()
    }
}

/// Why publishing it would be refused now, or what it would stamp: tried as its holder's own act.
fn published(world: &World, holder: BeingId, draft: Thing, hash: &str) -> (Option<Reason>, Vec<Fact>) {
    let call = Call::doing(&address_of(world, draft), DRAFT_PUBLISH, Value::map([("hash", Value::text(hash))]));
    let wake = Arc::new(Wake::gesture(world.next_seq(), world.now()));
    let Some(trial) = Trial::of(world, holder, &wake, world.now(), Some(&call), &[]) else { return (None, Vec::new()) };
    let bound = trial.opening.bind(&trial.world, &call);
    let tried = trial.close(Answer { thought: Thought::Given, call: Some((call, bound)), ..Answer::none() });
    match tried.closing {
        Closing::Act => (None, tried.facts),
        other => (other.reason().cloned(), Vec::new()),
    }
}

/// Whether the reader may read what a draft is about, and what follows from it.
fn is_open(sight: &Sight, found: &FoundDraft) -> Result<(), Trouble> {
    sight.register("signals")?;
    sight.register("roles")?;
    if !matches!(found.call.action.as_ref(), "flow.set" | "role.set" | "signal.set") {
        sight.register("config")?;
        sight.register("scripts")?;
    }
    match found.of {
        Some(of @ (Thing::Being(_) | Thing::Space(_))) if of != Thing::Space(SpaceId::ROOT) => {
            sight.may_see(&Named::Register { of, register: "flow".into(), entry: "".into() })
        }
        Some(_) | None => Ok(()),
    }
}

/// A draft, and what would become of the world if its holder published it now
#[utoipa::path(get, path = "/api/draft", params(DraftAsked), responses((status = 200, body = DraftReview), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn draft(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<DraftAsked>) -> Result<Json<DraftReview>, Trouble> {
    let sight = hall.sight_now(&who, asked.speaker.as_deref())?;
    let missing = || Trouble::not_found(&asked.address);
    let Named::Thing(Thing::Matter(id)) = sight.named(&asked.address)? else { return Err(missing()) };
    let found = FoundDraft::of(&sight.world, id).ok_or_else(missing)?;
    if is_open(&sight, &found).is_err() {
        return Ok(Json(found.review));
    }
    let (dir, world, last) = (hall.dir.clone(), sight.world.clone(), asked.last.unwrap_or(50));
    let told = hall.recall(&who, move |interest| {
        let history = History::while_asked(&dir, interest)?;
        Ok(found.review(&world, &history, last)?)
    });
    told.await.map(Json)
}
