//! Guest: a caller and the being as which it acts; each of its questions goes to the API as its own.

use std::sync::Arc;

use axum::http::Method;
use rmcp::ErrorData;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::fact::Verb;

use super::desk::Desk;
use super::way::{ApiAnswer, ApiAsked, ApiEvents, ApiWay, path_with};

/// How one lives here, for whoever comes from outside.
const HOW: &str = "All that you do is recorded in your name. What you may do changes with what you wear: the tools say it. \
                   What others say to you waits at `@me/.inbox`; look there with `wait` to hear of the next. To answer an entry, give its `wake` \
                   with what you do. Addresses look like /a/b, @name or /a/b/thing; @me is you.";
/// How a client names its own being.
const ME: &str = "@me";

/// A caller.
#[derive(Clone)]
pub(super) struct Guest {
    /// How the API is asked in their name.
    pub(super) way: ApiWay,
    /// The being that they name to act as, where it is not their own.
    pub(super) speaker: Option<String>,
    /// The being as which they act.
    pub(super) being: String,
    /// The state of the connection, where it lasts.
    pub(super) desk: Option<Arc<Desk>>,
}

/// The operations that a being may do now.
#[derive(Deserialize)]
pub(super) struct MayNow {
    pub(super) being: String,
    pub(super) verbs: Vec<VerbNow>,
    pub(super) near: Vec<String>,
    pub(super) hash: String,
}

/// The operations of one verb that a being may do now.
#[derive(Deserialize)]
pub(super) struct VerbNow {
    pub(super) verb: Verb,
    pub(super) lines: Vec<String>,
    pub(super) operations: Vec<String>,
}

impl Guest {
    /// Admits a caller as its own being or as the one it names; where the API refuses it, returns the API's answer.
    pub(super) async fn of(way: ApiWay, speaker: Option<String>, desk: Option<Arc<Desk>>) -> Result<Self, Box<ApiAnswer>> {
        let named = speaker.as_deref().map(|speaker| ("as", speaker));
        let answer = way.ask(ApiAsked { method: Method::GET, path: &path_with("/api/session", named), body: None, key: None }).await;
        if !answer.is_ok() {
            return Err(Box::new(answer));
        }
        let own = answer.body.get("being").and_then(Json::as_str).filter(|_| answer.body.get("visitor") == Some(&Json::Bool(false)));
        let Some(own) = own else { return Err(Box::new(ApiAnswer::nobody())) };
        let being = speaker.as_deref().map_or_else(|| own.to_owned(), |speaker| format!("@{}", speaker.trim_start_matches('@')));
        Ok(Self { way, speaker, being, desk })
    }

    fn path(&self, path: &str, pairs: &[(&str, &str)]) -> String {
        path_with(path, pairs.iter().copied().chain(self.speaker.as_deref().map(|speaker| ("as", speaker))))
    }

    /// An address as the world knows it: `@me` is the guest's own being, since nobody bears that name.
    pub(super) fn address(&self, address: &str) -> String {
        let rest = address.strip_prefix(ME).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        rest.map_or_else(|| address.to_owned(), |rest| format!("{}{rest}", self.being))
    }

    /// Reads something.
    pub(super) async fn read(&self, path: &str, pairs: &[(&str, &str)]) -> ApiAnswer {
        self.way.ask(ApiAsked { method: Method::GET, path: &self.path(path, pairs), body: None, key: None }).await
    }

    /// Has the being act, once under a key.
    pub(super) async fn act(&self, verb: Verb, mut body: Json, key: Option<&str>) -> ApiAnswer {
        if let Some(target) = body.get_mut("target")
            && let Some(written) = target.as_str()
        {
            *target = json!(self.address(written));
        }
        if let (Some(map), Some(speaker)) = (body.as_object_mut(), &self.speaker) {
            map.insert("as".to_owned(), json!(speaker));
        }
        let path = format!("/api/{verb}");
        self.way.ask(ApiAsked { method: Method::POST, path: &path, body: Some(&body), key }).await
    }

    /// A look at an address, for programs. Its own inbox is told with the words by which its entries are answered.
    pub(super) async fn look(&self, address: &str) -> ApiAnswer {
        if address.strip_prefix(self.being.as_str()) == Some("/.inbox") {
            return self.read("/api/inbox", &[]).await;
        }
        self.read("/api/see", &[("address", address)]).await
    }

    /// The operations that the being may do now.
    pub(super) async fn may(&self) -> Result<MayNow, ErrorData> {
        let answer = self.read("/api/abilities", &[]).await;
        if !answer.is_ok() {
            return Err(answer.told());
        }
        serde_json::from_value(answer.body).map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    /// Follows what changes at some addresses, and in what may be done.
    pub(super) async fn follow<'a>(&self, addresses: impl IntoIterator<Item = &'a String>) -> Result<ApiEvents, Box<ApiAnswer>> {
        let pairs: Vec<_> = addresses.into_iter().map(|address| ("address", address.as_str())).collect();
        self.way.follow(&self.path("/api/changes", &pairs)).await
    }

    /// The words to a model that comes in: the same of itself as a model inside hears, and how it lives here.
    pub(super) async fn welcome(&self) -> Result<String, ErrorData> {
        let told = self.read("/api/look", &[]).await;
        if !told.is_ok() {
            return Err(told.told());
        }
        let text = told.body.get("text").and_then(Json::as_str).unwrap_or_default();
        Ok(format!("{}\n\n{HOW}", text.trim()))
    }
}
