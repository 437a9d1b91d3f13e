//! Outbox: does a request leave only after whoever has to approve it has said yes to its very bytes, and does everybody hear what became of it?

use std::process::Stdio;
use std::sync::{Arc, Mutex};

use reelm::fact::{Call, Closing, Draft, Value};
use reelm::minds::Endpoints;
use serde_json::{Value as Json, json};

use super::bridge::{GATE, gated, heard, host, page, world};
use super::faulty::{Does, Faulty};
use super::kit::{Small, args, code, until};
use super::terminal::Terminal;

/// The world of a bridge in which some others stand too.
fn approved(server: &Faulty, approve: &str) -> Small {
    let person = |name: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n");
    let more = format!(", approve = {approve}");
    let cem = person("cem").replace("[[being]]", "[[being]]\nparent = \"@bob\"");
    let zoe = person("zoe").replace("human", "script").replace("[[being]]", "[[being]]\nparent = \"@pat\"\nscript = \"look\"");
    let text = format!("{}grants = [\"*\"]\n{}{}{cem}{zoe}", world(&[host(server)], &more), person("ada"), person("bob"));
    let mut small = Small::plant(&text);
    small.living().asking(Box::new(Endpoints::default()));
    small
}

/// Somebody asks the bridge to place an order.
fn orders(small: &mut Small, who: &str, server: &Faulty, order: &Json) {
    let content = json!({ "url": format!("http://{}/order", host(server)), "method": "POST", "body": order });
    small.act(who, Call::summon("@web", args(&json!({ "content": content }).to_string())));
    small.run("10s");
}

/// The requests that wait, as somebody sees them.
fn waiting(small: &Small, who: &str) -> Vec<Value> {
    let (world, id) = (small.world(), small.id_of(who));
    let seen = reelm::verb::see(&world, world.being(id).unwrap(), "/.outbox", world.now()).unwrap();
    seen.as_list().unwrap().to_vec()
}

/// Somebody says something to the first request that waits.
fn says(small: &mut Small, who: &str, action: &str, change: &[(&str, &str)]) -> Draft {
    let first = waiting(small, "operator").remove(0);
    let mut said = json!({ "wake": first.get("wake"), "request": first.get("request") });
    for (key, value) in change {
        said[*key] = json!(value);
    }
    let done = small.act(who, Call::doing("@web", action, args(&said.to_string())));
    small.run("10s");
    done
}

/// The names of those in whose inbox a question waits.
fn asked(small: &Small) -> Vec<String> {
    let world = small.world();
    let is_asked = |id| world.inbox().of(id).any(|wake| wake.summons().is_some_and(reelm::fact::Summons::is_petition));
    world.beings().filter(|being| is_asked(being.id)).map(|being| being.name.to_string()).collect()
}

fn shop() -> Faulty {
    Faulty::reading(|_, request| page("text/plain", request.split("\r\n\r\n").nth(1).unwrap()))
}

#[test]
fn nothing_leaves_before_the_one_who_is_asked_approves_its_very_bytes() {
    let server = shop();
    let mut small = approved(&server, "{ by = \"@ada\", for = \"1d\" }");
    orders(&mut small, "pat", &server, &json!({ "tea": 2 }));
    assert_eq!((server.count(), asked(&small)), (0, vec!["ada".to_owned()]));
    let moment = small.reel("web").pop().unwrap();
    assert!(
        matches!(&moment.closing, Closing::Requeued(reason) if reason.code.word() == "approval" && *reason.at == *"@ada"),
        "{moment:?}"
    );
    let bytes =
        json!({ "method": "POST", "url": format!("http://{}/order", host(&server)), "type": "application/json", "body": "{\"tea\":2}" });
    for (who, sees) in [("operator", 1), ("ada", 1), ("pat", 1), ("bob", 0)] {
        assert_eq!(waiting(&small, who).len(), sees, "{who}");
    }
    let first = waiting(&small, "ada").remove(0);
    let said = first.get("bytes").and_then(Value::as_str).unwrap();
    assert_eq!(serde_json::from_str::<Json>(said).unwrap(), bytes);
    let hash = blake3::hash(said.as_bytes()).to_hex().to_string();
    assert_eq!(first.get("request").and_then(Value::as_str), Some(hash.as_str()));
    assert_eq!(first.get("asker").and_then(Value::as_str), Some("@pat"));
    for (who, action, change, wanted) in [
        ("ada", "wake.approve", [("request", "0".repeat(64))], "approval-changed"),
        ("ada", "wake.approve", [("wake", "9999.0".to_owned())], "approval-none"),
        ("ada", "wake.approve", [("wake", "first".to_owned())], "args-pattern"),
        ("ada", "wake.decline", [("request", "f".repeat(64))], "approval-changed"),
        ("bob", "wake.approve", [("why", String::new())], "args-unknown"),
    ] {
        let change: Vec<(&str, &str)> = change.iter().map(|(key, value)| (*key, value.as_str())).collect();
        assert_eq!(code(&says(&mut small, who, action, &change)), wanted, "{who} {action} {change:?}");
    }
    for (who, wanted) in [("bob", "gate-approver"), ("pat", "gate-approver")] {
        for action in ["wake.approve", "wake.decline"] {
            assert_eq!(code(&says(&mut small, who, action, &[])), wanted, "{who} {action}");
        }
    }
    assert_eq!(server.count(), 0);
    small.reopen();
    small.living().asking(Box::new(Endpoints::default()));
    assert_eq!(says(&mut small, "ada", "wake.approve", &[]).closing, Closing::Act);
    assert_eq!((server.count(), asked(&small), waiting(&small, "operator").len()), (1, Vec::new(), 0));
    assert_eq!(heard(&small).get("text"), Some(&Value::text("{\"tea\":2}")));
    assert_eq!(small.replay().unwrap().difference, None);
    // The answer was about one request: the next waits again.
    orders(&mut small, "pat", &server, &json!({ "tea": 2 }));
    assert_eq!((server.count(), asked(&small)), (1, vec!["ada".to_owned()]));
}

#[test]
fn whoever_asked_hears_that_it_was_declined_or_that_nobody_answered() {
    let server = shop();
    let mut small = approved(&server, "{ by = \"@ada\", for = \"1h\" }");
    orders(&mut small, "pat", &server, &json!("tea"));
    assert_eq!(says(&mut small, "ada", "wake.decline", &[("why", "too dear")]).closing, Closing::Act);
    let told = heard(&small);
    let of = |told: &Value, key: &str| told.get(key).and_then(Value::as_str).map(str::to_owned);
    assert_eq!((of(&told, "code"), of(&told, "place")), (Some("approval-declined".to_owned()), Some("@ada: too dear".to_owned())));
    orders(&mut small, "pat", &server, &json!("tea"));
    small.run("2h");
    let told = heard(&small);
    assert_eq!((of(&told, "code"), of(&told, "place")), (Some("approval-expired".to_owned()), Some("@ada".to_owned())));
    assert_eq!((server.count(), asked(&small)), (0, Vec::new()));
    // Given up, it can be opened again, and is asked for anew.
    let letter = small.world().inbox().dead().next().map(|(_, letter)| letter.wake.id.cause.to_string()).unwrap();
    small.operate("@web", "wake.requeue", args(&json!({ "cause": letter, "kind": "summons" }).to_string()));
    small.run("10s");
    assert_eq!((server.count(), asked(&small)), (0, vec!["ada".to_owned()]));
    // With its thread, the question is gone too.
    let root = waiting(&small, "ada").remove(0).get("root").cloned().unwrap();
    let hung = waiting(&small, "ada").remove(0);
    small.operate("/", "thread.cut", args(&json!({ "root": root }).to_string()));
    assert_eq!(asked(&small), Vec::<String>::new());
    let late = small.act(
        "ada",
        Call::doing("@web", "wake.approve", args(&json!({ "wake": hung.get("wake"), "request": hung.get("request") }).to_string())),
    );
    assert_eq!(code(&late), "approval-none");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn who_is_asked_follows_from_the_setting_and_nobody_approves_their_own() {
    for (by, asker, whom) in [
        ("@ada", "pat", "ada"),
        ("@ada", "ada", "operator"),
        ("@nobody", "pat", "operator"),
        ("owner", "pat", "operator"),
        ("asker's parent", "cem", "bob"),
        ("@operator", "operator", "operator"),
    ] {
        let server = shop();
        let mut small = approved(&server, &format!("{{ by = \"{by}\" }}"));
        orders(&mut small, asker, &server, &json!("tea"));
        assert_eq!(asked(&small), [whom], "{by} for @{asker}");
        assert_eq!(says(&mut small, whom, "wake.approve", &[]).closing, Closing::Act, "{by} for @{asker}");
        assert_eq!(server.count(), 1);
        assert_eq!(small.replay().unwrap().difference, None);
    }
    // The operator may answer any.
    let server = shop();
    let mut small = approved(&server, "{ by = \"@ada\" }");
    orders(&mut small, "pat", &server, &json!("tea"));
    assert_eq!((code(&says(&mut small, "operator", "wake.approve", &[])), server.count()), ("act".to_owned(), 1));
    // Of a deputy it is not known for whom it asks, whatever the conditions are.
    let deputy = "[[role]]\nname = \"deputy\"\ncanSummon = [\"**\"]\nactsForCaller = true\ntriggerOn = [\"message\"]\n\
        think = 'if wake.intent == () { summon(\"@web\", wake.content) }'\n[[being]]\nname = \"dee\"\nhome = \"/hall\"\nrole = \"deputy\"\n";
    let person = "[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n";
    let when = ", approve = { by = \"@ada\", when = { \"asker.name\" = \"pat\" } }";
    let mut small = Small::plant(&format!("{}{person}{deputy}", world(&[host(&server)], when)));
    small.living().asking(Box::new(Endpoints::default()));
    let content = json!({ "url": format!("http://{}/order", host(&server)), "method": "POST", "body": "tea" });
    small.act("pat", Call::summon("@dee", args(&json!({ "content": content }).to_string())));
    small.run("10s");
    assert_eq!((asked(&small), server.count()), (vec!["operator".to_owned()], 1));
}

#[test]
fn what_has_to_be_approved_can_depend_on_the_request_on_who_asks_and_on_its_cost() {
    let server = shop();
    let cases = [
        ("{ \"request.method\" = \"POST\" }", true),
        ("{ \"request.method\" = \"GET\" }", false),
        ("{ request = { method = \"POST\", host = \"127.0.0.1\" } }", true),
        ("{ \"request.host\" = { matches = \"*.example.org\" } }", false),
        ("{ \"request.body.tea\" = { gt = 3 } }", false),
        ("{ \"request.body.tea\" = { gt = 1 } }", true),
        ("{ request = { body = { tea = [1, 2] } } }", true),
        ("{ \"request.url\" = { matches = \"**/order\" } }", true),
        ("{ \"asker.name\" = \"pat\" }", true),
        ("{ \"asker.name\" = { ne = \"pat\" } }", false),
        ("{ \"asker.role\" = \"free\" }", true),
        ("{ \"cost.money\" = { gte = 0.5 } }", true),
        ("{ \"cost.money\" = { gt = 0.5 } }", false),
        ("{ not = { \"world.shop.open\" = true } }", true),
        ("{ or = [{ \"cost.bytes\" = { lt = 5 } }, { \"asker.cognition\" = \"human\" }] }", true),
    ];
    for (when, waits) in cases {
        let mut small = approved(&server, &format!("{{ by = \"@ada\", when = {when} }}, price = 0.5"));
        let before = server.count();
        orders(&mut small, "pat", &server, &json!({ "tea": 2 }));
        assert_eq!(server.count() == before, waits, "{when}");
        assert_eq!(!asked(&small).is_empty(), waits, "{when}");
    }
    let terminal = Terminal::new();
    let ada = "[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"reads\"\ncognition = \"human\"\n";
    terminal.write("w/roles/gate.md", GATE);
    terminal.write("w/roles/reads.md", "---\nname: reads\ncanSee: ['**']\n---\n");
    for (by, said) in [
        ("@ada", "`bridge.web` says that @ada approves what leaves; no role that @ada may wear has `wake.approve` in its canDo"),
        ("@adda", "nobody is called so, and the operator is asked; did you mean `@ada`?"),
    ] {
        let text = gated(&["example.org"], &format!(", approve = {{ by = \"{by}\" }}"));
        terminal.write("w/world.toml", &format!("name = \"w\"\n{text}{ada}"));
        terminal.types("check w").says(&[said]);
    }
    let mut small = approved(&server, "{ by = \"@ada\" }");
    for (approve, wanted, place) in [
        (json!({ "by": "@ada", "for": "soon" }), "bad-duration", "/value/approve/for"),
        (json!({ "by": "@ada", "for": "0s" }), "bad-duration", "/value/approve/for"),
        (json!({ "by": "@ada", "for": "400d" }), "bad-duration", "/value/approve/for"),
        (
            json!({ "by": "@ada", "when": { "request.method": "post" } }),
            "args-format",
            "/value/approve/when.\"request.method\": expected `GET` or `POST`",
        ),
        (
            json!({ "by": "@ada", "when": { "asker.name": ["@pat"] } }),
            "args-format",
            "/value/approve/when.\"asker.name\": expected a name without `@`",
        ),
        (
            json!({ "by": "@ada", "when": { "cost.money": { "gt": "1" } } }),
            "args-format",
            "/value/approve/when.\"cost.money\".gt: expected a number",
        ),
        (json!({ "by": "ada" }), "args-pattern", "/value/approve/by"),
        (json!({ "when": {} }), "args-required", "/value/approve/by"),
        (json!({ "by": "@ada", "whom": "x" }), "args-unknown", "/value/approve/whom"),
        (json!({ "by": "@ada", "when": { "request.verb": "GET" } }), "args-format", "/value/approve/when.\"request.verb\""),
        (json!({ "by": "@ada", "when": { "me.name": "web" } }), "args-format", "/value/approve/when.\"me.name\""),
        (json!({ "by": "@ada", "when": { "request.method": { "is": "GET" } } }), "args-format", "/value/approve/when.\"request.method\""),
    ] {
        let setting = json!({ "key": "bridge.web", "value": { "kind": "web", "hosts": ["example.org"], "approve": approve } });
        let refused = small.act("operator", Call::doing("/", "config.set", args(&setting.to_string())));
        let Closing::Refused(reason) = &refused.closing else { panic!("{approve}: {refused:?}") };
        assert!(reason.code.word() == wanted && reason.at.starts_with(place), "{approve}: {reason}");
    }
}

/// Each step is durable by itself: whatever a crash leaves, the world goes on from it, and the request leaves once.
#[test]
fn a_kill_at_any_step_of_an_approval_loses_nothing_and_sends_nothing_twice() {
    let server = shop();
    let mut small = approved(&server, "{ by = \"@ada\", for = \"1d\" }");
    orders(&mut small, "pat", &server, &json!("tea"));
    says(&mut small, "ada", "wake.approve", &[]);
    assert_eq!(server.count(), 1);
    let groups = small.shelf.groups().len();
    let summoned = small.frames_of("pat")[0].seq + 1;
    let asking = small.frames_of("web").iter().find(|draft| reelm::moment::is_asking(draft)).unwrap().seq;
    for kept in 1..=groups {
        let before = server.count();
        let mut cut = small.cut(kept);
        cut.living().asking(Box::new(Endpoints::default()));
        let (has_asked, is_summoned) = (cut.world().next_seq() > asking, cut.world().next_seq() >= summoned);
        let is_planted = cut.world().being_named("ada").is_some() && cut.world().being_named("zoe").is_some();
        if !is_planted {
            continue;
        }
        cut.run("10s");
        if !waiting(&cut, "operator").is_empty() {
            says(&mut cut, "ada", "wake.approve", &[]);
        }
        assert_eq!(asked(&cut), Vec::<String>::new(), "{kept} of {groups}");
        // Cut off behind its asking it is not asked again unseen; before that it leaves once.
        assert_eq!(server.count() - before, usize::from(is_summoned && !has_asked), "{kept} of {groups}");
        assert_eq!(cut.replay().unwrap().difference, None, "{kept} of {groups}");
    }
}

#[test]
fn a_model_that_is_asked_approves_by_a_deed_and_its_words_alone_let_nothing_go() {
    let server = shop();
    let prompts: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = prompts.clone();
    let model = Faulty::reading(move |number, request| {
        let prompt: Json = serde_json::from_str(request.split("\r\n\r\n").nth(1).unwrap()).unwrap();
        let words = prompt["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
        let named = words.split_once("{\"request\"").map(|(_, rest)| format!("{{\"request\"{}}}", rest.split('}').next().unwrap()));
        seen.lock().unwrap().push(words);
        let call =
            named.map(|named| json!({ "action": "wake.approve", "target": "@web", "args": serde_json::from_str::<Json>(&named).unwrap() }));
        let reply = match (number, call) {
            (1, Some(call)) => super::mind::tool("do", call),
            _ => json!({ "role": "assistant", "content": "Let it go." }),
        };
        let reply = super::mind::body(&reply);
        Does::Says(200, String::new(), reply)
    });
    let connection = super::faulty::connection("m", &model, "");
    let mia =
        "[[being]]\nname = \"mia\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"llm\"\nsettings = { \"llm.connection\" = \"m\" }\n";
    let text = world(&[host(&server)], ", approve = { by = \"@mia\" }").replacen("[config]\n", &format!("[config]\n{connection}"), 1) + mia;
    let mut small = Small::plant(&text);
    small.living().asking(Box::new(Endpoints::default()));
    orders(&mut small, "pat", &server, &json!("tea"));
    assert_eq!((server.count(), waiting(&small, "operator").len()), (0, 1), "{:?}", prompts.lock().unwrap());
    orders(&mut small, "pat", &server, &json!("milk"));
    // More than it would be shown it is not asked about.
    orders(&mut small, "pat", &server, &json!("x".repeat(8_000)));
    assert!(asked(&small).contains(&"operator".to_owned()), "{:?}", asked(&small));
    small.run("1m");
    assert_eq!((server.count(), waiting(&small, "operator").len()), (1, 2), "{:?}", prompts.lock().unwrap());
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_person_approves_from_the_command_line_what_the_outbox_shows() {
    let server = shop();
    let terminal = Terminal::new();
    let text = gated(&[host(&server)], ", approve = { by = \"owner\", for = \"2h\" }");
    terminal.write("w/world.toml", &format!("name = \"w\"\n{text}"));
    terminal.write("w/roles/gate.md", GATE);
    terminal.types("run w --for 1s --quiet").ok();
    assert_eq!(terminal.types("outbox").ok().trim(), "nothing waits to be approved");
    let order = json!({ "url": format!("http://{}/order", host(&server)), "method": "POST", "body": { "tea": 2 } });
    terminal.types(&format!("summon @web '{order}'")).ok();
    // Killed while it waits, it waits all the same.
    let mut child = terminal.command("run --realtime").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("it waits", || !terminal.types("outbox --json").ok().trim().is_empty());
    child.kill().unwrap();
    child.wait().unwrap();
    let shown = terminal.types("outbox").ok();
    for wanted in ["{\"method\":\"POST\",\"url\":\"http://", "@operator asks", "at most 262245 bytes, price 0"] {
        assert!(shown.contains(wanted), "{wanted} in {shown}");
    }
    assert_eq!(server.count(), 0);
    terminal.types("run --for 1s").says(&["1 request waits to be approved: `reelm outbox` shows it"]);
    terminal.types("outbox @nobody").fails(1).warns(&["there is no being `@nobody`"]);
    let approve = shown.lines().find_map(|line| line.trim().strip_prefix("reelm ").filter(|line| line.contains("wake.approve"))).unwrap();
    terminal.types(approve).ok();
    // A fork asks for itself.
    terminal.types("fork forked --budget calls=5").ok();
    terminal.types("run --for 1s --quiet --data forked").ok();
    assert!(terminal.types("outbox --data forked").ok().contains("@operator asks") && server.count() == 0);
    terminal.types("run --for 1s --quiet").ok();
    assert_eq!((server.count(), terminal.types("outbox").ok().trim().to_owned()), (1, "nothing waits to be approved".to_owned()));
    assert!(terminal.types("inbox @operator").ok().contains("tea"));
    terminal.types("replay").ok();
}

/// The asker chooses the body: one that a reader could take otherwise waits.
#[test]
fn no_body_hides_from_the_conditions_of_an_approval() {
    let server = shop();
    let when = "{ by = \"@ada\", when = { \"request.method\" = \"POST\", \"request.body.total\" = { gt = 100 } } }";
    for (body, waits) in [
        (json!({ "total": 500 }), true),
        (json!({ "total": 50 }), false),
        (json!("{\"total\":500}"), true),
        (json!("{\"total\":50}"), false),
        (json!("{\"total\":500,\"x\":9223372036854775808}"), true),
        (json!("{\"total\":500,\"total\":5}"), true),
        (json!("{\"total\":1e400}"), true),
        (json!("\u{feff}{\"total\":500}"), true),
        (json!("{\"total\":500"), true),
        (json!("{\"total\":500}//"), true),
        (json!("total=500"), true),
        (json!([{ "total": 500 }]), true),
        (json!(500), true),
    ] {
        let mut small = approved(&server, when);
        let before = server.count();
        orders(&mut small, "pat", &server, &body);
        assert_eq!((server.count() == before, asked(&small).len()), (waits, usize::from(waits)), "{body}");
    }
    // Nor does it lead on elsewhere by a response.
    let elsewhere = shop();
    let to = format!("http://{}/", host(&elsewhere));
    for status in [301, 302, 303, 307, 308] {
        let to = to.clone();
        let leads = Faulty::new(move |_| Does::Says(status, format!("location: {to}\r\n"), String::new()));
        let mut small = approved(&leads, "{ by = \"@ada\" }");
        orders(&mut small, "pat", &leads, &json!("tea"));
        says(&mut small, "ada", "wake.approve", &[]);
        assert_eq!(code(&small.reel("web").pop().unwrap()), "reply-redirects", "{status}");
    }
    assert_eq!(elsewhere.count(), 0);
}

/// Of a request that waits each change has it judged anew.
#[test]
fn a_request_that_waits_is_asked_about_anew_where_something_has_changed() {
    let server = shop();
    let setting = |by: &str, more: &str| {
        let mut value = json!({ "kind": "web", "hosts": [host(&server)], "methods": ["POST"], "approve": { "by": by } });
        for (key, said) in serde_json::from_str::<serde_json::Map<String, Json>>(more).unwrap() {
            value[key] = said;
        }
        args(&json!({ "key": "bridge.web", "value": value }).to_string())
    };
    let begun = |by: &str| {
        let mut small = approved(&server, &format!("{{ by = \"{by}\" }}"));
        orders(&mut small, "pat", &server, &json!("tea"));
        small
    };
    let before = server.count();
    // Another approver: the question to the first is taken back.
    let mut small = begun("@ada");
    small.operate("/", "config.set", setting("@bob", "{}"));
    small.run("1s");
    assert_eq!((asked(&small), code(&says(&mut small, "ada", "wake.approve", &[]))), (vec!["bob".to_owned()], "gate-approver".to_owned()));
    // One who has ended: the operator is asked.
    small.act("operator", Call::be("end", args(r#"{"being":"@cem"}"#)));
    small.act("operator", Call::be("end", args(r#"{"being":"@bob"}"#)));
    small.run("1s");
    assert_eq!(asked(&small), ["operator"]);
    // The bridge itself: nobody is.
    small.act("operator", Call::be("end", args(r#"{"being":"@web"}"#)));
    small.run("1s");
    assert_eq!((asked(&small), waiting(&small, "operator").len()), (Vec::new(), 0));
    assert_eq!(small.replay().unwrap().difference, None);
    // Another price between the answer and the moment: what was approved is void.
    let mut small = begun("@ada");
    let first = waiting(&small, "ada").remove(0);
    let yes = json!({ "wake": first.get("wake"), "request": first.get("request") });
    small.act("ada", Call::doing("@web", "wake.approve", args(&yes.to_string())));
    small.operate("/", "config.set", setting("@ada", r#"{"price":5}"#));
    small.run("1s");
    assert_eq!((asked(&small), server.count()), (vec!["ada".to_owned()], before));
    // Nothing has to be approved any more: it leaves.
    let open = args(&json!({ "key": "bridge.web", "value": { "kind": "web", "hosts": [host(&server)], "methods": ["POST"] } }).to_string());
    small.operate("/", "config.set", open);
    small.run("1s");
    assert_eq!((asked(&small), server.count()), (Vec::new(), before + 1));
    assert_eq!(small.replay().unwrap().difference, None);
    // The same said once more is no change; another bridge of the being is one.
    let mut small = begun("@ada");
    small.operate("/", "config.set", setting("@ada", "{}"));
    small.run("1s");
    let until = |small: &Small| small.world().approvals().next().map(|(_, _, approval)| (approval.asked, approval.until));
    let before_it = until(&small);
    small.run("1m");
    small.operate("/", "config.set", setting("@ada", "{}"));
    small.run("1s");
    assert!(before_it.is_some() && until(&small) == before_it, "{before_it:?} {:?}", until(&small));
    small.operate("@web", "config.set", args(r#"{"key":"bridge","value":null}"#));
    small.run("1s");
    assert_eq!((asked(&small), code(&small.reel("web").pop().unwrap())), (Vec::new(), "bridge-unset".to_owned()));
    // Too late is too late, also where the bridge is paused and its moment has not come.
    let mut small = begun("@ada");
    small.operate("@web", "pause.set", args("{}"));
    small.run("2d");
    assert_eq!(code(&says(&mut small, "ada", "wake.approve", &[])), "approval-expired");
    // One who drove the asker then has asked, also after they have let it go; and an asker's child is the asker's.
    for (by, asker, driven) in [("@pat", "zoe", true), ("@zoe", "pat", false)] {
        let mut small = approved(&server, &format!("{{ by = \"{by}\" }}"));
        if driven {
            small.act("pat", Call::be("inhabit", args(r#"{"being":"@zoe","for":"1h"}"#)));
            let content = json!({ "url": format!("http://{}/order", host(&server)), "method": "POST", "body": "tea" });
            small.act(asker, Call::summon("@web", args(&json!({ "content": content }).to_string())));
            small.act("pat", Call::be("release", args(r#"{"being":"@zoe"}"#)));
            small.run("1s");
        } else {
            orders(&mut small, asker, &server, &json!("tea"));
        }
        assert_eq!(asked(&small), ["operator"], "{by} for @{asker}");
    }
    assert_eq!(server.count(), before + 1);
}
