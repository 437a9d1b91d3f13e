//! Portal: does a served world keep its gate, its promises and its secrets, whoever asks and however they ask?

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::served::{Person, Served};
use super::terminal::Terminal;

const VISITOR: Person = Person { cookie: None };

/// Every read and every verb, by which being, and whether it may: visitor, stranger, parent of the being that is asked for, operator.
///
/// `-` turned away before anything is recorded, `r` recorded as refused, `+` done.
pub const RIGHTS: &[(&str, &str, &str, [char; 4])] = &[
    ("GET", "/api/session", "", ['+', '+', '+', '+']),
    ("GET", "/api/world", "", ['+', '+', '+', '+']),
    ("GET", "/api/tree", "", ['-', '-', '+', '+']),
    ("GET", "/api/crowd?in=/court", "", ['-', '-', '+', '+']),
    ("GET", "/api/see?address=@kid", "", ['-', '-', '+', '+']),
    ("GET", "/api/see?address=/court", "", ['-', '-', '+', '+']),
    ("GET", "/api/see?address=/.config", "", ['-', '-', '-', '+']),
    ("GET", "/api/see?address=@kid&at=60", "", ['-', '-', '-', '-']),
    ("GET", "/api/see?address=/&as=@operator", "", ['-', '-', '-', '+']),
    ("GET", "/api/may?target=@kid", "", ['-', '-', '+', '+']),
    ("GET", "/api/abilities", "", ['+', '+', '+', '+']),
    ("GET", "/api/abilities?as=@kid", "", ['-', '-', '-', '-']),
    ("GET", "/api/look", "", ['+', '+', '+', '+']),
    ("GET", "/api/look?address=@kid", "", ['-', '-', '+', '+']),
    ("GET", "/api/look?address=/.config", "", ['-', '-', '-', '+']),
    ("GET", "/api/look?address=/&as=@operator", "", ['-', '-', '-', '+']),
    ("GET", "/api/look?address=/court&wait=0ms", "", ['-', '-', '+', '+']),
    ("GET", "/api/nearest?verb=see&target=/cort", "", ['+', '+', '+', '+']),
    ("GET", "/api/nearest?verb=see&as=@kid", "", ['-', '-', '-', '-']),
    ("GET", "/api/inbox", "", ['+', '+', '+', '+']),
    ("GET", "/api/inbox?as=@kid", "", ['-', '-', '-', '-']),
    ("GET", "/api/being/kid", "", ['-', '-', '+', '+']),
    ("GET", "/api/timeline", "", ['-', '-', '-', '+']),
    ("GET", "/api/lanes?being=kid", "", ['-', '-', '-', '+']),
    ("GET", "/api/step?to=act&way=back", "", ['-', '-', '-', '+']),
    ("GET", "/api/diff?from=60", "", ['-', '-', '-', '+']),
    ("GET", "/api/worlds", "", ['+', '+', '+', '+']),
    ("POST", "/api/fork", r#"{"name":"../out"}"#, ['-', '-', '-', '-']),
    ("GET", "/api/causes?moment=60", "", ['-', '-', '-', '+']),
    ("GET", "/api/why?of=@kid", "", ['-', '-', '-', '+']),
    ("GET", "/api/moments", "", ['+', '+', '+', '+']),
    ("GET", "/api/moment/3", "", ['-', '-', '-', '+']),
    ("GET", "/api/roles", "", ['-', '-', '-', '+']),
    ("GET", "/api/roles/person", "", ['-', '-', '-', '+']),
    ("GET", "/api/being/kid/flow", "", ['-', '-', '-', '+']),
    ("GET", "/api/signals", "", ['-', '-', '-', '+']),
    ("GET", "/api/operations", "", ['-', '-', '-', '+']),
    ("GET", "/api/paths", "", ['-', '-', '-', '+']),
    ("GET", "/api/dead", "", ['-', '-', '-', '+']),
    ("GET", "/api/sessions", "", ['-', '+', '+', '+']),
    ("POST", "/api/lint", r#"{"flow":[]}"#, ['-', '-', '-', '+']),
    ("GET", "/api/draft?address=@operator/plan", "", ['-', '-', '-', '+']),
    ("POST", "/api/flow/now", r#"{"being":"@kid"}"#, ['-', '-', '-', '+']),
    ("POST", "/api/flow/backtest", r#"{"being":"@kid"}"#, ['-', '-', '-', '+']),
    ("GET", "/api/cost", "", ['-', '-', '-', '+']),
    ("GET", "/api/settings?target=/", "", ['-', '-', '-', '+']),
    ("GET", "/api/settings?target=/court", "", ['-', '-', '-', '+']),
    ("GET", "/api/settings?target=@kid", "", ['-', '-', '-', '+']),
    ("POST", "/api/try", r#"{"being":"@operator"}"#, ['-', '-', '-', '+']),
    ("POST", "/api/clock", r#"{"do":"pause"}"#, ['-', '-', '-', '+']),
    ("POST", "/api/apply", r#"{"source":"/nowhere"}"#, ['-', '-', '-', '-']),
    ("POST", "/api/see", r#"{"target":"/court"}"#, ['-', 'r', '+', '+']),
    ("POST", "/api/do", r#"{"target":"/","action":"signal.set","args":{"path":"a.b","value":1}}"#, ['-', 'r', 'r', '+']),
    ("POST", "/api/do", r#"{"as":"@operator","target":"/","action":"signal.set","args":{"path":"a.b","value":1}}"#, ['-', '-', '-', '+']),
    ("POST", "/api/do", r#"{"target":"/","action":"role.set","args":{"name":"x","role":{"name":"x"}}}"#, ['-', 'r', 'r', '+']),
    ("POST", "/api/do", r#"{"target":"@kid","action":"flow.set","args":{"flow":[]}}"#, ['-', 'r', 'r', '+']),
    ("POST", "/api/do", r#"{"target":"@kid","action":"quality.set","args":{"path":"a.b","value":1}}"#, ['-', 'r', 'r', '+']),
    ("POST", "/api/summon", r#"{"target":"@kid","content":"hello"}"#, ['-', 'r', '+', '+']),
    ("POST", "/api/be", r#"{"operation":"end","payload":{"being":"@judith"}}"#, ['-', 'r', 'r', '+']),
    ("POST", "/api/be", r#"{"operation":"inhabit","payload":{"being":"@bern"}}"#, ['-', 'r', 'r', '+']),
    ("POST", "/api/inhabit", r#"{"being":"@operator"}"#, ['-', 'r', 'r', 'r']),
    ("POST", "/api/heartbeat", r#"{"being":"@kid"}"#, ['-', '-', '-', '-']),
    ("POST", "/api/release", r#"{"being":"@kid"}"#, ['-', 'r', 'r', 'r']),
    ("POST", "/api/password", r#"{"being":"@operator","password":"taken over"}"#, ['-', '-', '-', '+']),
];

#[test]
fn no_role_but_the_worn_one_gives_anybody_any_right() {
    let served = Served::paused("court");
    let operator = served.operator();
    served
        .post(
            &operator,
            "/api/do",
            json!({ "target": "/", "action": "role.set", "args": { "name": "nobody", "role": { "name": "nobody" } } }),
        )
        .ok();
    let parent = served.person(&operator, "mum", json!({ "defaultRole": "person", "home": "/court", "grants": ["person"] }));
    let stranger = served.person(&operator, "stranger", json!({ "defaultRole": "nobody", "home": "/court" }));
    let kid = json!({ "operation": "birth", "payload": { "name": "kid", "cognition": "human", "defaultRole": "person", "home": "/court", "parent": "@mum" } });
    served.post(&operator, "/api/be", kid).ok();
    let plan = json!({ "action": "flow.set", "target": "@kid", "args": { "flow": [] }, "name": "plan" });
    served.post(&operator, "/api/do", json!({ "target": "@operator", "action": "draft.make", "args": plan })).ok();
    for (method, path, body, wanted) in RIGHTS {
        let body = (!body.is_empty()).then(|| (*body).to_owned());
        let askers = [("visitor", &VISITOR), ("stranger", &stranger), ("parent", &parent), ("operator", &operator)];
        for ((name, person), wanted) in askers.into_iter().zip(wanted) {
            let before = served.get(&operator, "/health").ok()["seq"].clone();
            let answer = served.send(person, method, path, body.clone(), &[]);
            let found = match answer.status {
                200 if answer.body["closing"] == "refused" || answer.body["closing"] == "failed" => 'r',
                200 => '+',
                400..=499 => '-',
                status => panic!("{method} {path} as {name}: {status}: {}", answer.text),
            };
            assert_eq!(found, *wanted, "{method} {path} {body:?} as {name}: {}", answer.text);
            if found == '-' {
                assert_eq!(served.get(&operator, "/health").ok()["seq"], before, "{method} {path} as {name} was turned away and recorded");
            }
        }
    }
}

#[test]
fn visitors_may_what_the_operator_lets_them_and_what_is_refused_them_is_not_recorded() {
    let served = Served::paused("court");
    let operator = served.operator();
    assert_eq!(served.get(&VISITOR, "/api/see?address=/court").code(), "gate-role");
    let open = json!({ "name": "arrival", "canSee": ["/court", "@judith"], "canSummon": ["judith"] });
    served.post(&operator, "/api/do", json!({ "target": "/", "action": "role.set", "args": { "name": "arrival", "role": open } })).ok();
    let court = served.get(&VISITOR, "/api/see?address=/court").ok();
    let shown = court["beings"].as_array().unwrap().len();
    assert_eq!((&court["name"], shown, &court["count"]), (&json!("court"), 0, &json!(1)), "whom it may not see it is not shown: {court}");
    assert_eq!(court["more"], Value::Null, "and others are not counted");
    let called = served.post(&VISITOR, "/api/summon", json!({ "target": "@judith", "content": "may I come in?" })).ok();
    assert_eq!((&called["closing"], &called["being"]), (&json!("act"), &json!("arrival")));
    let before = served.get(&operator, "/health").ok();
    let turned = served.post(&VISITOR, "/api/summon", json!({ "target": "@bern", "content": "and you?" }));
    assert_eq!((turned.status, turned.code()), (403, "gate-role"));
    assert_eq!(served.get(&operator, "/health").ok(), before);
    let seen: Vec<Value> =
        served.get(&VISITOR, "/api/moments").ok()["moments"].as_array().unwrap().iter().map(|moment| moment["being"].clone()).collect();
    assert!(seen.iter().all(|being| being == "judith" || being == "arrival"), "a visitor was told of {seen:?}");
}

#[test]
fn the_versions_of_a_role_are_read_back_by_whoever_may_read_the_worlds_moments() {
    let served = Served::paused("court");
    let operator = served.operator();
    let set = |name: &str, role: Value| {
        served.post(&operator, "/api/do", json!({ "target": "/", "action": "role.set", "args": { "name": name, "role": role } })).ok();
    };
    set("clerk", json!({ "name": "clerk", "canSee": ["/", "/.roles"] }));
    set("warden", json!({ "name": "warden", "canSee": ["/", "/.roles", "/.moments"] }));
    set("clerk", json!({ "name": "clerk", "canSee": ["/", "/.roles"], "description": "Keeps the list." }));
    let [clerk, warden] = ["clerk", "warden"].map(|role| served.person(&operator, role, json!({ "defaultRole": role, "home": "/court" })));
    let versions = |person: &Person| {
        let told = served.get(person, "/api/roles/clerk").ok();
        assert_eq!((&told["version"], &told["role"]["description"]), (&json!(2), &json!("Keeps the list.")));
        told["history"].as_array().unwrap().iter().map(|version| version["version"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((versions(&operator), versions(&warden), versions(&clerk)), (vec![2, 1], vec![2, 1], vec![]));
}

#[test]
fn an_act_named_by_a_key_is_done_once_however_often_it_is_sent() {
    let served = Served::paused("court");
    let operator = served.operator();
    let act = |key: &str, value: u32| {
        let body = json!({ "target": "/court", "action": "quality.inc", "args": { "path": "tally.count", "by": value } });
        served.send(&operator, "POST", "/api/do", Some(body.to_string()), &[("idempotency-key", key)])
    };
    let first = act("one", 1).ok();
    std::thread::scope(|scope| {
        let again: Vec<_> = (0..8).map(|_| scope.spawn(|| act("one", 1).ok())).collect();
        again.into_iter().for_each(|again| assert_eq!(again.join().unwrap(), first));
        let at_once: Vec<_> = (0..8).map(|_| scope.spawn(|| act("two", 1).ok()["seq"].clone())).collect();
        let seqs: BTreeSet<String> = at_once.into_iter().map(|once| once.join().unwrap().to_string()).collect();
        assert_eq!(seqs.len(), 1);
    });
    assert_eq!(act("one", 5).code(), "conflict");
    assert_eq!(served.get(&operator, "/api/see?address=/court").ok()["qualities"]["tally"]["count"], 2);
    // A server that was killed and started anew knows them still.
    served.post(&operator, "/api/password", json!({ "password": "a good password" })).ok();
    let served = served.killed_and_again("serve --port 0 --paused --json");
    let operator = served.login("operator", "a good password");
    let act = |key: &str, value: u32| {
        let body = json!({ "target": "/court", "action": "quality.inc", "args": { "path": "tally.count", "by": value } });
        served.send(&operator, "POST", "/api/do", Some(body.to_string()), &[("idempotency-key", key)])
    };
    assert_eq!((act("one", 1).ok(), act("two", 5).code()), (first, "conflict"));
    assert_eq!(served.get(&operator, "/api/see?address=/court").ok()["qualities"]["tally"]["count"], 2);
    assert!(served.stop().types("replay").ok().contains("identical"));
}

#[test]
fn a_served_world_has_keys_that_nobody_can_compute_unless_it_is_planted_simulated() {
    let ids = ["", "", "--simulated", "--simulated"].map(|how| {
        let served = Served::begin(Terminal::new(), &format!("serve $worlds/court --port 0 --paused --json {how}"));
        let told = served.get(&VISITOR, "/api/world").ok();
        assert_eq!(told["simulated"], !how.is_empty());
        let terminal = served.stop();
        terminal.types("export whole.reelm").ok();
        let can_act = if how.is_empty() { "not" } else { "it can be run on" };
        terminal.types("import whole.reelm --data copy").fails(0).says(&[can_act]);
        terminal.types("replay --data copy").ok();
        told["world"].as_str().unwrap().to_owned()
    });
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[2] == ids[3], "{ids:?}");
}

#[test]
fn a_world_that_lies_deep_is_reached_by_commands_while_it_is_served() {
    let terminal = Terminal::new();
    let deep = ["a-directory-with-a-rather-long-name"; 5].join("/");
    std::fs::create_dir_all(terminal.path(&deep)).unwrap();
    let served = Served::begin(terminal, &format!("serve $worlds/court --port 0 --paused --json --data {deep}/w"));
    served.terminal.types(&format!("do / signal.set '{{\"path\":\"a.b\",\"value\":1}}' --data {deep}/w")).ok();
    assert_eq!(served.get(&served.operator(), "/api/signals").ok()["signals"]["a"]["b"], 1);
}

#[test]
fn the_stream_goes_on_where_a_reader_stopped_though_the_server_was_killed_between() {
    let served = Served::paused("court");
    let operator = served.operator();
    served.post(&operator, "/api/password", json!({ "password": "a good password" })).ok();
    let act = |served: &Served, operator: &Person, value: u32| {
        served
            .post(operator, "/api/do", json!({ "target": "/court", "action": "quality.set", "args": { "path": "a.b", "value": value } }))
            .ok()["seq"]
            .as_u64()
            .unwrap()
    };
    let first = act(&served, &operator, 1);
    let early = served.stream(&operator, "/api/events?from=0", first as usize + 1);
    let seqs: Vec<u64> = early.iter().map(|moment| moment["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (0..=first).collect::<Vec<_>>());
    let acked: Vec<u64> = (2..12).map(|value| act(&served, &operator, value)).collect();
    let served = served.killed_and_again("serve --data world --port 0 --paused --json");
    assert_eq!(served.link, None, "an operator with a password needs no link");
    let operator = served.login("@operator", "a good password");
    acked.iter().for_each(|seq| assert_eq!(served.get(&operator, &format!("/api/moment/{seq}")).ok()["seq"], *seq));
    let last = act(&served, &operator, 99);
    let later = served.stream(&operator, &format!("/api/events?from={}", first + 1), (last - first) as usize);
    let seqs: Vec<u64> = later.iter().map(|moment| moment["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (first + 1..=last).collect::<Vec<_>>());
    let terminal = served.stop();
    assert!(terminal.types("replay").ok().contains("identical"));
}

#[test]
fn two_people_never_drive_one_being_and_a_driven_one_answers_its_inbox_by_hand() {
    let served = Served::paused("court");
    let operator = served.operator();
    let birth = json!({ "operation": "birth", "payload": { "name": "pet", "cognition": "script", "defaultRole": "person", "home": "/court", "parent": "@operator" } });
    served.post(&operator, "/api/be", birth).ok();
    let other = served.person(&operator, "other", json!({ "defaultRole": "operator", "home": "/court", "grants": ["*"] }));
    assert_eq!(
        served
            .post(
                &operator,
                "/api/do",
                json!({ "as": "@pet", "target": "@pet", "action": "quality.set", "args": { "path": "a.b", "value": 1 } })
            )
            .code(),
        "not-yours"
    );
    served.post(&operator, "/api/summon", json!({ "target": "@pet", "content": "who are you?" })).ok();
    assert_eq!(served.post(&operator, "/api/inhabit", json!({ "being": "@pet" })).ok()["closing"], "act");
    assert_eq!(served.post(&operator, "/api/heartbeat", json!({ "being": "@pet" })).ok()["drives"], json!(["@pet"]));
    assert_eq!(served.post(&other, "/api/inhabit", json!({ "being": "@pet" })).ok()["reason"]["code"], "gate-lineage");
    assert_eq!(served.post(&other, "/api/summon", json!({ "as": "@pet", "target": "@operator", "content": "I" })).code(), "not-yours");
    let inbox = served.get(&operator, "/api/inbox?as=@pet").ok();
    let wake = inbox.as_array().unwrap().iter().find(|entry| entry["kind"] == "summons").unwrap()["wake"].clone();
    // A refusal of the gate leaves the wake open.
    let refused = served
        .post(
            &operator,
            "/api/do",
            json!({ "as": "@pet", "target": "/", "action": "role.set", "args": { "name": "x", "role": null }, "wake": wake }),
        )
        .ok();
    assert_eq!((&refused["closing"], &refused["wake"]), (&json!("refused"), &json!("gesture")));
    let answer = served.post(&operator, "/api/summon", json!({ "as": "@pet", "content": "I am pet", "wake": wake })).ok();
    assert_eq!((&answer["closing"], &answer["wake"], &answer["driver"]), (&json!("act"), &json!("summons"), &json!("@operator")));
    let again = served.post(&operator, "/api/summon", json!({ "as": "@pet", "content": "I am pet", "wake": wake }));
    assert_eq!((again.status, again.code()), (409, "answered"));
    let answers = served.get(&operator, "/api/inbox").ok();
    assert!(answers.as_array().unwrap().iter().any(|entry| entry["content"] == "I am pet" && !entry["inReplyTo"].is_null()), "{answers}");
    assert_eq!(served.post(&operator, "/api/release", json!({ "being": "@pet" })).ok()["closing"], "act");
    assert_eq!(served.post(&operator, "/api/heartbeat", json!({ "being": "@pet" })).code(), "not-driven");
    let terminal = served.stop();
    assert!(terminal.types("replay").ok().contains("identical"));
}

#[test]
fn a_being_that_one_person_drives_from_two_tabs_is_given_back_when_the_last_of_them_goes() {
    let served = Served::paused("court");
    let operator = served.operator();
    let birth =
        json!({ "operation": "birth", "payload": { "name": "pet", "cognition": "script", "defaultRole": "person", "home": "/court" } });
    served.post(&operator, "/api/be", birth).ok();
    let seat = |what: &str, tab: &str| served.post(&operator, &format!("/api/{what}"), json!({ "being": "@pet", "tab": tab }));
    let driver = || served.get(&operator, "/api/see?address=@pet").ok()["inhabitedBy"].clone();
    assert_eq!(seat("inhabit", "one").ok()["tabs"], 0);
    assert_eq!(seat("inhabit", "two").ok()["tabs"], 1);
    assert_eq!(seat("heartbeat", "one").ok()["tabs"], 1);
    let left = seat("release", "two").ok();
    assert_eq!((&left["tabs"], &left["closing"]), (&json!(1), &Value::Null), "only the tab went: {left}");
    assert_eq!(driver(), "@operator");
    assert_eq!(seat("heartbeat", "one").ok()["tabs"], 0);
    assert_eq!(seat("release", "one").ok()["closing"], "act");
    assert_eq!(driver(), Value::Null);
    assert_eq!(seat("heartbeat", "one").code(), "not-driven");
    // A request without a tab means all of them.
    seat("inhabit", "one").ok();
    seat("inhabit", "two").ok();
    assert_eq!(served.post(&operator, "/api/release", json!({ "being": "@pet" })).ok()["closing"], "act");
    assert_eq!(driver(), Value::Null);
    assert_eq!(seat("inhabit", &"x".repeat(65)).status, 400);
    assert_eq!(served.get(&operator, "/api/see?address=/nowhere").body["error"]["kind"], "call");
}

#[test]
fn a_being_is_born_and_a_role_written_by_asking_those_at_the_root_with_no_more_right_than_the_asker_has() {
    let served = Served::begin(Terminal::new(), "serve $worlds/court --port 0 --pace 600 --json");
    let operator = served.operator();
    let mum = served.person(&operator, "mum", json!({ "defaultRole": "person", "home": "/court", "grants": ["person"] }));
    let asked = served
        .post(
            &operator,
            "/api/summon",
            json!({ "target": "@birther", "content": { "name": "ann", "home": "/court", "defaultRole": "person" } }),
        )
        .ok();
    let from = asked["seq"].as_u64().unwrap();
    let find = |from: u64, being: &str| {
        let mut next = from;
        loop {
            let moment = served.stream(&operator, &format!("/api/events?from={next}"), 1).remove(0);
            next = moment["seq"].as_u64().unwrap() + 1;
            if moment["being"] == being && moment["wake"] == "summons" {
                return moment;
            }
        }
    };
    assert_eq!(find(from, "birther")["closing"], "act");
    assert_eq!(served.get(&operator, "/api/see?address=@ann").ok()["parent"], "@operator");
    // One without a right at the place, or with roles that it may not give, gets no more by asking.
    for (content, code) in [
        (json!({ "name": "bob", "home": "/court" }), "gate-place"),
        (json!({ "role": { "name": "mine", "canDo": ["**"] } }), "gate-place"),
        (json!({ "signal": "a.b", "value": 1 }), "gate-role"),
        (json!({ "being": "@ann", "flow": [] }), "gate-lineage"),
    ] {
        let whom = if content["name"].is_null() { "@role-manager" } else { "@birther" };
        let seq = served.post(&mum, "/api/summon", json!({ "target": whom, "content": content })).ok()["seq"].as_u64().unwrap();
        let moment = find(seq, whom.trim_start_matches('@'));
        assert_eq!((&moment["closing"], &moment["reason"]["code"]), (&json!("refused"), &json!(code)), "{content}: {moment}");
    }
    let seq = served
        .post(&operator, "/api/summon", json!({ "target": "@role-manager", "content": { "role": { "name": "calm", "canSee": ["**"] } } }))
        .ok()["seq"]
        .as_u64()
        .unwrap();
    assert_eq!(find(seq, "role-manager")["closing"], "act");
    assert_eq!(served.get(&operator, "/api/roles/calm").ok()["version"], 1);
    let terminal = served.stop();
    assert!(terminal.types("replay").ok().contains("identical"));
}

#[test]
fn nothing_that_is_sent_makes_the_server_fail() {
    let served = Served::paused("court");
    let operator = served.operator();
    let deep = format!("{}{}", "[".repeat(400), "]".repeat(400));
    let bodies = [
        "",
        "{",
        "null",
        "[]",
        "{}",
        "\"x\"",
        r#"{"target":5}"#,
        r#"{"target":"@@","action":"say","args":[]}"#,
        r#"{"target":"/a//b","action":"","content":1}"#,
        r#"{"being":"@nobody"}"#,
        r#"{"operation":"birth"}"#,
        r#"{"operation":"birth","payload":{"name":"\u0000"}}"#,
        r#"{"wake":"x"}"#,
        r#"{"wake":"normal~1~1.0~summons"}"#,
        r#"{"pace":-1}"#,
        r#"{"pace":1e999}"#,
        r#"{"do":"fly"}"#,
        r#"{"role":{"name":"x","canDo":5}}"#,
        r#"{"flow":[{"when":{"a":{"b":{"c":1}}},"role":"x"}]}"#,
        &deep,
    ];
    let posts: BTreeSet<&str> =
        RIGHTS.iter().filter(|(method, ..)| *method == "POST").map(|(_, path, ..)| *path).chain(["/api/session"]).collect();
    for path in posts {
        for body in bodies {
            let answer = served.send(&operator, "POST", path, Some((*body).to_owned()), &[]);
            assert!(answer.status < 500, "{path} {body}: {} {}", answer.status, answer.text);
            assert!(answer.status == 200 || !answer.code().is_empty(), "{path} {body}: {}", answer.text);
        }
        let large = served.send(&operator, "POST", path, Some(format!(r#"{{"content":"{}"}}"#, "x".repeat(2 << 20))), &[]);
        assert_eq!((large.status, large.code()), (413, "too-large"), "{path}");
    }
    for path in [
        "/api/see",
        "/api/see?address=",
        "/api/see?address=%00",
        "/api/see?address=/&at=99999999999",
        "/api/see?address=/&at=-1",
        "/api/moment/x",
        "/api/moment/99999999",
        "/api/moments?before=x",
        "/api/moments?limit=99999999",
        "/api/moments?text=%25%5B",
        "/api/being/",
        "/api/being/%2e%2e",
        "/api/roles/x",
        "/api/events?from=x",
        "/api/nothing",
        "/../../etc/passwd",
        "/assets/../../x",
    ] {
        let answer = served.get(&operator, path);
        assert!(answer.status < 500 && (answer.status == 200 || !answer.code().is_empty()), "{path}: {} {}", answer.status, answer.text);
    }
    assert_eq!(served.send(&operator, "PUT", "/api/do", Some("{}".to_owned()), &[]).code(), "bad-request");
    // A name in a query that nothing reads is said, and what was meant.
    let misspelt = served.get(&operator, "/api/see?adress=/court");
    assert_eq!((misspelt.status, misspelt.body["error"]["place"].clone()), (400, json!("adress")), "{}", misspelt.text);
    assert!(misspelt.text.contains("found `adress`; did you mean `address`?"), "{}", misspelt.text);
    assert_eq!(served.get(&operator, "/api/see?address=/court&at=now&verbose=1").code(), "bad-request");
    assert_eq!(served.send(&operator, "GET", "/api/world", None, &[("host", "evil.example")]).code(), "wrong-host");
    assert_eq!(
        served.send(&operator, "POST", "/api/do", Some("{}".to_owned()), &[("origin", "http://evil.example")]).code(),
        "wrong-origin"
    );
    assert_eq!(served.get(&operator, "/health").ok()["status"], "ok");
}

#[test]
fn a_link_opens_once_passwords_are_slow_to_guess_and_sessions_can_be_closed() {
    let served = Served::paused("court");
    let token = served.link.clone().unwrap().rsplit('/').next().unwrap().to_owned();
    let operator = served.operator();
    assert_eq!(served.post(&VISITOR, "/api/session", json!({ "token": token })).code(), "wrong-login");
    assert_eq!(served.post(&operator, "/api/password", json!({ "password": "short" })).code(), "bad-request");
    served.post(&operator, "/api/password", json!({ "password": "correct horse" })).ok();
    let second = served.login("@operator", "correct horse");
    let sessions = served.get(&operator, "/api/sessions").ok();
    assert_eq!(sessions.as_array().unwrap().len(), 2);
    let other = sessions.as_array().unwrap().iter().find(|session| session["current"] == false).unwrap()["id"].as_str().unwrap().to_owned();
    served.delete(&operator, &format!("/api/sessions/{other}")).ok();
    assert_eq!(served.get(&second, "/api/session").ok()["visitor"], true);
    for _ in 0..5 {
        assert_eq!(
            served.post(&VISITOR, "/api/session", json!({ "being": "@operator", "password": "battery staple" })).code(),
            "wrong-login"
        );
    }
    assert_eq!(served.post(&VISITOR, "/api/session", json!({ "being": "@operator", "password": "correct horse" })).status, 429);
    served.delete(&operator, "/api/session").ok();
    assert_eq!(served.get(&operator, "/api/session").ok()["visitor"], true);
}

#[test]
fn while_a_world_is_served_commands_go_through_the_server_with_the_same_words() {
    let served = Served::paused("court");
    let lines = [
        "do / signal.set '{\"path\":\"court.tea\",\"value\":true}'",
        "do / signal.set '{\"path\":\"court.tea\",\"value\":true}' --as @judith",
        "do / fly",
        "summon @bern hello --intent ask --rank urgent",
        "be birth '{\"name\":\"eve\",\"home\":\"/court\",\"cognition\":\"human\"}'",
        "do @eve quality.set '{\"path\":\"a.b\",\"value\":1}' --as @nobody",
        "apply $worlds/court",
        "apply $worlds/library",
        "extension enable $extensions/hello",
        "extension disable hello",
        "see @eve",
        "log @eve",
        "role list",
    ];
    let through: Vec<_> = lines.iter().map(|line| served.terminal.types(line)).collect();
    let running = served.terminal.types("run --moments 1").fails(1);
    assert!(running.err.contains("is in use by process"), "{}", running.err);
    served.stop();
    let alone = Terminal::new();
    // The same beginning: planted, and its clock switched to what it is served at.
    alone.types("run $worlds/court --pace 60 --moments 0 --quiet").ok();
    for (line, through) in lines.iter().zip(through) {
        let here = alone.types(line);
        // Where nothing runs the world, whoever is woken waits, and that is said beside.
        let said = here.out.split("; the world stands still: ").next().unwrap_or_default().trim_end();
        assert_eq!((here.code, said, &here.err), (through.code, through.out.trim_end(), &through.err), "{line}");
    }
}

#[test]
fn the_description_of_the_api_names_every_route_and_its_errors() {
    let served = Served::paused("court");
    let described = served.get(&VISITOR, "/openapi.json").ok();
    let paths = described["paths"].as_object().unwrap();
    for (method, path, ..) in RIGHTS {
        let path = path
            .split('?')
            .next()
            .unwrap()
            .replace("/being/kid", "/being/{name}")
            .replace("/moment/3", "/moment/{seq}")
            .replace("/roles/person", "/roles/{name}");
        assert!(!paths[&path][method.to_lowercase()].is_null(), "{method} {path} is not described");
    }
    assert!(described["components"]["schemas"]["Trouble"].is_object(), "{described}");
}
