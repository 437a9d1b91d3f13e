//! Tests of `src/portal/people.rs`.

use reelm::portal::people::*;
use std::fs;

#[test]
fn a_link_opens_once_and_a_session_lasts_until_it_is_closed() {
    let dir = tempfile::tempdir().unwrap();
    let mut people = People::of(dir.path()).unwrap();
    let (link, other, short) = (people.link(None).unwrap(), people.link(None).unwrap(), people.link(Some(9)).unwrap());
    let mut came = people.came.subscribe();
    assert!(!people.use_link("another", 5) && !people.use_link(&short, 9), "one is none, one has run out");
    assert!(!came.has_changed().unwrap());
    assert!(people.use_link(&link, 5) && came.has_changed().unwrap());
    came.mark_unchanged();
    assert!([link, other, short].iter().all(|link| !people.use_link(link, 5)), "one is used up, and all others with it");
    assert!(!came.has_changed().unwrap());
    let token = people.open("0.2", 5).unwrap();
    let mut again = People::of(dir.path()).unwrap();
    let session = again.session(&token, 5).unwrap();
    let id = session.id.clone();
    assert_eq!(session.being, "0.2");
    assert!(!fs::read_to_string(dir.path().join("people")).unwrap().contains(&token), "a token is not kept");
    assert!(!again.close("0.9", &id).unwrap(), "only one's own sessions can be closed");
    assert!(again.close("0.2", &id).unwrap());
    assert!(People::of(dir.path()).unwrap().session(&token, 5).is_none());
}

#[test]
fn a_session_ends_after_a_week_without_use_and_after_a_month_in_any_case() {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let dir = tempfile::tempdir().unwrap();
    let mut people = People::of(dir.path()).unwrap();
    let (idle, used) = (people.open("0.2", 0).unwrap(), people.open("0.2", 0).unwrap());
    for day in 1..30 {
        assert!(people.session(&used, day * DAY).is_some(), "day {day}");
        // The time of last use survives a restart of the server.
        people = People::of(dir.path()).unwrap();
    }
    assert!(people.session(&idle, 7 * DAY).is_none() && people.sessions("0.2", 29 * DAY).count() == 1);
    assert!(people.session(&used, 30 * DAY).is_none());
}

#[test]
fn a_browser_is_known_for_whom_it_came_in_as_and_for_nobody_else() {
    let dir = tempfile::tempdir().unwrap();
    let mut people = People::of(dir.path()).unwrap();
    let token = people.know(None, "0.2").unwrap().unwrap();
    assert!(people.browser(&token, "0.2").is_some() && people.browser(&token, "0.3").is_none() && people.browser("x", "0.2").is_none());
    assert_eq!(people.know(Some(&token), "0.2").unwrap(), None);
    assert_eq!(people.know(Some(&token), "0.3").unwrap(), None, "one browser may be known for two");
    assert!(people.browser(&token, "0.3").is_some());
    // A token that it made up itself is not taken.
    assert!(people.know(Some("mine"), "0.2").unwrap().is_some() && people.browser("mine", "0.2").is_none());
}

#[test]
fn a_password_is_kept_as_a_hash_and_a_new_one_closes_the_sessions() {
    let dir = tempfile::tempdir().unwrap();
    let mut people = People::of(dir.path()).unwrap();
    let token = people.open("0.2", 5).unwrap();
    people.set_password("0.2", hash("correct horse").unwrap(), None).unwrap();
    assert!(people.session(&token, 5).is_none());
    let kept = people.password("0.2");
    assert!(fits("correct horse", kept.as_deref()) && !fits("battery staple", kept.as_deref()) && !fits("correct horse", None));
    assert!(!fs::read_to_string(dir.path().join("people")).unwrap().contains("correct horse"));
}
