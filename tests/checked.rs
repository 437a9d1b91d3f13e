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
        "world.toml:11: @ada: [1]: this clause is never reached, because clause 0 always matches",
        "world.toml:23: @bob: script: there is no script `sngi`",
        "world.toml:2: /hall: flow: nobody sets the signal `t.onn`, and no role binds its namespace; did you mean `world.t.on`?",
        "world.toml:8: signal t.unheard: value: no flow, no role's `when` or prompt, no rule and no script reads it",
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
    terminal.types("check doubtful").fails(1).warns(&["world.toml:28: measure `m`"]);
    write("[[measure]]\nname = \"m\"\nvalue = \"cuont(1)\"\n");
    terminal.types("check doubtful").fails(1).warns(&["world.toml:28: measure `m`: value:1: script-unknown-function"]);
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
fn every_world_that_ships_is_strictly_without_warnings() {
    let terminal = Terminal::new();
    for world in ["committee", "court", "dance", "karate", "library", "skateco", "lighthouse", "salon", "town"] {
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
    assert_eq!(told.trim().lines().count(), 2, "{told}");
    let told = log("fn think(face) {\n  let w = face.world;\n  w.t\n}");
    assert!(told.contains("line 2: the face has no `world`; read a signal as `signal(\"path\")`"), "{told}");
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
    assert!(told.contains(". see (watch)\n    | no mind was asked: in what it wore it could not see what it watches for"), "{told}");
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
    // What is marked, computed or made by the act itself is not doubted.
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
    assert!(told.out.contains("1 beings, 8 warnings"), "{}", told.out);
}
