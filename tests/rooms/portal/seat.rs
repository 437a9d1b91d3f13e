//! Tests of `src/portal/seat.rs`.

use reelm::fact::{BeingId, Call, Code, Value};
use reelm::portal::hall::Hall;
use reelm::portal::seat::*;
use reelm::portal::tabs::Seat;
use reelm::run::Pace;
use reelm::run::{Course, Feed, Living, Reins, Seats, Until};
use reelm::source::Source;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reelm::portal::entrance::{Doors, Entrance};
use reelm::portal::hall::Running;

/// Ends a run when it goes: also where what is tested failed.
struct Ends(Reins);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A served world in which @operator drives @ada.
fn seated(test: impl AsyncFnOnce(&Hall, BeingId)) {
    let text = "name = \"small\"\nseed = 1\n[[being]]\nname = \"ada\"\nhome = \"/\"\n";
    let source = Source::parse(std::path::Path::new("."), "world.toml", text).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut living = Living::plant(&source, None, &dir.path().join("world"), 1).unwrap();
    let (feed, reins) = (Arc::new(Feed::new(living.world().clone(), [])), Reins::default());
    let seats = Arc::new(Seats::new(reins.clone()));
    let (_stop, stopping) = tokio::sync::watch::channel(false);
    let (outages, pace) = (living.outages().clone(), Pace::Real);
    let running = Running { dir: dir.path().to_owned(), feed: feed.clone(), seats: seats.clone(), pace, outages };
    let hall = Hall::around(running, Entrance::of(dir.path(), Doors::default(), "").unwrap(), stopping);
    let ada = feed.world().being_named("ada").unwrap().id;
    std::thread::scope(|scope| {
        let _ends = Ends(reins.clone());
        scope.spawn(|| {
            let course = Course { pace: Pace::Real, until: Until::default(), reins: &reins, watch: None, measures: None };
            living.serve(course, &seats, &feed).unwrap();
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let operator = feed.world().operator();
            drive(&hall, operator, inhabit_call("ada", Pace::Real), None).await.unwrap();
            hall.tabs.seats().insert(ada, Seat { renewed: Some(Instant::now()), ..Seat::of(operator) });
            test(&hall, ada).await;
        });
    });
}

/// Until when somebody drives her.
fn until(hall: &Hall, ada: BeingId) -> Option<i64> {
    hall.feed.world().being(ada).unwrap().driver.map(|(_, until)| until)
}

fn long_ago() -> Instant {
    Instant::now().checked_sub(SILENCE + Duration::from_secs(1)).unwrap()
}

fn soon(after: Duration) -> Instant {
    Instant::now() + after + Duration::from_secs(1)
}

#[test]
fn a_being_is_given_back_once_all_its_tabs_are_silent_and_not_before() {
    seated(async |hall, ada| {
        let hears = |tab: &str, lasts| hall.tabs.seats().get_mut(&ada).unwrap().hear(tab, lasts);
        hears("silent", Duration::ZERO);
        assert_eq!(hears("there", SILENCE), 1);
        keep_once(hall, soon(Duration::ZERO)).await;
        assert!(until(hall, ada).is_some(), "one of two is there");
        assert_eq!(hall.tabs.seats()[&ada].tabs.keys().collect::<Vec<_>>(), ["there"]);
        keep_once(hall, soon(SILENCE)).await;
        assert_eq!((until(hall, ada), hall.tabs.seats().len()), (None, 0));
    });
}

#[test]
fn a_tab_that_goes_away_and_comes_back_in_time_has_let_go_of_nothing() {
    seated(async |hall, ada| {
        let operator = hall.feed.world().operator();
        let before = hall.feed.world().next_seq();
        stay(hall, operator, ada, "tab", SILENCE).unwrap();
        stay(hall, operator, ada, "tab", PARTING).unwrap();
        keep_once(hall, Instant::now()).await;
        stay(hall, operator, ada, "tab", SILENCE).unwrap();
        keep_once(hall, soon(PARTING)).await;
        assert_eq!((hall.feed.world().next_seq(), hall.tabs.seats().len()), (before, 1));
        stay(hall, operator, ada, "tab", PARTING).unwrap();
        keep_once(hall, soon(PARTING)).await;
        assert_eq!((until(hall, ada), hall.tabs.seats().len()), (None, 0));
        // A seat that was released is not taken up again by coming back.
        assert_eq!(stay(hall, operator, ada, "tab", SILENCE).unwrap_err().code(), Code::NotDriven);
        assert!(until(hall, ada).is_none());
    });
}

#[test]
fn a_lease_that_is_half_over_is_renewed_while_a_tab_is_there() {
    seated(async |hall, ada| {
        hall.tabs.seats().get_mut(&ada).unwrap().hear("there", SILENCE);
        let before = hall.feed.world().next_seq();
        keep_once(hall, Instant::now()).await;
        assert_eq!(hall.feed.world().next_seq(), before, "it has hardly begun");
        hall.tabs.seats().get_mut(&ada).unwrap().renewed = Some(long_ago());
        keep_once(hall, Instant::now()).await;
        assert_eq!(hall.feed.world().next_seq(), before + 1);
        assert!(until(hall, ada).is_some() && hall.tabs.seats()[&ada].renewed > Some(long_ago()));
    });
}

#[test]
fn a_lease_that_was_about_to_be_renewed_is_not_once_the_being_was_given_back() {
    seated(async |hall, ada| {
        let operator = hall.feed.world().operator();
        drive(hall, operator, release_call("ada"), None).await.unwrap();
        let renewed = keep_up(hall, operator, ada, inhabit_call("ada", Pace::Real)).await;
        assert!(renewed.is_err() && until(hall, ada).is_none());
    });
}

#[test]
fn the_longest_lease_that_is_asked_for_is_the_longest_that_there_is() {
    seated(async |hall, _| {
        let operator = hall.feed.world().operator();
        for (lasts, code) in [(LEASE_MAX_MS, None), (LEASE_MAX_MS + 1000.0, Some(Code::BadDuration))] {
            let payload = Value::map([("being", Value::text("@ada")), ("for", Value::from(format!("{}s", lasts / 1000.0)))]);
            let done = drive(hall, operator, Call::be("inhabit", payload), None).await.unwrap();
            assert_eq!(done.reason.map(|reason| reason.code), code);
        }
    });
}

#[test]
fn a_lease_lasts_a_minute_of_the_wall_clock_where_it_can_and_is_renewed_halfway() {
    assert_eq!((lease(Pace::Real), renewal(Pace::Real)), (60_000.0, Duration::from_secs(30)));
    assert_eq!((lease(Pace::Times(60.0)), renewal(Pace::Times(60.0))), (3_600_000.0, Duration::from_secs(30)));
    assert_eq!((lease(Pace::Times(600.0)), renewal(Pace::Times(600.0))), (3_600_000.0, Duration::from_secs(3)));
}
