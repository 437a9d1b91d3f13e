//! `extension`: what a world is extended by: listed, shown, checked, added and taken back, enabled and disabled, all but some at once.

mod add;
mod brings;
mod remove;
mod steps;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Subcommand;

use crate::cognition::ways_failed;
use crate::extension::{Bundle, Package, is_removed, pinned};
use crate::fact::{Call, Text, Value};
use crate::source::{find_extension, steps_of};
use crate::verb::only;

use super::door::{Door, Ended};
use super::line::Reach;
use brings::Brings;
use steps::{check_needs, is_done, is_refused};

/// Extensions: list, show, check, add, remove, enable, disable, only
#[derive(Subcommand)]
#[command(after_help = "Example: reelm extension check extensions/hello")]
pub enum ExtensionCommand {
    /// Lists the extensions of the world
    #[command(after_help = "Example: reelm extension list --data /tmp/skateco")]
    List,
    /// Checks an extension's directory
    #[command(after_help = "Example: reelm extension check extensions/skateco")]
    Check {
        /// Its directory
        dir: PathBuf,
    },
    /// Shows what an extension of the world brings, or one in a directory or a tar
    #[command(after_help = "Example: reelm extension show extensions/skateco")]
    Show {
        /// Its name, its directory, or a tar of that
        extension: String,
    },
    Add(add::Add),
    Remove(remove::Remove),
    /// Enables an extension: its directory, or the name of one in `extensions/` here or above
    #[command(after_help = "Example: reelm extension enable emotions")]
    Enable {
        /// Directory or name
        extension: String,
        /// The being that enables it: @operator where none is named, or the being of the token
        #[arg(long = "as", value_name = "@BEING")]
        as_being: Option<String>,
    },
    /// Disables an extension that no other needs; its data stays
    #[command(after_help = "Example: reelm extension disable emotions")]
    Disable {
        /// Its name
        name: String,
        /// Also disables whatever needs it
        #[arg(long)]
        force: bool,
        /// The being that disables it: @operator where none is named, or the being of the token
        #[arg(long = "as", value_name = "@BEING")]
        as_being: Option<String>,
    },
    /// Enables these extensions with what they need, and disables all others
    #[command(after_help = "Example: reelm extension only court library

A profile of the world's source stands for the extensions that it lists: `reelm extension only night`.")]
    Only {
        /// Their names, or those of profiles
        #[arg(required = true)]
        names: Vec<String>,
        /// Only show what would be done
        #[arg(long)]
        plan: bool,
        /// The being that does it: @operator where none is named, or the being of the token
        #[arg(long = "as", value_name = "@BEING")]
        as_being: Option<String>,
    },
}

impl ExtensionCommand {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        match self {
            Self::List => {
                let (_, world) = door.world()?;
                for (name, extension) in &world.registry().extensions {
                    let version = extension.manifest.get("version").and_then(Value::as_str).unwrap_or("?").to_owned();
                    let state = match extension.enabled {
                        true => "enabled",
                        false if is_removed(&extension.manifest) => "taken back",
                        false => "disabled",
                    };
                    let hash = pinned(&extension.manifest);
                    door.say(&serde_json::json!({ "name": name, "version": version, "enabled": extension.enabled, "hash": hash }), || {
                        format!("{name} {version} ({state}){}", hash.map(|hash| format!(" {hash}")).unwrap_or_default())
                    })?;
                }
                Ok(Ended::Well)
            }
            Self::Check { dir } => {
                let package = Package::load(&dir)?;
                check_ways(&package, &dir)?;
                door.say(&package.manifest_value(), || {
                    let (ops, roles, scripts) = (package.operations.len(), package.roles.len(), package.scripts.len());
                    format!(
                        "{} {} is well formed: {ops} operations, {} resolvers, {roles} roles, {scripts} scripts",
                        package.name,
                        package.version,
                        package.resolvers.len()
                    )
                })?;
                Ok(Ended::Well)
            }
            Self::Show { extension } => show(door, &extension),
            Self::Add(add) => add.run(door),
            Self::Remove(remove) => remove.run(door),
            Self::Enable { extension, as_being } => enable(door, &extension, as_being.as_deref()),
            Self::Disable { name, force, as_being } => {
                let force = force.then_some(("force", Value::Bool(true)));
                let args = Value::map([("name", Value::from(name)), ("enabled", Value::Bool(false))].into_iter().chain(force));
                super::act::act(door, as_being.as_deref(), Call::doing("/", "extension.set", args))
            }
            Self::Only { names, plan: true, as_being } => plan_only(door, &names, as_being.as_deref()),
            Self::Only { names, plan: false, as_being } => super::act::act(door, as_being.as_deref(), only_call(&names)),
        }
    }
}

/// Each way of asking a model can send the schema of each operation.
fn check_ways(package: &Package, dir: &Path) -> Result<()> {
    let file = dir.join("manifest.toml");
    let of = |operation: &Value| {
        let name = operation.get("name").and_then(Value::as_str).unwrap_or_default();
        let faults = ways_failed(name, operation.get("args").unwrap_or(&Value::Null));
        faults.iter().map(|fault| format!("{}: operation `{name}`.args: {fault}", file.display())).collect::<Vec<_>>()
    };
    let faults: Vec<String> = package.operations.iter().flat_map(of).collect();
    if faults.is_empty() { Ok(()) } else { bail!("{}", faults.join("\n")) }
}

/// The one act that enables some and disables all others.
fn only_call(names: &[String]) -> Call {
    Call::doing("/", "extension.only", Value::map([("names", Value::List(names.iter().map(Value::text).collect()))]))
}

/// Says what `only` would enable and disable, or why it would be refused.
fn plan_only(door: &Door, names: &[String], being: Option<&str>) -> Result<Ended> {
    let (_, world) = door.world()?;
    if is_refused(door, &world, being, &[(only_call(names), "enable these alone".to_owned())])? {
        return Ok(Ended::Refused);
    }
    let names: Vec<Text> = names.iter().map(|name| name.as_str().into()).collect();
    let changed = only(&world, &names).map_err(|reason| anyhow!("this would be refused: {reason}"))?;
    let json: serde_json::Map<_, _> = changed.iter().map(|(name, enabled)| (name.to_string(), (*enabled).into())).collect();
    door.say(&json, || {
        let line = |(name, enabled): &(Text, bool)| format!("{} {name}", if *enabled { "enable" } else { "disable" });
        let lines: Vec<String> = changed.iter().map(line).collect();
        if lines.is_empty() {
            "the world is so already; nothing to do".to_owned()
        } else {
            format!("{}\nthis would be done, in one act", lines.join("\n"))
        }
    })?;
    Ok(Ended::Well)
}

/// Shows what an extension brings: one of the world by its name, else one by its path.
fn show(door: &Door, extension: &str) -> Result<Ended> {
    let path = PathBuf::from(extension);
    let is_path = extension.contains(['/', '.']);
    let world = if is_path { None } else { door.world().ok().map(|(_, world)| world) };
    if let Some(brings) = world.as_ref().and_then(|world| Brings::in_world(world, extension)) {
        door.say(&brings.to_value(), || brings.words())?;
        return Ok(Ended::Well);
    }
    if !is_path && !path.exists() {
        bail!("no extension `{extension}`: the world has none of that name, and no directory or archive lies there");
    }
    let package = Bundle::open(&path)?.package()?;
    let brings = Brings::of(&package);
    door.say(&brings.to_value(), || brings.words())?;
    Ok(Ended::Well)
}

fn enable(door: &Door, extension: &str, being: Option<&str>) -> Result<Ended> {
    let given = PathBuf::from(extension);
    let dir = if given.join("manifest.toml").is_file() {
        given
    } else {
        find_extension(&std::env::current_dir()?, extension).with_context(|| {
            format!("no extension `{extension}`: neither a directory with a manifest.toml, nor in `extensions/` here or above")
        })?
    };
    let package = Package::load(&dir)?;
    let reach = Reach::to(door)?;
    let world = reach.world(door)?;
    check_needs(&package, &world)?;
    let steps = steps_of(&package, &world);
    if is_refused(door, &world, being, &steps)? {
        return Ok(Ended::Refused);
    }
    drop(world);
    let count = steps.len();
    if !is_done(door, reach, being, steps)? {
        return Ok(Ended::Refused);
    }
    door.say(&serde_json::json!({ "name": package.name, "acts": count }), || {
        format!("{} {} is enabled ({count} acts)", package.name, package.version)
    })?;
    Ok(Ended::Well)
}
