//! `export`: a whole history as one file; or some frames of it with what proves them, or lines of JSON for whoever counts.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

use crate::fact::{BeingId, Hash, Seq};
use crate::past::{BundleWanted, History, MomentName, Point};
use crate::store::{ClockFile, CopyKind, CopyNote, HashedWriter, PendingFile, Store, export};

use super::copies::note;
use super::door::{Door, Ended};
use super::lines::LineOf;
use super::replay::named;

/// Writes the history to one file, or a part of it with its proof, or JSON Lines
#[derive(Args)]
#[command(after_help = "Example: reelm export skateco.reelm
         reelm export ada.bundle --being @ada --from 2026-03-02    (`reelm verify ada.bundle` proves them without the world)
         reelm export hour.bundle --from ~1h --replayable
         reelm export --lines replies --being @ada replies.jsonl

Secrets are not exported: who imports the file can read, replay and verify the world, and act in it only if it is simulated. A bundle
holds the frames that were asked for and the large values that they name, and nothing else of the world: unless it is replayable, then it holds all that
the world was at the checkpoint before them, too. What was exported is noted: `reelm copies`.")]
pub struct Export {
    /// The file to write; it must not be there yet. Lines go to standard output where none is said
    #[arg(required_unless_present = "lines")]
    file: Option<PathBuf>,
    /// Write the world out as a source directory instead; the extensions that it names are looked for in `extensions/`, in it or above
    #[arg(long, conflicts_with_all = ["moment", "being", "from", "to", "replayable", "lines"])]
    source: bool,
    /// Only this moment, with what proves it: 120, or @ada/7
    #[arg(long, value_name = "MOMENT", conflicts_with_all = ["being", "from", "to", "lines"])]
    moment: Option<MomentName>,
    /// Only this being's frames
    #[arg(long, value_name = "@BEING")]
    being: Option<String>,
    /// Only frames from this point on
    #[arg(long, value_name = "POINT")]
    from: Option<Point>,
    /// Only frames up to this point
    #[arg(long, value_name = "POINT")]
    to: Option<Point>,
    /// Of a part: take along the checkpoint before it and the frames since, so that its moments can be computed again
    #[arg(long, conflicts_with = "lines")]
    replayable: bool,
    /// Write a line of JSON for each instead (docs/REPLAY.md says what is in it)
    #[arg(long, value_enum, value_name = "WHAT")]
    lines: Option<LineOf>,
}

/// The frames to export.
struct Meant {
    being: Option<BeingId>,
    name: Option<String>,
    from: Seq,
    to: Seq,
}

impl Export {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if let Some(file) = self.file.as_deref().filter(|file| file.exists()) {
            bail!("`{}` is there already; choose another name", file.display());
        }
        let is_part = self.moment.is_some() || self.being.is_some() || self.from.is_some() || self.to.is_some();
        match (self.file.as_deref(), self.lines) {
            (file, Some(lines)) => self.lines(door, lines, file)?,
            (None, None) => bail!("expected a file to write"),
            (Some(file), None) if self.source => source(door, file)?,
            (Some(file), None) if is_part => self.bundle(door, file)?,
            (Some(_), None) if self.replayable => {
                bail!("--replayable is said of a part: add --moment, --being, --from or --to; the whole can always be replayed")
            }
            (Some(file), None) => whole(door, file)?,
        }
        Ok(Ended::Well)
    }

    fn meant(&self, door: &Door, history: &History) -> Result<Meant> {
        if let Some(moment) = &self.moment {
            // The seq as a point is refused where it is archived.
            let seq = history.seq_of(&Point::Before(MomentName::Seq(history.seq_of_moment(moment)?))).context("--moment")?;
            return Ok(Meant { being: None, name: None, from: seq, to: seq + 1 });
        }
        let point = |point: &Option<Point>, otherwise| point.as_ref().map_or(Ok(otherwise), |point| history.seq_of(point));
        let (from, to) = (point(&self.from, history.begins()).context("--from")?, point(&self.to, history.end()).context("--to")?);
        if from >= to {
            bail!("expected --to behind --from, found {from} and {to}");
        }
        door.warn_unread(history, from);
        let Some(said) = &self.being else { return Ok(Meant { being: None, name: None, from, to }) };
        let being = named(&history.world_at(history.end())?, said)?;
        Ok(Meant { being: Some(being), name: Some(said.trim_start_matches('@').to_owned()), from, to })
    }

    fn bundle(&self, door: &Door, file: &Path) -> Result<()> {
        let history = door.history()?;
        let Meant { being, name, from, to } = self.meant(door, &history)?;
        let bundle = history.bundle(BundleWanted { being, from, to, is_replayable: self.replayable })?;
        let (bytes, frames) = (bundle.to_file(), bundle.frames.len());
        let mut out = HashedWriter::new(create(file)?);
        out.write_all(&bytes).with_context(cannot(file))?;
        let sum = out.sum();
        out.into_inner().settle().with_context(cannot(file))?;
        note(door, &CopyNote { being: name, ..CopyNote::now(CopyKind::Bundle, bundle.from, bundle.to) }.to_path(file).of_bytes(sum));
        let json = json!({
            "file": file, "being": being, "from": bundle.from, "to": bundle.to, "frames": frames, "since": bundle.since, "values": bundle.values.len(),
            "count": bundle.count, "size": sum.1,
        });
        door.say(&json, || {
            let file = file.display();
            let which = match (bundle.since.unwrap_or(bundle.from), bundle.to - 1) {
                (first, last) if first == last => format!("frame {first}"),
                (first, last) => format!("{frames} frames, of {first} to {last},"),
            };
            let since = bundle.since.map(|since| match since {
                0 => format!("\nwith all frames since the beginning: `reelm replay {file}` computes the moments again"),
                since => format!(
                    "\nwith the checkpoint of frame {since}, which holds the whole world as it was there: `reelm replay {file}` computes the moments again"
                ),
            });
            let size = sum.1;
            format!("wrote {which} to `{file}`, {size} bytes; `reelm verify {file}` shows that it holds, without the world{}", since.unwrap_or_default())
        })
    }

    fn lines(&self, door: &Door, lines: LineOf, file: Option<&Path>) -> Result<()> {
        let history = door.history()?;
        let Meant { being, name, from, to } = self.meant(door, &history)?;
        let mut pending = file.map(create).transpose()?;
        let mut stdout = std::io::stdout().lock();
        let out: &mut dyn Write = match &mut pending {
            Some(pending) => pending,
            None => &mut stdout,
        };
        let mut out = BufWriter::new(HashedWriter::new(out));
        let written = lines.write(&history, from..to, being, &mut out).and_then(|count| Ok(out.flush().map(|()| count)?));
        let sum = out.get_ref().sum();
        let (_, _) = out.into_parts();
        drop(stdout);
        let settled = match (pending, file) {
            (Some(pending), Some(file)) if written.is_ok() => pending.settle().with_context(cannot(file)),
            _ => Ok(()),
        };
        // Also where somebody stopped reading: what they have, they have.
        if sum.1 > 0 && (file.is_none() || (written.is_ok() && settled.is_ok())) {
            let made = CopyNote { being: name, ..CopyNote::now(lines.copy(), from, to) }.of_bytes(sum);
            note(door, &if let Some(file) = file { made.to_path(file) } else { made });
        }
        let count = match file {
            Some(file) => written.with_context(cannot(file)).and_then(|count| settled.map(|()| count))?,
            None => written?,
        };
        match file {
            None => Ok(()),
            Some(file) => door.say(&json!({ "file": file, "from": from, "to": to, "lines": count, "size": sum.1 }), || {
                format!("wrote {count} lines to `{}`", file.display())
            }),
        }
    }
}

fn create(file: &Path) -> Result<PendingFile> {
    PendingFile::begin(file).with_context(cannot(file))
}

fn cannot(file: &Path) -> impl Fn() -> String {
    let name = file.display().to_string();
    move || format!("cannot write `{name}`")
}

/// The world as a source.
fn source(door: &Door, file: &Path) -> Result<()> {
    let (_, world) = door.world()?;
    let written = crate::source::write_source(&world, file).inspect_err(|_| {
        // It was not there before, and half a source is none.
        let _ = std::fs::remove_dir_all(file);
    });
    written.with_context(cannot(file))?;
    note(door, &CopyNote::now(CopyKind::Source, 0, world.next_seq()).to_path(file));
    door.say(&json!({ "source": file }), || format!("wrote the world as a source to `{}`", file.display()))
}

/// The whole, record by record: nothing is folded, and every check is the importer's.
fn whole(door: &Door, file: &Path) -> Result<()> {
    let store = door.history()?.into_store();
    let mut out = HashedWriter::new(create(file)?);
    export(&store, store.world_file(), ClockFile::load(&door.data)?.as_ref(), &mut out).with_context(cannot(file))?;
    let sum: (Hash, u64) = out.sum();
    out.into_inner().settle().with_context(cannot(file))?;
    let frames = store.ending().seq;
    note(door, &CopyNote::now(CopyKind::Export, 0, frames).to_path(file).of_bytes(sum));
    door.say(&json!({ "file": file, "frames": frames }), || format!("exported {frames} frames to `{}`", file.display()))
}
