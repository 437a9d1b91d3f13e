//! Point: does each way of naming a point of the past stand for the frames that it says?

use proptest::prelude::*;
use reelm::fact::{Draft, Seq};
use reelm::past::{History, Point, PointError};
use reelm::run::{Course, Living, Pace, Reins, Until};
use reelm::world::{Local, World};

use super::checkpoint::{end, go_on, go_on_unkept};
use super::kit;
use super::law::any_world;
use super::past::count_folded;
use super::served::Served;
use super::terminal::Terminal;

/// A random world that has lived for three times twenty seconds, with a checkpoint behind each.
pub fn lived(text: &str) -> (tempfile::TempDir, History) {
    let dir = tempfile::tempdir().unwrap();
    let live = |mut living: Living| {
        let until = Until { duration: Some(20_000), ..Until::default() };
        living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
        living.stop().unwrap();
    };
    live(Living::plant(&kit::source(text), None, &dir.path().join("world"), 1).unwrap());
    (0..2).for_each(|_| live(Living::open(&dir.path().join("world"), 1).unwrap().0));
    let history = History::of(&dir.path().join("world")).unwrap();
    (dir, history)
}

pub fn drafts(history: &History) -> (Vec<Draft>, World) {
    let mut drafts = Vec::new();
    let world = history.fold(0, None, |frame, _| drafts.push(frame.draft().clone())).unwrap();
    (drafts, world)
}

fn seq(history: &History, point: &str) -> Seq {
    history.seq_of(&point.parse().unwrap()).unwrap_or_else(|error| panic!("{point}: {error}"))
}

proptest! {
    #![proptest_config(kit::cases(2, 8))]

    #[test]
    fn a_point_stands_for_the_frames_that_a_walk_through_all_of_them_finds(text in any_world(), at in prop::collection::vec(any::<prop::sample::Index>(), 4)) {
        let (_dir, history) = lived(&text);
        let (drafts, world) = drafts(&history);
        for draft in at.iter().map(|at| at.get(&drafts)) {
            let name = &world.being(draft.being).unwrap().name;
            prop_assert_eq!(seq(&history, &format!("@{name}/{}", draft.n)), draft.opened);
            prop_assert_eq!(seq(&history, &format!("@{name}/{}+", draft.n)), draft.seq + 1);
            prop_assert_eq!(seq(&history, &format!("{}+", draft.seq)), draft.seq + 1);
            let behind = |at| drafts.iter().filter(|draft| draft.at <= at).count() as Seq;
            let second = draft.at / 1_000 * 1_000;
            let shown = chrono::DateTime::from_timestamp_millis(second).unwrap().format("%Y-%m-%dT%H:%M:%S");
            prop_assert_eq!(seq(&history, &shown.to_string()), behind(second));
            prop_assert_eq!(seq(&history, &Local::of(draft.at, world.zone()).iso()), behind(draft.at));
            let ago = world.at() - draft.at;
            prop_assert_eq!(seq(&history, &format!("~{ago}ms")), behind(draft.at));
        }
        prop_assert_eq!((seq(&history, "now"), seq(&history, "1970-01-01")), (history.end(), 0));
        let later = history.seq_of(&"9999-01-01".parse().unwrap());
        let is_later = matches!(later, Err(PointError::Later { .. }));
        prop_assert!(is_later);
    }
}

#[test]
fn a_point_that_the_world_has_not_names_the_nearest() {
    let terminal = Terminal::with_world("skateco", 60);
    let history = History::of(&terminal.path("world")).unwrap();
    let (end, error) = (history.end(), |point: &str| history.world_of(&point.parse().unwrap(), &mut |_| {}).unwrap_err());
    assert!(matches!(error("99999"), PointError::Beyond { seq: 99_999, .. }));
    assert!(matches!(error("99999+"), PointError::NoFrame(_)));
    let says = |point: &str, words: &str| terminal.types(&format!("see / --at {point}")).fails(1).warns(&[words]);
    says("99999", &format!("the world ends before {end}, found 99999; `{end}` and `now` name it as it is"));
    says("0", "before its first frame");
    says("2020-01-01", "there is no world, found `2020-01-01`; `1` shows it as that frame left it");
    says("@adaa/1", "there is no being `@adaa` in this world; did you mean `@ada`?");
    says("@ada/5000", "its newest is `@ada/");
    says("9999-01-01", "found `9999-01-01`; `now` names it as it is");
    terminal.types("see / --at 2026-02-30").fails(2).warns(&["there is no day 2026-02-30: that month has 28 days"]);
    terminal.types("see / --at 2026-13-01T10:00").fails(2).warns(&["there is no day 2026-13-01: a year has the months 01 to 12"]);
    // An offset is understood with seconds and without, with minutes of its own and without.
    let stands = reelm::world::iso(history.world_at(end).unwrap().at(), 0);
    let minute = &stands[..16];
    for offset in ["Z", "+00:00", "+00", "-0000"] {
        assert_eq!(seq(&history, &format!("{minute}{offset}")), seq(&history, &format!("{minute}:00Z")), "{offset}");
        assert_eq!(seq(&history, &format!("{minute}:00{offset}")), seq(&history, &format!("{minute}:00Z")), "{offset}");
    }
    for command in ["log", "find word", "export x.bundle"] {
        let said = terminal.types(&format!("{command} --from 50 --to 40")).fails(1);
        assert!(said.err.contains("(frame 50) to `40`") || said.err.contains("expected --to behind --from"), "{}", said.err);
    }
    terminal.types("see / --at soon").fails(2).warns(&["expected a point such as 120, 120+, @ada/7"]);
}

#[test]
fn a_date_is_found_from_the_checkpoint_before_it() {
    let terminal = Terminal::with_world("skateco", 200);
    let dir = terminal.path("world");
    go_on(&dir, 200);
    let kept = end(&dir);
    go_on_unkept(&dir, 40);
    let history = History::of(&dir).unwrap();
    let stood = history.world_at(kept).unwrap();
    let shown = &Local::of(stood.at() + 999, stood.zone()).iso()[..19];
    assert!(seq(&history, shown) >= kept);
    assert!(count_folded(&terminal, &format!("see / --at {shown}")) <= 2 * (end(&dir) - kept), "{shown}");
    assert_eq!("now".parse(), Ok(Point::Now));
}

/// A court in which a role, a flow and a place have changed since a point, which is told.
pub fn changed() -> (Terminal, Seq) {
    let terminal = Terminal::with_world("court", 40);
    terminal.write("guest.md", "---\nname: guest\ncanSee: ['**']\n---\nLook around.\n");
    terminal.types("role set guest.md").ok();
    terminal.types("summon @operator 'the first'").ok();
    let then = end(&terminal.path("world"));
    terminal.write("guest.md", "---\nname: guest\ncanSee: ['**']\n---\nStay outside.\n");
    terminal.types("role set guest.md").ok();
    terminal.write("flow.json", r#"[{"role":"guest"}]"#);
    terminal.types("flow set @bern flow.json").fails(0);
    terminal.types("summon @operator 'the second'").ok();
    terminal.types("role delete guest --force").ok();
    (terminal, then)
}

#[test]
fn every_command_that_reads_shows_the_world_at_a_point() {
    let (terminal, then) = changed();
    let at = |line: &str| terminal.types(&format!("{line} --at {then}"));
    at("role show guest --markdown").fails(0).says(&["Look around."]);
    terminal.types("role show guest").fails(1).warns(&["there is no role `guest`", "`reelm role versions` those that are gone"]);
    at("role list").fails(0).says(&["guest  (from "]);
    assert!(!terminal.types("role list").ok().contains("guest  (from"));
    let versions = terminal.types("role versions guest --json").json_lines();
    assert_eq!(versions.iter().map(|version| version["version"].as_u64().unwrap()).collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!(versions[0]["hash"], serde_json::Value::Null);
    let second = versions[1]["at"].as_str().unwrap();
    terminal.types(&format!("role show guest --markdown --at {second}")).fails(0).says(&["Stay outside."]);
    terminal.types("role versions nobody").fails(1).warns(&["there is no role `nobody`"]);
    assert!(!at("flow show @bern").ok().contains("guest"));
    terminal.types("flow show @bern").fails(0).says(&["guest"]);
    let stack = |line: &str| terminal.types(line).json()["stack"].clone();
    assert_eq!(stack(&format!("flow eval flow.json --being @bern --at {then} --json")), serde_json::json!(["guest"]));
    assert_ne!(stack("flow eval flow.json --being @bern --json"), serde_json::json!(["guest"]), "it is taken back");
    terminal.types(&format!("flow eval flow.json --being @nobody --at {then}")).fails(1).warns(&["there is no being `@nobody`"]);
    at("role lint guest.md").fails(0);
    at("inbox").fails(0).says(&["the first"]);
    assert!(!at("inbox").ok().contains("the second"));
    let summons = |bounds: &str| terminal.types(&format!("find the {bounds} --json")).ok().matches("summon @operator").count();
    assert_eq!((summons(""), summons(&format!("--to {then}")), summons(&format!("--from {then}"))), (2, 1, 1));
    assert_eq!(summons(&format!("--to {then} --last 9")), 1);
    assert_eq!(terminal.types(&format!("log --raw --from {then} --to {then}+")).ok().lines().count(), 1);
    assert_eq!(terminal.types("log --raw --from now").ok(), "");
    at("usage").fails(0).says(&["no model has answered"]);
    at("measure $worlds/court").fails(0);
}

#[test]
#[ignore = "long: each read of the API at a point of the past, from a server"]
fn every_read_of_the_api_shows_the_world_at_a_point() {
    let (terminal, then) = changed();
    let served = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let get = |path: &str| served.get(&operator, path).ok();
    let role = get(&format!("/api/roles/guest?at={then}"));
    assert_eq!((&role["version"], role["history"].as_array().unwrap().len()), (&serde_json::json!(1), 1));
    assert!(role["markdown"].as_str().unwrap().contains("Look around."), "{role}");
    assert_eq!(served.get(&operator, "/api/roles/guest").status, 404);
    assert!(get(&format!("/api/roles?at={then}")).to_string().contains("\"guest\""));
    let flow = |at: &str| get(&format!("/api/being/bern/flow{at}"));
    assert_eq!((flow(&format!("?at={then}"))["history"].as_array().unwrap().len(), flow("")["history"].as_array().unwrap().len()), (1, 2));
    let inbox = get(&format!("/api/inbox?at={then}")).to_string();
    assert!(inbox.contains("the first") && !inbox.contains("the second"), "{inbox}");
    let bern = get(&format!("/api/being/bern?at={then}"));
    assert_eq!((bern["flow"].to_string().contains("guest"), get("/api/being/bern")["flow"].to_string().contains("guest")), (false, true));
    let newest = bern["moments"].as_array().unwrap().iter().map(|told| told["seq"].as_u64().unwrap()).max().unwrap();
    assert!(newest < then && !bern["face"].is_null(), "{newest}");
    assert_eq!(get(&format!("/api/world?at={then}"))["seq"], then);
    for path in ["tree", "signals", "operations", "dead", "paths", "cost", "settings?target=/", "may?target=@bern", "see?address=/court"] {
        let and = if path.contains('?') { '&' } else { '?' };
        get(&format!("/api/{path}{and}at={then}"));
        get(&format!("/api/{path}{and}at=@bern/0"));
        let wrong = served.get(&operator, &format!("/api/{path}{and}at=soon"));
        assert_eq!((wrong.status, wrong.text.contains("expected a point such as 120")), (400, true), "{path}: {}", wrong.text);
        let beyond = served.get(&operator, &format!("/api/{path}{and}at=99999"));
        assert_eq!((beyond.status, beyond.text.contains("the world ends before")), (400, true), "{path}: {}", beyond.text);
    }
    assert_eq!(get("/api/see?address=/&at=now"), get("/api/see?address=/"));
}
