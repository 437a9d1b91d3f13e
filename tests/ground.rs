//! Ground: can whoever was given a place leave it, and whoever gave it take it back? And what is still used is not taken from under anybody.

use reelm::fact::Call;
use reelm::run::RunError;
use serde_json::json;

use super::kit::{Small, args, code};
use super::served::Served;
use super::terminal::Terminal;

const ESTATE: &str = r#"
[[space]]
path = "/estate"
owner = "@ada"
contributors = ["@bob"]
[[space]]
path = "/estate/cottage"
owner = "@bob"
[[space]]
path = "/estate/cottage/shed"
owner = "@carl"
[[being]]
name = "ada"
home = "/"
role = "free"
cognition = "human"
[[being]]
name = "bob"
home = "/"
role = "free"
cognition = "human"
[[being]]
name = "carl"
home = "/"
role = "free"
cognition = "human"
grants = ["other"]
[[being]]
name = "dora"
home = "/"
role = "mute"
flow = [{ role = "other" }]
script = "count"
"#;

fn mark(small: &mut Small, name: &str, target: &str) -> String {
    code(&small.act(name, Call::doing(target, "quality.set", args(r#"{"path":"t.n","value":1}"#))))
}

fn own(small: &mut Small, name: &str, target: &str, owner: &str) -> String {
    code(&small.act(name, Call::doing(target, "own.set", args(&format!(r#"{{"owner":{owner}}}"#)))))
}

#[test]
fn whoever_contributes_leaves_by_themselves_and_comes_back_only_by_the_owner() {
    let mut small = Small::plant(ESTATE);
    let contribute =
        |being: &str, yes: bool| Call::doing("/estate", "own.contribute", args(&format!(r#"{{"being":"{being}","yes":{yes}}}"#)));
    assert_eq!(mark(&mut small, "bob", "/estate"), "act");
    assert_eq!(code(&small.act("bob", contribute("@bob", false))), "act");
    assert_eq!(mark(&mut small, "bob", "/estate"), "gate-place");
    assert_eq!(mark(&mut small, "bob", "/estate/cottage"), "act", "what is his own stays his");
    assert_eq!(code(&small.act("bob", contribute("@bob", true))), "gate-owner");
    assert_eq!(code(&small.act("bob", contribute("@bob", false))), "gate-owner", "who is gone cannot leave");
    assert_eq!(code(&small.act("ada", contribute("@bob", true))), "act");
    assert_eq!(mark(&mut small, "bob", "/estate"), "act");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn every_owner_above_takes_a_branch_back_and_it_falls_to_the_nearest_owner_there_is() {
    let mut small = Small::plant(ESTATE);
    assert_eq!(own(&mut small, "carl", "/estate/cottage", "null"), "gate-owner", "nobody takes what lies above");
    assert_eq!(mark(&mut small, "ada", "/estate/cottage/shed"), "gate-place");
    // Over the head of whoever it was given away by.
    assert_eq!(own(&mut small, "ada", "/estate/cottage/shed", "null"), "act");
    assert_eq!(
        (mark(&mut small, "carl", "/estate/cottage/shed"), mark(&mut small, "bob", "/estate/cottage/shed")),
        ("gate-place".into(), "act".into())
    );
    assert_eq!(own(&mut small, "operator", "/estate/cottage", "null"), "act");
    // He is still one who contributes to the estate around it.
    assert_eq!((mark(&mut small, "bob", "/estate/cottage"), mark(&mut small, "ada", "/estate/cottage")), ("act".into(), "act".into()));
    assert_eq!(own(&mut small, "bob", "/estate/cottage", "\"@bob\""), "gate-owner");
    assert_eq!(own(&mut small, "operator", "/", "null"), "needed", "the root is never without an owner");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_role_that_somebody_names_is_taken_back_only_by_force_and_whoever_names_it_is_told() {
    let mut small = Small::plant(ESTATE);
    let mut drop = |name: &str, force: bool| {
        let draft =
            small.act("operator", Call::doing("/", "role.set", args(&format!(r#"{{"name":"{name}","role":null,"force":{force}}}"#))));
        draft.closing.reason().map_or_else(|| "act".to_owned(), ToString::to_string)
    };
    // By a flow, a default role, grants; what nobody names is nobody's.
    assert_eq!(drop("other", false), "role-worn at `@carl @dora`");
    assert_eq!(drop("free", false), "role-worn at `@ada @bob @carl`");
    assert_eq!(drop("deaf", false), "act");
    assert_eq!(drop("operator", true), "needed at `@operator`");
    assert_eq!(drop("other", true), "act");
    small.act("operator", Call::summon("@dora", args(r#"{"content":"hello"}"#)));
    small.run("1s");
    assert_eq!(small.reel("dora").last().unwrap().stack[0].role.as_ref(), "mute", "she wears what is left to her");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn the_command_line_takes_a_role_back_and_names_who_wears_it() {
    let terminal = Terminal::with_world("court", 1);
    terminal.types("role delete court:judge").fails(4).says(&["role-worn at `@"]);
    terminal.types("role delete watcher").ok();
    terminal.types("role show watcher").fails(1).warns(&["there is no role `watcher`"]);
    terminal.types("role delete watcher").fails(4).says(&["not-found"]);
    terminal.types("role delete court:judge --force").ok();
    terminal.types("role delete operator --force").fails(4).says(&["needed at `@operator`"]);
}

#[test]
fn nobody_acts_as_the_world_itself_by_any_door() {
    let act = r#"do / signal.set '{"path":"t.n","value":1}' --as @world"#;
    let terminal = Terminal::with_world("court", 1);
    terminal.types(act).fails(1).warns(&["nobody acts as `@world`"]);
    let served = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    served.terminal.types(act).fails(1).warns(&["nobody acts as `@world`"]);
    let call = json!({ "as": "@world", "target": "/", "action": "signal.set", "args": { "path": "t.n", "value": 1 } });
    let operator = served.operator();
    assert_eq!(served.post(&operator, "/api/do", call).code(), "not-yours");
    let mut small = Small::plant(ESTATE);
    let before = small.world().next_seq();
    assert!(matches!(small.try_act("world", Call::see("/")), Err(RunError::NobodysWorld)));
    assert_eq!(small.world().next_seq(), before, "and nothing is recorded");
}
