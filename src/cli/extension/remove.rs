//! `extension remove`: takes an extension back: out of a living world, where its data stays, or out of a source.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use crate::extension::{is_removed, removed};
use crate::fact::{Call, Value};
use crate::source::remove_extension;
use crate::world::World;

use super::super::door::{Door, Ended};
use super::super::line::Reach;
use super::steps::{is_done, is_refused};

/// How many of those who need something are named.
const SHOWN: usize = 5;

/// Takes an extension back; its data stays
#[derive(Args)]
#[command(after_help = "Example: reelm extension remove hello

In a world its operations, resolvers, rules and settings end; its roles, what it has made and its history stay, and added again it goes on.")]
pub struct Remove {
    /// Its name
    name: String,
    /// Takes it out of the world source in this directory: its name, its hash and the files that were added
    #[arg(long, value_name = "DIR", conflicts_with = "as_being")]
    source: Option<PathBuf>,
    /// Though others need it: extensions that do are disabled
    #[arg(long)]
    force: bool,
    /// The being that takes it back: @operator where none is named, or the being of the token
    #[arg(long = "as", value_name = "@BEING")]
    as_being: Option<String>,
}

/// The plan of a removal.
struct Taking {
    /// The extensions that are disabled with it.
    names: Vec<String>,
    /// The acts that take it back, each with why: whoever needs another goes before it.
    steps: Vec<(Call, String)>,
}

impl Remove {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        match &self.source {
            Some(dir) => self.take_from_source(door, dir),
            None => self.take_from_world(door),
        }
    }

    fn take_from_source(&self, door: &Door, dir: &Path) -> Result<Ended> {
        let taken = remove_extension(dir, &self.name, self.force)?;
        door.say(&serde_json::json!({ "removed": taken.names, "left": taken.left }), || {
            let left = taken.left.as_ref().map(|left| {
                format!(
                    "; what lies in `{}` is not what was added, so all of it stays: take the folder away by hand if it is not wanted",
                    left.display()
                )
            });
            format!("{} is taken out of the source `{}`{}", taken.names.join(", "), dir.display(), left.unwrap_or_default())
        })?;
        Ok(Ended::Well)
    }

    fn take_from_world(&self, door: &Door) -> Result<Ended> {
        let reach = Reach::to(door)?;
        let world = reach.world(door)?;
        let Taking { names, steps } = self.taking(&world)?;
        if is_refused(door, &world, self.as_being.as_deref(), &steps)? {
            return Ok(Ended::Refused);
        }
        drop(world);
        if !is_done(door, reach, self.as_being.as_deref(), steps)? {
            return Ok(Ended::Refused);
        }
        door.say(&serde_json::json!({ "removed": self.name, "disabled": names }), || {
            let others = if names.is_empty() { String::new() } else { format!("; {} needed it, and is disabled", names.join(", ")) };
            format!("{} is taken back; its data stays{others}", self.name)
        })?;
        Ok(Ended::Well)
    }

    /// Plans the removal; an error where somebody would be left without what they need.
    fn taking(&self, world: &World) -> Result<Taking> {
        let registry = world.registry();
        let Some(there) = registry.extensions.get(self.name.as_str()).filter(|there| !is_removed(&there.manifest)) else {
            let names = registry.extensions.values().filter(|there| !is_removed(&there.manifest)).map(|there| format!("`{}`", there.name));
            let names = names.collect::<Vec<_>>().join(", ");
            bail!("the world has no extension `{}`; it has {}", self.name, if names.is_empty() { "none" } else { &names });
        };
        let needing = needing(world, &self.name);
        if !self.force {
            let naming = naming(world, &self.name);
            let by: Vec<String> = needing.iter().map(|name| format!("extension `{name}`")).chain(naming).collect();
            if !by.is_empty() {
                let more = by.len().saturating_sub(SHOWN);
                let shown = by.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                bail!("`{}` is needed by {shown}{more}; change that first, or take it back with --force", self.name);
            }
        }
        let disable = |name: &str, manifest: Value| {
            let args = [("name", Value::text(name)), ("enabled", Value::Bool(false)), ("manifest", manifest)];
            let args = Value::map(args.into_iter().filter(|(_, value)| !value.is_null()));
            (Call::doing("/", "extension.set", args), format!("disable extension {name}"))
        };
        let others = needing.iter().rev().map(|name| disable(name, Value::Null));
        let steps: Vec<(Call, String)> = others.chain([disable(&self.name, removed(&there.manifest))]).collect();
        Ok(Taking { names: needing, steps })
    }
}

/// The enabled extensions that need one, and those that need these: whoever needs another comes after it.
fn needing(world: &World, name: &str) -> Vec<String> {
    let mut gone = vec![name.to_owned()];
    let enabled = || world.registry().extensions.values().filter(|extension| extension.enabled);
    while let Some(next) = enabled().find(|extension| {
        let lacks = extension.needs().any(|need| !need.can_do_without && gone.iter().any(|gone| gone == need.name));
        lacks && !gone.iter().any(|gone| *gone == *extension.name)
    }) {
        gone.push(next.name.to_string());
    }
    gone.split_off(1)
}

/// The beings and spaces whose flows name a role of an extension.
fn naming(world: &World, name: &str) -> Vec<String> {
    let is_own = |role: &str| role.split_once(':').is_some_and(|(space, _)| space == name);
    let beings = world.beings().filter(|being| !being.ended);
    let beings = beings.filter(|being| being.own_roles().any(is_own));
    let spaces = world.spaces().filter(|space| space.flow.as_ref().is_some_and(|flow| flow.flow.roles().any(is_own)));
    beings.map(|being| format!("@{}", being.name)).chain(spaces.map(|space| world.path_of(space.id))).collect()
}
