//! Routes: the router: every route of the API and its description, the figures, the page.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use utoipa::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::fact::{Code, Verb};
use crate::minds::OutageNow;

use super::cbor::{CBOR, offered};
use super::clocks::ClockEvent;
use super::cookies::CookieNames;
use super::copy::register_copy;
use super::hall::Hall;
use super::pulse::Pulse;
use super::queries::{QueryNames, asks_what_is_known};
use super::sent::Ours;
use super::threshold::{BODY_MAX, Threshold, dressed};
use super::trouble::Trouble;
use super::vital::register;
use super::who::Who;
use super::{
    abilities, act, ahead, apply, books, changes, cost, diff, drafts, foresee, fork, incoming, lanes, many, moments, outside, page,
    programs, retry, roles, seat, series, session, settings, step, thing, timeline, trial, why, words, world, worlds,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Reelm",
        description = "A world of beings over HTTP: the four verbs, and what one may read through the role that one wears."
    ),
    // Events of a stream, which no route names.
    components(schemas(Pulse, ClockEvent))
)]
struct Described;

/// All routes, and their description.
fn routes() -> OpenApiRouter<Arc<Hall>> {
    OpenApiRouter::with_openapi(Described::openapi())
        .routes(routes!(session::whoami, session::login, session::logout))
        .routes(routes!(session::password))
        .routes(routes!(session::sessions))
        .routes(routes!(session::close))
        .routes(routes!(words::words))
        .routes(routes!(words::codes))
        .routes(routes!(programs::tokens, programs::make))
        .routes(routes!(programs::take))
        .routes(routes!(world::world))
        .routes(routes!(world::clock))
        .routes(routes!(retry::retry))
        .routes(routes!(worlds::worlds))
        .routes(routes!(fork::fork))
        .routes(routes!(world::tree))
        .routes(routes!(many::crowd))
        .routes(routes!(thing::see, act::look))
        .routes(routes!(thing::may))
        .routes(routes!(thing::inbox))
        .routes(routes!(thing::unanswered))
        .routes(routes!(thing::being))
        .routes(routes!(act::doing))
        .routes(routes!(act::summon))
        .routes(routes!(act::be))
        .routes(routes!(incoming::hear))
        .routes(routes!(apply::apply))
        .routes(routes!(seat::inhabit))
        .routes(routes!(seat::heartbeat))
        .routes(routes!(seat::release))
        .routes(routes!(moments::moments))
        .routes(routes!(moments::moment))
        .routes(routes!(moments::events))
        .routes(routes!(changes::changes))
        .routes(routes!(abilities::abilities))
        .routes(routes!(outside::look))
        .routes(routes!(outside::nearest))
        .routes(routes!(timeline::timeline))
        .routes(routes!(series::measures))
        .routes(routes!(ahead::ahead))
        .routes(routes!(lanes::lanes))
        .routes(routes!(step::step))
        .routes(routes!(diff::diff))
        .routes(routes!(why::causes))
        .routes(routes!(why::why))
        .routes(routes!(roles::roles))
        .routes(routes!(roles::role))
        .routes(routes!(roles::flow))
        .routes(routes!(roles::linting))
        .merge(trials())
        .routes(routes!(books::paths))
        .routes(routes!(books::signals))
        .routes(routes!(books::all_operations))
        .routes(routes!(books::dead))
        .routes(routes!(cost::cost))
        .routes(routes!(settings::settings))
}

/// The routes by which a draft is tried before it is published.
fn trials() -> OpenApiRouter<Arc<Hall>> {
    OpenApiRouter::new()
        .routes(routes!(drafts::draft))
        .routes(routes!(trial::now))
        .routes(routes!(trial::backtest))
        .routes(routes!(trial::attempt))
        .routes(routes!(foresee::foreseen))
}

/// The description of all routes.
pub fn api() -> utoipa::openapi::OpenApi {
    described().1
}

/// The answers that any route may give before it comes to its own work.
const BEFORE: [(&str, &str); 6] = [
    ("400", "The address or the body cannot be read"),
    ("401", "The token is none, or was taken back"),
    ("403", "Another server, another page, or a person that there is not"),
    ("408", "The body did not come in time"),
    ("413", "The body is too large"),
    ("429", "Too many requests"),
];

/// All routes, and their description: with what any of them may answer, and all of it in CBOR too.
fn described() -> (Router<Arc<Hall>>, utoipa::openapi::OpenApi) {
    let (router, mut api) = routes().split_for_parts();
    let wrong = |what: &str| {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Wrong"))).build();
        ResponseBuilder::new().description(what).content("application/json", content).build()
    };
    for item in api.paths.paths.values_mut() {
        let all = [&mut item.get, &mut item.post, &mut item.put, &mut item.delete];
        for operation in all.into_iter().flatten() {
            let responses = &mut operation.responses.responses;
            for (status, what) in BEFORE {
                responses.entry(status.to_owned()).or_insert_with(|| wrong(what).into());
            }
            for response in responses.values_mut() {
                if let RefOr::T(response) = response
                    && let Some(json) = response.content.get("application/json").cloned()
                {
                    response.content.insert(CBOR.to_owned(), json);
                }
            }
            if let Some(RefOr::T(body)) = &mut operation.request_body
                && let Some(json) = body.content.get("application/json").cloned()
            {
                body.content.insert(CBOR.to_owned(), json);
            }
        }
    }
    let router = router.route_layer(from_fn_with_state(Arc::new(QueryNames::of(&api)), asks_what_is_known));
    (router, api)
}

/// Describes how one comes in: a person by a session's cookie, a program by a token. Each world's cookie has a name of its own.
fn secured(api: &mut utoipa::openapi::OpenApi, cookies: &CookieNames) {
    let components = api.components.get_or_insert_default();
    let session = ApiKeyValue::with_description(
        cookies.session.as_str(),
        "The session of a person. The name ends in eight letters that each data directory draws once, so that worlds on one machine do not log each other out.",
    );
    components.add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(session)));
    let mut token = Http::new(HttpAuthScheme::Bearer);
    token.description = Some("A token that a person made for a program.".to_owned());
    components.add_security_scheme("token", SecurityScheme::Http(token));
}

/// A door beside the API: what else is where, made of the API's routes, by which it does all that it does.
pub type DoorBeside = fn(Router) -> Router;

/// Everything that is served.
pub fn router(hall: Arc<Hall>, beside: Option<DoorBeside>) -> Router {
    let (router, mut described) = described();
    secured(&mut described, &hall.entrance.cookies);
    let api = router
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(move |_: Ours| std::future::ready(Json(described.clone()))));
    // A request to these doors is counted once, where it comes in.
    let doors: Router = beside.map(|beside| beside(api.clone().with_state(hall.clone()))).unwrap_or_default();
    let doors: Router<Arc<Hall>> = doors.with_state(());
    api.merge(doors)
        .fallback(page::file)
        .method_not_allowed_fallback(|| async {
            Trouble::new(StatusCode::METHOD_NOT_ALLOWED, Code::BadRequest, "this address does not take that method")
        })
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(from_fn_with_state(Arc::new(Threshold::of(hall.clone())), dressed))
        .layer(from_fn(offered))
        .layer(compressed())
        .with_state(hall)
}

/// Compresses an answer that is longer than a few lines, streams too: each event as soon as it is there.
fn compressed() -> CompressionLayer<impl Predicate> {
    CompressionLayer::new().gzip(true).compress_when(SizeAbove::new(256).and(NotForContentType::IMAGES))
}

async fn health(State(hall): State<Arc<Hall>>) -> Response {
    let world = hall.feed.world();
    if *hall.stopping.borrow() {
        return Trouble::stopping().into_response();
    }
    Json(json!({ "status": "ok", "seq": world.next_seq() })).into_response()
}

/// The figures for Prometheus: for the operator, and for others only if the operator has opened them.
async fn metrics(State(hall): State<Arc<Hall>>, who: Who) -> Response {
    let may_read = hall.entrance.doors.open_metrics || who.is_operator && who.only.contains(Verb::See);
    if !may_read {
        let message = "the figures are the operator's: ask with a token of the operator, or start the server with `--open-metrics`";
        return Trouble::new(StatusCode::FORBIDDEN, Code::NotYours, message).into_response();
    }
    use prometheus_client::metrics::{counter::Counter, family::Family, gauge::Gauge};
    use std::sync::atomic::AtomicU64;
    let mut registry = prometheus_client::registry::Registry::with_prefix("reelm");
    let world = hall.feed.world();
    let figures: [(&str, &str, u64); 6] = [
        ("frames", "Frames that are durable", world.next_seq()),
        ("beings", "Beings that live", world.standing() as u64),
        ("open_wakes", "Wakes that are open", world.inbox().len() as u64),
        ("dead_letters", "Wakes that nobody will open unless they are requeued", world.inbox().dead_len() as u64),
        ("world_time_ms", "World time, in milliseconds since 1970", u64::try_from(hall.feed.now()).unwrap_or(0)),
        ("driven", "Beings that are driven from a tab", hall.tabs.seats().len() as u64),
    ];
    for (name, help, value) in figures {
        let gauge: Gauge<u64, AtomicU64> = Gauge::default();
        gauge.set(value);
        registry.register(name, help, gauge);
    }
    let waited = "How long wakes waited for their moments once they were due, in milliseconds of world time, by rank";
    registry.register("wait_ms", waited, hall.feed.waits().figures());
    let out: Family<[(&str, String); 2], Gauge<u64, AtomicU64>> = Family::default();
    for OutageNow { connection, why, seconds, .. } in hall.outages.now() {
        out.get_or_create(&[("connection", connection.to_string()), ("why", why.to_string())]).set(seconds);
    }
    registry.register("connection_out_seconds", "For how long a connection to a model has not answered; none is shown that answers", out);
    let at_work: Family<[(&str, String); 1], Gauge<u64, AtomicU64>> = Family::default();
    for (kind, count) in hall.at_work() {
        at_work.get_or_create(&[("kind", kind.to_owned())]).set(count as u64);
    }
    registry.register(
        "at_work",
        "Work for requests that is under way on threads of its own, by kind; few of each are done at one time",
        at_work,
    );
    let walked: Family<[(&str, String); 1], Counter> = Family::default();
    for (what, count) in hall.walked() {
        walked.get_or_create(&[("what", what.to_owned())]).inc_by(count);
    }
    registry.register(
        "walked",
        "Records of history that were read for requests, and things of the world that were looked at one by one",
        walked,
    );
    register_copy(&mut registry, hall.copy.get());
    match hall.health().await {
        Ok(health) => register(&mut registry, health),
        Err(trouble) => return trouble.into_response(),
    }
    let mut text = String::new();
    match prometheus_client::encoding::text::encode(&mut text, &registry) {
        Ok(()) => ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response(),
        Err(error) => Trouble::inside(error).into_response(),
    }
}
