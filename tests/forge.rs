//! Forge: is a history that was rewritten taken by any door, when everything that answers for the change was made anew?
//!
//! A small world is taken apart, something of it is changed, and it is put together again: hashed, chained, headed, checksummed, signed
//! with its own keys, with another's, or with none. Tests that a store alone can pass are in src/store/forged.rs.

use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;

use reelm::fact::{
    BeingId, Call, Canon, Content, Draft, Fact, Frame, Hash, Master, N, Peaks, Seq, Signature, Thought, Value, WorldId, simulated,
};
use reelm::past::{History as Past, load, load_from};
use reelm::reel::{Admission, AdmissionError, Chain};
use reelm::replay::{Replayed, Thread, replay};
use reelm::run::Living;
use reelm::store::{FORMAT, Group, Keystore, LogStore, MemoryStore, Mode, Options, Record, Store, StreamStore, WorldFile, export, import};

use super::kit::{Small, args};
use super::relive::{FIELDS, Row};
use super::terminal::Terminal;

/// Whose key signs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum By {
    Own,
    Another,
    /// Nobody's: what was signed before stays.
    Nobody,
}

#[derive(Clone)]
pub enum Piece {
    Blob(Vec<u8>),
    Frame(Box<Moment>),
}

#[derive(Clone)]
pub struct Moment {
    pub draft: Draft,
    /// The being and number in the record, where they differ from the draft's.
    recorded: Option<(BeingId, N)>,
    pub signature: Option<Signature>,
    pub by: By,
}

#[derive(Clone)]
pub struct Part {
    pieces: Vec<Piece>,
    seal: [u8; 64],
    by: By,
    /// Sealed instead of what the frames come to.
    head: Option<Hash>,
}

/// A history taken apart.
#[derive(Clone)]
pub struct History {
    file: WorldFile,
    master: Master,
    parts: Vec<Part>,
}

const SOURCE: &str = "[[space]]\npath = \"/hall\"\n[[being]]\nname = \"hal\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n\
    [[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"draw\"\n[[being.schedule]]\nname = \"beat\"\nevery = \"1m\"\n";

fn large(letter: &str) -> String {
    letter.repeat(5000)
}

impl History {
    pub fn small() -> Self {
        static SMALL: OnceLock<History> = OnceLock::new();
        SMALL.get_or_init(Self::lived).clone()
    }

    fn lived() -> Self {
        let mut small = Small::plant(SOURCE);
        let set = |value: &str| Call::doing("@hal", "quality.set", args(&format!(r#"{{"path":"t.a","value":"{value}"}}"#)));
        small.act("hal", set("small"));
        small.act("hal", set(&large("x")));
        small.run("2m");
        small.act("hal", set(&large("y")));
        small.act("hal", set(&large("x")));
        small.run("1m");
        Self::of(&small)
    }

    /// The history of a small world, taken apart.
    pub fn of(small: &Small) -> Self {
        let (master, id) = (small.master.clone(), small.id);
        let root_key = master.key(id, BeingId::WORLD).public().to_hash().to_string();
        let file = WorldFile { format: FORMAT, world: id, root_key, simulated: true, name: "small".to_owned(), origins: Vec::new() };
        let parts = small.shelf.groups().into_iter().map(|group| Part {
            pieces: group.records.into_iter().map(piece).collect(),
            seal: group.seal,
            by: By::Own,
            head: None,
        });
        Self { file, parts: parts.collect(), master }
    }

    pub fn moments(&mut self) -> Vec<&mut Moment> {
        let pieces = self.parts.iter_mut().flat_map(|part| &mut part.pieces);
        pieces.filter_map(|piece| if let Piece::Frame(moment) = piece { Some(&mut **moment) } else { None }).collect()
    }

    pub fn moment(&mut self, seq: Seq) -> &mut Moment {
        self.moments().remove(seq as usize)
    }

    /// Takes out the blobs that no frame of their group names any more.
    pub fn drop_unnamed(&mut self) {
        for part in &mut self.parts {
            let named: Vec<Hash> = part
                .pieces
                .iter()
                .filter_map(|piece| if let Piece::Frame(moment) = piece { Some(moment) } else { None })
                .flat_map(|moment| moment.draft.contents())
                .filter_map(|content| if let Content::There { hash, .. } = content { Some(*hash) } else { None })
                .collect();
            part.pieces.retain(|piece| if let Piece::Blob(bytes) = piece { named.contains(&Hash::of(bytes)) } else { true });
        }
    }

    /// The seq of the last moment of a being that thinks by its script.
    fn thought(&mut self) -> Seq {
        self.moments().iter().rfind(|moment| moment.draft.thought == Thought::Script).unwrap().draft.seq
    }

    /// The part that holds the blobs of a value, and where in it they begin.
    fn with_blobs(&self) -> Vec<usize> {
        let holds = |part: &Part| part.pieces.iter().any(|piece| matches!(piece, Piece::Blob(_)));
        (0..self.parts.len()).filter(|at| holds(&self.parts[*at])).collect()
    }

    /// The same, and the first group that has two blobs or more.
    fn with_two_blobs(self) -> (Self, usize) {
        let blobs = |part: &Part| part.pieces.iter().filter(|piece| matches!(piece, Piece::Blob(_))).count();
        let at = self.parts.iter().position(|part| blobs(part) > 1).expect("a group with two blobs");
        (self, at)
    }

    /// Puts it together again.
    fn groups(&self) -> Vec<Group> {
        let (own, another) = (self.master.clone(), Master::simulated(99));
        let world = self.parts.iter().flat_map(|part| &part.pieces).find_map(|piece| match piece {
            Piece::Frame(moment) => Some(moment.draft.world),
            Piece::Blob(_) => None,
        });
        let world: WorldId = world.unwrap();
        let sign = |by: By, being: BeingId, hash: &Hash, old: Signature| match by {
            By::Own => own.key(world, being).sign(hash),
            By::Another => another.key(world, being).sign(hash),
            By::Nobody => old,
        };
        let (mut chain, mut peaks) = (Chain::new(world), Peaks::default());
        let mut part = |part: &Part| {
            let records = part.pieces.iter().map(|piece| match piece {
                Piece::Blob(bytes) => Record::Blob { hash: Hash::of(bytes), bytes: bytes.clone().into() },
                Piece::Frame(moment) => {
                    let mut draft = moment.draft.clone();
                    chain.link(&mut draft);
                    let hash = Hash::of(&draft.body());
                    let _ = chain.advance(&draft, hash);
                    peaks.push(hash);
                    let signature = moment.signature.map(|old| sign(moment.by, draft.being, &hash, old));
                    let (being, n) = moment.recorded.unwrap_or((draft.being, draft.n));
                    Record::Frame { seq: draft.seq, being, n, bytes: draft.sealed_by(signature).unwrap().into_bytes().into() }
                }
            });
            let records = records.collect();
            let sealed = part.head.unwrap_or_else(|| peaks.head());
            Group { records, head: sealed, seal: sign(part.by, BeingId::WORLD, &sealed, Signature(part.seal)).0 }
        };
        self.parts.iter().map(&mut part).collect()
    }

    /// Leaves the seals as they were, whatever the heads come to.
    pub fn seals_stay(&mut self) {
        self.parts.iter_mut().for_each(|part| part.by = By::Nobody);
    }

    /// The result of walking it.
    pub fn walked(&self, only_verify: bool) -> Replayed {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("world.reelm");
        self.export(&path);
        let stream = StreamStore::open(&path).unwrap();
        replay(&stream, self.file.world, Thread { only_verify, ..Thread::default() }, &mut |_| {}).unwrap()
    }

    pub fn export(&self, path: &Path) {
        let mut store = MemoryStore::new(self.file.world);
        // The store counts frames by itself; what a frame says of its seq is looked at by whoever reads it.
        for mut group in self.groups() {
            let mut next = store.ending().seq;
            for record in &mut group.records {
                if let Record::Frame { seq, .. } = record {
                    *seq = next;
                    next += 1;
                }
            }
            store.append(store.ending().seq, &[group]).unwrap();
        }
        export(&store, &self.file, None, &mut File::create(path).unwrap()).unwrap();
    }

    /// A world's directory, as somebody lays it down who has only the bytes.
    fn lay_down(&self, stream: &StreamStore, world: &Path) {
        import(stream, world).unwrap().settle().unwrap();
        Keystore { master: (*self.master.reveal()).into() }.save(world).unwrap();
    }

    /// The message of each of these doors; `None` where it takes the history.
    fn doors(&self, doors: &[&'static str]) -> Vec<(&'static str, Option<String>)> {
        let dir = tempfile::tempdir().unwrap();
        let (path, world) = (dir.path().join("world.reelm"), dir.path().join("world"));
        self.export(&path);
        let stream = StreamStore::open(&path).unwrap();
        let walk = |store: &dyn Store, only_verify| {
            let walked = replay(store, self.file.world, Thread { only_verify, ..Thread::default() }, &mut |_| {});
            walked.map_or_else(|error| Some(error.to_string()), |Replayed { difference, .. }| difference.map(|found| format!("{found:?}")))
        };
        if doors.iter().any(|door| !door.ends_with("--file")) {
            self.lay_down(&stream, &world);
        }
        let log = || LogStore::open(&world, Mode::Read).unwrap().0;
        let said = |door: &'static str| match door {
            "verify --file" => walk(&stream, true),
            "replay --file" => walk(&stream, false),
            "verify" => walk(&log(), true),
            "see" => load(&log(), self.file.world, None, |_, _| {}).err().map(|error| error.to_string()),
            "run" => Living::open(&world, 1).err().map(|error| error.to_string()),
            other => panic!("no door is called `{other}`"),
        };
        doors.iter().map(|door| (*door, said(door))).collect()
    }

    /// Each of these doors refuses it, and says this.
    fn is_refused(&self, what: &str, doors: &[&'static str], sentence: &str) {
        for (door, said) in self.doors(doors) {
            let Some(said) = said else { panic!("{what}: `{door}` takes it") };
            assert!(said.contains(sentence), "{what}: `{door}` says {said}");
        }
    }
}

const ALL: &[&str] = &["verify --file", "replay --file", "verify", "see", "run"];
/// The doors that check every signature; opening checks the last seal alone.
const SIGNED: &[&str] = &["verify --file", "replay --file", "verify"];

fn piece(record: Record) -> Piece {
    match record {
        Record::Blob { bytes, .. } => Piece::Blob(bytes.to_vec()),
        Record::Frame { bytes, .. } => {
            let frame = Frame::read(&bytes).unwrap();
            let (draft, signature) = (frame.draft().clone(), *frame.signature());
            Piece::Frame(Box::new(Moment { draft, recorded: None, signature, by: By::Own }))
        }
    }
}

#[test]
fn a_history_that_was_only_put_together_again_is_taken_by_every_door() {
    for (door, said) in History::small().doors(ALL) {
        assert_eq!(said, None, "{door}");
    }
}

#[test]
fn every_field_of_a_frame_that_its_being_did_not_sign_is_refused_by_verify_and_replay() {
    for Row { what: field, change, .. } in FIELDS {
        for by in [By::Another, By::Nobody] {
            let mut history = History::small();
            let seq = history.thought();
            let moment = history.moment(seq);
            change(&mut moment.draft);
            moment.by = by;
            let sentence = format!("frame {seq} of {} does not carry its being's signature", history.moment(seq).draft.being);
            history.is_refused(&format!("{field}, signed by {by:?}"), &["verify --file", "replay --file"], &sentence);
        }
    }
}

#[test]
fn every_frame_whose_signature_is_not_its_beings_is_named_by_verify_and_replay() {
    let frames = History::small().moments().len();
    for seq in 0..frames as Seq {
        for by in [By::Another, By::Nobody] {
            let mut history = History::small();
            let moment = history.moment(seq);
            moment.by = by;
            moment.signature.as_mut().unwrap().0[(seq % 64) as usize] ^= 1;
            history.is_refused(&format!("frame {seq}, {by:?}"), &["verify --file"], &format!("frame {seq} of"));
        }
    }
    let mut history = History::small();
    history.moment(3).by = By::Another;
    history.is_refused("frame 3", SIGNED, "frame 3 of");
}

#[test]
fn every_seal_that_is_not_worlds_is_named_by_verify_and_replay_and_the_last_one_by_whoever_opens_the_world() {
    let parts = History::small().parts.len();
    assert!(parts > 4);
    for at in 0..parts {
        for by in [By::Another, By::Nobody] {
            let mut history = History::small();
            history.parts[at].by = by;
            history.parts[at].seal[at % 64] ^= 1;
            let doors = if at + 1 == parts { ALL } else { &["verify --file", "replay --file"] };
            history.is_refused(&format!("seal {at}, {by:?}"), doors, "is not sealed by @world");
        }
    }
}

#[test]
fn the_past_is_shown_of_no_seq_behind_which_world_has_sealed_something_else() {
    let mut history = History::small();
    let frames = history.moments().len() as Seq;
    history.moment(3).draft.offset += 60;
    // Everything is hashed and chained anew; whoever has no keys leaves the seals as they were.
    history.parts.iter_mut().for_each(|part| part.by = By::Nobody);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("world.reelm");
    history.export(&path);
    let store = StreamStore::open(&path).unwrap();
    for below in 0..=frames + 1 {
        let said = load(&store, history.file.world, Some(below), |_, _| {}).map(drop).map_err(|error| error.to_string());
        assert!(said.as_ref().is_err_and(|error| error.contains("not sealed by @world")), "below {below}: {said:?}");
    }
    let whole = History::small();
    whole.export(&path);
    let store = StreamStore::open(&path).unwrap();
    for below in 0..=frames {
        let loaded = load(&store, whole.file.world, Some(below), |_, _| {}).unwrap();
        assert_eq!((loaded.world.next_seq(), loaded.chain.next()), (below, below), "inside a group as well as at its end");
        let gone_on = load_from(&store, loaded, None, |_, _| {}).unwrap();
        assert_eq!(gone_on.chain.head(), store.ending().head);
    }
}

#[test]
fn a_world_of_other_rules_is_verified_and_not_replayed() {
    let mut history = History::small();
    let facts = &mut history.moment(0).draft.facts;
    let rules = |fact: &&mut Fact| matches!(fact, Fact::ConfigSet { key, .. } if key.as_ref() == "semantics");
    let Some(Fact::ConfigSet { value, .. }) = facts.iter_mut().find(rules) else { panic!("genesis says its semantics") };
    *value = Value::Int(1).into();
    assert_eq!(history.walked(true).difference, None);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("world.reelm");
    history.export(&path);
    let walked = replay(&StreamStore::open(&path).unwrap(), history.file.world, Thread::default(), &mut |_| {});
    let said = walked.map(drop).unwrap_err().to_string();
    assert!(said.contains("follows semantics version 1"), "{said}");
}

#[test]
fn a_past_is_shown_whatever_was_sealed_long_after_it() {
    let mut history = History::small();
    history.parts.last_mut().unwrap().by = By::Another;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("world.reelm");
    history.export(&path);
    let store = StreamStore::open(&path).unwrap();
    let folded = |below| load(&store, history.file.world, below, |_, _| {}).map(|loaded| loaded.world.next_seq());
    assert_eq!(folded(Some(2)).unwrap(), 2);
    assert!(folded(None).unwrap_err().to_string().contains("not sealed by @world"));
}

#[test]
fn a_frame_by_itself_is_shown_only_if_its_being_signed_it() {
    let mut history = History::small();
    history.moment(3).by = By::Another;
    let dir = tempfile::tempdir().unwrap();
    let (path, place) = (dir.path().join("world.reelm"), dir.path().join("world"));
    history.export(&path);
    history.lay_down(&StreamStore::open(&path).unwrap(), &place);
    let past = Past::of(&place).unwrap();
    let world = past.world(None, &mut |_| {}).unwrap();
    assert!(past.frame(2, &world).unwrap().is_some());
    let said = past.frame(3, &world).unwrap_err().to_string();
    assert!(said.contains("frame 3 of") && said.contains("does not carry its being's signature"), "{said}");
}

#[test]
fn a_head_that_the_frames_do_not_come_to_is_refused_by_every_door() {
    for at in 0..History::small().parts.len() {
        let mut history = History::small();
        history.parts[at].head = Some(Hash::of(b"another head"));
        history.is_refused(&format!("head {at}"), ALL, "was sealed");
    }
}

/// Where a record says that its frame stands.
type RecordPlace = fn(&Draft) -> (BeingId, N);

/// A field, how it is changed, and what every door says then.
type Moved = (&'static str, fn(&mut Draft), &'static str);

#[test]
fn a_record_that_says_another_place_than_its_frame_is_refused_by_every_door() {
    let places: [RecordPlace; 3] = [
        |draft| (draft.being, draft.n + 1),
        |draft| (BeingId::new(draft.being.0.seq + 1, draft.being.0.index), draft.n),
        |draft| (BeingId::new(draft.being.0.seq, draft.being.0.index + 1), draft.n),
    ];
    for place in places {
        let mut history = History::small();
        let seq = history.thought();
        let moment = history.moment(seq);
        moment.recorded = Some(place(&moment.draft));
        history.is_refused("its record", ALL, "the frame in it is another");
    }
}

#[test]
fn a_frame_that_stands_elsewhere_on_its_reel_is_refused_by_every_door() {
    let changes: [Moved; 9] = [
        ("seq", |draft| draft.seq += 1, "the frame in it is another"),
        ("n", |draft| draft.n += 1, "the reel goes on with"),
        ("world", |draft| draft.world = WorldId(*b"another world of"), "belongs to world"),
        ("at", |draft| draft.at -= 1_000_000, "goes back in time"),
        ("opened", |draft| draft.opened = draft.seq + 1, "goes back in time"),
        ("attempt", |draft| draft.attempt = 0, "no attempt"),
        ("at of the last instant that there is", |draft| draft.at = i64::MAX, "expected one of the years 1 to 9999"),
        ("opened_at of long after", |draft| (draft.at, draft.opened_at) = (1 << 62, 1 << 62), "expected one of the years 1 to 9999"),
        ("opened_at of long before", |draft| draft.opened_at = i64::MIN, "expected one of the years 1 to 9999"),
    ];
    for (what, change, sentence) in changes {
        let mut history = History::small();
        let seq = history.thought();
        change(&mut history.moment(seq).draft);
        history.is_refused(what, ALL, sentence);
    }
}

/// The blob of a value, and a frame's reference to it.
fn blob(value: &Value) -> (Vec<u8>, Content) {
    let bytes = value.to_canon();
    let content = Content::There { hash: Hash::of(&bytes), len: bytes.len() as u64 };
    (bytes, content)
}

#[test]
fn a_blob_that_is_none_or_stands_elsewhere_is_refused_by_every_door() {
    type Spoil = fn(&mut Vec<Piece>);
    let value = |letter: &str| Piece::Blob(Value::text(large(letter)).to_canon());
    let spoils: [(&str, Spoil, &str); 8] = [
        ("no value", |pieces| pieces.insert(0, Piece::Blob(vec![0xff; 5000])), "is not one value"),
        (
            "a value and a byte",
            |pieces| pieces.insert(0, Piece::Blob([Value::text(large("z")).to_canon(), vec![0]].concat())),
            "is not one value",
        ),
        ("small", |pieces| pieces.insert(0, Piece::Blob(Value::text("z").to_canon())), "stand in their frame"),
        ("twice", |pieces| pieces.insert(0, pieces[0].clone()), "in the log already"),
        ("named too late", |pieces| pieces.insert(0, Piece::Blob(Value::text(large("z")).to_canon())), "before one that stands earlier"),
        ("unnamed", unnamed, "no frame of its group names the blob"),
        ("late", |pieces| pieces.rotate_left(1), "which does not stand before it"),
        ("missing", |pieces| drop(pieces.remove(0)), "which does not stand before it"),
    ];
    for (what, spoil, sentence) in spoils {
        let mut history = History::small();
        let at = history.with_blobs()[1];
        spoil(&mut history.parts[at].pieces);
        history.is_refused(what, ALL, sentence);
    }
    let mut history = History::small();
    let last = history.parts.len() - 1;
    history.parts[last].pieces.push(value("z"));
    history.is_refused("behind its frames", ALL, "stands behind a frame");
    // Another group whose frames name two.
    let (mut history, at) = History::small().with_two_blobs();
    history.parts[at].pieces.swap(0, 1);
    history.is_refused("in another order", ALL, "before one that stands earlier");
}

/// A blob behind all that the frames of its group name.
fn unnamed(pieces: &mut Vec<Piece>) {
    let at = pieces.iter().position(|piece| matches!(piece, Piece::Frame(_))).unwrap();
    pieces.insert(at, Piece::Blob(Value::text(large("z")).to_canon()));
}

#[test]
fn a_group_without_a_frame_is_no_history() {
    let mut admission = Admission::new(History::small().file.world, None);
    assert!(matches!(admission.commit(&Hash::NOTHING), Err(AdmissionError::Empty { .. })));
}

#[test]
fn a_value_in_the_wrong_place_or_of_another_length_is_refused_by_every_door() {
    let put = |content: Content| {
        let mut history = History::small();
        let at = history.with_blobs()[1];
        let moment =
            history.parts[at].pieces.iter_mut().find_map(|piece| if let Piece::Frame(moment) = piece { Some(moment) } else { None });
        *moment.unwrap().draft.facts[0].contents_mut()[0] = content;
        history
    };
    let (_, there) = blob(&Value::text(large("x")));
    let Content::There { hash, len } = there else { unreachable!() };
    put(Content::There { hash, len: len + 1 }).is_refused("longer", ALL, "it has");
    put(Content::There { hash, len: 10 }).is_refused("small", ALL, "small enough to stand in a frame");
    put(Content::There { hash: Hash::of(b"nothing"), len }).is_refused("none", ALL, "which does not stand before it");
    put(Value::text(large("x")).into()).is_refused("in the frame", ALL, "too large to stand in a frame");
}

#[test]
fn what_world_toml_says_is_compared_with_the_first_frame_by_every_door() {
    let readers = &["verify --file", "replay --file", "verify", "see"];
    let mut history = History::small();
    history.file.simulated = false;
    history.is_refused("simulated", ALL, "`simulated`");
    let mut history = History::small();
    history.file.name = "another".to_owned();
    history.is_refused("name", ALL, "its name");
    let mut history = History::small();
    history.file.root_key = Master::simulated(99).key(history.file.world, BeingId::WORLD).public().to_hash().to_string();
    history.is_refused("root_key", readers, "the key of @world");
    history.is_refused("root_key", &["run"], "keys of another world");
}

#[test]
fn a_simulated_world_that_somebody_else_made_anew_is_refused_by_whoever_checks_its_keys() {
    let mut history = History::small();
    let (world, another) = (history.file.world, Master::simulated(99));
    for moment in history.moments() {
        let seq = moment.draft.seq;
        for (index, fact) in (0u32..).zip(&mut moment.draft.facts) {
            if let Fact::Born(birth) = fact {
                birth.key = another.key(world, BeingId::new(seq, index)).public().to_hash();
            }
        }
    }
    history.master = another.clone();
    history.file.root_key = another.key(world, BeingId::WORLD).public().to_hash().to_string();
    history.is_refused("other keys", SIGNED, "does not follow from the seed");
    let mut history = History::small();
    history.file.world = simulated("another", 1).1;
    let (master, world) = (history.master.clone(), history.file.world);
    for moment in history.moments() {
        moment.draft.world = world;
        let seq = moment.draft.seq;
        for (index, fact) in (0u32..).zip(&mut moment.draft.facts) {
            if let Fact::Born(birth) = fact {
                birth.key = master.key(world, BeingId::new(seq, index)).public().to_hash();
            }
        }
    }
    history.file.root_key = history.master.key(history.file.world, BeingId::WORLD).public().to_hash().to_string();
    history.is_refused("another id", SIGNED, "does not follow from its name and seed");
}

#[test]
fn only_world_is_born_of_nothing() {
    let mut history = History::small();
    let mut changed = None;
    for moment in history.moments() {
        let seq = moment.draft.seq;
        for fact in moment.draft.facts.iter_mut().skip(usize::from(seq == 0)) {
            if let Fact::Born(birth) = fact {
                birth.parent = None;
                changed = Some(seq);
            }
        }
    }
    assert!(changed.is_some());
    history.is_refused("born of nothing", ALL, "has no parent");
    let mut history = History::small();
    let born = |fact: &mut Fact| {
        if let Fact::Born(birth) = fact {
            birth.parent = Some(BeingId::new(0, 1))
        }
    };
    history.moment(0).draft.facts.first_mut().into_iter().for_each(born);
    history.is_refused("@world with a parent", ALL, "is @world and has one");
}

#[test]
fn a_refused_import_leaves_nothing_and_names_the_file_that_was_given() {
    let mut history = History::small();
    history.moment(3).by = By::Another;
    let terminal = Terminal::new();
    history.export(&terminal.path("forged.reelm"));
    terminal.types("import forged.reelm --data copy").fails(3).warns(&["`forged.reelm` at byte ", "frame 3 of", "signature"]);
    let mut history = History::small();
    history.parts[2].by = By::Another;
    history.export(&terminal.path("forged.reelm"));
    terminal.types("import forged.reelm --data copy").fails(3).warns(&["`forged.reelm` at byte ", "not sealed by @world"]);
    let left: Vec<_> = std::fs::read_dir(terminal.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["forged.reelm"]);
    terminal.write("letter", "dear");
    for line in ["import letter --data copy", "verify --file letter", "replay --file letter"] {
        terminal.types(line).fails(1).warns(&["`letter` is no export"]);
    }
    History::small().export(&terminal.path("whole.reelm"));
    terminal.types("import whole.reelm --data copy").ok();
    terminal.types("verify --data copy").ok();
}

#[test]
fn inspect_says_whose_signatures_hold_and_ends_with_3_where_one_does_not() {
    let terminal = Terminal::new();
    let lay = |history: &History, name: &str| {
        history.export(&terminal.path("world.reelm"));
        let stream = StreamStore::open(&terminal.path("world.reelm")).unwrap();
        import(&stream, &terminal.path(name)).unwrap().settle().unwrap();
    };
    lay(&History::small(), "whole");
    terminal.types("inspect --data whole").fails(0).says(&["signatures and seals hold"]);
    let mut history = History::small();
    history.moment(3).by = By::Nobody;
    history.moment(3).signature.as_mut().unwrap().0[0] ^= 1;
    lay(&history, "frame");
    terminal.types("inspect --data frame").fails(3).says(&["the frame does not carry its being's signature"]);
    let mut history = History::small();
    history.parts[2].by = By::Another;
    lay(&history, "seal");
    terminal.types("inspect --data seal").fails(3).says(&["the head is not sealed by @world"]);
}

#[test]
fn another_worlds_keystore_is_refused_before_anything_is_written() {
    let terminal = Terminal::new();
    terminal.types("run $worlds/court --moments 5 --quiet --data one").ok();
    terminal.types("run $worlds/court --seed 2 --moments 5 --quiet --data two").ok();
    std::fs::copy(terminal.path("two/keystore"), terminal.path("one/keystore")).unwrap();
    let before = std::fs::read(terminal.path("one/clean")).unwrap();
    for line in ["run --moments 1", "do /court space.name '{\"name\":\"x\"}'"] {
        terminal
            .types(&format!("{line} --data one"))
            .fails(1)
            .warns(&["`one/keystore` holds the keys of another world", "put this world's own keystore back"]);
    }
    assert_eq!(std::fs::read(terminal.path("one/clean")).unwrap(), before);
    for line in ["verify", "replay"] {
        terminal.types(&format!("{line} --data one")).fails(1).warns(&["`one/keystore` holds the keys of another world"]);
    }
    // A reader without keys, or that may not read them, checks all that the history says of itself.
    std::fs::remove_file(terminal.path("one/keystore")).unwrap();
    terminal.types("verify --data one").ok();
}

#[test]
fn an_export_of_one_log_is_the_same_bytes_however_the_log_lies_and_after_an_import() {
    let dir = tempfile::tempdir().unwrap();
    let history = History::small();
    let exported = |name: &str, options: Options, at_once: bool, is_killed: bool| {
        let world = dir.path().join(name);
        let mut store = LogStore::create_with(&world, &history.file, options).unwrap();
        let groups = history.groups();
        let parts: Vec<&[Group]> = if at_once { vec![&groups] } else { groups.chunks(1).collect() };
        parts.into_iter().for_each(|part| store.append(store.ending().seq, part).unwrap());
        if name == "five" {
            store.compress_closed().unwrap();
        }
        if !is_killed {
            store.close().unwrap();
            store = LogStore::open(&world, Mode::Read).unwrap().0;
        }
        let mut bytes = Vec::new();
        export(&store, store.world_file(), None, &mut bytes).unwrap();
        bytes
    };
    let one = exported("one", Options::default(), false, false);
    for (name, segment_bytes, at_once, is_killed) in
        [("two", 64 << 20, true, false), ("three", 4096, false, false), ("four", 4096, true, true), ("five", 4096, false, false)]
    {
        let index = name == "two";
        assert!(one == exported(name, Options { index, segment_bytes, ..Options::default() }, at_once, is_killed), "{name}");
    }
    let file = dir.path().join("world.reelm");
    std::fs::write(&file, &one).unwrap();
    let stream = StreamStore::open(&file).unwrap();
    import(&stream, &dir.path().join("copy")).unwrap().settle().unwrap();
    let (store, _) = LogStore::open(&dir.path().join("copy"), Mode::Read).unwrap();
    for store in [&store as &dyn Store, &stream] {
        let mut again = Vec::new();
        export(store, &history.file, None, &mut again).unwrap();
        assert!(one == again, "an export of the import is the export");
    }
}
