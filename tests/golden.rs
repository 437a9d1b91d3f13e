//! Golden: what a model is told in seven more situations, word for word in tests/snapshots, to be read as prose.
//!
//! Read each as if you were the model: what is unclear, said twice or says nothing is to be mended.

use reelm::fact::{Call, Value};
use reelm::role::Spec;
use serde_json::json;

use super::kit::{Small, args, source};
use super::mind::{Script, tool};
use super::told::{ADA, block, compare, told};

/// A court with its clerk's room, and a library beside it.
const COURT: &str = r#"
[config]
"llm.connection" = "tiny"
"llm.tiny" = { base_url = "http://127.0.0.1:9/v1", model = "tiny" }
[[space]]
path = "/library"
type = "library"
allow = ["say", "matter.make"]
[[space]]
path = "/library/attic"
[[matter]]
at = "/library"
name = "ledger"
type = "book"
content = "Who borrowed what."
[[being]]
name = "bob"
home = "/library"
role = "deaf"
cognition = "human"
"#;

/// The header of Ada's role, before its words.
const CAN: &str =
    "canSee: ['/library', '/library/**', '@*']\ncanDo: ['say', 'keep', 'matter.make', 'matter.set']\ncanSummon: [{rel: caller}, '@bob']";

/// A script that hands on what it hears.
const HAND: &str = r#"fn think(face) { if face.wake.kind == "hear" { return summon("@ada", "Write it down, please."); } () }"#;

/// That court with Ada, who wears a role of these lines, and with what else there is.
fn court(role: &str, more: &str) -> Small {
    court_with(role, more, &[])
}

/// The same with scripts.
fn court_with(role: &str, more: &str, scripts: &[(&str, &str)]) -> Small {
    let ada = ADA.replace("role = \"free\"", "role = \"librarian\"");
    let mut source = source(&format!("{COURT}{ada}{more}"));
    let text = format!("---\nname: librarian\n{CAN}\n{role}\n---\nYou keep the library. Lend books, and write down who has which.\n");
    source.roles.push(Spec::from_markdown("kit.md", &text).unwrap());
    source.scripts.extend(scripts.iter().map(|(name, text)| ((*name).to_owned(), format!("scripts/{name}.rhai"), (*text).to_owned())));
    Small::grow(&source, 1, 1)
}

/// Lets somebody ask Ada; returns the messages that her model was sent.
fn asked(small: &mut Small, who: &str, script: &Script, said: &str) -> Vec<(String, String)> {
    small.living().asking(Box::new(script.clone()));
    small.act(who, Call::summon("@ada", args(said)));
    small.run("1m");
    assert_eq!(small.replay().unwrap().difference, None);
    script.prompts()
}

#[test]
fn whoever_was_refused_is_told_so_when_the_same_goes_on() {
    // The page hands on what he hears: so Ada wakes again of the same root.
    let page = "[[being]]\nname = \"page\"\nhome = \"/library\"\nrole = \"free\"\nscript = \"hand\"\n";
    let mut small = court_with("triggerOn: [message, hear]", page, &[("hand", HAND)]);
    let wrong = tool("do", json!({ "target": "/library/ledger", "action": "matter.set", "args": { "content": "Bob has the atlas." } }));
    let script = Script::of(vec![wrong, json!({ "content": "I rest." })]);
    small.living().asking(Box::new(script.clone()));
    small.act("bob", Call::doing("/library", "say", args(r#"{"content":"I take the atlas."}"#)));
    small.run("1m");
    assert_eq!(small.replay().unwrap().difference, None);
    compare("told-refused", &script.prompts()[1..2]);
}

#[test]
fn half_turned_to_itself_a_being_is_told_of_its_own_acts_beside_the_world_when_its_schedule_ticks() {
    let tick = "[[being.schedule]]\nname = \"round\"\nevery = \"10m\"\ncontent = \"See whether a book is overdue.\"\n";
    let mut small = court("triggerOn: [message, schedule]\ndefaultOrientation: half", tick);
    let lend =
        tool("do", json!({ "target": "/library", "action": "matter.make", "args": { "name": "slip", "content": "Bob has the atlas." } }));
    let script = Script::of(vec![lend, json!({ "content": "Nothing is overdue." })]);
    asked(&mut small, "bob", &script, r#"{"content":"May I have the atlas?"}"#);
    small.run("10m");
    compare("told-half", &script.prompts()[1..2]);
}

#[test]
#[ignore = "long: twenty calls of a model with all that it has lived"]
fn half_turned_to_itself_it_is_told_of_those_of_its_own_acts_that_have_to_do_with_what_it_meets() {
    let mut small = court("triggerOn: [message]\ndefaultOrientation: half", "");
    let say = |words: &str| tool("do", json!({ "target": "/library", "action": "say", "args": { "content": words } }));
    let idle = (0..20).map(|at| say(&format!("It rains, for the {at}th day.")));
    let replies = std::iter::once(say("I wrote it into the ledger.")).chain(idle).chain([json!({ "content": "It stands there." })]);
    let script = Script::of(replies.collect());
    asked(&mut small, "bob", &script, r#"{"content":"The ledger is torn."}"#);
    for at in 1..21 {
        asked(&mut small, "bob", &script, &json!({ "content": format!("What else is there, {at}?") }).to_string());
    }
    let prompts = asked(&mut small, "bob", &script, r#"{"content":"Who has the atlas?"}"#);
    let own = block(&prompts[21].0, "own-acts");
    assert!(own.contains("into the ledger") && !own.contains("rains") && !own.contains("torn"), "{own}");
}

#[test]
fn whoever_asked_others_on_somebodys_behalf_still_knows_what_for_when_they_answer() {
    let mut small =
        court("triggerOn: [message]", "[[being]]\nname = \"cyd\"\nhome = \"/library\"\nrole = \"deaf\"\ncognition = \"human\"\n");
    let script = Script::of(vec![
        json!({ "content": "" }),
        tool("summon", json!({ "target": "@bob", "content": "Have you the atlas?" })),
        json!({ "content": "Cyd is gone by now." }),
    ]);
    asked(&mut small, "bob", &script, r#"{"content":"Good morning, Ada."}"#);
    asked(&mut small, "cyd", &script, r#"{"content":"Who has the atlas? I leave at noon."}"#);
    small.answer("bob", Call::summon("@ada", args(r#"{"content":"I have it."}"#)));
    small.run("1m");
    compare("told-thread", &script.prompts()[2..3]);
    let thread = block(&script.prompts()[2].0, "thread").to_owned();
    assert!(
        thread.contains("Good morning, Ada.") && thread.contains("I leave at noon.") && thread.contains("Have you the atlas?"),
        "{thread}"
    );
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_patterns_reach_far_away_is_named_and_what_a_role_and_a_flow_are_is_told_to_those_who_may_write_them() {
    let more = "[[space]]\npath = \"/garden\"\nallow = [\"quality.set\"]\n[[space]]\npath = \"/garden/pond\"\n[[being]]\nname = \"dan\"\nhome = \"/garden\"\nrole = \"deaf\"\n\
                [[matter]]\nat = \"/garden\"\nname = \"rake\"\n[[being]]\nname = \"eve\"\nhome = \"/garden/pond\"\nrole = \"deaf\"\n";
    let mut source = source(&format!("{COURT}{}{more}", ADA.replace("role = \"free\"", "role = \"scout\"")));
    let role = "name: scout\ncanSee: ['/garden/**', '/attic/**', '@*/.flow']\ncanDo: [flow.set, {action: quality.set, on: '/garden/rake'}]\n\
                canSummon: [{pattern: 'garden/@*'}, {pattern: 'garden/pond/@deaf'}]";
    source.roles.push(Spec::from_markdown("kit.md", &format!("---\n{role}\n---\nYou scout.\n")).unwrap());
    let mut small = Small::grow(&source, 1, 1);
    let prompts = asked(&mut small, "bob", &Script::default(), r#"{"content":"What is there?"}"#);
    compare("told-afar", &prompts);
    for line in [
        "- see: /garden/rake /garden/pond; and whatever matches \"@*/.flow\"\n",
        "- summon: @dan @eve\n",
        "(on /garden/rake)\n",
        "There a flow is a list",
    ] {
        assert!(prompts[0].0.contains(line), "{line}: {}", prompts[0].0);
    }
    assert!(!prompts[0].0.contains("There a role is"));
}

#[test]
fn of_what_a_pattern_reaches_no_more_is_named_than_can_be_listed() {
    let garden: String = (0..40).map(|at| format!("[[matter]]\nat = \"/garden\"\nname = \"rose{at}\"\n")).collect();
    let ada = ADA.replace("role = \"free\"", "role = \"scout\"");
    let mut source = source(&format!("{COURT}{ada}[[space]]\npath = \"/garden\"\n{garden}"));
    let role = "---\nname: scout\ncanSee: ['/garden/**']\n---\nYou scout.\n";
    source.roles.push(Spec::from_markdown("kit.md", role).unwrap());
    let prompts = asked(&mut Small::grow(&source, 1, 1), "bob", &Script::default(), r#"{"content":"What is there?"}"#);
    let line = prompts[0].0.lines().find(|line| line.starts_with("- see: ")).unwrap();
    assert!((10..=24).contains(&line.matches("/garden/rose").count()) && line.ends_with("; and whatever matches \"/garden/**\""), "{line}");
}

#[test]
fn turned_inward_a_being_is_told_of_no_world() {
    let mut small = court("triggerOn: [message]\ndefaultOrientation: inward", "");
    let say = tool("do", json!({ "target": "/library", "action": "say", "args": { "content": "Silence, please." } }));
    let script = Script::of(vec![say, json!({ "content": "I was stern." })]);
    asked(&mut small, "bob", &script, r#"{"content":"It is loud in here."}"#);
    let prompts = asked(&mut small, "bob", &script, r#"{"content":"What did you do today?"}"#);
    compare("told-inward", &prompts[1..2]);
    assert!(!prompts[1].0.contains("[place]"), "{}", prompts[1].0);
}

#[test]
#[ignore = "long: thirty calls of a model with all that it has lived"]
fn what_is_kept_and_what_comes_to_mind_stand_where_they_belong() {
    let mut small = court("triggerOn: [message]", "");
    let keep =
        tool("do", json!({ "target": "@ada", "action": "keep", "args": { "content": "Bob owes the atlas.\nThe attic stays locked." } }));
    let script = Script::of(vec![keep]);
    asked(&mut small, "bob", &script, r#"{"content":"The key of the attic lies under the third stone."}"#);
    for n in 0..30 {
        asked(&mut small, "bob", &script, &json!({ "content": format!("It is a fine day, says the almanac, on page {n}.") }).to_string());
    }
    let (system, user) = asked(&mut small, "bob", &script, r#"{"content":"Where was the key of the attic?"}"#).pop().unwrap();
    assert!(block(&system, "recall").contains("under the third stone"), "{system}");
    compare("told-kept", &[(system, user)]);
}

#[test]
fn whoever_is_only_asked_is_offered_no_deed() {
    let mut small = court("triggerOn: [message]", "");
    let prompts = asked(&mut small, "bob", &Script::default(), r#"{"content":"Is the ledger free?","only":["see","summon"]}"#);
    compare("told-asked", &prompts);
}

#[test]
fn who_acts_for_its_caller_is_told_for_whom() {
    let mut small = court("triggerOn: [message]\nactsForCaller: true", "");
    compare("told-deputy", &told(&mut small, &Script::default(), "Make a shelf for maps."));
}

#[test]
fn what_one_watches_for_is_told_with_who_did_it_and_how_often() {
    let watch = "triggerOn: [watch]\nwatch: [{action: matter.set, on: '/library/**'}]";
    let mut small = court(watch, "");
    let script = Script::default();
    small.living().asking(Box::new(script.clone()));
    for content in ["Bob has the atlas.", "Bob has the atlas and the globe."] {
        small.operate("/library/ledger", "matter.set", Value::map([("content", Value::text(content))]));
    }
    small.run("1m");
    assert_eq!(small.replay().unwrap().difference, None);
    compare("told-watch", &script.prompts());
}
