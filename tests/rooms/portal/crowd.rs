//! Tests of `src/portal/crowd.rs`.

use reelm::portal::crowd::*;
use reelm::portal::origin::Origin;
use std::net::IpAddr;
use tokio::sync::oneshot;

fn origin(last: u8) -> Origin {
    IpAddr::from([10, 0, 0, last]).into()
}

fn is_lost(place: &mut Place) -> bool {
    place.lost.try_recv() == Err(oneshot::error::TryRecvError::Closed)
}

#[test]
fn whoever_has_the_most_gives_way_and_of_those_the_oldest() {
    let crowd = Crowd::default();
    let mut few: Vec<Place> = (0..200).map(|_| crowd.enter(origin(1), false).unwrap()).collect();
    let mut greedy: Vec<Place> = (0..256).map(|_| crowd.enter(origin(2), false).unwrap()).collect();
    let mut others: Vec<Place> = (0..56).map(|last| crowd.enter(origin(100 + last), false).unwrap()).collect();
    let mut come = crowd.enter(origin(3), false).unwrap();
    assert!(is_lost(&mut greedy[0]) && !is_lost(&mut greedy[1]) && !is_lost(&mut few[0]) && !is_lost(&mut others[0]));
    assert!(come.ticket().asks(origin(3), false) && !is_lost(&mut come));
}

#[test]
fn an_address_that_has_its_share_gives_way_to_itself() {
    let crowd = Crowd::default();
    let mut own: Vec<Place> = (0..256).map(|_| crowd.enter(origin(1), false).unwrap()).collect();
    let mut other = crowd.enter(origin(2), false).unwrap();
    let _more = crowd.enter(origin(1), false).unwrap();
    assert!(is_lost(&mut own[0]) && !is_lost(&mut own[1]) && !is_lost(&mut other));
    // A proxy's connections are whoever's it names.
    let behind: Vec<Place> = (0..250).map(|_| crowd.enter(origin(9), true).unwrap()).collect();
    assert!(!is_lost(&mut own[1]) && behind.len() == 250);
}

#[test]
fn where_all_are_worked_on_only_the_operator_is_answered_and_never_gives_way() {
    let crowd = Crowd::default();
    let places: Vec<Place> = (0..LINES).map(|at| crowd.enter(origin((at % 8) as u8), false).unwrap()).collect();
    let work: Vec<Doing> = places.iter().map(|place| place.ticket().works()).collect();
    let mut stranger = crowd.enter(origin(1), false).unwrap();
    assert!(!stranger.ticket().asks(origin(1), false));
    let mut operator = crowd.enter(origin(1), false).unwrap();
    assert!(operator.ticket().asks(origin(1), true));
    // However many come, the operator's own stays; whoever only holds another gives way.
    let more: Vec<Place> = (0..2 * KEPT).map_while(|_| crowd.enter(origin(1), false)).collect();
    assert_eq!(more.len(), 2 * KEPT);
    assert!(is_lost(&mut stranger) && !is_lost(&mut operator));
    drop((work, more, stranger, operator));
    drop(places);
    assert!(crowd.lock().members.is_empty());
}

#[test]
fn a_place_that_was_kept_is_an_ordinary_one_once_there_is_room() {
    let crowd = Crowd::default();
    let mut places: Vec<Place> = (0..LINES).map(|at| crowd.enter(origin((at % 8) as u8), false).unwrap()).collect();
    let work: Vec<Doing> = places.iter().map(|place| place.ticket().works()).collect();
    let late = crowd.enter(origin(1), false).unwrap();
    assert!(!late.ticket().asks(origin(1), false));
    drop(work);
    places.truncate(9);
    assert!(late.ticket().asks(origin(1), false));
}
