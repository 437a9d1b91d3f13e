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
        "world.toml:8: signal t.unheard: value: no flow, no role's `when` or prompt, and no script reads it",
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
