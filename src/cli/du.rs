//! `du`: what the directory of a world holds, and what of it could go.

use anyhow::Result;
use clap::Args;

use crate::past::{Holding, Holdings, RecordSum};

use super::door::{Door, Ended};

/// Says what a world's directory holds, what that costs, and what could go
#[derive(Args)]
#[command(after_help = "Example: reelm du --data /tmp/skateco")]
pub struct Du {}

impl Du {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let holdings = door.history()?.holdings()?;
        door.say(&holdings, || words(&holdings))?;
        Ok(Ended::Well)
    }
}

fn words(holdings: &Holdings) -> String {
    let Holdings { frames, bytes, bytes_per_frame, parts, records, archived, copies } = holdings;
    let mut lines = vec![format!("{} in {frames} frames, {bytes_per_frame} bytes of log a frame", size(*bytes))];
    let part = |Holding { part, files, bytes, on_disk, may_go }: &Holding| {
        let name = serde_json::to_value(part).unwrap_or_default();
        let told = may_go.map(|why| format!("  could go: {why}")).unwrap_or_default();
        format!("  {:<12} {files:>6} files {:>10}, on disk {:>10}{told}", name.as_str().unwrap_or_default(), size(*bytes), size(*on_disk))
    };
    lines.extend(parts.iter().map(part));
    lines.push("the log holds, before it is compressed".to_owned());
    let record = |RecordSum { record, count, bytes }: &RecordSum| format!("  {record:<12} {count:>6} {:>16}", size(*bytes));
    lines.extend(records.iter().map(record));
    lines.extend(archived.iter().map(|archive| format!("archived: {archive}, {}", size(archive.size))));
    lines.push(match copies {
        0 => "no copy of it is noted".to_owned(),
        copies => format!("copies of it that are noted: {copies}; `reelm copies` lists them"),
    });
    lines.join("\n")
}

/// `12.3 MiB`.
fn size(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut size = bytes as f64;
    while size >= 1024.0 && unit + 1 < units.len() {
        (size, unit) = (size / 1024.0, unit + 1);
    }
    let digits = usize::from(unit > 0);
    format!("{size:.digits$} {}", units.get(unit).unwrap_or(&"B"))
}
