//! Rules: those that a source gives its world, one a file of its `rules/`, compiled once so that what is unknown in one is named here.

use std::path::Path;

use crate::extension::{Package, RuleItem, toml_fault};
use crate::fact::{Text, Value, line_of};
use crate::role::Judge;
use crate::script::Sandbox;
use crate::verb::doubt;
use crate::world::OWN_RULES;

use super::error::SourceError;
use super::files::{each_in, inside, read};

/// A rule of a source.
#[derive(Clone, Debug)]
pub struct RuleFile {
    /// Its name, without the namespace.
    pub name: String,
    /// The file.
    pub file: String,
    /// The rule as the world records it.
    pub rule: Value,
    /// Its script: the name by which the world knows it, the file and its text.
    pub script: Option<(String, String, String)>,
}

/// The rules of a directory's `rules/`, by name.
pub(super) fn rules(dir: &Path, extensions: &[Package]) -> Vec<Result<RuleFile, SourceError>> {
    let operations = extensions.iter().flat_map(|package| &package.operations);
    let operations: Vec<Text> = operations.filter_map(|operation| operation.get("name")?.as_text().cloned()).collect();
    each_in(&dir.join("rules"), &["toml", "json"], |file| rule(dir, file, &operations))
}

fn rule(dir: &Path, file: &Path, operations: &[Text]) -> Result<RuleFile, SourceError> {
    let (shown, text) = (file.display().to_string(), read(file)?);
    let wrong = |near: &str, what: String| {
        let line = line_of(&text, text.find(near).unwrap_or(0));
        SourceError::wrong(shown.clone(), line, what)
    };
    let malformed = |line: usize, what: String| SourceError::wrong(shown.clone(), line, what);
    let item: RuleItem = if file.extension().is_some_and(|ending| ending == "json") {
        serde_json::from_str(&text).map_err(|error| malformed(error.line(), error.to_string()))?
    } else {
        let line = |span: Option<std::ops::Range<usize>>| line_of(&text, span.map_or(0, |span| span.start));
        toml::from_str(&text).map_err(|error| malformed(line(error.span()), toml_fault(error.message(), error.span(), &text)))?
    };
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let name = if item.name.is_empty() { stem.to_owned() } else { item.name.clone() };
    let script = item.script.as_deref().map(|named| script(dir, named).map_err(|what| wrong(named, what))).transpose()?;
    let rule = item.to_value(script.as_ref().map(|(name, ..)| name.as_str()));
    let judge = Judge::compile(&format!("{OWN_RULES}:{name}"), &rule);
    let judge = judge.map_err(|error| wrong(error.place.split(['.', '[']).next().unwrap_or_default(), error.to_string()))?;
    match judge.on().iter().find_map(|entry| doubt(entry, operations, |_| false)) {
        Some(doubt) => Err(wrong("on", format!("on: {doubt}"))),
        None => Ok(RuleFile { name, file: shown, rule, script }),
    }
}

/// A rule's script, read and checked.
fn script(dir: &Path, named: &str) -> Result<(String, String, String), String> {
    let name = named.strip_suffix(".rhai").filter(|name| name.starts_with("rules/"));
    let name = name.ok_or_else(|| format!("script: expected a file such as `rules/loans.rhai`, found `{named}`"))?;
    let path = inside(dir, named).map_err(|what| format!("script: {what}"))?;
    let source = read(&path).map_err(|error| format!("script: {error}"))?;
    Sandbox::check(&source, named, "judge", 1).map_err(|error| format!("script: {error}"))?;
    Ok((name.to_owned(), named.to_owned(), source))
}
