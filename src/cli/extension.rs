//! `extension`: what a world is extended by: listed, checked, enabled, disabled.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Subcommand;

use crate::extension::Package;
use crate::fact::{Call, Value};
use crate::source::{find_extension, steps_of};

use super::door::{Door, Ended};
use super::line::Reach;

/// Extensions: list, check, enable, disable
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
    /// Enables an extension: its directory, or the name of one in `extensions/` here or above
    #[command(after_help = "Example: reelm extension enable emotions")]
    Enable {
        /// Directory or name
        extension: String,
        /// Who enables it: @operator where nothing is said, or the being of the token
        #[arg(long = "as", value_name = "@BEING")]
        as_being: Option<String>,
    },
    /// Disables an extension; its data stays
    #[command(after_help = "Example: reelm extension disable emotions")]
    Disable {
        /// Its name
        name: String,
        /// Who disables it: @operator where nothing is said, or the being of the token
        #[arg(long = "as", value_name = "@BEING")]
        as_being: Option<String>,
    },
}

impl ExtensionCommand {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        match self {
            Self::List => {
                let (_, world) = door.world(None)?;
                for (name, extension) in &world.registry().extensions {
                    let version = extension.manifest.get("version").and_then(Value::as_str).unwrap_or("?").to_owned();
                    let state = if extension.enabled { "enabled" } else { "disabled" };
                    door.say(&serde_json::json!({ "name": name, "version": version, "enabled": extension.enabled }), || {
                        format!("{name} {version} ({state})")
                    })?;
                }
                Ok(Ended::Well)
            }
            Self::Check { dir } => {
                let package = Package::load(&dir)?;
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
            Self::Enable { extension, as_being } => enable(door, &extension, as_being.as_deref()),
            Self::Disable { name, as_being } => {
                let args = Value::map([("name", Value::from(name)), ("enabled", Value::Bool(false))]);
                super::act::act(door, as_being.as_deref(), Call::doing("/", "extension.set", args))
            }
        }
    }
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
    let mut reach = Reach::to(door)?;
    let world = reach.world(door)?;
    for (need, wanted) in &package.needs {
        let there = world.registry().extensions.get(need.as_str()).filter(|there| there.enabled);
        let version = there.and_then(|there| there.manifest.get("version")?.as_str()?.parse::<semver::Version>().ok());
        if !version.as_ref().is_some_and(|version| wanted.matches(version)) {
            bail!("extension `{}` needs `{need}` {wanted}; enable it first", package.name);
        }
    }
    let steps = steps_of(&package, &world);
    let count = steps.len();
    for (call, why) in steps {
        let done = reach.act(being, call)?;
        if let Some(reason) = done.refused {
            reach.close()?;
            let json = serde_json::json!({ "refused": done.report.get("reason"), "at": why });
            door.say(&json, || format!("#{} refused: {reason} ({why})", done.seq))?;
            return Ok(Ended::Refused);
        }
    }
    reach.close()?;
    door.say(&serde_json::json!({ "name": package.name, "acts": count }), || {
        format!("{} {} is enabled ({count} acts)", package.name, package.version)
    })?;
    Ok(Ended::Well)
}
