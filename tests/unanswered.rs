//! Unanswered: does a person learn that a question was heard and gets no answer, from the closing on, and from nothing that is stamped for it?

use reelm::fact::SilenceKind::{self, Asked, Did, Looked};
use reelm::fact::{Call, ClosingKind, Verbs, WakeId};
use reelm::run::Gesture;
use reelm::verb::see;
use reelm::world::QUESTIONS_KEPT;

use super::kit::{Small, args, source};
use super::terminal::Terminal;

/// One who looks, one who answers, one who does something else, one who asks @echo first, and hal and pat, two people.
fn world() -> Small {
    let being = |name: &str, script: &str| {
        let mind = if script.is_empty() { "cognition = \"human\"".to_owned() } else { format!("script = \"{script}\"") };
        format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"free\"\n{mind}\n")
    };
    let beings = [
        ("hal", ""),
        ("pat", ""),
        ("idle", "look"),
        ("echo", "echo"),
        ("busy", "busy"),
        ("first", "first"),
        ("late", "late"),
        ("wrong", "wrong"),
    ];
    let beings: String = beings.iter().map(|(name, script)| being(name, script)).collect();
    let mut source = source(&format!("[[space]]\npath = \"/hall\"\n{beings}"));
    for (name, code) in [
        ("echo", r#"fn think(face) { summon("", "yes") }"#),
        ("busy", r#"fn think(face) { act(face.me.address, "quality.inc", #{ path: "t.n" }) }"#),
        ("first", r#"fn think(face) { if face.wake.from == "@hal" { return summon("@echo", "Well?"); } () }"#),
        (
            "late",
            r#"fn think(face) { if face.wake.kind == "summons" && face.wake.from == "@pat" { return summon("@hal", "Now I know."); } () }"#,
        ),
    ] {
        source.scripts.push((name.into(), format!("scripts/{name}.rhai"), code.into()));
    }
    Small::grow(&source, 1, 1)
}

fn ask(small: &mut Small, who: &str, whom: &str) {
    small.act(who, Call::summon(whom, args(r#"{"content":"How is it?"}"#)));
    small.run("1m");
}

/// Pat closes a wake without an act.
fn puts_away(small: &mut Small, wake: &WakeId) {
    let wake = Some(wake.clone());
    small
        .living()
        .gesture(Gesture { being: "pat".into(), call: None, wake, by: None, metered: false, once: None, only: Verbs::ALL })
        .unwrap();
}

/// The questions of a being that were heard without an answer: of whom, and all that is told of the moment.
fn unanswered(small: &Small, name: &str) -> Vec<(String, SilenceKind)> {
    let world = small.world();
    let told = world.unanswered(small.id_of(name));
    told.map(|(question, silence)| (world.name_of(question.to).as_str().unwrap().to_owned(), silence.how)).collect()
}

#[test]
fn a_question_that_is_heard_without_an_answer_is_known_from_the_closing_on() {
    let mut small = world();
    small.act("hal", Call::summon("@idle", args(r#"{"content":"How is it?"}"#)));
    assert_eq!(unanswered(&small, "hal"), [], "it is open");
    let before = small.shelf.frames().len();
    small.run("1m");
    assert_eq!(unanswered(&small, "hal"), [("@idle".to_owned(), Looked)]);
    assert_eq!(small.shelf.frames().len(), before + 1, "the moment that heard it, and nothing beside it");
    assert_eq!(small.reel("idle").last().unwrap().closing.kind(), ClosingKind::See);
    assert_eq!(small.world().inbox().of(small.id_of("hal")).count(), 0, "no wake");
    ask(&mut small, "hal", "@busy");
    assert_eq!(unanswered(&small, "hal"), [("@idle".to_owned(), Looked), ("@busy".to_owned(), Did)]);
    assert_eq!(unanswered(&small, "pat"), []);
    let world = small.world();
    let seen = see(&world, world.being_named("hal").unwrap(), "@hal/.inbox", world.now()).unwrap().to_string();
    assert!(seen.contains(r#""kind":"unanswered""#), "{seen}");
    small.reopen();
    assert_eq!(unanswered(&small, "hal").len(), 2, "a checkpoint keeps it");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn an_answer_a_later_word_and_another_question_end_it() {
    let mut small = world();
    ask(&mut small, "hal", "@echo");
    assert_eq!(unanswered(&small, "hal"), [], "it was answered");
    ask(&mut small, "hal", "@first");
    assert_eq!(unanswered(&small, "hal"), [("@first".to_owned(), Asked)], "somebody else was asked first");
    ask(&mut small, "hal", "@idle");
    ask(&mut small, "hal", "@idle");
    assert_eq!(unanswered(&small, "hal").iter().filter(|(who, _)| who == "@idle").count(), 1, "the newest alone");
    ask(&mut small, "hal", "@late");
    assert!(unanswered(&small, "hal").contains(&("@late".to_owned(), Looked)));
    ask(&mut small, "pat", "@late");
    assert!(!unanswered(&small, "hal").iter().any(|(who, _)| who == "@late"), "it has said something since");
    // A script's question, a word that is only told, and one to oneself are no questions of a person.
    assert_eq!(unanswered(&small, "first"), []);
    small.act("pat", Call::summon("@idle", args(r#"{"content":"So it is.","answer":"none"}"#)));
    small.act("pat", Call::summon("@pat", args(r#"{"content":"How is it?"}"#)));
    small.run("1m");
    assert_eq!(unanswered(&small, "pat"), [("@late".to_owned(), Asked)]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_question_is_over_once_one_says_more_or_the_other_ends_and_a_receipt_is_no_answer_for_good() {
    let mut small = world();
    ask(&mut small, "hal", "@idle");
    small.act("hal", Call::summon("@idle", args(r#"{"content":"Never mind.","answer":"none"}"#)));
    assert_eq!(unanswered(&small, "hal"), [], "one has said more");
    ask(&mut small, "hal", "@idle");
    small.act("operator", Call::be("end", args(r#"{"being":"@idle"}"#)));
    small.run("1m");
    assert_eq!(unanswered(&small, "hal"), [], "nobody is there who could answer");
    // A script that throws is a dead letter, and a receipt; requeued, it is heard in silence.
    let asked = small.act("hal", Call::summon("@wrong", args(r#"{"content":"How is it?"}"#)));
    small.run("1h");
    assert_eq!(unanswered(&small, "hal"), [], "a receipt says it");
    small.operate("/", "script.set", args(r#"{"name":"wrong","source":"fn think(face) { () }"}"#));
    small.operate("@wrong", "wake.requeue", args(&format!(r#"{{"cause":"{}.0","kind":"summons"}}"#, asked.seq)));
    small.run("1m");
    assert_eq!(unanswered(&small, "hal"), [("@wrong".to_owned(), Looked)]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_person_s_newest_questions_are_kept() {
    let mut small = world();
    for _ in 0..QUESTIONS_KEPT {
        small.act("hal", Call::summon("@pat", args(r#"{"content":"How is it?"}"#)));
    }
    small.act("hal", Call::summon("@idle", args(r#"{"content":"How is it?"}"#)));
    small.run("1m");
    assert_eq!(unanswered(&small, "hal"), [("@idle".to_owned(), Looked)]);
    let asked = small.world().inbox().of(small.id_of("pat")).map(|wake| wake.id.clone()).collect::<Vec<_>>();
    assert_eq!(asked.len(), QUESTIONS_KEPT);
    puts_away(&mut small, &asked[0]);
    assert_eq!(unanswered(&small, "hal").len(), 1, "the oldest is kept no more");
    puts_away(&mut small, &asked[1]);
    assert_eq!(unanswered(&small, "hal").len(), 2);
}

/// A house of a person, @pat, and four others: one who looks, one who answers, one who does something else, and one who may not read moments.
const HOUSE: &str = r#"name = "house"
start = "2026-03-02T20:00:00"
[[space]]
path = "/hall"
[[being]]
name = "pat"
home = "/hall"
cognition = "human"
role = "guest"
[[being]]
name = "idle"
home = "/hall"
script = "look"
role = "guest"
[[being]]
name = "echo"
home = "/hall"
script = "echo"
role = "guest"
[[being]]
name = "busy"
home = "/hall"
script = "busy"
role = "guest"
"#;

fn house() -> Terminal {
    let terminal = Terminal::new();
    terminal.write("house/world.toml", HOUSE);
    terminal.write(
        "house/roles/guest.md",
        "---\nname: guest\ncanSee: ['/hall', '@*', { rel: self }]\ncanDo: [quality.inc, say]\ncanSummon: ['@*']\n---\n",
    );
    terminal.write("house/scripts/look.rhai", "fn think(face) { () }");
    terminal.write("house/scripts/echo.rhai", r#"fn think(face) { summon("", "Well.") }"#);
    terminal.write("house/scripts/busy.rhai", r#"fn think(face) { act(face.me.address, "quality.inc", #{ path: "t.n" }) }"#);
    terminal.types("run house --for 1s --quiet").ok();
    terminal
}

#[test]
fn inbox_ask_and_chat_say_so() {
    let terminal = house();
    for whom in ["idle", "echo", "busy"] {
        terminal.types(&format!("ask @{whom} 'How is it?' --as @pat")).ok();
    }
    assert_eq!(terminal.types("inbox @pat").ok().trim(), "nothing waits for @pat");
    terminal.types("run --for 1m --quiet").ok();
    let told = terminal.types("inbox @pat").ok();
    assert!(told.contains("@idle: @idle heard it and gave no answer.\n") && told.contains("@echo: Well."), "{told}");
    assert!(!told.contains("@echo: @echo"), "{told}");
    // A question changes nothing, so the deed was refused, and a receipt says that.
    assert!(told.contains("@busy: could not do it"), "{told}");
    terminal.types("summon @busy 'How is it?' --as @pat").ok();
    terminal.types("run --for 1m --quiet").ok();
    let told = terminal.types("inbox @pat --json").json_lines();
    let busy = told.iter().find(|line| line["kind"] == "unanswered" && line["from"] == "@busy").unwrap();
    assert_eq!(busy["words"], "@busy heard it, did something else, and gave no answer.");
    let moment = busy["moment"].as_str().unwrap();
    terminal.types(&format!("explain {moment}")).says(&["quality.inc"]);

    assert_eq!(terminal.types("ask @idle 'And now?' --as @pat --wait").ok(), "(@idle heard it and gave no answer)\n");
    assert_eq!(terminal.types("ask @echo 'And now?' --as @pat --wait").ok(), "@echo: Well.\n");
    terminal.types("ask @echo 'And now?' --wait --answers 7").fails(2);
    terminal.types("replay").ok();
}
