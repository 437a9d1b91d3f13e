//! Kit: small worlds in memory, and what stands on their reels. The only test code that knows how a world is planted and run.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use proptest::test_runner::Config;
use reelm::extension::Package;
use reelm::fact::{
    BeingId, Call, Canon, Closing, Code, Content, Credential, Draft, Fact, Frame, Hash, Made, Master, N, Seq, Summons, Thing, Value, Verbs,
    WakeId, WakeKind, WorldId, parse_duration, simulated,
};
use reelm::moment::{Composer, is_asking, open};
use reelm::past::{Report, load, retell};
use reelm::reel::{Chain, ChainError};
use reelm::replay::{ReplayError, Replayed, Thread, replay};
use reelm::role::{Spec, Worn, compose};
use reelm::run::{Course, Gesture, Living, Pace, Ran, Reins, RunError, Until};
use reelm::script::{Limits, Sandbox};
use reelm::source::Source;
use reelm::store::{Ending, Entries, Group, LogStore, MemoryStore, Mode, Options, Record, Store, StoreError, Stored};
use reelm::verb::{Actor, Asker, Errand, Hands, Named, RuleTrace, bind_target, may_be, may_do, thing_named};
use reelm::world::{Being, Gathered, Wake, World};

/// One of two sizes of a test: that of each change, or under `LONG=1` that of the long tier.
pub fn size<T>(quick: T, long: T) -> T {
    if std::env::var_os("LONG").is_some_and(|long| long != "0" && !long.is_empty()) { long } else { quick }
}

/// So many cases, as `size` says; a failure prints the smallest one that was found, and nothing is written beside the tests.
pub fn cases(quick: u32, long: u32) -> Config {
    Config { cases: size(quick, long), failure_persistence: None, max_shrink_iters: 200, ..Config::default() }
}

/// A copy of a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
    std::fs::set_permissions(to, std::fs::metadata(from).unwrap().permissions()).unwrap();
}

/// Waits until something is so, and says what was waited for when it never is.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(120), "waited two minutes, and in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A memory store that outlives the world that writes it.
#[derive(Clone)]
pub struct Shelf {
    inner: Arc<Mutex<MemoryStore>>,
    ending: Ending,
}

impl Shelf {
    pub fn new(world: WorldId) -> Self {
        let store = MemoryStore::new(world);
        let ending = *store.ending();
        Self { inner: Arc::new(Mutex::new(store)), ending }
    }

    /// As somebody finds it who opens it now.
    pub fn opened(&self) -> Self {
        let ending = *self.inner.lock().unwrap().ending();
        Self { inner: self.inner.clone(), ending }
    }

    pub fn groups(&self) -> Vec<Group> {
        groups_of(self)
    }

    pub fn frames(&self) -> Vec<Frame> {
        let frames = self
            .read(0)
            .unwrap()
            .filter_map(|entry| if let Stored::Frame { bytes, .. } = entry.unwrap() { Some(Frame::read(&bytes).unwrap()) } else { None });
        frames.collect()
    }
}

impl Shelf {
    /// The sealed drafts, as they were drafted: large values stand in them again, and can be sealed once more.
    pub fn drafts(&self) -> Vec<Draft> {
        let whole = |content: &mut Content| {
            if let Content::There { hash, .. } = content {
                *content = Content::Here(Value::from_canon(&self.blob(hash).unwrap().unwrap()).unwrap());
            }
        };
        let mut drafts: Vec<Draft> = self.frames().iter().map(|frame| frame.draft().clone()).collect();
        for draft in &mut drafts {
            draft.call.iter_mut().for_each(|call| whole(&mut call.args));
            draft.facts.iter_mut().flat_map(Fact::contents_mut).for_each(whole);
        }
        drafts
    }
}

impl Store for Shelf {
    fn ending(&self) -> &Ending {
        &self.ending
    }
    fn append(&mut self, expected_seq: Seq, groups: &[Group]) -> Result<(), StoreError> {
        let mut inner = self.inner.lock().unwrap();
        inner.append(expected_seq, groups)?;
        self.ending = *inner.ending();
        Ok(())
    }
    fn read(&self, from: Seq) -> Result<Entries<'_>, StoreError> {
        let entries: Vec<_> = self.inner.lock().unwrap().read(from)?.collect();
        Ok(Box::new(entries.into_iter()))
    }
    fn frame(&self, seq: Seq) -> Result<Option<Record>, StoreError> {
        self.inner.lock().unwrap().frame(seq)
    }
    fn reel(&self, being: BeingId, from_n: N) -> Result<Vec<Seq>, StoreError> {
        self.inner.lock().unwrap().reel(being, from_n)
    }
    fn blob(&self, hash: &Hash) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.inner.lock().unwrap().blob(hash)
    }
}

/// The roles of every small world, beside those of its own: free beings, deaf ones, tireless ones.
const ROLES: [&str; 5] = [
    "name: free\ncanSee: ['**']\ncanDo: ['**', {action: signal.set, ns: '*'}]\ncanSummon: ['**']\ncanBe: ['**']\ntriggerOn: [message, signal, schedule, watch, hear, enter, arrival]",
    "name: deaf\ncanSee: ['**']\ncanDo: ['**', {action: signal.set, ns: '*'}]\ncanSummon: ['**']\ncanBe: ['**']\ntriggerOn: [message, signal, schedule, watch]",
    "name: tireless\ncanSee: ['**']\ncanDo: ['quality.inc']\nselfContinue: true\ntriggerOn: [message, signal, schedule, watch]",
    "name: mute\ncanSee: ['**']\ncanDo: ['quality.inc']\ntriggerOn: [message, signal, schedule, watch, hear]",
    "name: other\ncanSee: ['**']\ncanDo: ['quality.inc']\ntriggerOn: [message, signal, schedule, watch]",
];
pub const SCRIPTS: [(&str, &str); 15] = [
    ("count", r#"fn think(face) { act(face.me.address, "quality.inc", #{ path: "t.n" }) }"#),
    ("look", r#"fn think(face) { () }"#),
    ("fail", r#"fn think(face) { throw "not today"; }"#),
    ("draw", r#"fn think(face) { act(face.me.address, "quality.push", #{ path: "t.draws", value: random_int(0, 1000000) }) }"#),
    (
        "answer",
        r#"fn think(face) { if face.wake.kind == "summons" { return summon(face.wake.from, "again"); } act(face.me.address, "quality.inc", #{ path: "t.n" }) }"#,
    ),
    (
        "talk",
        r#"fn think(face) { if face.wake.kind == "hear" { return act(face.me.address, "quality.inc", #{ path: "t.heard" }); } act(face.me.position, "say", #{ content: "hello" }) }"#,
    ),
    (
        "chatter",
        r#"fn think(face) { let words = ["rain", "bread", "a key", "the wall", "a stone", "low tide", "the fair", "a song"];
            let said = face.me.name + " thinks of";
            for n in 0..4 { said += " " + words[random_int(0, 7)] + ","; }
            act(face.me.position, "say", #{ content: said }) }"#,
    ),
    ("publish", r#"fn think(face) { act("/", "signal.set", #{ path: "t.dice", value: random_int(0, 3) }) }"#),
    ("trespass", r#"fn think(face) { act("/other", "quality.set", #{ path: "t.mine", value: 1 }) }"#),
    (
        "pass",
        r#"fn think(face) { if face.wake.intent == "receipt" { return (); } summon(if face.me.name == "ada" { "@bob" } else { "@ada" }, "again") }"#,
    ),
    ("take", r#"fn think(face) { act("/hall/cup", "move", #{ to: face.me.address }) }"#),
    ("walk", r#"fn think(face) { if face.wake.kind == "summons" { return act(face.me.address, "move", #{ to: "/other" }); } () }"#),
    ("demote", r#"fn think(face) { act("@ada", "flow.default", #{ role: "mute" }) }"#),
    ("meddle", r#"fn think(face) { act("@bob", "quality.set", #{ path: "t.mine", value: 1 }) }"#),
    (
        "thrice",
        r#"fn think(face) { let n = face.me.qualities.t?.n; if n != () && n >= 3 { return (); } act(face.me.address, "quality.inc", #{ path: "t.n" }) }"#,
    ),
];

/// A small world that lives.
pub struct Small {
    living: Option<Living>,
    pub shelf: Shelf,
    pub master: Master,
    pub id: WorldId,
    threads: usize,
}

/// The history of a small world.
pub struct Kept {
    pub frames: Vec<Frame>,
    pub master: Master,
}

/// A source from the text of a world.toml, with the kit's roles and scripts.
pub fn source(text: &str) -> Source {
    let text = format!("name = \"small\"\nseed = 1\nstart = \"2026-03-02T08:00:00\"\n{text}");
    let mut source = Source::parse(Path::new("."), "world.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    source.roles.extend(ROLES.map(|role| Spec::from_markdown("kit.md", &format!("---\n{role}\n---\n\nYou are in a test.\n")).unwrap()));
    source.scripts.extend(SCRIPTS.map(|(name, script)| (name.to_owned(), format!("scripts/{name}.rhai"), script.to_owned())));
    source
}

/// An extension of these files.
pub fn package(name: &str, files: &[(&str, &str)]) -> Package {
    let files = files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
    Package::parse(name, &files).unwrap_or_else(|error| panic!("{error}"))
}

impl Small {
    pub fn plant(text: &str) -> Self {
        Self::grow(&source(text), 1, 1)
    }

    pub fn grow(source: &Source, seed: u64, threads: usize) -> Self {
        let (master, id) = simulated(&source.name, seed);
        let shelf = Shelf::new(id);
        let living = Living::plant_in(source, Some(seed), Box::new(shelf.clone()), threads).unwrap_or_else(|error| panic!("{error}"));
        Self { living: Some(living), shelf, master, id, threads }
    }

    /// Everything in memory is dropped, and the world opened again from what was kept.
    pub fn reopen(&mut self) {
        drop(self.living.take());
        self.living = Some(self.over(self.shelf.opened()));
    }

    fn over(&self, shelf: Shelf) -> Living {
        let loaded = load(&shelf, self.id, None, |_, _| {}).unwrap();
        Living::over(Box::new(shelf), self.master.clone(), loaded, self.threads)
    }

    /// The world as a crash leaves it after so many groups.
    pub fn cut(&self, groups: usize) -> Self {
        let mut shelf = Shelf::new(self.id);
        for group in &self.shelf.groups()[..groups] {
            let next = shelf.ending().seq;
            shelf.append(next, std::slice::from_ref(group)).unwrap();
        }
        let living = self.over(shelf.clone());
        Self { living: Some(living), shelf, master: self.master.clone(), id: self.id, threads: self.threads }
    }

    pub fn living(&mut self) -> &mut Living {
        self.living.as_mut().unwrap()
    }

    pub fn world(&self) -> Arc<World> {
        self.living.as_ref().unwrap().world().clone()
    }

    pub fn act(&mut self, name: &str, call: Call) -> Draft {
        self.living().act(name, call).unwrap();
        self.shelf.frames().pop().unwrap().draft().clone()
    }

    /// A person answers the open wake that comes next to them.
    pub fn answer(&mut self, name: &str, call: Call) -> Draft {
        let wake = self.wake_of(name, self.world().now());
        let gesture =
            Gesture { being: name.into(), call: Some(call), wake: Some(wake), by: None, metered: false, once: None, only: Verbs::ALL };
        self.living().gesture(gesture).unwrap();
        self.shelf.frames().pop().unwrap().draft().clone()
    }

    /// The open wake that comes next to a being of those that are due by an instant.
    pub fn wake_of(&self, name: &str, due: i64) -> WakeId {
        self.world().inbox().next(self.id_of(name), due).unwrap_or_else(|| panic!("@{name} has no open wake")).id.clone()
    }

    /// The operator does something, and it stands.
    pub fn operate(&mut self, target: &str, action: &str, args: Value) -> Draft {
        let draft = self.act("operator", Call::doing(target, action, args));
        assert_eq!(draft.closing, Closing::Act, "{action} on {target}");
        draft
    }

    pub fn try_act(&mut self, name: &str, call: Call) -> Result<(), RunError> {
        self.living().act(name, call).map(drop)
    }

    pub fn course(&mut self, until: Until) -> Ran {
        self.living().run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap()
    }

    /// Lets so much world time pass before somebody's eyes.
    pub fn watch(&mut self, duration: &str, watch: &mut dyn FnMut(&Report)) -> Ran {
        let until = Until { duration: parse_duration(duration), ..Until::default() };
        self.living().run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: Some(watch), measures: None }).unwrap()
    }

    /// Lets so much world time pass.
    pub fn run(&mut self, duration: &str) -> Ran {
        self.course(Until { duration: parse_duration(duration), ..Until::default() })
    }

    pub fn run_until(&mut self, end: i64) -> Ran {
        self.course(Until { instant: Some(end), ..Until::default() })
    }

    pub fn moments(&mut self, moments: u64, end: i64) -> Ran {
        self.course(Until { moments: Some(moments), instant: Some(end), ..Until::default() })
    }

    pub fn id_of(&self, name: &str) -> BeingId {
        self.world().being_named(name).unwrap().id
    }

    /// The moments of one being: its frames, but for those that only say that a model is about to be asked.
    pub fn reel(&self, name: &str) -> Vec<Draft> {
        self.frames_of(name).into_iter().filter(|draft| !is_asking(draft)).collect()
    }

    /// Those of them that wakes of one kind have opened.
    pub fn woken_by(&self, name: &str, kind: WakeKind) -> Vec<Draft> {
        self.reel(name).into_iter().filter(|draft| draft.wake.kind == kind).collect()
    }

    /// All frames of one being.
    pub fn frames_of(&self, name: &str) -> Vec<Draft> {
        let id = self.id_of(name);
        self.shelf.frames().into_iter().map(|frame| frame.draft().clone()).filter(|draft| draft.being == id).collect()
    }

    /// The kinds of wake of a being's moments, in order.
    pub fn wakes(&self, name: &str) -> Vec<&'static str> {
        self.reel(name).iter().map(|draft| draft.wake.kind.word()).collect()
    }

    /// A being's quality, null if it has none.
    pub fn quality(&self, name: &str, path: &str) -> Value {
        let world = self.world();
        let value = world.being_named(name).unwrap().qualities.at(path).cloned();
        value.unwrap_or_default()
    }

    /// The rules that were asked about the act of a moment, each with what it saw.
    pub fn asked(&self, draft: &Draft) -> Vec<RuleTrace> {
        let below = |seq: Seq| load(&self.shelf, self.id, Some(seq), |_, _| {}).unwrap().world;
        retell(draft, &Arc::new(below(draft.opened)), &below(draft.seq)).rules
    }

    /// The world as whoever reads it from a checkpoint has it.
    pub fn kept_world(&self) -> World {
        gathered(&[&World::new(self.id), &self.world()])
    }

    pub fn head(&self) -> Hash {
        let loaded = load(&self.shelf, self.id, None, |_, _| {}).unwrap();
        loaded.chain.head()
    }

    pub fn replay(&self) -> Result<Replayed, ReplayError> {
        replay(&self.shelf, self.id, Thread::default(), &mut |_| {})
    }

    pub fn kept(self) -> Kept {
        Kept { frames: self.shelf.frames(), master: self.master }
    }
}

/// Everything that a store gives, as groups.
pub fn groups_of(store: &dyn Store) -> Vec<Group> {
    let (mut groups, mut records) = (Vec::new(), Vec::new());
    for entry in store.read(0).unwrap() {
        match entry.unwrap() {
            Stored::Blob { hash, bytes, .. } => records.push(Record::Blob { hash, bytes }),
            Stored::Frame { seq, being, n, bytes, .. } => records.push(Record::Frame { seq, being, n, bytes }),
            Stored::Commit { commit, .. } => {
                groups.push(Group { records: std::mem::take(&mut records), head: commit.head, seal: commit.seal })
            }
        }
    }
    assert!(records.is_empty(), "records stand behind the last commit");
    groups
}

/// Lays the log of a world that is closed out anew, in plain segments of so many bytes.
pub fn in_segments(dir: &Path, segment_bytes: u64) {
    let (world, beside) = (LogStore::open(dir, Mode::Read).unwrap().0, dir.join("beside"));
    let options = Options { index: false, segment_bytes, compress_after: None, ..Options::default() };
    let mut store = LogStore::create_with(&beside, world.world_file(), options).unwrap();
    groups_of(&world).into_iter().for_each(|group| store.append(store.ending().seq, &[group]).unwrap());
    assert_eq!(store.ending().commit, world.ending().commit);
    store.close().unwrap();
    // Places in the log stand in these two.
    for name in ["log", "index", "checkpoints"] {
        std::fs::remove_dir_all(dir.join(name)).unwrap();
    }
    std::fs::rename(beside.join("log"), dir.join("log")).unwrap();
    std::fs::remove_dir_all(beside).unwrap();
}

/// The files of a log with this ending, in order.
pub fn segments(dir: &Path, ending: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(dir.join("log")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.to_str().unwrap().ends_with(ending)).collect();
    files.sort();
    files
}

/// Compresses the closed segments of a world.
pub fn compress(dir: &Path) {
    let (mut store, _) = LogStore::open_with(dir, Mode::Write, Options { compress_after: None, ..Options::default() }).unwrap();
    store.compress_closed().unwrap();
    store.close().unwrap();
}

/// Takes the next frame of a chain, or says why not.
pub fn admit(chain: &mut Chain, frame: &Frame) -> Result<(), ChainError> {
    chain.check(frame.draft())?;
    chain.advance(frame.draft(), frame.hash())
}

/// The code of a refusal or failure; the word of any other closing.
pub fn code(draft: &Draft) -> String {
    draft.closing.reason().map_or_else(|| draft.closing.word().to_owned(), |reason| reason.code.to_string())
}

/// A map of arguments from JSON.
pub fn args(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// The values that a being published or set under a path, in order.
pub fn set(drafts: &[Draft], wanted: &str) -> Vec<Value> {
    let values = drafts.iter().flat_map(|draft| &draft.facts).filter_map(|fact| match fact {
        Fact::QualityPush { path, value: Content::Here(value), .. } | Fact::QualitySet { path, value: Content::Here(value), .. }
            if path.as_ref() == wanted =>
        {
            Some(value.clone())
        }
        _ => None,
    });
    values.collect()
}

/// The outcome of a call for a being that wears nothing but a role of these keys: `done`, or the code of its refusal.
///
/// Nothing of it is recorded, so one world can be asked many times. The caller summoned it, or was only heard.
pub fn judged(world: &World, hands: &mut Hands, name: &str, worn: &Worn, (caller, summoned): (Option<&str>, bool), call: &Call) -> String {
    let behalf = caller.and_then(|caller| worn_by(world, named(world, caller).id));
    judged_for(world, hands, (name, worn), (caller, summoned, behalf.as_ref()), call)
}

/// The same for a caller of whom it is said what they wore when they asked.
pub fn judged_for(
    world: &World,
    hands: &mut Hands,
    (name, worn): (&str, &Worn),
    (caller, summoned, behalf): (Option<&str>, bool, Option<&Worn>),
    call: &Call,
) -> String {
    let (being, caller) = (named(world, name), caller.map(|caller| named(world, caller).id));
    let answers = caller.filter(|_| summoned).map(|_| Made { seq: 1, index: 0 });
    let (at, seq) = (world.at(), world.next_seq());
    let actor = Actor {
        world,
        being,
        worn,
        stack: &[],
        behalf,
        cognition: being.cognition_at(at),
        caller,
        errand: Errand { answers, ..Errand::default() },
        at,
        seq,
        key_of: &|_| Credential::default(),
    };
    let bound = bind_target(world, being, call, caller, at);
    match actor.perform(call, &bound, hands) {
        Ok(_) => "done".to_owned(),
        // The name of the rule counts too, and not only that there was one.
        Err(reason) if matches!(reason.code, Code::Rule | Code::RuleFailed) => format!("{} {}", reason.code, reason.at),
        Err(reason) => reason.code.to_string(),
    }
}

/// The role that others find a being wearing, as one.
fn worn_by(world: &World, being: BeingId) -> Option<Worn> {
    let position = world.being(being)?.position;
    let wears = world.wears(being, world.at());
    compose(&wears.iter().filter_map(|role| Some(world.role_at(role, position)?.spec.as_ref())).collect::<Vec<_>>())
}

/// A world in which these rules are in force too, and these scripts are there.
pub fn ruled(world: &World, scripts: &[(&str, &str)], rules: &[(&str, Value)]) -> World {
    let script = |(name, source): &(&str, &str)| Fact::ScriptSet {
        name: (*name).into(),
        file: format!("{name}.rhai").into(),
        source: Value::text(source).into(),
    };
    let rule = |(name, rule): &(&str, Value)| Fact::RuleSet { name: (*name).into(), rule: rule.clone().into() };
    let facts: Vec<Fact> = scripts.iter().map(script).chain(rules.iter().map(rule)).collect();
    world.imagine(BeingId::WORLD, (world.next_seq(), 0), world.at(), &facts)
}

fn named<'a>(world: &'a World, name: &str) -> &'a Being {
    world.being_named(name).unwrap_or_else(|| panic!("nobody is called {name}"))
}

/// The worn role of a being whose role has just these keys.
pub fn worn(role: &Value) -> Worn {
    compose(&[&Spec::from_value(role).unwrap_or_else(|error| panic!("{role}: {error}"))]).unwrap()
}

/// The worn role of a being with nothing of its own, by the flow of a space that stacks a role of these keys on beings inside.
pub fn lent(world: &World, address: &str, role: &Value) -> Worn {
    let Thing::Space(space) = thing_named(world, named(world, "operator"), world.at(), address).unwrap() else {
        panic!("{address} is no space")
    };
    Worn::nothing().lend(space, &Spec::from_value(role).unwrap_or_else(|error| panic!("{role}: {error}")))
}

/// The prediction of a form for an operation on a thing: `None` if it is not offered, else the code that speaks against it.
pub fn offered(world: &World, name: &str, worn: &Worn, call: &Call) -> Option<Option<String>> {
    let actor = named(world, name);
    let Ok(Named::Thing(thing)) = bind_target(world, actor, call, None, world.at()) else { return None };
    let found =
        may_do(&Asker { world, actor, worn, caller: None, at: world.at() }, thing).into_iter().find(|may| may.action == call.action);
    found.map(|may| may.why.map(|reason| reason.code.to_string()))
}

/// An answer of a being in what it wears now, as the gate asks it.
pub fn asking<T>(world: &World, name: &str, ask: impl FnOnce(&Asker<'_>) -> T) -> T {
    let being = world.being_named(name).unwrap_or_else(|| panic!("nobody is called {name}")).clone();
    let wake = Arc::new(Wake::gesture(world.next_seq(), world.now()));
    let opening = open(world, &being, &wake, world.now(), None, &mut Composer::default());
    ask(&Asker { world, actor: &being, worn: &opening.worn, caller: None, at: world.now() })
}

/// The operations that a form offers a being on a thing, with nothing that speaks against them.
pub fn may_be_done(world: &World, name: &str, on: &str) -> Vec<String> {
    let thing = reelm::world::address::thing_at(world, on).unwrap_or_else(|| panic!("nothing is at {on}"));
    asking(world, name, |asker| {
        may_do(asker, thing).into_iter().filter(|may| may.why.is_none()).map(|may| may.action.to_string()).collect()
    })
}

/// The prediction of a form for an operation on somebody's identity: the code that speaks against it.
pub fn binds(world: &World, name: &str, worn: &Worn, operation: &str, whom: &str) -> Option<String> {
    let (actor, whom) = (named(world, name), Thing::Being(named(world, whom.trim_start_matches('@')).id));
    let found =
        may_be(&Asker { world, actor, worn, caller: None, at: world.at() }, whom).into_iter().find(|may| may.action.as_ref() == operation);
    found.unwrap().why.map(|reason| reason.code.to_string())
}

/// Hands for judging, as those have who close moments.
pub fn hands() -> Hands {
    Hands::new(Sandbox::new(Limits::default()))
}

/// The API's own description.
pub fn api() -> serde_json::Value {
    serde_json::to_value(reelm::portal::api()).unwrap()
}

/// A world gathered from the pages of what has changed from each of some worlds to the next, the first of which has no frames.
pub fn gathered(worlds: &[&World]) -> World {
    let mut gathered = Gathered::default();
    for pair in worlds.windows(2) {
        pair[1].write_checkpoint(pair[0], &mut |section, page| gathered.take(section, &page).unwrap());
    }
    gathered.world(worlds[0].lineage().clone()).unwrap()
}

/// The summonses that answer a question.
pub fn back(moments: &[Draft], question: Made) -> Vec<Summons> {
    let asked =
        moments.iter().flat_map(|draft| &draft.facts).filter_map(|fact| if let Fact::Asked(summons) = fact { Some(summons) } else { None });
    asked.filter(|summons| summons.in_reply_to == Some(question)).map(|summons| (**summons).clone()).collect()
}
