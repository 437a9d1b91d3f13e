//! Life: does a mind find again what it did and heard, however long ago, and does it keep what it wants to know always?

use reelm::fact::{Call, Value};
use serde_json::json;

use super::kit::{Small, args, code};
use super::mind::{Script, tool};
use super::told::{ADA, block, told, world};

/// A library in which a parrot talks all day, and a cellar where a mole does.
const CHATTER: &str = r#"
[[space]]
path = "/cellar"
[[being]]
name = "parrot"
home = "/library"
role = "deaf"
script = "chatter"
[[being.schedule]]
name = "talk"
every = "10s"
[[being]]
name = "mole"
home = "/cellar"
role = "deaf"
script = "chatter"
[[being.schedule]]
name = "talk"
every = "10s"
"#;

const KEY: &str = "The key of the attic lies under the third stone of the wall.";

/// Ada is told where the key lies, so many times; then the parrot talks for so long, and then bob asks her; what she is told at that.
fn asked_after(often: (usize, u32), of: &str) -> (Small, String) {
    asked_beside(CHATTER, often, of)
}

/// The same beside others who talk.
fn asked_beside(chatter: &str, (times, hours): (usize, u32), of: &str) -> (Small, String) {
    let bob = "[[being]]\nname = \"bob\"\nhome = \"/library\"\nrole = \"deaf\"\ncognition = \"human\"\n";
    let mut small = world(&format!("{}{chatter}{bob}", ADA.replace("free", "deaf")));
    let script = Script::default();
    for _ in 0..times {
        told(&mut small, &script, KEY);
        small.run("1m");
    }
    small.run(&format!("{hours}h"));
    small.act("bob", Call::summon("@ada", Value::map([("content", Value::text(of))])));
    small.run("1m");
    assert_eq!(small.replay().unwrap().difference, None);
    let (system, _) = script.prompts().pop().unwrap();
    (small, system)
}

#[test]
#[ignore = "long: a life of many hours, with all that was heard"]
fn what_was_heard_once_comes_to_mind_after_all_that_was_heard_since() {
    let size = |hours| {
        let (_, system) = asked_after((1, hours), "Where does the key of the attic lie?");
        let recalled = block(&system, "recall");
        assert!(recalled.contains("- 2026-03-02 08:00 #"), "{system}");
        assert!(recalled.contains(&format!("@operator told you:\n> {KEY}")), "{recalled}");
        assert!(!system.contains("mole"), "what was said in the cellar it never heard: {system}");
        assert!(!recalled.contains("Where does"), "what it hears now is told by itself: {recalled}");
        system.len()
    };
    let (few, many) = (size(1), size(8));
    assert!(many.abs_diff(few) < 400, "{few} {many}");
}

#[test]
fn what_is_said_in_a_far_room_changes_no_byte_of_a_prompt() {
    // The parrot talks beside her, and the mole where she hears nothing of it.
    let talk = "[[being.schedule]]\nname = \"talk\"\nevery = \"10s\"\n";
    let (silent, last) = CHATTER.rsplit_once(talk).unwrap();
    assert_eq!(last, "");
    let told = [CHATTER, silent].map(|chatter| {
        let (small, system) = asked_beside(chatter, (1, 1), "Where does the key of the attic lie?");
        assert!(block(&system, "recall").contains(KEY), "{system}");
        (small.world().next_seq(), system)
    });
    assert!(told[0].0 > told[1].0 + 300, "the mole has talked");
    assert_eq!(told[0].1, told[1].1);
}

#[test]
fn what_was_heard_again_and_again_comes_to_mind_as_one_line() {
    let (_, system) = asked_after((3, 1), "Where does the key of the attic lie?");
    let recalled = block(&system, "recall");
    assert_eq!(recalled.matches(KEY).count(), 1, "{recalled}");
    // The newest of them stands for all; only the best of a life are weighed, so more is not promised.
    assert!(recalled.contains(" (3 times at least) @operator told you:\n> The key of the attic"), "{recalled}");
    let (_, system) = asked_after((1, 1), "Where does the key of the attic lie?");
    assert!(!system.contains("times at least"), "{system}");
}

#[test]
fn a_life_is_told_by_its_words_and_page_by_page() {
    let (mut small, _) = asked_after((1, 1), "Good morning.");
    let see = |small: &Small, address: &str| {
        let world = small.world();
        let value = reelm::verb::see(&world, world.being(small.id_of("ada")).unwrap(), address, world.at()).unwrap();
        value.as_list().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let newest = see(&small, "@ada/.life");
    assert_eq!(newest.len(), 64);
    assert!(newest.iter().any(|line| line.ends_with("@bob told @ada: Good morning.")), "{newest:?}");
    let last = newest[63].split(['#', ' ']).nth(3).unwrap();
    let before = see(&small, &format!("@ada/.life/{last}"));
    assert!(before.len() == 64 && before.iter().all(|line| !newest.contains(line)), "{before:?}");
    let found = see(&small, "@ada/.life/third+attic");
    assert!(found.len() == 1 && found[0].contains(" @operator told @ada: The key of the attic"), "{found:?}");
    let all = |small: &Small| small.world().memory().diaries().before(small.id_of("ada"), u32::MAX).cloned().collect::<Vec<_>>();
    let mole = small.id_of("mole");
    assert!(all(&small).iter().all(|happening| happening.who != mole), "what was said in the cellar it never heard");
    // Where it goes it hears who is there, and no more whom it left.
    small.operate("@ada", "move", args(r#"{"to":"/cellar"}"#));
    let heard = all(&small).len();
    small.run("1m");
    let since: Vec<_> = all(&small).drain(..all(&small).len() - heard).map(|happening| happening.who).collect();
    assert!(since.len() == 6 && since.iter().all(|who| *who == mole), "{since:?}");
    // The end of a long letter is found too, with what stands around it.
    let long = format!("{} By the way, the cat is called Miri, and likes cream.", "It rained all day. ".repeat(80));
    small.act("operator", Call::summon("@ada", Value::map([("content", Value::text(long))])));
    let found = see(&small, "@ada/.life/miri");
    assert!(found.len() == 1 && found[0].ends_with("By the way, the cat is called Miri, and likes cream."), "{found:?}");
    small.operate("@ada", "move", args(r#"{"to":"/library"}"#));
    small.run("1m");
    // A model finds in its own what it has words for, and hears where there is nothing of them.
    let script = Script::of(vec![
        tool("see", json!({ "address": "@ada/.life", "words": "the attic" })),
        tool("see", json!({ "address": "@bob", "words": "attic" })),
    ]);
    small.living().asking(Box::new(script.clone()));
    small.act("bob", Call::summon("@ada", Value::map([("content", Value::text("Think again."))])));
    small.run("1m");
    let prompts = script.prompts();
    let looked = block(&prompts[1].0, "you looked at @ada/.life by the words the attic");
    assert!(looked.contains("The key of the attic lies under"), "{}", prompts[1].0);
    assert_eq!(block(&prompts[2].0, "you looked at @bob by the words attic").trim_end(), "Nothing.", "{}", prompts[2].0);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_a_being_keeps_stands_before_it_always_and_is_its_own_to_say() {
    let mut small = world(&format!("{ADA}[[being]]\nname = \"bob\"\nhome = \"/library\"\nrole = \"free\"\ncognition = \"human\"\n"));
    let keep = |words: &str| json!({ "target": "@ada", "action": "keep", "args": { "content": words } });
    let script = Script::of(vec![tool("do", keep("I owe bob two loaves.")), tool("do", keep("I owe bob one loaf.")), tool("do", keep(""))]);
    let kept = |prompts: &[(String, String)]| block(&prompts.last().unwrap().0, "keep").to_owned();
    let hears = |small: &mut Small| told(small, &script, "Good morning.");
    assert_eq!(kept(&hears(&mut small)), "");
    assert_eq!(kept(&hears(&mut small)), "I owe bob two loaves.");
    let prompts = hears(&mut small);
    assert_eq!(kept(&prompts), "I owe bob one loaf.");
    assert!(!block(&prompts.last().unwrap().0, "me").contains("loaf"), "{prompts:?}");
    assert_eq!(kept(&hears(&mut small)), "");
    let refused = small.act("bob", Call::doing("@ada", "keep", args(r#"{"content":"I owe bob nothing."}"#)));
    assert_eq!(code(&refused), "gate-oneself");
    // As much as it may keep stands before it whole, in one line or in many.
    for words in ["x".repeat(8_000), "[x]\n".repeat(2_000)] {
        let script = Script::of(vec![tool("do", keep(&words))]);
        told(&mut small, &script, "Good morning.");
        let (system, _) = told(&mut small, &Script::default(), "And now?").pop().unwrap();
        assert_eq!(block(&system, "keep").matches('x').count(), words.matches('x').count(), "{system}");
    }
    let long = Value::map([("content", Value::text("too much ".repeat(1_000)))]);
    let refused = small.act("bob", Call::doing("@bob", "keep", long));
    assert_eq!(refused.closing.reason().unwrap().to_string(), "args-length at `/content, 2250 tokens of at most 2000`");
    // No setting lets it keep more than one thing can have of qualities.
    small.operate("/", "config.set", args(r#"{"key":"tokens.keep","value":1000000}"#));
    let huge = Value::map([("content", Value::text("x".repeat(600_000)))]);
    assert_eq!(code(&small.act("bob", Call::doing("@bob", "keep", huge))), "quality-size");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn planting_is_nobodys_life_and_a_checkpoint_keeps_what_is() {
    let (mut small, _) = asked_after((1, 1), "Good morning.");
    let diary = |small: &Small, name: &str| {
        let world = small.world();
        let lines: Vec<(u64, Option<String>)> =
            world.memory().diaries().before(small.id_of(name), u32::MAX).map(|one| (one.seq, one.words().map(str::to_owned))).collect();
        lines
    };
    let told = "The key of the attic lies under the third stone of the wall.";
    let operators = diary(&small, "operator");
    assert_eq!(
        operators.iter().map(|(_, words)| words.as_deref()).collect::<Vec<_>>(),
        [Some("Nothing to do."), Some(told)],
        "not that it made the world"
    );
    let before = diary(&small, "ada");
    small.reopen();
    assert_eq!((diary(&small, "ada"), diary(&small, "operator")), (before, operators));
}

#[test]
fn what_is_told_anyhow_is_not_told_again_and_nobodys_name_alone_calls_anything_to_mind() {
    let (mut small, _) = asked_after((1, 0), "I like cheese.");
    small.run("1h");
    // She is silent: what she said herself would come to mind too.
    let script = Script::of(vec![serde_json::json!({ "content": "" }); 60]);
    small.living().asking(Box::new(script.clone()));
    let asks = |small: &mut Small, words: &str| {
        small.act("bob", Call::summon("@ada", Value::map([("content", Value::text(words))])));
        small.run("1m");
        script.prompts().pop().unwrap().0
    };
    let system = asks(&mut small, "Why do I like cheese?");
    assert!(block(&system, "thread").contains("I like cheese.") && !block(&system, "recall").contains("cheese"), "{system}");
    // Thirty words later the thread does not reach back to it.
    (0..30).for_each(|at| drop(small.act("bob", Call::summon("@ada", Value::map([("content", Value::text(format!("Hm, {at}.")))])))));
    small.run("1m");
    let system = asks(&mut small, "Well?");
    assert!(!block(&system, "thread").contains("cheese") && !block(&system, "recall").contains("cheese"), "{system}");
    let system = asks(&mut small, "Is there cheese?");
    assert!(block(&system, "recall").contains("@bob told you:\n> I like cheese."), "{system}");
}
