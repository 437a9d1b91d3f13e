//! Template: a prompt as text with `{{me.quality.persona.age}}` and `{% if … %}` over what a moment is like; checked when it is written.
//!
//! A text without either is no template and stays as it is. Filling one in reads nothing but the values it is given, has so much fuel and
//! no more, and takes what is missing for nothing.

use std::collections::BTreeSet;

use minijinja::{Environment, UndefinedBehavior};

use crate::fact::{Code, Reason, Value};

/// How many steps filling in takes at most.
const FUEL: u64 = 20_000;
/// The longest text that comes out, in bytes.
const LONGEST: usize = 64 * 1024;

fn is_template(text: &str) -> bool {
    ["{{", "{%", "{#"].iter().any(|mark| text.contains(mark))
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_fuel(Some(FUEL));
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment
}

/// Why a prompt is no template, with the line: expected and found, in words of our own.
pub fn check_template(text: &str) -> Result<(), String> {
    if !is_template(text) {
        return Ok(());
    }
    match environment().template_from_str(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!(
            "line {} of it: expected text with `{{{{path}}}}`, `{{% if … %}} … {{% endif %}}` or `{{% for … in … %}} … {{% endfor %}}`, found something that is none; write `{{{{ '{{{{' }}}}` for braces themselves",
            error.line().unwrap_or(1)
        )),
    }
}

/// The paths that a prompt names, as far as that can be told without filling it in.
pub fn template_paths(text: &str) -> BTreeSet<String> {
    if !is_template(text) {
        return BTreeSet::new();
    }
    let environment = environment();
    let template = environment.template_from_str(text);
    template.map(|template| template.undeclared_variables(true).into_iter().collect()).unwrap_or_default()
}

/// A value as templates read it.
fn given(value: &Value) -> minijinja::Value {
    match value {
        Value::Null => minijinja::Value::from(()),
        Value::Bool(b) => minijinja::Value::from(*b),
        Value::Int(n) => minijinja::Value::from(*n),
        Value::Float(x) => minijinja::Value::from(*x),
        Value::Text(text) => minijinja::Value::from(text.as_ref()),
        Value::List(list) => list.iter().map(given).collect(),
        Value::Map(map) => minijinja::Value::from_pairs(map.iter().map(|(key, value)| (key.to_string(), given(value)))),
    }
}

/// A prompt with its places filled in.
pub fn fill_template(text: &str, values: &Value) -> Result<String, Reason> {
    if !is_template(text) {
        return Ok(text.to_owned());
    }
    let failed = |error: minijinja::Error| Reason::new(Code::Template, format!("line {}", error.line().unwrap_or(1)));
    let environment = environment();
    let template = environment.template_from_str(text).map_err(failed)?;
    let filled = template.render(given(values)).map_err(failed)?;
    if filled.len() > LONGEST { Err(Reason::new(Code::TemplateSize, filled.len().to_string())) } else { Ok(filled) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Value {
        serde_json::from_str(r#"{"me":{"name":"ada","quality":{"persona":{"age":34,"likes":["tea","maps"]}}},"time":{"hour":9}}"#).unwrap()
    }

    fn filled(text: &str) -> String {
        fill_template(text, &values()).unwrap()
    }

    #[test]
    fn places_conditions_and_lists_are_filled_in_and_what_is_missing_is_nothing() {
        assert_eq!(filled("You are {{me.name}}, {{ me.quality.persona.age }}."), "You are ada, 34.");
        assert_eq!(filled("{% if time.hour < 12 %}Morning.{% else %}Later.{% endif %}"), "Morning.");
        assert_eq!(filled("{% for like in me.quality.persona.likes %}- {{like}}\n{% endfor %}"), "- tea\n- maps\n");
        assert_eq!(filled("[{{ caller.name }}{{ world.no.where.at.all }}]"), "[]");
        assert_eq!(filled("{\"json\": \"stays\"} & <b>"), "{\"json\": \"stays\"} & <b>");
    }

    #[test]
    fn the_paths_that_a_prompt_names_are_told_without_filling_it_in() {
        let text = "{% for like in me.quality.persona.likes %}{{ like.name }}{% endfor %}{% if time.hour > 9 %}{{ world.t.n }}{% endif %}";
        let paths: Vec<String> = template_paths(text).into_iter().collect();
        assert_eq!(paths, ["me.quality.persona.likes", "time.hour", "world.t.n"]);
        assert!(template_paths("{{ broken").is_empty() && template_paths("plain me.name").is_empty());
    }

    #[test]
    fn a_malformed_template_is_named_with_its_line_and_an_endless_one_runs_out_of_fuel() {
        assert!(check_template("fine {{me.name}}").is_ok() && check_template("{ no template }").is_ok());
        let error = check_template("one\ntwo {% if %}\n").unwrap_err();
        assert!(error.starts_with("line 2 of it: expected"), "{error}");
        assert!(check_template("{{ open").is_err() && check_template("{% include 'x' %}").is_err());
        let deep = format!("{}x{}", "{% for a in me.quality.persona.likes %}".repeat(40), "{% endfor %}".repeat(40));
        assert_eq!(fill_template(&deep, &values()).unwrap_err().code, Code::Template);
    }
}
