//! Receipts: does whoever asks somebody who acts for them hear what came of it?

use reelm::fact::{Call, Content, Draft, Fact, Summons, Value, WakeKind};
use reelm::replay::{Thread, replay};
use reelm::role::Spec;

use super::kit::{Small, args, code, source};
use super::law::sealed_again;

/// Two deputies who do as they are told, one who summons whoever asks, one who fails, and hal, a person who may ask them all.
fn world() -> Small {
    let being =
        |name: &str, script: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"deputy\"\nscript = \"{script}\"\n");
    let mut source = source(&format!(
        "[config]\n\"attempts.max\" = 2\n[[space]]\npath = \"/hall\"\nowner = \"@hal\"\n[[space]]\npath = \"/other\"\n[[being]]\nname = \"hal\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n{}{}{}{}{}",
        being("dep", "obey"),
        being("two", "obey"),
        being("echo", "echo"),
        being("bad", "fail"),
        being("idle", "look"),
    ));
    let role = "---\nname: deputy\ncanSee: ['**']\ncanDo: ['**']\ncanSummon: ['**']\ncanBe: ['**']\nactsForCaller: true\n---\n";
    source.roles.push(Spec::from_markdown("deputy.md", role).unwrap());
    // Told a call, it makes that call; told a receipt, it notes it.
    let obey = r#"fn think(face) {
        if face.wake.kind != "summons" { return (); }
        if face.wake.intent == "receipt" { return act(face.me.address, "quality.push", #{ path: "t.told", value: face.wake.content }); }
        face.wake.content
    }"#;
    source.scripts.push(("obey".into(), "scripts/obey.rhai".into(), obey.into()));
    source.scripts.push(("echo".into(), "scripts/echo.rhai".into(), r#"fn think(face) { summon("", "yes") }"#.into()));
    Small::grow(&source, 1, 1)
}

fn ask(small: &mut Small, whom: &str, call: &str) -> Draft {
    let asked = small.act("hal", Call::summon(whom, args(&format!(r#"{{"content":{call},"rank":"urgent"}}"#))));
    small.run("1m");
    asked
}

/// The messages in a being's inbox: intent, content, and the moment that each answers.
fn inbox(small: &Small, name: &str) -> Vec<(Option<String>, Value, Option<String>)> {
    let world = small.world();
    let wakes = world.inbox().of(small.id_of(name)).filter_map(|wake| wake.summons().map(|summons| (wake.clone(), summons.clone())));
    wakes
        .map(|(wake, summons)| {
            let content = world.told(&wake).get("content").cloned().unwrap_or_default();
            (summons.intent.map(|intent| intent.to_string()), content, summons.in_reply_to.map(|made| made.to_string()))
        })
        .collect()
}

fn told(small: &Small) -> Value {
    let mut wakes = inbox(small, "hal");
    assert_eq!(wakes.len(), 1, "{wakes:?}");
    let (intent, content, _) = wakes.remove(0);
    assert_eq!(intent.as_deref(), Some("receipt"));
    content
}

#[test]
fn whoever_asks_is_told_what_was_made_and_which_of_their_summonses_it_answers() {
    let mut small = world();
    let asked = ask(&mut small, "@dep", r#"{"verb":"do","target":"/hall","action":"space.make","args":{"name":"nook"}}"#);
    assert_eq!(told(&small), args(r#"{"closing":"act","code":null,"place":null,"made":["/hall/nook"]}"#));
    assert_eq!(inbox(&small, "hal")[0].2, Some(format!("{}.0", asked.seq)));
    let done = small.reel("dep").remove(0);
    assert!(
        matches!(done.facts.last(), Some(Fact::Asked(summons)) if summons.is_receipt() && summons.to == small.id_of("hal")),
        "{:?}",
        done.facts
    );
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn whoever_asks_is_told_why_nothing_came_of_it() {
    for (whom, call, said) in [
        (
            "@dep",
            r#"{"verb":"do","target":"/other","action":"space.make","args":{"name":"nook"}}"#,
            r#"{"closing":"refused","code":"gate-place","place":"/other","made":[]}"#,
        ),
        (
            "@dep",
            r#"{"verb":"do","target":"/nowhere","action":"space.make"}"#,
            r#"{"closing":"refused","code":"not-found","place":"/nowhere","made":[]}"#,
        ),
        ("@bad", "null", r#"{"closing":"dead-letter","code":"script-throw","place":"scripts/fail.rhai:1","made":[]}"#),
    ] {
        let mut small = world();
        ask(&mut small, whom, call);
        assert_eq!(told(&small), args(said), "{call}");
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn a_person_who_asks_the_birther_hears_of_the_child() {
    let mut small = world();
    ask(&mut small, "@birther", r#"{"name":"zoe","home":"/hall"}"#);
    assert_eq!(told(&small).get("made"), Some(&args(r#"["@zoe"]"#)));
}

#[test]
fn no_receipt_is_given_for_a_look_for_an_act_that_answers_by_itself_for_a_receipt_or_to_oneself() {
    let mut small = world();
    ask(&mut small, "@idle", "null");
    assert_eq!(inbox(&small, "hal"), []);
    ask(&mut small, "@echo", "null");
    let wakes = inbox(&small, "hal");
    assert_eq!(wakes.iter().map(|(intent, content, _)| (intent.as_deref(), content.as_str())).collect::<Vec<_>>(), [(None, Some("yes"))]);

    // One deputy asks another: it hears once, and what it does about that is told to nobody.
    let mut small = world();
    let inner = r#"{"verb":"do","target":"@two","action":"quality.set","args":{"path":"t.n","value":1}}"#;
    ask(&mut small, "@dep", &format!(r#"{{"verb":"summon","target":"@two","args":{{"content":{inner}}}}}"#));
    assert_eq!(small.wakes("dep"), ["summons", "summons"]);
    assert_eq!(small.wakes("two"), ["summons"], "a receipt is not answered");
    assert_eq!(small.quality("dep", "t.told"), args(r#"[{"closing":"refused","code":"gate-place","place":"@two","made":[]}]"#));

    let mut small = world();
    let own = r#"{"verb":"do","target":"@dep","action":"quality.inc","args":{"path":"t.n"}}"#;
    ask(&mut small, "@dep", &format!(r#"{{"verb":"summon","target":"@dep","args":{{"content":{own}}}}}"#));
    assert_eq!(small.wakes("dep"), ["summons", "summons"]);
    assert_eq!(small.quality("dep", "t.n"), Value::Int(1));
}

#[test]
fn nobody_can_write_a_receipt_by_a_call() {
    let mut small = world();
    let forged = Call::summon("@dep", args(&format!(r#"{{"content":{{"closing":"act"}},"intent":"{}"}}"#, Summons::RECEIPT)));
    let draft = small.act("hal", forged);
    assert_eq!((code(&draft), draft.facts.len()), ("intent".to_owned(), 0));
}

#[test]
fn a_receipt_that_says_otherwise_than_what_came_of_the_moment_is_a_difference() {
    let mut small = world();
    ask(&mut small, "@dep", r#"{"verb":"do","target":"/other","action":"space.make","args":{"name":"nook"}}"#);
    let mut drafts = small.shelf.drafts();
    let at = drafts.iter().position(|draft| draft.being == small.id_of("dep")).unwrap();
    assert_eq!(drafts[at].wake.kind, WakeKind::Summons);
    let Some(Fact::Asked(summons)) = drafts[at].facts.last_mut() else { panic!("no receipt") };
    summons.content = Content::Here(args(r#"{"closing":"act","code":null,"place":null,"made":[]}"#));
    let shelf = sealed_again(&small, drafts);
    let found = replay(&shelf, small.id, Thread::default(), &mut |_| {}).unwrap().difference.unwrap();
    assert_eq!((found.seq, found.field), (at as u64, "facts"));
}

#[test]
fn whoever_waits_for_somebody_who_ends_is_told_once_and_by_their_name() {
    let person = |name: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n");
    let mut small = Small::plant(&format!("[[space]]\npath = \"/hall\"\n{}{}{}", person("hal"), person("bob"), person("eve")));
    let asked = small.act("hal", Call::summon("@bob", args(r#"{"content":"Are you there?"}"#)));
    small.act("hal", Call::summon("@bob", args(r#"{"content":"Hello?"}"#)));
    // Eve wants no answer and waits for none; the operator knows that it ends.
    small.act("eve", Call::summon("@bob", args(r#"{"content":"Mind the step.","answer":"none"}"#)));
    small.act("operator", Call::summon("@bob", args(r#"{"content":"And?"}"#)));
    assert_eq!(code(&small.act("operator", Call::be("end", args(r#"{"being":"@bob"}"#)))), "act");
    let heard = inbox(&small, "hal");
    let [(intent, content, answers)] = &*heard else { panic!("{heard:?}") };
    let told = reelm::fact::Receipt::read(content).unwrap().sentence();
    assert_eq!((intent.as_deref(), told.as_str()), (Some("receipt"), "gave no answer: the being has ended [ended] at `@bob`"));
    assert_eq!(answers.as_deref(), Some(&*format!("{}.0", asked.seq)));
    assert_eq!((inbox(&small, "eve").len(), inbox(&small, "operator").len()), (0, 0));
    assert_eq!(small.replay().unwrap().difference, None);
}
