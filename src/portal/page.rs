//! Page: the files of the portal, embedded in the binary. They ask nobody but this server for anything.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use crate::fact::Code;

use super::sent::Ours;

/// The content security policy of the page: its own files, and nothing from elsewhere.
pub const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

#[cfg(feature = "portal")]
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Without the feature there is one page, which says so.
#[cfg(not(feature = "portal"))]
const FILES: &[(&str, &[u8])] = &[(
    "index.html",
    b"<!doctype html><meta charset=utf-8><title>Reelm</title><p>This binary was built without its page; the API is at /openapi.json.",
)];

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "map" | "webmanifest" => "application/json",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// A file of the page.
pub async fn file(_: Ours, uri: Uri) -> Response {
    let name = uri.path().trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let Some((_, bytes)) = FILES.iter().find(|(file, _)| *file == name) else {
        return super::trouble::Trouble::new(StatusCode::NOT_FOUND, Code::NotFound, format!("nothing is at `/{name}`")).into_response();
    };
    // The names of built files change with what is in them; the page itself is asked for anew.
    let keep = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    ([(CONTENT_TYPE, kind(name)), (CACHE_CONTROL, keep)], *bytes).into_response()
}
