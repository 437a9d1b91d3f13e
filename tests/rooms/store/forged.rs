//! Groups that are whole by every checksum and still no history: each field of a record, a commit and a header, made anew with all that answers for it.

use std::fs;
use std::path::Path;

use reelm::fact::Hash;

use super::suite::{WORLD, group, groups_of, world_file};
use reelm::store::COMMIT_LEN;
use reelm::store::LogStore;
use reelm::store::MemoryStore;
use reelm::store::Store;
use reelm::store::StoreError;
use reelm::store::layout::{Checksum, CommitChain, HEAD_LEN};
use reelm::store::segment::{self, HEADER_LEN};
use reelm::store::{Mode, Options};
use reelm::store::{StreamStore, export};

const SEGMENT: &str = "log/0000000000000000.seg";
const GROUPS: [(u64, u64); 3] = [(0, 2), (2, 4), (6, 1)];

/// The records of one group, kind and payload, and its commit's payload.
struct Raw {
    records: Vec<(u8, Vec<u8>)>,
    commit: Vec<u8>,
}

/// The groups of a history as an export has them.
fn raw() -> Vec<Raw> {
    let mut store = MemoryStore::new(WORLD);
    GROUPS.iter().for_each(|(from, count)| store.append(*from, &[group(*from, *count)]).unwrap());
    let mut bytes = Vec::new();
    export(&store, &world_file(), None, &mut bytes).unwrap();
    let mut at = front().len() + HEADER_LEN;
    let (mut groups, mut records) = (Vec::new(), Vec::new());
    while at < bytes.len() {
        let len = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let (kind, payload) = (bytes[at + 8], bytes[at + HEAD_LEN..at + HEAD_LEN + len].to_vec());
        at += HEAD_LEN + len;
        if kind == 3 {
            groups.push(Raw { records: std::mem::take(&mut records), commit: payload });
        } else {
            records.push((kind, payload));
        }
    }
    groups
}

fn front() -> Vec<u8> {
    let text = world_file().to_text(None).unwrap();
    [b"reelmexp".as_slice(), &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
}

fn record(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = [&(payload.len() as u32).to_le_bytes()[..], &[0; 4], &[kind], payload].concat();
    let crc = Checksum::of(WORLD).crc((payload.len() as u32).to_le_bytes(), kind, payload);
    bytes[4..8].copy_from_slice(&crc.to_le_bytes());
    bytes
}

/// The groups' bytes with hashes, lengths, counts and the chain made anew, and where the chain stands behind them. `spoil` has each commit last.
fn written(groups: &[Raw], spoil: &dyn Fn(usize, &mut Vec<u8>)) -> (Vec<u8>, CommitChain) {
    let (mut out, mut chain) = (Vec::new(), CommitChain::start(WORLD));
    for (index, Raw { records, commit }) in groups.iter().enumerate() {
        let body: Vec<u8> = records.iter().flat_map(|(kind, payload)| record(*kind, payload)).collect();
        let count = |wanted: u8| records.iter().filter(|(kind, _)| *kind == wanted).count() as u32;
        let mut commit = commit.clone();
        let end = chain.seq + u64::from(count(1));
        commit[0..8].copy_from_slice(&(chain.number + 1).to_le_bytes());
        commit[8..16].copy_from_slice(&end.to_le_bytes());
        commit[16..20].copy_from_slice(&count(1).to_le_bytes());
        commit[20..24].copy_from_slice(&count(2).to_le_bytes());
        commit[24..32].copy_from_slice(&(body.len() as u64).to_le_bytes());
        commit[32..64].copy_from_slice(&Hash::of(&body).0);
        commit[64..96].copy_from_slice(&chain.commit.0);
        commit[192..200].copy_from_slice(&chain.number.to_le_bytes());
        spoil(index, &mut commit);
        let head = Hash(commit[96..128].try_into().unwrap());
        chain = CommitChain {
            number: chain.number + 1,
            commit: Hash::of(&commit[..192.min(commit.len())]),
            head,
            seq: end,
            acked: chain.number,
        };
        out.extend(body);
        out.extend(record(3, &commit));
    }
    (out, chain)
}

/// The verdict on these groups of a reader of an export, and of a store that opens them as a log, in each mode.
fn readers(dir: &Path, groups: &[u8], chain: &CommitChain) -> Vec<Result<(), StoreError>> {
    let file = dir.join("export");
    fs::write(&file, [&front()[..], &segment::header(WORLD, chain), groups].concat()).unwrap();
    let world = dir.join("world");
    let _ = fs::remove_dir_all(&world);
    drop(LogStore::create(&world, &world_file()).unwrap());
    fs::remove_file(world.join("clean")).unwrap();
    let log = [&segment::header(WORLD, &CommitChain::start(WORLD))[..], groups].concat();
    fs::write(world.join(SEGMENT), &log).unwrap();
    let opened = |mode| LogStore::open_with(&world, mode, Options { index: false, ..Options::default() });
    let read = opened(Mode::Read).and_then(|(store, _)| groups_of(&store, 0).map(drop));
    let write = opened(Mode::Write).and_then(|(store, _)| groups_of(&store, 0).map(drop));
    if write.is_err() {
        assert_eq!(fs::read(world.join(SEGMENT)).unwrap(), log, "what is forged is never cut");
    }
    vec![StreamStore::open(&file).map(drop), read, write]
}

fn all_refuse(what: &str, groups: &[Raw], spoil: &dyn Fn(usize, &mut Vec<u8>), sentence: &str) {
    let dir = tempfile::tempdir().unwrap();
    let (bytes, chain) = written(groups, spoil);
    for (reader, said) in readers(dir.path(), &bytes, &chain).into_iter().enumerate() {
        match said {
            Err(StoreError::Damaged(damage)) => assert_eq!(damage.what, sentence, "{what}, reader {reader}: {damage}"),
            other => panic!("{what}: reader {reader} says {other:?}"),
        }
    }
}

#[test]
fn a_history_that_was_only_written_anew_is_taken() {
    let dir = tempfile::tempdir().unwrap();
    let (bytes, chain) = written(&raw(), &|_, _| {});
    readers(dir.path(), &bytes, &chain).into_iter().for_each(|said| said.unwrap());
}

#[test]
fn a_blob_that_does_not_hash_to_its_name_is_refused_by_every_reader() {
    for which in 0..3 {
        let mut groups = raw();
        if let Some((_, payload)) = groups[which].records.iter_mut().find(|(kind, _)| *kind == 2) {
            *payload.last_mut().unwrap() ^= 1;
            all_refuse("a blob's last byte", &groups, &|_, _| {}, "the blob does not hash to its name");
            groups = raw();
            groups[which].records.iter_mut().find(|(kind, _)| *kind == 2).unwrap().1[0] ^= 1;
            all_refuse("a blob's name", &groups, &|_, _| {}, "the blob does not hash to its name");
        }
    }
}

#[test]
fn a_number_of_a_frames_record_has_one_form() {
    for which in 0..3 {
        let mut groups = raw();
        let (_, payload) = groups[which].records.iter_mut().find(|(kind, _)| *kind == 1).unwrap();
        // The same number, a byte longer.
        let first = payload[0];
        payload.splice(0..1, [first | 0x80, 0]);
        all_refuse("a longer form", &groups, &|_, _| {}, "the frame's record has not the form of one");
    }
}

#[test]
fn every_field_of_a_commit_that_says_something_else_is_refused_by_every_reader() {
    let (not_it, not_next) = ("the group is not the one that was committed", "the commit does not follow the one before");
    let fields: [(&str, std::ops::Range<usize>, &str); 8] = [
        ("number", 0..8, not_next),
        ("end_seq", 8..16, not_next),
        ("frames", 16..20, not_it),
        ("blobs", 20..24, not_it),
        ("length", 24..32, not_it),
        ("group", 32..64, not_it),
        ("previous", 64..96, not_next),
        ("acked", 192..200, "the commit does not say truly which one before it was durable"),
    ];
    for (name, bytes, sentence) in fields {
        for which in 0..3 {
            let spoil = |index: usize, commit: &mut Vec<u8>| {
                if index == which {
                    // Of acked a bit that makes it larger than any commit's number before it.
                    commit[bytes.start + if name == "acked" { 1 } else { 0 }] ^= 1;
                }
            };
            all_refuse(name, &raw(), &spoil, sentence);
        }
    }
    // Durable groups stay so.
    let below = |index: usize, commit: &mut Vec<u8>| {
        if index == 2 {
            commit[192..200].copy_from_slice(&[0; 8]);
        }
    };
    all_refuse("acked below the one before", &raw(), &below, "the commit does not say truly which one before it was durable");
    let longer = |index: usize, commit: &mut Vec<u8>| {
        if index == 1 {
            commit.push(0);
        }
    };
    assert_eq!(raw()[1].commit.len(), COMMIT_LEN);
    all_refuse("a longer commit", &raw(), &longer, "the commit has not the length of one");
}

#[test]
fn a_group_without_a_frame_is_refused_by_every_reader() {
    for at in 0..=3 {
        let mut groups = raw();
        let commit = groups[at.min(2)].commit.clone();
        groups.insert(at, Raw { records: Vec::new(), commit });
        all_refuse("no frame", &groups, &|_, _| {}, "the group holds no frame");
    }
}

#[test]
fn an_export_says_of_each_commit_that_the_one_before_was_durable() {
    let dir = tempfile::tempdir().unwrap();
    let none = |_: usize, commit: &mut Vec<u8>| commit[192..200].copy_from_slice(&[0; 8]);
    let (bytes, chain) = written(&raw(), &none);
    let said = readers(dir.path(), &bytes, &chain);
    assert!(matches!(&said[0], Err(StoreError::Damaged(_))));
    // In a log it may be so: all were written at once.
    assert!(said[1].is_ok() && said[2].is_ok());
}

#[test]
fn every_field_of_an_exports_header_is_compared_with_its_history() {
    let dir = tempfile::tempdir().unwrap();
    let (bytes, chain) = written(&raw(), &|_, _| {});
    let other = Hash::of(b"other");
    let spoilt = [
        CommitChain { seq: chain.seq + 1, ..chain },
        CommitChain { number: chain.number + 1, ..chain },
        CommitChain { commit: other, ..chain },
        CommitChain { head: other, ..chain },
    ];
    for (index, wrong) in spoilt.iter().enumerate() {
        let said = readers(dir.path(), &bytes, wrong).remove(0);
        assert!(matches!(said, Err(StoreError::Damaged(_))), "field {index}: {said:?}");
    }
    for behind in [&[0u8][..], &[0; 64], &[1], b"reelm"] {
        let said = readers(dir.path(), &[&bytes[..], behind].concat(), &chain).remove(0);
        assert!(matches!(said, Err(StoreError::Damaged(_))), "{} bytes behind the end: {said:?}", behind.len());
    }
}

#[test]
fn every_field_of_a_segments_header_is_compared_with_its_history() {
    let dir = tempfile::tempdir().unwrap();
    let options = Options { index: false, segment_bytes: 900, ..Options::default() };
    let mut store = LogStore::create_with(dir.path(), &world_file(), options.clone()).unwrap();
    GROUPS.iter().for_each(|(from, count)| store.append(*from, &[group(*from, *count)]).unwrap());
    store.close().unwrap();
    let log = dir.path().join("log");
    let mut segments: Vec<_> = fs::read_dir(&log).unwrap().map(|entry| entry.unwrap().path()).collect();
    segments.sort();
    assert!(segments.len() > 1);
    for path in segments {
        let bytes = fs::read(&path).unwrap();
        // Format, world, first seq, commits before, hash, head: one byte of each, with the right checksum.
        for at in [8, 12, 28, 36, 44, 76] {
            let mut wrong = bytes.clone();
            // A bit that makes the format a lower one.
            wrong[at] ^= if at == 8 { 2 } else { 1 };
            let crc = crc32fast::hash(&wrong[..HEADER_LEN - 4]).to_le_bytes();
            wrong[HEADER_LEN - 4..HEADER_LEN].copy_from_slice(&crc);
            fs::write(&path, &wrong).unwrap();
            let read = LogStore::open_with(dir.path(), Mode::Read, options.clone()).and_then(|(store, _)| groups_of(&store, 0));
            let is_refused = match &read {
                Err(StoreError::FormerFormat { .. }) => at == 8,
                read => at != 8 && matches!(read, Err(StoreError::Damaged(_))),
            };
            assert!(is_refused, "byte {at} of {}: {read:?}", path.display());
        }
        fs::write(&path, &bytes).unwrap();
        let other = log.join("000000000000000F.seg");
        fs::write(&other, "neither this program's nor anybody's").unwrap();
        LogStore::open_with(dir.path(), Mode::Read, options.clone()).unwrap();
        fs::remove_file(other).unwrap();
    }
}

#[test]
fn what_stands_behind_the_end_of_a_closed_world_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = LogStore::create(dir.path(), &world_file()).unwrap();
    store.append(0, &[group(0, 2)]).unwrap();
    store.close().unwrap();
    let path = dir.path().join(SEGMENT);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, [&bytes[..], &[0; 500], b"here"].concat()).unwrap();
    for mode in [Mode::Read, Mode::Write] {
        let said = LogStore::open(dir.path(), mode).map(drop);
        assert!(matches!(said, Err(StoreError::Damaged(_))), "{said:?}");
    }
}
