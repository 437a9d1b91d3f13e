//! Spelled: does the description of the API say how addresses, moments and points are written, as the server reads them?

use serde_json::{Value, json};

use super::kit;
use super::served::Served;
use super::terminal::Terminal;

/// Texts for each kind of parameter, and whether they are written as one.
const POINTS: &[(&str, bool)] = &[
    ("1", true),
    ("#1", true),
    ("1+", true),
    ("@operator/0", true),
    ("@operator/0+", true),
    ("2026-03-02", true),
    ("2026-03-02T09:00", true),
    ("2026-03-02T09:00:00+01:00", true),
    ("~10m", true),
    ("~1h30m", true),
    ("now", true),
    ("", false),
    ("+5", false),
    ("-1", false),
    ("soon", false),
    ("@operator", false),
    ("@operator/+1", false),
    ("~", false),
    ("~ 10m", false),
    ("1 2", false),
    ("12026-03-02", false),
    ("99999999999999999999", false),
];
const MOMENTS: &[(&str, bool)] =
    &[("1", true), ("#1", true), ("@operator/0", true), ("", false), ("now", false), ("1+", false), ("+1", false), ("@operator", false)];
const ADDRESSES: &[(&str, bool)] = &[
    ("/", true),
    ("/hall", true),
    ("@operator", true),
    (".", true),
    ("~", true),
    ("/hall@operator", true),
    ("@operator/.flow", true),
    ("", false),
    ("@", false),
    ("hall", false),
    ("/a b", false),
    ("/a\tb", false),
    ("@@operator", false),
];

/// How a parameter is described, wherever it stands.
fn described(path: &str, name: &str) -> Value {
    let api = kit::api();
    let parameters = api["paths"][path]["get"]["parameters"].as_array().unwrap_or_else(|| panic!("{path} takes nothing")).clone();
    let found = parameters.into_iter().find(|parameter| parameter["name"] == name);
    found.unwrap_or_else(|| panic!("{path} takes no `{name}`"))["schema"].clone()
}

#[test]
fn every_point_moment_and_address_is_described_by_how_it_is_written() {
    let api = kit::api();
    let mut seen = 0;
    for (path, item) in api["paths"].as_object().unwrap() {
        for parameter in item["get"]["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            let is_point = name == "at"
                || (["from", "to"].contains(&name) && !["/api/events", "/api/look", "/api/see", "/api/step"].contains(&path.as_str()));
            // The search for the nearest address takes a target that may be misspelled.
            let is_address = ["moment", "address", "target"].contains(&name) && path != "/api/nearest";
            if is_point || is_address {
                let text = parameter["schema"].to_string();
                assert!(text.contains("\"pattern\"") && text.contains("\"minLength\":1"), "{path} {name}: {text}");
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn a_number_of_tokens_is_what_the_description_lets_through() {
    let served = Served::begin(Terminal::with_world("court", 3), "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    assert_eq!(described("/api/moments", "tokens"), json!({ "type": "integer", "format": "int64", "minimum": 0 }));
    for (tokens, status) in
        [("0", 200), ("5", 200), ("9223372036854775807", 200), ("9223372036854775808", 400), ("-1", 400), ("1.5", 400), ("", 400)]
    {
        assert_eq!(served.get(&operator, &format!("/api/moments?tokens={tokens}")).status, status, "{tokens}");
    }
}

#[test]
fn what_the_description_lets_through_the_server_reads_and_what_it_refuses_the_server_refuses() {
    let served = Served::begin(Terminal::with_world("court", 3), "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let kinds = [
        ("/api/see", "at", "address=/&at=", POINTS),
        ("/api/timeline", "from", "from=", POINTS),
        ("/api/causes", "moment", "moment=", MOMENTS),
        ("/api/see", "address", "address=", ADDRESSES),
        ("/api/may", "target", "target=", ADDRESSES),
    ];
    for (path, name, query, texts) in kinds {
        let schema = described(path, name);
        for (text, is_one) in texts {
            let fits = jsonschema::validator_for(&schema).unwrap().is_valid(&json!(text));
            assert_eq!(fits, *is_one, "{path} {name}: {text:?} by {schema}");
            let written: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let answer = served.get(&operator, &format!("{path}?{query}{written}"));
            let message = answer.body["error"]["message"].as_str().unwrap_or_default().to_owned();
            if *is_one {
                assert!(answer.status < 500 && !message.contains("expected a"), "{path} {name}={text:?}: {} {message}", answer.status);
            } else {
                assert_eq!(answer.status, 400, "{path} {name}={text:?}: {message}");
            }
        }
    }
}
