//! Page told: does a source tell the page how its things are drawn, what one may try, and what is going on, as facts of the world?

use serde_json::{Value, json};

use super::served::{Person, Served};
use super::terminal::Terminal;

const WORLD: &str = "name = \"small\"\nextensions = [\"t\"]\n[[space]]\npath = \"/hall\"\ntype = \"hall\"\nallow = [\"say\", \"t:*\"]\nquality.ambient.tone = \"loud\"\nquality.look.icon = \"barn\"\n\
[[matter]]\nat = \"/hall\"\nname = \"press\"\ntype = \"station\"\nquality.station.does = \"press\"\nquality.look = { icon = \"M0 0h18v18z\", colour = \"#a0b1c2\" }\n\
[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"looker\"\ncognition = \"human\"\n";
const TOLD: &str = "[[look]]\ntype = \"station\"\ncolour = \"maple\"\n\
[[measure]]\nname = \"open\"\ntitle = \"Waiting\"\nvalue = 'signal(\"t.open\") ?? 0'\nwarn = { gte = 3 }\n\
[[try]]\nsay = \"Ada hears it.\"\nbutton = \"Call Ada\"\nverb = \"summon\"\ntarget = \"@ada\"\ncontent = { call = \"come\" }\n\
[[try]]\nsay = \"The hall hears it.\"\nbutton = \"Greet the hall\"\nverb = \"do\"\ntarget = \"/hall\"\naction = \"say\"\nargs = { content = \"Hello.\" }\n\
[[now]]\nwhen = { or = [{ \"measure.open\" = { gte = 3 } }, { \"world.t.alarm\" = true }] }\nsay = \"{{measure.open}} of them wait for {{world.t.who}}.\"\nwatch = true\n\
[[now]]\nwhen = { \"time.hour\" = { gte = 12 } }\nsay = \"it is late: {{count.looker}} people look.\"\n\
[[now]]\nsay = \"All is quiet.\"\n";
const MANIFEST: &str = "name = \"t\"\nversion = \"1.0.0\"\n[[matter]]\ntype = \"station\"\nlook = { icon = \"bench\", colour = \"red\", rows = true }\n[[space]]\ntype = \"hall\"\nlook = { hidden = false }\n";

fn written(told: &str) -> Terminal {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", &format!("{WORLD}{told}"));
    terminal.write("src/extensions/t/manifest.toml", MANIFEST);
    terminal.write("src/roles/looker.md", "---\nname: looker\ncanSee: ['/', '/hall', '/hall/**']\ncanDo: [say]\n---\nLook.\n");
    terminal
}

#[test]
fn how_things_are_drawn_is_told_by_type_and_of_one_thing() {
    let terminal = written(TOLD);
    let board = |n: u32| format!("[[matter]]\nat = \"/hall/press\"\nname = \"board-{n}\"\ntype = \"board\"\n");
    terminal.write("src/world.toml", &format!("{WORLD}{}{TOLD}", (10..20).map(board).collect::<String>()));
    let served = Served::begin(terminal, "serve src --port 0 --paused --json");
    let operator = served.operator();
    let world = served.get(&operator, "/api/world").ok();
    assert_eq!(world["looks"], json!({ "station": { "icon": "bench", "colour": "maple", "rows": true }, "hall": { "hidden": false } }));
    let tree = served.get(&operator, "/api/tree").ok();
    let hall = &tree["spaces"][0];
    assert_eq!((&hall["tone"], &hall["look"]), (&json!("loud"), &json!({ "icon": "barn" })), "{hall}");
    let press = &hall["matter"][0];
    assert_eq!((&press["does"], &press["look"]), (&json!("press"), &json!({ "icon": "M0 0h18v18z", "colour": "#a0b1c2" })));
    assert_eq!((press["holds"].as_u64(), press["held"].as_array().unwrap().len()), (Some(10), 8));
    assert_eq!(press["held"][0], json!({ "name": "board-10", "address": "/hall/press/board-10", "type": "board" }));
    assert!(tree.get("tone").is_none() && tree.get("look").is_none(), "the root says nothing of it");
    // A look that is set while the world lives is told only where it can be drawn.
    for (value, told) in [("https://x.example/a.svg", Value::Null), ("M1 1L2 2", json!({ "icon": "M1 1L2 2", "colour": "#a0b1c2" }))] {
        let icon = json!({ "target": "/hall/press", "action": "quality.set", "args": { "path": "look.icon", "value": value } });
        served.post(&operator, "/api/do", icon).ok();
        let look = served.get(&operator, "/api/tree").ok()["spaces"][0]["matter"][0]["look"].clone();
        assert!(look == told || (told.is_null() && look == json!({ "colour": "#a0b1c2" })), "{look}");
    }
}

#[test]
fn what_the_page_is_told_is_a_fact_of_the_world() {
    let terminal = written(TOLD);
    terminal.types("run src --moments 0 --quiet").ok();
    terminal.types("export --source back").ok();
    let back = terminal.read("back/world.toml");
    for said in
        ["[[look]]", "colour = \"maple\"", "[[try]]", "button = \"Call Ada\"", "[[now]]", "watch = true", "title = \"Waiting\"", "warn = {"]
    {
        assert!(back.contains(said), "{said} in {back}");
    }
    terminal.write("back/extensions/t/manifest.toml", MANIFEST);
    terminal.types("check back").ok();
    terminal.types("export day.reelm").ok();
    terminal.types("import day.reelm --data other").ok();
    terminal.types("fork twin").ok();
    for data in ["world", "other", "twin"] {
        let served = Served::begin(Terminal::new(), &format!("serve --data {} --port 0 --paused --json", terminal.path(data).display()));
        let world = served.get(&served.operator(), "/api/world").ok();
        assert_eq!((&world["looks"]["station"]["colour"], world["tries"].as_array().unwrap().len()), (&json!("maple"), 2), "{data}");
        assert_eq!((&world["now"]["say"], &world["measures"][0]["title"]), (&json!("All is quiet."), &json!("Waiting")), "{data}");
        drop(served);
    }
    terminal.write("src/world.toml", &format!("{WORLD}{}", TOLD.replace("Call Ada", "Call her")));
    terminal.types("apply src").fails(0).says(&["change what the page is told"]);
    terminal.types("apply src").fails(0).says(&["nothing to do"]);
    terminal.types("replay").ok();
}

#[test]
fn one_is_asked_to_try_only_what_one_may_do_now() {
    let served = Served::begin(written(TOLD), "serve src --port 0 --paused --json");
    let operator = served.operator();
    let tries = |person: &Person, query: &str| served.get(person, &format!("/api/world{query}")).ok()["tries"].clone();
    let call = json!({ "say": "Ada hears it.", "button": "Call Ada", "verb": "summon", "target": "@ada", "does": "Calls on Ada", "content": { "call": "come" } });
    let greet = json!({ "say": "The hall hears it.", "button": "Greet the hall", "does": "Says “Hello.”", "verb": "do", "target": "/hall", "action": "say", "args": { "content": "Hello." } });
    assert_eq!(tries(&operator, ""), json!([call, greet]));
    let looker = served.person(&operator, "pat", json!({ "defaultRole": "looker", "home": "/hall" }));
    assert_eq!(tries(&looker, ""), json!([greet]), "who may not summon Ada is not asked to");
    let end = served.get(&operator, "/api/world").ok()["seq"].as_u64().unwrap();
    assert_eq!(tries(&operator, &format!("?at={end}")), json!([]), "the past is over");
    served.post(&operator, "/api/summon", json!({ "target": "@ada", "content": call["content"] })).ok();
    served.post(&looker, "/api/do", json!({ "target": "/hall", "action": "say", "args": greet["args"] })).ok();
}

#[test]
fn what_is_going_on_follows_signals_measures_and_the_clock() {
    let terminal = written(TOLD);
    terminal.write("src/world.toml", &format!("start = \"2026-01-01T11:00:00\"\n{WORLD}{TOLD}"));
    let served = Served::begin(terminal, "serve src --port 0 --paused --json");
    let operator = served.operator();
    let signal = |path: &str, value: Value| {
        let call = json!({ "target": "/", "action": "signal.set", "args": { "path": path, "value": value } });
        served.post(&operator, "/api/do", call).ok()["seq"].as_u64().unwrap() + 1
    };
    let world = |query: &str| served.get(&operator, &format!("/api/world{query}")).ok();
    let quiet = world("");
    assert_eq!((&quiet["now"], &quiet["measures"][0]["isWarning"]), (&json!({ "say": "All is quiet.", "watch": false }), &json!(false)));
    let before = signal("t.who", json!("Sana"));
    signal("t.alarm", json!(true));
    let open = signal("t.open", json!(12));
    let then = world(&format!("?at={open}"));
    assert_eq!(
        (&then["now"], &then["measures"][0]["isWarning"]),
        (&json!({ "say": "Twelve of them wait for Sana.", "watch": true }), &json!(true))
    );
    let many = signal("t.open", json!(13));
    assert_eq!(world(&format!("?at={many}"))["now"]["say"], "13 of them wait for Sana.");
    assert_eq!(world(&format!("?at={before}"))["now"]["say"], "All is quiet.");
    let looker = served.person(&operator, "pat", json!({ "defaultRole": "looker", "home": "/hall" }));
    assert!(served.get(&looker, "/api/world").ok()["now"].is_null(), "who may not see measures is told nothing that they say");
    let terminal = served.stop();
    let late = format!("start = \"2026-01-01T13:00:00\"\n{WORLD}{TOLD}");
    terminal.write("late/world.toml", &late.replace("name = \"small\"", "name = \"late\""));
    terminal.write("late/extensions/t/manifest.toml", MANIFEST);
    terminal.write("late/roles/looker.md", &terminal.read("src/roles/looker.md"));
    let served = Served::begin(terminal, "serve late --data late-world --port 0 --paused --json");
    assert_eq!(served.get(&served.operator(), "/api/world").ok()["now"]["say"], "It is late: no people look.");
}

#[test]
fn what_cannot_be_told_is_an_error_with_its_line() {
    let terminal = written("");
    let lines = WORLD.lines().count();
    for (told, says) in [
        ("[[look]]\ntype = \"x\"\nicon = \"https://x.example/a.svg\"\n", "look of `x`: icon: expected a word of small letters"),
        ("[[look]]\ntype = \"x\"\nicon = \"M0 0<script>\"\n", "look of `x`: icon: expected"),
        ("[[look]]\ntype = \"x\"\ncolour = \"url(a)\"\n", "look of `x`: colour: expected a word"),
        ("[[look]]\ntype = \"x\"\ncolor = \"red\"\n", "found `color`; did you mean `colour`?"),
        ("[[look]]\nicon = \"x\"\n", "expected `type`"),
        ("[[try]]\nsay = \"x\"\nbutton = \"x\"\nverb = \"do\"\ntarget = \"/\"\naction = \"signal.set\"\n", "`signal.set` is of authority"),
        ("[[try]]\nsay = \"x\"\nbutton = \"x\"\nverb = \"do\"\ntarget = \"@ada\"\naction = \"role.set\"\n", "`role.set` is of authority"),
        (
            "[[try]]\nsay = \"x\"\nbutton = \"x\"\nverb = \"do\"\ntarget = \"/hall\"\naction = \"pause.set\"\n",
            "`pause.set` is of authority",
        ),
        ("[[try]]\nsay = \"x\"\nbutton = \"x\"\nverb = \"sumon\"\ntarget = \"/\"\n", "found `sumon`; did you mean `summon`?"),
        ("[[try]]\nsay = \"x\"\nbutton = \"x\"\nverb = \"do\"\ntarget = \"/\"\n", "action: expected the operation"),
        ("[[now]]\nwhen = { \"me.name\" = \"ada\" }\nsay = \"x\"\n", "found `me.name`; no being is asked here"),
        (
            "[[now]]\nwhen = { \"measure.opn\" = 1 }\nsay = \"x\"\n[[measure]]\nname = \"open\"\nvalue = \"1\"\n",
            "no measure `opn`; did you mean `measure.open`?",
        ),
        ("[[now]]\nsay = \"{{me.name}} x\"\n", "found `{{me.name}}`"),
        ("[[measure]]\nname = \"open\"\nvalue = \"1\"\nwarn = { gt = true }\n", "measure `open`: warn:"),
    ] {
        terminal.write("src/world.toml", &format!("{WORLD}{told}"));
        let said = terminal.types("check src").fails(1).warns(&[says]).err;
        let line: usize = said.split("world.toml:").nth(1).unwrap().split(':').next().unwrap().parse().unwrap();
        assert!((lines + 1..=lines + told.lines().count()).contains(&line), "{said}");
    }
    let one = "[[try]]\nsay = \"x\"\nbutton = \"x\"\nverb = \"summon\"\ntarget = \"@ada\"\n";
    terminal.write("src/world.toml", &format!("{WORLD}{}", one.repeat(9)));
    terminal.types("check src").fails(1).warns(&[&format!("world.toml:{}: try: expected at most 8", lines + 41)]);
    terminal.write("src/world.toml", &WORLD.replace("icon = \"barn\"", "icon = \"<b>\""));
    terminal.types("check src").fails(1).warns(&["quality.look: icon: expected", "icon = \"<b>\""]);
    terminal.write("src/world.toml", WORLD);
    terminal.write("src/extensions/t/manifest.toml", &MANIFEST.replace("\"bench\"", "\"BENCH\""));
    terminal.types("check src").fails(1).warns(&["manifest.toml:5: matter `station`.look: icon: expected a word"]);
}

#[test]
fn what_may_not_be_meant_is_a_warning_with_its_line() {
    let terminal = written("");
    let lines = WORLD.lines().count();
    let long = format!("[[now]]\nsay = \"{}\"\n", ["word"; 16].join(" "));
    terminal
        .write("src/world.toml", &format!("{WORLD}[[try]]\nsay = \"x\"\nbutton = \"x\"\nverb = \"summon\"\ntarget = \"@adda\"\n{long}"));
    terminal.types("check src").fails(0).says(&[
        &format!(
            "world.toml:{}:10: try 1: target: nothing stands at `@adda`, so nobody is asked to try it; did you mean `@ada`?",
            lines + 5
        ),
        &format!("world.toml:{}:7: now 1: say: expected at most 15 words, which one reads at a glance, found 16", lines + 7),
    ]);
    terminal.types("check src --strict").fails(1);
    // A signal that only a sentence reads is read.
    let signal = "[[signal]]\npath = \"t.odd\"\nvalue = 1\n";
    terminal.write("src/world.toml", &format!("{WORLD}{signal}"));
    assert!(terminal.types("check src").ok().contains("signal t.odd"));
    terminal.write("src/world.toml", &format!("{WORLD}{signal}[[now]]\nwhen = {{ \"world.t.odd\" = 1 }}\nsay = \"Odd.\"\n"));
    assert!(!terminal.types("check src").ok().contains("signal t.odd"));
}

#[test]
fn mo_gives_the_break_that_the_page_lets_one_ask_for() {
    let terminal = Terminal::new();
    terminal.types("run $worlds/skateco --for 20m --quiet").ok();
    terminal.types("summon @mo 'Give them a break, Mo.'").ok();
    terminal.types("run --for 1m --quiet").ok();
    let is_break = || terminal.types("see /.signals/skateco.break --json").json();
    assert_eq!(is_break(), json!(true));
    terminal.types("run --until 2026-03-02T07:01:00 --quiet").ok();
    assert_eq!(is_break(), json!(false));
}

#[test]
fn what_the_shipped_worlds_let_one_try_can_be_done() {
    for (world, passes) in
        [("skateco", 0), ("court", 0), ("library", 0), ("dance", 20), ("salon", 0), ("committee", 0), ("town", 0), ("karate", 0)]
    {
        let terminal = Terminal::new();
        if passes > 0 {
            terminal.types(&format!("run $worlds/{world} --for {passes}s --quiet")).ok();
        }
        let served = Served::begin(terminal, &format!("serve $worlds/{world} --port 0 --paused --json"));
        let operator = served.operator();
        let told = served.get(&operator, "/api/world").ok();
        let tried = &told["tries"][0];
        let (verb, mut call) = (tried["verb"].as_str().unwrap().to_owned(), tried.clone());
        for key in ["say", "button", "verb", "does"] {
            call.as_object_mut().unwrap().remove(key);
        }
        let report = served.post(&operator, &format!("/api/{verb}"), call).ok();
        assert_eq!(report["closing"], "act", "{world}: {report}");
        assert!(told["measures"].as_array().unwrap().iter().all(|measure| measure["title"] != measure["name"]), "{world}");
        assert!(!told["now"].is_null() || ["salon", "town"].contains(&world), "{world}");
    }
}
