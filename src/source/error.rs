//! Error: why a source cannot be read: where, and what was expected there.

use std::path::PathBuf;

use crate::extension::ExtensionError;
use crate::role::RoleError;

use super::shipped::shipped_worlds;

/// Why a source cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// There is no such directory, or no world.toml in it.
    #[error(
        "`{}` is no world source: expected a directory with a `world.toml` in it, or the name of a shipped world ({})",
        _0.display(),
        shipped_worlds().collect::<Vec<_>>().join(", ")
    )]
    Missing(PathBuf),
    /// A shipped world cannot be unpacked to be read.
    #[error("cannot unpack the shipped world `{name}`: {source}")]
    Unpack {
        /// Its name.
        name: &'static str,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// There is no such directory, or nothing in it that could have scenes.
    #[error("`{0}` is neither a world source nor an extension: expected a directory with a `world.toml` or a `manifest.toml` in it")]
    NoStage(PathBuf),
    /// There is no code in it.
    #[error(
        "`{0}` holds no code: expected a role (`judge.md`), a script (`judge.rhai`), an extension, a folder of such, or a world source"
    )]
    NoCode(PathBuf),
    /// A world has nothing of what was given for it.
    #[error("the world has nothing of what was given ({0}); name code that it has")]
    NothingKnown(String),
    /// A file cannot be read.
    #[error("cannot read `{file}`: {source}")]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A file says something that it cannot say.
    #[error("{file}:{line}{}: {what}", column.map(|column| format!(":{column}")).unwrap_or_default())]
    Wrong {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The column, where what is wrong is no whole line.
        column: Option<usize>,
        /// The error there, and the expected content.
        what: String,
    },
    /// More than one thing is wrong with it.
    #[error("{}", _0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Many(Vec<SourceError>),
    /// It says more of its things than a world remembers.
    #[error(
        "{file}: source-size: expected at most {most} bytes of qualities, contents, settings, schedules and signals, found {found}, of which `{largest}` has {bytes}; make many beings of one kind a [[population]], which counts once, or bring large contents in by acts"
    )]
    TooMuch {
        /// The file.
        file: String,
        /// How much it says.
        found: usize,
        /// How much may be said.
        most: usize,
        /// Of what most of it is said.
        largest: String,
        /// How much that is.
        bytes: usize,
    },
    /// A change would meet nothing of the world.
    #[error("--change {change}: {what}")]
    Unmet {
        /// The change, as it was written.
        change: String,
        /// The thing that is not there, and the nearest that is.
        what: String,
    },
    /// A role file is malformed.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// An extension is broken.
    #[error(transparent)]
    Extension(#[from] ExtensionError),
    /// The files of an extension are not those that were added.
    #[error(
        "the files of extension `{name}` in `{dir}` are not those that were added (pinned {pinned}, found {found}); put the right ones there, or `reelm extension add {dir} --source … --replace` pins these"
    )]
    Unpinned {
        /// The extension.
        name: String,
        /// Its folder.
        dir: String,
        /// The hash that is pinned.
        pinned: String,
        /// The hash of what lies there.
        found: String,
    },
    /// A population's files are malformed.
    #[error(transparent)]
    Population(#[from] PopulationError),
}

impl SourceError {
    /// A file that says something that it cannot say, on a line.
    pub(super) fn wrong(file: impl Into<String>, line: usize, what: impl Into<String>) -> Self {
        Self::Wrong { file: file.into(), line, column: None, what: what.into() }
    }

    /// All that is wrong, each by itself.
    pub fn each(&self) -> Vec<&Self> {
        match self {
            Self::Many(all) => all.iter().flat_map(Self::each).collect(),
            one => vec![one],
        }
    }
}

/// Why a population cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PopulationError {
    /// A CSV file cannot be read.
    #[error("cannot read `{file}`: {source}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// It says something that it cannot say.
    #[error("{file}:{line}: {what}")]
    Wrong {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The error there.
        what: String,
    },
}
