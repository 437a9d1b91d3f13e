//! Bundle: what `verify` and `replay` say of a file of frames that prove themselves: what they show, and what they cannot.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::fact::{BeingId, Frame, Hash};
use crate::moment::is_asking;
use crate::past::{BundledMoment, BundledPast, Kept, MomentName, Point, Report, begun_in, report};
use crate::reel::FrameBundle;
use crate::replay::{Replayed, replay_bundle};
use crate::world::World;

use super::difference::tell_difference;
use super::door::{Door, Ended};
use super::lines::log_line;
use super::moment_line::MomentWriting;

/// Reads a bundle and checks all of it, its key too where one is trusted.
fn read(file: &Path, trusted: Option<&Hash>) -> Result<(FrameBundle, Vec<Frame>)> {
    let name = file.display();
    let bytes = std::fs::read(file).with_context(|| format!("cannot read `{name}`"))?;
    if bytes.starts_with(b"reelmexp") {
        bail!(
            "`{name}` is an export, not a bundle; `reelm verify --file {name}` checks it, `reelm import {name} --data DIR` makes a world of it"
        );
    }
    if bytes.starts_with(b"{") {
        bail!("`{name}` looks like a proof, not a bundle; `reelm verify --proof {name}` checks it");
    }
    let (bundle, frames) = FrameBundle::open(&bytes).with_context(|| format!("`{name}` proves nothing; ask for it anew, or ask why"))?;
    is_trusted(file, &bundle.lineage.root_key, trusted)?;
    Ok((bundle, frames))
}

/// Whether a file is sealed by the key that its reader trusts.
pub(super) fn is_trusted(file: &Path, found: &Hash, trusted: Option<&Hash>) -> Result<()> {
    match trusted.filter(|trusted| *trusted != found) {
        Some(trusted) => bail!("`{}` is sealed by the key {found}, expected {trusted}: it is another world's", file.display()),
        None => Ok(()),
    }
}

/// Checks a bundle, and says what it shows.
pub(super) fn verify_bundle(door: &Door, file: &Path, trusted: Option<&Hash>) -> Result<Ended> {
    let (bundle, frames) = read(file, trusted)?;
    let shown = Evidence::of(&bundle, &frames);
    let json = json!({
        "world": bundle.lineage.world, "rootKey": bundle.lineage.root_key, "being": bundle.being, "from": bundle.from, "to": bundle.to,
        "frames": shown.meant, "since": bundle.since, "carried": frames.len(), "values": bundle.values.len(), "signed": shown.signed, "covered": shown.covered, "companions": bundle.companions.len(),
        "deeds": deeds(&bundle, &frames)?, "bornElsewhere": shown.born_elsewhere, "before": shown.before, "count": bundle.count, "head": bundle.head, "holds": true,
    });
    let deeds = deeds(&bundle, &frames)?.join("\n");
    door.say(&json, || format!("{}\n{deeds}", shown.words(&bundle, file)))?;
    Ok(Ended::Well)
}

/// The moments that a bundle is about, as the log tells them, each with its frame; and, where it carries a checkpoint, the world behind the last.
///
/// Without one it has no names: beings are told by the names that they have inside.
fn told(bundle: &FrameBundle, frames: &[Frame], mut begun: Option<World>, hear: &mut dyn FnMut(&Frame, Report)) -> Result<Option<World>> {
    let mut kept = Kept::default();
    kept.0.extend(bundle.values().map(|(hash, value)| (hash, value.0.clone())));
    let nobody = World::of(Arc::new(bundle.lineage.clone()));
    for frame in frames {
        if let Some(world) = &mut begun {
            world.apply(frame.draft(), &kept)?;
        }
        if bundle.is_about(frame) && !is_asking(frame.draft()) {
            hear(frame, report(frame.draft(), begun.as_ref().unwrap_or(&nobody), None));
        }
    }
    Ok(begun)
}

/// The world of the checkpoint that a bundle carries.
fn begun(bundle: &FrameBundle) -> Result<Option<World>> {
    Ok(bundle.since.map(|_| begun_in(bundle)).transpose()?.map(|loaded| loaded.world))
}

/// The moments of a bundle that are listed.
pub(super) struct BundleSpan<'a> {
    /// Whose, by name; none: everybody's.
    pub(super) being: Option<&'a str>,
    pub(super) from: &'a Point,
    pub(super) to: &'a Point,
    /// Only the newest so many.
    pub(super) last: Option<usize>,
    pub(super) writing: MomentWriting,
}

/// Lists moments of a bundle.
pub(super) fn log_bundle(door: &Door, file: &Path, listed: &BundleSpan<'_>) -> Result<Ended> {
    let (bundle, frames) = read(file, None)?;
    let past = BundledPast::of(&bundle, &frames)?;
    let span = past.span(listed.from, listed.to).with_context(|| format!("`{}`", file.display()))?;
    let mut moments = Vec::new();
    told(&bundle, &frames, past.begun()?.cloned(), &mut |frame, report| {
        moments.push((frame.draft().seq, log_line(frame, &report), report));
    })?;
    if let Some(being) = listed.being {
        let beings: BTreeSet<&str> = moments.iter().map(|(_, _, report)| report.being.as_ref()).collect();
        has_being(file, &beings, being)?;
    }
    moments.retain(|(seq, _, report)| span.contains(seq) && listed.being.is_none_or(|being| being == report.being.as_ref()));
    let passed = moments.len().saturating_sub(listed.last.unwrap_or(usize::MAX));
    let mut lines = listed.writing.lines();
    for (_, line, report) in moments.iter().skip(passed) {
        door.say(line, || lines.line(report))?;
    }
    Ok(Ended::Well)
}

/// Refuses a being of whom a bundle has no moment.
fn has_being(file: &Path, beings: &BTreeSet<&str>, being: &str) -> Result<()> {
    if beings.contains(being) {
        return Ok(());
    }
    let named: Vec<String> = beings.iter().map(|name| format!("@{name}")).collect();
    bail!("`{}` has no moment of `@{being}`; it has moments of {}", file.display(), shortened(&named))
}

/// The first of some names, and how many more there are.
fn shortened(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMES);
    let listed = names.iter().take(NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{listed} and {more} more") } else { listed }
}

/// The world of a bundle at a point.
pub(super) fn world_of_bundle(file: &Path, at: &Point) -> Result<World> {
    let (bundle, frames) = read(file, None)?;
    let past = BundledPast::of(&bundle, &frames)?;
    if past.begun()?.is_none() {
        bail!("`{}` carries no checkpoint, so no world: ask for it by `export … --replayable`", file.display());
    }
    past.world_at(at).with_context(|| format!("`{}`", file.display()))
}

/// Says which beings and places the world of a bundle has.
pub(super) fn bundle_has(file: &Path, world: &World) -> String {
    let beings: BTreeSet<String> = world.living().map(|being| format!("@{}", being.name)).collect();
    let places: BTreeSet<String> = world.spaces().map(|space| world.path_of(space.id)).collect();
    let [beings, places] = [beings, places].map(|names| shortened(&names.into_iter().collect::<Vec<_>>()));
    format!("`{}` has the beings {beings} and the places {places}", file.display())
}

/// Tells one moment of a bundle; gives also the key of `@world` that sealed it.
pub(super) fn in_bundle<T>(file: &Path, moment: &MomentName, tell: impl FnOnce(BundledMoment<'_>) -> Result<T>) -> Result<(T, Hash)> {
    let (bundle, frames) = read(file, None)?;
    let moment = BundledMoment::of(&bundle, &frames, moment).with_context(|| format!("`{}`", file.display()))?;
    Ok((tell(moment)?, bundle.lineage.root_key))
}

/// How many beings or places an error names at most.
const NAMES: usize = 12;
/// How many deeds are named at most.
const DEEDS: usize = 12;

/// The acts in the moments of a bundle: the first few, and how many more there are.
fn deeds(bundle: &FrameBundle, frames: &[Frame]) -> Result<Vec<String>> {
    let mut deeds = Vec::new();
    // The proof of the frames needs no checkpoint: a bad one costs only the names.
    told(bundle, frames, begun(bundle).ok().flatten(), &mut |_, report| deeds.push(report.raw_line()))?;
    let more = deeds.len().saturating_sub(DEEDS);
    deeds.truncate(DEEDS);
    deeds.extend((more > 0).then(|| format!("… and {more} more; `reelm log --file` tells all")));
    Ok(deeds)
}

/// Computes the moments of a bundle again.
pub(super) fn replay_bundled(door: &Door, file: &Path, trusted: Option<&Hash>) -> Result<Ended> {
    let (bundle, frames) = read(file, trusted)?;
    let Replayed { moments, world, difference, .. } = replay_bundle(&bundle, &frames, &mut |_| {})?;
    if let Some(difference) = &difference {
        return tell_difference(door, difference);
    }
    let since = bundle.since.unwrap_or_default();
    let json = json!({ "from": bundle.from, "to": bundle.to, "since": since, "moments": moments, "worldHash": world, "identical": true });
    door.say(&json, || {
        let begins = if since == 0 {
            "the beginning of the world".to_owned()
        } else {
            format!("the checkpoint of frame {since}, which its world signed")
        };
        let folded = match bundle.from - since {
            0 => String::new(),
            before => format!("; the {before} frames before frame {} were only folded", bundle.from),
        };
        format!(
            "replayed frames {} to {} from {begins}: {moments} moments recomputed, identical{folded}\nworld hash {world}",
            bundle.from,
            bundle.to - 1
        )
    })?;
    Ok(Ended::Well)
}

/// The evidence that a bundle gives, and its limits.
struct Evidence {
    /// How many of its frames it is about.
    meant: usize,
    signed: usize,
    covered: usize,
    /// The beings whose births, which carry their keys, stand outside the bundle.
    born_elsewhere: Vec<BeingId>,
    /// Of one being: its n before the first of these frames, and the seq where that lies.
    before: Option<(u64, u64)>,
    /// Of one being: the n of the first and of the last.
    n: (u64, u64),
}

impl Evidence {
    fn of(bundle: &FrameBundle, frames: &[Frame]) -> Self {
        let meant: Vec<&Frame> = frames.iter().filter(|frame| bundle.is_about(frame)).collect();
        let signed = frames.iter().filter(|frame| frame.signature().is_some()).count();
        let companions: Vec<Frame> = bundle.companions.iter().filter_map(|companion| Frame::read(&companion.frame.0).ok()).collect();
        let all = frames.iter().chain(&companions);
        let born: BTreeSet<BeingId> = all.flat_map(|frame| frame.draft().births().map(|(being, _)| being)).collect();
        let born_elsewhere: BTreeSet<BeingId> = bundle.keys.iter().map(|key| key.being).filter(|being| !born.contains(being)).collect();
        let first = meant.first().map(|frame| frame.draft());
        let before = first.filter(|first| bundle.being.is_some() && first.n > 0).map(|first| (first.n - 1, first.prev_seq));
        let n = |frame: Option<&&Frame>| frame.map_or(0, |frame| frame.draft().n);
        Self {
            meant: meant.len(),
            signed,
            covered: frames.len() - signed,
            born_elsewhere: born_elsewhere.into_iter().collect(),
            before,
            n: (n(meant.first()), n(meant.last())),
        }
    }

    fn words(&self, bundle: &FrameBundle, file: &Path) -> String {
        let FrameBundle { from, to, count, head, lineage, .. } = bundle;
        let last = to - 1;
        let frames = if self.meant == 1 { format!("frame {from}") } else { format!("{} frames, from {from} to {last},", self.meant) };
        let whose = bundle.being.map(|being| format!(" of {being}")).unwrap_or_default();
        let mut lines = vec![format!(
            "{frames}{whose} stand{} in the history of the world {}, among its first {count} frames",
            if self.meant == 1 { "s" } else { "" },
            lineage.world
        )];
        lines.push(match (bundle.being, self.before) {
            _ if self.meant == 1 => "it is the whole of one frame; of others it says nothing".to_owned(),
            (None, _) => "none was left out between the first and the last: every place below the head is filled".to_owned(),
            (Some(_), before) => {
                let before = before.map_or_else(
                    || "nothing lies before them".to_owned(),
                    |(n, seq)| format!("the one before them, n {n}, is frame {seq}"),
                );
                format!(
                    "they are its n {} to {}: none was left out between them, {before}; what it did later, the bundle cannot say",
                    self.n.0, self.n.1
                )
            }
        });
        lines.push(format!(
            "{} signed by their beings, {} covered by the seal, as births in it let it; {} large values, all there",
            self.signed,
            self.covered,
            bundle.values.len()
        ));
        if let Some(first) = self.born_elsewhere.first() {
            let frame = first.0.seq;
            lines.push(format!(
                "whose keys these are, their births say: {} of them stand elsewhere (of {first} in frame {frame}: `reelm prove {frame}`)",
                self.born_elsewhere.len()
            ));
        }
        lines.push(match bundle.since {
            None => "whether the moments come out the same again, it cannot say: it carries no checkpoint (`--replayable`)".to_owned(),
            Some(since) => format!(
                "it carries {} frames since frame {since}: `reelm replay {}` computes the moments again",
                to - since,
                file.display()
            ),
        });
        lines.push(format!(
            "sealed by @world, whose key is {}: compare it with the one you trust, or say it by --key\nhead {head}",
            lineage.root_key
        ));
        lines.join("\n")
    }
}
