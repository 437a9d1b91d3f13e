//! Copied: a copy of a world on NATS servers, as the command line names it: kept while the world is served, compared, brought back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;

use crate::store::{Durability, Keeper, ReplicaStatus};

use super::door::{Door, Ended};

/// Servers that keep a copy
#[derive(Args, Clone)]
pub(super) struct CopyServers {
    /// NATS servers that keep a copy of the log, such as nats://a:4222,nats://b:4222,nats://c:4222
    #[arg(long, value_name = "URLS", value_delimiter = ',')]
    pub nats: Vec<String>,
    /// Where their monitors answer [default: port 8222 of each]
    #[arg(long, value_name = "URLS", value_delimiter = ',', requires = "nats")]
    pub nats_monitor: Vec<String>,
}

/// A copy that is kept while the world is served
#[derive(Args, Clone)]
pub(super) struct KeptCopy {
    #[command(flatten)]
    servers: CopyServers,
    /// When an act is acknowledged: once the log and the copy have it (both), or once the log has it (local)
    #[arg(long, value_name = "WHEN", value_parser = durability, requires = "nats")]
    durable: Option<Durability>,
    /// Own the world from now on, though another owns it; that one stops at its next write
    #[arg(long, requires = "nats")]
    take_over: bool,
}

impl KeptCopy {
    /// Whether one is to be kept.
    pub fn is_wanted(&self) -> bool {
        !self.servers.nats.is_empty()
    }
}

fn durability(word: &str) -> Result<Durability, String> {
    match word {
        "both" => Ok(Durability::Both),
        "local" => Ok(Durability::Local),
        _ => Err("expected `both` or `local`".to_owned()),
    }
}

/// A keeper of a copy, and where it says how far that is.
pub(super) type CopyParts = (Box<dyn Keeper>, Arc<ReplicaStatus>);

/// Makes a world's directory from its copy on NATS servers
#[derive(Args)]
#[command(after_help = "Example: reelm restore --nats nats://a:4222,nats://b:4222,nats://c:4222 --data /srv/town

Every group is checked before anything is kept: its hash, its place, its signatures and seals. `reelm serve --nats …` then owns the world.
Keys are in no copy: `reelm keys seal` carries them to this machine, or a backup. Without them the world can be read and replayed, not run on.")]
pub struct Restore {
    #[command(flatten)]
    servers: CopyServers,
    /// The id of the world, where the servers keep several
    #[arg(long, value_name = "ID")]
    world: Option<String>,
    /// The keys of this world: a directory that has them, such as a backup, or a file that `reelm keys seal` has sealed to this machine
    #[arg(long, value_name = "PATH")]
    keys: Option<PathBuf>,
}

#[cfg(not(feature = "nats"))]
mod without {
    use super::*;

    const MISSING: &str = "this program was built without NATS; packages have it, and `cargo build --release --features nats` builds it";

    impl KeptCopy {
        /// The keeper of the copy.
        pub fn keeper(&self, _: &Path) -> Result<CopyParts> {
            bail!("--nats: {MISSING}")
        }
    }

    impl Restore {
        /// Runs.
        pub fn run(self, _: &Door) -> Result<Ended> {
            bail!("restore: {MISSING}")
        }
    }

    impl CopyServers {
        /// Compares the world of `--data` with its copy.
        pub fn verify(&self, _: &Door) -> Result<Ended> {
            bail!("--nats: {MISSING}")
        }
    }
}

#[cfg(feature = "nats")]
mod with {
    use std::fs;

    use anyhow::Context;

    use crate::fact::{Hash, WorldId};
    use crate::past::build_ladder;
    use crate::replay::{Thread, replay};
    use crate::store::{
        CopyEnd, CopyKeeper, Ending, ExportWriter, Keystore, LogCopy, LogStore, Mode, NatsServers, NatsStream, NatsTerms, Options,
        OwnerFile, Store, StoreError, StreamStore, WorldFile, each_copied, import,
    };

    use super::super::keys::opened;
    use super::*;

    impl CopyServers {
        fn connect(&self) -> Result<NatsServers> {
            let named = |all: &[String]| all.iter().filter(|one| !one.is_empty()).cloned().collect::<Vec<_>>();
            let (servers, monitors) = (named(&self.nats), named(&self.nats_monitor));
            if servers.is_empty() || servers.len() == 2 {
                bail!("name three servers, or one: --nats nats://a:4222,nats://b:4222,nats://c:4222");
            }
            if !monitors.is_empty() && monitors.len() != servers.len() {
                bail!("--nats-monitor: expected one for each of {} servers, found {}", servers.len(), monitors.len());
            }
            Ok(NatsServers::connect(&NatsTerms { servers, monitors })?)
        }

        /// The copy of a world that is there.
        fn stream(&self, servers: &NatsServers, world: WorldId) -> Result<NatsStream> {
            let found = servers.stream(world, None, Arc::default())?;
            found.with_context(|| format!("these servers keep no copy of the world {world}"))
        }

        /// Compares the world of `--data` with its copy.
        pub fn verify(&self, door: &Door) -> Result<Ended> {
            let servers = self.connect()?;
            let (log, _) = LogStore::open_with(&door.data, Mode::Read, Options { index: false, ..Options::default() })?;
            let mut copy = self.stream(&servers, log.world_file().world)?;
            let compared = compare(&log, &mut copy)?;
            let told = serde_json::json!({ "log": compared.log, "copy": compared.copy, "same": compared.same, "fault": compared.fault });
            door.say(&told, || compared.words())?;
            Ok(if compared.fault.is_some() { Ended::Differs } else { Ended::Well })
        }
    }

    /// A log beside its copy.
    struct CopyComparison {
        /// How many groups each has.
        log: u64,
        copy: u64,
        /// How many of them are the same, from the first on.
        same: u64,
        fault: Option<String>,
    }

    impl CopyComparison {
        fn words(&self) -> String {
            let Self { log, copy, same, fault } = self;
            match fault {
                Some(fault) => format!("{same} groups are the same, then: {fault}"),
                None if log == copy => format!("identical: {same} groups"),
                None if copy < log => format!("{same} groups are the same; the copy is {} behind", log - copy),
                None => format!("{same} groups are the same; the log here is {} behind", copy - log),
            }
        }
    }

    /// Compares each group of both.
    fn compare(log: &LogStore, copy: &mut NatsStream) -> Result<CopyComparison> {
        let mut hashes: Vec<Hash> = Vec::new();
        each_copied(log, log.world_file().lineage(), &Ending::default(), |group| {
            hashes.push(Hash::of(&group.bytes));
            Ok(())
        })?;
        let end = copy.end()?.unwrap_or_default();
        let (mut seen, mut same, mut fault) = (0, 0, None);
        let read = copy.each(0, &mut |number, bytes| {
            let at = usize::try_from(number).unwrap_or(usize::MAX).wrapping_sub(1);
            if number != seen + 1 && fault.is_none() {
                fault = Some(format!("the copy has no group {}, and goes on with {number}", seen + 1));
            }
            seen = number;
            match hashes.get(at) {
                Some(hash) if *hash == Hash::of(bytes) => same += u64::from(fault.is_none()),
                Some(_) => fault = fault.take().or_else(|| Some(format!("group {number} is another in the copy"))),
                None => {}
            }
            Ok(())
        });
        fault = fault.or_else(|| read.err().map(|error| error.to_string()));
        Ok(CopyComparison { log: hashes.len() as u64, copy: end.number, same, fault })
    }

    /// Checks every signature and seal of a history of which nothing is kept yet.
    fn verified(store: &dyn Store, world: WorldId) -> Result<(), String> {
        let thread = Thread { only_verify: true, ..Thread::default() };
        replay(store, world, thread, &mut |_| {}).map(drop).map_err(|error| error.to_string())
    }

    impl KeptCopy {
        /// The keeper of the copy.
        pub fn keeper(&self, data: &Path) -> Result<CopyParts> {
            let (servers, file) = (self.servers.connect()?, WorldFile::of(data)?);
            let (world, status) = (file.world, Arc::<ReplicaStatus>::default());
            let text = file.bare_text()?;
            let copy = servers.stream(world, Some(&text), status.clone())?.context("the copy could not be begun")?;
            if copy.world_text()? != text {
                bail!("the copy of {world} says another `world.toml` than `{}`; it is a copy of another world", data.display());
            }
            let keeper = CopyKeeper {
                copy,
                durability: self.durable.unwrap_or_default(),
                status: status.clone(),
                verifies: Box::new(move |store| verified(store, world)),
                takes_over: self.take_over,
                name: own_name(data),
                epoch: 0,
            };
            Ok((Box::new(keeper), status))
        }
    }

    /// A host and a directory.
    fn own_name(data: &Path) -> String {
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let dir = fs::canonicalize(data).unwrap_or_else(|_| data.to_owned());
        format!("{host}:{}", dir.display()).chars().take(200).collect()
    }

    impl Restore {
        /// Runs.
        pub fn run(self, door: &Door) -> Result<Ended> {
            LogStore::may_begin(&door.data)?;
            let servers = self.servers.connect()?;
            let world = which(&servers, self.world.as_deref())?;
            let mut copy = self.servers.stream(&servers, world)?;
            let parent = door.data.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
            fs::create_dir_all(parent).with_context(|| format!("cannot make `{}`", parent.display()))?;
            let beside = tempfile::NamedTempFile::new_in(parent).with_context(|| format!("cannot write in `{}`", parent.display()))?;
            let export = fetched(&mut copy, beside.path(), world)?;
            let keys = self.keys.as_deref().map(|keys| keys_in(keys, export.world_file())).transpose()?;
            let made = import(&export, &door.data)?;
            if let Some(keys) = &keys {
                keys.save(made.beside())?;
            }
            let can_act = keys.is_some() || export.world_file().simulated && crate::run::restore_keys(made.beside())?;
            let ending = made.settle()?;
            let from = copy.lease()?.map(|lease| lease.epoch);
            OwnerFile { from, ..OwnerFile::of(&door.data)? }.save(&door.data)?;
            if let Err(error) = build_ladder(&door.data) {
                door.warn(&format!("no checkpoints were written: {error}"));
            }
            door.say(&serde_json::json!({ "world": world, "frames": ending.seq, "groups": ending.number, "canAct": can_act }), || {
                let keys = if can_act {
                    "`reelm serve --nats …` goes on with it"
                } else {
                    "its keys are not here, so it can be read and replayed, not run on"
                };
                format!("restored {} frames in {} groups to `{}`; {keys}", ending.seq, ending.number, door.data.display())
            })?;
            Ok(Ended::Well)
        }
    }

    /// The keys of a world in a directory, or in a file that was sealed to this machine.
    fn keys_in(path: &Path, world: &WorldFile) -> Result<Keystore> {
        if path.is_file() { opened(path, world) } else { Ok(Keystore::of(path, world)?) }
    }

    /// The world that is meant.
    fn which(servers: &NatsServers, wanted: Option<&str>) -> Result<WorldId> {
        let kept = servers.worlds()?;
        let id = match (wanted, kept.as_slice()) {
            (Some(wanted), _) => wanted,
            (None, [one]) => one,
            (None, []) => bail!("these servers keep no copy of any world"),
            (None, several) => bail!("these servers keep copies of {}; choose one by --world", several.join(", ")),
        };
        id.parse().map_err(|_| anyhow::anyhow!("--world: expected the id of a world, found `{id}`"))
    }

    /// How often another replica is asked, where one gives what does not check.
    const REPLICAS: usize = 3;

    /// The copy as an export, each group checked. Where one does not check, another replica is asked for it.
    fn fetched(copy: &mut NatsStream, to: &Path, world: WorldId) -> Result<StreamStore> {
        let mut tried = 0;
        loop {
            let written = fetch(copy, to).map_err(anyhow::Error::from).and_then(|end| checked(to, world, end));
            match written {
                Ok(export) => return Ok(export),
                Err(error) if tried < REPLICAS => {
                    tracing::warn!("{}: {error}; another replica is asked", copy.named().display());
                    copy.step_down()?;
                    tried += 1;
                }
                Err(error) => return Err(error.context(format!("{} does not check, on any replica that answers", copy.named().display()))),
            }
        }
    }

    fn fetch(copy: &mut NatsStream, to: &Path) -> Result<CopyEnd, StoreError> {
        let text = copy.world_text()?;
        let mut export = ExportWriter::begin(to, &text)?;
        let end = copy.end()?.unwrap_or_default();
        copy.each(0, &mut |_, bytes| export.group(bytes))?;
        export.end()?;
        Ok(end)
    }

    /// The export, with each signature and seal checked, if it ends where the copy does.
    fn checked(file: &Path, world: WorldId, end: CopyEnd) -> Result<StreamStore> {
        let export = StreamStore::open(file)?;
        if export.ending().number != end.number {
            bail!("it has {} groups, and its last message says {}", export.ending().number, end.number);
        }
        verified(&export, world).map_err(anyhow::Error::msg)?;
        Ok(export)
    }
}
