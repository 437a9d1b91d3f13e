//! Settings: does what is said of the world, a space or a being hold there, and does a moment there come out otherwise for it?

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use reelm::cognition::{Asking, Reply, Request};
use reelm::fact::{Call, Closing, Fact, SpaceId, Text, Thing, Value};
use reelm::minds::Minds;
use reelm::run::Stopped;
use reelm::world::{Merge, Sayer, World, settings};
use serde_json::{Value as Json, json};

use super::kit::{self, Small, args, code, package, source};

/// Minds that keep their requests; each answers that there is nothing to do.
#[derive(Clone, Default)]
struct Ears(Arc<Mutex<Vec<Request>>>);

const SAYS: &str = r#"{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"Nothing to do."}}]}"#;

impl Minds for Ears {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        self.0.lock().unwrap().extend_from_slice(requests);
        vec![Reply::of(Asking { status: Some(200), body: Some(SAYS.into()), ..Asking::default() }); requests.len()]
    }
}

/// Minds whose replies cannot be read.
struct Garbled;

impl Minds for Garbled {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let says = SAYS.replace("Nothing to do.", "<tool_call>{");
        vec![Reply::of(Asking { status: Some(200), body: Some(says.into()), ..Asking::default() }); requests.len()]
    }
}

/// A house of two rooms, the hall with a nook, and a yard. The hall is @owen's.
const HOUSE: &str = r#"
[config]
"llm.connection" = "small"
"llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "small", sampling = { temperature = 0, max_tokens = 100 } }
"llm.big" = { base_url = "http://127.0.0.1:9/v1", model = "big" }
[[space]]
path = "/hall"
owner = "@owen"
[[space]]
path = "/hall/nook"
[[space]]
path = "/yard"
[[being]]
name = "owen"
home = "/hall"
role = "free"
cognition = "human"
[[being]]
name = "ada"
home = "/hall/nook"
role = "free"
script = "SCRIPT"
[[being]]
name = "bob"
home = "/yard"
role = "free"
script = "SCRIPT"
"#;

/// The house, in which @ada and @bob think by this script; `llm`: a model does.
fn house(script: &str) -> Small {
    let text = match script {
        "llm" => HOUSE.replace("script = \"SCRIPT\"", "cognition = \"llm\"\nquality.t.n = 1"),
        script => HOUSE.replace("SCRIPT", script),
    };
    Small::plant(&text)
}

fn say(small: &mut Small, at: &str, key: &str, value: &Json) {
    small.operate(at, "config.set", args(&json!({ "key": key, "value": value }).to_string()));
}

/// The outcome when somebody else sets it.
fn says(small: &mut Small, who: &str, at: &str, key: &str, value: &Json) -> String {
    let call = Call::doing(at, "config.set", args(&json!({ "key": key, "value": value }).to_string()));
    code(&small.act(who, call))
}

fn summon(small: &mut Small, name: &str) {
    small.act("operator", Call::summon(name, args(r#"{"content":"well?"}"#)));
}

/// The codes of the moments of @ada in the nook and of @bob in the yard, when each is summoned.
fn both(small: &mut Small) -> [Vec<String>; 2] {
    ["ada", "bob"].map(|name| {
        let before = small.reel(name).len();
        summon(small, &format!("@{name}"));
        small.run("10m");
        small.reel(name)[before..].iter().map(code).collect()
    })
}

/// The body of what @ada's and @bob's models are sent.
fn asked(small: &mut Small) -> [Json; 2] {
    let ears = Ears::default();
    small.living().asking(Box::new(ears.clone()));
    ["@ada", "@bob"].map(|name| {
        ears.0.lock().unwrap().clear();
        summon(small, name);
        small.run("1m");
        let heard = ears.0.lock().unwrap();
        heard.last().map_or(Json::Null, |request| serde_json::from_str(&request.body).unwrap())
    })
}

fn models(small: &mut Small) -> [String; 2] {
    asked(small).map(|body| body["model"].as_str().unwrap_or("nobody").to_owned())
}

/// A setting that changes how moments in the hall come out, and leaves those in the yard as they are.
fn tried() -> Vec<(&'static str, fn())> {
    vec![
        ("enforce", || {
            let mut small = house("llm");
            say(&mut small, "@ada", "llm.connection", &json!("big"));
            assert_eq!(models(&mut small), ["big", "small"]);
            say(&mut small, "/hall", "enforce", &json!(["llm.connection"]));
            assert_eq!(models(&mut small), ["small", "small"]);
        }),
        ("absence", || {
            let person = "[[being]]\nname = \"cyd\"\nhome = \"/hall/nook\"\nrole = \"free\"\ncognition = \"human\"\n";
            for (at, stopped) in [("/yard", Stopped::Quiet), ("/hall", Stopped::WaitsFor("cyd".to_owned()))] {
                let mut small = Small::plant(&format!("{}{person}", HOUSE.replace("SCRIPT", "count")));
                say(&mut small, at, "absence", &json!("wait"));
                summon(&mut small, "@cyd");
                assert_eq!(small.run("1m").stopped, stopped, "{at}");
            }
        }),
        ("steward", || {
            let mut small = house("count");
            say(&mut small, "/hall", "steward", &json!("@bob"));
            let codes = ["/hall/nook", "/yard"].map(|at| code(&small.act("operator", Call::summon(at, args(r#"{"content":"well?"}"#)))));
            small.run("1m");
            assert_eq!((codes, small.reel("bob").len()), (["act".to_owned(), "no-steward".to_owned()], 1));
        }),
        ("brakes.depth", || {
            let mut small = house("pass");
            say(&mut small, "@ada", "brakes.depth", &json!(3));
            summon(&mut small, "@ada");
            small.run("1m");
            let last = small.reel("ada").last().map(code).unwrap();
            assert_eq!((last.as_str(), small.reel("ada").len(), small.reel("bob").len()), ("brake-depth", 3, 3));
        }),
        ("wakes.change", || {
            // Each act makes another role the previous one, so that the flow gives another.
            let flow = "role = \"free\"\nflow = [{ when = { \"me.previousRole\" = \"free\" }, role = \"deaf\" }]\nscript";
            let mut small = Small::plant(&HOUSE.replace("role = \"free\"\nscript", flow).replace("SCRIPT", "count"));
            say(&mut small, "/hall", "wakes.change", &json!(60_000));
            assert_eq!(both(&mut small).map(|moments| moments.len()), [11, 64]);
        }),
        ("brakes.moments", || {
            let mut small = house("pass");
            say(&mut small, "/hall/nook", "brakes.moments", &json!(4));
            summon(&mut small, "@ada");
            small.run("1m");
            assert_eq!(small.reel("ada").last().map(code).unwrap(), "brake-moments");
            // The last is a receipt that it ends, which is braked itself.
            assert_eq!(small.reel("ada").len() + small.reel("bob").len(), 6);
        }),
        ("brakes.calls", || {
            let mut small = house("llm");
            say(&mut small, "/hall", "brakes.calls", &json!(1));
            // A reply that nobody can read is asked for again, as often as it may be.
            small.living().asking(Box::new(Garbled));
            assert_eq!(both(&mut small), [vec!["reply-malformed", "brake-calls"], vec!["reply-malformed"; 3]]);
        }),
        ("brakes.continue", || {
            let mut small =
                Small::plant(&HOUSE.replace("SCRIPT", "thrice").replace("role = \"free\"\nscript", "role = \"tireless\"\nscript"));
            say(&mut small, "/hall", "brakes.continue", &json!(1));
            assert_eq!(both(&mut small), [vec!["act", "act", "brake-continue"], vec!["act", "act", "act", "see"]]);
        }),
        ("brakes.repeat", || {
            let mut small = house("pass");
            say(&mut small, "/hall/nook", "brakes.repeat", &json!(3));
            let codes = both(&mut small).map(|codes| codes.into_iter().filter(|code| code == "brake-repeat").count());
            assert_eq!(codes, [1, 0]);
        }),
        ("brakes.refusals", || {
            let mut small = house("demote");
            say(&mut small, "/hall", "brakes.refusals", &json!(1));
            let both_times = [both(&mut small), both(&mut small)].map(|codes| codes.map(|codes| codes.len()));
            assert_eq!(both_times, [[1, 1], [0, 1]]);
        }),
        ("brakes.failures", || {
            let mut small = house("fail");
            say(&mut small, "/hall", "brakes.failures", &json!(1));
            assert_eq!(both(&mut small).map(|codes| codes.len()), [1, 3]);
        }),
        ("brakes.rate", || {
            let mut small = house("fail");
            say(&mut small, "/hall", "brakes.rate", &json!(1));
            both(&mut small);
            let waited = |name: &str| small.reel(name)[1].at - small.reel(name)[0].at;
            assert!(waited("ada") > 30_000 && waited("bob") == 1_000, "{}", waited("ada"));
        }),
        ("limits.inbox", || {
            let mut small = Small::plant(&HOUSE.replace("script = \"SCRIPT\"", "cognition = \"human\""));
            say(&mut small, "/hall", "limits.inbox", &json!(1));
            let mut speak = |name: &str| code(&small.act("operator", Call::summon(name, args(r#"{"content":"well?"}"#))));
            assert_eq!(["@ada", "@ada", "@bob", "@bob"].map(&mut speak), ["act", "inbox-full", "act", "act"]);
        }),
        ("limits.things", || {
            let mut small = house("fail");
            say(&mut small, "/hall", "limits.things", &json!(1));
            let made = |(who, at): (&str, &str)| code(&small.act(who, Call::doing(at, "matter.make", args(r#"{"name":"cup"}"#))));
            assert_eq!([("owen", "/hall"), ("operator", "/yard")].map(made), ["limit-things", "act"]);
        }),
        ("limits.dead", || {
            let mut small = house("fail");
            say(&mut small, "/hall", "limits.dead", &json!(1));
            both(&mut small);
            both(&mut small);
            let of = |name: &str| small.world().inbox().dead().filter(|(being, _)| *being == small.id_of(name)).count();
            assert_eq!((of("ada"), of("bob")), (1, 2));
        }),
        ("attempts.max", || {
            let mut small = house("fail");
            say(&mut small, "/hall", "attempts.max", &json!(1));
            assert_eq!(both(&mut small).map(|codes| codes.len()), [1, 3]);
        }),
        ("attempts.backoff_ms", || {
            let mut small = house("fail");
            say(&mut small, "@ada", "attempts.backoff_ms", &json!(5_000));
            both(&mut small);
            let waited = |name: &str| small.reel(name)[1].at - small.reel(name)[0].at;
            assert_eq!((waited("ada"), waited("bob")), (5_000, 1_000));
        }),
        ("tokens.words", || {
            let mut small = house("llm");
            let role =
                |words: &str| args(&json!({ "name": "free", "role": { "name": "free", "canSee": ["**"], "prompt": words } }).to_string());
            small.operate("/", "role.set", role("You are patient, and you read to the end."));
            say(&mut small, "@ada", "tokens.words", &json!(0));
            let bodies = asked(&mut small).map(|body| body["messages"][0]["content"].to_string());
            assert!(!bodies[0].contains("patient") && bodies[1].contains("patient"), "{bodies:?}");
            say(&mut small, "/", "tokens.words", &json!(5));
            let refused = small.act("operator", Call::doing("/", "role.set", role("You are patient, and you read to the end.")));
            assert_eq!(code(&refused), "role-too-long");
        }),
        ("tokens.place", || is_told_less("tokens.place", "[place]")),
        ("tokens.me", || is_told_less("tokens.me", "[me]")),
        ("tokens.keep", || {
            let mut small = house("llm");
            for name in ["ada", "bob"] {
                small.act("operator", Call::be("inhabit", args(&json!({ "being": format!("@{name}") }).to_string())));
                small.act(name, Call::doing(&format!("@{name}"), "keep", args(r#"{"content":"I owe the baker two loaves."}"#)));
                small.act("operator", Call::be("release", args(&json!({ "being": format!("@{name}") }).to_string())));
            }
            say(&mut small, "@ada", "tokens.keep", &json!(5));
            let bodies = asked(&mut small).map(|body| body["messages"][0]["content"].to_string());
            assert!(!bodies[0].contains("[keep]") && bodies[1].contains("[keep]"), "{bodies:?}");
        }),
        ("tokens.see", || {
            let mut small = house("llm");
            let role = r#"{"name":"free","role":{"name":"free","canSee":["**"],"canDo":["**"],"see":["own-acts"],"triggerOn":["message","signal","schedule","watch"]}}"#;
            small.operate("/", "role.set", args(role));
            for name in ["ada", "bob"] {
                small.act("operator", Call::be("inhabit", args(&json!({ "being": format!("@{name}") }).to_string())));
                small.act(name, Call::doing(&format!("@{name}"), "quality.inc", args(r#"{"path":"t.n"}"#)));
                small.act("operator", Call::be("release", args(&json!({ "being": format!("@{name}") }).to_string())));
            }
            say(&mut small, "@ada", "tokens.see", &json!(0));
            let bodies = asked(&mut small).map(|body| body["messages"][0]["content"].to_string());
            assert!(!bodies[0].contains("[own-acts]") && bodies[1].contains("[own-acts]"), "{bodies:?}");
        }),
        ("tokens.recall", || {
            let mut small = house("llm");
            for place in ["/hall/nook", "/yard"] {
                small.operate("@operator", "move", args(&json!({ "to": place }).to_string()));
                small.operate(place, "say", args(r#"{"content":"a word for all"}"#));
            }
            say(&mut small, "/hall", "tokens.recall", &json!(0));
            let bodies = asked(&mut small).map(|body| body["messages"][0]["content"].to_string());
            assert!(!bodies[0].contains("a word") && bodies[1].contains("a word"), "{bodies:?}");
        }),
        ("llm.connection", || {
            let mut small = house("llm");
            say(&mut small, "/hall", "llm.connection", &json!("big"));
            assert_eq!(models(&mut small), ["big", "small"]);
            small.operate("@bob", "move", args(r#"{"to":"/hall"}"#));
            assert_eq!(models(&mut small), ["big", "big"], "whoever comes in is asked as one is asked there");
            small.operate("/hall", "config.set", args(r#"{"key":"llm.connection","value":null}"#));
            assert_eq!(models(&mut small), ["small", "small"]);
        }),
        ("llm.slots.", || {
            let mut small = house("llm");
            small.operate("/", "role.set", args(r#"{"name":"free","role":{"name":"free","slot":"writer","canSee":["**"]}}"#));
            say(&mut small, "/hall", "llm.slots.writer", &json!("big"));
            assert_eq!(models(&mut small), ["big", "small"]);
        }),
        ("llm.offered", || {
            let mut small = house("llm");
            say(&mut small, "/", "llm.offered", &json!(["big"]));
            assert_eq!(says(&mut small, "owen", "/hall", "llm.connection", &json!("big")), "act");
            assert_eq!(models(&mut small), ["big", "small"]);
            say(&mut small, "/", "llm.offered", &json!(["small"]));
            assert_eq!(models(&mut small), ["small", "small"], "what is offered no more is asked no more");
        }),
        ("llm.sampling.temperature", || sampled("temperature", &json!(0.7))),
        ("llm.sampling.top_p", || sampled("top_p", &json!(0.5))),
        ("llm.sampling.seed", || sampled("seed", &json!(11))),
        ("llm.sampling.presence_penalty", || sampled("presence_penalty", &json!(0.5))),
        ("llm.sampling.frequency_penalty", || sampled("frequency_penalty", &json!(0.5))),
        ("llm.sampling.tool_choice", || sampled("tool_choice", &json!("required"))),
        ("llm.sampling.max_tokens", || {
            sampled("max_tokens", &json!(10));
            let mut small = house("llm");
            say(&mut small, "/hall", "llm.sampling.max_tokens", &json!(500));
            assert_eq!(
                asked(&mut small).map(|body| body["max_tokens"].clone()),
                [json!(100), json!(100)],
                "the connection lets it be no longer"
            );
        }),
        ("llm.budget", || {
            let mut small = house("llm");
            say(&mut small, "/hall", "llm.budget", &json!({ "hour": { "calls": 0 } }));
            assert_eq!(models(&mut small), ["nobody", "small"]);
        }),
        ("llm.budget.being", || {
            let mut small = house("llm");
            say(&mut small, "/hall", "llm.budget.being", &json!({ "hour": { "calls": 0 } }));
            assert_eq!(models(&mut small), ["nobody", "small"]);
        }),
        ("llm.budget.root", || {
            let mut small = house("llm");
            say(&mut small, "/", "llm.budget.root", &json!({ "hour": { "calls": 0 } }));
            assert_eq!(models(&mut small), ["nobody", "nobody"]);
        }),
        ("llm.budget.total", || {
            let mut small = house("llm");
            let of = small.world().id().to_string();
            say(&mut small, "/", "llm.budget.total", &json!({ "of": "0".repeat(32), "calls": 0 }));
            assert_eq!(models(&mut small), ["small", "small"], "it names another world");
            say(&mut small, "/", "llm.budget.total", &json!({ "of": of, "calls": 2 }));
            assert_eq!(models(&mut small), ["nobody", "nobody"], "both calls were made before");
        }),
        ("llm.", || {
            let mut small = house("llm");
            say(&mut small, "/", "llm.small", &json!({ "base_url": "http://127.0.0.1:9/v1", "model": "other" }));
            assert_eq!(models(&mut small), ["other", "other"]);
        }),
        ("llm.prices", || {
            let mut small = house("llm");
            say(&mut small, "/", "llm.budget", &json!({ "hour": { "money": 5 } }));
            assert_eq!(models(&mut small), ["nobody", "nobody"], "what has no price is not asked");
            say(&mut small, "/", "llm.prices", &json!({ "small": { "input": 0.1, "output": 0.1 } }));
            assert_eq!(models(&mut small), ["small", "small"]);
        }),
        ("zone", || {
            let mut small = house("llm");
            say(&mut small, "/", "zone", &json!("Asia/Tokyo"));
            assert!(asked(&mut small)[0]["messages"][0]["content"].as_str().unwrap().contains("+09:00"));
        }),
        ("operator", || {
            let mut small = house("count");
            assert_eq!(says(&mut small, "owen", "/", "zone", &json!("Asia/Tokyo")), "gate-owner");
            say(&mut small, "/", "operator", &json!("owen"));
            assert_eq!(says(&mut small, "owen", "/", "zone", &json!("Asia/Tokyo")), "act");
        }),
    ]
}

/// Sampling that is said in the hall is sent for whoever thinks there, with all else that the connection says.
fn sampled(parameter: &str, value: &Json) {
    let mut small = house("llm");
    let [before, _] = asked(&mut small);
    say(&mut small, "/hall", &format!("llm.sampling.{parameter}"), value);
    let [mut there, mut elsewhere] = asked(&mut small);
    assert_eq!(there[parameter], *value);
    assert_ne!(elsewhere[parameter], *value);
    assert_eq!(elsewhere[parameter], before[parameter]);
    for body in [&mut there, &mut elsewhere] {
        body["messages"] = Json::Null;
        body["tools"] = Json::Null;
        body[parameter] = Json::Null;
    }
    assert_eq!(there, elsewhere, "nothing else of it is otherwise");
}

/// Settings that decide no moment, or are tested elsewhere: how time goes, what is offered over the network, which extensions there are.
const OTHERWHERE: &[&str] = &["about", "clock", "source", "llm.currency", "llm.allow", "extensions", "profiles", "bridge", "bridge."];

/// That whoever is told so few tokens of something is told nothing of it.
fn is_told_less(key: &str, title: &str) {
    let mut small = house("llm");
    say(&mut small, "@ada", key, &json!(0));
    let bodies = asked(&mut small).map(|body| body["messages"][0]["content"].to_string());
    assert!(!bodies[0].contains(title) && bodies[1].contains(title), "{bodies:?}");
}

#[test]
fn for_every_setting_a_moment_comes_out_otherwise_where_it_is_said() {
    let tried = tried();
    let known: BTreeSet<&str> =
        settings().iter().filter(|setting| setting.who != Sayer::Genesis).map(|setting| setting.key.as_ref()).collect();
    let covered: BTreeSet<&str> = tried.iter().map(|(key, _)| *key).chain(OTHERWHERE.iter().copied()).collect();
    assert_eq!(known, covered);
    let wrong: Vec<&str> = tried.iter().filter(|(_, try_it)| std::panic::catch_unwind(try_it).is_err()).map(|(key, _)| *key).collect();
    assert_eq!(wrong, Vec::<&str>::new());
}

#[test]
fn what_is_said_is_shown_with_where_it_comes_from_and_who_may_say_otherwise() {
    let mut small = house("count");
    say(&mut small, "/", "brakes.depth", &json!(40));
    say(&mut small, "/hall", "brakes.depth", &json!(9));
    say(&mut small, "/hall/nook", "brakes.depth", &json!(30));
    say(&mut small, "/hall", "llm.connection", &json!("small"));
    say(&mut small, "/hall", "enforce", &json!(["llm.connection"]));
    say(&mut small, "@ada", "llm.connection", &json!("big"));
    let world = small.world();
    let operator = world.being(world.operator()).unwrap();
    let see = |address: &str| serde_json::to_value(reelm::verb::see(&world, operator, address, world.at()).unwrap()).unwrap();
    let depth = see("@ada/.settings/brakes.depth");
    assert_eq!((&depth["value"], &depth["default"], &depth["from"]), (&json!(9), &json!(64), &json!(["/hall"])));
    assert_eq!(depth["said"].as_array().unwrap().len(), 3);
    let connection = see("@ada/.settings/llm.connection");
    assert_eq!((&connection["value"], &connection["from"]), (&json!("small"), &json!(["/hall"])));
    assert_eq!(connection["said"][2], json!({ "at": "@ada", "value": "big", "by": "@operator", "overruledBy": "/hall" }));
    assert_eq!(see("/hall/.settings/brakes.depth")["who"], json!(["@owen", "@operator"]));
    assert_eq!(see("/.settings/zone")["who"], json!(["@operator"]));
    assert_eq!(see("/.settings/seed")["who"], json!([]));
    assert_eq!(see("/yard/.settings/brakes.depth")["from"], json!(["/"]));
    assert_eq!(see("/.settings/tokens.recall")["from"], json!([]));
    let all = see("@ada/.settings");
    assert!(all["brakes.depth"]["value"] == 9 && all.get("llm.budget").is_some() && all.get("zone").is_none(), "{all}");
    assert!(see("/.settings")["llm.small"]["value"]["model"] == "small", "what is said of a family stands there by its key");
    assert!(reelm::verb::see(&world, operator, "/.settings/brakes.dpeth", world.at()).is_err());
}

#[test]
fn what_the_operator_said_at_a_place_its_owner_narrows_and_does_not_take_back() {
    let mut small = house("count");
    let budget = |calls: i64| json!({ "day": { "calls": calls } });
    assert_eq!(says(&mut small, "owen", "/hall", "llm.budget", &budget(9)), "act");
    assert_eq!(says(&mut small, "owen", "/hall", "llm.budget", &budget(12)), "act", "what one has said oneself one says anew");
    say(&mut small, "/hall", "llm.budget", &budget(5));
    for (value, closing) in
        [(budget(6), "gate-setting"), (Json::Null, "gate-setting"), (budget(4), "act"), (budget(5), "act"), (Json::Null, "act")]
    {
        assert_eq!(says(&mut small, "owen", "/hall", "llm.budget", &value), closing, "{value}");
    }
    say(&mut small, "/hall", "absence", &json!("wait"));
    assert_eq!(says(&mut small, "owen", "/hall", "absence", &Json::Null), "gate-setting", "it is not theirs to take back");
    assert_eq!(says(&mut small, "owen", "/hall", "absence", &json!("skip")), "act", "nearest: they say otherwise");
    assert_eq!(says(&mut small, "owen", "/hall", "absence", &Json::Null), "act");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_source_says_settings_and_a_world_writes_them_out_again() {
    let text = HOUSE
        .replace("SCRIPT", "count")
        .replace("path = \"/hall/nook\"\n", "path = \"/hall/nook\"\n[space.settings]\nbrakes.depth = 7\n\"llm.connection\" = \"big\"\n");
    let text = format!("{text}[being.settings]\n\"tokens.recall\" = 50\nllm.budget.day.calls = 3\n");
    let small = Small::plant(&text);
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    reelm::source::write_source(&small.world(), &out).unwrap();
    let mut again = reelm::source::Source::read(&out).unwrap();
    again.roles.extend(source("").roles);
    again.scripts.extend(source("").scripts);
    let again = Small::grow(&again, 1, 1);
    for small in [&small, &again] {
        let world = small.world();
        let (ada, bob) = (world.being_named("ada").unwrap(), world.being_named("bob").unwrap());
        assert_eq!(world.setting("brakes.depth", ada).as_int(), Some(7));
        assert_eq!(world.setting("llm.connection", ada).as_str(), Some("big"));
        assert_eq!(world.setting("tokens.recall", bob).as_int(), Some(50));
        assert_eq!(*world.setting("llm.budget", bob), args(r#"{"day":{"calls":3}}"#));
        assert_eq!(world.setting("brakes.depth", bob).as_int(), Some(64));
    }
    assert!(reelm::source::edits(&source(&text), &small.world()).is_empty(), "what a source says of settings it has said");
}

/// The settings of a law: keys of each way of coming together, set by the operator or by another.
fn any_saying() -> impl Strategy<Value = (usize, bool, &'static str, Json)> {
    let said = prop_oneof![
        (1i64..90).prop_map(|n| ("brakes.depth", json!(n))),
        (1i64..9_000).prop_map(|n| ("attempts.backoff_ms", json!(n))),
        (0i64..500).prop_map(|n| ("tokens.recall", json!(n))),
        (0i64..9, 0i64..9).prop_map(|(n, m)| ("llm.budget", json!({ "day": { "calls": n }, "hour": { "tokens": m } }))),
        prop::sample::select(vec!["small", "big", "gone"]).prop_map(|name| ("llm.connection", json!(name))),
        prop::sample::subsequence(vec!["small", "big"], 0..=2).prop_map(|names| ("llm.offered", json!(names))),
        prop::sample::subsequence(vec!["llm.connection", "absence"], 0..=2).prop_map(|keys| ("enforce", json!(keys))),
        prop::sample::select(vec!["skip", "wait"]).prop_map(|word| ("absence", json!(word))),
        prop::sample::subsequence(vec!["a", "b"], 0..=2).prop_map(|names| ("extensions", json!({ "blocked": names }))),
        prop::sample::select(vec!["brakes.depth", "llm.connection", "enforce", "llm.offered", "absence"]).prop_map(|key| (key, Json::Null)),
    ];
    (0usize..7, any::<bool>(), said).prop_map(|(at, by, (key, value))| (at, by, key, value))
}

/// The world, its spaces and its beings.
fn places(world: &World) -> Vec<Thing> {
    let spaces = world.spaces().map(|space| Thing::Space(space.id));
    spaces.chain(world.living().map(|being| Thing::Being(being.id))).collect()
}

fn held(world: &World, key: &str, at: Thing) -> Value {
    match at {
        Thing::Space(id) => world.setting_at(key, id).clone(),
        Thing::Being(id) => world.setting(key, world.being(id).unwrap()).into_owned(),
        Thing::Matter(_) => Value::Null,
    }
}

const KEYS: [&str; 9] = [
    "brakes.depth",
    "attempts.backoff_ms",
    "tokens.recall",
    "llm.budget",
    "llm.connection",
    "llm.offered",
    "enforce",
    "absence",
    "extensions",
];

proptest! {
    #![proptest_config(kit::cases(10, 96))]

    #[test]
    fn what_is_looked_up_is_what_a_walk_finds_and_no_place_widens_what_is_narrow(
        sayings in prop::collection::vec(any_saying(), 1..24), moves in prop::collection::vec((0usize..4, 0usize..4), 0..4)
    ) {
        let mut world = (*house("count").world()).clone();
        let (operator, owen) = (world.operator(), world.being_named("owen").unwrap().id);
        let seq = world.next_seq();
        for (at, is_operators, key, value) in sayings {
            let all = places(&world);
            let (of, value) = (all[at % all.len()], args(&value.to_string()));
            let fact = match of {
                Thing::Space(SpaceId::ROOT) => Fact::ConfigSet { key: key.into(), value: value.into() },
                of => Fact::ConfigSetIn { of, key: key.into(), value: value.into() },
            };
            world = world.imagine(if is_operators { operator } else { owen }, (seq, 0), 0, &[fact]);
        }
        let spaces: Vec<SpaceId> = world.spaces().map(|space| space.id).collect();
        for (space, to) in moves {
            let (of, to) = (Thing::Space(spaces[space]), Thing::Space(spaces[to]));
            if of != Thing::Space(SpaceId::ROOT) {
                world = world.imagine(operator, (seq, 0), 0, &[Fact::Moved { of, to, coords: None }]);
            }
        }
        let mut again = world.clone();
        again.hold();
        for at in places(&world) {
            for key in KEYS {
                let found = held(&world, key, at);
                prop_assert_eq!(&found, &world.tell(key, at).value, "{} at {}", key, at);
                prop_assert_eq!(&found, &held(&again, key, at), "{} at {}, worked out anew", key, at);
                let merge = settings().iter().find(|setting| setting.key.as_ref() == key).unwrap().merge;
                let around = world.way_to(at);
                if let Some(outer) = around.len().checked_sub(2).map(|outer| held(&world, key, around[outer]))
                    && matches!(merge, Merge::Narrow | Merge::Longest)
                {
                    prop_assert!(!merge.widens(&outer, &found), "{}: {} at {} inside {}", key, found, at, outer);
                }
            }
        }
    }
}

#[test]
fn what_stands_where_it_may_not_counts_for_nothing() {
    let small = house("count");
    let (owen, ada) = (small.id_of("owen"), small.id_of("ada"));
    let said = |key: &str, value: Json| (Text::from(key), args(&value.to_string()).into());
    let ((connection, big), (offered, names)) = (said("llm.connection", json!("big")), said("llm.offered", json!(["small"])));
    let ((_, small_one), (_, nothing)) = (said("llm.connection", json!("small")), said("llm.offered", json!([])));
    let of = Thing::Being(ada);
    // No act gets this far: that connections are offered is said of the world and of spaces.
    let facts = [
        Fact::ConfigSet { key: connection.clone(), value: big },
        Fact::ConfigSet { key: offered.clone(), value: names },
        Fact::ConfigSetIn { of, key: offered, value: nothing },
        Fact::ConfigSetIn { of, key: connection, value: small_one },
    ];
    let world = small.world().imagine(owen, (small.world().next_seq(), 0), 0, &facts);
    assert_eq!(held(&world, "llm.connection", of).as_str(), Some("small"));
    assert_eq!(world.tell("llm.connection", of).value.as_str(), Some("small"));
}

#[test]
fn a_source_enforces_a_setting_of_an_extension_that_it_brings_along() {
    let mut world = source(&HOUSE.replace("SCRIPT", "draw").replace("[config]", "[config]\nenforce = [\"x:loan-days\"]"));
    let manifest = "name = \"x\"\nversion = \"1.0.0\"\n[[setting]]\nkey = \"loan-days\"\nschema = { type = \"integer\" }\ndefault = 14\nwhere = [\"world\", \"space\"]\n";
    world.extensions.push(package("x", &[("manifest.toml", manifest)]));
    let mut small = Small::grow(&world, 1, 1);
    assert_eq!(small.world().world_setting("enforce").to_string(), r#"["x:loan-days"]"#);
    say(&mut small, "/", "x:loan-days", &json!(21));
    say(&mut small, "/hall", "x:loan-days", &json!(7));
    let hall = small.world().spaces().find(|space| space.name.as_ref() == "hall").unwrap().id;
    assert_eq!(small.world().setting_at("x:loan-days", hall).as_int(), Some(21), "what the world enforces holds in the hall");
}

#[test]
fn an_extensions_setting_is_read_by_its_scripts_where_one_stands_and_is_its_default_while_it_is_disabled() {
    let text = HOUSE.replace("SCRIPT", "days");
    let mut small = source(&text);
    let days = r#"fn think(face) { act(face.me.address, "quality.set", #{ path: "t.days", value: setting("x:loan-days") }) }"#;
    small.scripts.push(("days".to_owned(), "scripts/days.rhai".to_owned(), days.to_owned()));
    let files = [(
        "manifest.toml",
        "name = \"x\"\nversion = \"1.0.0\"\n[[setting]]\nkey = \"loan-days\"\nabout = \"how long\"\nschema = { type = \"integer\", minimum = 1 }\ndefault = 14\nmerge = \"narrow\"\nwhere = [\"world\", \"space\"]\n[[setting]]\nkey = \"voice\"\nschema = { type = \"string\" }\ndefault = \"soft\"\nmerge = \"outermost\"\n",
    )];
    small.extensions.push(package("x", &files));
    let mut small = Small::grow(&small, 1, 1);
    let days = |small: &mut Small| {
        both(small);
        ["ada", "bob"].map(|name| small.quality(name, "t.days").as_int().unwrap())
    };
    assert_eq!(days(&mut small), [14, 14]);
    say(&mut small, "/hall", "x:loan-days", &json!(7));
    assert_eq!(days(&mut small), [7, 14]);
    for (at, value, closing) in
        [("/hall", json!(0), "args-minimum"), ("@ada", json!(3), "setting-place"), ("/yard", json!("x"), "args-type")]
    {
        assert_eq!(says(&mut small, "operator", at, "x:loan-days", &value), closing);
    }
    assert_eq!(says(&mut small, "operator", "/hall", "x:lone-days", &json!(3)), "setting-unknown");
    small.operate("/", "extension.set", args(r#"{"name":"x","enabled":false}"#));
    assert_eq!(days(&mut small), [14, 14]);
    small.operate("/", "extension.set", args(r#"{"name":"x","enabled":true}"#));
    assert_eq!(days(&mut small), [7, 14], "what was said is there again");
    // Of this one what is said furthest out holds.
    say(&mut small, "/hall/nook", "x:voice", &json!("loud"));
    say(&mut small, "/hall", "x:voice", &json!("hushed"));
    let world = small.world();
    assert_eq!(
        ["ada", "bob"].map(|name| world.setting("x:voice", world.being_named(name).unwrap()).to_string()),
        [r#""hushed""#, r#""soft""#]
    );
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_is_said_outlives_a_stop_and_a_space_that_moves_takes_what_it_says_along() {
    let mut small = house("count");
    say(&mut small, "/hall/nook", "brakes.depth", &json!(9));
    say(&mut small, "/hall", "tokens.recall", &json!(9));
    say(&mut small, "@bob", "attempts.max", &json!(1));
    small.reopen();
    let look =
        |small: &Small, name: &str, key: &str| small.world().setting(key, small.world().being_named(name).unwrap()).as_int().unwrap();
    assert_eq!([look(&small, "ada", "brakes.depth"), look(&small, "ada", "tokens.recall"), look(&small, "bob", "attempts.max")], [9, 9, 1]);
    small.operate("/hall", "own.set", args(r#"{"owner":null}"#));
    small.operate("/hall/nook", "move", args(r#"{"to":"/yard"}"#));
    assert_eq!(
        [look(&small, "ada", "brakes.depth"), look(&small, "ada", "tokens.recall"), look(&small, "bob", "brakes.depth")],
        [9, 400, 64]
    );
    let last = small.act("operator", Call::doing("/yard/nook", "config.set", args(r#"{"key":"brakes.depth","value":null}"#)));
    assert_eq!(last.closing, Closing::Act);
    assert_eq!(look(&small, "ada", "brakes.depth"), 64);
    assert_eq!(small.replay().unwrap().difference, None);
}

/// The operator, @owen and @ina, who owns the nook, each narrow what the one above has said, and take that back.
#[test]
fn what_one_takes_back_at_a_place_leaves_there_what_one_above_has_said() {
    let ina = "[[being]]\nname = \"ina\"\nhome = \"/hall/nook\"\nrole = \"free\"\ncognition = \"human\"\n";
    let mut small = Small::plant(&(HOUSE.replace("SCRIPT", "count") + ina));
    assert_eq!(code(&small.act("owen", Call::doing("/hall/nook", "own.set", args(r#"{"owner":"@ina"}"#)))), "act");
    let depth = |small: &Small| braked(small, "ada").as_int().unwrap();
    let mut says = |who: &str, value: Json| {
        let call = Call::doing("/hall/nook", "config.set", args(&json!({ "key": "brakes.depth", "value": value }).to_string()));
        let closing = if who == "operator" {
            small.operate("/hall/nook", "config.set", args(&json!({ "key": "brakes.depth", "value": value }).to_string()));
            "act".to_owned()
        } else {
            code(&small.act(who, call))
        };
        (closing, depth(&small))
    };
    let is = |closing: &str, depth: i64| (closing.to_owned(), depth);
    assert_eq!(says("operator", json!(8)), is("act", 8));
    assert_eq!(says("owen", json!(7)), is("act", 7));
    assert_eq!(says("owen", json!(9)), is("gate-setting", 7));
    assert_eq!(says("owen", json!(8)), is("act", 8), "as wide as the operator lets it be");
    assert_eq!(says("owen", json!(5)), is("act", 5));
    assert_eq!(says("owen", Json::Null), is("act", 8), "what the operator said holds again");
    assert_eq!(says("owen", Json::Null), is("gate-setting", 8), "and is the operator's to take back");
    assert_eq!(says("owen", json!(6)), is("act", 6));
    assert_eq!(says("ina", json!(7)), is("gate-setting", 6));
    assert_eq!(says("ina", json!(4)), is("act", 4));
    assert_eq!(says("ina", json!(6)), is("act", 6), "as wide as the owner above lets it be");
    assert_eq!(says("ina", Json::Null), is("act", 6));
    assert_eq!(says("ina", json!(2)), is("act", 2));
    assert_eq!(says("owen", Json::Null), is("act", 8), "what stood below it goes with it");
    assert_eq!(says("operator", json!(20)), is("act", 20), "whoever stands above says anew what holds");
    assert_eq!(says("owen", json!(3)), is("act", 3));
    assert_eq!(says("operator", Json::Null), is("act", 64));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn at_one_place_no_more_than_so_much_is_said() {
    let mut small = house("count");
    for at in 0..256 {
        say(&mut small, "/hall", &format!("llm.slots.s{at}"), &json!("small"));
    }
    assert_eq!(says(&mut small, "operator", "/hall", "llm.slots.more", &json!("small")), "setting-count");
    say(&mut small, "/hall", "llm.slots.s7", &json!("big"));
    say(&mut small, "/hall", "llm.slots.s7", &Json::Null);
    say(&mut small, "/hall", "llm.slots.more", &json!("small"));
}

/// @pat has no right in the hall, and wants less to happen there.
#[test]
fn what_one_may_not_say_at_a_place_one_says_there_through_no_door() {
    let six = HOUSE.replace("SCRIPT", "brake").replace("role = \"free\"\ncognition", "role = \"valet\"\ncognition")
        + "[[being]]\nname = \"pat\"\nhome = \"/yard\"\nrole = \"free\"\ncognition = \"human\"\n"
        + "[[being]]\nname = \"dot\"\nhome = \"/hall\"\nrole = \"valet\"\nscript = \"brake\"\n";
    let mut world = source(&six);
    let valet = "---\nname: valet\ncanSee: ['**']\ncanDo: ['**']\ncanSummon: ['**']\ncanBe: ['**']\nactsForCaller: true\n---\nYou do as you are told.\n";
    world.roles.push(reelm::role::Spec::from_markdown("valet.md", valet).unwrap());
    let brake = r#"fn think(face) { act("/hall", "config.set", #{ key: "brakes.depth", value: 1 }) }"#;
    world.scripts.push(("brake".to_owned(), "scripts/brake.rhai".to_owned(), brake.to_owned()));
    let manifest = "name = \"t\"\nversion = \"1.0.0\"\n[[operation]]\nname = \"try\"\nscript = \"ops/try.rhai\"\ntouches = [\"target\"]\n";
    let step = r#"fn run(ctx) { act(ctx.target.address, "config.set", #{ key: "brakes.depth", value: 1 }) }"#;
    world.extensions.push(package("t", &[("manifest.toml", manifest), ("ops/try.rhai", step)]));
    let mut small = Small::grow(&world, 1, 1);
    let allow = Call::doing("/hall", "own.allow", args(r#"{"allow":["t:try","move"]}"#));
    assert_eq!(code(&small.act("owen", allow)), "act");
    let doors = |small: &mut Small| {
        summon(small, "@bob");
        assert_eq!(code(&small.act("pat", Call::summon("@dot", args(r#"{"content":"brake"}"#)))), "act");
        small.run("1s");
        let last = |small: &Small, name: &str| small.reel(name).last().map_or_else(|| format!("@{name} has not woken"), code);
        let born = r#"{"name":"kid","cognition":"script","defaultRole":"free","home":"/hall"}"#;
        [
            says(small, "pat", "/hall", "brakes.depth", &json!(1)),
            last(small, "bob"),
            last(small, "dot"),
            code(&small.act("pat", Call::doing("/hall", "t:try", args("{}")))),
            code(&small.act("pat", Call::be("birth", args(born)))),
        ]
    };
    assert_eq!(doors(&mut small), ["gate-owner", "gate-owner", "gate-owner", "gate-authority", "gate-place"]);
    // Nor does an owner hide one among the qualities of a child.
    let born = r#"{"name":"kid","cognition":"script","qualities":{"llm":{"budget":{"day":{"calls":0}}}}}"#;
    assert_eq!(code(&small.act("owen", Call::be("birth", args(born)))), "setting-not-quality");
    // And whoever goes in with something wider of their own finds what is narrow there.
    small.operate("@pat", "config.set", args(r#"{"key":"brakes.depth","value":60}"#));
    say(&mut small, "/hall", "brakes.depth", &json!(3));
    small.operate("@pat", "move", args(r#"{"to":"/hall"}"#));
    assert_eq!(braked(&small, "pat"), Value::Int(3));
    // The owner may, by hand and by whoever acts for them.
    assert_eq!(says(&mut small, "owen", "/hall", "brakes.depth", &json!(2)), "act");
    small.act("owen", Call::summon("@dot", args(r#"{"content":"brake"}"#)));
    small.run("1s");
    assert_eq!(code(small.reel("dot").last().unwrap()), "act");
    assert_eq!(braked(&small, "pat"), Value::Int(1));
    assert_eq!(small.replay().unwrap().difference, None);
}

fn braked(small: &Small, name: &str) -> Value {
    let world = small.world();
    world.setting("brakes.depth", world.being_named(name).unwrap()).into_owned()
}
