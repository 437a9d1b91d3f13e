//! Described: does the server answer what its own description says, and does the page take it for that?
//!
//! Every answer that any test gets over HTTP is held against `/openapi.json`, strictly: a field that the description does not know is as
//! wrong as one that is missing.

mod settings;
mod typescript;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::kit;

static API: LazyLock<Value> = LazyLock::new(|| strictly(&kit::api()));
static VALIDATORS: LazyLock<Mutex<BTreeMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// The description, in which every object has the fields that it lists and no others.
fn strictly(api: &Value) -> Value {
    let mut strict = api.clone();
    for schema in strict["components"]["schemas"].as_object_mut().unwrap().values_mut() {
        *schema = strict_schema(api, schema, false);
    }
    let paths = strict["paths"].as_object_mut().unwrap().values_mut().flat_map(|item| item.as_object_mut().unwrap().values_mut());
    let responses = paths.flat_map(|operation| operation["responses"].as_object_mut().unwrap().values_mut());
    for response in responses.filter(|response| !response["content"].is_null()) {
        for content in response["content"].as_object_mut().unwrap().values_mut() {
            content["schema"] = strict_schema(api, &content["schema"], false);
        }
    }
    strict
}

/// A schema made strict; as a part of another it leaves fields to the other parts.
fn strict_schema(api: &Value, schema: &Value, is_part: bool) -> Value {
    if let Some(name) = schema["$ref"].as_str() {
        let pointer = name.trim_start_matches('#');
        return if is_part { strict_schema(api, api.pointer(pointer).unwrap(), true) } else { schema.clone() };
    }
    let Value::Object(map) = schema else { return schema.clone() };
    let each = |value: &Value, is_part: bool| match value {
        Value::Array(all) => all.iter().map(|one| strict_schema(api, one, is_part)).collect(),
        one => strict_schema(api, one, is_part),
    };
    let mut strict: Map<String, Value> = map
        .iter()
        .map(|(key, value)| {
            let value = match key.as_str() {
                "properties" => value.as_object().unwrap().iter().map(|(key, one)| (key.clone(), each(one, false))).collect(),
                "items" | "additionalProperties" => each(value, false),
                "oneOf" | "anyOf" => each(value, is_part),
                "allOf" => each(value, true),
                _ => value.clone(),
            };
            (key.clone(), value)
        })
        .collect();
    let lists = ["properties", "allOf"].iter().any(|key| map.contains_key(*key));
    if lists && !is_part && !map.contains_key("additionalProperties") {
        strict.insert("unevaluatedProperties".to_owned(), json!(false));
    }
    Value::Object(strict)
}

/// The errors of a value by a schema of the description.
fn faults(name: &str, schema: &Value, value: &Value) -> Vec<String> {
    let validator = {
        let mut known = VALIDATORS.lock().unwrap();
        known
            .entry(name.to_owned())
            .or_insert_with(|| {
                let whole = json!({ "allOf": [schema], "components": API["components"] });
                Arc::new(jsonschema::draft202012::new(&whole).unwrap())
            })
            .clone()
    };
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// The path of the description that a request goes to; a path without variables goes first.
fn route(path: &str) -> Option<&'static str> {
    let path = path.split('?').next().unwrap();
    // A world below `/w/` answers as the first does.
    let own = path.strip_prefix("/w/").and_then(|below| below.find('/').map(|at| &below[at..])).unwrap_or(path);
    let path: Vec<&str> = own.split('/').collect();
    let fits = |route: &str| {
        let route: Vec<&str> = route.split('/').collect();
        route.len() == path.len() && route.iter().zip(&path).all(|(part, said)| part == said || (part.starts_with('{') && !said.is_empty()))
    };
    let routes = API["paths"].as_object().unwrap().keys().map(String::as_str);
    routes.filter(|route| fits(route)).min_by_key(|route| route.contains('{'))
}

/// The errors of an answer by the description of its route.
fn wrong_with(method: &str, path: &str, status: u16, body: &Value) -> Vec<String> {
    let Some(route) = route(path) else { return if status >= 400 { faults("Wrong", &named("Wrong"), body) } else { Vec::new() } };
    let operation = &API["paths"][route][method.to_lowercase()];
    if operation.is_null() {
        return if status == 405 { Vec::new() } else { vec![format!("{method} {route} is not described and answered {status}")] };
    }
    let schema = &operation["responses"][status.to_string()]["content"]["application/json"]["schema"];
    if schema.is_null() {
        return vec![format!("{method} {route} answered {status}, of which its description says nothing")];
    }
    faults(&format!("{method} {route} {status}"), schema, body)
}

fn named(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// An answer is what the description says of it.
pub fn holds(method: &str, path: &str, status: u16, body: &Value) {
    // The makers of the models' protocol describe it.
    if path.ends_with("/mcp") && body["jsonrpc"] == "2.0" {
        return;
    }
    let wrong = wrong_with(method, path, status, body);
    assert!(wrong.is_empty(), "{method} {path} answered {status} with {body}\n{}", wrong.join("\n"));
}

/// A value is what the description says of that name.
pub fn is(name: &str, value: &Value) {
    let wrong = faults(name, &named(name), value);
    assert!(wrong.is_empty(), "{value} is no {name}: {}", wrong.join("\n"));
}

#[test]
fn an_answer_that_its_description_does_not_tell_is_found() {
    let session = json!({ "being": "@ada", "drives": [], "visitor": false, "hasPassword": true, "passwordFirst": false, "sees": true, "seesPlaces": true });
    let wrong = |status, body: &Value| wrong_with("GET", "/api/session", status, body).join("; ");
    assert_eq!(wrong(200, &session), "");
    let with = |key: &str, value: Value| {
        let mut other = session.clone();
        other[key] = value;
        other
    };
    assert!(wrong(200, &with("more", json!(1))).contains("more"), "a field that nobody described");
    assert!(wrong(200, &with("drives", json!("@bob"))).contains("array"), "another type");
    let mut less = session.clone();
    less.as_object_mut().unwrap().remove("visitor");
    assert!(wrong(200, &less).contains("visitor"), "one that is missing");
    assert!(wrong(418, &session).contains("says nothing"));
    assert!(wrong_with("PATCH", "/api/session", 200, &session).join("").contains("not described"));
    assert!(!wrong_with("GET", "/api/nothing", 404, &json!({ "error": "gone" })).is_empty());
    // A composed answer has the fields of all its parts, and no others.
    let reach = json!({ "action": "say", "about": "speaks", "args": {}, "may": true, "why": null });
    is("MayDo", &reach);
    let mut more = reach;
    more["more"] = json!(1);
    assert!(!faults("MayDo", &named("MayDo"), &more).is_empty());
}

#[test]
fn every_route_says_what_it_answers() {
    for (path, item) in API["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let content = operation["responses"]["200"]["content"].as_object().unwrap_or_else(|| panic!("{method} {path} answers nothing"));
            let Some(json) = content.get("application/json") else { continue };
            assert_eq!(json, &content["application/cbor"], "{method} {path}");
            // A see shows any kind of value.
            let is_free = json["schema"]["type"] == "object" || json["schema"].as_object().is_none_or(|schema| schema.is_empty());
            assert!(!is_free || path == "/api/see", "{method} {path} answers anything: {json}");
        }
    }
}

#[test]
fn the_page_takes_answers_for_what_the_server_says_that_they_are() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/portal/web/src/lib/wire.ts");
    let written = typescript::types(&kit::api());
    if std::env::var_os("REMAKE").is_some() {
        std::fs::write(path, &written).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == written, "the API has changed: `REMAKE=1 cargo test --test reelm -- described` writes the page's types anew");
}
