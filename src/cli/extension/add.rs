//! `extension add`: shows what an extension brings, and adds it: to a living world by facts, to a source by its files; both pin its hash.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use crate::extension::{Bundle, Package, is_removed, pinned};
use crate::fact::{Call, Value};
use crate::source::{add_extension, steps_of};
use crate::world::World;

use super::super::door::{Door, Ended};
use super::super::line::Reach;
use super::brings::Brings;
use super::steps::{check_needs, is_done, is_refused};

/// Adds an extension: its directory, or a tar of one; shows what it brings and pins its hash
#[derive(Args)]
#[command(after_help = "Example: reelm extension add extensions/hello

Nothing is asked of any network. The hash is that of the files that come into worlds; other files under the same name and version are refused.")]
pub struct Add {
    /// Its directory, or a tar of it (.tar, .tar.gz)
    extension: PathBuf,
    /// Adds it to the world source in this directory: its files, its name and its hash
    #[arg(long, value_name = "DIR", conflicts_with = "as_being")]
    source: Option<PathBuf>,
    /// Only shows what it brings, and whether it could be added
    #[arg(long)]
    plan: bool,
    /// Puts it in the place of other files of its version, or of a later one
    #[arg(long)]
    replace: bool,
    /// The being that adds it: @operator where none is named, or the being of the token
    #[arg(long = "as", value_name = "@BEING")]
    as_being: Option<String>,
}

impl Add {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let bundle = Bundle::open(&self.extension)?;
        let package = bundle.package()?;
        match &self.source {
            Some(dir) => self.to_source(door, dir, &bundle, &package),
            None => self.to_world(door, &package),
        }
    }

    fn to_source(&self, door: &Door, dir: &Path, bundle: &Bundle, package: &Package) -> Result<Ended> {
        let is_new = add_extension(dir, bundle, self.replace, self.plan)?;
        let place = format!("the source `{}`", dir.display());
        self.say(door, package, usize::from(is_new), &place)
    }

    fn to_world(&self, door: &Door, package: &Package) -> Result<Ended> {
        if self.plan {
            let (_, world) = door.world()?;
            let steps = self.steps(package, &world)?;
            if is_refused(door, &world, self.as_being.as_deref(), &steps)? {
                return Ok(Ended::Refused);
            }
            return self.say(door, package, steps.len(), "the world");
        }
        let reach = Reach::to(door)?;
        let world = reach.world(door)?;
        let steps = self.steps(package, &world)?;
        if is_refused(door, &world, self.as_being.as_deref(), &steps)? {
            return Ok(Ended::Refused);
        }
        drop(world);
        let count = steps.len();
        if !is_done(door, reach, self.as_being.as_deref(), steps)? {
            return Ok(Ended::Refused);
        }
        self.say(door, package, count, "the world")
    }

    /// The acts that add it, after its versions have been looked at.
    fn steps(&self, package: &Package, world: &World) -> Result<Vec<(Call, String)>> {
        check_needs(package, world)?;
        let registry = world.registry();
        let there = registry.extensions.get(package.name.as_str()).filter(|there| !is_removed(&there.manifest));
        let steps = steps_of(package, world);
        if let Some(there) = there.filter(|_| !self.replace) {
            let version = there.manifest.get("version").and_then(Value::as_str).unwrap_or_default();
            let hash = pinned(&there.manifest);
            let own = package.hash.to_string();
            // One that was enabled from its directory is pinned by the same files.
            let is_same = hash.map_or_else(|| is_same(package, &there.manifest, &steps), |hash| hash == own);
            if !is_same {
                package.may_follow(version, hash)?;
            }
        }
        for other in registry.extensions.values().filter(|other| other.enabled) {
            let wanted = other.needs().find(|need| need.name == package.name);
            let wanted = wanted.and_then(|need| need.wanted.parse::<semver::VersionReq>().ok());
            if let Some(wanted) = wanted.filter(|wanted| !wanted.matches(&package.version)) {
                bail!("extension `{}` needs `{}` {wanted}; {} would not do", other.name, package.name, package.version);
            }
        }
        Ok(steps)
    }

    fn say(&self, door: &Door, package: &Package, acts: usize, place: &str) -> Result<Ended> {
        let brings = Brings::of(package);
        let json = serde_json::json!({ "name": package.name, "hash": package.hash.to_string(), "acts": acts, "planned": self.plan, "brings": brings.to_value() });
        let (name, version) = (&package.name, &package.version);
        door.say(&json, || {
            let end = match (acts, self.plan) {
                (0, _) => format!("{name} {version} is in {place} already; nothing to do"),
                (_, true) => format!("{name} {version} would be added to {place}"),
                (_, false) => format!("{name} {version} is added to {place}"),
            };
            format!("{}\n{end}", brings.words())
        })?;
        Ok(Ended::Well)
    }
}

/// Whether a world has all of an extension already but its hash.
fn is_same(package: &Package, manifest: &Value, steps: &[(Call, String)]) -> bool {
    let is_record = |call: &Call| call.action.as_ref() == "extension.set";
    let loose = Package { is_pinned: false, ..package.clone() };
    steps.iter().all(|(call, _)| is_record(call)) && loose.manifest_value() == *manifest
}
