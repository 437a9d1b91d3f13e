//! Lanes: is the life of a being told as its frames say it, of any span and of a long one, and does a step lead to where it is?

use std::collections::BTreeMap;

use proptest::prelude::*;
use reelm::fact::Seq;
use reelm::moment::is_asking;
use reelm::past::{History, LaneBand, Lanes};
use reelm::world::World;
use serde_json::{Value, json};

use super::kit;
use super::law::any_world;
use super::point::lived;
use super::served::Served;
use super::terminal::Terminal;

/// The value of a lane for the world below a seq.
fn at<T: Clone>(bands: &[LaneBand<T>], below: Seq) -> Option<T> {
    bands.iter().rfind(|band| band.by.map_or(band.from, |by| by + 1) <= below).map(|band| band.is.clone())
}

fn marked(lanes: &Lanes) -> Vec<Seq> {
    lanes.marks.iter().map(|mark| mark.report.seq).collect()
}

proptest! {
    #![proptest_config(kit::cases(3, 12))]

    #[test]
    fn lanes_of_any_span_say_what_every_world_in_it_says(text in any_world(), ends in any::<(prop::sample::Index, prop::sample::Index)>()) {
        let (_dir, history) = lived(&text);
        let (mut worlds, mut own): (BTreeMap<Seq, World>, Vec<Seq>) = (BTreeMap::new(), Vec::new());
        let newest = history.world_at(history.end()).unwrap();
        let ada = newest.being_named("ada").unwrap().id;
        history.fold(0, None, |frame, world| {
            let draft = frame.draft();
            worlds.insert(draft.seq + 1, world.clone());
            if draft.being == ada && !is_asking(draft) {
                own.push(draft.seq);
            }
        }).unwrap();
        let ends = [ends.0, ends.1].map(|end| end.index(history.end() as usize + 1) as Seq);
        let span = ends[0].min(ends[1])..ends[0].max(ends[1]);
        let lanes = history.lanes(ada, span.clone(), 10_000, &newest).unwrap();
        prop_assert_eq!(marked(&lanes), own.iter().copied().filter(|seq| span.contains(seq)).collect::<Vec<_>>());
        prop_assert!(!lanes.is_thinned());
        for below in span.start.max(ada.0.seq) + 1..=span.end {
            let me = worlds[&below].being(ada).unwrap();
            prop_assert_eq!(at(&lanes.wore, below).unwrap_or_default(), me.wearing.to_vec(), "{}", below);
            prop_assert_eq!(at(&lanes.stood, below), Some(worlds[&below].path_of(me.position)), "{}", below);
        }
        // In few marks nothing is lost, and what failed or was refused is seen.
        let few = history.lanes(ada, span, 3, &newest).unwrap();
        prop_assert!(few.marks.len() <= 3 && few.moments() == lanes.moments());
        let is_loud = |lanes: &Lanes| lanes.marks.iter().any(|mark| ["failed", "refused"].contains(&mark.report.closing.word()));
        prop_assert_eq!(is_loud(&few), is_loud(&lanes));
    }
}

#[test]
#[ignore = "long: 40,000 moments of a court"]
fn a_long_life_is_known_from_checkpoints_and_every_moment_of_it_is_counted() {
    let terminal = Terminal::with_world("court", 40_000);
    let told = |history: &History, span: std::ops::Range<Seq>| {
        let newest = history.world_at(history.end()).unwrap();
        let judith = newest.being_named("judith").unwrap().clone();
        (history.lanes(judith.id, span, 600, &newest).unwrap(), judith)
    };
    let history = History::of(&terminal.path("world")).unwrap();
    let (lanes, judith) = told(&history, 0..history.end());
    assert!(history.end() > 40_000 && history.checkpoints().len() > 2, "{:?}", history.checkpoints());
    let before = history.world_at(history.checkpoints().last().copied().unwrap()).unwrap().being(judith.id).unwrap().moments;
    assert!(lanes.moments() <= judith.moments && lanes.moments() + before >= judith.moments, "{} {before}", lanes.moments());
    assert!(!lanes.gaps.is_empty(), "not all of it was read");
    assert!(lanes.is_thinned() && lanes.marks.len() > 100 && lanes.marks.len() <= 600, "{}", lanes.marks.len());
    for seq in history.checkpoints() {
        let world = history.world_at(seq).unwrap();
        let me = world.being(judith.id).unwrap();
        assert_eq!(at(&lanes.stood, seq), Some(world.path_of(me.position)), "{seq}");
    }
    for mark in &lanes.marks {
        let frame = history.frame(mark.report.seq, &history.world_at(history.end()).unwrap()).unwrap().unwrap();
        assert_eq!((frame.draft().being, frame.draft().n, frame.draft().at), (judith.id, mark.n, mark.report.at));
    }
    // From nearer each moment is there, and what comes of a span comes of its parts.
    let (near, _) = told(&history, 12_000..12_500);
    assert!(!near.is_thinned(), "{near:?}");
    // Checkpoints are a cache: without them the log is asked.
    std::fs::remove_dir_all(terminal.path("world/checkpoints")).unwrap();
    let (without, _) = told(&History::of(&terminal.path("world")).unwrap(), 0..history.end());
    assert!(without.moments() > 100 && without.is_thinned());
}

#[test]
fn lanes_and_steps_are_served_to_whoever_may_read_the_moments() {
    let terminal = Terminal::with_world("court", 120);
    terminal.types("do /nowhere quality.set '{\"path\":\"t.x\",\"value\":1}'");
    let served = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let get = |path: &str| served.get(&operator, path);
    let lanes = get("/api/lanes?being=@judith").ok();
    let own = get("/api/moments?being=judith&limit=500").ok()["moments"].as_array().unwrap().len();
    assert_eq!((lanes["moments"].as_u64(), lanes["isThinned"].as_bool()), (Some(own as u64), Some(false)));
    let mark = &lanes["marks"][0];
    let told = get(&format!("/api/moment/{}", mark["seq"])).ok();
    assert_eq!((&mark["deed"], &mark["time"], &mark["n"]), (&told["report"]["deed"], &told["report"]["time"], &told["n"]));
    let few = get("/api/lanes?being=judith&from=40&to=100&parts=2").ok();
    assert!(few["marks"].as_array().unwrap().len() <= 2 && few["isThinned"] == json!(true), "{few}");
    assert_eq!(get("/api/lanes?being=judith&from=soon").status, 400);
    assert_eq!(get("/api/lanes?being=nobody").status, 404);
    assert_eq!(get("/api/lanes").status, 400);

    // A step leads right behind what it is to lead to, as `reelm debug` says, and as the list of moments has it.
    let step = |query: &str| get(&format!("/api/step?{query}")).ok();
    let newest = |query: &str| get(&format!("/api/moments?{query}&limit=1")).ok()["moments"][0]["seq"].as_u64();
    let refused = step("to=refused&way=back");
    assert_eq!(refused["at"].as_u64(), newest("closing=refused").map(|seq| seq + 1));
    assert_eq!(refused["moment"]["closing"], "refused");
    let act = step("being=@judith&at=100&to=act&way=back");
    assert_eq!(act["at"].as_u64(), newest("being=judith&closing=act&before=99").map(|seq| seq + 1));
    let on = step(&format!("being=@judith&at={}", act["at"]));
    let back = step(&format!("being=@judith&at={}&way=back", on["at"]));
    assert_eq!((back["at"].clone(), on["found"].clone()), (act["at"].clone(), json!(true)));
    assert_eq!(step("at=30&to=failed"), json!({ "at": 30, "found": false, "further": null, "moment": null }));
    let when = step("at=10&to=when%20%7B%22moment.being%22:%22judith%22%7D");
    assert_eq!(when["moment"]["being"], "judith");
    for wrong in ["way=up", "to=chnged", "to=changed", "to=when%20%7B%22me.plce%22:1%7D", "being=@judith&at=soon"] {
        assert_eq!(get(&format!("/api/step?{wrong}")).status, 400, "{wrong}");
    }
    assert_eq!(get("/api/step?being=nobody").status, 404);
    let told: &Value = &get("/api/step?to=chnged").body;
    assert!(told["error"]["message"].as_str().unwrap().starts_with("expected act, refused, failed, stack, changed"), "{told}");
}
