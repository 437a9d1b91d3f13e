//! Tell: is a moment one sentence, the same for everybody who reads it?

use reelm::fact::{Call, Closing, Code, Draft, Reason, Value};
use reelm::source::{Source, shipped_worlds};
use reelm::tell::{Moment, ToldMoment, ToldPart, Wording, as_base, carried, in_force, in_past, named, plain_text, subjects, tellings};
use reelm::verb::{BE_OPERATIONS, core_operations};
use reelm::world::World;
use serde_json::{Value as Json, json};

use super::kit::{Small, args};
use super::served::{Person, Served};
use super::snapshot::compare;
use super::terminal::{Terminal, package};

const WORLD: &str = "[[space]]\npath = \"/line\"\nallow = [\"*\"]\n[[space]]\npath = \"/library\"\nallow = [\"*\"]\n[[matter]]\nat = \"/library\"\nname = \"dunes\"\ntype = \"book\"\n\
    [[being]]\nname = \"eli\"\nhome = \"/line\"\nrole = \"free\"\ncognition = \"human\"\n[[being]]\nname = \"sana\"\nhome = \"/line\"\nrole = \"free\"\ncognition = \"human\"\n";

/// The sentence of a call that closed so, behind the name of whoever did it.
fn told(world: &World, call: Option<&Call>, closing: &Closing, is_answer: bool) -> String {
    let parts = ToldMoment::told(Moment { being: "eli", stood: "/line", call, closing, is_answer, moved: &[] }, world).told;
    plain_text(&[subjects(&["eli"]), vec![ToldPart::words(" ")], parts].concat(), 200)
}

/// A sentence without the places that only say when it is told.
fn bare(sentence: &str) -> String {
    let mut text = sentence.to_owned();
    for guard in ["oneself", "null ", "is ", "given "] {
        while let Some(begins) = text.find(&format!("{{{{{guard}")) {
            let ends = text[begins..].find("}}").unwrap() + begins + 2;
            text.replace_range(begins..ends, "");
        }
    }
    text.replace("args.", "")
}

#[test]
fn each_operation_of_the_core_has_both_sentences() {
    let core = core_operations().map(|operation| (operation.name.to_owned(), operation.told));
    let being = BE_OPERATIONS.iter().map(|(name, .., told)| (format!("be {name}"), *told));
    let mut table = String::new();
    for (name, sentences) in core.chain(being) {
        assert!(!sentences.is_empty(), "{name}");
        for sentence in sentences {
            assert!(Wording::parse(sentence).is_some(), "{name}: {sentence}");
            let sentence = bare(sentence);
            assert!(as_base(&sentence).is_some(), "{name}: `{sentence}` begins with no verb");
            table += &format!("{name}: {sentence} | {}\n", in_past(&sentence));
        }
    }
    compare("told-core", &table);
}

#[test]
fn an_operation_of_the_core_is_told_with_its_verb_whatever_is_known_of_its_arguments() {
    let world = &Small::plant(WORLD).world();
    for operation in core_operations() {
        for given in [Value::Null, Value::map([("name", Value::from("x".repeat(9000)))])] {
            for target in ["/", "@eli", "/library/dunes"] {
                let call = Call::doing(target, operation.name, given.clone());
                let told = told(world, Some(&call), &Closing::Act, false);
                let verbs: Vec<String> =
                    operation.told.iter().map(|told| in_past(&bare(told)).split(' ').next().unwrap().to_owned()).collect();
                assert!(verbs.contains(&told.split(' ').nth(1).unwrap().to_owned()), "{}: {told}", operation.name);
            }
        }
    }
}

#[test]
fn each_operation_of_a_shipped_world_has_a_sentence() {
    let mut table = String::new();
    for name in shipped_worlds() {
        let source = Source::read(&package().join("fixtures/worlds").join(name)).unwrap();
        let world = Small::grow(&source, 1, 1).world();
        for operation in world.registry().operations.keys() {
            let call = Call::doing("/a-place/thing-07", operation, Value::Null);
            let told = told(&world, Some(&call), &Closing::Act, false);
            table += &format!("{name}: {operation}: {told}\n");
        }
    }
    compare("told-shipped", &table);
}

#[test]
fn a_verb_is_told_in_the_past_and_as_its_base() {
    for (third, base, past) in [
        ("presses", "press", "pressed"),
        ("carries", "carry", "carried"),
        ("scraps", "scrap", "scrapped"),
        ("inspects", "inspect", "inspected"),
        ("goes", "go", "went"),
        ("closes", "close", "closed"),
        ("plays", "play", "played"),
        ("fixes", "fix", "fixed"),
        ("is", "be", "was"),
        ("opens", "open", "opened"),
        ("bids", "bid", "bid"),
        ("overhears", "overhear", "overheard"),
        ("rebuilds", "rebuild", "rebuilt"),
        ("occurs", "occur", "occurred"),
        ("mimics", "mimic", "mimicked"),
        ("caches", "cache", "cached"),
        ("unties", "untie", "untied"),
        ("focuses", "focus", "focused"),
        ("tiptoes", "tiptoe", "tiptoed"),
    ] {
        assert_eq!((as_base(third).as_deref(), in_past(third).as_str()), (Some(base), past));
    }
    assert_eq!(in_past("takes a break and leaves the room"), "took a break and left the room");
    // Words that begin with no verb in the third person, or are of another language, stay.
    for other in ["drückt ein Brett", "press", "boss around", "was told", ""] {
        assert_eq!((in_past(other).as_str(), as_base(other)), (other, None));
    }
}

#[test]
fn what_was_done_is_told_with_names_in_place_of_addresses() {
    let world = &Small::plant(WORLD).world();
    let does = |target: &str, action: &str, given: &str| told(world, Some(&Call::doing(target, action, args(given))), &Closing::Act, false);
    let says = |target: &str, given: &str, is_answer| told(world, Some(&Call::summon(target, args(given))), &Closing::Act, is_answer);
    for (is, wanted) in [
        (does("@eli", "move", r#"{"to":"/library"}"#), "Eli went to the library"),
        (does("@eli", "move", r#"{"coords":[3,1]}"#), "Eli took some steps"),
        (does("@eli", "move", r#"{"to":"/line"}"#), "Eli stayed in the line"),
        (does("@eli", "move", r#"{"to":"/"}"#), "Eli went to the world"),
        (
            does("/", "signal.set", r#"{"path":"t.note","value":"5 and gives the till to @sana"}"#),
            "Eli set note to 5 and gives the till to @sana",
        ),
        (does("@eli", "schedule.set", r#"{"name":"x","every":3600000}"#), "Eli planned to look again every 1h"),
        (does("/library/dunes", "move", r#"{"to":"/line"}"#), "Eli moved Dunes to the line"),
        (does("/line", "say", r#"{"content":"I could sweep."}"#), "Eli said “I could sweep.”"),
        (does("@eli", "quality.inc", r#"{"path":"town.steps"}"#), "Eli changed steps"),
        (does("/square/fountain", "quality.set", r#"{"path":"water.depth","value":3}"#), "Eli set depth of the fountain to 3"),
        (does("/square/fountain", "quality.set", r#"{"path":"water.depth","value":null}"#), "Eli removed depth of the fountain"),
        (does("/", "config.set", r#"{"key":"clock","value":"paced 60"}"#), "Eli set the pace to ×60"),
        (does("/", "config.set", r#"{"key":"brakes.depth","value":9}"#), "Eli set brakes.depth to 9"),
        (does("/", "config.set", r#"{"key":"source","value":"x"}"#), "Eli took up what the source says"),
        (does("/", "signal.set", r#"{"path":"town.alarm-bell","value":true}"#), "Eli set alarm bell to on"),
        (does("@sana", "pause.set", "{}"), "Eli paused Sana"),
        (does("/", "thread.cut", r#"{"root":"12.0"}"#), "Eli cut the thread of moment 12"),
        (does("/", "pause.set", "{}"), "Eli paused the world"),
        (does("/line", "pause.set", r#"{"writes":true}"#), "Eli froze the line"),
        (
            does("/", "claim.set", r#"{"on":["/line/press","/line/lathe"],"for":"10m","why":"I mend it"}"#),
            "Eli claimed the press, the lathe for 10m: I mend it",
        ),
        (
            does(
                "/",
                "claim.set",
                r#"{"on":["/line/long-name-of-the-press","/line/long-name-of-the-lathe","/line/bin","/line/rack","/line/belt"]}"#,
            ),
            "Eli claimed the long name of the press, the long name of the lathe, the bin and 2 more",
        ),
        (does("/court", "court:call-to-order", "{}"), "Eli called to order"),
        (does("/bridge", "town:mend", "{}"), "Eli mended the bridge"),
        (does("/line/board-00684", "x:scrap", "{}"), "Eli scrapped board 684"),
        (told(world, Some(&Call::be("inhabit", args(r#"{"being":"@sana"}"#))), &Closing::Act, false), "Eli began to drive Sana"),
        (told(world, Some(&Call::be("birth", args(r#"{"name":"nova"}"#))), &Closing::Act, false), "Eli brought Nova into the world"),
        (says("@sana", r#"{"content":"board 684: a crack"}"#, false), "Eli told Sana: “board 684: a crack”"),
        (says("@sana", r#"{"content":"What now?"}"#, false), "Eli asked Sana: “What now?”"),
        (says("@sana", r#"{"content":"Nothing."}"#, true), "Eli answered Sana: “Nothing.”"),
        (says("@sana", r#"{"content":{"kind":"complaint","folder":"/court/case-002"}}"#, false), "Eli sent Sana a complaint: case 2"),
        (
            says("@sana", r#"{"content":{"about":"crooked nose","board":"/line/bin/board-00245","kind":"verdict"}}"#, true),
            "Eli gave Sana a verdict on board 245: “crooked nose”",
        ),
        (says("@eli", "{}", false), "Eli called on itself"),
        (told(world, None, &Closing::See, false), "Eli looked around"),
        (told(world, Some(&Call::see("/library/dunes")), &Closing::See, false), "Eli looked at Dunes"),
        (told(world, None, &Closing::Ended, false), "Eli ended"),
    ] {
        assert_eq!(is, wanted);
    }
}

#[test]
fn what_was_not_done_says_what_was_wanted_and_why_not() {
    let world = &Small::plant(WORLD).world();
    let send = Call::doing("/line/bin/board-00562", "x:scrap", Value::Null);
    let reason = |code, at: &str| Reason::new(code, at);
    for (call, closing, wanted) in [
        (
            Some(&send),
            Closing::Refused(reason(Code::Gone, "")),
            "Eli could not scrap board 562: the thing was there when the moment opened and is not any more",
        ),
        (None, Closing::Refused(reason(Code::GatePlace, "")), "Eli was refused: there is no right at this place"),
        (
            Some(&send),
            Closing::Refused(reason(Code::OperationRefused, "sana stands there")),
            "Eli could not scrap board 562: Sana stands there",
        ),
        (
            None,
            Closing::Failed(reason(Code::ReplyCut, "")),
            "Eli could not think of anything to do: the model's reply was cut off before its end",
        ),
        (None, Closing::Requeued(reason(Code::Asking, "")), "Eli began to think"),
        (None, Closing::Requeued(reason(Code::Looked, "")), "Eli looked closer"),
    ] {
        assert_eq!(told(world, call, &closing, false), wanted);
    }
    // Refused words were said to nobody, and are told as what was wanted.
    let summons = Call::summon("@sana", args(r#"{"content":"Well?"}"#));
    let refused = told(world, Some(&summons), &Closing::Refused(reason(Code::GatePlace, "")), false);
    assert_eq!(refused, "Eli could not ask Sana: “Well?”: there is no right at this place");
}

#[test]
fn an_address_is_named_wherever_it_stands_and_nothing_else_is() {
    let world = &Small::plant(WORLD).world();
    let line = |text: &str| plain_text(&named(text, world), 200);
    for (text, wanted) in [
        ("puts /line/qa/board-00684 into /line/bin", "puts board 684 into the bin"),
        ("files a case against @wheel-works over 12.5: a broken board", "files a case against Wheel works over 12.5: a broken board"),
        ("cleans the /line/press.", "cleans the press."),
        ("borrows /library/dunes", "borrows Dunes"),
        ("and/or, 3/4, a@b.example, https://x.example/y", "and/or, 3/4, a@b.example, https://x.example/y"),
        ("gives @sana/cup-3 to @sana", "gives cup 3 to Sana"),
        ("sets / on", "sets / on"),
        ("ends with @", "ends with @"),
        ("tells @zoë of /café/tisch-07, then /café/@judge.", "tells Zoë of tisch 7, then Judge."),
        ("@", "@"),
        ("a/ /b/ /é", "a/ the b/ the é"),
    ] {
        assert_eq!(line(text), wanted, "{text}");
    }
}

#[test]
fn one_story_reads_the_same_wherever_it_is_read() {
    let terminal = Terminal::with_world("skateco", 150);
    let lines = terminal.types("log --json").fails(0).json_lines();
    let words = terminal.types("log").fails(0).out;
    let served = Served::begin(terminal, "serve --port 0 --paused --json");
    let operator = served.operator();
    let moments: Vec<Json> = served.get(&operator, "/api/moments?limit=60").ok()["moments"].as_array().unwrap().clone();
    // The server that reads it has stamped a moment of its own.
    let at = |moment: &Json| lines.iter().find(|line| line["report"]["seq"] == moment["seq"]);
    let both: Vec<(&Json, &Json)> = moments.iter().filter_map(|moment| Some((moment, at(moment)?))).collect();
    assert!(both.len() > 50);
    for (moment, line) in both {
        assert_eq!((&line["report"]["told"], &line["report"]["turn"]), (&moment["told"], &moment["turn"]));
        let parts: Vec<ToldPart> = serde_json::from_value(moment["told"].clone()).unwrap();
        let sentence = plain_text(&[subjects(&[moment["being"].as_str().unwrap()]), vec![ToldPart::words(" ")], parts].concat(), 120);
        assert!(words.lines().any(|line| line.contains(&sentence)), "{sentence}");
        let link = &served.get(&operator, &format!("/api/causes?moment={}&depth=1", moment["seq"])).ok()["moment"];
        assert_eq!(link["told"], moment["told"]);
    }
}

#[test]
fn a_run_that_nobody_watches_tells_nothing() {
    let source = Source::read(&package().join("fixtures/worlds/skateco")).unwrap();
    let mut small = Small::grow(&source, 1, 1);
    let before = tellings();
    let ran = small.run("2h");
    assert!(ran.tally.moments() > 100);
    assert_eq!(tellings(), before);
    let mut heard = 0;
    small.watch("10m", &mut |_| heard += 1);
    assert!(heard > 0 && tellings() == before + heard);
}

/// A hall with somebody who rings a bell while the alarm is on, and two who speak.
const HALL: &str = "[[space]]\npath = \"/hall\"\nallow = [\"*\"]\n[[matter]]\nat = \"/hall\"\nname = \"board-07\"\n[[matter]]\nat = \"/hall\"\nname = \"rack\"\n[[matter]]\nat = \"/hall/rack\"\nname = \"board-08\"\n\
    [[being]]\nname = \"eli\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n\
    flow = [{ when = { \"world.t.alarm\" = true, \"world.t.level\" = { gte = 3 } }, role = \"free\" }]\n\
    [[being]]\nname = \"sana\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n";

/// Why a moment was as it was, by some causes.
fn because(small: &Small, moment: &Draft, causes: &[Draft]) -> String {
    let world = small.world();
    plain_text(&carried(moment, causes, &world).or_else(|| in_force(moment, &world)).unwrap_or_default(), 200)
}

#[test]
fn the_nearest_cause_that_carries_the_same_counts_and_nothing_else() {
    let mut small = Small::plant(HALL);
    let says = small.act("sana", Call::summon("@eli", args(r#"{"content":"scrap board seven: a crack"}"#)));
    let marks = small.act("sana", Call::doing("/hall/board-07", "quality.set", args(r#"{"path":"t.crack","value":true}"#)));
    let speaks = small.act("sana", Call::doing("/hall", "say", args(r#"{"content":"Good morning to all of you."}"#)));
    let drops = small.act("eli", Call::doing("/hall/board-07", "matter.set", args(r#"{"type":"scrap"}"#)));
    let sees = small.act("eli", Call::see("/hall/board-07"));
    let greets = small.act("eli", Call::doing("/hall", "say", args(r#"{"content":"What a day it is."}"#)));
    let tells = small.act("eli", Call::summon("@sana", args(r#"{"content":"The windows are dirty."}"#)));
    let answers = small.act("eli", Call::summon("@sana", args(r#"{"content":"I saw the crack in that board."}"#)));
    let racks = small.act("sana", Call::doing("/hall/rack", "quality.set", args(r#"{"path":"t.clean","value":true}"#)));
    let files = small.act("eli", Call::doing("/hall/rack/board-08", "quality.set", args(r#"{"path":"t.in","value":"/hall/rack"}"#)));
    let marked = "Sana set crack of board 7 to on";
    for (moment, causes, wanted) in [
        (&drops, vec![&marks, &says], marked),
        (&drops, vec![&speaks, &marks], marked),
        // Everything in the hall shares the hall, and every board in the rack the rack.
        (&greets, vec![&speaks], ""),
        (&files, vec![&racks], ""),
        (&drops, vec![&sees], ""),
        // Nobody does something because of their own deed, or because of somebody to whom they speak of something else.
        (&drops, vec![&drops], ""),
        (&tells, vec![&says], ""),
        (&answers, vec![&speaks, &says], "Sana told Eli: “scrap board seven: a crack”"),
        (&drops, vec![], ""),
    ] {
        let causes: Vec<Draft> = causes.into_iter().cloned().collect();
        assert_eq!(because(&small, moment, &causes), wanted);
    }
    small.operate("/", "signal.set", args(r#"{"path":"t.alarm","value":true}"#));
    small.operate("/", "signal.set", args(r#"{"path":"t.level","value":4}"#));
    let greets = small.act("eli", Call::doing("/hall", "say", args(r#"{"content":"What a day it is."}"#)));
    assert_eq!(because(&small, &greets, &[speaks]), "the alarm is on and the level is at least 3");
}

#[test]
#[ignore = "long: five worlds live, and the log says why of each of their moments"]
fn sixty_moments_say_why_and_twenty_do_not() {
    let told = std::fs::read_to_string(package().join("tests/because.tsv")).unwrap();
    let rows: Vec<[&str; 5]> = told.lines().map(|line| line.split('\t').collect::<Vec<_>>().try_into().unwrap()).collect();
    let silent = rows.iter().filter(|[.., because]| because.is_empty()).count();
    assert_eq!((rows.len() - silent, silent), (60, 20));
    let terminal = Terminal::new();
    terminal.types("new cafe").ok();
    for world in rows.chunk_by(|one, other| one[0] == other[0]) {
        let [name, span, ..] = world[0];
        let source = if name == "cafe" { "cafe".to_owned() } else { format!("$worlds/{name}") };
        terminal.types(&format!("run {source} --for {span} --quiet --data lives-{name}")).ok();
        let lines = terminal.types(&format!("log --because --json --data lives-{name}")).json_lines();
        for [_, _, being, n, wanted] in world {
            let of = |line: &&Json| line["report"]["being"] == **being && line["n"].as_u64() == n.parse().ok();
            let line = lines.iter().find(of).unwrap_or_else(|| panic!("{name}: @{being}/{n}"));
            let parts = serde_json::from_value::<Vec<ToldPart>>(line["report"]["becauseOf"].clone()).unwrap_or_default();
            assert_eq!(plain_text(&parts, 200), *wanted, "{name}: @{being}/{n}");
        }
    }
}

#[test]
fn why_and_with_which_arguments_is_told_to_whoever_may_read_the_moments_alone() {
    let served = Served::paused("court");
    let operator = served.operator();
    let born = json!({ "defaultRole": "person", "home": "/court" });
    let [mum, dad] = ["mum", "dad"].map(|name| served.person(&operator, name, born.clone()));
    let asked = served.post(&dad, "/api/summon", json!({ "target": "@mum", "content": "Where is the red ledger?" })).ok();
    let cause = format!("{}.0", asked["seq"]);
    served.post(&mum, "/api/summon", json!({ "target": "@dad", "content": "The red ledger is lost.", "inReplyTo": cause })).ok();
    let page = |who: &Person, query: &str| served.get(who, &format!("/api/moments?limit=9{query}")).ok()["moments"].clone();
    let of = |page: &Json, being: &str| page.as_array().unwrap().iter().find(|moment| moment["being"] == being).cloned();
    let words = |parts: &Json| plain_text(&serde_json::from_value::<Vec<ToldPart>>(parts.clone()).unwrap_or_default(), 200);
    let answered = of(&page(&operator, "&because=true"), "mum").unwrap();
    assert_eq!(words(&answered["told"]), "answered Dad: “The red ledger is lost.”");
    assert_eq!(words(&answered["becauseOf"]), "Dad asked Mum: “Where is the red ledger?”");
    assert_eq!(answered["args"]["content"], "The red ledger is lost.");
    assert!(of(&page(&operator, ""), "mum").unwrap()["becauseOf"].is_null(), "only where it is asked for");
    // Her own she reads whole, and the cause of it not: that is a moment of somebody else.
    let own = of(&page(&mum, "&because=true"), "mum").unwrap();
    assert!(own["args"].is_object() && own["becauseOf"].is_null(), "{own}");
    let told = of(&page(&mum, "&because=true"), "dad").unwrap();
    assert_eq!(words(&told["told"]), "asked Mum: “Where is the red ledger?”");
    assert!(told["args"].is_null() && told["becauseOf"].is_null(), "{told}");
    let explained = |who: &Person| served.get(who, &format!("/api/moment/{}", answered["seq"])).ok()["report"]["becauseOf"].clone();
    assert_eq!((words(&explained(&operator)), explained(&mum)), ("Dad asked Mum: “Where is the red ledger?”".to_owned(), Json::Null));
    assert_eq!(served.get(&operator, "/api/moments?because=maybe").status, 400);
    let inbox = served.get(&mum, "/api/inbox").ok();
    assert!(inbox.as_array().unwrap().iter().all(|entry| !entry["sentence"].as_array().unwrap().is_empty()), "{inbox}");
}
