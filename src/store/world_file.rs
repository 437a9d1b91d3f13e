//! `world.toml`: which world a directory holds; written once, when the world is made, and last.
//!
//! A directory without it is no world: a world half made by a crash can be made again.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::fact::{ForkOrigin, Hash, Lineage, Seq, Signature, WithinGroup, WorldId};

use super::clock::ClockFile;
use super::disk::{Disk, PlainDisk, read_all};
use super::error::StoreError;
use super::layout::FORMAT;
use super::record::Position;
use super::replace::{Keep, replace};
use super::small_file;

/// The properties of a world that are fixed when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorldFile {
    /// The format of the world's files.
    pub format: u32,
    /// The world's id.
    pub world: WorldId,
    /// The public key of `@world`, as hex digits.
    pub root_key: String,
    /// Whether its keys come from its seed, so that seals prove order and not authorship.
    pub simulated: bool,
    /// Its name for people.
    pub name: String,
    /// Where it and its ancestors forked off, the first one first; none in a world that is no fork.
    #[serde(skip)]
    pub origins: Vec<LinkedOrigin>,
}

/// An origin, and where in the log the past before it ends: in an export, where the groups stand one behind the other, nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedOrigin {
    /// The origin.
    pub origin: ForkOrigin,
    /// The place behind its last commit.
    pub position: Option<Position>,
}

/// How an origin is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OriginLine {
    world: WorldId,
    root_key: Hash,
    name: String,
    seq: Seq,
    number: u64,
    commit: Hash,
    head: Hash,
    seal: String,
    within: Option<WithinGroup>,
    segment: Option<u64>,
    offset: Option<u64>,
}

impl LinkedOrigin {
    fn line(&self) -> String {
        let ForkOrigin { world, root_key, name, seq, number, commit, head, seal, within } = &self.origin;
        let within = within.as_ref().map(within_line).unwrap_or_default();
        let at = self.position.map(|at| format!(", segment = {}, offset = {}", at.segment, at.offset)).unwrap_or_default();
        let name = toml::Value::from(name.as_str());
        format!(
            "  {{ world = \"{world}\", root_key = \"{root_key}\", name = {name}, seq = {seq}, number = {number}, commit = \"{commit}\", head = \"{head}\", seal = \"{seal:?}\"{within}{at} }},\n"
        )
    }

    fn read(line: OriginLine) -> Result<Self, String> {
        let OriginLine { world, root_key, name, seq, number, commit, head, seal, within, segment, offset } = line;
        let bytes = data_encoding::HEXLOWER.decode(seal.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
        let seal = Signature(bytes.ok_or_else(|| format!("expected a seal of 128 hex digits, found `{seal}`"))?);
        let position = segment.zip(offset).map(|(segment, offset)| Position { segment, offset });
        Ok(Self { origin: ForkOrigin { world, root_key, name, seq, number, commit, head, seal, within }, position })
    }
}

/// How a point within a group is written.
fn within_line(WithinGroup { border, count, last, way }: &WithinGroup) -> String {
    let way: Vec<String> = way.iter().map(|beside| format!("\"{beside}\"")).collect();
    format!(", within = {{ border = {border}, count = {count}, last = \"{last}\", way = [{}] }}", way.join(", "))
}

/// The content of the file, or of the header of an export.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Front {
    format: u32,
    world: WorldId,
    root_key: String,
    simulated: bool,
    name: String,
    #[serde(default)]
    origin: Vec<OriginLine>,
    clock: Option<ClockFile>,
}

impl WorldFile {
    /// Reads the `world.toml` of a directory.
    pub fn of(dir: &Path) -> Result<Self, StoreError> {
        Self::read(&PlainDisk, dir)
    }

    /// The worlds from which it comes, and itself.
    pub fn lineage(&self) -> Arc<Lineage> {
        let origins = self.origins.iter().map(|linked| linked.origin.clone()).collect();
        // A key that is none is nobody's: whoever checks a seal with it says so.
        let root_key = self.root_key.parse().unwrap_or_default();
        Arc::new(Lineage { origins, world: self.world, root_key, name: self.name.clone() })
    }

    /// The file of the first ancestor, before anything forked off.
    pub(super) fn first(&self) -> Self {
        let lineage = self.lineage();
        let first = lineage.nth(0);
        let (root_key, name) = (first.root_key.to_string(), first.name.to_owned());
        if self.origins.is_empty() {
            self.clone()
        } else {
            Self { world: first.world, root_key, name, origins: Vec::new(), ..self.clone() }
        }
    }

    /// The same file without the places in the log.
    pub(super) fn unplaced(&self) -> Self {
        let origins = self.origins.iter().map(|linked| LinkedOrigin { origin: linked.origin.clone(), position: None });
        Self { origins: origins.collect(), ..self.clone() }
    }

    /// Whether this can be a name: it stands in files, in the ids of forks and in addresses.
    pub fn is_name(name: &str) -> bool {
        !name.is_empty() && name.len() <= 64 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    }

    /// The same in every copy of the world: without the places in its log.
    pub fn bare_text(&self) -> Result<String, StoreError> {
        self.unplaced().to_text(None)
    }

    /// The text of the file; in an export, a line with the clock stands behind it.
    pub fn to_text(&self, clock: Option<&ClockFile>) -> Result<String, StoreError> {
        let text = toml::to_string(self).map_err(|error| StoreError::BadFile { file: "world.toml".into(), what: error.to_string() })?;
        let lines: String = self.origins.iter().map(LinkedOrigin::line).collect();
        let origins = if lines.is_empty() { lines } else { format!("origin = [\n{lines}]\n") };
        Ok(small_file::close(text + origins.as_str() + clock.map(ClockFile::line).unwrap_or_default().as_str()))
    }

    /// Parses the text; in an export it holds the clock too.
    pub(super) fn from_bytes(bytes: &[u8], file: &Path) -> Result<(Self, Option<ClockFile>), StoreError> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let bad = |what: String| StoreError::BadFile { file: file.to_owned(), what };
        // The format first: another one may have other fields, and another closing line.
        if let Some(Format { format }) = std::str::from_utf8(bytes).ok().and_then(|text| toml::from_str(text).ok()) {
            is_known(format, file)?;
        }
        let text = small_file::open(bytes).map_err(bad)?;
        let Front { format, world, root_key, simulated, name, origin, clock } =
            toml::from_str(text).map_err(|error| bad(error.to_string()))?;
        clock.iter().try_for_each(ClockFile::check).map_err(bad)?;
        let origins = origin.into_iter().map(LinkedOrigin::read).collect::<Result<_, _>>().map_err(bad)?;
        let world = Self { format, world, root_key, simulated, name, origins };
        if let Some(fault) = world.lineage().fault() {
            return Err(bad(fault));
        }
        small_file::in_form(bytes, &world.to_text(clock.as_ref())?).map_err(bad)?;
        Ok((world, clock))
    }

    pub(super) fn write(&self, disk: &dyn Disk, dir: &Path) -> Result<(), StoreError> {
        let path = dir.join("world.toml");
        replace(disk, &path, self.to_text(None)?.as_bytes(), Keep::Durable).map_err(|error| StoreError::io("write", &path, error))
    }

    pub(super) fn read(disk: &dyn Disk, dir: &Path) -> Result<Self, StoreError> {
        if !disk.is_dir(dir) {
            return Err(StoreError::NoDirectory { dir: dir.to_owned() });
        }
        let path = dir.join("world.toml");
        match read_all(disk, &path) {
            Ok(bytes) if is_source(&bytes) => Err(StoreError::ASource { dir: dir.to_owned() }),
            Ok(bytes) => match Self::from_bytes(&bytes, &path)? {
                (world, None) if world.origins.iter().all(|linked| linked.position.is_some()) => Ok(world),
                (_, None) => Err(StoreError::BadFile { file: path, what: "it does not say where in the log its past ends".to_owned() }),
                (_, Some(_)) => Err(StoreError::BadFile { file: path, what: "only an export has its clock in it".to_owned() }),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(StoreError::NotAWorld { dir: dir.to_owned() }),
            Err(error) => Err(StoreError::io("read", &path, error)),
        }
    }
}

/// Whether a world.toml is what people write of a world: it says no format, and has the tables of a source.
fn is_source(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let begins = |mark: &str| text.lines().any(|line| line.starts_with(mark));
    !begins("format")
        && begins("name")
        && ["[[space]]", "[[being]]", "[[population]]", "being = ", "space = "].iter().any(|mark| begins(mark))
}

/// Only one format is read.
fn is_known(found: u32, file: &Path) -> Result<(), StoreError> {
    let file = file.to_owned();
    match found.cmp(&FORMAT) {
        Ordering::Less => Err(StoreError::FormerFormat { file, found, known: FORMAT }),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(StoreError::NewerFormat { file, found, known: FORMAT }),
    }
}
