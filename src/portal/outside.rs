//! Outside: the views of a model outside, in the words of a prompt: itself, what an address shows, and the nearest that it may do.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::{IntoParams, ToSchema};

use crate::cognition::{LookWords, Looker};
use crate::fact::{BeingId, Canon, Hash, Text, Thing, Value, Verb, parse_duration};
use crate::past::Point;
use crate::verb::Named;
use crate::world::{Attempted, UNANSWERED, World};

use super::hall::Hall;
use super::sent::Asked;
use super::sight::Sight;
use super::spelled::{AddressShape, PointShape};
use super::thing::{inbox_of, shown};
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// The longest that one waits for something to be otherwise.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// How long one takes breath between two looks.
const BREATH: Duration = Duration::from_millis(250);
/// How many wait at one time by one token.
const WAITS: usize = 4;

/// A look of a model outside.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LookQuery {
    /// The address; without it, oneself, as a model is told of itself.
    #[param(value_type = Option<AddressShape>, inline)]
    address: Option<String>,
    /// The point of the past, such as `120`, `@ada/7` or `~10m`; without it, now.
    #[param(value_type = Option<PointShape>, inline)]
    at: Option<Point>,
    /// The first byte of a long text to show, or the first item of a list.
    from: Option<u64>,
    /// Of a list: only the items whose line has these words; of `@name/.life`, what they find in it.
    words: Option<String>,
    /// How long to wait at most until it shows something else, such as `30s`, which is the longest.
    wait: Option<String>,
    /// The hash of what was seen before; without it, a list that has entries is shown at once.
    #[param(value_type = Option<String>)]
    since: Option<String>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// A look.
#[derive(Serialize, ToSchema)]
#[schema(as = Told)]
pub struct LookAnswer {
    /// The address.
    address: String,
    /// being, space, matter or register.
    kind: &'static str,
    /// In the words of a prompt.
    text: String,
    /// Whether there is more than the text tells.
    more: bool,
    /// Another one where the address shows something else.
    #[schema(value_type = String)]
    hash: Hash,
}

/// The act that was refused.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Refused {
    /// see, do, summon or be.
    verb: String,
    /// The target, as it was written.
    #[serde(default)]
    target: String,
    /// The operation.
    #[serde(default)]
    action: String,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// The nearest call that would be allowed.
#[derive(Serialize, ToSchema)]
pub struct Nearest {
    /// Such as `do sweep on /hall`; none where the verb reaches nothing.
    nearest: Option<String>,
}

/// Shows an address in the words of a prompt: now, in the past, or as soon as it is otherwise
#[utoipa::path(get, path = "/api/look", params(LookQuery), responses((status = 200, body = LookAnswer), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 429, body = Wrong), (status = 500, body = Wrong), (status = 503, body = Wrong)))]
pub async fn look(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<LookQuery>) -> Result<Json<LookAnswer>, Trouble> {
    let address = asked.address()?;
    if let (Some(wait), Some(address)) = (&asked.wait, address) {
        waited(&hall, &who, &asked, (address, length(wait)?)).await?;
    }
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    Ok(Json(told(&who, sight, address, asked.part())?))
}

/// Names the nearest thing to a refused call that one may do now
#[utoipa::path(get, path = "/api/nearest", params(Refused), responses((status = 200, body = Nearest), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn nearest(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<Refused>) -> Result<Json<Nearest>, Trouble> {
    let unknown = |_| Trouble::bad(format!("there is no verb `{}`; there are see, do, summon and be", asked.verb)).at("verb");
    let verb: Verb = asked.verb.parse().map_err(unknown)?;
    let mut sight = hall.sight_now(&who, asked.speaker.as_deref())?;
    let tried = Attempted { verb, action: Text::from(asked.action), target: Text::from(asked.target) };
    let nearest = sight.opening.worn.has(verb).then(|| Looker::of(&mut sight.opening, &sight.world).nearest(&tried)).flatten();
    Ok(Json(Nearest { nearest }))
}

impl LookQuery {
    /// The address of a look, if it names one.
    fn address(&self) -> Result<Option<&str>, Trouble> {
        if self.wait.is_some() && (self.at.is_some() || self.address.is_none()) {
            return Err(Trouble::bad("`wait` waits at an address as it is now; leave out `at`, or give an `address`").at("wait"));
        }
        Ok(self.address.as_deref())
    }

    /// The part of a list that is looked at.
    fn part(&self) -> (u64, Option<&str>) {
        (self.from.unwrap_or_default(), self.words.as_deref().filter(|words| !words.trim().is_empty()))
    }
}

/// The words of a look.
fn told(who: &Who, mut sight: Sight, address: Option<&str>, part: (u64, Option<&str>)) -> Result<LookAnswer, Trouble> {
    let own = Named::Thing(Thing::Being(sight.being.id));
    let named = address.map_or(Ok(own.clone()), |address| sight.named(address))?;
    let hash = Hash::of(&shown(&sight, &named)?.to_canon());
    let address = address.map_or_else(|| format!("@{}", sight.being.name), str::to_owned);
    let kind = match named {
        Named::Thing(Thing::Being(_)) => "being",
        Named::Thing(Thing::Space(_)) => "space",
        Named::Thing(Thing::Matter(_)) => "matter",
        Named::Register { .. } => "register",
    };
    let is_inbox =
        matches!(&named, Named::Register { of, register, .. } if *of == Thing::Being(sight.being.id) && register.as_ref() == "inbox");
    let own_inbox = |(world, being): (&World, BeingId)| -> Vec<(String, Value)> {
        let waiting = inbox_of(world, being, sight.at).into_iter().map(|entry| (entry.wake, entry.told));
        // No answer names what is over.
        waiting.chain(world.unanswered(being).map(|unanswered| (String::new(), world.told_unanswered(unanswered)))).collect()
    };
    let entries = if is_inbox && !who.is_visitor { own_inbox((&sight.world, sight.being.id)) } else { Vec::new() };
    let is_first = part.0 == 0 && part.1.is_none();
    let looker = Looker::of(&mut sight.opening, &sight.world);
    let LookWords { text, has_more } = match &named {
        named if *named == own && is_first => looker.oneself().map_err(|reason| Trouble::refused(&reason))?,
        _ if is_inbox => looker.inbox(&address, entries.iter().map(|(wake, told)| (wake.as_str(), told)), part),
        named => looker.at(&address, named, part),
    };
    Ok(LookAnswer { address, kind, text, more: has_more, hash })
}

/// How long one waits.
fn length(wait: &str) -> Result<Duration, Trouble> {
    let wrong = || Trouble::bad(format!("expected how long to wait, such as `30s`, found `{wait}`")).at("wait");
    let ms = parse_duration(wait).and_then(|ms| u64::try_from(ms).ok()).ok_or_else(wrong)?;
    Ok(Duration::from_millis(ms).min(WAIT_MAX))
}

/// Whether it shows a list that has entries; one that is over is none to wait for.
fn is_filled(value: &Value) -> bool {
    let is_open = |entry: &Value| entry.get("kind").and_then(Value::as_str) != Some(UNANSWERED);
    value.as_list().or_else(|| value.get("list")?.as_list()).is_some_and(|list| list.iter().any(is_open))
}

/// Waits until an address shows something else; no longer than the token holds and the server runs.
async fn waited(hall: &Hall, who: &Who, asked: &LookQuery, (address, length): (&str, Duration)) -> Result<(), Trouble> {
    let full = || Trouble::too_many(format!("at most {WAITS} wait at one time; end one first"), 1);
    let _waiting = hall.waits.take(&who.waits_as(), WAITS).ok_or_else(full)?;
    let (mut changes, mut stopping, mut departures) = (hall.feed.changes(), hall.stopping.clone(), hall.entrance.departures());
    let end = Instant::now() + length;
    let mut known: Option<Hash> = None;
    loop {
        let _ = changes.borrow_and_update();
        if *stopping.borrow_and_update() {
            return Err(Trouble::stopping());
        }
        let sight = hall.sight_now(who, asked.speaker.as_deref())?;
        let value = shown(&sight, &sight.named(address)?)?;
        let hash = Hash::of(&value.to_canon());
        let was = asked.since.clone().or_else(|| known.map(|known| known.to_string()));
        let is_new = was.map_or_else(|| is_filled(&value), |was| was != hash.to_string());
        if is_new {
            return Ok(());
        }
        known = Some(hash);
        tokio::select! {
            changed = changes.changed() => {
                changed.map_err(|_| Trouble::stopping())?;
                // A world that runs fast changes all the time, and to look costs.
                tokio::time::sleep_until(end.min(Instant::now() + BREATH)).await;
            }
            () = departures.next() => if !hall.entrance.knows_still(who) { return Err(Trouble::bad_token()) },
            _ = stopping.changed() => {}
            () = tokio::time::sleep_until(end) => return Ok(()),
        }
    }
}
