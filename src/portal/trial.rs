//! Trial: flows and roles tried before they are published: what would be worn now, what would have been worn, and what a mind would make
//! of a moment. Nothing of it is sealed but what a model's replies cost.

use std::collections::BTreeMap;
use std::path::Path as Dir;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value as Json5, json};
use tracing::Instrument;
use utoipa::ToSchema;

use crate::cognition::{Request, hear};
use crate::fact::{BeingId, Call, Content, Draft, Fact, Frame, Reason, Seq, Spend, Spent, Text, Thing, Value};
use crate::moment::{Answer, is_asking};
use crate::role::{Flow, Spec};
use crate::run::{Endpoints, Gesture, Minds, Thinker, Trial, load_from, report, resume, wake_of};
use crate::store::{LogStore, Mode, Record, Store};
use crate::verb::Named;
use crate::world::{Being, Wake, World, iso};

use super::hall::Hall;
use super::sent::Sent;
use super::trouble::{Trouble, Wrong};
use super::who::{Sight, Who};

/// The most moments of one backtest.
const BACK_MAX: usize = 500;
/// The most replies of one trial.
const REPLIES_MAX: usize = 4;

/// What would be worn with other roles or another flow.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Supposed {
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
fn facts_of(supposed: &Supposed, world: &World, being: &Being) -> Result<Vec<Fact>, Trouble> {
    let mut facts = Vec::new();
    for (name, role) in supposed.roles.iter().flatten() {
        if !role.is_null() {
            let spec = Spec::from_value(role).map_err(|error| Trouble::bad(error.to_string()).at(format!("/roles/{name}")))?;
            if spec.name != *name {
                return Err(Trouble::bad(format!("the role under `{name}` is named `{}`", spec.name)).at(format!("/roles/{name}")));
            }
        }
        // The draft goes before whatever version is in force where the being stands.
        let local = &world.registry().local_roles;
        let own = world.upward(being.position).map(|space| space.id).find(|space| local.contains_key(&(*space, name.clone())));
        let (name, origin, role) = (name.clone(), Text::from("draft"), Content::from(role.clone()));
        facts.push(match own {
            Some(space) => Fact::RoleSetIn { space, name, origin, role },
            None => Fact::RoleSet { name, origin, role },
        });
    }
    if let Some(flow) = &supposed.flow {
        Flow::compile(flow).map_err(|error| Trouble::bad(error.to_string()).at(format!("/flow{}", error.place)))?;
        facts.push(Fact::FlowSet { being: being.id, flow: flow.clone().into() });
    }
    Ok(facts)
}

/// The being whose flow is tried: one that the reader sees and whose flow it may read.
///
/// A draft can ask for any signal and any role, and its trace says what it saw: so these books have to be open to it as well.
fn tried(sight: &Sight, being: &str) -> Result<Arc<Being>, Trouble> {
    sight.register("signals")?;
    sight.register("roles")?;
    let address = format!("@{}", being.trim_start_matches('@'));
    let Named::Thing(Thing::Being(id)) = sight.named(&address)? else { return Err(Trouble::not_found(&address)) };
    sight.may_see(&Named::Register { of: Thing::Being(id), register: "flow".into(), entry: "".into() })?;
    sight.world.being(id).cloned().ok_or_else(|| Trouble::not_found(&address))
}

/// What a being would wear now, with a draft flow or draft roles
#[utoipa::path(post, path = "/api/flow/now", request_body = Supposed, responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong)))]
pub async fn now(State(hall): State<Arc<Hall>>, who: Who, Sent(supposed): Sent<Supposed>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall, None)?;
    let being = tried(&sight, &supposed.being)?;
    let wake = Arc::new(Wake::gesture(sight.world.next_seq(), sight.world.at()));
    let facts = facts_of(&supposed, &sight.world, &being)?;
    let trial = Trial::of(&sight.world, being.id, &wake, sight.world.at(), &facts).ok_or_else(|| Trouble::not_found(&supposed.being))?;
    Ok(Json(json!({ "stack": trial.opening.stack, "trace": trial.opening.trace(&trial.world, None) })))
}

/// In which of its last moments a being would have worn something else
#[utoipa::path(post, path = "/api/flow/backtest", request_body = Supposed, responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong), (status = 500, body = Wrong)))]
pub async fn backtest(State(hall): State<Arc<Hall>>, who: Who, Sent(supposed): Sent<Supposed>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall, None)?;
    let being = tried(&sight, &supposed.being)?;
    let facts = facts_of(&supposed, &sight.world, &being)?;
    let last = supposed.last.unwrap_or(50).clamp(1, BACK_MAX);
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
        if let Some(draft) = draft_at(&store, *seq)?.filter(|draft| !is_asking(draft)) {
            drafts.push(draft);
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
    let moment = |draft: &Draft| -> Option<Json5> {
        let world = worlds.get(&draft.opened)?;
        let was: Vec<&Text> = draft.stack.iter().map(|worn| &worn.role).collect();
        let trial = Trial::of(world, draft.being, &wake_of(draft, world)?, draft.opened_at, facts)?;
        let would: Vec<&Text> = trial.opening.stack.iter().map(|worn| &worn.role).collect();
        Some(json!({ "seq": draft.seq, "time": iso(draft.opened_at, draft.offset), "was": was, "would": would, "differs": was != would }))
    };
    Ok(drafts.iter().rev().filter_map(moment).collect())
}

fn draft_at(store: &LogStore, seq: Seq) -> Result<Option<Draft>, Trouble> {
    match store.frame(seq).map_err(Trouble::inside)? {
        Some(Record::Frame { bytes, .. }) => Ok(Some(Frame::read(&bytes).map_err(Trouble::inside)?.draft().clone())),
        _ => Ok(None),
    }
}

/// A moment to be tried with a draft flow or draft roles.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// Whose moment.
    being: String,
    /// Which moment; without it, the being's last.
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

/// What would become of a moment with a draft flow or draft roles: thought again, and nothing of it sealed but what a model's replies cost
#[utoipa::path(post, path = "/api/try", request_body = Tried, responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong),
    (status = 500, body = Wrong), (status = 503, body = Wrong)))]
pub async fn attempt(State(hall): State<Arc<Hall>>, who: Who, Sent(tried): Sent<Tried>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall, None)?;
    let Tried { being, seq, flow, roles, replies } = tried;
    let being = self::tried(&sight, &being)?;
    // What it was told in that moment comes to light.
    sight.may_see(&Named::Register { of: Thing::Being(being.id), register: "moments".into(), entry: "".into() })?;
    let supposed = Supposed { being: being.name.to_string(), flow, roles, last: None };
    let facts = facts_of(&supposed, &sight.world, &being)?;
    let (dir, of) = (hall.dir.clone(), being.clone());
    let (draft, trial, thinker) = hall
        .recall(move || {
            let (draft, opened) = moment_of(&dir, &of, seq)?;
            let past = || Trouble::bad("this moment cannot be opened again: it lies before the being was as it is");
            let wake = wake_of(&draft, &opened).ok_or_else(past)?;
            let trial = Trial::of(&opened, of.id, &wake, draft.opened_at, &facts).ok_or_else(past)?;
            let thinker = trial.think();
            Ok((draft, trial, thinker))
        })
        .await?;
    let told = json!({
        "seq": draft.seq, "time": iso(draft.opened_at, draft.offset), "cognition": trial.opening.cognition.word(),
        "was": draft.stack, "stack": trial.opening.stack, "trace": trial.opening.trace(&trial.world, None),
        "verdict": trial.opening.verdict.as_ref().map(|verdict| json!({ "closing": verdict.word(), "reason": verdict.reason() })),
    });
    let mut asked_with = None;
    let replies: Vec<Json5> = match thinker {
        Thinker::Nobody => Vec::new(),
        Thinker::Script(answer) => vec![outcome(&trial, *answer, None)],
        Thinker::Silent(reason) => vec![outcome(&trial, Answer { failure: Some(reason), ..Answer::none() }, None)],
        Thinker::Model(request) => {
            let many = replies.unwrap_or(1).clamp(1, REPLIES_MAX);
            asked_with = Some((request.messages(), request.connection.name.clone()));
            let asked = ask(hall, who, &being.name, *request, many).await?;
            asked
                .into_iter()
                .map(|(request, reply)| outcome(&trial, hear(&trial.opening, &trial.world, &request, reply.clone()), Some(&reply)))
                .collect()
        }
    };
    let (prompt, connection) = asked_with.unzip();
    let prompt =
        prompt.map(|messages| messages.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect::<Vec<_>>());
    let more = json!({ "prompt": prompt, "connection": connection, "replies": replies });
    let both = told.as_object().into_iter().chain(more.as_object()).flatten();
    Ok(Json(both.map(|(key, value)| (key.clone(), value.clone())).collect::<serde_json::Map<_, _>>().into()))
}

/// A being's moment, and the world on which it opened.
fn moment_of(dir: &Dir, being: &Being, seq: Option<Seq>) -> Result<(Draft, World), Trouble> {
    let (store, _) = LogStore::open(dir, Mode::Read).map_err(Trouble::inside)?;
    let reel = match seq {
        Some(seq) => vec![seq],
        None => store.reel(being.id, 0).map_err(Trouble::inside)?,
    };
    for seq in reel.into_iter().rev() {
        let Some(draft) = draft_at(&store, seq)?.filter(|draft| draft.being == being.id && !is_asking(draft)) else { continue };
        let opened = resume(dir, &store, Some(draft.opened), &mut |_| {}).map_err(Trouble::inside)?.world;
        return Ok((draft, opened));
    }
    Err(Trouble::not_found(&format!("@{}/.moments/{}", being.name, seq.map_or_else(String::new, |seq| seq.to_string()))))
}

/// What would have become of one answer.
fn outcome(trial: &Trial, answer: Answer, reply: Option<&Value>) -> Json5 {
    let draft = trial.close(answer);
    let told = report(&draft, &trial.world, None);
    json!({
        "deed": told.deed, "said": told.said, "closing": told.closing, "reason": told.reason, "call": draft.call,
        "facts": draft.facts.iter().filter(|fact| !matches!(fact, Fact::Spent(_))).collect::<Vec<_>>(), "cost": told.cost, "reply": reply,
    })
}

/// Asks a model for several replies; whoever tries pays, and what it can cost at most is held back before.
async fn ask(hall: Arc<Hall>, who: Who, being: &Text, request: Request, many: usize) -> Result<Vec<(Request, Value)>, Trouble> {
    let own = who.being.and_then(|own| hall.feed.world().being(own).map(|being| being.name.clone())).ok_or_else(Trouble::stopping)?;
    if who.is_visitor {
        return Err(Trouble::new(StatusCode::UNAUTHORIZED, "not-logged-in", "log in first: visitors cannot spend"));
    }
    let world = hall.feed.world();
    let counts_money = who.being.and_then(|own| world.being(own)).is_some_and(|own| world.counts_money(own, None));
    if let Some(model) = request.unpriced().filter(|_| counts_money) {
        return Err(Trouble::refused(&Reason::new("no-price", model)));
    }
    let place = hall.trials.clone().try_acquire_owned();
    let place = place
        .map_err(|_| Trouble::new(StatusCode::TOO_MANY_REQUESTS, "too-many", "too many drafts are tried now; try again in a moment"))?;
    let target = format!("@{being}");
    let act = move |hall: Arc<Hall>, action: &'static str, args: Value| {
        let (call, by) = (Call::doing(&target, action, args), who.being.filter(|_| !who.is_owner));
        let gesture = Gesture { being: own.clone(), call: Some(call), wake: None, by, metered: false, key: None };
        async move {
            let report = hall.gesture(gesture).await?;
            match &report.reason {
                Some(reason) => Err(Trouble::refused(reason)),
                None => Ok(report.seq),
            }
        }
    };
    // It goes on though whoever asked has gone: what was spent is to be said.
    let asking = async move {
        let requests: Vec<Request> = (0..many).map(|index| request.varied(index as u64)).collect();
        let most = requests.iter().fold(Spend::default(), |sum, request| sum.plus(request.reserve()));
        let of = act(hall.clone(), "model.reserve", spend_args(most)).await?;
        let sent = requests.clone();
        let replies = tokio::task::spawn_blocking(move || Endpoints::default().ask(&sent)).await.map_err(Trouble::inside)?;
        let spent: Vec<Spent> = requests.iter().zip(&replies).map(|(request, reply)| request.spent(reply)).collect();
        let sum = spent.iter().fold(Spend::default(), |sum, spent| sum.plus(spent.spend));
        let mut args = spend_args(sum);
        if let (Value::Map(args), Some(first)) = (&mut args, spent.first()) {
            let ms = spent.iter().map(|spent| spent.ms).max().unwrap_or(0);
            args.extend([
                ("of".into(), Value::Int(i64::try_from(of).unwrap_or(i64::MAX))),
                ("connection".into(), Value::from(&first.connection)),
                ("model".into(), Value::from(&first.model)),
                ("ms".into(), Value::Int(i64::try_from(ms).unwrap_or(i64::MAX))),
            ]);
        }
        act(hall, "model.settle", args).await?;
        drop(place);
        Ok(requests.into_iter().zip(replies).collect())
    };
    tokio::spawn(asking.in_current_span()).await.map_err(Trouble::inside)?
}

fn spend_args(spend: Spend) -> Value {
    let number = |number: u64| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
    Value::map([
        ("calls", number(spend.calls)),
        ("input", number(spend.input)),
        ("output", number(spend.output)),
        ("money", number(spend.money)),
    ])
}
