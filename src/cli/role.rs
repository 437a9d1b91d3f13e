//! `role`: what may be worn: listed, shown, checked, set, taken back.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Subcommand;

use crate::fact::{Call, Canon, Hash, Value, visible};
use crate::past::{MomentName, Point, Version};
use crate::role::{Spec, Warning, or_meant};
use crate::source::{read_role, role_warnings, spec_warnings};
use crate::world::{World, iso};

use super::door::pretty;
use super::door::{Door, Ended};
use super::given::AtPoint;

/// Roles: list, show, lint, set, delete
#[derive(Subcommand)]
#[command(after_help = "Example: reelm role show emotions:bored")]
pub enum Role {
    /// Lists the roles of the world, with where each comes from
    #[command(after_help = "Example: reelm role list --data /tmp/skateco")]
    List {
        #[command(flatten)]
        then: AtPoint,
    },
    /// Shows a role of the world
    #[command(after_help = "Example: reelm role show emotions:bored --markdown")]
    Show {
        /// Its name
        name: String,
        /// As a role file
        #[arg(long)]
        markdown: bool,
        #[command(flatten)]
        then: AtPoint,
    },
    /// Lists every version that a role ever had, the newest first
    #[command(after_help = "Example: reelm role versions watcher

`reelm role show watcher --at 121`, with the point that a line names, shows that version.")]
    Versions {
        /// Its name
        name: String,
    },
    /// Checks role files; exits with 3 where it warns
    #[command(after_help = "Example: reelm role lint roles/*.md --data /tmp/skateco

Where there is a world in --data, what a role names is asked of it: things, operations, resolvers, scripts, signals.")]
    Lint {
        /// Markdown or JSON files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        then: AtPoint,
    },
    /// Gives a role of the world a new version, from a file
    #[command(after_help = "Example: reelm role set roles/watcher.md --as @operator")]
    Set {
        /// A Markdown or JSON file
        file: PathBuf,
        /// The being that sets it: @operator where none is named, or the being of the token
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
        /// The being that takes it back: @operator where none is named, or the being of the token
        #[arg(long = "as", value_name = "@BEING")]
        as_being: Option<String>,
    },
}

impl Role {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        match self {
            Self::List { then } => list(door, &then.at),
            Self::Show { name, markdown, then } => show(door, &name, markdown, &then.at),
            Self::Versions { name } => versions(door, &name),
            Self::Lint { files, then } => lint_files(door, &files, &then.at),
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

fn list(door: &Door, at: &Point) -> Result<Ended> {
    let (_, world) = door.world_at(at)?;
    for (name, role) in &world.registry().roles {
        let worn = world.wearers_of(name).count();
        let json = serde_json::json!({ "name": name, "origin": role.origin, "version": role.version, "hash": role.hash, "namedBy": worn });
        door.say(&json, || format!("{name}  (from {}, version {}, named by {worn} beings)", role.origin, role.version))?;
    }
    Ok(Ended::Well)
}

fn show(door: &Door, name: &str, markdown: bool, at: &Point) -> Result<Ended> {
    let (_, world) = door.world_at(at)?;
    let role = world.registry().roles.get(name).with_context(|| no_role(&world, name))?;
    door.say(&role.spec.to_value(), || if markdown { role.spec.to_markdown() } else { pretty(&role.spec.to_value()) })?;
    Ok(Ended::Well)
}

fn no_role(world: &World, name: &str) -> String {
    let meant = or_meant("", name, world.registry().roles.keys().map(AsRef::as_ref));
    format!("there is no role `{name}` in this world{meant}; `reelm role list` names them, `reelm role versions` those that are gone")
}

fn versions(door: &Door, name: &str) -> Result<Ended> {
    let (history, world) = door.world()?;
    let versions = history.versions_of_role(&name.into(), &world, u64::MAX)?.newest;
    if versions.is_empty() {
        bail!(no_role(&world, name));
    }
    for Version { version, space, seq, at, offset, by, label, whole } in versions {
        let (by, space) = (world.name_of(by), space.map(|space| world.path_of(space)));
        let is_back = whole.as_ref().is_none_or(Value::is_null);
        let hash = whole.as_ref().filter(|_| !is_back).map(|whole| Hash::of(&whole.to_canon()));
        let (point, time) = (Point::Before(MomentName::Seq(seq + 1)), iso(at, offset));
        let json =
            serde_json::json!({ "version": version, "at": point, "time": time, "space": space, "by": by, "label": label, "hash": hash });
        door.say(&json, || {
            let what =
                if is_back { "taken back".to_owned() } else { version.map_or_else(String::new, |version| format!("version {version}")) };
            let place = space.map(|space| format!(" in {space}")).unwrap_or_default();
            let label = label.as_ref().and_then(Value::as_str).map(|label| format!(": {}", visible(label))).unwrap_or_default();
            format!("--at {point}  {time}  {what}{place}, by {}{label}", by.as_str().unwrap_or("somebody"))
        })?;
    }
    Ok(Ended::Well)
}

fn lint_files(door: &Door, files: &[PathBuf], at: &Point) -> Result<Ended> {
    let mut is_clean = true;
    // Where there is a world, what a role names is asked of it.
    let world = if door.data.join("world.toml").exists() { Some(door.world_at(at)?.1) } else { None };
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
