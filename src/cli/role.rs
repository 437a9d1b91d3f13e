//! `role`: what may be worn: listed, shown, checked, set, taken back.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Subcommand;

use crate::fact::{Call, Value};
use crate::role::{Spec, Warning};
use crate::source::{read_role, role_warnings, spec_warnings};

use super::door::pretty;
use super::door::{Door, Ended};

/// Roles: list, show, lint, set, delete
#[derive(Subcommand)]
#[command(after_help = "Example: reelm role show emotions:bored")]
pub enum Role {
    /// Lists the roles of the world, with where each comes from
    #[command(after_help = "Example: reelm role list --data /tmp/skateco")]
    List,
    /// Shows a role of the world
    #[command(after_help = "Example: reelm role show emotions:bored --markdown")]
    Show {
        /// Its name
        name: String,
        /// As a role file
        #[arg(long)]
        markdown: bool,
    },
    /// Checks role files; exits with 3 where it warns
    #[command(after_help = "Example: reelm role lint roles/*.md --data /tmp/skateco

Where there is a world in --data, what a role names is asked of it: things, operations, resolvers, scripts, signals.")]
    Lint {
        /// Markdown or JSON files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Gives a role of the world a new version, from a file
    #[command(after_help = "Example: reelm role set roles/watcher.md --as @operator")]
    Set {
        /// A Markdown or JSON file
        file: PathBuf,
        /// Who sets it: @operator where nothing is said, or the being of the token
        #[arg(long = "as", value_name = "@BEING")]
        as_being: Option<String>,
    },
    /// Takes a role of the world back, unless a flow, a default role or grants name it
    #[command(after_help = "Example: reelm role delete watcher --as @operator")]
    Delete {
        /// Its name
        name: String,
        /// Also where somebody names it
        #[arg(long)]
        force: bool,
        /// Who takes it back: @operator where nothing is said, or the being of the token
        #[arg(long = "as", value_name = "@BEING")]
        as_being: Option<String>,
    },
}

impl Role {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        match self {
            Self::List => list(door),
            Self::Show { name, markdown } => show(door, &name, markdown),
            Self::Lint { files } => lint_files(door, &files),
            Self::Set { file, as_being } => {
                let spec = read_role(&file)?;
                let args = Value::map([("name", Value::from(&spec.name)), ("role", spec.to_value())]);
                super::act::act(door, as_being.as_deref(), Call::doing("/", "role.set", args))
            }
            Self::Delete { name, force, as_being } => {
                let force = force.then_some(("force", Value::Bool(true)));
                let args = Value::map([("name", Value::from(name)), ("role", Value::Null)].into_iter().chain(force));
                super::act::act(door, as_being.as_deref(), Call::doing("/", "role.set", args))
            }
        }
    }
}

fn list(door: &Door) -> Result<Ended> {
    let (_, world) = door.world()?;
    for (name, role) in &world.registry().roles {
        let worn = world.wearers_of(name).count();
        let json = serde_json::json!({ "name": name, "origin": role.origin, "version": role.version, "hash": role.hash, "namedBy": worn });
        door.say(&json, || format!("{name}  (from {}, version {}, named by {worn} beings)", role.origin, role.version))?;
    }
    Ok(Ended::Well)
}

fn show(door: &Door, name: &str, markdown: bool) -> Result<Ended> {
    let (_, world) = door.world()?;
    let role = world
        .registry()
        .roles
        .get(name)
        .with_context(|| format!("there is no role `{name}` in this world; `reelm role list` names them"))?;
    door.say(&role.spec.to_value(), || if markdown { role.spec.to_markdown() } else { pretty(&role.spec.to_value()) })?;
    Ok(Ended::Well)
}

fn lint_files(door: &Door, files: &[PathBuf]) -> Result<Ended> {
    let mut is_clean = true;
    // Where there is a world, what a role names is asked of it.
    let world = if door.data.join("world.toml").exists() { Some(door.world()?.1) } else { None };
    for file in files {
        let spec: Spec = read_role(file)?;
        let warnings: Vec<Warning> = world.as_ref().map_or_else(|| spec_warnings(&spec), |world| role_warnings(world, &spec));
        is_clean &= warnings.is_empty();
        door.say(&serde_json::json!({ "file": file, "role": spec.name, "warnings": warnings }), || {
            let lines: Vec<String> = warnings.iter().map(|warning| format!("{}: {warning}", file.display())).collect();
            if lines.is_empty() { format!("{}: {} is well formed", file.display(), spec.name) } else { lines.join("\n") }
        })?;
    }
    Ok(if is_clean { Ended::Well } else { Ended::Differs })
}
