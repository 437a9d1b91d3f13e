//! Rounds: does a full round leave nobody out for longer than a millisecond, and does a world in real time know that it has stood still?

use reelm::fact::{Call, Closing, Draft};
use reelm::run::{Course, Pace, Reins, Until};
use reelm::source::Source;

use super::kit::{Small, args, code, set, source};
use super::terminal::Terminal;

/// A hall with a person, born first, and ten who listen; three moments are a round.
fn hall(more: &str) -> Source {
    source(&format!(
        r#"{more}
        [config]
        "rounds.max" = 3
        [[space]]
        path = "/hall"
        [[being]]
        name = "pat"
        home = "/hall"
        role = "free"
        cognition = "human"
        [[population]]
        prefix = "ear"
        count = 10
        home = "/hall"
        role = "free"
        script = "count"
        [[being]]
        name = "sam"
        home = "/hall"
        role = "deaf"
        cognition = "human"
        "#
    ))
}

/// The moments of those who listen, in order.
fn heard(small: &Small) -> Vec<Draft> {
    let all = small.shelf.frames().into_iter().map(|frame| frame.draft().clone());
    all.filter(|draft| draft.wake.kind.word() == "hear").collect()
}

fn speak(small: &mut Small) {
    small.act("pat", Call::doing("/hall", "say", args(r#"{"content":"hello"}"#)));
}

#[test]
fn a_round_holds_so_many_moments_in_wake_order_and_who_is_left_comes_a_millisecond_later() {
    let heads: Vec<_> = [1, 4]
        .map(|threads| {
            let mut small = Small::grow(&hall(""), 1, threads);
            speak(&mut small);
            let at = small.world().at();
            small.run("1s");
            let heard = heard(&small);
            assert_eq!(heard.iter().map(|draft| draft.at - at).collect::<Vec<_>>(), [1, 1, 1, 2, 2, 2, 3, 3, 3, 4]);
            assert!(heard.is_sorted_by_key(|draft| draft.being), "in the order of their birth");
            assert_eq!(small.replay().unwrap().difference, None);
            small.head()
        })
        .to_vec();
    assert_eq!(heads[0], heads[1]);
}

#[test]
fn who_is_left_out_of_a_full_round_does_not_wait_for_a_person_nor_for_a_run_that_was_cut_off() {
    let mut small = Small::grow(&hall("absence = \"wait\""), 1, 1);
    // All are spoken to at once, and the person, who was born first, too.
    small.act("sam", Call::doing("/hall", "say", args(r#"{"content":"hello"}"#)));
    let spoken = small.shelf.groups().len();
    let ran = small.run("1s");
    assert_eq!(ran.stopped, reelm::run::Stopped::WaitsFor("pat".to_owned()));
    assert_eq!(heard(&small).len(), 10, "all but her have acted before the world waits for her");

    // One run, or one cut off after its first round: the same frames.
    let cut = |groups: usize| {
        let mut cut = small.cut(groups);
        cut.run("1s");
        heard(&cut).iter().map(|draft| (draft.being, draft.at)).collect::<Vec<_>>()
    };
    let whole: Vec<_> = heard(&small).iter().map(|draft| (draft.being, draft.at)).collect();
    (spoken..=small.shelf.groups().len()).for_each(|groups| assert_eq!(cut(groups), whole, "after {groups} groups"));
}

#[test]
fn how_much_a_round_holds_is_fixed_when_a_world_begins() {
    let mut small = Small::grow(&hall(""), 1, 1);
    let set = args(r#"{"key":"rounds.max","value":9}"#);
    assert_eq!(code(&small.act("operator", Call::doing("/", "config.set", set))), "config-fixed");
    assert_eq!(small.world().round_moments(), 3);
    assert_eq!(Small::plant("").world().round_moments(), 8192);
    let terminal = Terminal::new();
    for wrong in ["0", "-1", "\"many\"", "1.5", "1000001"] {
        terminal.write("w/world.toml", &format!("name = \"w\"\n[config]\n\"rounds.max\" = {wrong}\n"));
        terminal.types("run w --moments 1").fails(1).warns(&["w/world.toml:3:16: rounds.max: expected a number from 1 to 1000000"]);
    }
    terminal.write("w/world.toml", "name = \"w\"\n[config]\n\"rounds.max\" = 2\n");
    terminal.types("run w --moments 1 --quiet").ok();
    terminal.write("w/world.toml", "name = \"w\"\n[config]\n\"rounds.max\" = 3\n");
    terminal.types("apply w --data world").fails(1).warns(&["config-fixed"]);
}

/// Runs a moment's length by a clock.
fn go(small: &mut Small, pace: Pace) {
    let until = Until { moments: Some(0), ..Until::default() };
    small.living().run(Course { pace, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
}

fn reopened(small: &Small) -> Vec<Draft> {
    let acts = small.reel("world").into_iter();
    acts.filter(|draft| draft.call.as_ref().is_some_and(|call| call.action.as_ref() == "reopened")).collect()
}

#[test]
fn a_world_in_real_time_says_once_that_it_was_opened_again_and_since_when_it_stood_still() {
    let mut small = Small::plant("");
    go(&mut small, Pace::Real);
    go(&mut small, Pace::Real);
    assert_eq!(reopened(&small).len(), 0, "it was planted, and has never stopped");
    let since = small.world().at();
    small.reopen();
    // A person's act alone is no run.
    small.operate("/", "signal.set", args(r#"{"path":"t.n","value":1}"#));
    assert_eq!(reopened(&small).len(), 0);
    go(&mut small, Pace::Real);
    go(&mut small, Pace::Real);
    let acts = reopened(&small);
    assert_eq!(acts.len(), 1, "once for each opening");
    assert_eq!((&acts[0].closing, acts[0].call.as_ref().unwrap().target.as_ref()), (&Closing::Act, "/"));
    assert_eq!(acts[0].call.as_ref().unwrap().args, reelm::fact::Content::Here(args(&format!(r#"{{"since":{since}}}"#))));
    small.reopen();
    go(&mut small, Pace::Real);
    assert_eq!(reopened(&small).len(), 2);
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_world_in_any_other_time_has_missed_nothing_and_says_nothing() {
    for pace in [Pace::Virtual, Pace::times(600.0).unwrap()] {
        let mut small = Small::plant("");
        go(&mut small, pace);
        small.reopen();
        go(&mut small, pace);
        // A wake that was opened for another clock is open when the wall clock comes.
        go(&mut small, Pace::Real);
        assert_eq!(reopened(&small).len(), 0, "{pace:?}");
        assert_eq!(set(&small.reel("world"), "t.n"), []);
        small.reopen();
        go(&mut small, Pace::Real);
        assert_eq!(reopened(&small).len(), 1, "{pace:?}");
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn whoever_listens_for_it_wakes_once_for_each_time_that_the_world_is_opened_again() {
    let booting = "[[being]]\nname = \"ada\"\nhome = \"/\"\nrole = \"boots\"\nthink = 'act(me.address, \"quality.push\", #{ path: \"t.since\", value: wake.since })'\n\
                   [[being]]\nname = \"bob\"\nhome = \"/\"\nrole = \"free\"\nscript = \"count\"\n\
                   [[role]]\nname = \"boots\"\ncanSee = [\"**\"]\ncanDo = [\"quality.*\"]\ntriggerOn = [\"boot\"]\nprompt = \"You begin.\"\n";
    for pace in [Pace::Virtual, Pace::Real] {
        let go = |small: &mut Small| {
            let until =
                Until { moments: Some(2), instant: (pace == Pace::Virtual).then(|| small.world().now() + 60_000), ..Until::default() };
            let reins = Reins::default();
            let mut watch = |report: &reelm::past::Report| {
                if report.being.as_ref() == "ada" {
                    reins.stop();
                }
            };
            small.living().run(Course { pace, until, reins: &reins, watch: Some(&mut watch), measures: None }).unwrap();
        };
        let mut small = Small::plant(booting);
        small
            .living()
            .run(Course {
                pace: Pace::Virtual,
                until: Until { moments: Some(0), ..Until::default() },
                reins: &Reins::default(),
                watch: None,
                measures: None,
            })
            .unwrap();
        assert_eq!(small.wakes("ada").len(), 0, "it was planted, and has never stopped");
        let mut since = Vec::new();
        for times in 1..=3 {
            since.push(small.world().at());
            small.reopen();
            go(&mut small);
            assert_eq!(small.wakes("ada"), vec!["boot"; times], "{pace:?}");
        }
        let told: Vec<i64> = small.quality("ada", "t.since").as_list().unwrap().iter().map(|at| at.as_int().unwrap()).collect();
        assert_eq!(told, since, "{pace:?}");
        assert_eq!((small.reel("bob").len(), small.replay().unwrap().difference), (0, None));
        let hash = small.world().hash();
        small.reopen();
        assert_eq!(small.world().hash(), hash);
    }
}

#[test]
fn a_world_that_is_opened_on_the_command_line_says_so_in_its_history() {
    let terminal = Terminal::with_world("court", 1);
    terminal.types("run --data world --realtime --moments 0 --quiet").ok();
    let told = terminal.types("log --data world --json").json_lines();
    let last = told.last().unwrap();
    assert_eq!((&last["report"]["being"], &last["call"]["action"]), (&"world".into(), &"reopened".into()), "{last}");
    terminal.types("replay").ok();
    terminal.types("do / reopened '{\"since\":1}'").fails(4).says(&["gate-owner"]);
}
