//! Ask: can somebody be asked without anything being changed, told without an answer, and answered by a person from the command line?

use std::collections::BTreeSet;
use std::io::Write;
use std::process::Stdio;

use reelm::fact::{Answering, Call, Closing, Draft, Fact, Value, Verb, Verbs, WakeKind};
use reelm::role::Spec;
use reelm::verb::{BE_OPERATIONS, TRIALS, operations};
use serde_json::{Value as Json, json};

use super::kit::{Small, args, code, source};
use super::mind::{Script, tool};
use super::served::Served;
use super::terminal::Terminal;

const ASKED: &str = r#"["see","summon"]"#;

/// A hall with people, a model, and scripts that do as they are told, hand on what they hear, or go on by themselves.
fn hall(config: &str) -> Small {
    let being = |name: &str, role: &str, how: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"{role}\"\n{how}\n");
    let (obeys, human, model) = ("script = \"obey\"", "cognition = \"human\"", "cognition = \"llm\"");
    let mut source = source(&format!(
        "[config]\n{config}\n\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = {{ base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\" }}\n[[space]]\npath = \"/hall\"\nowner = \"@hal\"\n{}",
        [
            being("hal", "free", human),
            being("pat", "free", human),
            being("ada", "free", obeys),
            being("dep", "deputy", obeys),
            being("mute", "terse", obeys),
            being("mia", "free", model),
            being("one", "free", "script = \"chain\""),
            being("two", "free", "script = \"chain\""),
            being("three", "free", "script = \"chain\""),
            being("rex", "restless", "script = \"restless\""),
        ]
        .concat()
    ));
    let all = "canSee: ['**']\ncanDo: ['**', {action: signal.set, ns: '*'}]\ncanSummon: ['**']\ncanBe: ['**']";
    for (name, more) in [
        ("deputy", "actsForCaller: true"),
        ("terse", "actsForCaller: true\nrespondMode: none"),
        ("restless", "selfContinue: true\nrest: 10m"),
        ("coach:guide", "requiredCognition: script"),
    ] {
        source.roles.push(Spec::from_markdown("role.md", &format!("---\nname: {name}\n{all}\n{more}\n---\nYou are in a test.\n")).unwrap());
    }
    for (name, script) in [
        ("obey", r#"fn think(face) { if face.wake.kind == "summons" && face.wake.intent != "receipt" { face.wake.content } else { () } }"#),
        // Each asks the next, the last answers, and whoever is answered tries to write.
        (
            "chain",
            r#"fn think(face) {
                let wake = face.wake;
                if wake.kind != "summons" || wake.intent == "receipt" { return (); }
                if wake.inReplyTo != () { return act(face.me.address, "quality.inc", #{ path: "t.n" }); }
                if face.me.name == "one" { return summon("@two", "?"); }
                if face.me.name == "two" { return summon("@three", "?"); }
                summon(wake.from, "!")
            }"#,
        ),
        (
            "restless",
            r#"fn think(face) {
                if face.wake.kind == "self-continue" { return act(face.me.address, "quality.inc", #{ path: "t.n" }); }
                summon(face.wake.from, "Soon.")
            }"#,
        ),
    ] {
        source.scripts.push((name.to_owned(), format!("scripts/{name}.rhai"), script.to_owned()));
    }
    Small::grow(&source, 1, 1)
}

/// Hal asks somebody something, who may only look and speak for it, and a minute passes.
fn ask(small: &mut Small, whom: &str, content: &Json) -> Draft {
    say(small, whom, &json!({ "content": content, "only": ["see", "summon"] }))
}

fn say(small: &mut Small, whom: &str, said: &Json) -> Draft {
    let draft = small.act("hal", Call::summon(whom, args(&said.to_string())));
    small.run("1m");
    draft
}

/// Every call that is more than a look or a word, as a mind may write it.
fn deeds(small: &Small) -> Vec<Json> {
    let world = small.world();
    let targets = ["/hall", "@ada", "/nowhere"];
    // The operations that book a trial's cost are open to no mind, asked or told.
    let done = operations(&world).into_iter().filter(|op| !TRIALS.contains(&op.name.as_ref())).zip(targets.iter().cycle());
    let done = done.map(|(op, target)| json!({ "verb": "do", "target": target, "action": op.name.as_ref(), "args": {} }));
    let been = BE_OPERATIONS.iter().map(|(name, ..)| json!({ "verb": "be", "action": name, "args": { "name": "eve", "home": "/hall" } }));
    let known = [
        json!({ "verb": "do", "target": "/hall", "action": "say", "args": { "content": "I do." } }),
        json!({ "verb": "do", "target": "@ada", "action": "quality.inc", "args": { "path": "t.n" } }),
    ];
    let deeds: Vec<Json> = done.chain(been).chain(known).collect();
    assert!(deeds.len() > 30, "{deeds:?}");
    deeds
}

/// That since a seq nothing was stamped but words, and what models cost.
fn only_words_since(small: &Small, seq: u64) {
    for draft in small.shelf.drafts().into_iter().filter(|draft| draft.seq >= seq) {
        let is_word = |fact: &Fact| matches!(fact, Fact::Asked(_) | Fact::Narrowed { .. } | Fact::Reserved(_) | Fact::Spent(_));
        assert!(draft.facts.iter().all(is_word), "{draft:?}");
    }
}

fn same(small: &Small) {
    assert_eq!(small.replay().unwrap().difference, None);
    assert_eq!(small.kept_world().hash(), small.world().hash());
}

#[test]
fn every_operation_is_refused_to_a_script_and_to_a_deputy_that_were_only_asked() {
    let mut small = hall("");
    let since = small.world().next_seq();
    for deed in deeds(&small) {
        for whom in ["ada", "dep"] {
            ask(&mut small, &format!("@{whom}"), &deed);
            let done = small.woken_by(whom, WakeKind::Summons).pop().unwrap();
            assert_eq!(code(&done), "gate-narrowed", "@{whom}: {deed}");
            assert_eq!(done.narrowed(), Some(Verbs::ASKING));
        }
    }
    only_words_since(&small, since);
    same(&small);
}

#[test]
fn every_operation_is_refused_to_a_model_that_was_only_asked_and_it_is_offered_none() {
    let mut small = hall("");
    small.operate("/", "config.set", args(r#"{"key":"brakes.refusals","value":100000}"#));
    let since = small.world().next_seq();
    let call = |deed: &Json| match deed["verb"].as_str().unwrap() {
        "do" => tool("do", json!({ "target": deed["target"], "action": deed["action"], "args": deed["args"] })),
        _ => tool("be", json!({ "operation": deed["action"], "payload": deed["args"] })),
    };
    let deeds = deeds(&small);
    // It tries each as often as it may.
    let script = Script::of(deeds.iter().flat_map(|deed| std::iter::repeat_n(call(deed), 3)).collect());
    small.living().asking(Box::new(script.clone()));
    for deed in &deeds {
        ask(&mut small, "@mia", deed);
        assert_eq!(code(&small.reel("mia").pop().unwrap()), "gate-narrowed", "{deed}");
    }
    only_words_since(&small, since);
    let (system, user) = script.prompts().remove(0);
    assert!(system.contains("\n- see: ") && system.contains("\n- summon: "), "{system}");
    assert!(!system.contains("\n- do ") && !system.contains("\n- be "), "{system}");
    assert!(user.contains("; for this you may only see or summon:\n> "), "{user}");
    let tools: BTreeSet<String> =
        script.asked()[0]["tools"].as_array().unwrap().iter().map(|tool| tool["function"]["name"].to_string()).collect();
    assert_eq!(tools.into_iter().collect::<Vec<_>>(), ["\"see\"", "\"summon\""]);
    same(&small);
}

#[test]
fn every_operation_is_refused_to_a_person_who_answers_what_they_were_only_asked() {
    let mut small = hall("");
    ask(&mut small, "@pat", &json!("How is my bench?"));
    let since = small.world().next_seq();
    for deed in deeds(&small) {
        let text = |key: &str| deed[key].as_str().unwrap_or_default();
        let call = match text("verb") {
            "do" => Call::doing(text("target"), text("action"), args(&deed["args"].to_string())),
            _ => Call::be(text("action"), args(&deed["args"].to_string())),
        };
        assert_eq!(code(&small.answer("pat", call)), "gate-narrowed", "{deed}");
    }
    only_words_since(&small, since);
    // It still waits, and words are no deed.
    assert_eq!(small.answer("pat", Call::summon("@hal", args(r#"{"content":"Well."}"#))).closing, Closing::Act);
    assert!(small.world().inbox().next(small.id_of("pat"), small.world().now()).is_none());
    same(&small);
}

#[test]
fn a_chain_of_three_that_was_only_asked_writes_nothing_but_words_and_one_that_was_told_writes() {
    for (is_asked, codes) in [(true, ["act", "act", "gate-narrowed"]), (false, ["act", "act", "act"])] {
        let mut small = hall("");
        let since = small.world().next_seq();
        let only = if is_asked { json!(["see", "summon"]) } else { json!(["see", "do", "summon", "be"]) };
        say(&mut small, "@one", &json!({ "content": "?", "only": only }));
        let did = |draft: &&Draft| draft.closing != Closing::See;
        let last = |name: &str| small.reel(name).iter().rev().find(did).map(code).unwrap();
        assert_eq!([last("one"), last("three"), last("two")], codes);
        assert_eq!(small.quality("two", "t.n"), if is_asked { Value::Null } else { Value::Int(1) });
        if is_asked {
            only_words_since(&small, since);
        }
        same(&small);
    }
}

#[test]
fn what_is_answered_leads_whoever_asked_back_to_all_that_they_may_do() {
    let mut small = hall("");
    // @two is told in full, and asks @three only: what comes back narrows nothing.
    let asks = json!({ "verb": "summon", "target": "@three", "args": { "content": "?", "only": ["summon"] } });
    say(&mut small, "@ada", &json!({ "content": asks }));
    let answer = small.reel("three").remove(0);
    let Some(Fact::Asked(summons)) = answer.facts.first() else { panic!("{answer:?}") };
    assert_eq!((summons.only, summons.caller_only.to_string()), (Verbs::ALL, "summon".to_owned()));
    assert_eq!((summons.to, summons.in_reply_to.is_some()), (small.id_of("ada"), true));
    same(&small);
}

#[test]
fn asking_bores_and_excites_nobody() {
    let mut small = hall("");
    let being = |small: &Small| {
        let world = small.world();
        let ada = world.being_named("ada").unwrap().clone();
        (ada.counted_from, ada.previous_role.clone())
    };
    let answer = json!({ "verb": "summon", "args": { "content": "Well." } });
    let before = being(&small);
    ask(&mut small, "@ada", &answer);
    assert_eq!(small.reel("ada").pop().unwrap().closing, Closing::Act);
    assert_eq!(being(&small), before);
    say(&mut small, "@ada", &json!({ "content": answer }));
    let after = being(&small);
    assert!(after.0 > before.0 && after.1.as_deref() == Some("free"), "{after:?}");
    same(&small);
}

#[test]
fn whoever_goes_on_after_being_asked_goes_on_within_it_and_keeps_what_they_were_about() {
    let mut small = hall("\"brakes.continue\" = 3");
    ask(&mut small, "@rex", &json!("When?"));
    small.run("11m");
    let went = small.woken_by("rex", WakeKind::SelfContinue);
    assert_eq!(went.iter().map(code).collect::<Vec<_>>(), ["gate-narrowed"]);
    // Told in full, it goes on; asked in between, what was to come still comes when it was to.
    say(&mut small, "@rex", &json!({ "content": "Go on." }));
    let due = small.wake_of("rex", i64::MAX).due;
    ask(&mut small, "@rex", &json!("When?"));
    let world = small.world();
    let wakes: Vec<_> = world.inbox().of(small.id_of("rex")).map(|wake| (wake.id.kind, wake.id.due, wake.only())).collect();
    assert_eq!(wakes, [(WakeKind::SelfContinue, due, Verbs::ALL)]);
    same(&small);
}

#[test]
fn what_is_told_wants_no_answer_so_no_receipt_comes_and_nobody_waits() {
    let mut small = hall("absence = \"wait\"");
    let deed = json!({ "verb": "do", "target": "/hall", "action": "space.make", "args": { "name": "nook" } });
    let receipts = |small: &Small| {
        let world = small.world();
        world.inbox().of(small.id_of("hal")).filter(|wake| wake.summons().is_some_and(|summons| summons.is_receipt())).count()
    };
    say(&mut small, "@dep", &json!({ "content": deed, "answer": "none", "intent": "note" }));
    assert_eq!((code(&small.reel("dep").pop().unwrap()), receipts(&small)), ("act".to_owned(), 0));
    say(&mut small, "@mute", &json!({ "content": deed }));
    assert_eq!((code(&small.reel("mute").pop().unwrap()), receipts(&small)), ("name-taken".to_owned(), 0), "its role gives no answers");
    say(&mut small, "@dep", &json!({ "content": deed }));
    assert_eq!(receipts(&small), 1);
    // A word back is one of its own.
    let back = json!({ "verb": "summon", "args": { "content": "So?" } });
    say(&mut small, "@ada", &json!({ "content": back, "answer": "none" }));
    let word = small.reel("ada").pop().unwrap();
    assert!(matches!(word.facts.first(), Some(Fact::Asked(summons)) if summons.in_reply_to.is_none()), "{word:?}");
    // @pat is not waited for to have read it, but to answer.
    let passes = |small: &mut Small, said: Json| {
        let before = small.world().now();
        say(small, "@pat", &said);
        small.world().now() - before
    };
    let mut small = hall("absence = \"wait\"");
    assert_eq!(passes(&mut small, json!({ "content": "bench 135x10", "answer": "none" })), 60_000);
    assert!(passes(&mut small, json!({ "content": "How is my bench?" })) < 60_000);
    let world = small.world();
    let told: Vec<Value> = world.inbox().of(small.id_of("pat")).map(|wake| world.told(wake)).collect();
    assert_eq!(told.iter().map(|told| told.get("answer").and_then(Value::as_str)).collect::<Vec<_>>(), [Some("none"), None]);
    same(&small);
}

#[test]
fn a_model_is_told_that_no_answer_is_wanted() {
    let mut small = hall("");
    let script = Script::default();
    small.living().asking(Box::new(script.clone()));
    say(&mut small, "@mia", &json!({ "content": "bench 135x10", "answer": "none" }));
    assert!(script.prompts()[0].1.contains("summons you; no answer is wanted:\n> bench 135x10"), "{}", script.prompts()[0].1);
}

#[test]
fn a_place_is_answered_for_by_its_steward() {
    let mut small = hall("");
    let summons = |small: &mut Small, whom: &str| {
        let draft = small.act("hal", Call::summon(whom, args(r#"{"content":null}"#)));
        let reason = draft.closing.reason().map(ToString::to_string).unwrap_or_default();
        let to = draft.facts.iter().find_map(|fact| if let Fact::Asked(summons) = fact { Some(summons.to) } else { None });
        (code(&draft), reason, to)
    };
    assert_eq!(summons(&mut small, "/hall").0, "no-steward");
    let set = |small: &mut Small, value: &str| {
        small.act("hal", Call::doing("/hall", "config.set", args(&format!(r#"{{"key":"steward","value":{value}}}"#))))
    };
    assert_eq!(code(&set(&mut small, "\"@nobody\"")), "not-found");
    assert_eq!(code(&set(&mut small, "\"ada\"")), "args-pattern");
    assert_eq!(set(&mut small, "\"@ada\"").closing, Closing::Act);
    let ada = small.id_of("ada");
    assert_eq!(summons(&mut small, "/hall"), ("act".to_owned(), String::new(), Some(ada)));
    small.run("1m");
    assert_eq!(small.woken_by("ada", WakeKind::Summons).len(), 1);
    // A space inside is answered for too, until it says otherwise.
    small.act("hal", Call::doing("/hall", "space.make", args(r#"{"name":"nook"}"#)));
    assert_eq!(summons(&mut small, "/hall/nook").2, Some(ada));
    small.act("operator", Call::be("end", args(r#"{"being":"@ada"}"#)));
    small.run("1m");
    let (code_of, reason, _) = summons(&mut small, "/hall");
    assert_eq!((code_of.as_str(), reason.contains("/hall: @ada")), ("steward-ended", true), "{reason}");
    assert_eq!(code(&set(&mut small, "\"@ada\"")), "steward-ended");
    same(&small);
}

#[test]
fn what_narrows_to_nothing_or_to_no_verb_is_refused_and_says_what_may_stand_there() {
    let mut small = hall("");
    for (only, place) in [("[]", "/only"), (r#"["see","fly"]"#, "/only/1: \"fly\""), (r#"[7]"#, "")] {
        let draft = small.act("hal", Call::summon("@ada", args(&format!(r#"{{"content":"?","only":{only}}}"#))));
        let reason = draft.closing.reason().unwrap();
        if place.is_empty() {
            assert_eq!(reason.code.to_string(), "args-type");
        } else {
            assert_eq!((reason.code.to_string(), reason.at.as_ref()), ("only-verbs".to_owned(), place));
            assert!(reason.code.sentence().contains("see, do, summon and be"));
        }
        assert_eq!(draft.facts.len(), 0);
    }
    let draft = small.act("hal", Call::summon("@ada", args(r#"{"content":"?","answer":"perhaps"}"#)));
    assert_eq!(code(&draft), "args-enum");
    same(&small);
}

#[test]
fn whoever_was_only_asked_may_ask_a_deputy_but_has_nothing_done_by_it() {
    let mut small = hall("");
    let since = small.world().next_seq();
    let deed = json!({ "verb": "do", "target": "/hall", "action": "say", "args": { "content": "I do." } });
    ask(&mut small, "@ada", &json!({ "verb": "summon", "target": "@dep", "args": { "content": deed } }));
    assert_eq!(code(&small.reel("ada").remove(0)), "act");
    assert_eq!(code(&small.reel("dep").remove(0)), "gate-narrowed");
    only_words_since(&small, since);
    same(&small);
}

#[test]
fn every_summons_says_what_it_lets_and_wants() {
    let mut small = hall("");
    let draft = small.act("hal", Call::summon("@ada", args(&format!(r#"{{"content":"?","only":{ASKED},"answer":"none"}}"#))));
    let Some(Fact::Asked(summons)) = draft.facts.first() else { panic!("{draft:?}") };
    assert_eq!((summons.only, summons.answer, summons.until, summons.caller_only), (Verbs::ASKING, Answering::None, None, Verbs::ALL));
    assert!(!summons.only.contains(Verb::Do) && summons.stack.len() == 1);
}

/// A world with two people, who are waited for, and a script that greets.
fn house() -> Terminal {
    let terminal = Terminal::new();
    terminal.write(
        "house/world.toml",
        r#"name = "house"
seed = 1
start = "2026-03-02T08:00:00"
[config]
absence = "wait"
[[space]]
path = "/hall"
[[being]]
name = "pat"
home = "/hall"
cognition = "human"
role = "free"
[[being]]
name = "ada"
home = "/hall"
role = "free"
script = "greet"
"#,
    );
    let lists = "canSee: ['**']\ncanDo: ['**']\ncanSummon: ['**']\ncanBe: ['**']";
    terminal.write("house/roles/free.md", &format!("---\nname: free\n{lists}\n---\nYou live here.\n"));
    let greet = r#"fn think(face) {
        let wake = face.wake;
        if wake.kind != "summons" || wake.answer == "none" { return (); }
        if wake.content == "ask pat" { return summon("@pat", "How are you?"); }
        if wake.from == "@pat" && wake.inReplyTo != () { return act("@ada", "quality.set", #{ path: "t.heard", value: wake.content }); }
        summon(wake.from, "You said " + wake.content)
    }"#;
    terminal.write("house/scripts/greet.rhai", greet);
    terminal.types("run house --quiet --for 1s").ok();
    terminal
}

#[test]
fn a_world_that_waits_for_a_person_goes_on_once_they_answer_from_the_command_line() {
    let terminal = house();
    terminal.types("summon @ada 'ask pat'").ok();
    let waits = terminal.types("run --for 1m").ok();
    assert!(waits.contains("@pat"), "{waits}");
    let inbox = terminal.types("inbox @pat --json").json_lines();
    let told = &inbox[0];
    assert_eq!((inbox.len(), &told["from"], &told["words"], &told["isAwaited"]), (1, &json!("@ada"), &json!("How are you?"), &json!(true)));
    let seq = told["seq"].as_u64().unwrap();
    let shown = terminal.types("inbox @pat").ok();
    assert!(shown.contains(&format!("#{seq}  2026-03-02T")) && shown.contains("@ada: How are you?"), "{shown}");
    assert!(terminal.types("inbox @ada").ok().contains("nothing waits for @ada"));

    terminal.types(&format!("summon @ada Fine --as @pat --answers {}", seq + 1000)).fails(1).warns(&["reelm inbox"]);
    terminal.types("summon @ada Fine --as @pat --answers soon").fails(2).warns(&["expected the seq", "reelm inbox"]);
    // Beside it, it stays open; by default it is what is answered.
    terminal.types("summon @ada 'Good morning' --as @pat --answers none").ok();
    assert_eq!(terminal.types("inbox @pat --json").json_lines().len(), 1);
    let said = terminal.types("summon @ada Fine --as @pat").ok();
    assert!(said.contains(&format!("which answers #{seq}")), "{said}");
    assert!(terminal.types("inbox @pat").ok().contains("nothing waits"));
    terminal.types("run --for 1m --quiet").ok();
    let heard = terminal.types("see @ada --json").json();
    assert_eq!(heard["qualities"]["t"]["heard"], "Fine", "{heard}");
    terminal.types("replay").ok();
}

#[test]
fn an_act_answers_what_is_named_and_closes_it() {
    let terminal = house();
    terminal.types("summon @ada 'ask pat'").ok();
    terminal.types("run --for 1m --quiet").ok();
    let seq = terminal.types("inbox @pat --json").json_lines()[0]["seq"].as_u64().unwrap();
    let done = terminal.types(&format!("do @pat quality.set '{{\"path\":\"t.n\",\"value\":1}}' --as @pat --answers {seq}.0 --json")).json();
    assert_eq!((&done["wake"], &done["cause"]), (&json!("summons"), &json!(format!("{seq}.0"))), "{done}");
    terminal.types("inbox @pat --json").ok();
    assert!(terminal.types("inbox @pat").ok().contains("nothing waits"));
    terminal.types("inbox @nobody").fails(1).warns(&["@nobody"]);
}

/// The output of a chat for typed lines, and its warnings.
fn chats(terminal: &Terminal, with: &str, lines: &str) -> (String, String) {
    let command = &mut terminal.command(&format!("chat {with}"));
    let mut chat = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    chat.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = chat.wait_with_output().unwrap();
    let (said, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{said}{err}");
    (said, err)
}

#[test]
fn one_asks_tells_is_guided_and_chats_from_the_command_line() {
    let terminal = house();
    let only = |line: &str| {
        let seq = terminal.types(&format!("{line} --json")).json()["seq"].as_u64().unwrap();
        let explained = terminal.types(&format!("explain {seq} --json")).json();
        explained["facts"][0].clone()
    };
    let asked = only("ask @ada 'how is my bench?'");
    assert_eq!((&asked["fact"], &asked["only"], &asked["answer"]), (&json!("asked"), &json!(["see", "summon"]), &json!("wanted")));
    let told = only("tell @ada 'bench 135x10'");
    assert_eq!((&told["intent"], &told["answer"]), (&json!("note"), &json!("none")), "{told}");
    let guided = terminal.types("guide @ada");
    assert!(guided.err.contains(":guide"), "{}", guided.err);
    terminal.write("guide.json", r#"{"name":"coach:guide","role":{"name":"coach:guide","canSee":["**"]}}"#);
    let role = terminal.read("guide.json");
    terminal.types(&format!("do / role.set '{role}'")).ok();
    terminal.types(r#"do @ada flow.set '{"flow":[{"when":{"intent":"guide"},"role":"coach:guide"}]}'"#).ok();
    let guided = only("guide @ada 'where do I begin?'");
    assert_eq!(guided["role"], "coach:guide", "{guided}");
    terminal.types(r#"do /hall config.set '{"key":"steward","value":"@ada"}'"#).ok();
    let inward = only("summon @operator 'who have I been?' --orientation inward");
    assert_eq!(inward["orientation"], "inward", "{inward}");
    assert_eq!(only("guide /hall")["role"], "coach:guide", "a place guides by way of who answers there");
    assert!(terminal.types("guide @nobody").err.contains("there is nobody at `@nobody`"));

    let (said, err) = chats(&terminal, "@ada --as @pat", "hello\n\nagain\n");
    assert_eq!(said, "@ada: You said hello\n", "the second answers what was said: {err}");
    assert!(err.contains("has not answered"), "the world waits for its operator: {err}");
    terminal.types("replay").ok();
}

#[test]
fn whoever_chats_learns_at_once_how_a_moment_closed_that_says_nothing() {
    let terminal = house();
    let (said, err) = chats(&terminal, "@ada --as @pat", "hello\nagain\n");
    let deed = "(@ada heard it, did something else, and gave no answer: set heard to again)";
    assert_eq!((said.as_str(), err.as_str()), (format!("@ada: You said hello\n{deed}\n").as_str(), ""));
    // A being that asks somebody else first has closed the moment, too.
    let (said, err) = chats(&terminal, "@ada", "ask pat\n");
    let deed = "(@ada first asked Pat: “How are you?”; `reelm inbox` lists what comes of it)\n";
    assert_eq!((said.as_str(), err.as_str()), (deed, ""));
}

#[test]
fn a_line_is_answered_by_what_was_said_to_it_and_not_by_what_was_asked_before() {
    let terminal = house();
    terminal.types("summon @ada earlier --as @pat").ok();
    assert_eq!(chats(&terminal, "@ada --as @pat", "hello\nask pat\n").0.lines().next(), Some("@ada: You said hello"));
}

#[test]
fn long_words_that_wait_in_an_inbox_are_in_a_checkpoint_what_the_log_folds_to() {
    let terminal = house();
    for length in [4_000, 4_097, 9_000] {
        terminal.types(&format!("summon @operator {} --as @pat", "b".repeat(length))).ok();
        assert!(terminal.types("replay").ok().contains("identical"), "{length}");
    }
    assert_eq!(terminal.types("inbox @operator --json").json_lines().len(), 3);
}

#[test]
fn whoever_chats_with_a_place_hears_who_answers_there() {
    let terminal = house();
    terminal.types(r#"do /hall config.set '{"key":"steward","value":"@ada"}'"#).ok();
    assert_eq!(chats(&terminal, "/hall", "good day\n").0, "@ada: You said good day\n");
}

/// A world with a worker whose role is woken by just these, who reads a signal, has a schedule and watches a cup.
fn worker(triggers: &str) -> Small {
    let mut source = source(
        "[[space]]\npath = \"/hall\"\n[[matter]]\nat = \"/hall\"\nname = \"cup\"\n[[being]]\nname = \"wes\"\nhome = \"/hall\"\nrole = \"worker\"\nflow = [{ when = { \"world.t.on\" = true }, role = \"worker\" }]\nscript = \"look\"\n[[being.schedule]]\nname = \"tick\"\nevery = \"10m\"\n",
    );
    let role = format!(
        "---\nname: worker\ncanSee: ['**']\ncanSummon: ['**']\nwatch: [{{action: quality.set, on: /hall/cup}}]\n{triggers}\n---\nYou work.\n"
    );
    source.roles.push(Spec::from_markdown("worker.md", &role).unwrap());
    Small::grow(&source, 1, 1)
}

/// All that could wake the worker happens, and fifteen minutes pass: the kinds of wake that did, and what became of the summons.
fn woken(small: &mut Small) -> (BTreeSet<&'static str>, String) {
    small.operate("/", "signal.set", args(r#"{"path":"t.on","value":true}"#));
    small.operate("/hall/cup", "quality.set", args(r#"{"path":"t.n","value":1}"#));
    let said = code(&small.act("operator", Call::summon("@wes", args(r#"{"content":"Wes?"}"#))));
    small.run("15m");
    (small.wakes("wes").into_iter().filter(|kind| *kind != "change").collect(), said)
}

#[test]
fn a_being_wakes_by_what_its_role_lists_and_by_nothing_else() {
    let all = ["schedule", "signal", "summons", "watch"];
    for (triggers, kinds, said) in [
        ("", &all[..], "act"),
        ("triggerOn: [message, signal, schedule, watch]", &all[..], "act"),
        ("triggerOn: [signal]", &["signal"], "unheard"),
        ("triggerOn: [schedule]", &["schedule"], "unheard"),
        ("triggerOn: [watch]", &["watch"], "unheard"),
        ("triggerOn: [message]", &["summons"], "act"),
        ("triggerOn: []", &[], "unheard"),
    ] {
        let mut small = worker(triggers);
        let (found, found_said) = woken(&mut small);
        assert_eq!((found.into_iter().collect::<Vec<_>>(), found_said.as_str()), (kinds.to_vec(), said), "{triggers}");
        same(&small);
    }
}

#[test]
fn a_schedule_rests_while_no_role_lists_it_and_ticks_again_once_one_does() {
    let mut small = worker("triggerOn: [message]");
    let ticks = |small: &mut Small| {
        let before = small.woken_by("wes", WakeKind::Schedule).len();
        small.run("25m");
        small.woken_by("wes", WakeKind::Schedule).len() - before
    };
    let lists = |small: &mut Small, triggers: &str| {
        let role = format!(r#"{{"name":"worker","role":{{"name":"worker","canSee":["**"],"triggerOn":{triggers}}}}}"#);
        small.operate("/", "role.set", args(&role));
    };
    assert_eq!(ticks(&mut small), 0);
    lists(&mut small, r#"["schedule"]"#);
    assert_eq!(ticks(&mut small), 3);
    small.reopen();
    assert_eq!(ticks(&mut small), 2);
    lists(&mut small, r#"["message"]"#);
    assert_eq!(ticks(&mut small), 0);
    same(&small);
}

#[test]
fn a_served_world_is_asked_over_http_and_answered_over_its_socket() {
    let served = Served::begin(house(), "serve --port 0 --pace 60 --json");
    let operator = served.operator();
    let summon = |only: Json| {
        let report = served.post(&operator, "/api/summon", json!({ "target": "@ada", "content": "hello", "only": only })).ok();
        report["reason"]["code"].as_str().unwrap_or("act").to_owned()
    };
    assert_eq!(summon(json!(["see", "summon"])), "act");
    assert_eq!([summon(json!([])), summon(json!(["fly"])), summon(json!("see"))], ["only-verbs", "only-verbs", "args-type"]);
    let told = served.post(&operator, "/api/summon", json!({ "target": "@ada", "content": "bench 135x10", "answer": "none" })).ok();
    assert_eq!(told["closing"], "act", "{told}");

    let terminal = &served.terminal;
    assert_eq!(chats(terminal, "@ada", "hello again\n").0, "@ada: You said hello again\n");

    terminal.types("summon @ada 'ask pat' --answers none").ok();
    let mut waiting = Vec::new();
    for _ in 0..600 {
        waiting = terminal.types("inbox @pat --json").json_lines();
        if !waiting.is_empty() {
            break;
        }
    }
    let seq = &waiting[0]["seq"];
    let said = terminal.types("summon @ada Fine --as @pat").ok();
    assert!(said.contains(&format!("which answers #{seq}")), "{said}");

    let turned = |target: &str| {
        let report = served.post(&operator, "/api/summon", json!({ "target": target, "content": "?", "orientation": "half" })).ok();
        report["reason"]["code"].as_str().unwrap_or("act").to_owned()
    };
    assert_eq!([turned("@operator"), turned("@ada")], ["act", "orientation"]);
    terminal.types("summon @ada Fine --as @pat --answers 9999").fails(1).warns(&["nothing of #9999 waits"]);
    served.stop().types("replay").ok();
}
