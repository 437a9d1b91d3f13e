//! TypeScript: the types of the page, written from the description of the API.

use std::fmt::Write as _;

use serde_json::Value;

/// All schemas of a description as types, by their names.
pub fn types(api: &Value) -> String {
    let mut text = String::from(
        "// What the server is sent and answers, written from its own description: `REMAKE=1 cargo test --test reelm -- described` writes it anew.\n\
         // Nothing here is changed by hand.\n\n\
         export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };\n\
         export type JsonMap = { [key: string]: Json };\n",
    );
    for (name, schema) in api["components"]["schemas"].as_object().unwrap() {
        text.push('\n');
        says(&mut text, "", schema);
        let _ = writeln!(text, "export type {name} = {};", of(schema, ""));
    }
    text
}

/// Writes the description of a schema as a comment.
fn says(text: &mut String, margin: &str, schema: &Value) {
    if let Some(says) = schema["description"].as_str() {
        let _ = writeln!(text, "{margin}/** {} */", says.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}

/// A schema as a type.
fn of(schema: &Value, margin: &str) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap().to_owned();
    }
    let all = |key: &str| schema[key].as_array().map(|all| all.iter().map(|one| of(one, margin)).collect::<Vec<_>>());
    if let Some(parts) = all("allOf") {
        return parts.join(" & ");
    }
    if let Some(mut cases) = all("oneOf").or_else(|| all("anyOf")) {
        cases.sort_by_key(|case| case == "null");
        return cases.join(" | ");
    }
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().map(|word| format!("'{}'", word.as_str().unwrap())).collect::<Vec<_>>().join(" | ");
    }
    match &schema["type"] {
        Value::String(kind) => plain(kind, schema, margin),
        Value::Array(kinds) => kinds.iter().map(|kind| plain(kind.as_str().unwrap(), schema, margin)).collect::<Vec<_>>().join(" | "),
        _ => "Json".to_owned(),
    }
}

fn plain(kind: &str, schema: &Value, margin: &str) -> String {
    match kind {
        "string" | "boolean" | "null" => kind.to_owned(),
        "integer" | "number" => "number".to_owned(),
        "array" => {
            let item = of(&schema["items"], margin);
            if item.contains(' ') && !item.starts_with('{') { format!("({item})[]") } else { format!("{item}[]") }
        }
        "object" => object(schema, margin),
        kind => panic!("there is no `{kind}` in TypeScript"),
    }
}

fn object(schema: &Value, margin: &str) -> String {
    let Some(fields) = schema["properties"].as_object() else {
        return match &schema["additionalProperties"] {
            Value::Object(_) => format!("Record<string, {}>", of(&schema["additionalProperties"], margin)),
            _ => "JsonMap".to_owned(),
        };
    };
    let inner = format!("{margin}  ");
    let mut text = "{\n".to_owned();
    for (name, field) in fields {
        says(&mut text, &inner, field);
        let is_required = schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name.as_str()));
        let name = if name.chars().all(|c| c.is_ascii_alphanumeric()) { name.clone() } else { format!("'{name}'") };
        let _ = writeln!(text, "{inner}{name}{}: {};", if is_required { "" } else { "?" }, of(field, &inner));
    }
    text + margin + "}"
}
