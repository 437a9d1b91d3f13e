//! JSON context: a moment and a wardrobe given as JSON, for the command line, for fixtures and for tests.
//!
//! Paths may be nested objects, dotted keys or a mixture; the live moment has a context of its own and never comes through here.

use std::collections::BTreeMap;

use crate::fact::{Text, Value};

use super::path::{Path, PathError};
use super::seen::{Context, Seen};
use super::spec::{RoleError, Spec};
use super::wardrobe::Wardrobe;

/// A moment read from JSON: `{"space.name": "court"}` and `{"space": {"name": "court"}}` are the same.
#[derive(Clone, Debug, Default)]
pub struct JsonContext {
    found: BTreeMap<Path, Value>,
    unknown: Vec<Text>,
}

impl JsonContext {
    /// Reads an object.
    pub fn read(value: &Value) -> Result<Self, PathError> {
        let Value::Map(_) = value else {
            return Err(PathError { found: value.to_string().chars().take(60).collect(), what: "a context is an object" });
        };
        let mut context = Self::default();
        context.gather("", value)?;
        Ok(context)
    }

    /// The given paths that no condition can ask about, so that a mistyped one is not silently missing.
    pub fn unknown(&self) -> &[Text] {
        &self.unknown
    }

    fn gather(&mut self, above: &str, value: &Value) -> Result<(), PathError> {
        let Value::Map(map) = value else { return Ok(()) };
        for (key, value) in map {
            let text = if above.is_empty() { key.to_string() } else { format!("{above}.{key}") };
            let path = match Path::parse(&text) {
                Ok(path) => path,
                // Inside a quality any key may stand; the whole value is reached from above.
                Err(_) if self.holds_above(above) => continue,
                Err(error) => return Err(error),
            };
            match (path, value) {
                (Path::Unknown(_), Value::Map(_)) => {}
                (Path::Unknown(text), _) => self.unknown.push(text),
                (path, value) => {
                    self.found.insert(path, value.clone());
                }
            }
            self.gather(&text, value)?;
        }
        Ok(())
    }

    fn holds_above(&self, above: &str) -> bool {
        Path::parse(above).is_ok_and(|path| self.found.contains_key(&path))
    }
}

impl Context for JsonContext {
    fn seen(&self, path: &Path) -> Seen<'_> {
        self.found.get(path).into()
    }
}

/// Roles read from JSON: a name with its spec, or with null where it is not registered; every other name counts as registered.
#[derive(Clone, Debug, Default)]
pub struct JsonWardrobe {
    roles: BTreeMap<Text, Option<Spec>>,
    any: Spec,
}

impl JsonWardrobe {
    /// Reads an object from names to specs; a spec may leave its name out.
    pub fn read(file: &str, value: &Value) -> Result<Self, RoleError> {
        let Value::Map(map) = value else {
            return Err(RoleError::shape(file, "an object from names to roles", value));
        };
        let mut wardrobe = Self::default();
        for (name, value) in map {
            let spec = match value {
                Value::Null => None,
                Value::Map(spec) => {
                    let mut spec = spec.clone();
                    spec.entry("name".into()).or_insert_with(|| Value::from(name));
                    Some(Spec::from_value(&Value::Map(spec)).map_err(|error| error.in_file(file))?)
                }
                other => return Err(RoleError::shape(file, "a role or null", other)),
            };
            wardrobe.roles.insert(name.clone(), spec);
        }
        Ok(wardrobe)
    }
}

impl Wardrobe for JsonWardrobe {
    fn role(&self, name: &str) -> Option<&Spec> {
        self.roles.get(name).map_or(Some(&self.any), Option::as_ref)
    }
}
