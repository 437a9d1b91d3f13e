//! Diff: is what differs between two worlds told, all of it and nothing else?

use proptest::prelude::*;
use reelm::past::{DiffLine, History, Same, differences};
use serde_json::{Value as Json, json};

use super::checkpoint::{end, go_on};
use super::kit;
use super::law::any_world;
use super::point::{changed, lived};
use super::served::Served;
use super::terminal::Terminal;

fn lines(terminal: &Terminal, line: &str) -> Vec<String> {
    terminal.types(line).ok().lines().map(str::to_owned).collect()
}

#[test]
fn what_was_done_between_two_points_is_told_in_words_and_to_programs() {
    let (terminal, then) = changed();
    terminal.types("do @operator move '{\"to\":\"/court\"}'").fails(0);
    terminal.types("do /court quality.set '{\"path\":\"tally.count\",\"value\":3}'").ok();
    terminal.types("do / config.set '{\"key\":\"brakes.depth\",\"value\":9}'").ok();
    terminal.types("be birth '{\"name\":\"eve\",\"home\":\"/court\",\"cognition\":\"human\"}'").ok();
    terminal.write("judge.md", &(terminal.types("role show court:judge --markdown").ok() + "\nBe brief.\n"));
    terminal.types("role set judge.md").fails(0);
    let told = lines(&terminal, &format!("diff {then} now"));
    for wanted in ["@eve was born", "role guest is gone", "/court tally: {\"count\":3}, was not there"] {
        assert!(told.iter().any(|line| line == wanted), "expected `{wanted}` in {told:#?}");
    }
    for begins in ["@bern flow: ", "setting brakes.depth: 9", "role court:judge: 2 lines differ"] {
        assert!(told.iter().any(|line| line.starts_with(begins)), "expected `{begins}` in {told:#?}");
    }
    let of_court = lines(&terminal, &format!("diff {then} now --in /court"));
    assert!(
        of_court.iter().any(|line| line.starts_with("@bern flow")) && !of_court.iter().any(|line| line.starts_with("role")),
        "{of_court:#?}"
    );
    assert_eq!(lines(&terminal, "diff now now"), ["nothing differs"]);
    let few = lines(&terminal, &format!("diff {then} now --most 1"));
    assert_eq!((few.len(), few[1].starts_with(&format!("… {} more", told.len() - 1))), (2, true), "{few:?}");
    let json = terminal.types(&format!("diff {then} now --json")).json();
    assert_eq!((&json["was"]["seq"], json["differences"].as_array().unwrap().len(), &json["more"]), (&json!(then), told.len(), &json!(0)));
    terminal.types("diff now now --in /nowhere").fails(1).warns(&["which neither world has"]);
    terminal.types("diff 99999 now").fails(1).warns(&["the world ends before"]);
    let now = end(&terminal.path("world"));
    let served = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let all = served.get(&operator, &format!("/api/diff?from={then}&to={now}")).ok();
    assert_eq!(all["differences"], json["differences"]);
    let court = served.get(&operator, &format!("/api/diff?from={then}&to={now}&in=/court&most=1")).ok();
    assert_eq!((court["differences"].as_array().unwrap().len() as u64 + court["more"].as_u64().unwrap()) as usize, of_court.len());
    assert_eq!(served.get(&operator, &format!("/api/diff?from={then}&in=/nowhere")).status, 404);
}

fn turned(line: DiffLine) -> DiffLine {
    DiffLine { was: line.is, is: line.was, ..line }
}

proptest! {
    #![proptest_config(kit::cases(2, 6))]

    #[test]
    fn a_difference_is_the_same_from_either_side_and_however_its_worlds_were_folded(text in any_world(), at in any::<[prop::sample::Index; 2]>()) {
        let (_dir, history) = lived(&text);
        let [one, other] = at.map(|at| 1 + at.index(history.end() as usize) as u64);
        let (was, is) = history.two_worlds(one, other).unwrap();
        let found = differences(&was, &is, Same::Id);
        let (far, near) = (history.world_at(one).unwrap(), history.world_at(other).unwrap());
        prop_assert_eq!(&differences(&far, &near, Same::Id), &found);
        let mut back: Vec<DiffLine> = differences(&is, &was, Same::Id).into_iter().map(turned).collect();
        let mut there = found.clone();
        // Matter goes by the address where it is, which is another from the other side.
        for lines in [&mut back, &mut there] {
            lines.iter_mut().filter(|line| line.kind == "matter").for_each(|line| line.of.clear());
            lines.sort_by_key(|line| format!("{line:?}"));
        }
        prop_assert_eq!(back, there);
        prop_assert_eq!(differences(&was, &was, Same::Below(0)), []);
        // Nobody is named anew in these worlds.
        let beings = |lines: Vec<DiffLine>| lines.iter().filter(|line| line.kind == "being").count();
        prop_assert_eq!(beings(differences(&was, &is, Same::Below(0))), beings(found));
    }
}

#[test]
fn two_worlds_of_one_beginning_are_apart_from_the_first_frame_that_differs() {
    let terminal = Terminal::with_world("skateco", 100);
    go_on(&terminal.path("world"), 60);
    let common = end(&terminal.path("world"));
    terminal.shell("cp -r world other").ok();
    assert!(terminal.types("diff now now --with other").ok().ends_with("the two histories are the same\n"));
    terminal.types("do @ada quality.set '{\"path\":\"t.mood\",\"value\":\"merry\"}' --data other").fails(0);
    go_on(&terminal.path("world"), 40);
    go_on(&terminal.path("other"), 40);
    let told: Json = terminal.types("diff now now --with other --json").json();
    assert_eq!((&told["divergence"]["seq"], &told["divergence"]["other"]["being"]), (&json!(common), &json!("operator")), "{told}");
    assert!(told["differences"].as_array().unwrap().iter().any(|line| line["of"] == "@ada" && line["what"] == "qualities.t"), "{told}");
    terminal
        .types("diff now now --with other")
        .fails(0)
        .says(&[&format!("first apart at #{common}\n"), "@ada t: {\"mood\":\"merry\"}, was not there"]);
    // A history that ends where another goes on.
    terminal.shell("rm -r other && cp -r world other").ok();
    go_on(&terminal.path("other"), 5);
    let shorter = end(&terminal.path("world"));
    terminal.types("diff now now --with other").fails(0).says(&[&format!("first apart at #{shorter}\n  nothing: it ends there\n")]);
    // Another seed: no frame is the same, and the first deed that differs is told.
    terminal.types("run $worlds/skateco --seed 7 --moments 100 --quiet --data seeded").ok();
    let (one, seeded) = (History::of(&terminal.path("world")).unwrap(), History::of(&terminal.path("seeded")).unwrap());
    assert!(one.divergence(&seeded).unwrap().is_some_and(|apart| apart.seq > 0));
    terminal.types("diff now now --with nowhere").fails(1).warns(&["--with `nowhere`"]);
}

#[test]
fn what_two_worlds_share_is_known_by_its_making_and_what_came_later_by_its_name() {
    let terminal = Terminal::with_world("skateco", 20);
    let make = |data: &str| {
        terminal.types(&format!("do /factory matter.make '{{\"name\":\"box\",\"content\":\"{data}\"}}' --data {data}")).fails(0);
    };
    make("world");
    terminal.shell("cp -r world other").ok();
    let lines = |told: Json| -> Vec<(String, Json, Json)> {
        let of_box = |line: &&Json| line["of"].as_str().unwrap().ends_with("/box");
        let lines = told["differences"].as_array().unwrap();
        let line = |line: &Json| (line["what"].as_str().unwrap().to_owned(), line["was"]["content"].clone(), line["is"]["content"].clone());
        lines.iter().filter(of_box).map(line).collect()
    };
    // Another thing of that name is another thing, though it lies where the first one lay.
    terminal.types("do /factory/box matter.end --data other").fails(0);
    make("other");
    let gone_and_new = [("".into(), json!("world"), Json::Null), ("".into(), Json::Null, json!("other"))];
    assert_eq!(lines(terminal.types("diff now now --with other --json").json()), gone_and_new);
    // A thing that both worlds made apart counts as one by its name.
    terminal.types("do /factory/box matter.end").fails(0);
    make("world");
    let found = lines(terminal.types("diff now now --with other --json").json());
    assert_eq!(found.iter().map(|(what, ..)| what.as_str()).collect::<Vec<_>>(), ["content"], "{found:?}");
}

#[test]
fn what_a_being_wears_is_compared_as_it_is_and_not_as_it_was_stamped_last() {
    let terminal = Terminal::new();
    let being = |name: &str, flow: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/h\"\nscript = \"a\"\nrole = \"asleep\"\n{flow}");
    let flow = "flow = [{ when = { \"world.t.on\" = true }, role = \"awake\" }]\n";
    terminal.write("c/world.toml", &format!("name = \"c\"\n[[space]]\npath = \"/h\"\n{}{}", being("ada", flow), being("bob", "")));
    for role in ["asleep", "awake"] {
        // It wakes for no signal, so nothing of it is stamped.
        terminal.write(&format!("c/roles/{role}.md"), &format!("---\nname: {role}\ntriggerOn: [message]\n---\n\nYou are {role}.\n"));
    }
    terminal.write("c/scripts/a.rhai", "fn think(face) { () }");
    terminal.types("run c --moments 0 --quiet").ok();
    let then = end(&terminal.path("world"));
    terminal.types("do / signal.set '{\"path\":\"t.on\",\"value\":true}'").ok();
    let told = lines(&terminal, &format!("diff {then} now"));
    assert_eq!(told, ["@ada wearing: [\"awake\"], was [\"asleep\"]", "signal t: {\"on\":true}, was not there"]);
    let back = lines(&terminal, &format!("diff now {then}"));
    assert!(back.contains(&"@ada wearing: [\"asleep\"], was [\"awake\"]".to_owned()), "{back:?}");
    terminal.types("do /h flow.set '{\"flow\":[{\"role\":\"awake\",\"stack\":true}]}'").ok();
    let told = lines(&terminal, &format!("diff {then} now"));
    assert!(told.contains(&"@bob wearing: [\"asleep\",\"awake\"], was [\"asleep\"]".to_owned()), "{told:?}");
    assert_eq!(lines(&terminal, "diff now now"), ["nothing differs"]);
}
