//! Why: is what lies behind a moment or a value told, as a walk through all frames finds it?

use proptest::prelude::*;
use reelm::fact::WakeKind;
use reelm::past::{MomentName, WhyOf};
use serde_json::{Value as Json, json};

use super::checkpoint::go_on;
use super::kit;
use super::law::any_world;
use super::point::{drafts, lived};
use super::served::Served;
use super::sweep::counter;
use super::terminal::Terminal;

/// How each fact made it so, the newest first.
fn how(terminal: &Terminal, line: &str) -> Vec<String> {
    let told = terminal.types(&format!("why {line} --json")).json();
    told["made"].as_array().unwrap().iter().map(|made| format!("{} {}", made["how"].as_str().unwrap(), made["value"])).collect()
}

#[test]
fn a_value_is_explained_by_the_facts_that_made_it_and_by_none_before() {
    let terminal = Terminal::with_world("court", 20);
    let set = |line: &str| {
        let told = terminal.types(&format!("{line} --json")).fails(0).out;
        serde_json::from_str::<Json>(told.lines().last().unwrap()).unwrap()["seq"].as_u64().unwrap()
    };
    set("do @bern quality.set '{\"path\":\"t.a\",\"value\":{\"b\":0}}'");
    let whole = set("do @bern quality.set '{\"path\":\"t.a\",\"value\":{\"b\":1}}'");
    let added = set("do @bern quality.inc '{\"path\":\"t.a.b\",\"by\":2}'");
    set("do @bern quality.set '{\"path\":\"t.other\",\"value\":5}'");
    set("do @bern quality.push '{\"path\":\"t.list\",\"value\":7}'");
    assert_eq!(how(&terminal, "@bern.t.a.b"), ["added 2", "set through t.a {\"b\":1}"]);
    assert_eq!(how(&terminal, &format!("@bern.t.a.b --at {added}")), ["set through t.a {\"b\":1}"]);
    assert_eq!(how(&terminal, &format!("@bern.t.a.b --at {whole}")), ["set through t.a {\"b\":0}"]);
    assert_eq!(how(&terminal, "@bern.t.a"), ["added a part of it, t.a.b 2", "set {\"b\":1}"]);
    assert_eq!(how(&terminal, "@bern.t.list"), ["pushed 7"]);
    assert_eq!(how(&terminal, "@bern.t.nothing"), [""; 0]);
    assert_eq!(how(&terminal, "@bern.persona.about").len(), 1, "planted with it");
    let series = terminal.types("why @bern.t.a.b --series --json").json_lines();
    let values: Vec<&Json> = series.iter().map(|point| &point["value"]).collect();
    assert_eq!(values, [&json!(0), &json!(1), &json!(3)], "the oldest first, beyond what has set all of it");
    assert_eq!((&series[1]["seq"], &series[2]["seq"]), (&json!(whole), &json!(added)));
    assert_eq!(terminal.types("why @bern.t.a.b --series --most 1 --json").json_lines().len(), 1);
    terminal.types("why @bern.t.a.b").fails(0).says(&["@bern.t.a.b is 3", "by quality.inc on @bern, fact 1 of 1, woken by a gesture"]);
    terminal.types("why @bern.t.a.b --most 1").fails(0).says(&["… and more before"]);

    // Of a thing that was named anew, by what it was called then.
    set("do / space.make '{\"name\":\"nook\"}'");
    set("do /nook quality.set '{\"path\":\"t.x\",\"value\":1}'");
    set("do /nook space.set '{\"name\":\"den\"}'");
    let told = terminal.types("why /den.t.x --json").json();
    assert_eq!((&told["value"], &told["made"][0]["target"]), (&json!(1), &json!("/nook")));
    assert_eq!(how(&terminal, "/den"), ["named den null", "made null"]);

    set("do / signal.set '{\"path\":\"t.dice\",\"value\":4}'");
    assert_eq!(how(&terminal, "/.signals/t.dice"), ["set 4"]);
    assert_eq!(how(&terminal, "world.t.dice"), ["set 4"], "as `debug` and conditions name it");
    set("do / quality.set '{\"path\":\"t.y\",\"value\":2}'");
    assert_eq!(how(&terminal, "/.t.y"), ["set 2"]);
    set("do / config.set '{\"key\":\"brakes.depth\",\"value\":9}'");
    assert_eq!(how(&terminal, "/.settings/brakes.depth")[0], "set 9");
    terminal.write("flow.json", "[]");
    terminal.types("flow set @bern flow.json").fails(0);
    assert_eq!(how(&terminal, "@bern/.flow"), ["set []"]);
    assert_eq!(how(&terminal, "/.roles/court:judge").len(), 1);
    terminal.types("why @nobody.t.x").fails(1).warns(&["expected something such as @ada.t.n", "not-found"]);
    terminal.types("why @bern/.inbox").fails(1).warns(&["wrong-target"]);

    let told = terminal.types("why @bern.t.a.b --json").json();
    let served = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    assert_eq!(served.get(&operator, "/api/why?of=@bern.t.a.b").ok(), told);
    let past = served.get(&operator, &format!("/api/why?of=@bern.t.a.b&at={added}")).ok();
    assert_eq!((&past["value"], past["made"].as_array().unwrap().len()), (&json!(1), 1));
    assert_eq!(served.get(&operator, "/api/why?of=@nobody.t.x").status, 404);
}

#[test]
fn a_chain_of_causes_leads_back_to_a_person_and_forward_to_what_they_woke() {
    let terminal = Terminal::with_world("skateco", 100);
    go_on(&terminal.path("world"), 400);
    let all = terminal.types("log --json").json_lines();
    let wake = |moment: &Json| moment["report"]["wake"].as_str().unwrap().to_owned();
    let seq = |moment: &Json| moment["report"]["seq"].as_u64().unwrap();
    let watched = all.iter().rev().find(|moment| wake(moment) == "watch").expect("somebody watches for something");
    let told = terminal.types(&format!("explain {} --causes --json", seq(watched))).json();
    let causes = told["causes"].as_array().unwrap();
    assert_eq!(causes[0]["seq"].to_string(), watched["report"]["cause"].as_str().unwrap().split('.').next().unwrap());
    let last = causes.last().unwrap();
    assert!(["schedule", "person", "time"].iter().any(|begins| last["begins"] == *begins), "{last}");
    terminal.types(&format!("explain {} --causes", seq(watched))).fails(0).says(&["here it begins, with "]);
    let forward = terminal.types(&format!("explain {} --effects --json", causes[0]["seq"])).json();
    assert!(forward["effects"].as_array().unwrap().iter().any(|effect| effect["seq"] == seq(watched)), "{forward}");
    let near = terminal.types(&format!("explain {} --causes --depth 0 --json", seq(watched))).json();
    assert_eq!((&near["causes"], &near["moreCauses"]), (&json!([]), &json!(true)));
    let newest = all.iter().map(seq).max().unwrap();
    terminal.types(&format!("explain {newest} --effects")).fails(0).says(&["it woke nobody"]);
    terminal.types("explain 99999 --causes").fails(1).warns(&["there is no frame 99999"]);
    let served = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let around = served.get(&operator, &format!("/api/causes?moment={}", seq(watched))).ok();
    assert_eq!((&around["moment"], &around["causes"]), (&told["moment"], &told["causes"]));
    assert_eq!(served.get(&operator, "/api/causes?moment=soon").status, 400);
    let of = format!("/api/causes?moment={}", last["seq"]);
    let (all, one) = (served.get(&operator, &of).ok(), served.get(&operator, &format!("{of}&most=1")).ok());
    let effects = |told: &Json| told["effects"].as_array().unwrap().clone();
    assert!(effects(&all).len() > 1, "{all}");
    assert_eq!((effects(&one), &one["moreEffects"]), (effects(&all)[..1].to_vec(), &json!(true)));
}

#[test]
fn what_somebody_knew_is_what_their_role_let_them_see_when_they_answered() {
    let terminal = Terminal::with_world("court", 60);
    let at_court = terminal.types("explain @bern/3 --knew /court --json").json();
    assert_eq!((&at_court["why"], &at_court["value"]["name"]), (&Json::Null, &json!("court")));
    let config = terminal.types("explain @bern/3 --knew /.config").fails(0);
    config.says(&["@bern could not see /.config at ", "gate-role"]);
    // A quality that is set now was not there then.
    terminal.types("do /court quality.set '{\"path\":\"t.late\",\"value\":1}'").ok();
    assert_eq!(terminal.types("explain @bern/3 --knew /court --json").json()["value"], at_court["value"]);
    terminal.types("explain @bern/999 --knew /court").fails(1).warns(&["the reel of @bern has only"]);
}

proptest! {
    #![proptest_config(kit::cases(2, 8))]

    #[test]
    fn chains_and_values_are_those_that_a_walk_through_all_frames_finds(text in any_world(), at in any::<prop::sample::Index>()) {
        let (_dir, history) = lived(&text);
        let (drafts, world) = drafts(&history);
        let draft = at.get(&drafts);
        let found = history.causes(draft.seq, 1_000, &world).unwrap();
        let mut walked = Vec::new();
        let mut link = draft;
        while !matches!(link.wake.kind, WakeKind::Gesture | WakeKind::Schedule | WakeKind::Crossing) && link.wake.cause.seq < link.seq {
            link = &drafts[link.wake.cause.seq as usize];
            walked.push(link.seq);
        }
        prop_assert_eq!(found.causes.iter().map(|link| link.seq).collect::<Vec<_>>(), walked);
        let woke = |seq| drafts.iter().filter(move |draft| draft.wake.kind != WakeKind::Gesture && draft.wake.cause.seq == seq).map(|draft| draft.seq);
        let effects = history.effects(draft.seq, 1, 100_000, &world).unwrap();
        prop_assert_eq!(effects.effects.iter().map(|link| link.seq).collect::<Vec<_>>(), woke(draft.seq).collect::<Vec<_>>());
        prop_assert_eq!(history.seq_of_moment(&format!("@{}/{}", world.being(draft.being).unwrap().name, draft.n).parse::<MomentName>().unwrap()).unwrap(), draft.seq);
        // Numbers that were only added to are the sum of what is told.
        for being in world.living() {
            let (_, of) = WhyOf::read(&format!("@{}.t.n", being.name), &world, being).unwrap();
            let told = history.making(&of, &world, 100_000).unwrap();
            let sum: i64 = told.made.iter().filter_map(|made| made.value.as_int()).sum();
            prop_assert_eq!(told.value.as_int().unwrap_or(0), sum, "{:?}", told.made);
        }
    }
}

#[test]
fn what_was_never_written_is_told_with_what_may_be_meant() {
    let terminal = Terminal::with_world("court", 20);
    terminal.types("do @bern quality.set '{\"path\":\"tally.n\",\"value\":1}'").ok();
    terminal.types("do / signal.set '{\"path\":\"tally.dice\",\"value\":4}'").ok();
    for (line, says) in [
        ("@bern.tally.nn", "`@bern.tally.nn` was never written; did you mean `@bern.tally.n`?"),
        // Somebody else has it.
        ("@judith.tally.n", "`@judith.tally.n` was never written\n"),
        ("@bern.nothing.like.this", "`@bern.nothing.like.this` was never written"),
        ("world.tally.dcie", "did you mean `world.tally.dice`?"),
        ("/.signals/tally.dcie", "did you mean `/.signals/tally.dice`?"),
        ("/.roles/court:jugde", "did you mean `/.roles/court:judge`?"),
    ] {
        let said = terminal.types(&format!("why {line} --series")).fails(1).warns(&[says]);
        assert_eq!(said.out, "", "{line}");
    }
    terminal.types("why @bern.tally.nn").fails(0).says(&["no fact has set it; did you mean `@bern.tally.n`?"]);
    terminal.types("why @bern.tally.n --series").fails(0).says(&[" 1\n"]);
}

#[test]
fn an_expression_has_a_series_of_the_values_to_which_it_came() {
    let terminal = Terminal::new();
    counter(&terminal);
    terminal.types("run lab/counter --for 10m --quiet").ok();
    let told = terminal.types("why 'sum(\"n.v\") * signal(\"lab.step\")' --series --json").json_lines();
    let own = terminal.types("why @ada.n.v --series --json").json_lines();
    let series = |told: &[Json]| {
        told.iter().map(|value| (value["seq"].clone(), value["moment"].clone(), value["value"].as_f64())).collect::<Vec<_>>()
    };
    // Before the signal stood there, there was none.
    assert_eq!(series(&told)[1..], series(&own)[..], "{told:?}");
    assert_eq!(told[0]["value"], 0, "{told:?}");
    let cut = terminal.types("why 'sum(\"n.v\")' --series --most 3").fails(0).warns(&["… and more before; `--most` tells more"]);
    assert_eq!(cut.out.lines().count(), 3, "{}", cut.out);
    assert!(cut.out.lines().last().unwrap().ends_with("@ada/9 2026-01-01T00:10:00Z 10"), "{}", cut.out);
    let then = terminal.types("why 'sum(\"n.v\")' --series --at 2026-01-01T00:05 --json").json_lines();
    assert_eq!(then.last().unwrap()["value"], 5, "{then:?}");
    terminal.types("why 'sum(\"n.v\")'").fails(1).warns(&["`--series` tells which values"]);
    terminal
        .types("why 'smu(\"n.v\")' --series")
        .fails(1)
        .warns(&["expected an expression as measures have them", "Function not found: smu"]);
    terminal.types("why 'mean(\"n.w\")' --series").fails(1).warns(&["`mean(\"n.w\")` came to nothing behind every frame"]);
}
