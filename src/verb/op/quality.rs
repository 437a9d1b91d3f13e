//! Qualities: set, unset, increased, pushed to.

use crate::fact::{Code, Fact, Fading, Millis, Reason, Text, Thing, Value};
use crate::world::{Change, Qualities, QualityError};

use super::super::right::Rule;
use super::deed::{Core, Deed};

pub(super) const OPS: &[Core] = &[
    Core {
        name: "quality.set",
        target: &[],
        about: "sets a quality of the target; null removes it",
        told: &[
            "removes {{last args.path}}[ of {{other}}]{{null args.value}}",
            "sets {{last args.path}}[ of {{other}}][ to {{args.value}}]",
            "sets a quality[ of {{other}}]",
        ],
        schema: r#"{"type":"object","required":["path","value"],"additionalProperties":false,"properties":{"path":{"type":"string"},"value":{}}}"#,
        rule: Rule::Place,
        draft: |deed| {
            let path = deed.required("path")?;
            let value = written(&path, &deed.value("value"), deed.at)?;
            check(deed, &path, &Change::Set(&value))?;
            Ok(vec![Fact::QualitySet { of: deed.target, path, value: value.into() }])
        },
    },
    Core {
        name: "quality.unset",
        target: &[],
        about: "removes a quality of the target",
        told: &["removes {{last args.path}}[ of {{other}}]", "removes a quality[ of {{other}}]"],
        schema: r#"{"type":"object","required":["path"],"additionalProperties":false,"properties":{"path":{"type":"string"}}}"#,
        rule: Rule::Place,
        draft: |deed| {
            let path = deed.required("path")?;
            check(deed, &path, &Change::Unset)?;
            Ok(vec![Fact::QualityUnset { of: deed.target, path }])
        },
    },
    Core {
        name: "quality.inc",
        target: &[],
        about: "adds a number to a quality of the target; a missing one counts as 0",
        told: &["changes {{last args.path}}[ of {{other}}][ by {{args.by}}]", "changes a quality[ of {{other}}]"],
        schema: r#"{"type":"object","required":["path"],"additionalProperties":false,"properties":{"path":{"type":"string"},"by":{"type":"number"}}}"#,
        rule: Rule::Place,
        draft: |deed| {
            let (path, by) = (deed.required("path")?, deed.args.get("by").cloned().unwrap_or(Value::Int(1)));
            check(deed, &path, &Change::Inc(&by))?;
            Ok(vec![Fact::QualityInc { of: deed.target, path, by: by.into() }])
        },
    },
    Core {
        name: "quality.push",
        target: &[],
        about: "appends to a list quality of the target; the newest `keep` stay",
        told: &["adds to {{last args.path}}[ of {{other}}]", "adds to a quality[ of {{other}}]"],
        schema: r#"{"type":"object","required":["path","value"],"additionalProperties":false,"properties":{
            "path":{"type":"string"},"value":{},"keep":{"type":"integer","minimum":1,"maximum":100000}}}"#,
        rule: Rule::Place,
        draft: |deed| {
            let (path, value) = (deed.required("path")?, deed.value("value"));
            let keep = deed.args.get("keep").and_then(Value::as_int).and_then(|keep| u32::try_from(keep).ok());
            check(deed, &path, &Change::Push(&value, keep))?;
            Ok(vec![Fact::QualityPush { of: deed.target, path, value: value.into(), keep }])
        },
    },
];

impl Deed<'_> {
    /// A quality fact for each key of a namespace of an argument.
    pub(super) fn qualities(&self, of: Thing) -> Result<Vec<Fact>, Reason> {
        let checked = first(self.args, self.at)?;
        let namespaces = checked.iter().filter_map(|(ns, value)| Some((ns, value.as_map()?)));
        let set =
            |ns: &Text, key: &Text, value: &Value| Fact::QualitySet { of, path: format!("{ns}.{key}").into(), value: value.clone().into() };
        Ok(namespaces.flat_map(|(ns, values)| values.iter().map(move |(key, value)| set(ns, key, value))).collect())
    }
}

/// The namespace that qualities must not have: its keys decide who thinks at what cost, and they are settings.
const SETTINGS: &str = "llm";

fn is_quality(ns: &str, path: &str) -> Result<(), Reason> {
    if ns == SETTINGS { Err(Reason::new(Code::SettingNotQuality, path)) } else { Ok(()) }
}

/// Tries the change on a copy, which shares all that it does not change.
pub(super) fn check(deed: &Deed<'_>, path: &Text, change: &Change<'_>) -> Result<(), Reason> {
    is_quality(path.split('.').next().unwrap_or_default(), path)?;
    let mut copy = deed.world.qualities(deed.target).cloned().ok_or_else(|| deed.wrong_target())?;
    copy.grow(path, change).map_err(|error| reason(&error, path))
}

/// A value as it is kept: where it is written as a number that fades, from when on and how long is said in milliseconds.
fn written(path: &str, value: &Value, at: Millis) -> Result<Value, Reason> {
    Fading::written(value, at).map_err(|error| Reason::new(Code::QualityFading, format!("{path}{}", error.place)))
}

/// The qualities that something is made with, under the same bounds as any later ones.
pub(in crate::verb) fn first(args: &Value, at: Millis) -> Result<Qualities, Reason> {
    let mut checked = Qualities::default();
    for (ns, values) in args.get("qualities").and_then(Value::as_map).into_iter().flatten() {
        is_quality(ns, &format!("/qualities/{ns}"))?;
        for (key, value) in values.as_map().ok_or_else(|| Reason::new(Code::ArgsType, format!("/qualities/{ns}")))? {
            let path: Text = format!("{ns}.{key}").into();
            let value = written(&path, value, at)?;
            checked.grow(&path, &Change::Set(&value)).map_err(|error| reason(&error, &path))?;
        }
    }
    Ok(checked)
}

/// Our own code for what is wrong with a change.
pub(in crate::verb) fn reason(error: &QualityError, path: &str) -> Reason {
    let code = match error {
        QualityError::Path(_) => Code::QualityPath,
        QualityError::TooDeep(_) => Code::QualityDepth,
        QualityError::TooLarge { .. } => Code::QualitySize,
        QualityError::Kind { .. } => Code::QualityKind,
        QualityError::Range(_) => Code::QualityRange,
    };
    Reason::new(code, path)
}
