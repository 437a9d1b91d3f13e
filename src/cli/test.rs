//! `test`: the scenes of a source or an extension, played.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;

use crate::run::play;
use crate::source::{Staged, scenes};

use super::door::{Door, Ended};
use super::given;
use super::junit::{JunitCase, write_junit};

/// Plays the scenes of a world source or an extension, and says what comes out otherwise
#[derive(Args)]
#[command(after_help = "Example: reelm test extensions/library --seeds 3 --junit report.xml

A scene is a `[[test]]` of a world.toml or of a file in `tests/`: given acts, a span of world time, and what holds then.
Nothing outside is asked: what models answer comes from the scene's cassette. Exit code 1 where a scene fails.")]
pub struct Test {
    /// The directory of a world source or of an extension
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// In how many worlds each scene is played, each with a seed of its own, whatever the scene says
    #[arg(long, value_name = "N", value_parser = given::count())]
    seeds: Option<usize>,
    /// Play only the scenes whose names contain this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Write what came out as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// A scene that was played in one world.
struct Played<'a> {
    scene: &'a Staged,
    seed: u64,
    faults: Vec<String>,
    took: Duration,
}

impl Test {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let all = scenes(&self.dir)?;
        let wanted = |scene: &&Staged| self.only.as_deref().is_none_or(|text| scene.item.name.contains(text));
        let scenes: Vec<&Staged> = all.iter().filter(wanted).collect();
        if scenes.is_empty() {
            let dir = self.dir.display();
            match self.only.as_ref().filter(|_| !all.is_empty()) {
                Some(text) => bail!("`{dir}` has {} scenes, and `{text}` is in the name of none", all.len()),
                None => bail!("`{dir}` has no scenes; write a `[[test]]` in a world.toml or in `{dir}/tests/`"),
            }
        }
        let mut played = Vec::new();
        for scene in scenes {
            let seeds = self.seeds.map_or(scene.item.seeds.map_or(1, NonZeroU64::get), |seeds| seeds as u64);
            for seed in scene.world.seed..scene.world.seed.saturating_add(seeds) {
                let begun = Instant::now();
                let faults = play(scene, seed);
                let one = Played { scene, seed, faults, took: begun.elapsed() };
                door.say(&one.to_json(), || one.words())?;
                played.push(one);
            }
        }
        if let Some(file) = &self.junit {
            let cases: Vec<JunitCase> = played.iter().map(Played::case).collect();
            write_junit(file, &self.dir.display().to_string(), &cases)?;
        }
        match played.iter().filter(|one| !one.faults.is_empty()).count() {
            0 => Ok(Ended::Well),
            failed => bail!("{failed} of {} scenes came out otherwise than they say", played.len()),
        }
    }
}

impl Played<'_> {
    fn to_json(&self) -> serde_json::Value {
        serde_json::json!({ "name": self.scene.item.name, "at": self.scene.place, "seed": self.seed, "faults": self.faults })
    }

    fn case(&self) -> JunitCase {
        JunitCase {
            place: self.scene.place.clone(),
            name: format!("{} (seed {})", self.scene.item.name, self.seed),
            took: Some(self.took),
            failures: self.faults.clone(),
            skipped: None,
        }
    }

    fn words(&self) -> String {
        let mark = if self.faults.is_empty() { "ok    " } else { "failed" };
        let mut text = format!("{mark}  {}: {} (seed {})", self.scene.place, self.scene.item.name, self.seed);
        self.faults.iter().for_each(|fault| text += &format!("\n        {fault}"));
        text
    }
}
