//! Trial: flows and roles tried before they are published: the roles they would put on now, and would have, and what a mind would make
//! of a moment. Nothing of it is sealed but what a model's replies cost.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::cognition::{Reply, Request, hear};
use crate::fact::{BeingId, Call, ClosingKind, Code, Content, Draft, Fact, Reason, Seq, SpaceId, Spent, Text, Thing, Value, WornRole};
use crate::moment::{Answer, is_asking};
use crate::past::{History, LoadError, Thinking, Trial, report};
use crate::role::{Flow, Spec, Trace};
use crate::tell::ToldPart;
use crate::verb::{Named, has_right};
use crate::world::{Being, Wake, World, iso};

use super::hall::Hall;
use super::paid::ask;
use super::sent::Sent;
use super::shapes::{CallShape, ClosingWord, CostShape, MessageShape, PartShape, ReasonShape, TraceShape, WornShape};
use super::sight::Sight;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// The most moments of one backtest.
const BACK_MAX: usize = 500;
/// The most replies of one trial.
const REPLIES_MAX: usize = 4;

/// A draft: other roles or another flow for a being.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Supposed {
    /// The being whose flow it is.
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

impl Supposed {
    /// Checks the drafts as if they were to be set.
    fn check(&self) -> Result<(), Trouble> {
        for (name, role) in self.roles.iter().flatten().filter(|(_, role)| !role.is_null()) {
            let place = || format!("/roles/{name}");
            let spec = Spec::from_value(role).map_err(|error| Trouble::bad(error.to_string()).at(place()))?;
            if spec.name != *name {
                return Err(Trouble::bad(format!("the role under `{name}` is named `{}`", spec.name)).at(place()));
            }
        }
        let compiled = self.flow.as_ref().map(Flow::compile).transpose();
        compiled.map(drop).map_err(|error| Trouble::bad(error.to_string()).at(format!("/flow{}", error.place.trim_start_matches("flow"))))
    }

    /// The facts by which a world differs from the one that is supposed.
    fn facts(&self, world: &World, being: BeingId) -> Vec<Fact> {
        let place = world.being(being).map_or(SpaceId::ROOT, |being| being.position);
        let set = |(name, role): (&Text, &Value)| {
            // The draft goes before whatever version is in force where the being stands.
            let own = world.upward(place).map(|space| space.id).find(|space| world.registry().local_role(name, *space).is_some());
            let (name, origin, role) = (name.clone(), Text::from("draft"), Content::from(role.clone()));
            match own {
                Some(space) => Fact::RoleSetIn { space, name, origin, role },
                None => Fact::RoleSet { name, origin, role },
            }
        };
        let flow = self.flow.iter().map(|flow| Fact::FlowSet { being, flow: flow.clone().into() });
        self.roles.iter().flatten().map(set).chain(flow).collect()
    }
}

/// The facts by which a past world comes to reach models as the world does now: what was taken back since is not called again.
fn models_of(now: &World, past: &World) -> Vec<Fact> {
    let is_of_models = |key: &&Text| key.starts_with("llm.");
    let [now, past] = [now, past].map(|world| &world.registry().config);
    let mut keys: Vec<&Text> = now.keys().chain(past.keys()).filter(is_of_models).collect();
    keys.sort();
    keys.dedup();
    let value = |key: &Text| now.get(key).map(|value| (**value).clone()).unwrap_or_default();
    keys.into_iter().map(|key| Fact::ConfigSet { key: key.clone(), value: value(key).into() }).collect()
}

/// The being whose flow is tried: one that the reader sees and whose flow it may read.
///
/// A draft can ask for any signal and any role, and its trace says what it saw: so these books have to be open to it as well.
fn tried(sight: &Sight, being: &str) -> Result<Arc<Being>, Trouble> {
    sight.register("signals")?;
    sight.register("roles")?;
    let being = sight.being_named(being)?;
    sight.reads(being.id, "flow")?;
    // And so has the place where it stands, whose qualities a condition may name.
    if !has_right(&sight.world, sight.being.id, SpaceId::ROOT) {
        sight.may_see(&Named::Thing(Thing::Space(being.position)))?;
    }
    Ok(being)
}

/// The roles that would be worn now.
#[derive(Serialize, ToSchema)]
#[schema(as = WornWith)]
pub struct Supposal {
    #[schema(value_type = Vec<WornShape>)]
    stack: Vec<WornRole>,
    #[schema(value_type = TraceShape)]
    trace: Trace,
}

/// The roles that would have been worn in a being's last moments, the newest first.
#[derive(Serialize, ToSchema)]
pub struct Backtest {
    moments: Vec<Backtested>,
    /// The number of moments in which it would have been something else.
    differ: usize,
}

/// A moment, and what would have been worn in it.
#[derive(Serialize, ToSchema)]
pub struct Backtested {
    /// The moment.
    #[schema(value_type = u64)]
    pub seq: Seq,
    /// When.
    pub time: String,
    /// The roles that were worn.
    #[schema(value_type = Vec<String>)]
    pub was: Vec<Text>,
    /// The roles that would have been worn.
    #[schema(value_type = Vec<String>)]
    pub would: Vec<Text>,
    /// Whether the two differ.
    pub differs: bool,
}

/// A moment, thought again with a draft.
#[derive(Serialize, ToSchema)]
pub struct Tried {
    #[serde(flatten)]
    opened: Reopened,
    /// The messages that a model was sent; none where none was asked.
    #[schema(value_type = Option<Vec<MessageShape>>)]
    prompt: Option<Vec<PromptMessage>>,
    /// The connection that was asked.
    #[schema(value_type = Option<String>)]
    connection: Option<Text>,
    replies: Vec<ReplyOutcome>,
}

/// A moment that was opened again.
#[derive(Serialize, ToSchema)]
pub struct Reopened {
    #[schema(value_type = u64)]
    seq: Seq,
    time: String,
    /// The kind of mind that would think.
    cognition: &'static str,
    /// The roles that were worn.
    #[schema(value_type = Vec<WornShape>)]
    was: Vec<WornRole>,
    /// The roles that would be worn.
    #[schema(value_type = Vec<WornShape>)]
    stack: Vec<WornRole>,
    #[schema(value_type = TraceShape)]
    trace: Trace,
    /// How it would close before anybody is asked; none where somebody is.
    verdict: Option<Verdict>,
}

/// How a moment would close without a thought.
#[derive(Serialize, ToSchema)]
pub struct Verdict {
    #[schema(value_type = ClosingWord)]
    closing: ClosingKind,
    #[schema(value_type = Option<ReasonShape>)]
    reason: Option<Reason>,
}

/// One message that a model was sent.
#[derive(Serialize)]
pub struct PromptMessage {
    role: String,
    content: String,
}

/// The outcome of one answer.
#[derive(Serialize, ToSchema)]
#[schema(as = Outcome)]
pub struct ReplyOutcome {
    /// Its deed, in a line.
    deed: String,
    /// The sentence that tells it, behind the name of whoever would have done it.
    #[schema(value_type = Vec<PartShape>)]
    told: Vec<ToldPart>,
    #[schema(value_type = Option<String>)]
    said: Option<Text>,
    #[schema(value_type = ClosingWord)]
    closing: ClosingKind,
    #[schema(value_type = Option<ReasonShape>)]
    reason: Option<Reason>,
    #[schema(value_type = Option<CallShape>)]
    call: Option<Call>,
    /// The facts that it would have stamped.
    #[schema(value_type = Vec<Object>)]
    facts: Vec<Fact>,
    #[schema(value_type = Option<CostShape>)]
    cost: Option<Spent>,
    /// A model's raw reply.
    reply: Option<Value>,
}

/// Lists the roles that a being would wear now, with a draft flow or draft roles
#[utoipa::path(post, path = "/api/flow/now", request_body = Supposed, responses((status = 200, body = Supposal), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong)))]
pub async fn now(State(hall): State<Arc<Hall>>, who: Who, Sent(supposed): Sent<Supposed>) -> Result<Json<Supposal>, Trouble> {
    let sight = hall.sight_now(&who, None)?;
    let being = tried(&sight, &supposed.being)?;
    let wake = Arc::new(Wake::gesture(sight.world.next_seq(), sight.at));
    supposed.check()?;
    let told = hall.recall(&who, move |_| {
        let (world, at) = (&sight.world, sight.at);
        let facts = supposed.facts(world, being.id);
        let trial = Trial::of(world, being.id, &wake, at, None, &facts).ok_or_else(|| Trouble::not_found(&supposed.being))?;
        Ok(Supposal { trace: trial.opening.trace(&trial.world, None), stack: trial.opening.stack })
    });
    told.await.map(Json)
}

/// Finds the last moments in which a being would have worn something else
#[utoipa::path(post, path = "/api/flow/backtest", request_body = Supposed, responses((status = 200, body = Backtest), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong), (status = 500, body = Wrong)))]
pub async fn backtest(State(hall): State<Arc<Hall>>, who: Who, Sent(supposed): Sent<Supposed>) -> Result<Json<Backtest>, Trouble> {
    let sight = hall.sight_now(&who, None)?;
    let being = tried(&sight, &supposed.being)?;
    supposed.check()?;
    let last = supposed.last.unwrap_or(50);
    let (dir, now) = (hall.dir.clone(), sight.world.clone());
    let moments = hall.recall(&who, move |interest| {
        let history = History::while_asked(&dir, interest)?;
        back(&history, &now, being.id, last, &|world| supposed.facts(world, being.id)).map_err(Trouble::from)
    });
    let moments = moments.await?;
    let differ = moments.iter().filter(|moment| moment.differs).count();
    Ok(Json(Backtest { moments, differ }))
}

/// The roles that a being would have worn in its last moments, had those facts been so in each of them; the newest first.
pub(super) fn back(
    history: &History,
    now: &World,
    being: BeingId,
    last: usize,
    facts: &dyn Fn(&World) -> Vec<Fact>,
) -> Result<Vec<Backtested>, LoadError> {
    let reel = history.reel(being, 0)?;
    let last = last.clamp(1, BACK_MAX);
    let mut drafts = Vec::new();
    for seq in reel.iter().rev().take(last).rev() {
        if let Some(draft) = draft_at(history, now, *seq)?.filter(|draft| !is_asking(draft)) {
            drafts.push(draft);
        }
    }
    let worlds = history.worlds_at(&drafts.iter().map(|draft| draft.opened).collect())?;
    let moment = |draft: &Draft| -> Option<Backtested> {
        let world = worlds.get(&draft.opened)?;
        let was: Vec<Text> = draft.stack.iter().map(|worn| worn.role.clone()).collect();
        let trial = Trial::again(draft, world, &facts(world))?;
        let would: Vec<Text> = trial.opening.stack.iter().map(|worn| worn.role.clone()).collect();
        let differs = was != would;
        Some(Backtested { seq: draft.seq, time: iso(draft.opened_at, draft.offset), was, would, differs })
    };
    Ok(drafts.iter().rev().filter_map(moment).collect())
}

fn draft_at(history: &History, world: &World, seq: Seq) -> Result<Option<Draft>, LoadError> {
    Ok(history.frame(seq, world)?.map(|frame| frame.draft().clone()))
}

/// A moment to be tried with a draft flow or draft roles.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// The being.
    being: String,
    /// The moment; without it, the being's last.
    #[schema(value_type = Option<i64>, minimum = 0)]
    seq: Option<Seq>,
    /// The flow to be tried; without it, the one it had.
    #[schema(value_type = Option<Vec<Object>>)]
    flow: Option<Value>,
    /// Roles to be tried, by name.
    #[schema(value_type = Option<Object>)]
    roles: Option<BTreeMap<Text, Value>>,
    /// How many replies of a model, at most 4; without it 1.
    replies: Option<usize>,
}

/// Tries a moment with a draft flow or draft roles: thought again, and nothing of it sealed but what a model's replies cost
#[utoipa::path(post, path = "/api/try", request_body = Attempt, responses((status = 200, body = Tried), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong),
    (status = 500, body = Wrong), (status = 503, body = Wrong)))]
pub async fn attempt(State(hall): State<Arc<Hall>>, who: Who, Sent(attempt): Sent<Attempt>) -> Result<Json<Tried>, Trouble> {
    let sight = hall.sight_now(&who, None)?;
    let Attempt { being, seq, flow, roles, replies } = attempt;
    let being = tried(&sight, &being)?;
    // A trial discloses what the being was told in that moment.
    sight.reads(being.id, "moments")?;
    let supposed = Supposed { being: being.name.to_string(), flow, roles, last: None };
    supposed.check()?;
    // A draft lets another being see whatever the draft lists: so trying one takes the right that publishing it takes.
    if !has_right(&sight.world, sight.being.id, SpaceId::ROOT) {
        return Err(Trouble::refused(&Reason::new(Code::GatePlace, "/")));
    }
    let (dir, of, now) = (hall.dir.clone(), being.clone(), sight.world.clone());
    let (opened, trial, thinker) = hall
        .recall(&who, move |interest| {
            let (draft, opened) = moment_of(&History::while_asked(&dir, interest)?, &now, &of, seq)?;
            let facts: Vec<Fact> = models_of(&now, &opened).into_iter().chain(supposed.facts(&opened, of.id)).collect();
            let past = || Trouble::bad("this moment cannot be opened again: its wake is not there any more");
            let trial = Trial::again(&draft, &opened, &facts).ok_or_else(past)?;
            let thinker = trial.think();
            let opening = &trial.opening;
            let verdict = opening.verdict.as_ref();
            let again = Reopened {
                seq: draft.seq,
                time: iso(draft.opened_at, draft.offset),
                cognition: opening.cognition.word(),
                trace: opening.trace(&trial.world, None),
                verdict: verdict.map(|verdict| Verdict { closing: verdict.kind(), reason: verdict.reason().cloned() }),
                stack: opening.stack.clone(),
                was: draft.stack,
            };
            Ok((again, trial, thinker))
        })
        .await?;
    let mut asked_with = None;
    let answers: Vec<TrialAnswer> = match thinker {
        Thinking::Nobody => Vec::new(),
        Thinking::Script(answer) | Thinking::Silent(answer) => vec![TrialAnswer::Thought(answer)],
        Thinking::Model(request) => {
            let many = replies.unwrap_or(1).clamp(1, REPLIES_MAX);
            asked_with = Some((request.messages(), request.connection.name.clone()));
            let replies = ask(hall.clone(), who.clone(), &being.name, *request, many).await?;
            replies.into_iter().map(|(request, reply)| TrialAnswer::Replied(Box::new(request), reply)).collect()
        }
    };
    let (prompt, connection) = asked_with.unzip();
    let prompt = prompt.map(|messages| messages.into_iter().map(|(role, content)| PromptMessage { role, content }).collect());
    let replies = hall.recall(&who, move |_| Ok(answers.into_iter().map(|answer| outcome(&trial, answer)).collect())).await?;
    Ok(Json(Tried { opened, prompt, connection, replies }))
}

/// An answer to a trial.
enum TrialAnswer {
    /// A script's answer, or why nobody was asked.
    Thought(Box<Answer>),
    /// A model's reply.
    Replied(Box<Request>, Reply),
}

/// A being's moment, and the world on which it opened.
fn moment_of(history: &History, now: &World, being: &Being, seq: Option<Seq>) -> Result<(Draft, World), Trouble> {
    let reel = match seq {
        Some(seq) => vec![seq],
        None => history.reel(being.id, 0)?,
    };
    for seq in reel.into_iter().rev() {
        let Some(draft) = draft_at(history, now, seq)?.filter(|draft| draft.being == being.id && !is_asking(draft)) else {
            continue;
        };
        let opened = history.world_at(draft.opened)?;
        return Ok((draft, opened));
    }
    Err(Trouble::not_found(&format!("@{}/.moments/{}", being.name, seq.map_or_else(String::new, |seq| seq.to_string()))))
}

/// The outcome of one answer.
fn outcome(trial: &Trial, answered: TrialAnswer) -> ReplyOutcome {
    let (answer, reply) = match answered {
        TrialAnswer::Thought(answer) => (*answer, None),
        TrialAnswer::Replied(request, reply) => (hear(&trial.opening, &trial.world, &request, reply.clone()), Some(reply)),
    };
    let draft = trial.close(answer);
    let told = report(&draft, &trial.world, None);
    ReplyOutcome {
        deed: told.deed,
        told: told.told,
        said: told.said,
        closing: told.closing,
        reason: told.reason,
        call: draft.call,
        facts: draft.facts.into_iter().filter(|fact| !matches!(fact, Fact::Spent(_))).collect(),
        cost: told.cost,
        reply: reply.map(Value::from),
    }
}
