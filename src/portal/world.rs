//! World: the world at a glance: its name, time and clock, and the tree of spaces with who is where.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use crate::fact::{BeingId, Code, Coords, MatterId, Millis, Reason, Seq, SpaceId, Text, Thing, Value};
use crate::run::{Breakpoint, Broken, Pace};
use crate::verb::Named;
use crate::world::{Local, Qualities, address_of, iso};

use super::claims::ClaimTold;
use super::copy::CopyTold;
use super::drawn::LookTold;
use super::hall::Hall;
use super::measured::MeasureTold;
use super::now::NowTold;
use super::numbers::Numbers;
use super::plan::{LotTold, MapPlan};
use super::sent::{Asked, Sent};
use super::shapes::CoordsShape;
use super::sight::{LOOKS, Sight};
use super::trouble::{Trouble, Wrong};
use super::trying::TryTold;
use super::waits::WaitTold;
use super::who::{Then, Who};
use super::worlds::called;

/// How many beings and pieces of matter of one space the tree names.
const NAMED: usize = 256;
/// How many pieces of matter are named of those that a piece holds.
const HELD: usize = 8;
/// How deep the tree is shown.
const DEPTH: usize = 12;

/// How the world's clock goes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Clock {
    /// `paced 60`, or `real`.
    pace: String,
    /// running, paused, quiet or waits.
    state: String,
    /// The person that the world waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_for: Option<String>,
    /// The connections to models that do not answer now; told to whoever may see `/.health`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    waits: Vec<WaitTold>,
    /// Behind which moments it stands still, as `when` that are asked of the past; told to whoever holds the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    breaks: Option<Vec<String>>,
    /// Behind which of them it stands still now.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<BrokenTold>,
}

/// The moment behind which the world stands still.
#[derive(Serialize, ToSchema)]
#[schema(as = Broken)]
pub struct BrokenTold {
    #[schema(value_type = u64)]
    seq: Seq,
    /// Its name: `@ada/7`.
    moment: String,
    /// The breakpoint.
    when: String,
}

impl From<Broken> for BrokenTold {
    fn from(Broken { seq, moment, when }: Broken) -> Self {
        Self { seq, moment, when }
    }
}

/// How many breakpoints a world has at most.
const BREAKS_MAX: usize = 16;

/// A command to the clock: one of these.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockCall {
    /// pause, go or step.
    #[serde(rename = "do")]
    order: Option<String>,
    /// So many times the speed of the wall clock, within the bounds that `/api/words` tells; or `real`.
    pace: Option<serde_json::Value>,
    /// Behind which moments it stands still, each a `when` that may ask about the moment, in place of those before; at most 16.
    breaks: Option<Vec<String>>,
}

/// The clock as it goes now, and to whoever holds it what it stops at.
pub fn clock_of(hall: &Hall, sight: Option<&Sight>) -> Clock {
    let (standing, reins) = (hall.feed.standing(), hall.seats.reins());
    // Asked first: a world that comes to a break while we look is told as paused too; and not before its moment can be read.
    let broken = reins.broken().filter(|broken| broken.seq < hall.feed.world().next_seq());
    // The reins are taken up between two rounds: what they were told last is what will be so.
    let state = match (reins.is_paused(), standing.state) {
        (true, _) => "paused",
        (false, "paused") if !hall.feed.world().is_paused() => "running",
        (false, state) => state,
    };
    let is_holder = sight.is_some_and(|sight| may_clock(sight).is_ok());
    let breaks = is_holder.then(|| reins.breaks().iter().map(|at| at.text().to_owned()).collect());
    let broken = broken.filter(|_| is_holder).map(BrokenTold::from);
    let waits = sight.map(|sight| WaitTold::all(&hall.outages, sight)).unwrap_or_default();
    Clock { pace: hall.pace().word(), state: state.to_owned(), waits_for: standing.waits_for, waits, breaks, broken }
}

/// Refuses a reader that may not switch the clock by an act either.
pub(super) fn may_clock(sight: &Sight) -> Result<(), Trouble> {
    let args = Value::map([("key", Value::text("clock"))]);
    let asker = sight.asker();
    let judged = asker.may_do("config.set", Thing::Space(SpaceId::ROOT), &args);
    let holds = crate::verb::is_operator(&sight.world, sight.being.id);
    judged.map_err(|reason| Trouble::refused(&reason))?;
    if holds { Ok(()) } else { Err(Trouble::new(StatusCode::FORBIDDEN, Code::GatePlace, "the clock is the operator's to hold").at("/")) }
}

/// The world at a glance.
#[derive(Serialize, ToSchema)]
#[schema(as = WorldInfo)]
pub struct WorldTold {
    name: Option<String>,
    /// Its purpose, in its operator's words.
    about: Option<String>,
    /// Its id: the key with which it seals.
    world: String,
    /// Whether its keys follow from its seed, so that anyone can compute them.
    simulated: bool,
    /// The world's own time, as people read it.
    time: String,
    /// The same, in milliseconds.
    #[schema(value_type = i64)]
    at: Millis,
    clock: Clock,
    /// The copy of its log outside, where there is one; for the operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    copy: Option<CopyTold>,
    #[serde(flatten)]
    #[schema(value_type = WorldInside)]
    inside: Option<WorldInside>,
}

/// The inside of a world, for those who may see its root.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorldInside {
    /// How many frames there are.
    #[schema(value_type = u64, required = false)]
    seq: Seq,
    zone: Option<String>,
    #[schema(value_type = String, required = false)]
    operator: Value,
    /// How many beings live.
    #[schema(required = false)]
    beings: usize,
    /// How many spaces there are.
    #[schema(required = false)]
    spaces: usize,
    /// How many dead letters there are.
    #[schema(required = false)]
    dead: usize,
    /// Whether one may hold the clock.
    #[schema(required = false)]
    may_clock: bool,
    /// Whether one may look at the past: `at`, `/api/timeline` and what goes with them.
    #[schema(required = false)]
    sees_past: bool,
    /// The sentences by which operations are told, behind the name of whoever does them: `lends {{args.book}} to {{target}}`. A report has its own filled in (`told`).
    #[schema(required = false)]
    told: BTreeMap<String, String>,
    /// The measures; told to those who may see `/.measures`.
    #[serde(skip_serializing_if = "Option::is_none")]
    measures: Option<Vec<MeasureTold>>,
    /// The roles that somebody has worn, each with its place among the hues: of fourteen hues, the place modulo fourteen. They are told to those
    /// who may see `/.roles`.
    #[schema(value_type = BTreeMap<String, u64>, required = false)]
    hues: BTreeMap<Text, u64>,
    /// The seq of the world that `measures` and `now` are of: of the living world they may be a second old.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    measured: Option<Seq>,
    /// How types of things are drawn.
    #[schema(required = false)]
    looks: BTreeMap<String, LookTold>,
    /// The acts that one may try now, as the source says it.
    #[schema(required = false)]
    tries: Vec<TryTold>,
    /// The state of the world, in one sentence; told to those who may see `/.measures` and `/.signals`.
    now: Option<NowTold>,
}

impl WorldInside {
    fn of(sight: &Sight, numbers: Option<&Numbers>) -> Self {
        let world = &sight.world;
        let text = |key: &str| world.world_said(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            seq: world.next_seq(),
            zone: text("zone"),
            operator: world.name_of(world.operator()),
            beings: world.standing(),
            spaces: world.spaces().count(),
            dead: world.inbox().dead_len(),
            may_clock: may_clock(sight).is_ok(),
            sees_past: sight.register("moments").is_ok(),
            told: world
                .registry()
                .operations
                .values()
                .filter_map(|one| Some((one.name.to_string(), one.told.as_ref()?.to_string())))
                .collect(),
            hues: if sight.register("roles").is_ok() {
                world.hues().all().map(|(role, hue)| (role.clone(), hue.place)).collect()
            } else {
                BTreeMap::new()
            },
            looks: world.registry().looks().into_iter().map(|(kind, look)| (kind.to_string(), look.into())).collect(),
            tries: TryTold::all(sight),
            now: numbers.and_then(|numbers| numbers.now_for(sight)),
            measured: numbers.map(|numbers| numbers.seq),
            measures: numbers.map(|numbers| numbers.measures.clone()),
        }
    }
}

/// The world at a glance
#[utoipa::path(get, path = "/api/world", params(Then), responses((status = 200, body = WorldTold), (status = 400, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn world(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<Then>) -> Result<Json<WorldTold>, Trouble> {
    // A visitor who may not see the root learns no more than its name and time.
    let sight = match who.being {
        Some(_) => Some(hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?),
        None => None,
    };
    let (world, now) = sight.as_ref().map_or_else(|| (hall.feed.world(), hall.feed.now()), |sight| (sight.world.clone(), sight.at));
    let sight = sight.filter(|sight| sight.may_see(&Named::Thing(Thing::Space(SpaceId::ROOT))).is_ok());
    let numbers = match &sight {
        Some(sight) if sight.register("measures").is_ok() => Some(hall.numbers.told(hall.looking(&who), sight).await?),
        _ => None,
    };
    Ok(Json(WorldTold {
        about: world.world_said("about").and_then(Value::as_str).filter(|about| !about.is_empty()).map(str::to_owned),
        name: Some(called(&hall.feed.world())).filter(|name| !name.is_empty()),
        world: world.id().to_string(),
        simulated: world.world_setting("simulated").as_bool() == Some(true),
        time: iso(now, Local::of(now, world.zone()).offset),
        at: now,
        clock: clock_of(&hall, sight.as_ref()),
        copy: hall.copy.get().filter(|_| who.is_operator).map(|copy| copy.now().into()),
        inside: sight.as_ref().map(|sight| WorldInside::of(sight, numbers.as_deref())),
    }))
}

/// Holds or drives the clock
#[utoipa::path(post, path = "/api/clock", request_body = ClockCall, responses((status = 200, body = Clock), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong)))]
pub async fn clock(State(hall): State<Arc<Hall>>, who: Who, Sent(sent): Sent<ClockCall>) -> Result<Json<Clock>, Trouble> {
    let sight = hall.sight_now(&who, None)?;
    may_clock(&sight)?;
    let reins = hall.seats.reins();
    match (sent.order.as_deref(), sent.pace, sent.breaks) {
        (Some("pause"), None, None) => reins.pause(),
        (Some("go"), None, None) => reins.go_on(),
        (Some("step"), None, None) => reins.step(),
        (None, Some(pace), None) => {
            let read = if pace == json!("real") { Some(Pace::Real) } else { pace.as_f64().and_then(Pace::times) };
            let pace = read.ok_or_else(|| {
                let (least, most) = (Pace::SLOWEST, Pace::FASTEST);
                Trouble::bad(format!("expected a pace at least {least} and at most {most}, or \"real\", found {pace}")).at("/pace")
            })?;
            super::seat::renew(&hall, pace).await;
            hall.set_pace(pace);
        }
        (None, None, Some(breaks)) => reins.set_breaks(breakpoints(&breaks)?),
        _ => return Err(Trouble::bad("expected {\"do\": \"pause\"}, \"go\" or \"step\", {\"pace\": 60}, or {\"breaks\": [\"when …\"]}")),
    }
    Ok(Json(clock_of(&hall, Some(&sight))))
}

fn breakpoints(texts: &[String]) -> Result<Vec<Breakpoint>, Trouble> {
    if texts.len() > BREAKS_MAX {
        return Err(Trouble::bad(format!("expected at most {BREAKS_MAX} breakpoints, found {}", texts.len())).at("/breaks"));
    }
    let read = |(at, text): (usize, &String)| text.parse().map_err(|error| Trouble::bad(format!("{error}")).at(format!("/breaks/{at}")));
    texts.iter().enumerate().map(read).collect()
}

/// A space and those in it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Space)]
pub struct SpaceTold {
    /// Its path.
    address: String,
    #[schema(value_type = String)]
    name: Text,
    #[serde(flatten)]
    #[schema(value_type = SpaceInside)]
    inside: Option<SpaceInside>,
    beings: Vec<Glance>,
    matter: Vec<MatterGlance>,
    #[schema(no_recursion)]
    spaces: Vec<SpaceTold>,
    /// Where it lies on the map; nothing for a space that is not drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    ground: Option<LotTold>,
    /// Of the whole tree: the frame from which the map is laid as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    plan_since: Option<Seq>,
    /// Of the whole tree: whether 250,000 were looked at before all were, so there are more than it names.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    stopped: bool,
}

/// The inside of a space that one may see; a space that is only on the way to one that may be seen has none of it.
#[derive(Serialize, ToSchema)]
pub struct SpaceInside {
    #[serde(rename = "type")]
    #[schema(value_type = String, required = false)]
    kind: Text,
    /// How many steps its grid is wide, deep and high.
    #[schema(value_type = Option<CoordsShape>)]
    size: Option<Coords>,
    #[schema(value_type = Option<String>)]
    owner: Option<Value>,
    #[schema(required = false)]
    paused: bool,
    /// How many beings are in it.
    #[schema(required = false)]
    count: u64,
    /// How it is drawn, where it says so itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    look: Option<LookTold>,
    /// Its quality `ambient.tone`.
    #[serde(skip_serializing_if = "Option::is_none")]
    tone: Option<String>,
    /// The claim on it, or on what is around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed: Option<ClaimTold>,
}

/// A being, in short.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Glance {
    #[schema(value_type = String)]
    name: Text,
    address: String,
    #[schema(value_type = Option<CoordsShape>)]
    coords: Option<Coords>,
    cognition: &'static str,
    /// The roles that it wears, the primary first.
    #[schema(value_type = Vec<String>)]
    wearing: Arc<[Text]>,
    /// The being that drives it.
    #[schema(value_type = Option<String>)]
    inhabited_by: Option<Value>,
    paused: bool,
    /// Whether its model is asked now.
    thinks: bool,
    #[schema(value_type = Object)]
    qualities: Value,
    /// The claim on it, or on what is around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed: Option<ClaimTold>,
    /// The things that it has claimed itself: it is at them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    claims: Vec<ClaimTold>,
}

/// A piece of matter, in short.
#[derive(Serialize, ToSchema)]
pub struct MatterGlance {
    #[schema(value_type = String)]
    name: Text,
    address: String,
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: Text,
    #[schema(value_type = Option<CoordsShape>)]
    coords: Option<Coords>,
    /// How many pieces it holds.
    holds: usize,
    /// The first of them, eight at most.
    held: Vec<HeldMatter>,
    /// How it is drawn, where it says so itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    look: Option<LookTold>,
    /// Its quality `station.does`.
    does: Option<String>,
    /// The claim on it, or on what is around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed: Option<ClaimTold>,
}

/// A piece of matter that another holds.
#[derive(Serialize, ToSchema)]
#[schema(as = Held)]
pub struct HeldMatter {
    #[schema(value_type = String)]
    name: Text,
    address: String,
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: Text,
}

/// How much of the tree is told.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Bounded {
    /// How many beings, pieces of matter and spaces it names, each at most, in the whole tree; without it 256 beings and 256 pieces of each space.
    most: Option<usize>,
}

/// The room left in a tree for names, and how much may still be looked at for it.
struct TreeRoom {
    beings: usize,
    matter: usize,
    spaces: usize,
    looks: Cell<usize>,
}

impl TreeRoom {
    fn take(left: &mut usize, wanted: usize) -> usize {
        let taken = wanted.min(*left);
        *left -= taken;
        taken
    }

    /// Whether something may be seen, looked at for it.
    fn sees(&self, sight: &Sight, thing: Thing) -> bool {
        self.looks.set(self.looks.get().saturating_sub(1));
        sight.may_see(&Named::Thing(thing)).is_ok()
    }
}

/// The tree of spaces, as far as one may see them
#[utoipa::path(get, path = "/api/tree", params(Then, Bounded), responses((status = 200, body = SpaceTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn tree(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Asked(asked): Asked<Then>,
    Asked(bounded): Asked<Bounded>,
) -> Result<Json<SpaceTold>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    let most = bounded.most.unwrap_or(usize::MAX);
    let mut room = TreeRoom { beings: most, matter: most, spaces: most, looks: Cell::new(LOOKS) };
    let plan = hall.plans.of(&sight.world);
    let root = space(&sight, SpaceId::ROOT, DEPTH, &mut room, &plan);
    let root = root.map(|root| SpaceTold { stopped: room.looks.get() == 0, plan_since: Some(plan.since), ..root });
    root.map(Json).ok_or_else(|| Trouble::refused(&Reason::new(Code::GateRole, "/")))
}

/// Whether anything of the tree of spaces may be seen.
pub fn shows(sight: &Sight) -> bool {
    shows_of(sight, SpaceId::ROOT, DEPTH)
}

fn shows_of(sight: &Sight, id: SpaceId, depth: usize) -> bool {
    let is_seen = sight.may_see(&Named::Thing(Thing::Space(id))).is_ok();
    is_seen || depth > 0 && sight.world.spaces_in(id).any(|(_, inner)| shows_of(sight, inner, depth - 1))
}

/// A space and those in it; none where nothing of it may be seen.
fn space(sight: &Sight, id: SpaceId, depth: usize, room: &mut TreeRoom, plan: &MapPlan) -> Option<SpaceTold> {
    let world = &sight.world;
    let space = world.space(id)?;
    let mut inner = Vec::new();
    for (_, id) in world.spaces_in(id).take_while(|_| depth > 0) {
        if room.spaces == 0 || room.looks.get() == 0 {
            break;
        }
        let told = self::space(sight, id, depth - 1, room, plan);
        TreeRoom::take(&mut room.spaces, usize::from(told.is_some()));
        inner.extend(told);
    }
    let is_seen = room.sees(sight, Thing::Space(id));
    if !is_seen && inner.is_empty() {
        return None;
    }
    let told = SpaceTold {
        address: world.path_of(id),
        name: space.name.clone(),
        inside: None,
        beings: Vec::new(),
        matter: Vec::new(),
        spaces: inner,
        ground: plan.ground(id),
        plan_since: None,
        stopped: false,
    };
    if !is_seen {
        // It is only on the way to what is seen.
        return Some(told);
    }
    let owner = space.owner.map(|owner| world.name_of(owner));
    let (look, tone) = (LookTold::of(&space.qualities), text_at(&space.qualities, "ambient.tone", sight.at));
    let inside = SpaceInside {
        kind: space.kind.clone(),
        size: space.size,
        owner,
        paused: space.paused,
        count: space.count,
        look,
        tone,
        claimed: ClaimTold::over(sight, Thing::Space(id)),
    };
    let beings = world.beings_in(id).take_while(|_| room.looks.get() > 0).filter(|being| room.sees(sight, Thing::Being(*being)));
    let matter = world.matter_in(Thing::Space(id)).map(|(_, matter)| matter).take_while(|_| room.looks.get() > 0);
    let matter = matter.filter(|matter| room.sees(sight, Thing::Matter(*matter)));
    let beings: Vec<Glance> = beings.take(NAMED.min(room.beings)).filter_map(|being| glance(sight, being)).collect();
    let matter: Vec<MatterGlance> = matter.take(NAMED.min(room.matter)).filter_map(|matter| matter_glance(sight, matter)).collect();
    TreeRoom::take(&mut room.beings, beings.len());
    TreeRoom::take(&mut room.matter, matter.len());
    Some(SpaceTold { inside: Some(inside), beings, matter, ..told })
}

fn glance(sight: &Sight, id: BeingId) -> Option<Glance> {
    let (world, being) = (&sight.world, sight.world.being(id)?);
    Some(Glance {
        name: being.name.clone(),
        address: format!("@{}", being.name),
        coords: being.coords,
        cognition: being.cognition.word(),
        wearing: world.wears(id, sight.at),
        inhabited_by: being.driver_at(sight.at).map(|driver| world.name_of(driver)),
        paused: being.paused,
        thinks: world.ledger().is_asked(id),
        qualities: being.qualities.read(sight.at),
        claimed: ClaimTold::over(sight, Thing::Being(id)),
        claims: ClaimTold::by(sight, id),
    })
}

/// A text among qualities.
fn text_at(qualities: &Qualities, path: &str, at: Millis) -> Option<String> {
    qualities.read_at(path, at)?.as_str().map(str::to_owned)
}

fn matter_glance(sight: &Sight, id: MatterId) -> Option<MatterGlance> {
    let world = &sight.world;
    let matter = world.matter(id)?;
    let sees = |matter: &MatterId| sight.may_see(&Named::Thing(Thing::Matter(*matter))).is_ok();
    let inside = || world.matter_in(Thing::Matter(id)).map(|(_, matter)| matter);
    let held = |matter: MatterId| {
        let (name, kind) = world.matter(matter).map(|matter| (matter.name.clone(), matter.kind.clone()))?;
        Some(HeldMatter { name, address: address_of(world, Thing::Matter(matter)), kind })
    };
    Some(MatterGlance {
        name: matter.name.clone(),
        address: address_of(world, Thing::Matter(id)),
        kind: matter.kind.clone(),
        coords: matter.coords,
        holds: world.matter_count(Thing::Matter(id)),
        held: inside().take(NAMED).filter(sees).take(HELD).filter_map(held).collect(),
        look: LookTold::of(&matter.qualities),
        does: text_at(&matter.qualities, "station.does", sight.at),
        claimed: ClaimTold::over(sight, Thing::Matter(id)),
    })
}
