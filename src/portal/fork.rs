//! Fork: a world of its own that goes on from a point of this one, made and served while this one goes on.

use std::path::Path;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fact::{BeingId, Code, Seq, Value};
use crate::past::{History, Point};
use crate::run::{ForkError, Forking, ReplyError};
use crate::source::WantedChange;
use crate::store::{CopyKind, CopyList, CopyNote, WorldFile};
use crate::world::World;

use super::hall::Hall;
use super::sent::Sent;
use super::session::logged_in;
use super::spelled::PointShape;
use super::trouble::{Trouble, Wrong};
use super::who::{Who, is_person};
use super::worlds::{WORLDS_MAX, Worlds, path_of};

/// The budget of a fork for models.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForkBudget {
    /// Requests.
    calls: Option<u64>,
    /// Tokens, of prompts and replies.
    tokens: Option<u64>,
    /// Bytes of bridges.
    bytes: Option<u64>,
    /// In the world's currency.
    money: Option<f64>,
}

/// A fork that is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForkCall {
    /// Its name, by which it stands below `/w/`: up to 64 letters, digits and `-`.
    name: String,
    /// Where it begins, such as `120`, `@ada/7` or `~10m`; without it, now.
    #[schema(value_type = Option<PointShape>, inline)]
    at: Option<Point>,
    /// The changes in it: `role:NAME={…}`, `flow:@being=[…]`, `signal:PATH=VALUE`, `setting:KEY=VALUE` or `reply:MOMENT={…}`, each written
    /// out. With a reply it begins before that moment asked, and `at` is left out.
    #[serde(default)]
    #[schema(required = false)]
    change: Vec<String>,
    /// The budget for models; without it, it asks none.
    budget: Option<ForkBudget>,
}

/// A fork that was made. It stands still until somebody lets it go.
#[derive(Serialize, ToSchema)]
#[schema(as = Fork)]
pub struct ForkTold {
    name: String,
    /// Its id.
    world: String,
    /// Its first own frame.
    #[schema(value_type = u64)]
    seq: Seq,
    /// Where it stands.
    path: String,
    /// The link by which its operator comes in, once.
    link: String,
    /// The changes, in words.
    changed: Vec<String>,
}

/// Makes a fork, for the operator who is logged in: it is served below `/w/`, and stands still
#[utoipa::path(post, path = "/api/fork", request_body = ForkCall, responses((status = 200, body = ForkTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 500, body = Wrong)))]
pub async fn fork(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Extension(worlds): Extension<Arc<Worlds>>,
    Sent(call): Sent<ForkCall>,
) -> Result<Json<ForkTold>, Trouble> {
    // The answer lets somebody in as the operator, so no program gets it by its token.
    if logged_in(&who)? != hall.feed.world().operator() {
        let message = "a fork is the operator's to make: it holds all of the past, whoever may see what of it";
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::NotYours, message));
    }
    let making = (hall.clone(), worlds.clone());
    let told = hall.recall(&who, move |_| made(&making.0, &making.1, &call));
    told.await.map(Json)
}

/// In order: the server has a place for it, its name can stand in an address and is free, there is room for one more, all changes can be
/// read, the point is one. A failure after these leaves no world behind.
fn made(hall: &Hall, worlds: &Worlds, call: &ForkCall) -> Result<ForkTold, Trouble> {
    let _one_at_a_time = worlds.forking();
    let name = call.name.as_str();
    let place = worlds
        .place
        .for_forks()
        .map_err(|why| Trouble::bad(format!("{why}; start the server with `--worlds DIR`, or make a fork by `reelm fork DIR`")))?;
    if !WorldFile::is_name(name) {
        return Err(Trouble::from(ForkError::Name { found: name.to_owned() }).at("name"));
    }
    let dir = place.join(name);
    if dir.symlink_metadata().is_ok() {
        let message = format!("there is something called `{name}` among the worlds of this server already; choose another name");
        return Err(Trouble::new(StatusCode::CONFLICT, Code::NameTaken, message).at("name"));
    }
    if worlds.is_full() {
        let message = format!("this server has its {WORLDS_MAX} forks; move one away from its place, and start it again");
        return Err(Trouble::new(StatusCode::CONFLICT, Code::TooMany, message));
    }
    let changes = call.change.iter().map(|change| WantedChange::written(change)).collect::<Result<Vec<_>, _>>();
    let changes = changes.map_err(|error| Trouble::bad(error).at("change"))?;
    let budget = call.budget.as_ref().map(ForkBudget::limits).transpose()?;
    // Taken before the frames are: the clock of a world that goes on is never ahead of them.
    let seen = hall.feed.world();
    let history = History::of(&hall.dir)?;
    if call.at.is_some() && changes.iter().any(WantedChange::is_reply) {
        return Err(
            Trouble::bad("expected no point beside a reply: such a fork begins before the moment that is answered otherwise").at("at")
        );
    }
    let point = call.at.clone().unwrap_or_default();
    let at = history.seq_seen(&point, || Ok(World::clone(&seen)))?;
    let instant = if point == Point::Now { Some(seen.now()) } else { history.instant_of(&point, || Ok(seen.zone()))? };
    let forked = Forking { parent: &hall.dir, at, instant, name, budget, changes: &changes }.make(&history, &dir)?;
    let seq = forked.origin.seq;
    if let Err(error) = worlds.made.note(forked.file.world) {
        tracing::warn!(%error, fork = name, "the fork was made and could not be noted; the server will let it stand still when it starts");
    }
    let link = opened(hall, worlds, name, &dir)?;
    if let Err(error) = CopyList::note(&hall.dir, &CopyNote::now(CopyKind::Fork, 0, seq).to_path(&dir)) {
        tracing::warn!(%error, fork = name, "the fork was made and could not be noted; `reelm copies` will not list it");
    }
    let path = path_of(name);
    let link = format!("{path}#/welcome/{link}");
    Ok(ForkTold { name: name.to_owned(), world: forked.file.world.to_string(), seq, path, link, changed: forked.changed })
}

/// Lets its people have their passwords there, and lets it be served; the token by which its operator comes in.
fn opened(hall: &Hall, worlds: &Worlds, name: &str, dir: &Path) -> Result<String, Trouble> {
    let not_served =
        |error: String| Trouble::inside(format!("the fork `{name}` was made and is not served: {error}; start the server again"));
    // A being born after the origin may have the inside name there that another being has here.
    let then = History::of(dir)?;
    let then = then.world_at(then.end())?;
    let has = |id: &str| id.parse::<BeingId>().is_ok_and(|id| then.being(id).is_some_and(|being| is_person(being)));
    hall.entrance.people().lend(dir, has).map_err(|error| not_served(error.to_string()))?;
    let fork = worlds.open(name, true).map_err(not_served)?;
    let link = fork.entrance.people().link(None);
    link.map_err(|error| not_served(error.to_string()))
}

impl ForkBudget {
    fn limits(&self) -> Result<Value, Trouble> {
        let count = |most: u64| i64::try_from(most).map(Value::Int).map_err(|_| Trouble::bad("that is too much").at("budget"));
        let money = self.money.map(|most| {
            Value::number(most).filter(|_| most >= 0.0).ok_or_else(|| Trouble::bad("expected money of 0 or more").at("budget"))
        });
        let limits =
            [("calls", self.calls.map(count)), ("tokens", self.tokens.map(count)), ("bytes", self.bytes.map(count)), ("money", money)];
        let limits =
            limits.into_iter().filter_map(|(key, most)| most.map(|most| most.map(|most| (key, most)))).collect::<Result<Vec<_>, _>>()?;
        if limits.is_empty() {
            return Err(Trouble::bad(
                "expected calls, tokens, bytes or money in the budget, found none; leave it out for a fork that asks no model",
            )
            .at("budget"));
        }
        Ok(Value::map(limits))
    }
}

impl From<ForkError> for Trouble {
    fn from(error: ForkError) -> Self {
        match error {
            ForkError::TooEarly { .. } => Self::bad(error.to_string()).at("at"),
            ForkError::Name { found } => Self::bad(format!("expected a name of up to 64 letters, digits and `-`, found `{found}`")),
            ForkError::Source(_) | ForkError::Run(_) => Self::bad(error.to_string()).at("change"),
            ForkError::Reply(ReplyError::Load(error)) => error.into(),
            ForkError::Reply(error) => Self::bad(error.to_string()).at("change"),
            ForkError::Load(error) => error.into(),
            ForkError::Store(error) => Self::inside(error),
        }
    }
}
