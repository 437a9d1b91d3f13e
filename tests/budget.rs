//! Budget: is what models may cost held back before they are asked, never overshot, and counted when nobody hears the end?

use std::net::TcpListener;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use reelm::cognition::{Asking, Reply, Request};
use reelm::dialect::TokenCount;
use reelm::fact::{Call, Closing, Code, Draft, Fact, SpaceId, Spend, Verbs};
use reelm::minds::Minds;
use reelm::moment::is_asking;
use reelm::past::Usage;
use reelm::run::{Gesture, RunError};
use reelm::world::{Account, Paid, Period};

use super::cassette::salon_at;
use super::kit::{Small, args, code, source};
use super::real_model::one_request;
use super::terminal::Terminal;

/// A model that says a fixed thing, reports fixed tokens, and counts how often it was asked.
#[derive(Clone)]
struct Meter {
    reply: Reply,
    asked: Arc<Mutex<Vec<Request>>>,
}

const SAYS: &str = r#"{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"Nothing to do."}}]}"#;

impl Meter {
    fn of(input: u64, output: u64) -> Self {
        let last = Asking {
            status: Some(200),
            body: Some(SAYS.into()),
            usage: Some(TokenCount { input, cached: 0, output }),
            ..Asking::default()
        };
        let mut reply = Reply::of(last);
        reply.ms = Some(12);
        Self { reply, asked: Arc::default() }
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl Minds for Meter {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        self.asked.lock().unwrap().extend_from_slice(requests);
        vec![self.reply.clone(); requests.len()]
    }
}

/// Ada and Bob think every ten minutes, in two rooms of one house.
fn world(config: &str) -> String {
    let being = |name: &str, home: &str| {
        format!(
            "[[being]]\nname = \"{name}\"\nhome = \"{home}\"\nrole = \"deaf\"\ncognition = \"llm\"\n\
             [[being.schedule]]\nname = \"turn\"\nevery = \"10m\"\n"
        )
    };
    format!(
        "[config]\n\"llm.connection\" = \"tiny\"\n\
         \"llm.tiny\" = {{ base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\", sampling = {{ max_tokens = 50 }} }}\n{config}\n\
         [[space]]\npath = \"/house\"\n[[space]]\npath = \"/house/hall\"\n[[space]]\npath = \"/house/attic\"\n{}{}",
        being("ada", "/house/hall"),
        being("bob", "/house/attic")
    )
}

fn lived(config: &str, meter: &Meter, duration: &str) -> Small {
    let mut small = Small::plant(&world(config));
    small.living().asking(Box::new(meter.clone()));
    small.run(duration);
    small
}

/// The places of those moments that no budget had room for.
fn held_up(drafts: &[Draft]) -> Vec<String> {
    drafts.iter().filter(|draft| code(draft) == "budget").map(|draft| draft.closing.reason().unwrap().at.to_string()).collect()
}

fn spend_of(draft: &Draft) -> Option<Spend> {
    draft.facts.iter().find_map(|fact| if let Fact::Spent(spent) = fact { Some(spent.spend) } else { None })
}

#[test]
fn the_attempt_stands_before_the_call_and_is_settled_after_it() {
    let meter = Meter::of(100, 7);
    let small = lived("", &meter, "11m");
    let frames = small.frames_of("ada");
    assert_eq!(frames.len(), 2);
    assert!(is_asking(&frames[0]) && !is_asking(&frames[1]));
    assert_eq!(small.world().being_named("ada").unwrap().moments, 1, "her draws do not depend on whether a model was asked");
    let Fact::Reserved(reserved) = &frames[0].facts[0] else { panic!("{:?}", frames[0].facts) };
    assert!(reserved.calls == 3 && reserved.output == 150 && reserved.input > 300, "three attempts are held back: {reserved:?}");
    assert_eq!(frames[0].wake, frames[1].wake);
    assert_eq!(frames[0].opened, frames[1].opened);
    assert_eq!(spend_of(&frames[1]), Some(Spend { calls: 1, input: 100, output: 7, money: 0, bytes: 0 }));
    // Two beings: what was held back has given way to what was spent.
    let world = small.world();
    let spent = world.ledger().spent(Account::World, Period::Day, world.at(), 0);
    assert_eq!(spent, Spend { calls: 2, input: 200, output: 14, money: 0, bytes: 0 });
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_budget_of_calls_holds_up_whoever_is_over_it_until_the_hour_turns() {
    let meter = Meter::of(100, 7);
    // Ten calls of two beings would fall into the hour; each of them reserves three, and makes do with one.
    let mut small = lived(r#""llm.budget" = { hour = { calls = 4 } }"#, &meter, "59m");
    assert_eq!(meter.asked(), 4);
    let all = [small.reel("ada"), small.reel("bob")].concat();
    assert!(held_up(&all).len() >= 2 && held_up(&all).iter().all(|place| place == "hour calls of the world"), "{:?}", held_up(&all));
    assert!(all.iter().all(|draft| draft.closing.word() != "dead-letter"), "to wait for a budget is no failed attempt");
    // Both waited for the turn of the hour, and are asked then.
    small.run("2m");
    assert_eq!(meter.asked(), 6);
    let world = small.world();
    assert_eq!(world.ledger().spent(Account::World, Period::Hour, world.at(), 0).calls, 2);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn an_hour_turns_where_the_world_lies() {
    // A quarter to six when the world begins: the hour turns after fifteen minutes.
    let mut source = source(&world(r#""llm.budget" = { hour = { calls = 1 } }"#));
    source.zone = "Asia/Kathmandu".to_owned();
    let mut small = Small::grow(&source, 1, 1);
    let meter = Meter::of(100, 7);
    small.living().asking(Box::new(meter.clone()));
    small.run("14m");
    assert_eq!(meter.asked(), 1);
    small.run("2m");
    assert_eq!(meter.asked(), 2);
}

#[test]
fn who_ends_in_a_call_holds_nothing_back_any_more() {
    let whole = lived("", &Meter::of(100, 7), "11m");
    let asking = whole.frames_of("ada").remove(0).seq;
    let group = (0..=whole.shelf.groups().len()).find(|count| whole.cut(*count).world().next_seq() > asking).unwrap();
    let mut cut = whole.cut(group);
    let ada = cut.id_of("ada");
    assert!(cut.world().ledger().held_by(ada).is_some());
    cut.act("operator", Call::be("end", args(r#"{"being":"@ada"}"#)));
    cut.living().asking(Box::new(Meter::of(100, 7)));
    cut.run("1s");
    assert_eq!(cut.world().ledger().held_by(ada), None);
}

#[test]
fn the_one_whose_budget_is_spent_does_not_hold_up_the_others() {
    for (of, limits, place) in
        [("@ada", r#"{"day":{"calls":2}}"#, "day calls of @ada"), ("/house/hall", r#"{"day":{"tokens":1}}"#, "day tokens of /house/hall")]
    {
        let meter = Meter::of(100, 7);
        let mut small = Small::plant(&world(""));
        small.operate(of, "config.set", args(&format!(r#"{{"key":"llm.budget","value":{limits}}}"#)));
        small.living().asking(Box::new(meter.clone()));
        small.run("61m");
        assert!(held_up(&small.reel("ada")).iter().all(|held| held == place), "{:?}", held_up(&small.reel("ada")));
        assert!(!held_up(&small.reel("ada")).is_empty(), "{of}");
        assert_eq!(held_up(&small.reel("bob")), Vec::<String>::new());
        assert_eq!(small.reel("bob").iter().filter(|draft| draft.closing == Closing::See).count(), 6);
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn a_budget_of_an_outer_space_holds_for_all_who_stand_inside_it() {
    let limits = r#"{"hour":{"calls":4}}"#;
    for (outer, account) in [("/house", "/house"), ("/", "the world")] {
        let meter = Meter::of(100, 7);
        let mut small = Small::plant(&world(""));
        small.operate(outer, "config.set", args(&format!(r#"{{"key":"llm.budget","value":{limits}}}"#)));
        small.living().asking(Box::new(meter.clone()));
        small.run("59m");
        // The two stand in two rooms of it: what one of them has spent the other cannot spend.
        assert_eq!(meter.asked(), 4, "{outer}");
        let all = [held_up(&small.reel("ada")), held_up(&small.reel("bob"))];
        assert!(
            all.iter().all(|held| !held.is_empty() && held.iter().all(|place| *place == format!("hour calls of {account}"))),
            "{all:?}"
        );
        let world = small.world();
        let house = world.child_space(SpaceId::ROOT, "house").unwrap();
        for (space, calls) in [(SpaceId::ROOT, 4), (house, 4), (world.child_space(house, "hall").unwrap(), 2)] {
            assert_eq!(world.ledger().spent(Account::Space(space), Period::Hour, world.at(), 0).calls, calls);
        }
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn a_budget_further_in_narrows_and_never_widens() {
    let meter = Meter::of(100, 7);
    let mut small = Small::plant(&world(r#""llm.budget.being" = { day = { calls = 3 } }"#));
    small.operate("@ada", "config.set", args(r#"{"key":"llm.budget","value":{"day":{"calls":1}}}"#));
    small.operate("/house/attic", "config.set", args(r#"{"key":"llm.budget","value":{"day":{"calls":1000}}}"#));
    small.living().asking(Box::new(meter.clone()));
    small.run("61m");
    let asked = |name: &str| small.reel(name).iter().filter(|draft| spend_of(draft).is_some()).count();
    assert_eq!((asked("ada"), asked("bob")), (1, 3));
}

#[test]
fn money_is_counted_in_millionths_and_rounded_up_and_a_model_without_a_price_has_no_budget() {
    let config = "\"llm.prices\" = { tiny = { input = 0.15, output = 0.6 } }\n\"llm.budget\" = { day = { money = 1.0 } }";
    let meter = Meter::of(101, 7);
    let small = lived(config, &meter, "11m");
    // 101 × 0.15 + 7 × 0.6 = 19.35
    assert_eq!(spend_of(&small.reel("ada")[0]).unwrap().money, 20);
    // The first two calls leave less than a third can cost.
    let small = lived(&config.replace("1.0", "0.0002"), &Meter::of(101, 7), "11m");
    let held = [held_up(&small.reel("ada")), held_up(&small.reel("bob"))].concat();
    assert!(!held.is_empty() && held.iter().all(|place| place == "day money of the world"), "{held:?}");
    let meter = Meter::of(101, 7);
    let small = lived(r#""llm.budget" = { day = { money = 1.0 } }"#, &meter, "11m");
    // It is held as one without a connection is, until there is a price.
    assert_eq!((small.frames_of("ada").len(), meter.asked()), (0, 0));
    let mut small = small;
    small.operate("/", "config.set", args(r#"{"key":"llm.prices","value":{"tiny":{"input":0.15,"output":0.6}}}"#));
    small.run("1m");
    assert!(meter.asked() > 0);
}

#[test]
fn a_budget_for_a_root_holds_for_all_that_goes_back_to_one_summons() {
    let meter = Meter::of(100, 7);
    let mut small = Small::plant(&world(r#""llm.budget.root" = { day = { tokens = 10 } }"#));
    small.living().asking(Box::new(meter.clone()));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Well?"}"#)));
    small.run("11m");
    // The summons has a root, the schedules have none.
    assert_eq!(held_up(&small.reel("ada")).len(), 1);
    assert!(held_up(&small.reel("ada"))[0].starts_with("day tokens of root "));
    assert_eq!(meter.asked(), 2);
}

#[test]
fn no_budget_is_ever_overshot_whatever_comes_back() {
    // A server that uses all that it may, and one of which nothing is heard but that it broke off.
    let broken = Reply::failed(Code::ReplyBroken);
    for reply in [Meter::of(7_000, 50).reply, broken] {
        let meter = Meter { reply, asked: Arc::default() };
        let small = lived(r#""llm.budget" = { day = { tokens = 200000 } }"#, &meter, "13h");
        let spent = small.world().ledger().spent(Account::World, Period::Day, small.world().at(), 0);
        assert!(spent.tokens() <= 200_000 && meter.asked() > 9, "{spent:?} in {} calls", meter.asked());
        let frames = small.shelf.frames();
        assert!(frames.iter().any(|frame| code(frame.draft()) == "budget"), "the budget was reached");
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn a_crash_between_asking_and_hearing_counts_the_call_and_the_attempt() {
    let meter = Meter::of(100, 7);
    let whole = lived("", &meter, "11m");
    let groups = whole.shelf.groups();
    // The frames that ask are a group of their own, before the one that closes their moments.
    let asking = whole.frames_of("ada").remove(0).seq;
    let group = (0..=groups.len()).find(|count| whole.cut(*count).world().next_seq() > asking).unwrap();
    let mut cut = whole.cut(group);
    assert!(cut.world().being_named("ada").unwrap().last_seq == asking, "the crash came before the end of her moment");
    let before = cut.world().ledger().spent(Account::Being(cut.id_of("ada")), Period::Day, cut.world().at(), 0);
    assert_eq!(before.calls, 3);
    let again = Meter::of(100, 7);
    cut.living().asking(Box::new(again.clone()));
    cut.run("1m");
    let hers = cut.reel("ada");
    assert_eq!((code(&hers[0]).as_str(), hers[0].closing.word(), hers[0].attempt), ("unanswered", "failed", 1));
    assert_eq!((hers[1].closing.clone(), hers[1].attempt), (Closing::See, 2));
    assert_eq!(again.asked(), 2, "each of the two is asked once more, and not twice");
    // A reserve that was held back stays spent; later costs are added.
    let after = cut.world().ledger().spent(Account::Being(cut.id_of("ada")), Period::Day, cut.world().at(), 0);
    assert_eq!((after.calls, after.output), (before.calls + 1, before.output + 7));
    let mut usage = Usage::default();
    cut.shelf.frames().iter().for_each(|frame| usage.add(frame.draft(), &cut.world()));
    assert_eq!((usage.total.moments, usage.total.unanswered, usage.beings["@ada"].spend), (4, 2, after));
    // Opened again from what was kept it is the same world, and it replays.
    let hash = cut.world().hash();
    cut.reopen();
    assert_eq!(cut.world().hash(), hash);
    assert_eq!(cut.replay().unwrap().difference, None);
}

#[test]
fn who_drives_a_being_answers_what_its_model_has_left_and_the_call_is_counted() {
    let whole = lived("", &Meter::of(100, 7), "11m");
    let asking = whole.frames_of("ada").remove(0);
    let group = (0..=whole.shelf.groups().len()).find(|count| whole.cut(*count).world().next_seq() > asking.seq).unwrap();
    let mut cut = whole.cut(group);
    cut.act("operator", Call::be("inhabit", args(r#"{"being":"@ada"}"#)));
    let say = Call::doing("@ada", "quality.set", args(r#"{"path":"t.mine","value":1}"#));
    let answer = |call: Call| Gesture {
        being: "ada".into(),
        call: Some(call),
        wake: Some(asking.wake.clone()),
        by: None,
        metered: false,
        once: None,
        only: Verbs::ALL,
    };
    assert_eq!(cut.living().gesture(answer(say.clone())).unwrap().closing.word(), "act");
    assert!(matches!(cut.living().gesture(answer(say)), Err(RunError::Answered { .. })));
    let last = cut.reel("ada").pop().unwrap();
    assert_eq!((last.wake.clone(), spend_of(&last).map(|spend| spend.calls)), (asking.wake, Some(3)));
    assert_eq!(cut.replay().unwrap().difference, None);
}

#[test]
fn while_a_model_is_asked_others_find_its_being_in_the_stack_of_that_moment() {
    let clause = "role = \"deaf\"\ncognition = \"llm\"\nflow = [{ when = { verb = \"summon\" }, role = \"mute\" }]\n";
    let mut whole = Small::plant(&world("").replacen("role = \"deaf\"\ncognition = \"llm\"\n", clause, 1));
    whole.living().asking(Box::new(Meter::of(100, 7)));
    whole.act("operator", Call::summon("@ada", args(r#"{"content":"hello"}"#)));
    whole.run("1s");
    let asking = whole.frames_of("ada").remove(0);
    assert!(is_asking(&asking));
    let found = |small: &Small| small.world().wears(small.id_of("ada"), small.world().now()).to_vec();
    let group = (0..=whole.shelf.groups().len()).find(|count| whole.cut(*count).world().next_seq() > asking.seq).unwrap();
    let mut cut = whole.cut(group);
    assert_eq!((found(&cut)[0].as_ref(), found(&whole)[0].as_ref()), ("mute", "deaf"));
    cut.reopen();
    assert_eq!(found(&cut)[0].as_ref(), "mute");
    assert_eq!(whole.replay().unwrap().difference, None);
}

#[test]
fn a_process_that_is_killed_in_a_call_has_said_before_what_it_may_cost() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let terminal = Terminal::new();
    salon_at(&terminal, &format!("http://{}/v1", listener.local_addr().unwrap()));
    let mut run = terminal.command("run salon --for 25s --quiet").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (mut line, _) = listener.accept().unwrap();
    let request = one_request(&mut line);
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(request.contains("You are @ben"));
    // Nobody listens any more: what comes now is refused at once.
    drop((line, listener));
    let used = terminal.types("usage --json").json();
    assert_eq!((used["total"]["moments"].as_u64(), used["held"]["open"].as_u64()), (Some(0), Some(1)), "{used}");
    let held = &used["held"]["spend"];
    assert!(held["calls"].as_u64() == Some(3) && used["reserved"] == *held, "{used}");
    terminal.types("run --for 100ms --quiet").ok();
    terminal.types("log --raw @ben").says(&["requeued (asking)", "failed (unanswered)"]);
    // It is the same reservation, now closed, and no second one.
    let after = terminal.types("usage --json").json();
    assert_eq!((after["total"]["unanswered"].as_u64(), &after["total"]["input"], &after["reserved"]), (Some(1), &held["input"], held));
    terminal.types("replay").ok();
}

#[test]
fn a_being_that_ends_takes_its_accounts_along_and_the_world_keeps_its_own() {
    let meter = Meter::of(100, 7);
    let mut small = lived("", &meter, "11m");
    let ada = small.id_of("ada");
    small.act("operator", Call::be("end", args(r#"{"being":"@ada"}"#)));
    let world = small.world();
    let spent = |account: Account| world.ledger().spent(account, Period::Day, world.at(), 0).calls;
    assert_eq!((world.being(ada).unwrap().ended, spent(Account::Being(ada)), spent(Account::World)), (true, 0, 2));
    let hash = world.hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
}

#[test]
fn usage_is_summed_by_being_space_model_and_day() {
    let meter = Meter::of(100, 7);
    let small = lived("", &meter, "31m");
    let mut usage = Usage::default();
    small.shelf.frames().iter().for_each(|frame| usage.add(frame.draft(), &small.world()));
    let mut held = Usage::default();
    held.pay(small.kept_world().paid(), &Paid::default());
    assert_eq!(held, usage, "what the world holds, also from a checkpoint, is what its moments come to");
    assert_eq!((usage.total.moments, usage.total.spend.input, usage.total.latency()), (6, 600, Some(12)));
    assert_eq!((usage.beings["@ada"].moments, usage.spaces["/house/attic"].moments), (3, 3));
    assert_eq!((usage.models["tiny"].spend.output, usage.days["2026-03-02"].spend.calls), (42, 6));
}

#[test]
fn what_a_trial_costs_is_at_most_what_was_held_back_and_no_mind_tells_it() {
    let mut small = lived("", &Meter::of(1, 1), "1m");
    small.operate("@operator", "config.set", args(r#"{"key":"llm.budget","value":{"day":{"calls":3}}}"#));
    let told = |action: &str, json: &str| Call::doing("@ada", action, args(json));
    let reserve = |calls: i64| told("model.reserve", &format!(r#"{{"calls":{calls},"input":10,"output":10,"money":0}}"#));
    let settle = |of: u64, output: i64| {
        let text = format!(r#"{{"of":{of},"connection":"tiny","model":"tiny","calls":1,"input":1,"output":{output},"money":0,"ms":5}}"#);
        told("model.settle", &text)
    };
    let held = small.act("operator", reserve(2));
    assert_eq!(code(&small.act("operator", reserve(2))), "budget");
    assert_eq!(code(&small.act("operator", told("model.reserve", r#"{"calls":1e30,"input":1,"output":1,"money":0}"#))), "args-type");
    assert_eq!(code(&small.act("operator", settle(held.seq, 11))), "args-maximum");
    assert_eq!(code(&small.act("operator", settle(held.seq + 1, 1))), "not-found");
    assert_eq!(small.act("operator", settle(held.seq, 2)).closing, Closing::Act);
    assert_eq!(code(&small.act("operator", settle(held.seq, 2))), "not-found");
    let world = small.world();
    assert_eq!(
        world.ledger().spent(Account::Being(world.operator()), Period::Day, world.at(), 0),
        Spend { calls: 1, input: 1, output: 2, money: 0, bytes: 0 }
    );
    // A mind that may do everything may not do that.
    let script = r#"fn think(face) { act("@ada", "model.reserve", #{ calls: 1, input: 1, output: 1, money: 0, bytes: 0 }) }"#;
    small.operate("/", "script.set", args(&serde_json::json!({ "name": "spend", "source": script }).to_string()));
    small.operate("@bob", "cognition.set", args(r#"{"cognition":"script","script":"spend"}"#));
    small.run("20m");
    assert_eq!(code(small.reel("bob").last().unwrap()), "trial");
    assert_eq!(small.replay().unwrap().difference, None);
}
