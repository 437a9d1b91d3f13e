//! Bounds: does one who carries much leave room for the others, and does a grid hold whatever stands on it?

use reelm::fact::{Call, Closing, Draft, Value};

use super::kit::{Small, args, code, source};

fn text(bytes: usize) -> Value {
    Value::text("x".repeat(bytes))
}

fn quality(path: &str, value: Value) -> Value {
    Value::map([("path", Value::text(path)), ("value", value)])
}

/// A plaza with @ada, whose script counts whom and what she is shown, with @zoe, and with so many others.
fn plaza(others: usize) -> Small {
    let mut plaza = source(&format!(
        r#"
        [[space]]
        path = "/plaza"
        [[being]]
        name = "ada"
        home = "/plaza"
        role = "deaf"
        script = "around"
        [[being]]
        name = "zoe"
        home = "/plaza"
        role = "deaf"
        quality.persona.age = 31
        [[population]]
        prefix = "fat"
        count = {others}
        home = "/plaza"
        role = "deaf"
        script = "look"
        "#
    ));
    let script = r#"fn think(face) {
        let plaza = see("/plaza");
        let counted = [here().len(), plaza.beings.len(), plaza.matter.len(), space().matter.len(), face.me.holds.len()];
        for other in here() { if other.name == "zoe" { counted.push(other.qualities.persona.age); } }
        act(face.me.address, "quality.set", #{ path: "t.counted", value: counted })
    }"#;
    plaza.scripts.push(("around".to_owned(), "scripts/around.rhai".to_owned(), script.to_owned()));
    Small::grow(&plaza, 1, 1)
}

#[test]
fn in_a_crowd_one_sees_whom_one_may_see_among_the_first_of_it() {
    let mut crowd = source(
        r#"
        [[space]]
        path = "/plaza"
        [[being]]
        name = "ada"
        home = "/plaza"
        role = "shy"
        script = "peek"
        [[population]]
        prefix = "w"
        count = 300
        home = "/plaza"
        role = "deaf"
        script = "look"
        "#,
    );
    let role = "---\nname: shy\ncanSee: ['@w-2', '@w-256', '@w-257']\ncanDo: ['quality.set']\ntriggerOn: [message, signal, schedule, watch]\n---\n";
    crowd.roles.push(reelm::role::Spec::from_markdown("shy.md", role).unwrap());
    let peek = r#"fn think(face) { act(face.me.address, "quality.set", #{ path: "t.saw", value: here().map(|one| one.name) }) }"#;
    crowd.scripts.push(("peek".to_owned(), "scripts/peek.rhai".to_owned(), peek.to_owned()));
    let mut small = Small::grow(&crowd, 1, 1);
    small.act("operator", Call::summon("@ada", args(r#"{"content":"look"}"#)));
    small.run("1s");
    assert_eq!(small.quality("ada", "t.saw").to_string(), r#"["w-2","w-256"]"#);
}

#[test]
#[ignore = "long: 62 beings who carry all that they may"]
fn whoever_carries_much_breaks_no_script_that_looks_around() {
    let mut small = plaza(62);
    let list = Value::List(vec![Value::Int(7); 1_200]);
    let map = Value::map((0..1_000).map(|n| (format!("k{n}"), Value::Int(n))));
    let heavy = [text(60_000), list, map];
    for n in 0..62 {
        small.operate(&format!("@fat-{}", n + 1), "quality.set", quality("b.x", heavy[n % 3].clone()));
        let crate_ = Value::map([("name", Value::text(format!("box-{n}"))), ("content", heavy[(n + 1) % 3].clone())]);
        small.operate(if n < 40 { "/plaza" } else { "@ada" }, "matter.make", crate_);
    }
    small.act("operator", Call::summon("@ada", args(r#"{"content":"look around"}"#)));
    small.run("1s");
    assert_eq!(small.quality("ada", "t.counted").to_string(), "[63,64,40,40,22,31]");
    // Alone, each is shown whole; among others, what did not fit is counted.
    let world = small.world();
    let shown = |address: &str| reelm::verb::see(&world, world.being_named("operator").unwrap(), address, world.now()).unwrap();
    assert_eq!(shown("@fat-1").at("qualities.b.x").and_then(Value::as_str).map(str::len), Some(60_000));
    let beings = shown("/plaza");
    let beings = beings.at("beings").and_then(Value::as_list).unwrap();
    let left_out = |name: &str| {
        let being = beings.iter().find(|being| being.at("name").and_then(Value::as_str) == Some(name)).unwrap();
        being.at("leftOut").cloned()
    };
    assert_eq!((left_out("fat-1"), left_out("zoe")), (Some(Value::Int(1)), None));
}

#[test]
fn what_one_thing_has_of_qualities_is_bounded_over_all_namespaces() {
    let mut small = plaza(1);
    let mut set = |n: usize| code(&small.act("operator", Call::doing("@fat-1", "quality.set", quality(&format!("b{n}.x"), text(60_000)))));
    assert_eq!((0..6).map(&mut set).collect::<Vec<_>>(), ["act", "act", "act", "act", "quality-size", "quality-size"]);
    let written = |name: &str| {
        let spaces = (0..5).map(|n| (format!("b{n}"), Value::map([("x", text(60_000))])));
        Value::map([("name", Value::text(name)), ("qualities", Value::map(spaces))])
    };
    assert_eq!(code(&small.act("operator", Call::doing("/plaza", "matter.make", written("box")))), "quality-size");
    assert_eq!(code(&small.act("operator", Call::doing("/plaza", "space.make", written("room")))), "quality-size");
    assert_eq!(code(&small.act("operator", Call::be("birth", written("ben")))), "quality-size");
    // A value that grows step by step is bounded where it stands, and an act that takes away is always possible.
    small.operate("/plaza", "matter.make", Value::map([("name", Value::text("crate"))]));
    let mut push = || code(&small.act("operator", Call::doing("/plaza/crate", "quality.push", quality("b.list", text(60_000)))));
    assert_eq!((0..6).map(|_| push()).collect::<Vec<_>>(), ["act", "act", "act", "act", "quality-size", "quality-size"]);
    assert_eq!(code(&small.act("operator", Call::doing("/plaza/crate", "quality.unset", args(r#"{"path":"b.list"}"#)))), "act");
    let deep = args(r#"{"name":"box","qualities":{"a":{"b c":1}}}"#);
    assert_eq!(code(&small.act("operator", Call::doing("/plaza", "matter.make", deep))), "quality-path");
}

#[test]
fn a_size_that_is_too_small_is_called_that_and_has_two_or_three_sides() {
    let mut small = Small::plant("");
    for (size, expected) in [
        ("[12,4]", "act"),
        ("[12,4,2]", "act"),
        (r#"{"x":12,"y":4}"#, "act"),
        ("null", "act"),
        ("[-12,4]", "args-minimum"),
        ("[12,-4]", "args-minimum"),
        ("[0,0]", "args-minimum"),
        ("[12,4,0]", "args-minimum"),
        ("[12,1000001]", "args-maximum"),
        ("[12]", "args-items"),
        ("[]", "args-items"),
        ("[12,4,2,1]", "args-items"),
        (r#"{"x":12}"#, "args-items"),
        (r#"["a","b"]"#, "args-type"),
        ("12", "args-type"),
    ] {
        let name = format!("s{}", small.world().next_seq());
        let draft = small.act("operator", Call::doing("/", "space.make", args(&format!(r#"{{"name":"{name}","size":{size}}}"#))));
        assert_eq!(code(&draft), expected, "{size}");
    }
}

const HALL: &str = r#"
    [[space]]
    path = "/hall"
    size = [12, 4]
    [[space]]
    path = "/hall/nook"
    coords = [1, 3]
    [[matter]]
    at = "/hall"
    name = "cup"
    coords = [9, 1]
    [[being]]
    name = "ada"
    home = "/hall"
    coords = [11, 2]
    role = "free"
"#;

#[test]
fn a_number_that_would_grow_past_what_one_can_hold_is_called_that() {
    let mut small = plaza(1);
    small.operate("@ada", "quality.set", quality("t.n", Value::Int(i64::MAX)));
    let add = |by: i64| Call::doing("@ada", "quality.inc", Value::map([("path", Value::text("t.n")), ("by", Value::Int(by))]));
    assert_eq!(code(&small.act("operator", add(1))), "quality-range");
    assert_eq!(code(&small.act("operator", add(-1))), "act");
    small.operate("@ada", "quality.set", quality("t.n", Value::text("seven")));
    assert_eq!(code(&small.act("operator", add(1))), "quality-kind");
}

#[test]
fn a_schedule_that_would_never_come_is_refused() {
    let mut small = plaza(1);
    let mut sets = |json: &str| {
        let done = small.act("operator", Call::doing("@ada", "schedule.set", args(json)));
        done.closing.reason().map_or_else(|| "act".to_owned(), ToString::to_string)
    };
    assert_eq!(sets(r#"{"name":"a","cron":"0 0 30 2 *"}"#), "never-due at `/cron`", "no February has thirty days");
    assert_eq!(sets(r#"{"name":"a","cron":"0 0 29 2 *"}"#), "act");
    assert_eq!(sets(r#"{"name":"a","cron":"noon"}"#), "bad-cron at `/cron`");
    assert_eq!(sets(r#"{"name":"a","every":"1s","offset":9007199254740991}"#), "never-due at `/offset`");
    assert_eq!(sets(r#"{"name":"a","at":253402300800000}"#), "never-due at `/at`");
    assert_eq!(sets(r#"{"name":"a","at":253402300799999}"#), "act");
    assert_eq!(sets(r#"{"name":"a","at":0}"#), "in-the-past at `/at`");
}

#[test]
fn a_space_does_not_shrink_under_what_stands_in_it() {
    let mut small = Small::plant(HALL);
    let size = |small: &mut Small, size: &str| {
        let draft: Draft = small.act("operator", Call::doing("/hall", "space.set", args(&format!(r#"{{"size":{size}}}"#))));
        match draft.closing {
            Closing::Act => "act".to_owned(),
            Closing::Refused(reason) => reason.to_string(),
            other => other.word().to_owned(),
        }
    };
    for narrow in ["[6,4]", "[12,2]", "null"] {
        assert_eq!(size(&mut small, narrow), "off-grid at `@ada`", "{narrow}");
    }
    small.operate("@ada", "move", args(r#"{"coords":[0,0]}"#));
    assert_eq!(size(&mut small, "[6,4]"), "off-grid at `/hall/cup`");
    small.operate("/hall/cup", "move", args(r#"{"coords":[2,1]}"#));
    assert_eq!(size(&mut small, "[6,3]"), "off-grid at `/hall/nook`");
    assert_eq!(size(&mut small, "[6,4]"), "act");
    // Through a source that is applied as well: what it says is done, or nothing is.
    let narrower = HALL.replace("[12, 4]", "[2, 4]").replace("[9, 1]", "[1, 1]").replace("[11, 2]", "[0, 0]");
    let error = small.living().apply(&source(&narrower)).unwrap_err().to_string();
    assert!(error.contains("off-grid") && error.contains("/hall/cup"), "{error}");
    assert!(small.replay().is_ok());
}

#[test]
fn what_be_takes_is_shown_as_operations_are() {
    let world = Small::plant("").world();
    let operator = world.being_named("operator").unwrap();
    let shown = |address: &str| reelm::verb::see(&world, operator, address, world.now()).unwrap();
    let names = shown("/.ops");
    for (operation, about, schema, _) in reelm::verb::BE_OPERATIONS {
        let name = format!("be.{operation}");
        let one = shown(&format!("/.ops/{name}"));
        assert_eq!(one.at("about").and_then(Value::as_str), Some(*about));
        assert_eq!(one.at("args"), Some(&args(schema)));
        assert!(names.as_list().unwrap().contains(&Value::text(&name)), "{names}");
    }
}
