//! Cbor: the API in CBOR, for programs that ask for it: whatever is answered as JSON goes out as the same value, and a body is read like
//! one in JSON, within the same bounds.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ciborium::de::{Error, from_reader_with_recursion_limit};
use mime::Mime;
use serde::de::DeserializeOwned;

use super::trouble::Trouble;

/// The name of the format on the line.
pub const CBOR: &str = "application/cbor";
/// How deep a body may nest; the reader of JSON allows as much.
const DEPTH_MAX: usize = 128;

fn said(headers: &HeaderMap, name: &HeaderName) -> Option<Mime> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}

/// Whether a body is said to be CBOR.
pub fn is_sent(headers: &HeaderMap) -> bool {
    said(headers, &CONTENT_TYPE).is_some_and(|kind| kind.essence_str() == CBOR)
}

/// Reads a body, to its last byte.
pub fn read<T: DeserializeOwned>(mut body: &[u8]) -> Result<T, Trouble> {
    let unreadable = |why: &str| Trouble::bad(format!("the body cannot be read: {why}"));
    let whole = body.len();
    let value = from_reader_with_recursion_limit(&mut body, DEPTH_MAX).map_err(|error| match error {
        Error::Io(_) => unreadable("expected more CBOR, found its end"),
        Error::Syntax(at) => unreadable(&format!("expected CBOR, found something else at byte {at}")),
        Error::Semantic(_, why) => unreadable(&why),
        Error::RecursionLimitExceeded => unreadable(&format!("it nests deeper than {DEPTH_MAX}")),
    })?;
    // As after JSON, nothing may follow.
    if body.is_empty() { Ok(value) } else { Err(unreadable(&format!("it ends at byte {}, and more follows", whole - body.len()))) }
}

/// Whether CBOR is asked for by name, and JSON is not liked better.
pub fn is_wanted(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
    let (mut cbor, mut json) = (0.0_f32, 0.0_f32);
    for range in lines.filter_map(|range| range.trim().parse::<Mime>().ok()) {
        let weight = range.get_param("q").map_or(1.0, |weight| weight.as_str().parse().unwrap_or(0.0));
        match range.essence_str() {
            CBOR => cbor = weight,
            "application/json" | "application/*" | "*/*" => json = weight.max(json),
            _ => {}
        }
    }
    cbor > 0.0 && cbor >= json
}

/// Answers in CBOR whoever wants it.
pub async fn offered(request: Request, next: Next) -> Response {
    let is_wanted = is_wanted(request.headers());
    let mut response = next.run(request).await;
    if said(response.headers(), &CONTENT_TYPE).is_none_or(|kind| kind != mime::APPLICATION_JSON) {
        return response;
    }
    response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
    if is_wanted { in_cbor(response).await.unwrap_or_else(IntoResponse::into_response) } else { response }
}

/// The same value in CBOR. It lies in memory already, and nests no deeper than values of the world do.
async fn in_cbor(response: Response) -> Result<Response, Trouble> {
    let (mut parts, body) = response.into_parts();
    let json = to_bytes(body, usize::MAX).await.map_err(Trouble::inside)?;
    // To whoever asked for the head alone.
    if json.is_empty() {
        return Ok(Response::from_parts(parts, Body::empty()));
    }
    let value: serde_json::Value = serde_json::from_slice(&json).map_err(Trouble::inside)?;
    let mut cbor = Vec::new();
    ciborium::into_writer(&value, &mut cbor).map_err(Trouble::inside)?;
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(CBOR));
    Ok(Response::from_parts(parts, Body::from(cbor)))
}
