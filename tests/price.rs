//! Price: what does a word cost where models hear it, and who is told when it costs no more?

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use reelm::cognition::{Reply, Request};
use reelm::fact::{Call, Code, Draft, Fact, Receipt, Value, WakeKind};
use reelm::minds::Minds;
use reelm::role::Spec;
use reelm::world::World;
use serde_json::{Value as Json, json};

use super::faulty::{Faulty, good};
use super::kit::{Small, args, cases, gathered, size, source};
use super::mind::{answered, tool};
use super::terminal::Terminal;

/// The reply of a model, by its name and how many were asked before it.
type Answers = dyn FnMut(&str, usize) -> Json + Send;

/// Minds that answer each by its name.
#[derive(Clone)]
pub struct Crowd {
    asked: Arc<Mutex<Vec<(String, Json)>>>,
    answers: Arc<Mutex<Box<Answers>>>,
}

impl Crowd {
    pub fn of(answers: impl FnMut(&str, usize) -> Json + Send + 'static) -> Self {
        Self { asked: Arc::default(), answers: Arc::new(Mutex::new(Box::new(answers))) }
    }

    /// Each says the same whenever it is asked.
    pub fn saying(words: &'static str) -> Self {
        Self::of(move |_, _| says(words))
    }

    pub fn calls(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// The system messages, in the order in which they were asked.
    pub fn systems(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|(_, body)| body["messages"][0]["content"].as_str().unwrap().to_owned()).collect()
    }

    /// The user messages of those who were asked.
    fn prompts(&self) -> Vec<(String, String)> {
        let told = |(name, body): &(String, Json)| (name.clone(), body["messages"][1]["content"].as_str().unwrap().to_owned());
        self.asked.lock().unwrap().iter().map(told).collect()
    }
}

impl Minds for Crowd {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let answer = |request: &Request| {
            let name = request.who.trim_start_matches('@').split('/').next().unwrap().to_owned();
            let mut asked = self.asked.lock().unwrap();
            asked.push((name.clone(), serde_json::from_str(&request.body).unwrap()));
            answered(&(self.answers.lock().unwrap())(&name, asked.len()))
        };
        requests.iter().map(answer).collect()
    }
}

fn says(words: &str) -> Json {
    tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": words } }))
}

/// Pat, a person; so many models who hear each other; and a script for each of some names that is woken by words too.
fn hall(models: usize, config: &str, more: &str) -> Small {
    let beings: String = (0..models)
        .map(|at| format!("[[being]]\nname = \"m{at}\"\nhome = \"/hall\"\nrole = \"guest\"\ncognition = \"llm\"\n"))
        .chain(["[[being]]\nname = \"pat\"\nhome = \"/hall\"\nrole = \"guest\"\ncognition = \"human\"\n".to_owned()])
        .collect();
    let mut source = source(&format!(
        "[config]\n\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = {{ base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\" }}\n{config}\n\
         [[space]]\npath = \"/hall\"\nallow = [\"say\"]\n[[space]]\npath = \"/yard\"\nallow = [\"say\"]\n{beings}{more}"
    ));
    let guest =
        "---\nname: guest\ncanSee: ['**']\ncanDo: ['**']\ncanSummon: ['**']\ntriggerOn: [message, hear, schedule]\n---\nYou are a guest.\n";
    source.roles.push(Spec::from_markdown("guest.md", guest).unwrap());
    let parrot = r#"fn think(face) { if face.wake.kind == "hear" { return act(face.me.position, "say", #{ content: "again" }); } () }"#;
    source.scripts.push(("parrot".into(), "scripts/parrot.rhai".into(), parrot.into()));
    let begins = r#"fn think(face) { if face.wake.kind == "schedule" || face.wake.kind == "crossing" { return act(face.me.position, "say", #{ content: "tick" }); } () }"#;
    source.scripts.push(("begins".into(), "scripts/begins.rhai".into(), begins.into()));
    Small::grow(&source, 1, 1)
}

fn speaks(small: &mut Small, who: &str, words: &str) -> Draft {
    small.act(who, Call::doing("/hall", "say", args(&json!({ "content": words }).to_string())))
}

/// The receipts that lie in a being's inbox.
fn receipts(small: &Small, name: &str) -> Vec<Receipt> {
    let world = small.world();
    let wakes = world.inbox().of(small.id_of(name)).filter(|wake| wake.summons().is_some_and(|summons| summons.is_receipt()));
    wakes.map(|wake| Receipt::read(world.told(wake).get("content").unwrap()).unwrap()).collect()
}

/// It is lived again the same, and a checkpoint holds all of it.
fn same_again(small: &Small) {
    assert_eq!(small.replay().unwrap().difference, None);
    let world = small.world();
    let kept = gathered(&[&World::of(world.lineage().clone()), &world]);
    assert_eq!(kept.hash(), world.hash());
    assert_eq!(kept.paid(), world.paid());
}

#[test]
fn whatever_a_mind_hears_until_it_wakes_is_one_call() {
    let mut small = hall(1, "", "");
    let crowd = Crowd::of(|_, _| json!({ "content": "" }));
    small.living().asking(Box::new(crowd.clone()));
    for word in 1..=6 {
        speaks(&mut small, "pat", &format!("word {word}"));
    }
    small.run("1m");
    assert_eq!(crowd.calls(), 1);
    let told = &crowd.prompts()[0].1;
    let at: Vec<usize> =
        (1..=6).map(|word| told.rfind(&format!("@pat says:\n> word {word}")).unwrap_or_else(|| panic!("{told}"))).collect();
    assert!(at.is_sorted() && told.contains("You have heard 6 things, the newest last."), "{told}");
    // Of very many the newest are told, and how many more there were.
    for word in 1..=40 {
        speaks(&mut small, "pat", &format!("later {word}."));
    }
    small.run("1m");
    assert_eq!(crowd.calls(), 2);
    let told = &crowd.prompts()[1].1;
    assert!(told.contains("You have heard 40 things, the newest last; 24 before these are not told here."), "{told}");
    assert!(told.contains("later 40.") && told.contains("says:\n> later 25.") && !told.contains("says:\n> later 24."), "{told}");
    same_again(&small);
}

#[test]
fn of_more_words_than_a_wake_keeps_it_is_told_how_many_came_while_the_model_was_asked() {
    let mut small = hall(25, "\"brakes.depth\" = 2", "");
    let crowd = Crowd::of(|name, _| says(&format!("I am {name}.")));
    small.living().asking(Box::new(crowd.clone()));
    speaks(&mut small, "pat", "hello");
    small.run("1m");
    assert_eq!(crowd.calls(), 50);
    for (_, told) in crowd.prompts().into_iter().skip(25) {
        assert!(told.contains("You have heard 24 things, the newest last; 8 before these are not told here."), "{told}");
    }
}

#[test]
fn a_script_and_a_person_hear_each_word_by_itself() {
    let more = "[[being]]\nname = \"bird\"\nhome = \"/hall\"\nrole = \"guest\"\nscript = \"parrot\"\n[[being]]\nname = \"sue\"\nhome = \"/hall\"\nrole = \"guest\"\ncognition = \"human\"\n";
    let mut small = hall(0, "", more);
    for word in 1..=3 {
        speaks(&mut small, "pat", &format!("word {word}"));
    }
    small.run("1s");
    assert_eq!(small.woken_by("bird", WakeKind::Hear).len(), 3);
    // Three words of pat's, and three of the bird's.
    assert_eq!(small.world().inbox().of(small.id_of("sue")).count(), 6);
    same_again(&small);
}

#[test]
fn a_word_that_comes_while_a_model_thinks_wakes_it_anew_with_that_word_alone() {
    // All three are asked at once; what they say then nobody has seen who was asked with them.
    let mut small = hall(3, "\"brakes.depth\" = 2", "");
    let crowd = Crowd::of(|name, _| says(&format!("I am {name}.")));
    small.living().asking(Box::new(crowd.clone()));
    speaks(&mut small, "pat", "hello");
    small.run("1m");
    assert_eq!(crowd.calls(), 6);
    for (name, told) in crowd.prompts().into_iter().skip(3) {
        let woke = told.split("You have heard").nth(1).unwrap_or_else(|| panic!("{told}"));
        assert!(woke.starts_with(" 2 things") && !woke.contains("@pat says"), "{woke}");
        let others = (0..3).filter(|at| woke.contains(&format!("@m{at} says:\n> I am m{at}."))).count();
        assert!(others == 2 && !woke.contains(&format!("@{name} says")), "{woke}");
    }
    same_again(&small);
}

#[test]
fn one_hello_among_many_costs_what_the_brakes_let_it_and_whoever_began_it_hears_once() {
    let models = size(8, 25);
    for (config, calls) in
        [("\"brakes.depth\" = 1", models), ("\"brakes.depth\" = 4", 4 * models), ("", 200), ("\"brakes.calls\" = 60", 60)]
    {
        let mut small = hall(models, config, "");
        let crowd = Crowd::saying("Thank you!");
        small.living().asking(Box::new(crowd.clone()));
        speaks(&mut small, "pat", "hello");
        small.run("1h");
        assert_eq!(crowd.calls(), calls, "{config}");
        let told = receipts(&small, "pat");
        let is_braked = !config.contains("depth");
        assert_eq!(
            told.iter().map(|receipt| receipt.code).collect::<Vec<_>>(),
            vec![Some(Code::BrakeCalls); usize::from(is_braked)],
            "{config}"
        );
        let unheard: u64 = small.world().living().map(|being| being.withheld.words).sum();
        assert_eq!(unheard > 0, is_braked, "{config}");
        same_again(&small);
    }
}

#[test]
fn where_a_root_is_spent_in_the_middle_of_a_round_the_wakes_of_the_others_are_dead_letters() {
    let mut small = hall(5, "\"brakes.calls\" = 7", "");
    let crowd = Crowd::saying("Thank you!");
    small.living().asking(Box::new(crowd.clone()));
    speaks(&mut small, "pat", "hello");
    small.run("1h");
    assert_eq!(crowd.calls(), 7);
    let letters: Vec<String> =
        small.world().inbox().dead().map(|(_, letter)| format!("{} {}", letter.reason.code, letter.reason.at)).collect();
    assert_eq!(letters, vec!["brake-calls brakes.calls"; 3]);
    assert_eq!(receipts(&small, "pat").len(), 1);
    // Opened again it begins a root of its own.
    let dead = small.world().inbox().dead().next().map(|(being, letter)| (being, letter.wake.id.clone())).unwrap();
    let name = small.world().being(dead.0).unwrap().name.clone();
    let requeued = json!({ "cause": dead.1.cause.to_string(), "kind": "hear" });
    small.operate(&format!("@{name}"), "wake.requeue", args(&requeued.to_string()));
    small.run("1s");
    assert!(crowd.calls() > 7);
    same_again(&small);
}

#[test]
fn the_word_of_another_root_is_told_though_the_first_is_spent() {
    let mut small = hall(2, "\"brakes.calls\" = 4", "");
    let crowd = Crowd::saying("Thank you!");
    small.living().asking(Box::new(crowd.clone()));
    speaks(&mut small, "pat", "hello");
    small.run("1h");
    assert_eq!(crowd.calls(), 4);
    speaks(&mut small, "pat", "and good night");
    small.run("1h");
    assert_eq!(crowd.calls(), 8);
    assert!(crowd.prompts()[4].1.contains("@pat says:\n> and good night"), "{}", crowd.prompts()[4].1);
    assert_eq!(receipts(&small, "pat").len(), 2, "one of each root");
    same_again(&small);
}

#[test]
fn a_root_whose_words_wait_beside_those_of_another_keeps_its_count() {
    // Both words wait in one wake. Each time that the newest of them is asked about, the other goes on waiting with what it has cost.
    let mut small = hall(2, "\"brakes.calls\" = 3", "");
    let crowd = Crowd::of(|_, _| json!({ "content": "" }));
    small.living().asking(Box::new(crowd.clone()));
    let first = speaks(&mut small, "pat", "first");
    small.run("1m");
    assert_eq!(crowd.calls(), 2, "each has heard it");
    small.operate("@m0", "pause.set", args("{}"));
    small.operate("@m1", "pause.set", args("{}"));
    // Two more roots, both waiting in each of the wakes.
    let second = speaks(&mut small, "pat", "second");
    let third = speaks(&mut small, "pat", "third");
    let count = |small: &Small, draft: &Draft| {
        let root = small.world().inbox().of(small.id_of("m1")).find_map(|wake| {
            wake.hearing().and_then(|hearing| hearing.words.iter().map(|heard| heard.root).find(|root| root.seq == draft.seq))
        });
        root.and_then(|root| small.world().root_count(root).cloned())
    };
    assert!(count(&small, &first).is_none());
    let opens = |small: &Small| [&second, &third].map(|draft| count(small, draft).map(|count| (count.open, count.began)));
    let pat = Some(small.id_of("pat"));
    assert_eq!(opens(&small), [Some((2, pat)); 2]);
    // m0 is asked about the third; the second is held by m1 alone from then on, as it was begun.
    small.operate("@m0", "pause.end", args("{}"));
    small.run("1m");
    assert_eq!(opens(&small), [Some((1, pat)); 2]);
    assert_eq!(count(&small, &third).map(|count| count.calls), Some(1));
    // While m1 is asked and fails, both roots stay what they were.
    small.living().asking(Box::new(Crowd::of(|_, _| json!({ "content": "<tool_call>{" }))));
    small.operate("@m1", "pause.end", args("{}"));
    small.run("100ms");
    assert_eq!(opens(&small), [Some((1, pat)); 2], "begun by pat, whoever was asked about it since");
    assert_eq!(count(&small, &third).map(|count| count.calls), Some(2));
    same_again(&small);
}

#[test]
fn of_several_words_one_whose_root_is_not_spent_opens_the_wake() {
    let mut small = hall(2, "\"brakes.calls\" = 1", "");
    let crowd = Crowd::of(|_, _| json!({ "content": "" }));
    small.living().asking(Box::new(crowd.clone()));
    for name in ["@m0", "@m1"] {
        small.operate(name, "pause.set", args("{}"));
    }
    speaks(&mut small, "pat", "first");
    speaks(&mut small, "pat", "second");
    // The newest word pays for the first of them, and the one before it for the other.
    for (name, calls) in [("@m0", 1), ("@m1", 2)] {
        small.operate(name, "pause.end", args("{}"));
        small.run("1m");
        assert_eq!(crowd.calls(), calls, "{name}");
    }
    assert_eq!(small.world().inbox().dead_len(), 0);
    same_again(&small);
}

#[test]
fn who_began_hears_of_it_if_it_is_a_person_or_a_script_and_not_where_time_did() {
    let more = |schedule: &str| format!("[[being]]\nname = \"clock\"\nhome = \"/hall\"\nrole = \"guest\"\nscript = \"begins\"\n{schedule}");
    let ticks = more("[[being.schedule]]\nname = \"tick\"\nevery = \"1h\"\n");
    let mut small = hall(2, "\"brakes.calls\" = 3", &ticks);
    let crowd = Crowd::saying("Thank you!");
    small.living().asking(Box::new(crowd.clone()));
    small.run("61m");
    assert_eq!(crowd.calls(), 3);
    let told = |small: &Small, name: &str| {
        let to = small.id_of(name);
        let frames: Vec<Draft> =
            small.world().living().map(|being| being.name.to_string()).flat_map(|name| small.frames_of(&name)).collect();
        let receipts = frames
            .iter()
            .flat_map(|draft| &draft.facts)
            .filter(|fact| matches!(fact, Fact::Asked(asked) if asked.to == to && asked.is_receipt()));
        receipts.count()
    };
    assert_eq!(told(&small, "clock"), 0, "time began it");
    // A script that begins by itself, when the hour is half over.
    let half = "flow = [{ when = { \"time.minute\" = { lt = 30 } }, role = \"guest\" }, { role = \"guest\" }]\n";
    let mut small = hall(2, "\"brakes.calls\" = 3", &more(half));
    small.living().asking(Box::new(crowd.clone()));
    small.run("59m");
    assert_eq!(crowd.calls(), 6);
    assert_eq!(told(&small, "clock"), 1, "a script began it");
    same_again(&small);
}

#[test]
fn a_wake_of_several_words_tells_the_newest_and_all_of_them() {
    let mut small = hall(1, "", "");
    small.living().asking(Box::new(Crowd::saying("")));
    small.operate("@m0", "pause.set", args("{}"));
    speaks(&mut small, "pat", "one");
    let wake = |small: &Small| small.world().inbox().of(small.id_of("m0")).next().cloned().unwrap();
    let one = small.world().told(&wake(&small));
    assert_eq!((one.get("content"), one.get("heard")), (Some(&Value::from("one")), None));
    speaks(&mut small, "pat", "two");
    let both = small.world().told(&wake(&small));
    assert_eq!(both.get("content"), Some(&Value::from("two")));
    let heard = r#"[{"from":"@pat","content":"one"},{"from":"@pat","content":"two"}]"#;
    assert_eq!((both.get("heard"), both.get("count")), (Some(&args(heard)), Some(&Value::Int(2))));
}

proptest! {
    #![proptest_config(cases(4, 300))]

    /// Groups that hear, speak, summon and err: no root costs more than its brake, everything ends, and it is lived again the same.
    #[test]
    fn no_root_costs_more_than_its_brake_whoever_hears_speaks_and_errs(
        models in 2usize..size(9, 26),
        calls in 1usize..40,
        depth in 1u32..12,
        deeds in prop::collection::vec(0u8..6, 1..40),
        begun in 1usize..4,
    ) {
        let mut small = hall(models, &format!("\"brakes.calls\" = {calls}\n\"brakes.depth\" = {depth}\n\"attempts.max\" = 2"), "");
        let crowd = Crowd::of(move |_, asked| match deeds[asked % deeds.len()] {
            0 | 1 => says(&format!("Word {asked}.")),
            2 => tool("summon", json!({ "target": format!("@m{}", asked % models), "content": "And you?" })),
            3 => tool("do", json!({ "target": "/nowhere", "action": "say", "args": {} })),
            4 => json!({ "content": "<tool_call>{" }),
            _ => json!({ "content": "Hm." }),
        });
        small.living().asking(Box::new(crowd.clone()));
        for word in 0..begun {
            speaks(&mut small, "pat", &format!("hello {word}"));
            small.run("2s");
        }
        small.run("2h");
        prop_assert!(crowd.calls() <= calls * begun, "{} calls, {calls} a root", crowd.calls());
        let world = small.world();
        prop_assert_eq!(world.paid().total().spend.calls, crowd.calls() as u64, "the ledger counts what was asked");
        prop_assert_eq!(world.inbox().len(), world.inbox().of(small.id_of("pat")).count(), "something goes on");
        prop_assert_eq!(small.replay().unwrap().difference, None);
    }
}

/// A source of so many models who hear each other, and what is said of its price.
fn talkers(terminal: &Terminal, models: usize, config: &str) {
    let beings: String =
        (0..models).map(|at| format!("[[being]]\nname = \"m{at}\"\nhome = \"/hall\"\nrole = \"guest\"\ncognition = \"llm\"\n")).collect();
    let schedule = "[[being.schedule]]\nname = \"turn\"\nevery = \"1h\"\n";
    terminal.write(
        "w/world.toml",
        &format!(
            "name = \"w\"\nstart = \"2026-03-02T08:00:00\"\n[config]\n\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = {{ base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\" }}\n{config}\n\
             [[space]]\npath = \"/hall\"\nallow = [\"say\"]\n{beings}{schedule}"
        ),
    );
    let role = "---\nname: guest\ncanSee: ['**']\ncanDo: [say]\ntriggerOn: [message, hear, schedule]\n---\nYou are a guest.\n";
    terminal.write("w/roles/guest.md", role);
}

#[test]
fn check_says_what_one_word_may_cost_and_how_often_models_are_asked() {
    let terminal = Terminal::new();
    for (models, config, price) in [
        (
            25,
            "",
            "25 such models stand in /hall: one word there may cost 200 calls (25 that hear × `brakes.depth` 64, at most `brakes.calls` 200)",
        ),
        (3, "\"brakes.depth\" = 4", "one word there may cost 12 calls (3 that hear × `brakes.depth` 4"),
    ] {
        talkers(&terminal, models, config);
        terminal.types("check w").says(&["role guest: triggerOn", price, "say by `brakes.calls`"]);
    }
    // No warning where the price is said, and none for a model that stands alone.
    for (models, config) in [(25, "\"brakes.calls\" = 50"), (1, "")] {
        talkers(&terminal, models, config);
        assert!(!terminal.types("check w").ok().contains("one word there"), "{config}");
    }
    talkers(&terminal, 3, "\"brakes.calls\" = 50");
    // One of three speaks each hour, and two hear it.
    terminal.types("check w").says(&["models: 24 calls a day by their schedules, and some 48 more"]);
    let guess = terminal.types("usage --estimate w --for 1d --json").json();
    let calls = |of: &str| guess[of]["calls"].as_u64().unwrap();
    assert_eq!((calls("total"), calls("answers")), (24, 48));
    terminal.types("usage --estimate w --for 1d").says(&["and answers, about"]);
}

#[test]
fn the_end_of_a_run_names_the_beginnings_that_cost_most_by_their_first_words() {
    let terminal = Terminal::new();
    talkers(&terminal, 3, "\"brakes.calls\" = 6");
    let server = Faulty::new(|_| good());
    terminal.write(
        "w/world.toml",
        &terminal
            .read("w/world.toml")
            .replace("http://127.0.0.1:9/v1", &server.url)
            .replace("every = \"1h\"", "at = \"2027-01-01T00:00:00\""),
    );
    terminal.types("run w --moments 0 --quiet").ok();
    terminal.types("do @operator move '{\"to\":\"/hall\"}'").ok();
    for words in ["good morning to all of you", "how is the soup?"] {
        terminal.types(&format!("do /hall say '{{\"content\":\"{words}\"}}'")).ok();
        terminal.types("run --for 1m --quiet").says(&["cost most:\n  6 calls, 60 tokens: @operator: \"", words]);
    }
    let used = terminal.types("usage --json").json();
    let roots: Vec<u64> = used["roots"].as_object().unwrap().values().map(|sum| sum["calls"].as_u64().unwrap()).collect();
    assert_eq!((roots, used["total"]["calls"].as_u64()), (vec![6, 6], Some(12)));
    assert_eq!(server.count(), 12, "what is counted is what the server was asked");
}
