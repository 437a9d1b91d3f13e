//! Message: tells whether the protocol's own service can read a client's message; a faulty one is answered here, with a sentence.

use rmcp::model::{
    CallToolRequestParams, ClientJsonRpcMessage, CompleteRequestParams, ErrorCode, InitializeRequestParams, ReadResourceRequestParams,
    SubscribeRequestParams, UnsubscribeRequestParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use crate::verb::object_of;

/// The methods that are answered.
const METHODS: [&str; 12] = [
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "subscriptions/listen",
    "completion/complete",
];

/// Why a message is not read.
#[derive(Debug, PartialEq)]
pub struct Unread {
    /// The id of the request; null where it has none that can be read.
    pub id: Json,
    /// The protocol's code.
    pub code: i32,
    /// The expected type, and the found one.
    pub message: String,
}

impl Unread {
    fn of(id: &Json, code: ErrorCode, message: impl Into<String>) -> Self {
        Self { id: id.clone(), code: code.0, message: message.into() }
    }

    /// Nobody reads a line without an end.
    pub fn too_long(most: usize) -> Self {
        Self::of(&Json::Null, ErrorCode::PARSE_ERROR, format!("a message has at most {most} bytes; send less at once"))
    }

    /// Whether the message was read but asks for a method that there is not.
    pub fn is_unknown_method(&self) -> bool {
        self.code == ErrorCode::METHOD_NOT_FOUND.0
    }

    /// The answer to it.
    pub fn to_json(&self) -> Json {
        json!({ "jsonrpc": "2.0", "id": self.id, "error": { "code": self.code, "message": self.message } })
    }
}

/// Reads a message, or says why not.
///
/// In order: it is JSON, it is one object with a method or an answer, its id is a text or a whole number, its method is known, and its params
/// are what the method takes.
pub fn read(bytes: &[u8]) -> Result<ClientJsonRpcMessage, Unread> {
    let broken = |error| Unread::of(&Json::Null, ErrorCode::PARSE_ERROR, format!("this is not JSON: {error}; send one JSON-RPC message"));
    let message = with_arguments(serde_json::from_slice(bytes).map_err(broken)?);
    let id = checked(&message)?;
    let unlike = |error| Unread::of(&id, ErrorCode::INVALID_REQUEST, format!("this is no message of the protocol: {error}"));
    serde_json::from_value(message).map_err(unlike)
}

/// The bytes of a message whose arguments were written as text; nothing where it needs no other.
pub fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    let message: Json = serde_json::from_slice(bytes).ok()?;
    message.pointer("/params/arguments").is_some_and(Json::is_string).then(|| with_arguments(message).to_string().into_bytes())
}

/// The arguments of a tool that are written as text are the object that they write.
fn with_arguments(mut message: Json) -> Json {
    if let Some(arguments) = message.pointer_mut("/params/arguments")
        && let Some(object) = arguments.as_str().and_then(|text| object_of(text, true).ok())
    {
        *arguments = Json::Object(object);
    }
    message
}

/// The id of a message that is as it should be.
fn checked(message: &Json) -> Result<Json, Unread> {
    let invalid = |why: &str| Unread::of(&Json::Null, ErrorCode::INVALID_REQUEST, why);
    let Some(map) = message.as_object() else {
        return Err(invalid("expected one JSON-RPC message, an object with `jsonrpc`, `id` and `method`; send each message by itself"));
    };
    let id = map.get("id").cloned().unwrap_or_default();
    if !(id.is_null() || id.is_string() || id.is_i64() || id.is_u64()) {
        return Err(invalid("the `id` of a request is a text or a whole number"));
    }
    if map.contains_key("result") || map.contains_key("error") {
        return Ok(id);
    }
    let Some(method) = map.get("method").and_then(Json::as_str) else {
        return Err(Unread::of(&id, ErrorCode::INVALID_REQUEST, "expected a `method`, such as `tools/list`"));
    };
    // A notification gets no answer, whatever it says.
    if id.is_null() {
        return Ok(id);
    }
    if !METHODS.contains(&method) {
        let message = format!("there is no method `{method}`; there are {}", METHODS.join(", "));
        return Err(Unread::of(&id, ErrorCode::METHOD_NOT_FOUND, message));
    }
    let params = map.get("params").cloned().unwrap_or_else(|| json!({}));
    match unfit(method, params) {
        Some(why) => Err(Unread::of(&id, ErrorCode::INVALID_PARAMS, format!("the params of `{method}` are not what it takes: {why}"))),
        None => Ok(id),
    }
}

/// Why a method does not take these params.
fn unfit(method: &str, params: Json) -> Option<String> {
    match method {
        "initialize" => missing(&params).or_else(|| unlike::<InitializeRequestParams>(params)),
        "tools/call" => unlike::<CallToolRequestParams>(params),
        "resources/read" => unlike::<ReadResourceRequestParams>(params),
        "resources/subscribe" => unlike::<SubscribeRequestParams>(params),
        "resources/unsubscribe" => unlike::<UnsubscribeRequestParams>(params),
        "completion/complete" => unlike::<CompleteRequestParams>(params),
        _ => None,
    }
}

fn unlike<T: DeserializeOwned>(params: Json) -> Option<String> {
    serde_json::from_value::<T>(params).err().map(|error| error.to_string())
}

/// A field that a beginning client has left out.
fn missing(params: &Json) -> Option<String> {
    let wanted = ["/protocolVersion", "/capabilities", "/clientInfo", "/clientInfo/name", "/clientInfo/version"];
    let left_out = wanted.into_iter().find(|place| params.pointer(place).is_none())?;
    let name = left_out.trim_start_matches('/').replace('/', ".");
    Some(format!("`{name}` is missing; expected {{protocolVersion, capabilities, clientInfo: {{name, version}}}}"))
}
