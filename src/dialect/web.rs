//! Web: what a bridge to the web writes and reads: one request of HTTP as JSON, and one response as JSON. No model speaks it, and no
//! connection to one names it.

use serde_json::{Value as Json, json};

use super::record::{Dialect, Spoken, Used};

/// The dialect of a bridge to the web.
pub static WEB: Dialect = Dialect {
    word: "web",
    ours: &[],
    url: str::to_owned,
    key: |key| ("authorization", format!("Bearer {key}")),
    headers: &[],
    body: |_| Json::Null,
    messages: |body| vec![("request".to_owned(), body.to_string())],
    longest: |_| 0,
    longer: |_, _| None,
    varied: |_, _| None,
    fault: |_| None,
    hear: |body| Ok(Spoken { text: body.to_string(), ..Spoken::default() }),
    usage: |_| Used::default(),
    says: |text| json!({ "status": 200, "type": "text/plain", "text": text }),
};
