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
use super::terminal::Terminal;

/// A random world that has lived for three times twenty seconds, with a checkpoint behind each.
fn lived(text: &str) -> (tempfile::TempDir, History) {
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

fn drafts(history: &History) -> (Vec<Draft>, World) {
    let mut drafts = Vec::new();
    let world = history.fold(0, None, |frame, _| drafts.push(frame.draft().clone())).unwrap();
    (drafts, world)
}

fn seq(history: &History, point: &str) -> Seq {
    history.seq_of(&point.parse().unwrap()).unwrap_or_else(|error| panic!("{point}: {error}"))
}

proptest! {
    #![proptest_config(kit::cases(8))]

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
            let ago = world.at() - draft.at;
            prop_assert_eq!(seq(&history, &format!("~{ago}ms")), behind(draft.at));
        }
        prop_assert_eq!((seq(&history, "now"), seq(&history, "9999-01-01"), seq(&history, "1970-01-01")), (history.end(), history.end(), 0));
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
