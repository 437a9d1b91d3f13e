//! Newcomer: what is somebody told who tries things in an order that nobody planned, from the documents alone?

use std::fs;
use std::path::Path;

use reelm::verb::core_operations;
use serde_json::json;

use super::served::{Person, Served};
use super::terminal::Terminal;

const VISITOR: Person = Person { cookie: None };

const SOURCE: &str = r#"
name = "small"
start = "2026-03-02T08:00:00"
[[being]]
name = "ada"
role = "narrow"
script = "count"
[[being.schedule]]
name = "tick"
every = "10s"
[[measure]]
name = "n"
value = 'let n = sum("t.n"); if n > 2 { throw "too many" } n'
every = "5s"
"#;

fn small() -> Terminal {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", SOURCE);
    terminal.write("src/roles/narrow.md", "---\nname: narrow\ncanSee: ['**']\ncanDo: ['quality.inc']\n---\nYou are narrow.\n");
    terminal.write("src/scripts/count.rhai", "fn think(face) { act(face.me.address, \"quality.inc\", #{ path: \"t.n\" }) }");
    terminal
}

#[test]
fn what_a_flow_may_not_mean_is_said_where_it_is_written() {
    let terminal = small();
    terminal.types("run src --moments 1 --quiet").ok();
    let set = |flow: &str| terminal.types(&format!("do @ada flow.set '{{\"flow\":{flow}}}'"));
    set(r#"[{"role":"narow"},{"role":"narrow","when":{"space.nam":"x"}}]"#).fails(0).says(&["done"]).warns(&[
        "warning: @ada: [0].role: the role `narow` is not registered",
        "no moment has the path `space.nam`; did you mean `space.name`?",
    ]);
    assert_eq!(set(r#"[{"role":"narrow","when":{"space.name":"x"}}]"#).fails(0).err, "");
    terminal.types(r#"do @ada flow.default '{"role":"narow"}'"#).fails(0).warns(&["@ada: defaultRole: the role `narow` is not registered"]);
    assert_eq!(terminal.types(r#"do @ada flow.default '{"role":"narrow"}'"#).fails(0).err, "");
    // A flow in a file is doubted by what the world knows; without a world every role may be one.
    terminal.write("flow.json", r#"[{"role":"narow"}]"#);
    terminal.types("flow lint flow.json").fails(3).says(&["the role `narow` is not registered"]);
    terminal.types("flow lint flow.json --data nowhere").fails(0).says(&["nothing to warn of"]);
    terminal.types("--help").fails(0).says(&["a replay differs", "or a lint warns"]);
}

#[test]
fn a_measure_that_fails_ends_the_run_and_keeps_what_was_sampled_before() {
    let terminal = small();
    let run = "run src --for 2m --measures out.csv --quiet";
    terminal.types(run).fails(1).warns(&["measure `n`", "too many"]);
    let samples = terminal.read("out.csv");
    let values: Vec<&str> = samples.lines().skip(1).map(|line| line.rsplit(',').nth(1).unwrap()).collect();
    assert_eq!(values, ["0", "0", "1", "1", "2", "2"], "{samples}");
    terminal.types("verify").ok();
    // The world has come as far as the samples say, and goes on.
    terminal.types("run src --for 10s --quiet").ok();
}

#[test]
fn a_token_for_longer_than_any_lasts_is_a_wrong_command_line() {
    let terminal = small();
    terminal.types("run src --moments 1 --quiet").ok();
    terminal.types("token make --for 100000d").fails(2).warns(&["at most ten years"]);
    for (name, why) in [
        ("@ada", "`@ada` thinks by itself (script); only people have passwords and tokens"),
        ("@ivy", "there is no `@ivy` in this world"),
        ("@arrival", "`@arrival` is nobody in particular"),
    ] {
        terminal.types(&format!("token make --as {name}")).fails(1).warns(&[why]);
    }
}

#[test]
fn whoever_thinks_by_itself_now_comes_in_no_more() {
    let served = Served::paused("court");
    let operator = served.operator();
    let ivy = served.person(&operator, "ivy", json!({ "defaultRole": "person", "home": "/court" }));
    let token = served.post(&ivy, "/api/tokens", json!({ "name": "t" })).ok()["token"].as_str().unwrap().to_owned();
    served.keep_secret(&token);
    assert_eq!(served.get(&ivy, "/api/session").ok()["being"], "@ivy");
    let set = |cognition: &str| {
        let call = json!({ "target": "@ivy", "action": "cognition.set", "args": { "cognition": cognition } });
        assert_eq!(served.post(&operator, "/api/do", call).ok()["closing"], "act");
    };
    set("script");
    assert_eq!(served.get(&ivy, "/api/session").ok()["being"], "@arrival");
    assert_eq!(served.post(&ivy, "/api/tokens", json!({ "name": "u" })).code(), "not-logged-in");
    let login = || served.post(&VISITOR, "/api/session", json!({ "being": "ivy", "password": "only for tests" }));
    assert_eq!(login().code(), "wrong-login");
    let bearer = format!("Bearer {token}");
    assert_eq!(served.send(&VISITOR, "GET", "/api/session", None, &[("authorization", &bearer)]).code(), "bad-token");
    served.terminal.types("token make --as @ivy").fails(1).warns(&["`@ivy` thinks by itself (script)"]);
    // A person again, she comes in again.
    set("human");
    assert_eq!(login().status, 200);
}

#[test]
fn the_page_answers_to_the_servers_own_names_alone() {
    let served = Served::paused("court");
    for path in ["/", "/index.html", "/openapi.json", "/nothing", "/api/world"] {
        assert_eq!(served.send(&VISITOR, "GET", path, None, &[("host", "evil.example")]).code(), "wrong-host", "{path}");
    }
    assert_eq!(served.send(&VISITOR, "GET", "/health", None, &[("host", "evil.example")]).ok()["status"], "ok");
    assert_eq!(served.send(&VISITOR, "GET", "/openapi.json", None, &[]).status, 200);
}

#[test]
fn a_stream_that_cannot_be_read_is_an_error_and_no_empty_stream() {
    let terminal = Terminal::with_world("court", 40);
    let served = Served::begin(terminal, "serve --port 0 --paused --json --recent 1");
    let operator = served.operator();
    assert_eq!(served.stream(&operator, "/api/events?from=1", 1).len(), 1);
    let log = served.terminal.path("world/log/0000000000000000.seg");
    let mut bytes = fs::read(&log).unwrap();
    bytes[20_000] ^= 1;
    fs::write(&log, bytes).unwrap();
    let answer = served.get(&operator, "/api/events?from=1");
    assert_eq!(answer.status, 500, "{}", answer.text);
    assert!(answer.text.contains("0000000000000000.seg") && answer.text.contains("at byte"), "{}", answer.text);
}

#[test]
fn one_wording_says_that_somebody_does_not_drive_a_being() {
    let served = Served::paused("court");
    let operator = served.operator();
    let carol = served.person(&operator, "carol", json!({ "defaultRole": "person", "home": "/court" }));
    let told = served.post(&carol, "/api/do", json!({ "as": "@operator", "target": "/", "action": "say", "args": { "content": "I" } }));
    assert!(told.text.contains("`@carol` does not drive `@operator`; inhabit it first"), "{}", told.text);
    let token = served.post(&carol, "/api/tokens", json!({ "name": "t" })).ok()["token"].as_str().unwrap().to_owned();
    served.keep_secret(&token);
    let terminal = served.stop();
    let line = format!("do / say '{{\"content\":\"I\"}}' --as @operator --token {token}");
    terminal.types(&line).fails(1).warns(&["`@carol` does not drive `@operator`; inhabit it first"]);
}

#[test]
fn the_extensions_page_lists_what_is_authority() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/EXTENSIONS.md")).unwrap();
    let listed = text.split_once("Authority is ").unwrap().1;
    let listed = listed.split_once(": a step that does").unwrap().0;
    let mut words: Vec<&str> = listed.split('`').skip(1).step_by(2).filter(|word| *word != "owner").collect();
    let mut authority: Vec<&str> =
        core_operations().filter(|core| core.rule.is_authority()).map(|core| core.name).chain(["space.make"]).collect();
    words.sort_unstable();
    authority.sort_unstable();
    assert_eq!(words, authority);
}

/// A café after an hour, in which Theo has ended.
fn cafe() -> Terminal {
    let terminal = Terminal::new();
    terminal.types("new cafe").ok();
    terminal.types("run cafe --for 1h --quiet").ok();
    terminal.types("be end @theo").ok();
    terminal
}

/// What is typed wrongly, the exit code, and what is said of it.
const TYPED: &[(&str, i32, &str)] = &[
    ("summon rosa hello there", 4, "did you mean `@rosa`?"),
    ("tell roza how are you", 4, "did you mean `@rosa`?"),
    ("tell @roza hello", 4, "did you mean `@rosa`?"),
    ("do cafe cafe:order '{\"drink\":\"tea\"}'", 4, "did you mean `/cafe`?"),
    ("do /cafe cafe:ordr '{\"drink\":\"tea\"}'", 4, "did you mean `cafe:order`?"),
    ("do /cafe cofe:drink", 4, "`reelm see /.ops` lists the operations"),
    ("do /cafe cafe:order '{\"drnk\":\"tea\"}'", 4, "no argument `drnk` is known; did you mean `drink`?"),
    ("do /cafe cafe:order '{\"drink\":\"tee\"}'", 4, "drink: expected one of `coffee`, `tea`, `water`, found `tee`; did you mean `tea`?"),
    ("do /cafe cafe:order '{}'", 4, "expected the key `drink`"),
    ("do /cafe cafe:order drink=tea", 2, "write '{\"drink\":\"tea\"}'"),
    ("do /cafe cafe:order {drink:tea}", 2, "write '{\"drink\":\"tea\"}'"),
    ("do /cafe quality.set path=mood.level,value=3", 2, "write '{\"path\":\"mood.level\",\"value\":3}'"),
    ("tell @theo hello", 4, "@theo has ended; `reelm log @theo` tells its last moments"),
    ("do @theo quality.set '{\"path\":\"a.b\",\"value\":1}'", 4, "@theo has ended"),
    ("do / config.set '{\"key\":\"brakes.depth\",\"value\":\"x\"}'", 4, "expected a whole number, found `x`"),
];

#[test]
fn what_is_typed_wrongly_is_told_with_what_to_type() {
    let terminal = cafe();
    let mut faults = Vec::<String>::new();
    for (line, code, wanted) in TYPED {
        let said = terminal.types(line);
        if said.code != *code || !format!("{}{}", said.out, said.err).contains(wanted) {
            faults.push(format!("{line}: expected {code} and `{wanted}`, found {} and {}{}", said.code, said.out, said.err));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // Words need no quotes, and what they are done to is said as it was typed.
    terminal.types("tell @rosa good morning to you").ok();
    terminal.types("log @operator").fails(0).says(&["good morning to you"]);
}

#[test]
fn a_folder_that_is_a_source_is_the_one_that_is_meant() {
    let terminal = Terminal::new();
    terminal.types("new cafe").ok();
    let there = |line: &str| terminal.shell(&format!("cd cafe && {}", line.replacen("reelm", "$reelm", 1)));
    there("reelm check --strict").fails(0).says(&["0 warnings"]);
    there("reelm test").fails(0).says(&["ok "]);
    there("reelm see /").fails(1).warns(&["`reelm run SOURCE` makes one there"]);
    there("reelm run --for 1m --quiet").fails(0).says(&["durable in `world`"]);
    there("reelm apply").fails(0);
    there("reelm run --for 1m --quiet").ok();
    // What is begun beside the only source is begun in it.
    terminal.types("new --extension wave").fails(0).says(&["stands in `cafe/extensions/wave`; and in the list of `cafe/world.toml`"]);
    terminal.types("new --role guard").fails(0).says(&["cafe/roles/guard.md"]);
    terminal.types("check cafe").ok();
    assert!(terminal.read("cafe/world.toml").contains("extensions = [\"wave\"]"));
    terminal.types("new bar").ok();
    terminal.types("new --role cook").fails(1).warns(&["more than one source here", "`cd bar`, `cd cafe`"]);
    there("reelm new --role cook").fails(0).says(&["`roles/cook.md`"]);
}
