//! Scene: what a source or an extension says must come out: given acts, a span of world time, and what holds then.
//!
//! A scene of a source stands in its world.toml, or in a file of its `tests/`, and is played in that world; a file of `tests/` that is a world
//! itself is played there. An extension has only such files. Playing it is the run's matter.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use crate::extension::{Package, toml_fault};
use crate::fact::line_of;

use super::error::SourceError;
use super::files::{files_in, read};
use super::item::{OnLine, TestItem};
use super::written::Source;

/// A scene, and the world that it is played in.
#[derive(Clone, Debug)]
pub struct Staged {
    /// The world.
    pub world: Source,
    /// The scene.
    pub item: TestItem,
    /// The file and line on which it stands.
    pub place: String,
    /// Where its cassette lies.
    pub beside: PathBuf,
}

/// A file that says scenes of another world.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenesFile {
    #[serde(default)]
    test: Vec<Spanned<TestItem>>,
}

/// The scenes of a directory: a world source's, or an extension's.
pub fn scenes(dir: &Path) -> Result<Vec<Staged>, SourceError> {
    let whole = dir.join("world.toml").is_file().then(|| Source::read(dir)).transpose()?;
    if whole.is_none() && !dir.join("manifest.toml").is_file() {
        return Err(SourceError::NoStage(dir.to_owned()));
    }
    let package = if whole.is_none() { Some(Package::load(dir)?) } else { None };
    let mut scenes = Vec::new();
    if let Some(world) = &whole {
        let tests = world.tests.clone();
        scenes.extend(tests.into_iter().map(|item| scene(world, item, &world.file, dir)));
    }
    let beside = dir.join("tests");
    for file in files_in(&beside, &["toml"])? {
        let (shown, text) = (file.display().to_string(), read(&file)?);
        let is_world = text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("name"));
        let (world, tests) = match &whole {
            Some(world) if !is_world => (world.clone(), told(&shown, &text)?),
            _ => {
                // Files that a world of a source names lie with the source; those of an extension, with its own tests.
                let home = if whole.is_some() { dir } else { &beside };
                let world = Source::parse_beside(home, &shown, &text, package.as_ref())?;
                let tests = world.tests.clone();
                (world, tests)
            }
        };
        scenes.extend(tests.into_iter().map(|item| scene(&world, item, &shown, &beside)));
    }
    Ok(scenes)
}

fn scene(world: &Source, item: OnLine<TestItem>, file: &str, beside: &Path) -> Staged {
    Staged { world: world.clone(), place: format!("{file}:{}", item.line), item: item.item, beside: beside.to_owned() }
}

/// The scenes of a file that is no world.
fn told(file: &str, text: &str) -> Result<Vec<OnLine<TestItem>>, SourceError> {
    let line = |at: usize| line_of(text, at);
    let written: ScenesFile = toml::from_str(text).map_err(|error| {
        SourceError::wrong(
            file.to_owned(),
            line(error.span().map_or(0, |span| span.start)),
            toml_fault(error.message(), error.span(), text),
        )
    })?;
    Ok(written.test.into_iter().map(|test| OnLine { line: line(test.span().start), item: test.into_inner(), from: None }).collect())
}
