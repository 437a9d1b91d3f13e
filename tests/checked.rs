//! Checked: does one look at a source say all that is wrong with it or may not be meant, without planting it?

use super::terminal::Terminal;

const WORLD: &str = r#"name = "doubtful"
[[space]]
path = "/hall"
flow = [{ stack = true, when = { "world.t.onn" = true }, role = "loud" }]
[[signal]]
path = "t.on"
value = true
[[signal]]
path = "t.unheard"
value = 1
[[being]]
name = "ada"
home = "/hall"
role = "singer"
script = "sing"
flow = [
  { role = "person" },
  { when = { "world.t.on" = true }, role = "watcher" },
]
[[being.schedule]]
name = "turn"
every = "1h"
[[being]]
name = "bob"
home = "/hall"
role = "loud"
script = "sngi"
"#;

const SINGER: &str = "---\nname: singer\ncanSee: ['@adda', '/hal', '/hall']\ncanDo: [qualty.set, say]\ncanBe: [brith]\nsee: [thraed]\nscript: sing\n---\n\nYou are {{me.nmae}} of {{world.t.on}}.\n";

fn doubtful() -> Terminal {
    let terminal = Terminal::new();
    terminal.write("doubtful/world.toml", WORLD);
    terminal.write("doubtful/roles/singer.md", SINGER);
    terminal.write("doubtful/roles/loud.md", "---\nname: loud\nwhen: {time.hour: {gte: 9}}\ncanDo: [say]\n---\n\nYou are loud.\n");
    terminal.write("doubtful/scripts/sing.rhai", "fn think(face) { () }");
    terminal
}

#[test]
fn everything_that_names_nothing_is_told_with_its_place_and_what_may_have_been_meant() {
    let terminal = doubtful();
    let told = terminal.types("check doubtful").fails(0).says(&[
        "roles: role singer: prompt: no prompt is told `me.nmae`; did you mean `me.name`?",
        "role singer: see[0]: there is no resolver `thraed`; did you mean `thread`?",
        "role singer: canSee[0]: nothing here is called `@adda`; did you mean `@ada`?",
        "role singer: canSee[1]: nothing here is called `/hal`",
        "role singer: canDo[0]: no operation is called `qualty.set`; did you mean `quality.set`?",
        "role singer: canBe[0]: no operation of be is called `brith`",
        "world.toml:18:3: @ada: [1]: this clause is never reached, because clause 0 always matches",
        "world.toml:27:10: @bob: script: there is no script `sngi`",
        "world.toml:4:8: /hall: flow: nobody sets the signal `t.onn`, and no role binds its namespace; did you mean `world.t.on`?",
        "world.toml:10:9: signal t.unheard: value: no flow, no role's `when` or prompt, no rule and no script reads it",
        "doubtful: 2 beings, ",
    ]);
    assert!(!told.out.contains("`person`") && !told.out.contains("`watcher`"), "the roles that every world has are known: {}", told.out);
    assert_eq!(std::fs::read_dir(terminal.path(".")).unwrap().count(), 1, "nothing is planted");
    terminal.types("check doubtful --strict").fails(1).warns(&["--strict: "]);
}

#[test]
fn what_is_wrong_ends_the_check_with_its_place() {
    let terminal = doubtful();
    let write = |more: &str| terminal.write("doubtful/world.toml", &format!("{WORLD}{more}"));
    write("[[measure]]\nname = \"m\"\nvalue = \"count(\"\n");
    terminal.types("check doubtful").fails(1).warns(&["world.toml:30:9: measure `m`"]);
    write("[[measure]]\nname = \"m\"\nvalue = \"cuont(1)\"\n");
    terminal.types("check doubtful").fails(1).warns(&["world.toml:30:9: measure `m`: value:1: script-unknown-function"]);
    write("[[measure]]\nname = \"m\"\nevery = \"1h\"\nvalue = \"1 / 0\"\n");
    terminal.types("check doubtful").fails(1).warns(&["measure `m`: value:1: script-arithmetic"]);
    write("[[measure]]\nname = \"m\"\nvalue = '60 / count(\"t.late\")'\n");
    terminal.types("check doubtful").ok();
    let early = "\nstart = \"0001-01-01T00:00:00\"\nzone = \"Asia/Tokyo\"\n";
    terminal.write("doubtful/world.toml", &WORLD.replacen('\n', early, 1));
    terminal.types("check doubtful").fails(1).warns(&["which is none of the years 1 to 9999"]);
    write("[[being]]\nname = \"cy\"\nhome = \"/nowhere\"\nrole = \"loud\"\n");
    terminal.types("check doubtful").fails(1).warns(&["/nowhere"]);
    write("");
    terminal.write("doubtful/scripts/sing.rhai", "fn think(face) {");
    terminal.types("check doubtful").fails(1).warns(&["sing.rhai"]);
}

#[test]
fn a_rule_of_an_extension_and_a_measure_of_who_wears_a_role_are_held_to_what_there_is() {
    let terminal = Terminal::new();
    let rule = "[[rule]]\nname = \"quiet\"\non = [\"say\"]\nwhen = { \"actor.quality.n.vaue\" = 1 }\nrefuse = \"quiet\"\n";
    terminal.write("w/extensions/hush/manifest.toml", &format!("name = \"hush\"\nversion = \"1.0.0\"\n{rule}"));
    let being = "[[being]]\nname = \"a\"\nhome = \"/h\"\nscript = \"a\"\nrole = \"r\"\nquality.n.value = 3\n";
    let measure = |role: &str| format!("[[measure]]\nname = \"m-{role}\"\nvalue = 'wearing(\"{role}\")'\n");
    let space = "[[space]]\npath = \"/h\"\n";
    let world = format!("name = \"w\"\nextensions = [\"hush\"]\n{space}{being}{}{}", measure("rr"), measure("r"));
    terminal.write("w/world.toml", &world);
    terminal.write("w/scripts/a.rhai", "fn think(face) { () }");
    terminal.write("w/roles/r.md", "---\nname: r\ncanSee: ['/h']\n---\nx\n");
    let told = terminal.types("check w").fails(0).says(&[
        "extensions/hush/manifest.toml: rule hush:quiet: when: nothing has the quality `n.vaue`",
        "world.toml:13:9: measure m-rr: value: the role `rr` is not registered",
        "did you mean `r`?",
    ]);
    assert!(!told.out.contains("measure m-r:"), "{}", told.out);
}

#[test]
fn a_quality_that_is_read_and_that_nothing_writes_is_told_where_it_is_read() {
    let terminal = Terminal::new();
    let world = |more: &str| {
        let being = "[[being]]\nname = \"a\"\nhome = \"/h\"\nscript = \"a\"\nrole = \"r\"\nquality.n.value = 3\n[[being.schedule]]\nname = \"t\"\nevery = \"1m\"\n";
        terminal.write("w/world.toml", &format!("name = \"w\"\n[[space]]\npath = \"/h\"\n{being}{more}"));
    };
    let script = |text: &str| terminal.write("w/scripts/a.rhai", &format!("fn think(face) {{ {text} }}"));
    let role = |head: &str| terminal.write("w/roles/r.md", &format!("---\nname: r\ncanSee: ['/h']\n{head}\n---\nx\n"));
    let now = "[[measure]]\nname = \"s\"\nvalue = 'signal(\"no.three\")'\n[[now]]\nwhen = { \"world.no.two\" = true }\nsay = \"Two.\"\n";
    let measure = "[[measure]]\nname = \"m\"\nvalue = 'mean(\"n.valeu\") + count(\"n.value\") + sum( \"gone.at\" )'\n";
    let table = "[[table]]\nname = \"t\"\ncolumns = [\"me.quality.n.value\", \"me.quality.n.valeu\", \"world.no.one\"]\n";
    world(&format!("{measure}{table}{now}"));
    terminal.write("w/rules/quiet.toml", "on = [\"say\"]\nwhen = { \"actor.quality.n.vaue\" = 1 }\nrefuse = \"quiet\"\n");
    script("()");
    role("when: {me.quality.n.vale: {gt: 1}}\ncanDo: [say]");
    let told = terminal.types("check w").fails(0).says(&[
        "world.toml:15:9: measure m: value: nothing has the quality `gone.at`, and no script and no role of a model or a person writes it",
        "world.toml:15:9: measure m: value: nothing has the quality `n.valeu`",
        "did you mean `n.value`?",
        "world.toml:18:34: table t: columns[1]: nothing has the quality `n.valeu`",
        "table t: columns[2]: nobody sets the signal `no.one`",
        "measure s: value: nobody sets the signal `no.three`",
        "now 1: when: nobody sets the signal `no.two`",
        "role r: when: nothing has the quality `n.vale`",
        "w/rules/quiet.toml: rule quiet: when: nothing has the quality `n.vaue`",
    ]);
    assert!(!told.out.contains("columns[0]"), "{}", told.out);
    terminal.types("check w --strict").fails(1).warns(&["--strict: "]);
    // A path that somebody may write, or that nobody can tell, is no typing error.
    role("canDo: [quality.set, quality.inc]");
    std::fs::remove_dir_all(terminal.path("w/rules")).unwrap();
    let only = "[[measure]]\nname = \"m\"\nvalue = 'mean(\"n.valeu\")'\n";
    world(only);
    for (text, warnings) in [
        ("act(face.me.address, \"quality.inc\", #{ path: \"n.valeu\" })", 0),
        ("act(face.me.address, \"quality.inc\", #{ path: \"n.other\" })", 1),
        ("act(face.me.address, \"quality.inc\", #{ path: \"n.\" + face.me.name })", 0),
        ("act(face.me.address, \"quality.inc\", #{ path: `n.${face.me.name}` })", 0),
        ("act(face.me.address, \"quality.inc\", #{ path: `o.${face.me.name}` })", 1),
        ("act(face.me.address, \"quality.set\", #{ path: \"n\", value: #{ x: 1 } })", 0),
        ("let at = \"n.x\"; act(face.me.address, \"quality.inc\", #{ path: at })", 0),
    ] {
        script(text);
        let told = terminal.types("check w --json").fails(0);
        assert_eq!(told.out.matches("unwritten-quality").count(), warnings, "{text}: {}", told.out);
    }
    script("()");
    let model = "[config]\n\"llm.connection\" = \"t\"\n\"llm.t\" = { base_url = \"http://127.0.0.1:9/v1\", model = \"t\" }\n[[being]]\nname = \"b\"\nhome = \"/h\"\ncognition = \"llm\"\nrole = \"r\"\n";
    for (right, warnings) in [
        ("canDo: [say]", 1),
        ("canDo: ['quality.*']", 0),
        ("canDo: [{action: quality.set, ns: 'n'}]", 0),
        ("canDo: [{action: quality.set, ns: 'o'}]", 1),
    ] {
        role(right);
        world(&format!("{only}{model}"));
        let told = terminal.types("check w --json").fails(0);
        assert_eq!(told.out.matches("unwritten-quality").count(), warnings, "{right}: {}", told.out);
    }
}

#[test]
fn a_measure_that_looks_at_what_is_not_there_is_doubted() {
    let terminal = Terminal::new();
    let being = "[[being]]\nname = \"ada\"\nhome = \"/hall\"\nscript = \"a\"\nrole = \"r\"\nquality.n.value = 3\n[[being.schedule]]\nname = \"t\"\nevery = \"1m\"\n";
    terminal.write("w/roles/r.md", "---\nname: r\ncanSee: ['/hall']\ncanDo: [quality.inc, 'make']\n---\nx\n");
    let script = "fn think(face) { make(\"lamp\"); act(face.me.address, \"quality.inc\", #{ path: \"n.sum\" }) }";
    terminal.write("w/scripts/a.rhai", script);
    let told = |value: &str| {
        let measure = format!("[[measure]]\nname = \"m\"\nvalue = '{value}'\n");
        terminal.write("w/world.toml", &format!("name = \"w\"\n[[space]]\npath = \"/hall\"\n{being}{measure}"));
        let out = terminal.types("check w --json").fails(0).out;
        out.lines().filter(|line| line.contains("measure m")).map(str::to_owned).collect::<Vec<_>>()
    };
    for (value, wanted) in [
        ("see(\"/hal\")?.count ?? 0", &["nothing stands at `/hal`, and no script names it", "did you mean `/hall`?"][..]),
        ("see(\"@ad\").qualities.n.value", &["nothing stands at `@ad`"]),
        ("see(\"@ada\").qualities.n.vale", &["nothing has the quality `n.vale`", "did you mean `n.value`?"]),
        ("see( `@ada` )?.qualities?.n?.other ?? 0", &["nothing has the quality `n.other`"]),
    ] {
        let told = told(value);
        assert!(told.len() == 1 && wanted.iter().all(|wanted| told[0].contains(wanted)), "{value}: {told:?}");
    }
    // Things that are there or may come, values that a script writes, and names that no reader of the source can tell.
    for value in [
        "see(\"/hall\").count",
        "see(\"@ada\").qualities.n.value",
        "see(\"@ada\")?.qualities?.n?.sum ?? 0",
        "see(\"@ada\").qualities.n.value.to_float()",
        "see(\"/hall/lamp\")?.count ?? 0",
        "let a = \"/nowhere\"; see(a)?.count ?? 0",
        "see(`/${\"hall\"}`).count",
        "see(\"/.signals\").t?.n ?? 0",
    ] {
        assert_eq!(told(value), Vec::<String>::new(), "{value}");
    }
}

#[test]
fn a_count_and_a_mean_that_meet_texts_are_doubted() {
    let terminal = Terminal::new();
    terminal.write("w/people.csv", "name,smoker,zip,income\nann,TRUE,01234,1.50\nben,FALSE,12345,2.5\ncid,FALSE,5,3\n");
    let told = |value: &str| {
        let measure = format!("[[measure]]\nname = \"m\"\nvalue = '{value}'\n");
        let people = "[[population]]\nprefix = \"p\"\npersonas = \"people.csv\"\nhome = \"/hall\"\n";
        terminal.write("w/world.toml", &format!("name = \"w\"\n[[space]]\npath = \"/hall\"\n{people}{measure}"));
        let out = terminal.types("check w --json").fails(0).out;
        out.lines().filter(|line| line.contains("measure m")).map(str::to_owned).collect::<Vec<_>>()
    };
    for (value, wanted) in [
        ("mean(\"persona.zip\")", "goes over numbers, and 3 of them are texts"),
        ("sum(\"persona.zip\") + 1", "goes over numbers, and 3 of them are texts"),
        ("count(\"persona.zip\")", "counts each that is not false, and 3 of them are texts; name which"),
        ("mean(\"persona.smoker\")", "goes over numbers, and 3 of them are truth values"),
        ("sum(\"persona.smoker\")", "3 of them are truth values, which it leaves out; `count("),
    ] {
        let told = told(value);
        assert!(told.len() == 1 && told[0].contains(wanted), "{value}: {told:?}");
    }
    for value in ["mean(\"persona.income\")", "count(\"persona.smoker\")", "count(\"persona.zip\", \"5\")"] {
        assert_eq!(told(value), Vec::<String>::new(), "{value}");
    }
}

#[test]
fn every_world_that_ships_is_strictly_without_warnings() {
    let terminal = Terminal::new();
    for world in ["committee", "court", "dance", "desk", "karate", "library", "skateco", "lighthouse", "salon", "town"] {
        terminal.types(&format!("check $worlds/{world} --strict")).ok();
    }
}

#[test]
fn what_a_script_reads_calls_and_returns_is_doubted_where_it_cannot_be() {
    let terminal = doubtful();
    let check = |mind: &str| {
        terminal.write("doubtful/scripts/sing.rhai", mind);
        terminal.types("check doubtful").fails(0)
    };
    for (mind, wanted) in [
        (
            "fn think(f) {\n  if f.world.t.on { () } }",
            "sing.rhai:2: script sing: line 2: the face has no `world`; write `signal(\"t.on\")`",
        ),
        ("fn think(face) {\n  face[\"world\"][\"t\"] }", "line 2: the face has no `world`; write `signal(\"t\")`"),
        ("fn think(face) {\n  let w = face.world; w }", "line 2: the face has no `world`; read a signal as `signal(\"path\")`"),
        ("fn think(face) {\n  face.mood }", "line 2: the face has no `mood`; it has me, role, stack, wake, time, orientation, see"),
        ("fn think(face) {\n  say(\"/hall\") }", "line 2: there is no function `say`"),
        ("fn think(face) {\n  singal(\"t.on\"); () }", "line 2: there is no function `singal`; did you mean `signal`?"),
        ("fn think(face) {\n  act(\"/hall\") }", "line 2: `act` takes 2 or 3 arguments, found 1"),
        ("fn think(face) {\n  [1].each(|x| x); () }", "line 2: there is no function `each`"),
        ("fn think(face) {\n  \"a\".trimm(); () }", "line 2: there is no function `trimm`; did you mean `trim`?"),
        ("fn think(face) {\n  [act(\"/hall\", \"say\"), act(\"/hall\", \"say\")] }", "line 2: a mind returns one call, and this is a list"),
        (
            "fn think(face) {\n  if face.role == \"a\" { return [look(\"/hall\")]; } () }",
            "line 2: a mind returns one call, and this is a list",
        ),
        ("fn think(face) {\n  let all = [];\n  all.push(look(\"/\"));\n  all }", "line 4: a mind returns one call, and this is a list"),
    ] {
        check(mind).says(&[wanted]);
    }
    for mind in [
        "fn think(face) { pick([act(\"/hall\", \"say\"), look(\"/hall\")]) }",
        "fn all() { [look(\"/hall\")] }\nfn think(face) { all()[0] }",
        "fn think(face) { face.mood = 1; let n = face.mood; () }",
        "fn think(face) { let world = #{ t: 1 }; let n = world.t; let face2 = world; () }",
        "fn twice(x) { x + x }\nfn think(face) { let f = |x| twice(x); f.call(1); type_of(face.me); print(1); () }",
        "fn think(face) { let n = face.see?.near; if n != () && n.len() > 1 { n.sort(); } act(\"/hall\", \"say\").saying(\"x\") }",
    ] {
        let told = check(mind).out;
        assert!(!told.contains("sing.rhai:"), "{mind}: {told}");
    }
    check("fn think(face) { log(signal(\"t.unheard\")); () }").says(&["doubtful: 2 beings"]);
}

#[test]
fn a_script_that_reads_the_world_of_a_face_fails_with_one_line_that_says_what_to_write() {
    let terminal = doubtful();
    let world = "name = \"doubtful\"\n[[space]]\npath = \"/hall\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"loud\"\nscript = \"sing\"\n[[being.schedule]]\nname = \"turn\"\nevery = \"1h\"\n";
    terminal.write("doubtful/world.toml", world);
    terminal.write("doubtful/roles/loud.md", "---\nname: loud\ncanDo: [say]\n---\n\nYou are loud.\n");
    let log = |mind: &str| {
        terminal.write("doubtful/scripts/sing.rhai", mind);
        let _ = std::fs::remove_dir_all(terminal.path("world"));
        terminal.types("run doubtful --for 61m --quiet").ok();
        terminal.types("log @ada --last 1").ok()
    };
    let told = log("fn think(face) {\n  if face.world.t.on { look(\"/\") } else { () }\n}");
    assert!(told.contains("\n    | scripts/sing.rhai:2: script-type: the face has no `world`; write `signal(\"t.on\")`"), "{told}");
    assert_eq!(told.trim().lines().count(), 3, "its day, its sentence and the note: {told}");
    let told = log("fn think(face) {\n  let w = face.world;\n  w.t\n}");
    assert!(told.contains("sing.rhai:3: script-type: the face has no `world`; write `signal(\"t\")`"), "{told}");
    let told = log("fn think(face) { [look(\"/\"), look(\"/hall\")] }");
    assert!(
        told.contains("call-malformed") && told.contains("| scripts/sing.rhai: a mind returns one call, found a list of 2; return one"),
        "{told}"
    );
    let told = log("fn think(face) { \"look\" }");
    assert!(told.contains("| scripts/sing.rhai: a mind returns one call, made by act, summon, be or look, or ()"), "{told}");
    terminal.types("replay").ok();
}

#[test]
fn a_watch_for_what_its_role_cannot_see_is_doubted_and_the_log_says_why_no_mind_was_asked() {
    let terminal = Terminal::new();
    let write = |see: &str, watch: &str| {
        let role = format!("---\nname: guard\ntriggerOn: [watch]\ncanDo: [say]\ncanSee: {see}\nwatch: [{watch}]\n---\n\nYou watch.\n");
        terminal.write("shop/roles/guard.md", &role);
    };
    terminal.write(
        "shop/world.toml",
        "name = \"shop\"\n[[space]]\npath = \"/shop\"\n[[space]]\npath = \"/lodge\"\n[[being]]\nname = \"gus\"\nhome = \"/lodge\"\nrole = \"guard\"\nscript = \"a\"\n",
    );
    terminal.write("shop/scripts/a.rhai", "fn think(face) { () }");
    let wanted = "role guard: watch[0]: the role does not let its wearer see what this watches for, so no mind is asked; add it to canSee";
    for (see, watch) in [
        ("[]", "say"),
        ("[/lodge]", "{action: quality.set, on: '/shop/**'}"),
        ("[{rel: self}]", "{action: say, on: {rel: here}}"),
        ("[/lodge]", "{action: signal.set, ns: t}"),
        ("['/lodge/**']", "{action: say, on: /shop}"),
        ("['/lodge/**']", "{action: say, on: '/shop/**'}"),
        ("['@bob']", "{action: quality.set, on: '@eve'}"),
    ] {
        write(see, watch);
        terminal.types("check shop").fails(0).says(&[wanted]);
        terminal.types("role lint shop/roles/guard.md").fails(3).says(&["watch[0]: the role does not let its wearer see"]);
    }
    for (see, watch) in [
        ("['**']", "say"),
        ("[{rel: here}]", "{action: say, on: {rel: here}}"),
        ("[shelf]", "{action: quality.set, on: '/shop/**'}"),
        ("['/shop/**']", "{action: quality.set, on: '/shop/box'}"),
        ("['/shop/box']", "{action: quality.set, on: '/shop/**'}"),
        ("[/]", "{action: signal.set, ns: t}"),
        ("[{rel: here}]", "{action: say, on: /shop}"),
    ] {
        write(see, watch);
        let told = terminal.types("check shop").fails(0).out;
        assert!(!told.contains("does not let its wearer see"), "{see} {watch}: {told}");
    }
    write("[/lodge]", "{action: quality.set, on: /shop}");
    terminal.types("run shop --moments 0 --quiet").ok();
    terminal.types("do /shop quality.set '{\"path\":\"t.n\",\"value\":1}'").ok();
    terminal.types("run --for 1m --quiet").ok();
    let told = terminal.types("log @gus --last 1").ok();
    assert!(
        told.contains("looked around (guard)\n    | no mind was asked: in what it wore it could not see what it watches for"),
        "{told}"
    );
    terminal.types("explain @gus/0").says(&["no mind was asked"]);
}

const WARD: &str = r#"name = "ward"
version = "1.0.0"
[[operation]]
name = "treat"
target = ["being"]
script = "ops/treat.rhai"
touches = ["target"]
[[operation]]
name = "fetch"
script = "ops/fetch.rhai"
touches = ["actor", "args.who.position"]
[[operation]]
name = "idle"
script = "ops/idle.rhai"
[[operation]]
name = "part"
target = ["being"]
script = "ops/part.rhai"
touches = ["target.position"]
"#;

const NURSE: &str = "---\nname: nurse\ncanSee: ['**']\ncanDo: ['ward:treat', 'ward:fetch', {action: 'matter.set', on: {rel: caller}}]\nlets: ['ward:treat', 'ward:part', 'ward:traet']\n---\n\nYou nurse.\n";

#[test]
fn a_step_that_can_never_pass_the_gate_and_an_operation_that_no_role_names_are_told_of() {
    let terminal = Terminal::new();
    let write = |file: &str, text: &str| terminal.write(&format!("hospital/{file}"), text);
    write(
        "world.toml",
        "name = \"hospital\"\nextensions = [\"ward\"]\n[[space]]\npath = \"/ward\"\nallow = [\"ward:*\"]\n[[being]]\nname = \"nora\"\nhome = \"/ward\"\nrole = \"nurse\"\ncognition = \"human\"\n",
    );
    write("roles/nurse.md", NURSE);
    write("extensions/ward/manifest.toml", WARD);
    let treat = "fn run(ctx) {\n    let who = ctx.target;\n    [\n        act(who.address, \"move\", #{ to: \"/ward\" }),\n        act(ctx.target.address, \"matter.set\", #{}),\n        \
                 act(ctx.args.room, \"quality.set\", #{}),\n        act(\"/ward\", \"own.set\", #{}),\n    ]\n}";
    write("extensions/ward/ops/treat.rhai", treat);
    // A target that is marked, computed or made by the act itself is not doubted.
    let fetch = "fn run(ctx) { let i = ctx.target; i = ctx.actor; [act(ctx.args.who, \"move\", #{}), act(i.address, \"quality.set\", #{}), act(ctx.actor.address, \"ward:part\", #{}),\
                 act(\"/\" + ctx.args.who, \"matter.set\", #{}), act(ctx.actor.position, \"say\", #{ content: \"x\" }), act(\"/\", \"signal.set\", #{ path: \"ward.n\", value: 1 })] }";
    write("extensions/ward/ops/fetch.rhai", fetch);
    write("extensions/ward/ops/idle.rhai", "fn run(ctx) { [] }");
    write("extensions/ward/ops/part.rhai", "fn run(ctx) { act(ctx.target.address, \"move\", ctx.args) }");
    let told = terminal.types("check hospital").fails(0).says(&[
        "manifest.toml: operation ward:treat: script, line 4: move: `target` alone does not include where a being is, so it moves nobody but its actor (gate-touches); add `target.position` to touches",
        "operation ward:treat: script, line 5: matter.set: it is never done to this: it takes matter, and this is a being (wrong-target)",
        "operation ward:treat: script, line 6: quality.set: touches does not mark `args.room` (gate-touches); add `args.room` to touches",
        "operation ward:treat: script, line 7: own.set: no step changes authority (gate-authority)",
        "operation ward:idle: name: no role names it in canDo, so nobody but the operator can do it",
        "roles: role nurse: canDo[2]: `matter.set` is never done to a being",
        "role nurse: lets[0]: `ward:treat` moves nobody: its manifest touches no position",
        "role nurse: lets[2]: no operation of an extension is called `ward:traet`; did you mean `ward:treat`?",
    ]);
    assert!(!told.out.contains("ward:fetch") && !told.out.contains("ward:part:") && !told.out.contains("lets[1]"), "{}", told.out);
    assert!(told.out.contains("1 being, 8 warnings"), "{}", told.out);
}

/// A world with an operation, somebody who does it, and what is put behind it; without the mistakes nothing in it is doubted.
const COUNTER: &str = r#"name = "counter"
[[space]]
path = "/shop"
[[being]]
name = "sam"
home = "/shop"
role = "clerk"
schedule = [{ name = "sale", every = "1m" }]
[[role]]
name = "clerk"
canSee = ["**"]
think = '''
act("/shop", "counter:mark", #{ grade: 2 })
'''
[[operation]]
name = "mark"
args = { grade = "integer" }
by = ["clerk"]
run = '''
[act("/", "signal.set", #{ path: "counter.last", value: args.grade })]
'''
[[rule]]
name = "fair"
on = ["counter:mark"]
when = { "args.grade" = { gt = 6 } }
refuse = "six is the worst"
[[measure]]
name = "last"
value = 'signal("counter.last")'
warn = { gte = 5 }
[[now]]
when = { "measure.last" = { lte = 4 } }
say = "The last mark is {{world.counter.last}}, and {{count.clerk}} give marks."
"#;

/// The words of `check` on the counter with one text in the place of another, and with more behind it.
fn counter(old: &str, new: &str, more: &str) -> String {
    let terminal = Terminal::new();
    assert!(COUNTER.contains(old), "{old}");
    terminal.write("counter/world.toml", &format!("{}{more}", COUNTER.replacen(old, new, 1)));
    terminal.types("check counter").ok()
}

fn holds(told: &str, wanted: &[&str]) {
    wanted.iter().for_each(|wanted| assert!(told.contains(wanted), "expected `{wanted}` in\n{told}"));
}

#[test]
fn a_scene_that_names_what_is_not_there_or_no_span_of_time_is_told_without_playing_it() {
    let scene = |text: &str| counter("", "", &format!("[[test]]\nname = \"marks\"\n{text}\n"));
    let expect = "expect = [{ on = \"@sam\", when = { \"target.role\" = \"clerk\" } }]";
    holds(&scene(&format!("run = \"1h\"\n{expect}")), &["counter: 1 being, 0 warnings"]);
    holds(
        &scene(&format!("run = \"1 hour\"\n{expect}")),
        &["counter/world.toml:36:7: test `marks`: run: expected a duration such as `8h` or `1d`, found `1 hour`"],
    );
    holds(&scene("run = \"1h\""), &["given: expected `given` or `expect`, found neither"]);
    holds(
        &scene("given = [{ after = \"soon\", do = \"say\", summon = \"@sam\" }]"),
        &["given[0].after: expected a duration", "given[0]: expected one of `do`, `summon` and `be`"],
    );
    holds(
        &scene("expect = [{ on = \"@sma\", when = { \"target.role\" = \"clerk\" } }]"),
        &["expect[0].on: nothing stands at `@sma`; did you mean `@sam`?"],
    );
    holds(
        &scene("given = [{ as = \"sma\", do = \"counter:mrk\", on = \"/shp\" }]\nexpect = { as = \"@sma\", when = { \"time.hour\" = 1 } }"),
        &[
            "given[0].as: nothing stands at `@sma`; did you mean `@sam`?",
            "given[0].on: nothing stands at `/shp`; did you mean `/shop`?",
            "given[0].do: there is no operation `counter:mrk`; did you mean `counter:mark`?",
            "expect[0].as: nothing stands at `@sma`",
        ],
    );
    holds(
        &scene("given = [{ do = \"counter:mark\", on = \"/shop\", args = { grad = 1 } }]"),
        &["given[0].args: no argument of `counter:mark` is called `grad`; there are grade; did you mean `grade`?"],
    );
    // A thing that lies somewhere may be carried, and somebody who is born in the scene is there in the end.
    let nail = "[[matter]]\nat = \"/shop\"\nname = \"nail\"\n";
    let held = |holder: &str| scene(&format!("expect = {{ on = \"@{holder}/nail\", when = {{ \"target.type\" = \"matter\" }} }}\n{nail}"));
    holds(&held("sam"), &["0 warnings"]);
    holds(&held("sma"), &["nothing stands at `@sma/nail`; did you mean `@sam`?"]);
    let birth = "given = [{ be = \"birth\", args = { name = \"sma\", cognition = \"human\", role = \"clerk\" } }]";
    holds(&scene(&format!("{birth}\nexpect = {{ on = \"@sma\", when = {{ \"target.role\" = \"clerk\" }} }}")), &["0 warnings"]);
}

#[test]
fn a_number_in_quotation_marks_is_told_wherever_order_counts() {
    let quoted = |old: &str, new: &str, place: &str| {
        holds(
            &counter(old, new, ""),
            &[&format!("{place}: `\"4\"` compares as text, and never with a number; write `4` without the quotation marks")],
        );
    };
    quoted("{ gt = 6 }", "{ gt = \"4\" }", "rule counter:fair: when.\"args.grade\".gt");
    quoted("warn = { gte = 5 }", "warn = { gte = \"4\" }", "measure last: warn");
    quoted("{ lte = 4 }", "{ lte = \"4\" }", "now 1: when.\"measure.last\".lte");
    quoted("name = \"clerk\"\n", "name = \"clerk\"\nwhen = { \"time.hour\" = { lt = \"4\" } }\n", "role clerk: when.\"time.hour\".lt");
    let flow = "role = \"clerk\"\nflow = [{ when = { \"world.counter.last\" = { gte = \"4\" } }, role = \"clerk\" }]\nschedule";
    quoted("role = \"clerk\"\nschedule", flow, "@sam: [0].when.\"world.counter.last\".gte");
    // A text is compared with a text.
    let text = "role = \"clerk\"\nflow = [{ when = { \"time.iso\" = { gte = \"2026\" } }, role = \"clerk\" }]\nschedule";
    assert!(!counter("role = \"clerk\"\nschedule", text, "").contains("compares as text"));
    holds(&counter("{ gt = 6 }", "{ eq = \"4\" }", ""), &["0 warnings"]);
}

#[test]
fn an_argument_that_no_operation_has_is_told_in_rules_minds_and_operations() {
    let strange = |old: &str, new: &str, wanted: &[&str]| holds(&counter(old, new, ""), wanted);
    strange(
        "args.grade\" =",
        "args.grad\" =",
        &["rule counter:fair: when: no argument of `counter:mark` is called `grad`; there are grade; did you mean `grade`?"],
    );
    strange(
        "#{ grade: 2 }",
        "#{ grad: 2 }",
        &["counter/world.toml:13: script clerk: line 1: no argument of `counter:mark` is called `grad`"],
    );
    strange(
        "#{ path: \"counter",
        "#{ pth: \"counter",
        &["operation counter:mark: script, line 1: signal.set: no argument of `signal.set` is called `pth`", "did you mean `path`?"],
    );
    // Nobody can tell which operation is meant, or one of them has it.
    for on in ["[\"*\"]", "[\"counter:mark\", \"be.birth\"]"] {
        strange("on = [\"counter:mark\"]\nwhen = { \"args.grade\"", &format!("on = {on}\nwhen = {{ \"args.name\""), &["0 warnings"]);
    }
    strange("on = [\"counter:mark\"]\nwhen = { \"args.grade\"", "on = [\"counter:mark\", \"move\"]\nwhen = { \"args.to\"", &["0 warnings"]);
}

#[test]
fn an_address_in_a_script_where_nothing_stands_is_told_with_the_one_that_may_be_meant() {
    let run = |first: &str| counter("'''\n[act(\"/\", \"signal.set\"", &format!("'''\n{first}\n[act(\"/\", \"signal.set\""), "");
    holds(
        &run("let said = summon(\"@sma\", \"A mark.\");"),
        &["counter/world.toml:20: script counter/ops/mark: line 1: nothing stands at `@sma`; did you mean `@sam`?"],
    );
    holds(&run("see(\"/shp\");"), &["nothing stands at `/shp`; did you mean `/shop`?"]);
    for fine in ["see(\"@sam\");", "see(\"@somebody-else\");", "let name = \"sma\"; see(\"@sma\");", "see(\"./sma\");"] {
        holds(&run(fine), &["0 warnings"]);
    }
}

#[test]
fn a_place_in_what_is_going_on_that_nothing_fills_is_told() {
    holds(
        &counter("{{count.clerk}}", "{{count.clrk}}", ""),
        &["counter/world.toml:33:7: now 1: say: the role `clrk` is not registered; did you mean `clerk`?"],
    );
    holds(&counter("{{world.counter.last}}", "{{world.counter.lst}}", ""), &["now 1: say: nobody sets the signal `counter.lst`"]);
}
