//! Store: where records are kept, in one order, whole and durable (floor 4); it knows records, not what folds.
//!
//! In reading order: `contract` is the trait of every store, `record` the items it keeps, `error` its errors. `layout` gives the bytes of a
//! group, `groups` reads them back and checks them, `entries` is the stream through all files. `log` is the store of served worlds:
//! `segment` files on a `disk`, opened as `mode` says, by `recover`, guarded by `lock`, `clean` and `known`, described by `world_file`,
//! looked up through `index`. A closed segment is compressed (`block` gives its bytes) by `compress`, which `compressor` does beside the
//! run, and read by `compressed`; `volumes` opens it in either form. `memory` keeps the same bytes in memory, `export` in one file that can
//! travel and that `import` makes a world again. `fork` makes a world that goes on from a place in another, by links to its segments,
//! `mirror` a copy that goes on with its original; `pending` is a world in the making. `archive` moves old segments out into a file and
//! back, `beginning` is the checkpoint that then takes their place. `copies` lists the copies that have left the world. `checkpoints` keeps
//! pages that can be lost, `clock` says where world time stands. `interest` ends a walk that nobody
//! waits for. `keystore` keeps the one secret, apart from all of them, and `sealed_keys` carries it to another machine. `replace` puts
//! any file in its place as a whole, `small_file` is the form of those that are text. `copied_groups` gives groups the bytes that travel. `replica` has a copy outside of this machine follow
//! the log (`nats` is one), and `replica_status` says how far it is.

#[doc(hidden)]
pub mod ahead;
mod archive;
mod aside;
mod beginning;
#[doc(hidden)]
pub mod block;
#[doc(hidden)]
pub mod checkpoints;
#[doc(hidden)]
pub mod clean;
#[doc(hidden)]
pub mod clock;
mod compress;
mod compressed;
mod compressor;
mod contract;
#[doc(hidden)]
pub mod copies;
mod copied_groups;
mod copy_keeper;
#[doc(hidden)]
pub mod disk;
mod entries;
mod error;
mod export;
mod fork;
mod groups;
#[doc(hidden)]
pub mod import;
#[doc(hidden)]
pub mod index;
mod interest;
mod known;
#[doc(hidden)]
pub mod keystore;
#[doc(hidden)]
pub mod layout;
mod lock;
mod log;
mod memory;
mod mirror;
mod mode;
#[cfg(feature = "nats")]
mod nats;
mod owner_file;
mod pending;
#[doc(hidden)]
pub mod pending_file;
#[doc(hidden)]
pub mod record;
mod recover;
mod replica;
mod replica_status;
#[doc(hidden)]
pub mod replace;
#[cfg(feature = "nats")]
mod sealed_keys;
#[doc(hidden)]
pub mod segment;
#[doc(hidden)]
pub mod small_file;
mod volumes;
mod world_file;

pub use ahead::{AheadCall, AheadFile, AheadLine};
pub use archive::{ArchiveBorder, ArchiveFile};
pub use aside::set_aside;
pub use beginning::{ArchiveName, Beginning, HeldBytes, NewBeginning, SignedBorder};
pub use checkpoints::{Checkpoints, RungName};
pub use clock::ClockFile;
pub use contract::{Entries, Store};
pub use copied_groups::{CopiedGroup, each_copied};
pub use copies::{CopyKind, CopyList, CopyNote, HashedWriter};
pub use copy_keeper::{CopyKeeper, Keeper, KeptStore};
pub use disk::{Disk, DiskFile, PlainDisk};
pub use error::{Damage, Lost, StoreError};
pub use export::{ExportWriter, StreamStore, export};
pub use fork::{ForkPlan, Linking};
pub use import::import;
pub use index::{IndexReport, index_is_stale};
pub use interest::{Interest, Interested, WalkCount};
pub use keystore::Keystore;
pub use layout::{COMMIT_LEN, FORMAT};
pub use log::LogStore;
pub use memory::MemoryStore;
pub use mirror::Mirror;
pub use mode::{Mode, Options};
#[cfg(feature = "nats")]
pub use nats::{NatsServers, NatsStream, NatsTerms};
pub use owner_file::OwnerFile;
pub use pending::{PendingWorld, half_made};
pub use pending_file::PendingFile;
pub use record::{Commit, Ending, Group, Position, Record, RecordPlace, Stored};
pub use recover::Recovery;
pub use replace::{keep, keep_secret};
pub use replica::{CopyEnd, Durability, GroupTaker, Lease, Lengthened, LogCopy, Replica, Replicated, copied_entries};
pub use replica_status::{ReplicaServer, ReplicaState, ReplicaStatus};
#[cfg(feature = "nats")]
pub use sealed_keys::{MachineKey, seal_keys};
pub use world_file::{LinkedOrigin, WorldFile};
