//! `check`: a source looked through without planting it: what is wrong with it, and what may not be meant.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::Args;

use crate::fact::{BeingId, Cognition, Millis, masked};
use crate::role::{LintCode, Warning};
use crate::run::{Living, MeasureError, Measures, scene_faults};
use crate::source::{BeingItem, CallsADay, Doubted, MeasureList, OnLine, Source, scene_warnings, world_warnings};
use crate::world::World;

use super::door::{Door, Ended};

/// Checks a world source without planting it
#[derive(Args)]
#[command(after_help = "Example: reelm check skateco --strict

It reads everything that the source names (roles, flows, scripts, measures, extensions), plants it in memory, and asks what came of it
for names, operations, resolvers, scripts, paths and signals that are not there, clauses that are never reached, beings that
nothing wakes, operations that no role names, and steps that can never pass the gate. It exits with 1 on an error, and with --strict on a warning too.")]
pub struct Check {
    /// The directory of the world source
    #[arg(default_value = ".")]
    source: PathBuf,
    /// Exit with 1 on a warning too
    #[arg(long)]
    strict: bool,
}

impl Check {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let source = Source::read(&self.source)?;
        source.notes.iter().for_each(|note| door.note(note));
        // At their keys and columns too.
        let located = |error: MeasureError| anyhow!(source.relocated(&error.to_string()));
        let mut measures = Measures::new(&MeasureList::of_source(&source)).map_err(located)?;
        let world = Arc::new(Living::imagine(&source)?);
        measures.rehearse(&world).map_err(located)?;
        let places = Whereabouts::of(&source);
        let mut warnings = world_warnings(&world);
        warnings.retain(|(_, warning)| !is_played(&source, warning));
        warnings.extend(of_scenes(&world, &source));
        for (of, warning) in &warnings {
            let Warning { place: within, code, what, hint } = warning;
            let place = places.of_doubted(of);
            // The line of a script is known already.
            let place = if matches!(of, Doubted::Script(..)) { place } else { source.located(&place, &format!("{within}: {what}")) };
            let json = serde_json::json!({ "file": place, "of": of.to_string(), "place": within, "code": code, "what": masked(what), "hint": hint });
            door.say(&json, || masked(&format!("{place}: {of}: {warning}")).into_owned())?;
        }
        if let Some(models) = alone(&world) {
            door.say(&serde_json::json!({ "modelsAlone": models }), || {
                format!(
                    "{models} models wake, and no two at one instant, so none shares a round with another: `run` asks them ahead of their \
                     moments (`--ahead`), and whatever is due while one thinks shares a round where its role says how long that takes (`thinks`)"
                )
            })?;
        }
        if let Some(CallsADay { scheduled, answers }) = CallsADay::of(&world) {
            door.say(&serde_json::json!({ "callsADay": { "scheduled": scheduled, "answers": answers } }), || {
                format!(
                    "models: {scheduled} calls a day by their schedules, and some {answers} more where each of them speaks and is answered; \
                     `reelm usage --estimate {}` guesses their tokens",
                    self.source.display()
                )
            })?;
        }
        let many = match warnings.len() {
            1 => "1 warning".to_owned(),
            many => format!("{many} warnings"),
        };
        if self.strict && !warnings.is_empty() {
            bail!("--strict: {many}");
        }
        let (name, beings) = (&source.name, source.beings.len());
        door.say(&serde_json::json!({ "world": name, "warnings": warnings.len() }), || {
            format!("{name}: {beings} {}, {many}", if beings == 1 { "being" } else { "beings" })
        })?;
        Ok(Ended::Well)
    }
}

/// The faults that keep the scenes of a source from being played, and the names in them of nothing that is there.
fn of_scenes(world: &World, source: &Source) -> Vec<(Doubted, Warning)> {
    let scenes = source.tests.iter().map(|test| &test.item).enumerate();
    let faults =
        scenes.flat_map(|(at, scene)| scene_faults(scene).into_iter().map(move |fault| (Doubted::Scene(at, scene.name.clone()), fault)));
    faults.chain(scene_warnings(world, source)).collect()
}

/// How many models a source has of which no two wake first at one instant, where that is more than one.
fn alone(world: &World) -> Option<usize> {
    let is_model = |id: &BeingId| world.being(*id).is_some_and(|being| being.cognition == Cognition::Llm);
    let due: Vec<Millis> = world.inbox().due().filter(|(_, id)| is_model(id)).map(|(due, _)| due).collect();
    let shares = due.windows(2).any(|pair| matches!(pair, [one, other] if one == other));
    (due.len() > 1 && !shares).then_some(due.len())
}

/// Whether a scene of the source itself sets what is said to be set by nobody.
fn is_played(source: &Source, warning: &Warning) -> bool {
    let writes = |action: &str| match warning.code {
        LintCode::UnknownSignal => action == "signal.set",
        LintCode::UnwrittenQuality => action.starts_with("quality."),
        _ => false,
    };
    let given = source.tests.iter().flat_map(|test| &test.item.given).filter(|given| given.action.as_deref().is_some_and(writes));
    given.filter_map(|given| given.args.get("path")?.as_str()).any(|path| warning.what.contains(&format!("`{path}`")))
}

/// Where in a source what is doubted is written.
struct Whereabouts<'a> {
    source: &'a Source,
    beings: BTreeMap<&'a str, &'a OnLine<BeingItem>>,
}

impl<'a> Whereabouts<'a> {
    fn of(source: &'a Source) -> Self {
        Self { source, beings: source.beings.iter().map(|being| (being.item.name.as_str(), being)).collect() }
    }

    fn of_doubted(&self, of: &Doubted) -> String {
        let file = &self.source.file;
        let line = match of {
            Doubted::Being(name) => {
                let Some(being) = self.beings.get(name.as_ref()) else { return file.clone() };
                let row = being.from.as_ref().map(|row| format!(" ({row})")).unwrap_or_default();
                return format!("{file}:{}{row}", being.line);
            }
            Doubted::Space(path) => self.source.spaces.iter().find(|space| space.item.path == *path).map(|space| space.line),
            Doubted::Signal(path) => self.source.signals.iter().find(|signal| signal.item.path == path.as_ref()).map(|signal| signal.line),
            Doubted::Role(name) => return self.of_role(name),
            Doubted::Rule(name) => {
                let rule = self.source.rules.iter().find(|rule| rule.name == name.as_ref());
                return rule.map_or_else(|| self.of_brought("rule", name), |rule| rule.file.clone());
            }
            Doubted::Script(name, line) => return self.of_script(name, *line),
            Doubted::Try(at) => self.source.tries.get(*at).map(|item| item.line),
            Doubted::Now(at) => self.source.now.get(*at).map(|item| item.line),
            Doubted::Measure(at, _) => self.source.measures.get(*at).map(|measure| measure.line),
            Doubted::Table(at, _) => self.source.tables.get(*at).map(|table| table.line),
            Doubted::Scene(at, _) => self.source.tests.get(*at).map(|scene| scene.line),
            Doubted::Operation(name) => return self.of_brought("operation", name),
        };
        line.map_or_else(|| file.clone(), |line| format!("{file}:{line}"))
    }

    /// The line in the source itself, or the manifest of the extension that brings something of this name.
    fn of_brought(&self, kind: &str, name: &str) -> String {
        let within = name.split_once(':').map_or(name, |(_, within)| within);
        match self.source.line_of(kind, within).filter(|_| self.source.says_itself(name)) {
            Some(line) => format!("{}:{line}", self.source.file),
            None => format!("extensions/{}/manifest.toml", name.split(':').next().unwrap_or_default()),
        }
    }

    /// The file in which a script lies, and the line.
    fn of_script(&self, name: &str, line: u32) -> String {
        let own =
            self.source.scripts.iter().find(|(own, ..)| own == name).map(|(_, file, _)| self.source.dir.join(file).display().to_string());
        // Within the extension that the file itself is.
        let within = name.split_once('/').map(|(_, within)| within).filter(|_| self.source.says_itself(name)).unwrap_or(name);
        if let Some(first) = self.source.inline.get(within) {
            return format!("{}:{}", self.source.file, first + line.saturating_sub(1) as usize);
        }
        let brought = || self.source.extensions.iter().flat_map(|package| &package.scripts).find(|script| script.name == name);
        let file = own.or_else(|| brought().map(|script| format!("extensions/{}", script.file))).unwrap_or_else(|| name.to_owned());
        format!("{file}:{line}")
    }

    /// The folder in which a role's file lies, or the world.toml.
    fn of_role(&self, name: &str) -> String {
        if let Some(line) = self.source.line_of("role", name) {
            return format!("{}:{line}", self.source.file);
        }
        let of = self.source.extensions.iter().find(|package| package.specs().any(|spec| spec.name.as_ref() == name));
        let folder = self.source.dir.join("roles");
        let own = || if folder.is_dir() { folder.display().to_string() } else { self.source.file.clone() };
        of.map_or_else(own, |package| format!("extensions/{}/roles", package.name))
    }
}
