//! Panel: does a being that asks others do what their votes come to, and no more than it may do itself?

use std::collections::BTreeMap;

use proptest::prelude::*;
use reelm::fact::{Call, Closing, Draft, Fact, Summons, Value, Verbs, WakeKind};
use reelm::role::Spec;
use serde_json::{Value as Json, json};

use super::kit::{Small, args, cases, code, source};
use super::mind::{Script, tool};
use super::terminal::Terminal;

/// A hall with a council, of which this is said, and those who can vote: three scripts that vote as they are told beforehand, people, and a model.
fn hall(panel: &str, more: &str) -> Small {
    let being = |name: &str, how: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"deaf\"\n{how}\n");
    let voter = "script = \"voter\"";
    let beings = [
        being("council", &format!("cognition = \"panel\"\npanel = {panel}")),
        being("one", voter),
        being("two", voter),
        being("three", voter),
        being("pat", "cognition = \"human\""),
        being("quinn", "cognition = \"human\""),
        being("rae", "cognition = \"human\""),
        being("mia", "cognition = \"llm\""),
        being("asker", "cognition = \"human\""),
    ];
    let model = "[config]\n\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = { base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\" }\n";
    let mut source = source(&format!(
        "{model}[[space]]\npath = \"/hall\"\nallow = [\"say\", \"quality.inc\", \"quality.set\"]\n{}{more}",
        beings.concat()
    ));
    for role in [
        "name: chair\ncanSee: ['**']\ncanDo: [say]\ncanSummon: ['@one', '@two', '@three', '@pat', '@quinn', '@rae', '@mia', '@asker']",
        "name: shy\ncanSee: ['**']\ncanDo: [say]",
    ] {
        source.roles.push(Spec::from_markdown("role.md", &format!("---\n{role}\n---\nYou chair.\n")).unwrap());
    }
    for (name, script) in [
        (
            "voter",
            r#"fn think(face) {
                if face.wake.kind != "summons" { return (); }
                let vote = face.me.qualities.t?.vote;
                if vote == "silent" { return (); }
                if vote == "acts" { return act("/hall", "say", #{ content: "I do it myself." }); }
                if vote == "prose" { return summon(face.wake.from, "I am for it."); }
                if vote == "abstain" { return summon(face.wake.from, ()); }
                if vote == "follow" { return summon(face.wake.from, face.wake.content.ballots[0].vote); }
                if vote == "open" { return summon(face.wake.from, act("/hall", "quality.set", #{ path: "t.open", value: true })); }
                summon(face.wake.from, act("/hall", "say", #{ content: vote }))
            }"#,
        ),
        ("last", r#"fn decide(face) { let last = (); for ballot in face.ballots { if ballot.vote != () { last = ballot.vote; } } last }"#),
        ("none", r#"fn decide(face) { () }"#),
        ("endless", r#"fn decide(face) { loop {} }"#),
    ] {
        source.scripts.push((name.to_owned(), format!("scripts/{name}.rhai"), script.to_owned()));
    }
    Small::grow(&source, 1, 1)
}

/// As TOML writes what JSON people write.
fn three(more: &str) -> String {
    format!(r#"{{ of = ["@one", "@two", "@three"], until = "10m"{more} }}"#)
}

fn vote(small: &mut Small, whom: &str, how: &str) {
    small.operate(&format!("@{whom}"), "quality.set", args(&json!({ "path": "t.vote", "value": how }).to_string()));
}

fn votes(small: &mut Small, how: [&str; 3]) {
    ["one", "two", "three"].into_iter().zip(how).for_each(|(whom, how)| vote(small, whom, how));
}

fn ask(small: &mut Small) -> Draft {
    small.act("asker", Call::summon("@council", args(r#"{"content":"What shall we do?"}"#)))
}

/// The words that the council has said aloud.
fn said(small: &Small) -> Vec<String> {
    let facts = small.reel("council").into_iter().flat_map(|draft| draft.facts);
    facts.filter_map(|fact| if let Fact::Said { content, .. } = fact { Some(content.to_string()) } else { None }).collect()
}

/// The members that were asked for a vote, in order.
fn asked(small: &Small) -> Vec<String> {
    let world = small.world();
    let facts = small.frames_of("council").into_iter().flat_map(|draft| draft.facts);
    let polls =
        facts.filter_map(|fact| if let Fact::Asked(summons) = fact { Some(summons) } else { None }).filter(|summons| summons.is_ballot());
    polls.map(|summons| world.being(summons.to).unwrap().name.to_string()).collect()
}

fn same(small: &Small) {
    assert_eq!(small.replay().unwrap().difference, None);
    assert_eq!(small.kept_world().hash(), small.world().hash());
}

fn say(words: &str) -> Json {
    json!({ "verb": "do", "target": "/hall", "action": "say", "args": { "content": words } })
}

/// A person votes.
fn ballot(small: &mut Small, whom: &str, ballot: &Json) -> Draft {
    small.answer(whom, Call::summon("@council", args(&json!({ "content": ballot }).to_string())))
}

fn council(small: &mut Small, panel: &Json) -> Draft {
    small.act("operator", Call::doing("@council", "cognition.set", args(&json!({ "cognition": "panel", "panel": panel }).to_string())))
}

fn humans(small: &mut Small, more: &Json) {
    let mut panel = json!({ "of": ["@pat", "@quinn", "@rae"], "until": "10m" });
    panel.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    assert_eq!(council(small, &panel).closing, Closing::Act);
}

#[test]
fn a_committee_of_three_does_what_two_of_them_voted_for_and_each_is_asked_once() {
    let mut small = hall(&three(""), "");
    votes(&mut small, ["stay", "go", "go"]);
    ask(&mut small);
    small.run("1m");
    assert_eq!((said(&small), asked(&small)), (vec!["go".to_owned()], vec!["one".to_owned(), "two".to_owned(), "three".to_owned()]));
    let reel = small.reel("council");
    assert_eq!(reel.iter().map(|draft| draft.wake.kind).collect::<Vec<_>>(), [WakeKind::ReplyDue]);
    // It does not wait longer than they take, and was asked with no more than they may do.
    assert!(small.world().at() < reel[0].opened_at + 60_000);
    let asking = &small.frames_of("council")[0];
    assert_eq!((code(asking).as_str(), asking.facts.len()), ("asking", 3));
    for fact in &asking.facts {
        let Fact::Asked(summons) = fact else { panic!("{fact:?}") };
        assert_eq!((summons.only, summons.until), (Verbs::ASKING, Some(asking.at + 600_000)));
    }
    assert!(small.world().inbox().is_empty(), "{:?}", small.world().inbox());
    same(&small);
}

#[test]
fn a_committee_with_a_model_hears_its_vote_and_tells_it_what_there_is_to_decide() {
    let mut small = hall(r#"{ of = ["@one", "@mia", "@pat"], until = "10m" }"#, "");
    let script = Script::of(vec![tool("vote", say("go"))]);
    small.living().asking(Box::new(script.clone()));
    vote(&mut small, "one", "go");
    ask(&mut small);
    small.run("1m");
    assert_eq!(said(&small), ["go"]);
    let (_, user) = script.prompts().remove(0);
    assert!(
        user.starts_with("@council asks for your vote")
            && user.contains("What shall we do?")
            && user.contains("- do say {content: string}: ")
            && !user.contains("canDo"),
        "{user}"
    );
    let tools: Vec<String> =
        script.asked()[0]["tools"].as_array().unwrap().iter().map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(tools, ["see", "vote"]);
    assert!(user.contains("(on /hall)") && user.contains("- summon {content: string}: speaks to "), "{user}");
    let (system, _) = script.prompts().remove(0);
    assert!(!system.contains("- summon: "), "nobody is offered what no tool does: {system}");
    // Two of three agree: whoever has not answered is asked no more.
    assert!(small.world().inbox().of(small.id_of("pat")).next().is_none());
    same(&small);
}

#[test]
fn of_as_many_votes_for_each_the_call_of_the_member_that_comes_first_is_made() {
    for (order, made) in [(["@pat", "@quinn", "@rae"], "a"), (["@rae", "@quinn", "@pat"], "c"), (["@quinn", "@rae", "@pat"], "b")] {
        let mut small = hall(&three(""), "");
        humans(&mut small, &json!({ "of": order }));
        ask(&mut small);
        small.run("1s");
        for (whom, words) in [("rae", "c"), ("quinn", "b"), ("pat", "a")] {
            small.run("1s");
            ballot(&mut small, whom, &say(words));
        }
        small.run("1s");
        assert_eq!(said(&small), [made], "{order:?}");
        same(&small);
    }
}

#[test]
fn a_majority_closes_before_the_third_has_answered_who_is_asked_no_more() {
    let mut small = hall(&three(""), "");
    humans(&mut small, &json!({}));
    ask(&mut small);
    small.run("1s");
    ballot(&mut small, "rae", &say("go"));
    small.run("10s");
    assert!(said(&small).is_empty());
    // The page and the command line send words: a call in JSON is one.
    ballot(&mut small, "pat", &json!(say("go").to_string()));
    small.run("1s");
    assert_eq!(said(&small), ["go"]);
    assert!(small.world().inbox().of(small.id_of("quinn")).next().is_none());
    same(&small);
}

#[test]
fn once_the_time_is_over_more_than_half_decide_and_fewer_are_asked_anew() {
    let mut small = hall(&three(""), "");
    humans(&mut small, &json!({}));
    ask(&mut small);
    small.run("1s");
    ballot(&mut small, "rae", &say("c"));
    ballot(&mut small, "quinn", &say("b"));
    small.run("9m");
    assert!(said(&small).is_empty());
    small.run("1m");
    assert_eq!(said(&small), ["b"]);

    ask(&mut small);
    small.run("1s");
    ballot(&mut small, "rae", &say("c"));
    small.run("10m");
    let failed = small.reel("council").pop().unwrap();
    assert_eq!((code(&failed).as_str(), failed.closing.reason().unwrap().at.as_ref(), failed.attempt), ("no-quorum", "1 of 3", 1));
    small.run("31m");
    // All are asked again, as often as it is tried; then it is given up.
    assert_eq!(asked(&small).len(), 12);
    assert!(matches!(small.reel("council").pop().unwrap().closing, Closing::DeadLetter(_)));
    assert_eq!(small.world().inbox().dead().count(), 1);
    let world = small.world();
    let left: Vec<_> = world.beings().flat_map(|being| world.inbox().of(being.id)).collect();
    assert!(
        left.iter().all(|wake| wake.summons().is_some_and(Summons::is_receipt)),
        "whoever asked hears of it, and nothing else is left: {left:?}"
    );
    same(&small);
}

#[test]
fn a_first_vote_decides_and_a_script_may_decide_otherwise() {
    let mut small = hall(&three(""), "");
    humans(&mut small, &json!({ "decide": "first" }));
    ask(&mut small);
    small.run("1s");
    ballot(&mut small, "quinn", &json!("I would rather not."));
    small.run("10s");
    ballot(&mut small, "rae", &say("c"));
    small.run("1s");
    assert_eq!(said(&small), ["c"]);
    same(&small);

    for (script, made) in [("last", "act"), ("none", "see"), ("endless", "script-limit-operations"), ("nobody", "unknown-script")] {
        let mut small = hall(&three(&format!(r#", decide = "{script}""#)), "");
        votes(&mut small, ["a", "b", "c"]);
        ask(&mut small);
        small.run("1s");
        assert_eq!(code(&small.reel("council")[0]), made, "{script}");
        assert_eq!(said(&small), if script == "last" { vec!["c".to_owned()] } else { Vec::new() });
        same(&small);
    }
}

#[test]
fn those_who_are_asked_in_turn_hear_how_others_voted_and_no_more_are_asked_than_it_takes() {
    let mut small = hall(&three(", ask = \"in-turn\""), "");
    votes(&mut small, ["go", "follow", "stay"]);
    ask(&mut small);
    small.run("1m");
    assert_eq!((said(&small), asked(&small)), (vec!["go".to_owned()], vec!["one".to_owned(), "two".to_owned()]));
    same(&small);
    // A member that says nothing is waited for, and passed over.
    votes(&mut small, ["silent", "b", "c"]);
    ask(&mut small);
    small.run("9m");
    assert_eq!(asked(&small).len(), 3);
    small.run("2m");
    assert_eq!((said(&small), asked(&small).len()), (vec!["go".to_owned(), "b".to_owned()], 5));
    same(&small);
}

#[test]
fn a_model_hears_in_sentences_how_others_have_voted() {
    let mut small = hall(r#"{ of = ["@one", "@two", "@mia"], until = "10m", ask = "in-turn" }"#, "");
    votes(&mut small, ["go", "abstain", "stay"]);
    let script = Script::default();
    small.living().asking(Box::new(script.clone()));
    ask(&mut small);
    small.run("1m");
    let (_, user) = script.prompts().remove(0);
    let voted = "So far they have voted:\n> @one votes to do say on /hall with {\"content\":\"go\"}\n> @two abstains\n";
    assert!(user.contains(voted), "{user}");
    same(&small);
}

#[test]
fn its_children_are_asked_as_they_are_when_it_opens() {
    let child = |name: &str| {
        format!(
            "[[being]]\nname = \"{name}\"\nparent = \"@council\"\nhome = \"/hall\"\nrole = \"deaf\"\nscript = \"voter\"\nquality.t.vote = \"{name}\"\n"
        )
    };
    let mut small = hall("{ of = { rel = \"children\" } }", &[child("kid"), child("kit")].concat());
    ask(&mut small);
    small.run("1m");
    assert_eq!((said(&small), asked(&small)), (vec!["kid".to_owned()], vec!["kid".to_owned(), "kit".to_owned()]));
    small.act("operator", Call::be("end", args(r#"{"being":"@kid"}"#)));
    ask(&mut small);
    small.run("1m");
    assert_eq!(said(&small), ["kid", "kit"]);
    small.act("operator", Call::be("end", args(r#"{"being":"@kit"}"#)));
    ask(&mut small);
    small.run("1s");
    assert_eq!(code(small.reel("council").last().unwrap()), "panel-member");
    same(&small);
}

#[test]
fn a_circle_is_named_when_it_is_set_and_nobody_is_asked_in_one() {
    let mut small = hall(&three(""), "");
    let own = council(&mut small, &json!({ "of": ["@one", "@council"] }));
    assert_eq!(own.closing.reason().unwrap().to_string(), "panel-circle at `@council → @council`");
    let panel = |small: &mut Small, whom: &str, of: &str| {
        let set = json!({ "cognition": "panel", "panel": { "of": [of] } }).to_string();
        small.act("operator", Call::doing(whom, "cognition.set", args(&set)))
    };
    assert_eq!(panel(&mut small, "@one", "@two").closing, Closing::Act);
    assert_eq!(panel(&mut small, "@two", "@three").closing, Closing::Act);
    assert_eq!(panel(&mut small, "@three", "@one").closing.reason().unwrap().at.as_ref(), "@three → @one → @two → @three");
    // A panel that asks its children comes to ask itself only once there is such a child.
    let children = json!({ "of": { "rel": "children" } });
    assert_eq!(council(&mut small, &children).closing, Closing::Act);
    small.act(
        "operator",
        Call::be(
            "birth",
            args(
                r#"{"name":"kid","parent":"@council","home":"/hall","defaultRole":"deaf","cognition":"panel","panel":{"of":["@council"]}}"#,
            ),
        ),
    );
    ask(&mut small);
    small.run("1s");
    assert_eq!(code(&small.reel("council")[0]), "panel-circle");
    assert!(asked(&small).is_empty());
    same(&small);
}

#[test]
fn what_is_no_panel_is_refused_with_the_place_where_it_is_wrong() {
    let mut small = hall(&three(""), "");
    let many: Vec<String> = (0..65).map(|n| format!("@a{n}")).collect();
    for (set, wrong) in [
        (json!({ "cognition": "panel" }), "args-required at `/panel`"),
        (json!({ "cognition": "script", "panel": { "of": ["@one"] } }), "args-unknown at `/panel`"),
        (json!({ "cognition": "panel", "panel": [] }), "args-type at `/panel`"),
        (json!({ "cognition": "panel", "panel": {} }), "args-required at `/panel/of`"),
        (json!({ "cognition": "panel", "panel": { "of": [] } }), "args-items at `/panel/of`"),
        (json!({ "cognition": "panel", "panel": { "of": many } }), "args-items at `/panel/of`"),
        (json!({ "cognition": "panel", "panel": { "of": ["@one", "@one"] } }), "args-items at `/panel/of/1`"),
        (json!({ "cognition": "panel", "panel": { "of": ["one"] } }), "args-pattern at `/panel/of/0`"),
        (json!({ "cognition": "panel", "panel": { "of": ["@one/.flow"] } }), "args-pattern at `/panel/of/0`"),
        (json!({ "cognition": "panel", "panel": { "of": [7] } }), "args-type at `/panel/of/0`"),
        (json!({ "cognition": "panel", "panel": { "of": "@one" } }), "args-type at `/panel/of`"),
        (json!({ "cognition": "panel", "panel": { "of": { "rel": "parent" } } }), "args-enum at `/panel/of/rel`"),
        (json!({ "cognition": "panel", "panel": { "of": ["@one"], "ask": "twice" } }), "args-enum at `/panel/ask`"),
        (json!({ "cognition": "panel", "panel": { "of": ["@one"], "decide": "" } }), "args-length at `/panel/decide`"),
        (json!({ "cognition": "panel", "panel": { "of": ["@one"], "until": "soon" } }), "args-format at `/panel/until`"),
        (json!({ "cognition": "panel", "panel": { "of": ["@one"], "until": "0s" } }), "args-format at `/panel/until`"),
        (json!({ "cognition": "panel", "panel": { "of": ["@one"], "chair": "@two" } }), "args-unknown at `/panel/chair`"),
    ] {
        let refused = small.act("operator", Call::doing("@council", "cognition.set", args(&set.to_string())));
        assert_eq!(refused.closing.reason().unwrap().to_string(), wrong, "{set}");
    }
    let born = small.act("operator", Call::be("birth", args(r#"{"name":"eve","home":"/hall","cognition":"panel"}"#)));
    assert_eq!(born.closing.reason().unwrap().to_string(), "args-required at `/panel`");
    same(&small);
}

#[test]
fn a_member_that_is_unknown_has_ended_or_may_not_be_asked_fails_the_attempt() {
    let mut small = hall(&three(""), "");
    let tried = |small: &mut Small| {
        ask(small);
        small.run("1s");
        let failed = small.reel("council").pop().unwrap();
        assert!(matches!(failed.closing, Closing::Failed(_)), "{failed:?}");
        failed.closing.reason().unwrap().to_string()
    };
    assert_eq!(council(&mut small, &json!({ "of": ["@one", "@late"] })).closing, Closing::Act);
    assert_eq!(tried(&mut small), "panel-member at `@late`");
    small.act("operator", Call::be("end", args(r#"{"being":"@two"}"#)));
    council(&mut small, &json!({ "of": ["@one", "@two"] }));
    assert_eq!(tried(&mut small), "panel-member at `@two`");
    // It asks nobody whom its role does not let it summon.
    council(&mut small, &json!({ "of": ["@one", "@three"] }));
    small.operate("@council", "flow.default", args(r#"{"role":"shy"}"#));
    assert_eq!(tried(&mut small), "gate-role at `@one`");
    assert!(asked(&small).is_empty());
    same(&small);
}

#[test]
fn members_advise_and_do_not_act_and_the_panel_does_what_its_own_role_allows() {
    let mut small = hall(&three(""), "");
    votes(&mut small, ["acts", "open", "open"]);
    small.operate("@council", "flow.default", args(r#"{"role":"chair"}"#));
    ask(&mut small);
    small.run("1m");
    assert_eq!(code(&small.reel("one")[0]), "gate-narrowed");
    // The two agree on what the chair's role does not let it do.
    let refused = small.reel("council").pop().unwrap();
    assert_eq!((code(&refused).as_str(), refused.call.unwrap().action.as_ref()), ("gate-role", "quality.set"));
    assert_eq!(
        small
            .world()
            .qualities(reelm::verb::thing_named(&small.world(), small.world().being_named("council").unwrap(), 0, "/hall").unwrap())
            .unwrap()
            .at("t.open"),
        None
    );
    same(&small);
}

#[test]
fn a_vote_that_is_no_call_abstains_and_nobody_else_can_vote() {
    let mut small = hall(&three(""), "");
    votes(&mut small, ["prose", "abstain", "go"]);
    ask(&mut small);
    small.run("1m");
    assert_eq!(said(&small), ["go"]);
    votes(&mut small, ["prose", "abstain", "abstain"]);
    ask(&mut small);
    small.run("500ms");
    assert_eq!(code(&small.reel("council").pop().unwrap()), "no-quorum");
    same(&small);

    let mut small = hall(&three(""), "");
    humans(&mut small, &json!({}));
    ask(&mut small);
    small.run("1s");
    let asking = small.frames_of("council").pop().unwrap();
    let forged = json!({ "content": say("mine"), "inReplyTo": format!("{}.0", asking.seq) }).to_string();
    // Neither whoever was not asked, nor a member beside what it was asked, nor a question that is not the panel's.
    for whom in ["operator", "pat"] {
        assert_eq!(small.act(whom, Call::summon("@council", args(&forged))).closing, Closing::Act);
    }
    let question = small.act("operator", Call::summon("@pat", args(&json!({ "content": "?", "intent": Summons::BALLOT }).to_string())));
    assert_eq!(code(&question), "intent");
    let council = small.id_of("council");
    let open: Vec<Option<usize>> = small.world().inbox().of(council).map(|wake| wake.poll().map(|poll| poll.answered())).collect();
    assert_eq!(open.iter().filter(|answered| answered.is_some()).collect::<Vec<_>>(), [&Some(0)], "{open:?}");
    same(&small);
}

#[test]
fn what_answers_another_question_is_no_vote_on_the_one_that_was_asked() {
    let mut small = hall(&three(""), "");
    humans(&mut small, &json!({}));
    for _ in 0..2 {
        ask(&mut small);
        small.run("1s");
    }
    let pat = small.id_of("pat");
    let asked: Vec<String> = small.world().inbox().of(pat).map(|wake| wake.id.cause.to_string()).collect();
    assert_eq!(asked.len(), 2);
    let other = json!({ "content": say("go"), "inReplyTo": asked[1] }).to_string();
    assert_eq!(small.answer("pat", Call::summon("@council", args(&other))).closing, Closing::Act);
    let votes: usize = small.world().inbox().of(small.id_of("council")).filter_map(|wake| wake.poll().map(|poll| poll.answered())).sum();
    assert_eq!(votes, 0);
    ballot(&mut small, "pat", &say("go"));
    let votes: usize = small.world().inbox().of(small.id_of("council")).filter_map(|wake| wake.poll().map(|poll| poll.answered())).sum();
    assert_eq!(votes, 1);
    same(&small);
}

#[test]
fn what_is_asked_narrowly_is_asked_on_as_narrowly_and_other_wakes_go_on_meanwhile() {
    let mut small = hall(&three(""), "");
    humans(&mut small, &json!({}));
    small.act("asker", Call::summon("@council", args(r#"{"content":"May we?","only":["see","summon"]}"#)));
    small.run("1s");
    // Another question opens a moment of its own before the first is decided.
    ask(&mut small);
    small.run("1s");
    assert_eq!(asked(&small).len(), 6);
    let go = say("go");
    for whom in ["pat", "quinn"] {
        ballot(&mut small, whom, &go);
        ballot(&mut small, whom, &go);
    }
    small.run("1s");
    let codes: Vec<String> = small.reel("council").iter().map(code).collect();
    assert_eq!((codes, said(&small)), (vec!["gate-narrowed".to_owned(), "act".to_owned()], vec!["go".to_owned()]));
    // Asked by whom it may not ask on, it asks nobody.
    small.act("asker", Call::summon("@council", args(r#"{"content":"?","only":["see"]}"#)));
    small.run("1s");
    assert_eq!((code(small.reel("council").last().unwrap()).as_str(), asked(&small).len()), ("gate-narrowed", 6));
    same(&small);
}

#[test]
fn what_the_panel_is_asked_is_answered_by_what_its_members_vote_to_say() {
    let mut small = hall(&three(""), "");
    humans(&mut small, &json!({}));
    let question = ask(&mut small);
    small.run("1s");
    // The addressee need not be named: it is the being that asked the panel.
    let answer = json!({ "verb": "summon", "args": { "content": "We go." } });
    ballot(&mut small, "pat", &answer);
    ballot(&mut small, "rae", &answer);
    small.run("1s");
    let heard = small.world().inbox().of(small.id_of("asker")).next().unwrap().clone();
    assert_eq!(
        (heard.words().unwrap().as_ref(), heard.summons().unwrap().in_reply_to.map(|made| made.seq)),
        ("We go.", Some(question.seq))
    );
    same(&small);
}

#[test]
fn a_panel_may_be_a_member_of_another() {
    let mut small = hall(&three(""), "");
    votes(&mut small, ["go", "go", "stay"]);
    small.operate("@asker", "cognition.set", args(r#"{"cognition":"panel","panel":{"of":["@pat"]}}"#));
    council(&mut small, &json!({ "of": ["@asker", "@one"], "until": "5m" }));
    small.act("quinn", Call::summon("@council", args(r#"{"content":"Well?"}"#)));
    small.run("1s");
    let question = small.world().inbox().of(small.id_of("pat")).next().unwrap().clone();
    assert!(question.words().unwrap().contains("@asker"), "{question:?}");
    let inner = json!({ "verb": "summon", "args": { "content": say("go") } });
    small.answer("pat", Call::summon("@asker", args(&json!({ "content": inner }).to_string())));
    small.run("1s");
    assert_eq!(said(&small), ["go"]);
    same(&small);
    // When the outer one waits no longer, nobody of the inner one is asked any more either.
    small.act("quinn", Call::summon("@council", args(r#"{"content":"Well?"}"#)));
    small.run("5m");
    small.run("2s");
    assert_eq!(asked(&small).len(), 6, "it asks anew");
    small.act("operator", Call::be("end", args(r#"{"being":"@council"}"#)));
    assert!(small.world().inbox().of(small.id_of("pat")).next().is_none());
    small.run("1m");
    same(&small);
}

#[test]
fn a_panel_that_is_driven_is_its_drivers_and_a_member_that_is_paused_is_waited_for() {
    let mut small = hall(&three(""), "");
    small.act("operator", Call::be("inhabit", args(r#"{"being":"@council","for":"5m"}"#)));
    votes(&mut small, ["go", "go", "go"]);
    ask(&mut small);
    small.run("1m");
    assert!(asked(&small).is_empty());
    small.act("operator", Call::be("release", args(r#"{"being":"@council"}"#)));
    small.operate("@one", "pause.set", args("{}"));
    small.operate("@two", "pause.set", args("{}"));
    small.run("1m");
    assert_eq!((asked(&small).len(), said(&small).len()), (3, 0));
    small.operate("@two", "pause.end", args("{}"));
    small.run("1m");
    assert_eq!(said(&small), ["go"]);
    same(&small);
}

#[test]
fn a_world_that_stops_between_the_question_and_the_votes_goes_on_where_it_was() {
    let mut small = hall(&three(""), "");
    humans(&mut small, &json!({}));
    ask(&mut small);
    small.run("1s");
    small.reopen();
    ballot(&mut small, "rae", &say("go"));
    small.reopen();
    ballot(&mut small, "pat", &say("go"));
    small.reopen();
    small.run("1s");
    assert_eq!((said(&small), asked(&small).len()), (vec!["go".to_owned()], 3));
    same(&small);

    // Wherever a crash cuts it off, it asks each once and comes to the same.
    let mut whole = hall(&three(""), "");
    votes(&mut whole, ["stay", "go", "go"]);
    let planted = whole.shelf.groups().len();
    ask(&mut whole);
    whole.run("1m");
    for groups in planted + 1..=whole.shelf.groups().len() {
        let mut cut = whole.cut(groups);
        cut.run("1m");
        assert_eq!((said(&cut), asked(&cut).len()), (vec!["go".to_owned()], 3), "after {groups} groups");
        same(&cut);
    }
}

#[test]
fn what_a_panel_asks_is_seen_and_set_anew_or_taken_back() {
    let mut small = hall(&three(""), "");
    humans(&mut small, &json!({ "ask": "parallel" }));
    let see = |small: &Small| {
        let world = small.world();
        reelm::verb::see(&world, world.being_named("operator").unwrap(), "@council", world.now()).unwrap().get("panel").cloned()
    };
    let panel: Value =
        args(&json!({ "of": ["@pat", "@quinn", "@rae"], "ask": "parallel", "decide": "majority", "until": "10m" }).to_string());
    assert_eq!(see(&small), Some(panel));
    ask(&mut small);
    small.run("1s");
    ballot(&mut small, "rae", &say("go"));
    let open = see(&small).unwrap().get("ballots").cloned().unwrap();
    let told: Value = args(&json!([[{ "of": "@pat" }, { "of": "@quinn" }, { "of": "@rae", "vote": say("go") }]]).to_string());
    assert_eq!(open, told);
    small.operate("@council", "cognition.set", args(r#"{"cognition":"script","script":"look"}"#));
    assert_eq!(see(&small), None);
    small.run("11m");
    assert_eq!(small.reel("council").pop().unwrap().closing, Closing::See);
    assert!(small.world().inbox().is_empty());
    same(&small);
}

const CALL: &str = r#"{"verb":"do","target":"/hall","action":"say","args":{"content":"We go."}}"#;

#[test]
fn people_vote_from_the_command_line_and_a_source_says_whom_a_panel_asks() {
    let terminal = Terminal::new();
    let world = |until: &str| {
        let being = |name: &str, how: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"chair\"\n{how}\n");
        let panel = format!("cognition = \"panel\"\npanel = {{ of = [\"@pat\", \"@quinn\"], until = \"{until}\" }}");
        let people = ["pat", "quinn"].map(|name| being(name, "cognition = \"human\"")).concat();
        format!("name = \"hall\"\n[[space]]\npath = \"/hall\"\nallow = [\"say\"]\n{}{people}", being("council", &panel))
    };
    terminal.write("hall/world.toml", &world("1h"));
    terminal.write("hall/roles/chair.md", "---\nname: chair\ncanSee: ['**']\ncanDo: [say]\ncanSummon: ['**']\n---\nYou sit.\n");
    terminal.types("run hall --for 1m --quiet").ok();
    terminal.types("summon @council 'Shall we go?'").ok();
    terminal.types("run --for 1m --quiet").ok();
    let waits = terminal.types("inbox @pat").ok();
    assert!(waits.contains("@council: ") && waits.contains("Shall we go?") && waits.contains("see or summon alone"), "{waits}");
    terminal.types(&format!("summon @council '{CALL}' --as @pat")).says(&["which answers"]);
    let seq = terminal.types("inbox @quinn --json").json_lines()[0]["seq"].as_u64().unwrap();
    terminal.types(&format!("do /hall say '{{\"content\":\"I go.\"}}' --as @quinn --answers {seq}")).fails(4);
    terminal.types(&format!("summon @council '{CALL}' --as @quinn --answers {seq}")).ok();
    terminal.types("run --for 1m --quiet").ok();
    let last = terminal.types("log --raw @council --last 1").ok();
    assert!(last.contains("do /hall say"), "{last}");
    let explained = terminal.types("explain @council/1").ok();
    for said in ["its members voted", "@pat: do /hall say", "woken by the ballots of its members about a summons by @operator"] {
        assert!(explained.contains(said), "`{said}` is not in\n{explained}");
    }

    let panel = |data: &str| terminal.types(&format!("see @council --json --data {data}")).json()["panel"].clone();
    let asks = |until: &str| json!({ "of": ["@pat", "@quinn"], "ask": "parallel", "decide": "majority", "until": until });
    assert_eq!(panel("world"), asks("1h"));
    terminal.write("hall/world.toml", &world("2h"));
    terminal.types("apply hall").says(&["cognition of @council"]);
    let again = terminal.types("apply hall").ok();
    assert!(!again.contains("cognition"), "{again}");
    assert_eq!(panel("world"), asks("2h"));
    terminal.types("export --source out").ok();
    terminal.types("run out --for 1m --quiet --data other").ok();
    assert_eq!(panel("other"), asks("2h"));
    terminal.types("replay").ok();

    terminal.write("hall/world.toml", &world("soon"));
    terminal.types("check hall").fails(1).warns(&["args-format", "/panel/until"]);
}

proptest! {
    #![proptest_config(cases(6, 24))]

    /// The call that the ballots of all come to, by their order and by nothing else: of the calls that most voted for, that of the first member.
    #[test]
    fn in_whatever_order_answers_come_the_call_is_that_of_the_ballots_and_of_the_order_of_members(
        members in Just(vec!["pat", "quinn", "rae"]).prop_shuffle(),
        arrivals in Just(vec!["pat", "quinn", "rae"]).prop_shuffle(),
        votes in prop::collection::vec(0..3_usize, 3),
        waits in prop::collection::vec(0..3_u64, 3),
    ) {
        let mut small = hall(&three(""), "");
        humans(&mut small, &json!({ "of": members.iter().map(|name| format!("@{name}")).collect::<Vec<_>>() }));
        ask(&mut small);
        small.run("1s");
        let by: BTreeMap<&str, usize> = ["pat", "quinn", "rae"].into_iter().zip(votes).collect();
        let calls = ["a", "b", "c"];
        for (whom, wait) in arrivals.iter().zip(waits) {
            small.run(&format!("{wait}s"));
            // Once it is decided, nobody is asked any more.
            if small.world().inbox().of(small.id_of(whom)).next().is_some() {
                ballot(&mut small, whom, &say(calls[by[whom]]));
            }
        }
        small.run("1s");
        let count = |vote: usize| by.values().filter(|other| **other == vote).count();
        let most = by.values().map(|vote| count(*vote)).max().unwrap();
        let first = members.iter().find(|name| count(by[*name]) == most).unwrap();
        prop_assert_eq!(said(&small), [calls[by[first]]]);
        prop_assert_eq!(small.replay().unwrap().difference, None);
        prop_assert_eq!(small.kept_world().hash(), small.world().hash());
    }
}
