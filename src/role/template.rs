//! Template: a prompt as text with `{{me.quality.persona.age}}` and `{% if … %}` over what a moment is like; checked when it is written.
//!
//! A text without either is no template and stays as it is. Filling one in reads nothing but the values it is given, has so much fuel and
//! no more, and takes what is missing for nothing.

use std::collections::BTreeSet;

use minijinja::{Environment, UndefinedBehavior};

use crate::fact::{Code, Reason, Value, text_lines};

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

/// The paths that stand in one brace, as `{me.name}`, in a text whose places have two.
pub(super) fn single_paths(text: &str) -> Vec<&str> {
    let (mut paths, mut rest) = (Vec::new(), text);
    // Here braces are meant as they stand.
    if text.contains("{% raw") {
        return paths;
    }
    while let Some(behind) = rest.find('{').and_then(|at| rest.get(at..)) {
        let block = [("{{", "}}"), ("{%", "%}"), ("{#", "#}")].into_iter().find(|(begins, _)| behind.starts_with(begins));
        let (begins, ends) = block.unwrap_or(("{", "}"));
        let inside = behind.get(begins.len()..).unwrap_or_default();
        let path = inside.split_once(ends).map(|(inside, _)| inside.split('|').next().unwrap_or_default().trim());
        paths.extend(path.filter(|path| block.is_none() && is_path(path)));
        rest = match inside.split_once(ends) {
            Some((_, behind)) if block.is_some() => behind,
            _ => inside,
        };
    }
    paths
}

/// Whether a text may be a path: words with dots between them.
fn is_path(text: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    text.starts_with(char::is_alphabetic) && text.split('.').all(is_word)
}

/// A value as templates read it.
fn given(value: &Value) -> minijinja::Value {
    match value {
        Value::Null => minijinja::Value::from(()),
        Value::Bool(b) => minijinja::Value::from(*b),
        Value::Int(n) => minijinja::Value::from(*n),
        Value::Float(x) => minijinja::Value::from(*x),
        Value::Text(text) => minijinja::Value::from(below_quoted(text)),
        Value::List(list) => list.iter().map(given).collect(),
        Value::Map(map) => minijinja::Value::from_pairs(map.iter().map(|(key, value)| (key.to_string(), given(value)))),
    }
}

/// A text of others within the words of a role: each line of it but the first begins with `> `, so that none passes for the role's or ours.
fn below_quoted(text: &str) -> String {
    let mut lines = text_lines(text.trim_end());
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |told, line| format!("{told}\n> {line}"))
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
