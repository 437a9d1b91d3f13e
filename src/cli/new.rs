//! `new`: a world, an extension or a role of one's own, which works at once.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{ArgGroup, Args};

use crate::extension::Manifest;
use crate::run::retape;
use crate::source::{Source, begin_extension, begin_role, begin_world, list_extension, scenes};

use super::door::{Door, Ended};

/// Makes a small world of your own, which lives at once; or an extension, or a role
#[derive(Args)]
#[command(group(ArgGroup::new("what").required(true).args(["dir", "extension", "role"])))]
#[command(after_help = "Example: reelm new café

A world begins as a café, a clinic, a school or a market: one file, which explains itself. `--from skateco` takes a shipped world with its
extensions, `--from two-editors` a recipe of the cookbook, and `--from ./mine` the source in a folder. Its operations, signals and
qualities are then called as the new folder is. Beside it stands `world.schema.json`, by which an editor completes it.
--extension and --role write into `extensions/` and `roles/` of the source where you are, or of the only one beside you.")]
pub struct New {
    /// The folder of the world, which is called as the folder is
    dir: Option<PathBuf>,
    /// Its beginning: cafe, clinic, school, market, a shipped world, a recipe of the cookbook, or the folder of a source
    #[arg(long, value_name = "WORLD", default_value = "cafe")]
    from: String,
    /// An extension of that name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["dir", "from", "role"])]
    extension: Option<String>,
    /// A role of that name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["dir", "from"])]
    role: Option<String>,
}

impl New {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (made, next) = match (&self.dir, &self.extension, &self.role) {
            (Some(dir), ..) => {
                let world = begin_world(dir, &self.from, &Source::schema())?;
                // Models are asked under the world's own name now.
                retape(&scenes(dir)?)?;
                let shown = pasted(&dir.display().to_string());
                (
                    dir.clone(),
                    format!(
                        "the world `{world}` stands in `{shown}/world.toml`\n\n    reelm check {shown}    what may not be meant\n    reelm serve {shown}    it lives in your browser{}",
                        stand_ins(dir)
                    ),
                )
            }
            (None, Some(name), _) => {
                let home = home()?;
                let dir = begin_extension(&home, name, &Manifest::schema())?;
                let shown = pasted(&dir.display().to_string());
                let own = dir.file_name().unwrap_or_default().to_string_lossy();
                let listed = if home.join("world.toml").is_file() {
                    list_extension(&home, &own)?;
                    format!("and in the list of `{}`", home.join("world.toml").display())
                } else {
                    format!("write `extensions = [\"{own}\"]` into the world.toml")
                };
                (
                    dir.clone(),
                    format!(
                        "the extension stands in `{shown}`; {listed}\n\n    reelm extension check {shown}    what is wrong with it\n    reelm test {shown}               its scenes"
                    ),
                )
            }
            (None, None, name) => {
                let path = begin_role(&home()?, name.as_deref().unwrap_or_default())?;
                (
                    path.clone(),
                    format!("the role stands in `{}`; a being wears it by `role = \"…\"` or a clause of its flow", path.display()),
                )
            }
        };
        door.say(&serde_json::json!({ "made": made }), || next)?;
        Ok(Ended::Well)
    }
}

/// The source that something is made for: the one of this folder, else the only one in a folder of it; this folder where there is none.
fn home() -> Result<PathBuf> {
    let is_source = |dir: &Path| dir.join("world.toml").is_file() && !dir.join("log").is_dir();
    if is_source(Path::new("")) {
        return Ok(PathBuf::new());
    }
    let folders = std::fs::read_dir(".").into_iter().flatten().filter_map(|entry| Some(PathBuf::from(entry.ok()?.file_name())));
    let mut sources: Vec<PathBuf> = folders.filter(|dir| is_source(dir)).collect();
    sources.sort();
    match sources.as_slice() {
        [] => Ok(PathBuf::new()),
        [one] => Ok(one.clone()),
        many => {
            let many: Vec<String> = many.iter().map(|dir| format!("`cd {}`", pasted(&dir.display().to_string()))).collect();
            bail!("there is more than one source here; go into the one that is meant: {}", many.join(", "))
        }
    }
}

/// The programs that came with a world and stand in for what lies outside it, each in a line with how it is started.
fn stand_ins(dir: &Path) -> String {
    let files = std::fs::read_dir(dir).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut programs: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "py"))
        .map(|path| pasted(&path.display().to_string()))
        .collect();
    programs.sort();
    let readme = pasted(&dir.join("README.md").display().to_string());
    programs.iter().map(|program| format!("\n    python3 {program}    stands in for all that lies outside; `{readme}` says how")).collect()
}

/// A path as a shell takes it.
fn pasted(path: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "/._-".contains(sign);
    let path = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', "'\\''")) }
}
