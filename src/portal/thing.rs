//! Thing: views of beings, spaces and matter: through the role that the reader wears now, as any see is.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::cognition::Connection;
use crate::fact::{BeingId, Canon, Hash, Made, Millis, Reason, Seq, SilenceKind, Text, Thing, Value, Verb, WakeKind, WornRole};
use crate::past::{History, Point, Report, Sought};
use crate::role::{Entry, Lent, Trace};
use crate::tell::{ToldPart, woken};
use crate::verb::{ListPart, May, Named, SeeReader, SeenValue, may_be, may_do, show};
use crate::world::{Being, Silence, Unanswered, Wake, World, address_of};

use super::act::wake_word;
use super::hall::Hall;
use super::sent::Asked;
use super::session::may_give;
use super::shapes::{PartShape, ReasonShape, ReportShape, TraceShape, WakeShape, WornShape};
use super::sight::{LOOKS, Sight};
use super::spelled::{AddressShape, PointShape};
use super::trouble::{Trouble, Wrong};
use super::who::{Then, Who};

/// How many of a being's moments are told with it.
const MOMENTS: usize = 20;

/// A see.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct See {
    /// The address that is looked at.
    #[param(value_type = AddressShape, inline)]
    address: String,
    /// The point of the past, such as `120`, `@ada/7` or `~10m`; without it, now.
    #[param(value_type = Option<PointShape>, inline)]
    at: Option<Point>,
    /// Of its lists: how many items are passed over.
    from: Option<u64>,
    /// Of its lists: only the items whose line has all these words.
    words: Option<String>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// A question about the operations on a thing.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct To {
    /// The address of the thing.
    #[param(value_type = AddressShape, inline)]
    pub target: String,
    /// The point of the past, such as `120`, `@ada/7` or `~10m`; without it, now.
    #[param(value_type = Option<PointShape>, inline)]
    pub at: Option<Point>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    pub speaker: Option<String>,
}

/// Shows an address, now or in the past: of a long list a page, and how many more there are
#[utoipa::path(get, path = "/api/see", params(See), responses((status = 200, body = Value), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn see(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<See>) -> Result<Json<Value>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    let named = sight.named(&asked.address)?;
    let part = ListPart::new(asked.from.unwrap_or_default(), asked.words.as_deref());
    if !looks_at_many(&named) {
        return seen(&sight, &named, part).map(|seen| Json(seen.to_value()));
    }
    sight.walked.look(sight.world.standing().min(LOOKS));
    let told = hall.looking(&who).work(move |_| seen(&sight, &named, part).map(SeenValue::to_value)).await?;
    told.map(Json)
}

/// Whether a register looks at all beings one by one.
fn looks_at_many(named: &Named) -> bool {
    matches!(named, Named::Register { register, .. } if matches!(register.as_ref(), "claims" | "health" | "outbox" | "threads"))
}

/// A named thing or register, without anything in it that may not be seen, and with how many more there are.
pub fn shown(sight: &Sight, named: &Named) -> Result<Value, Trouble> {
    seen(sight, named, ListPart::default()).map(SeenValue::to_value)
}

/// The same of one part of its lists.
fn seen(sight: &Sight, named: &Named, part: ListPart) -> Result<SeenValue, Trouble> {
    let sees = |thing: Thing| sight.may_see(&Named::Thing(thing)).is_ok();
    let sees: Option<&dyn Fn(Thing) -> bool> = if sight.sees_all() { None } else { Some(&sees) };
    let reader = SeeReader { id: Some(sight.being.id), at: sight.at, part, sees, knows: sees };
    reader.show(&sight.world, named).map_err(|reason| Trouble::refused(&reason))
}

/// Whether one may, and why not.
#[derive(Serialize, ToSchema)]
#[schema(as = May)]
pub struct Permission {
    may: bool,
    #[schema(value_type = Option<ReasonShape>)]
    why: Option<Reason>,
}

/// An operation on a thing, and whether one may do it.
#[derive(Serialize, ToSchema)]
pub struct MayDo {
    #[schema(value_type = String)]
    action: Text,
    /// Its purpose, in a sentence.
    #[schema(value_type = String)]
    about: Text,
    /// The JSON Schema of its arguments.
    #[schema(value_type = Object)]
    args: Value,
    #[serde(flatten)]
    reach: Permission,
}

/// An operation on identity, and whether one may use it.
#[derive(Serialize, ToSchema)]
pub struct MayBe {
    #[schema(value_type = String)]
    operation: Text,
    /// Its purpose, in a sentence.
    #[schema(value_type = String)]
    about: Text,
    /// The JSON Schema of its payload.
    #[schema(value_type = Object)]
    payload: Value,
    #[serde(flatten)]
    reach: Permission,
}

/// The verbs and operations that one may use on a thing right now, and why not.
#[derive(Serialize, ToSchema)]
pub struct MayAll {
    /// Its address.
    target: String,
    kind: ThingKind,
    see: Permission,
    /// None for what is no being.
    summon: Option<Permission>,
    r#do: Vec<MayDo>,
    be: Vec<MayBe>,
}

/// The kind of a thing.
#[derive(Serialize, ToSchema)]
#[schema(as = Kind)]
#[serde(rename_all = "lowercase")]
pub enum ThingKind {
    /// Somebody.
    Being,
    /// Somewhere.
    Space,
    /// Something.
    Matter,
}

impl Permission {
    /// Nothing speaks against it, or this.
    pub fn of(why: Option<Reason>) -> Self {
        Self { may: why.is_none(), why }
    }
}

/// Lists the verbs and operations that one may use on a thing right now, and why not
#[utoipa::path(get, path = "/api/may", params(To), responses((status = 200, body = MayAll), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn may(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<To>) -> Result<Json<MayAll>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    let Named::Thing(thing) = sight.named(&asked.target)? else {
        return Err(Trouble::bad(format!("`{}` is a register; name a being, a space or matter", asked.target)).at("target"));
    };
    Ok(Json(may_of(&sight, thing)))
}

fn may_of(sight: &Sight, thing: Thing) -> MayAll {
    let asker = sight.asker();
    let reach = |verb: Verb| Permission::of(asker.may_reach(verb, thing).err());
    let (kind, is_being) = match thing {
        Thing::Being(_) => (ThingKind::Being, true),
        Thing::Space(_) => (ThingKind::Space, false),
        Thing::Matter(_) => (ThingKind::Matter, false),
    };
    let doing = |May { action, about, args, why }| MayDo { action, about, args, reach: Permission::of(why) };
    let being = |May { action, about, args, why }| MayBe { operation: action, about, payload: args, reach: Permission::of(why) };
    MayAll {
        target: address_of(&sight.world, thing),
        kind,
        see: reach(Verb::See),
        summon: is_being.then(|| reach(Verb::Summon)),
        r#do: may_do(&asker, thing).into_iter().map(doing).collect(),
        be: if is_being { may_be(&asker, thing).into_iter().map(being).collect() } else { Vec::new() },
    }
}

/// An open wake of an inbox.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxEntry {
    /// The word by which an answer names it.
    pub wake: String,
    /// person, urgent, normal or background.
    rank: &'static str,
    /// Whether it may open now.
    is_due: bool,
    /// How often it was tried and failed.
    attempts: u32,
    /// All of it as a sentence.
    #[schema(value_type = Vec<PartShape>)]
    sentence: Vec<ToldPart>,
    #[serde(flatten)]
    #[schema(value_type = WakeShape)]
    pub told: Value,
}

/// The open wakes of a being, each with the word by which an answer names it.
pub fn inbox_of(world: &World, being: BeingId, now: Millis) -> Vec<InboxEntry> {
    let wakes = world.inbox().of(being).filter(|wake| wake.id.kind != WakeKind::End);
    let entry = |wake: &Arc<Wake>| InboxEntry {
        wake: wake_word(&wake.id),
        rank: wake.id.rank.word(),
        is_due: wake.id.due <= now,
        attempts: wake.failed,
        sentence: woken(world, being, wake),
        told: world.told(wake),
    };
    wakes.take(256).map(entry).collect()
}

/// A question of a person that was heard and got no answer.
#[derive(Serialize, ToSchema)]
pub struct UnansweredQuestion {
    /// The fact that asked it, as `12.0`.
    #[schema(value_type = String)]
    pub cause: Made,
    /// The address of whom it was asked.
    pub to: String,
    /// When the moment closed that heard it, in milliseconds of the world's time.
    pub at: Millis,
    /// looked; did: something else was done; asked: somebody else was asked first, and an answer may still come.
    #[schema(value_type = String)]
    pub how: SilenceKind,
    /// That moment, as `@ada/7`; null for those who may not read it.
    pub moment: Option<String>,
    /// All of it as a sentence.
    pub words: String,
}

/// The questions of a being, as a person, that were heard and got no answer, the oldest first; of which moments one may be told is judged by
/// their being.
pub fn unanswered_of(world: &World, being: BeingId, may_read: impl Fn(BeingId) -> bool) -> Vec<UnansweredQuestion> {
    let told = |(question, silence): (&Unanswered, &Silence)| {
        let to = address_of(world, Thing::Being(question.to));
        let moment = may_read(question.to).then(|| format!("{to}/{}", silence.n));
        let words = format!("{to} {}.", silence.how.sentence());
        UnansweredQuestion { cause: question.asked, to, at: silence.at, how: silence.how, moment, words }
    };
    world.unanswered(being).map(told).collect()
}

/// The questions of the being as which one reads that were heard and got no answer
#[utoipa::path(get, path = "/api/unanswered", params(Then), responses((status = 200, body = Vec<UnansweredQuestion>), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn unanswered(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Asked(asked): Asked<Then>,
) -> Result<Json<Vec<UnansweredQuestion>>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    // All visitors are one being: what one of them asked is not the others' to read.
    if who.is_visitor {
        return Ok(Json(Vec::new()));
    }
    sight.reads(sight.being.id, "inbox")?;
    Ok(Json(unanswered_of(&sight.world, sight.being.id, |being| sight.reads(being, "moments").is_ok())))
}

/// The inbox of the being as which one reads
#[utoipa::path(get, path = "/api/inbox", params(Then), responses((status = 200, body = Vec<InboxEntry>), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn inbox(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<Then>) -> Result<Json<Vec<InboxEntry>>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    // All visitors are one being: what is said to one of them is not the others' to read.
    if who.is_visitor {
        return Ok(Json(Vec::new()));
    }
    sight.reads(sight.being.id, "inbox")?;
    Ok(Json(inbox_of(&sight.world, sight.being.id, sight.at)))
}

/// Everything that one may know of a being.
#[derive(Serialize, ToSchema)]
#[schema(as = BeingPage)]
#[serde(rename_all = "camelCase")]
pub struct BeingTold {
    /// The being as a see shows it.
    #[schema(value_type = Object)]
    being: Value,
    may: MayAll,
    /// Whether one may give it a password, a first one or another.
    may_give_password: bool,
    #[serde(flatten)]
    #[schema(value_type = BeingInside)]
    inside: Option<BeingInside>,
    /// For those who may read its inbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    inbox: Option<Vec<InboxEntry>>,
    /// The questions that it has asked as a person and that were heard without an answer, for the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    unanswered: Option<Vec<UnansweredQuestion>>,
    /// Its last moments, for those who may read them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<ReportShape>>)]
    moments: Option<Vec<Arc<Report>>>,
}

/// A connection that cannot be asked now: whoever thinks by it waits, and loses no attempt.
#[derive(Serialize, ToSchema)]
pub struct ConnectionOut {
    /// A status, or a code of the list.
    why: String,
    /// The provider's sentence, where it turns the connection away, for whoever may read the being's moments.
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<String>,
    /// How many seconds it has not answered.
    seconds: u64,
}

impl ConnectionOut {
    fn of(hall: &Hall, connection: &Connection, reads_moments: bool) -> Option<Self> {
        let out = hall.outages.now().into_iter().find(|out| out.connection == connection.name)?;
        let said = out.said.filter(|_| reads_moments).map(|said| said.to_string());
        Some(Self { why: out.why.to_string(), said, seconds: out.seconds })
    }
}

/// The inside of a being, for those who may read its flow.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BeingInside {
    /// The connection that thinks for it now.
    #[schema(value_type = Option<String>)]
    connection: Option<Text>,
    /// Why that cannot be asked now, if it cannot.
    out: Option<ConnectionOut>,
    /// The kind of model that its role asks for.
    #[schema(value_type = Option<String>)]
    slot: Option<Text>,
    #[schema(required = false)]
    worn: WornNow,
    /// The view that it would be given now.
    #[schema(required = false)]
    face: Value,
    #[schema(required = false)]
    flow: Value,
    /// The hash of the flow as it is now: what one made of it is built on.
    #[schema(value_type = String, required = false)]
    flow_hash: Hash,
    #[schema(value_type = Vec<String>, required = false)]
    children: Vec<Value>,
    #[schema(value_type = Object, required = false)]
    schedules: Value,
    #[schema(value_type = Vec<String>, required = false)]
    grants: Vec<Text>,
    /// The script that thinks for it.
    #[schema(value_type = Option<String>)]
    script: Option<Text>,
}

/// The roles that a being wears now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WornNow {
    /// The primary, then the modifiers.
    #[schema(value_type = Vec<WornShape>)]
    stack: Vec<WornRole>,
    #[schema(value_type = TraceShape)]
    trace: Trace,
    prompt: String,
    /// How much world time a thought takes.
    #[schema(value_type = Option<i64>)]
    thinks: Option<Millis>,
    can_see: Vec<Value>,
    can_do: Vec<Value>,
    can_summon: Vec<Value>,
    can_be: Vec<Value>,
    /// The operations by which others may move it.
    lets: Vec<String>,
    /// The rights that the flows of spaces around lend it, for what is inside those.
    lent: Vec<LentNow>,
}

/// The rights that the flow of one space lends.
#[derive(Serialize, ToSchema)]
#[schema(as = Lent)]
#[serde(rename_all = "camelCase")]
pub struct LentNow {
    /// The address of the space.
    space: String,
    #[schema(value_type = String)]
    role: Text,
    can_see: Vec<Value>,
    can_do: Vec<Value>,
    can_summon: Vec<Value>,
}

impl LentNow {
    fn of(world: &World, lent: &Lent) -> Self {
        let list = |verb: Verb| lent.list(verb).iter().map(Entry::to_value).collect();
        Self {
            space: world.path_of(lent.space),
            role: lent.role.clone(),
            can_see: list(Verb::See),
            can_do: list(Verb::Do),
            can_summon: list(Verb::Summon),
        }
    }
}

/// Everything about a being: who it is, what it wears and why, its face, inbox and last moments
#[utoipa::path(get, path = "/api/being/{name}", params(("name" = String, Path), Then), responses((status = 200, body = BeingTold), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn being(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Path(name): Path<String>,
    Asked(asked): Asked<Then>,
) -> Result<Json<BeingTold>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    let name = name.trim_start_matches('@');
    let being = sight.being_named(name)?;
    let (id, thing) = (being.id, Thing::Being(being.id));
    let knows = |register: &str| sight.reads(id, register).is_ok();
    let moments = if knows("moments") { Some(last_moments(&hall, &who, &sight, name).await?) } else { None };
    Ok(Json(BeingTold {
        being: shown(&sight, &Named::Thing(thing))?,
        may: may_of(&sight, thing),
        may_give_password: may_give(&hall, &who, &being),
        inside: knows("flow").then(|| inside(&hall, &sight, &being)),
        inbox: knows("inbox").then(|| inbox_of(&sight.world, id, sight.at)),
        unanswered: knows("inbox").then(|| unanswered_of(&sight.world, id, |being| sight.reads(being, "moments").is_ok())),
        moments,
    }))
}

/// A being's newest moments: at hand where one looks at the world as it is, else read from the log.
async fn last_moments(hall: &Hall, who: &Who, sight: &Sight, name: &str) -> Result<Vec<Arc<Report>>, Trouble> {
    let sought = Sought { being: Some(name.to_owned()), ..Sought::default() };
    let (dir, below) = (hall.dir.clone(), sight.world.next_seq());
    if !sight.is_past {
        return Ok(hall.feed.find(&sought, Seq::MAX, MOMENTS));
    }
    let read = move |interest| History::while_asked(&dir, interest)?.newest(&sought, 0..below, MOMENTS, |report| Some(Arc::new(report)));
    hall.recall(who, move |interest| Ok(read(interest)?.found)).await
}

/// The inside of a being whose flow the reader may read.
fn inside(hall: &Hall, sight: &Sight, being: &Arc<Being>) -> BeingInside {
    let world = &sight.world;
    let own = Sight::of(world.clone(), being.clone(), sight.at);
    let worn = &own.opening.worn;
    let list = |verb: Verb| worn.list(verb).iter().map(Entry::to_value).collect::<Vec<_>>();
    let schedules = Named::Register { of: Thing::Being(being.id), register: "schedules".into(), entry: "".into() };
    let connection = Connection::of(world, being, worn.slot.as_deref());
    BeingInside {
        out: connection.as_ref().and_then(|connection| ConnectionOut::of(hall, connection, sight.reads(being.id, "moments").is_ok())),
        connection: connection.map(|connection| connection.name),
        slot: worn.slot.clone(),
        worn: WornNow {
            trace: own.opening.trace(world, None),
            prompt: worn.words(),
            thinks: worn.thinks,
            can_see: list(Verb::See),
            can_do: list(Verb::Do),
            can_summon: list(Verb::Summon),
            can_be: list(Verb::Be),
            lets: world.lets(being.id, sight.at).iter().map(|glob| glob.as_str().to_owned()).collect(),
            lent: worn.lent.iter().map(|lent| LentNow::of(world, lent)).collect(),
            stack: own.opening.stack.clone(),
        },
        face: own.opening.face(world),
        flow: being.flow.source().clone(),
        flow_hash: Hash::of(&being.flow.source().to_canon()),
        children: world.children_of(being.id).take(256).map(|child| world.name_of(child)).collect(),
        schedules: show(world, &schedules, Some(sight.being.id), sight.at).unwrap_or_default(),
        grants: being.grants.clone(),
        script: being.script.clone(),
    }
}
