//! Llm: a face becomes one request to a language model, and the raw reply becomes a thought. Nothing here calls anybody.
//!
//! A run sends the request and records it with the raw reply; replay builds the request again, compares it, and hears the recorded
//! reply. It also computes the most that a request can cost, and the cost of a reply.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::dialect::{Dialect, EndedBy, Means, Question, TokenCount, Tool, USUAL, body_of, sentence_of};
use crate::fact::{Answering, Call, Code, CodeKind, Reason, Spend, Spent, Text, Thing, Thought, Value, Verb, unquoted};
use crate::moment::{Answer, AskedResolver, Opening};
use crate::script::Sandbox;
use crate::verb::{Asker, Doable, fitted};
use crate::world::{CALLS, World, address_of};

use super::abilities::at_hand;
use super::connection::{Connection, Price, Tools, limited_to};
use super::offers::{OfferedDeed, Offers};
use super::prompt::{Prompt, prompt};
use super::reply::{Asking, Reply};
use super::script::seen;
use super::status_means::{StatusMeans, is_of_one_call};
use super::tools::{LOOKS, one_act};
use super::understand::{ReplyContext, Understood, understand};
use super::upshot::Upshot;
use super::words_reach::WordsReach;

/// How often one request is sent at most over one connection: a server that is busy or gone is asked again.
pub const ATTEMPTS: u32 = 3;
/// The greatest length of an answer that only tells whether there is one, in tokens.
const SHORTEST: i64 = 16;
/// How a request is written for a provider that does not know how it says that one call is wanted.
const ONE_CALL_CURE: &str = "; write parallel_calls = \"unsaid\" in the connection";
/// How the place of a body begins that is no JSON.
pub const NO_JSON: &str = "/: ";
/// The most tokens that an endpoint's own template adds to a prompt.
const TEMPLATE_TOKENS: u64 = 256;

/// A moment's request: by which connection, and the body that is sent; and the same for those asked when it does not answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The being and its moment, as `@being/n`.
    pub who: Text,
    /// The name of the moment in logs: `@being:cause`.
    pub moment: Text,
    /// By which connection.
    pub connection: Connection,
    /// The JSON text of the body.
    pub body: String,
    /// How often it is sent at most.
    pub attempts: u32,
    /// Asked in this order when it does not answer.
    pub failover: Vec<Request>,
    /// The resolvers that may fail and were asked for it.
    pub resolved: Vec<AskedResolver>,
}

impl Request {
    /// As it is recorded.
    pub fn to_value(&self) -> Value {
        let dialect = self.connection.dialect.unusual().map(|word| ("dialect", Value::text(word)));
        Value::map([("connection", Value::from(&self.connection.name)), ("body", Value::text(&self.body))].into_iter().chain(dialect))
    }

    /// The request that an attempt sent.
    pub fn sent(&self, attempt: &Asking) -> &Self {
        self.failover.iter().find(|other| Some(&other.connection.name) == attempt.connection.as_ref()).unwrap_or(self)
    }

    /// A short request over the same connection, which tells whether it answers at all.
    pub fn shortest(&self) -> Self {
        let sampling = limited_to(&self.connection.sampling, SHORTEST);
        let question = Question {
            model: &self.connection.model,
            system: "",
            user: "Say hello.",
            acts: Means::Tools(Vec::new()),
            sampling: &sampling,
            one_call: false,
        };
        Self { body: (self.connection.dialect.body)(&question).to_string(), attempts: 1, failover: Vec::new(), ..self.clone() }
    }

    /// How many tokens one attempt may take, as far as its letters tell: four are a token, and the answer is as long as it may be.
    pub fn likely_tokens(&self) -> u64 {
        (self.body.len() as u64 / 4).saturating_add((self.connection.dialect.longest)(&self.json()))
    }

    /// The most that it can cost: every attempt over every connection, as if each were answered at the greatest length.
    pub fn reserve(&self) -> Spend {
        let all = std::iter::once(self).chain(&self.failover);
        all.fold(Spend::default(), |sum, request| sum.plus(request.once().times(u64::from(request.attempts))))
    }

    /// The same with one attempt and nobody asked after it: for where a budget has no room for more.
    pub fn sparing(&self) -> Self {
        Self { attempts: 1, failover: Vec::new(), ..self.clone() }
    }

    /// The same asked once more: where it names a seed, another.
    pub fn varied(&self, by: u64) -> Self {
        let varied = if by > 0 { (self.connection.dialect.varied)(self.json(), by) } else { None };
        varied.map_or_else(|| self.clone(), |body| Self { body: body.to_string(), ..self.clone() })
    }

    /// The same with an answer of twice the length, as far as the connection lets it be; nothing where it may not be longer.
    fn longer(&self) -> Option<Self> {
        let body = (self.connection.dialect.longer)(self.json(), self.connection.longest)?;
        Some(Self { body: body.to_string(), ..self.clone() })
    }

    /// The messages that it sends: each its role and its content.
    pub fn messages(&self) -> Vec<(String, String)> {
        (self.connection.dialect.messages)(&self.json())
    }

    /// The words of others in it, as they are quoted.
    fn quoted(&self) -> Vec<String> {
        self.messages().iter().flat_map(|(_, content)| unquoted(content)).collect()
    }

    /// Whether each model that may be asked has a price.
    pub fn unpriced(&self) -> Option<&Text> {
        std::iter::once(self).chain(&self.failover).map(|request| &request.connection).find(|one| one.price.is_none()).map(|one| &one.model)
    }

    /// The most that one answered attempt can cost: a token is a byte at least.
    fn once(&self) -> Spend {
        if let Some(web) = &self.connection.web {
            return web.most(&self.body);
        }
        let output = (self.connection.dialect.longest)(&self.json());
        self.cost(TokenCount { input: self.body.len() as u64 + TEMPLATE_TOKENS, cached: 0, output })
    }

    fn json(&self) -> Json {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    fn cost(&self, TokenCount { input, cached, output }: TokenCount) -> Spend {
        let anew = input.saturating_sub(cached);
        let of = |price: Price| price.input * anew as f64 + price.cached * cached.min(input) as f64 + price.output * output as f64;
        // Rounded up, so that no sum of small calls is free.
        let money = self.connection.price.map_or(0.0, of).ceil();
        Spend { calls: 1, input, output, money: money as u64, bytes: 0 }
    }

    /// The cost of a reply, with the attempts before it that failed or were in vain. One whose end nobody heard counts as if it had been
    /// answered.
    pub fn spent(&self, reply: &Reply) -> Spent {
        let (spend, vain) = (self.cost_of_all(reply.all()), self.cost_of_all(reply.all().filter(|one| one.is_vain)));
        let connection = &self.sent(&reply.last).connection;
        let model = reply.last.model.as_ref().unwrap_or(&connection.model).clone();
        Spent { connection: connection.name.clone(), model, spend, vain, ms: reply.ms.unwrap_or(0) }
    }

    fn cost_of_all<'r>(&self, attempts: impl Iterator<Item = &'r Asking>) -> Spend {
        attempts.fold(Spend::default(), |sum, one| sum.plus(self.sent(one).cost_of(one)))
    }

    /// The cost of one attempt.
    fn cost_of(&self, one: &Asking) -> Spend {
        if let Some(web) = &self.connection.web {
            return web.cost(&self.body, one);
        }
        let refused = Spend { calls: 1, ..Spend::default() };
        let is_fault = || {
            let body = one.body.as_deref().and_then(|body| body_of(body).ok());
            body.is_some_and(|body| (self.connection.dialect.fault)(&body).is_some())
        };
        match one.error {
            Some(Code::ReplyError) if one.usage.is_none() => return refused,
            // It was answered by a status, whatever that was found to say.
            Some(_) if one.status.is_some_and(|status| !(200..=299).contains(&status)) => return refused,
            Some(error) if error.kind() != CodeKind::Reply => return Spend::default(),
            None if !one.is_answer() || (one.usage.is_none() && is_fault()) => return refused,
            Some(_) | None => {}
        }
        // As reported, also above what was held back: a provider bills what it counted, and thinking may not keep to `max_tokens`.
        one.usage.map_or_else(|| self.once(), |used| self.cost(used))
    }
}

/// The messages in a request as it was recorded: each its role and its content.
pub fn messages(recorded: &Value) -> Vec<(String, String)> {
    let text = |key: &str| recorded.get(key).and_then(Value::as_str);
    let body: Json = text("body").and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default();
    Dialect::recorded(text("dialect")).map(|dialect| (dialect.messages)(&body)).unwrap_or_default()
}

/// A model's text in a reply, and the part of it that was no call, as recorded; the endpoint's body where it cannot be parsed.
pub fn wrote(request: &Value, reply: &Value) -> (String, Option<Text>) {
    let body = Reply::from(reply.clone()).last.body.unwrap_or_else(|| Text::from(""));
    let dialect = Dialect::recorded(request.get("dialect").and_then(Value::as_str)).unwrap_or(USUAL);
    let json = body_of(&body).ok();
    let Some(spoken) = json.and_then(|json| (dialect.hear)(&json).ok()) else { return (body.to_string(), None) };
    let calls = spoken.call.iter().map(|(call, _)| call).chain(&spoken.more).map(Json::to_string);
    let parts = [spoken.refusal.clone(), Some(spoken.text.clone())].into_iter().flatten().chain(calls).filter(|part| !part.is_empty());
    (
        parts.collect::<Vec<_>>().join("\n"),
        understand(&spoken, &ReplyContext { name: "", foreign: &[], offers: &Offers::none() }).ok().and_then(|understood| understood.said),
    )
}

/// Writes the request of a moment, or says why it cannot be asked.
pub fn request(opening: &Opening, world: &Arc<World>, sandbox: &mut Sandbox) -> Result<Request, Reason> {
    let connection =
        Connection::of(world, &opening.being, opening.worn.slot.as_deref()).ok_or_else(|| Reason::new(Code::NoConnection, ""))?;
    let words = opening.words(world)?;
    sandbox.begin();
    let mut resolved = Vec::new();
    let seen = seen(opening, world, sandbox, &mut resolved)?;
    let failover = connection.after(world, &opening.being).into_iter().map(|other| written(opening, world, &seen, &words, other)).collect();
    Ok(again(opening, &Request { failover, resolved, ..written(opening, world, &seen, &words, connection) }))
}

/// The request of a wake that has failed before: it draws anew, and a reply that was cut is asked for with twice the length.
fn again(opening: &Opening, request: &Request) -> Request {
    let varied = request.varied(opening.wake.failed.into());
    let failover = request.failover.iter().map(|other| again(opening, other)).collect();
    let longer = if was_cut(opening) { varied.longer() } else { None };
    Request { failover, ..longer.unwrap_or(varied) }
}

/// Whether the last reply to a wake was cut.
fn was_cut(opening: &Opening) -> bool {
    opening.wake.failure.as_ref().is_some_and(|reason| reason.code == Code::ReplyCut)
}

/// The request as one connection wants it.
fn written(opening: &Opening, world: &World, seen: &Value, words: &str, connection: Connection) -> Request {
    let Prompt { mut system, user, tools } = prompt(opening, world, seen, words, connection.strict || connection.tools == Tools::Strict);
    let acts = means(connection.tools, tools, &mut system);
    let (model, sampling, one_call) = (&connection.model, &connection.sampling, connection.one_call);
    let question = Question { model, system: &system, user: &user, acts, sampling, one_call };
    let body = (connection.dialect.body)(&question).to_string();
    let who = format!("@{}/{}", opening.being.name, opening.being.next_n).into();
    let moment = format!("@{}:{}", opening.being.name, opening.wake.id.cause).into();
    Request { who, moment, connection, body, attempts: ATTEMPTS, failover: Vec::new(), resolved: Vec::new() }
}

/// How a model acts by some tools.
pub(super) fn means(way: Tools, tools: Vec<Tool>, system: &mut String) -> Means {
    match way {
        Tools::JsonSchema if !tools.is_empty() => Means::Schema(one_act(system, &tools)),
        Tools::Strict => Means::Held(tools),
        Tools::Native | Tools::JsonSchema => Means::Tools(tools),
    }
}

/// Whether every budget has room for a request, with all its attempts or, if not that, with one; else which has not.
pub fn afford(opening: &Opening, world: &World, request: Request) -> Result<(Request, Spend), Reason> {
    let being = world.being(opening.being.id).unwrap_or(&opening.being);
    if world.root_of(being.id, &opening.wake).is_some_and(|root| world.is_spent(root, being)) {
        return Err(Reason::new(Code::BrakeCalls, CALLS));
    }
    if world.counts_money(being, Some(&opening.wake))
        && let Some(model) = request.unpriced()
    {
        return Err(Reason::new(Code::NoPrice, model));
    }
    let when = (opening.opened_at, opening.offset);
    let room = |request: &Request| world.affords(being, Some(&opening.wake), when, request.reserve());
    let Err(reason) = room(&request) else {
        let most = request.reserve();
        return Ok((request, most));
    };
    let sparing = request.sparing();
    room(&sparing).map_err(|_| reason)?;
    let most = sparing.reserve();
    Ok((sparing, most))
}

/// Turns a reply into an answer; what is recorded of it is the reply as it came.
pub fn hear(opening: &Opening, world: &World, request: &Request, reply: Reply) -> Answer {
    let sent = request.sent(&reply.last);
    let heard = understood(opening, world, sent, &reply.last);
    let spent = Some(request.spent(&reply));
    let thought = Thought::Model { request: sent.to_value().into(), reply: Value::from(reply).into() };
    let mut answer = Answer { thought, spent, resolved: request.resolved.clone(), ..Answer::none() };
    match heard {
        Ok(Understood { call: Some(call), more, .. }) => {
            answer.left = more;
            answer.goes_on = call.verb == Verb::See && opening.wake.looked < LOOKS;
            let bound = opening.bind(world, &call);
            answer.call = Some((call, bound));
        }
        Ok(Understood { call: None, said: Some(words), .. }) => say(opening, world, &words, &mut answer),
        Ok(Understood { call: None, said: None, .. }) => {}
        Err(reason) => {
            let (reason, is_final) = weighed(opening, sent, reason);
            (answer.failure, answer.is_final) = (Some(reason), is_final);
        }
    }
    answer
}

/// Why a reply came to nothing, and whether another would come to the same: what the provider or the model refuses is asked once, and what was
/// cut once more if it may be longer.
fn weighed(opening: &Opening, sent: &Request, reason: Reason) -> (Reason, bool) {
    match reason.code {
        // It was the greater length that was not taken.
        Code::ReplyRejected if was_cut(opening) => (Reason::new(Code::ReplyCut, reason.at), true),
        Code::ReplyRejected | Code::ReplyRefused => (reason, true),
        Code::ReplyCut => (reason, was_cut(opening) || sent.longer().is_none()),
        _ => (reason, false),
    }
}

/// Words without a call: they are the answer where one is wanted and the role may give it, and no vote.
fn say(opening: &Opening, world: &World, words: &Text, answer: &mut Answer) {
    match WordsReach::of(opening, world) {
        WordsReach::Nobody => {}
        WordsReach::Panel => answer.failure = Some(Reason::new(Code::ReplyUnvoted, "")),
        WordsReach::Asker(asker) => {
            let args = [("content", Value::from(words)), ("answer", Value::text(Answering::None.word()))];
            let call = Call::summon(&format!("@{}", asker.name), Value::map(args));
            let bound = opening.bind(world, &call);
            answer.call = Some((call, bound));
        }
        WordsReach::OutOfReach(_) => answer.unspoken = true,
    }
}

/// Why a wake waits, where its model could not be asked: the connection, and what was wrong with its endpoint.
fn waits(dialect: &Dialect, asked: &Asking) -> Option<Reason> {
    let connection = asked.connection.as_deref().unwrap_or_default();
    let what = asked.error.map_or_else(|| asked.status.map(|status| status.to_string()).unwrap_or_default(), |code| code.to_string());
    match Upshot::of(asked, dialect) {
        Upshot::GivenUp => Some(Reason::new(Code::GivenUp, connection)),
        Upshot::Out => Some(Reason::new(Code::Outage, format!("{connection}: {what}"))),
        Upshot::Unasked if matches!(asked.error, Some(Code::KeyMissing | Code::KeyReference)) => {
            Some(Reason::new(Code::Outage, format!("{connection}: {what}")))
        }
        Upshot::Unusable(_) if asked.error.is_some() => Some(Reason::new(Code::ConnectionHeld, connection)),
        Upshot::Unusable(status) => {
            let said = with_sentence(&status, asked.body.as_deref().unwrap_or_default());
            Some(Reason::new(Code::ConnectionHeld, format!("{connection}: {said}")))
        }
        Upshot::Heard | Upshot::Unasked | Upshot::Faulty(_) | Upshot::Slow => None,
    }
}

/// A place, and behind it in quotation marks what the server of a body says of it.
fn with_sentence(place: &str, body: &str) -> String {
    sentence_of(body).map_or_else(|| place.to_owned(), |said| format!("{place} \"{said}\""))
}

/// The being that asks for what its model does.
fn by<'a>(opening: &'a Opening, world: &'a World) -> Asker<'a> {
    Asker { world, actor: &opening.being, worn: &opening.worn, caller: opening.caller, at: opening.opened_at }
}

/// The operations that a model may name, each with the arguments that it takes.
fn offered(asker: &Asker<'_>) -> Vec<OfferedDeed> {
    let of = |op: Doable| {
        let properties = op.schema.get("properties").and_then(Value::as_map);
        let is_text = |property: &Value| property.get("type").and_then(Value::as_str) == Some("string");
        let all = || properties.into_iter().flatten();
        OfferedDeed {
            name: op.name.to_string(),
            keys: all().map(|(key, _)| key.to_string()).collect(),
            texts: all().filter(|(_, property)| is_text(property)).map(|(key, _)| key.to_string()).collect(),
            takes_place: op.target.iter().any(|kind| matches!(&**kind, "space" | "here")),
        }
    };
    at_hand(asker).into_iter().map(of).collect()
}

fn understood(opening: &Opening, world: &World, request: &Request, answered: &Asking) -> Result<Understood, Reason> {
    let dialect = request.connection.dialect;
    if let Some(reason) = waits(dialect, answered) {
        return Err(reason);
    }
    let text = answered.body.as_deref().unwrap_or_default();
    let saying = |place: &str| with_sentence(place, text);
    if let Some(error) = answered.error {
        return Err(Reason::new(error, answered.status.map(|status| saying(&status.to_string())).unwrap_or_default()));
    }
    if let Some(status) = answered.status.filter(|_| !answered.is_answer()) {
        let (code, place) = match StatusMeans::of(status, text) {
            StatusMeans::Malformed => (Code::ReplyMalformed, "/error".to_owned()),
            StatusMeans::Refused => (Code::ReplyRefused, status.to_string()),
            StatusMeans::Rejected => (Code::ReplyRejected, status.to_string()),
            // The first two were told above.
            StatusMeans::Busy | StatusMeans::Unusable | StatusMeans::Other => (Code::ReplyStatus, status.to_string()),
        };
        let cure = if is_of_one_call(status, text) { ONE_CALL_CURE } else { "" };
        return Err(Reason::new(code, saying(&place) + cure));
    }
    let body = body_of(text).map_err(|fault| Reason::new(Code::ReplyMalformed, format!("{NO_JSON}{fault}")))?;
    if (dialect.fault)(&body).is_some() {
        return Err(Reason::new(Code::ReplyError, saying("/error")));
    }
    let quoted = request.quoted();
    let foreign: Vec<&str> = quoted.iter().map(String::as_str).collect();
    let spoken = (dialect.hear)(&body)?;
    let offers = Offers::of(|| offered(&by(opening, world)));
    let mut understood = understand(&spoken, &ReplyContext { name: &opening.being.name, foreign: &foreign, offers: &offers })?;
    let Some(mut call) = understood.call.take() else {
        return match spoken.ended {
            // Half of what somebody waits for is given; half of anything else is nothing.
            EndedBy::Cut(place) if !matches!(WordsReach::of(opening, world), WordsReach::Asker(_)) => {
                Err(Reason::new(Code::ReplyCut, place))
            }
            _ => Ok(understood),
        };
    };
    if call.verb == Verb::Summon && call.target.is_empty() {
        let caller = opening.caller.and_then(|caller| world.being(caller)).ok_or_else(|| Reason::new(Code::ReplyArguments, "/target"))?;
        call.target = format!("@{}", caller.name).into();
    }
    if call.verb == Verb::Do && call.target.is_empty() && offers.deed(&call.action).is_some_and(|deed| deed.takes_place) {
        call.target = address_of(world, Thing::Space(opening.being.position)).into();
    }
    call.content = understood.said.take();
    Ok(Understood { call: Some(fitted(world, call)), said: None, more: understood.more })
}
