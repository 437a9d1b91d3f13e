//! Steps: what adding, enabling and taking back an extension have in common: what it needs is there, and its acts are done one by one.

use anyhow::{Result, bail};

use crate::extension::Package;
use crate::fact::Call;
use crate::run::first_refused;
use crate::world::World;

use super::super::door::Door;
use super::super::inbox::Answers;
use super::super::line::Reach;

/// Refuses an extension whose needs are not there.
pub fn check_needs(package: &Package, world: &World) -> Result<()> {
    for (need, wanted) in &package.needs {
        let there = world.registry().extensions.get(need.as_str()).filter(|there| there.enabled);
        let version = there.and_then(|there| there.manifest.get("version")?.as_str()?.parse::<semver::Version>().ok());
        if !version.as_ref().is_some_and(|version| wanted.matches(version)) {
            bail!("extension `{}` needs `{need}` {wanted}; enable it first", package.name);
        }
    }
    Ok(())
}

/// Whether the world would refuse one of the acts: then that is told, and nothing of them is to be done.
pub fn is_refused(door: &Door, world: &World, being: Option<&str>, steps: &[(Call, String)]) -> Result<bool> {
    let Some((at, reason)) = first_refused(world, being, steps.iter().map(|(call, _)| call))? else { return Ok(false) };
    let why = steps.get(at).map_or("", |(_, why)| why);
    let json = serde_json::json!({ "refused": reason, "at": why });
    door.say(&json, || format!("this would be refused, so nothing is done: {reason} ({why})\n  {}", reason.code.sentence()))?;
    Ok(true)
}

/// Does acts, each with why, and lets go of the world; the first that is refused is told, and ends it.
pub fn is_done(door: &Door, mut reach: Reach, being: Option<&str>, steps: Vec<(Call, String)>) -> Result<bool> {
    for (call, why) in steps {
        let done = reach.act(being, Some(Answers::Nothing), call)?;
        if let Some(reason) = done.refused {
            reach.close()?;
            let json = serde_json::json!({ "refused": done.report.get("reason"), "at": why });
            door.say(&json, || format!("#{} refused: {reason} ({why})", done.seq))?;
            return Ok(false);
        }
    }
    reach.close()?;
    Ok(true)
}
