//! Inline: does a world that stands in one file do what it says, and is what is wrong in it named by its line there?

use reelm::past::History;
use reelm::source::{Source, beginnings, shipped_worlds};

use super::terminal::{Terminal, package};

const SHOP: &str = r#"name = "shop"
start = "2026-03-02T09:00:00"

[[space]]
path = "/shop"

[[role]]
name = "clerk"
canSee = ["**"]
canSummon = ["*"]
think = '''
if wake.kind == "schedule" { act("/shop", "shop:sell", #{ what: "a nail", price: 2 }) }
'''

[[role]]
name = "dreamer"
prompt = "You think of other things."
canSee = ["**"]

[[operation]]
name = "sell"
told = "sells {{args.what}} for {{args.price}}"
args = { what = "text", price = "integer", "to?" = "address", size = ["small", "large"] }
by = ["clerk", "dreamer"]
run = '''
let till = signal("shop.till") ?? 0;
[act("/", "signal.set", #{ path: "shop.till", value: till + args.price })]
'''

[[rule]]
name = "no-gifts"
on = ["shop:sell"]
when = { "args.price" = { lt = 1 } }
refuse = "nothing is given away"

[[being]]
name = "nell"
home = "/shop"
role = "clerk"
schedule = [{ name = "sale", every = "1m" }]

[[being]]
name = "bob"
home = "/shop"
role = "dreamer"
think = '''
// For nothing.
if wake.kind == "schedule" {
    act("/shop", "shop:sell", #{ what: "air", price: 0, size: "large" })
}
'''
schedule = [{ name = "sale", every = "1m" }]
"#;

fn shop(change: impl Fn(&str) -> String) -> Terminal {
    let terminal = Terminal::new();
    terminal.write("shop/world.toml", &change(SHOP));
    terminal
}

/// The signal `till` of a world.
fn till(terminal: &Terminal, data: &str) -> i64 {
    let history = History::of(&terminal.path(data)).unwrap();
    let world = history.world_at(history.end()).unwrap();
    world.signals().to_value().get("shop").and_then(|shop| shop.get("till")?.as_int()).unwrap()
}

/// The same with an argument that may be left out.
fn working() -> Terminal {
    shop(working_text)
}

fn working_text(text: &str) -> String {
    text.replace(r#"size = ["small", "large"]"#, r#""size?" = ["small", "large"]"#)
}

#[test]
fn what_a_world_toml_says_itself_is_done_told_ruled_and_replayed() {
    let terminal = working();
    terminal.types("check shop --strict").fails(0);
    terminal.types("run shop --for 5m --quiet").ok();
    terminal.types("see /.ops/shop:sell").fails(0).says(&["price", "type: integer"]);
    terminal.types("log --raw @nell").fails(0).says(&["shop:sell"]);
    // Nell thinks by her role, Bob by himself; what he does comes to nothing by the rule.
    terminal.types("log --raw @bob").fails(0).says(&["rule"]);
    assert_eq!(till(&terminal, "world"), 10);
    terminal.types("replay").fails(0).says(&["identical"]);
    // An argument that is none of those listed is refused by the operation's schema.
    terminal.types(r#"do /shop shop:sell '{"what":"x","price":3,"size":"huge"}'"#).fails(4);
}

#[test]
fn a_world_that_is_written_out_says_it_again() {
    let terminal = working();
    terminal.types("run shop --for 2m --quiet").ok();
    terminal.types("export --source again").ok();
    terminal.types("check again --strict").fails(0);
    let [first, second] = ["shop", "again"].map(|dir| Source::read(&terminal.path(dir)).unwrap());
    assert_eq!(first.extensions[0].manifest_value(), second.extensions[0].manifest_value());
    terminal.types("run again --data other --for 3m --quiet").ok();
    // It goes on from what was in the till.
    assert!(till(&terminal, "other") > till(&terminal, "world"), "whoever might sell before may sell again");
}

#[test]
fn a_change_of_an_operation_comes_into_a_world_that_lives() {
    let terminal = working();
    terminal.types("run shop --for 2m --quiet").ok();
    let text = terminal.read("shop/world.toml");
    terminal.write("shop/world.toml", &text.replace("till + args.price", "till + 100 * args.price"));
    terminal.types("apply shop --plan").fails(0).says(&["shop/ops/sell"]);
    terminal.types("apply shop").ok();
    terminal.types("run --for 1m --quiet").ok();
    assert_eq!(till(&terminal, "world"), 204);
    terminal.types("replay").fails(0).says(&["identical"]);
}

#[test]
fn what_is_wrong_in_a_world_toml_is_named_by_its_line_there() {
    let line_of = |text: &str, part: &str| text.lines().position(|line| line.contains(part)).unwrap() + 1;
    let cases = [
        // The text to change, its replacement, the line that the error names, and the message.
        ("let till = signal", "let till = = signal", "let till =", "not a script"),
        ("if wake.kind == \"schedule\" { act(\"/shop\"", "if wake.kind = = 1 { act(\"/shop\"", "if wake.kind = = 1", "not a script"),
        (
            "act(\"/shop\", \"shop:sell\", #{ what: \"air\"",
            "act(\"/shop\" \"shop:sell\", #{ what: \"air\"",
            "#{ what: \"air\"",
            "not a script",
        ),
        ("price = \"integer\"", "price = \"whole\"", "price = \"whole\"", "expected `text`, `address`"),
        (
            "by = [\"clerk\", \"dreamer\"]",
            "by = [\"clark\", \"dreamer\"]",
            "by = [\"clark\"",
            "expected a role of this source's own, found `clark`",
        ),
        (
            "by = [\"clerk\", \"dreamer\"]",
            "by = [\"clerk\", \"dreamer\"]\nat = [\"/shed\"]",
            "at = [\"/shed\"]",
            "expected a space of this source, found `/shed`",
        ),
        (
            "by = [\"clerk\", \"dreamer\"]",
            "by = [\"clerk\", \"dreamer\"]\ntouches = [\"moon\"]",
            "touches = [\"moon\"]",
            "expected `actor`, `target`",
        ),
        ("told = \"sells {{args.what}}", "told = \"sells {{args.what", "told = ", "told"),
        ("\"args.price\" = { lt = 1 }", "\"arg.price\" = { lt = 1 }", "\"arg.price\"", "arg.price"),
        ("canSummon = [\"*\"]", "canSummon = [\"*\"]\nscript = \"x\"", "think = ", "both `script` and `think`"),
        ("canSummon = [\"*\"]", "canSumon = [\"*\"]", "canSumon", "canSumon"),
        ("name = \"sell\"", "name = \"Sell!\"", "Sell!", "small letters"),
        ("name = \"bob\"", "name = \"clerk\"", "// For nothing.", "a script of that name"),
        ("name = \"shop\"", "name = \"hello\"\nextensions = [\"hello\"]", "name = \"hello\"", "as is an extension"),
    ];
    for (old, new, place, said) in cases {
        let terminal = shop(|text| text.replacen(old, new, 1));
        // Where an extension is asked for by name.
        if new.contains("extensions") {
            terminal.types("new --extension hello").ok();
        }
        let text = terminal.read("shop/world.toml");
        let line = line_of(&text, place);
        // With the line itself, and a mark below it.
        let shown = text.lines().nth(line - 1).unwrap();
        terminal.types("check shop").fails(1).warns(&[
            &format!("shop/world.toml:{line}:"),
            said,
            &format!("  {line} | {shown}\n"),
            " | ",
            "^",
        ]);
    }
}

#[test]
#[ignore = "long: every world that ships, begun, checked, played and lived in"]
fn every_beginning_and_every_shipped_world_is_begun_checked_played_and_lived_in() {
    let terminal = Terminal::new();
    assert!(beginnings().any(|name| name == "cafe") && shipped_worlds().any(|name| name == "skateco"));
    for name in beginnings() {
        terminal.types(&format!("new 'Über {name}' --from {name}")).ok();
        terminal.types(&format!("check 'Über {name}' --strict")).fails(0).says(&["0 warnings"]);
        terminal.types(&format!("test 'Über {name}'")).fails(0).says(&["ok"]);
        let said = terminal.types(&format!("run 'Über {name}' --for 2h --data {name} --quiet")).ok();
        assert!(!said.contains("failed") && !said.contains("dead letter"), "{said}");
        assert!(terminal.read(&format!("Über {name}/world.toml")).contains(&format!("name = \"uber-{name}\"")));
    }
    for name in shipped_worlds() {
        let own = format!("{name}-own");
        terminal.types(&format!("new {own} --from {name}")).ok();
        terminal.types(&format!("check {own} --strict")).fails(0).says(&["0 warnings"]);
        let there = package().join("fixtures/worlds").join(name).display().to_string();
        let hash = |source: &str, data: &str| {
            terminal.types(&format!("run {source} --moments 1 --data {data} --ahead 0 --quiet --json")).json_lines().pop().unwrap()["worldHash"].to_string()
        };
        if !["desk", "salon", "lighthouse"].contains(&name) {
            assert_eq!(hash(name, &format!("{name}-a")), hash(&there, &format!("{name}-c")), "{name}");
            hash(&own, &format!("{name}-b"));
        }
    }
}

#[test]
fn an_operation_of_a_world_sets_each_signal_that_no_extension_owns() {
    let terminal = Terminal::new();
    let operation = |name: &str, path: &str| {
        format!(
            "[[operation]]\nname = \"{name}\"\nby = [\"smith\"]\nrun = 'act(\"/\", \"signal.set\", #{{ path: \"{path}\", value: 1 }})'\n"
        )
    };
    let operations =
        [("own", "forge.heat"), ("free", "weather.rain"), ("taken", "emotions.mood")].map(|(name, path)| operation(name, path));
    let scene = r#"
[[test]]
name = "free signals are set, and those of an extension are not"
given = [
  { as = "@ada", do = "forge:own", on = "/" },
  { as = "@ada", do = "forge:free", on = "/" },
  { as = "@ada", do = "forge:taken", on = "/", refused = "gate-touches" },
]
expect = [{ when = { "world.forge.heat" = 1, "world.weather.rain" = 1 } }]
"#;
    let head = "name = \"forge\"\nextensions = [\"emotions\"]\n[[role]]\nname = \"smith\"\nprompt = \"You forge.\"\n[[being]]\nname = \"ada\"\nrole = \"smith\"\ncognition = \"human\"\n";
    terminal.write("forge/world.toml", &format!("{head}{}{scene}", operations.concat()));
    terminal.types("test forge").fails(0).says(&["ok "]);
    // An extension is none of the world's own because it is called as the world is.
    terminal.write("near/world.toml", "name = \"near\"\nextensions = [\"near\"]\n");
    let manifest = "name = \"near\"\nversion = \"1.0.0\"\nown = true\n";
    terminal.write("near/extensions/near/manifest.toml", manifest);
    terminal.types("check near").fails(1).warns(&["unknown field `own`"]);
}

#[test]
fn the_extensions_that_come_along_are_found_by_their_names() {
    let terminal = Terminal::new();
    terminal.write("mood/world.toml", "name = \"mood\"\nextensions = [\"library\"]\n");
    terminal.types("check mood").fails(0).says(&["0 warnings"]);
    terminal.write("mood/world.toml", "name = \"mood\"\nextensions = [\"emotion\"]\n");
    terminal.types("check mood").fails(1).warns(&["world.toml:2:15: extensions: no extension `emotion`", "did you mean `emotions`?"]);
    // One of one's own goes before them.
    terminal.write("mood/world.toml", "name = \"mood\"\nextensions = [\"hello\"]\n");
    terminal.write("mood/extensions/hello/manifest.toml", "name = \"hello\"\nversion = \"none\"\n");
    terminal.types("check mood").fails(1).warns(&["extensions/hello/manifest.toml:2"]);
}

#[test]
fn what_cannot_be_begun_says_why_and_leaves_nothing() {
    let terminal = Terminal::new();
    terminal.types("new mine").ok();
    terminal.types("new mine").fails(1).warns(&["`mine` is there already"]);
    terminal.types("new other --from nowhere").fails(1).warns(&["`cafe`", "`skateco`"]);
    terminal.types("new '!!'").fails(1).warns(&["expected a name with letters or digits"]);
    terminal.types("new").fails(2);
    terminal.types("new a --role b").fails(2);
    terminal.types("new --role guard").ok();
    terminal.types("role lint mine/roles/guard.md").fails(0);
    terminal.types("new --role guard").fails(1).warns(&["is there already"]);
    terminal.types("new --extension Wächter").ok();
    terminal.types("extension check mine/extensions/wachter").fails(0);
    terminal.types("test mine/extensions/wachter").fails(0).says(&["ok"]);
    let left: Vec<String> =
        std::fs::read_dir(terminal.path(".")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(left.iter().all(|name| !name.starts_with(".new")), "{left:?}");
}

#[test]
fn who_says_nothing_is_told_what_one_can_do() {
    let terminal = Terminal::new();
    terminal.types("").fails(0).says(&["reelm serve skateco", "reelm new mine", "reelm --help"]);
    terminal.types("serve --port 0").fails(2).warns(&["skateco", "reelm new NAME"]);
    terminal.types("run nowhere").fails(1).warns(&["the name of a shipped world (committee, court"]);
    for (shell, says) in [("bash", "_reelm()"), ("zsh", "#compdef reelm"), ("fish", "complete -c reelm")] {
        terminal.types(&format!("completions {shell}")).fails(0).says(&[says]);
    }
}

#[test]
fn what_may_not_be_meant_in_a_world_toml_is_named_there_and_what_is_meant_is_not() {
    let checked = |old: &str, new: &str| shop(|text| working_text(text).replacen(old, new, 1)).types("check shop");
    // An operation that there is not, in a mind.
    checked("\"shop:sell\", #{ what: \"a nail\"", "\"shop:sel\", #{ what: \"a nail\"").fails(0).says(&[
        "shop/world.toml:12: script clerk",
        "there is no operation `shop:sel`",
        "shop:sell",
    ]);
    // An operator that is none, and an interval that nobody can read.
    let hard = "\n[[being]]\nname = \"una\"\nhome = \"/shop\"\nflow = [{ when = { \"world.shop.till\" = { get = 3 } }, role = \"clerk\" }, { role = \"dreamer\" }]\n";
    shop(|text| working_text(text) + hard).types("check shop").fails(0).says(&["`get` is no operator", "did you mean `gte`?"]);
    for wrong in ["gt_e", "GTE", ">="] {
        let said = shop(|text| working_text(text) + &*hard.replace("{ get =", &format!("{{ \"{wrong}\" ="))).types("check shop");
        said.fails(0).says(&[&format!("`{wrong}` is no operator"), "did you mean `gte`?"]);
    }
    checked("schedule = [", "shedule = [").fails(1).warns(&["unknown field `shedule`", "did you mean `schedule`?"]);
    checked("every = \"1m\"", "every = \"7 min\"").fails(1).warns(&["every: expected a duration such as `30s`", "found `7 min`", "^^^^^"]);
    // One that is there, and that nobody who thinks so may do.
    checked("act(\"/shop\", \"shop:sell\", #{ what: \"a nail\"", "act(me.address, \"move\", #{ to: \"/shop\", what: \"a nail\"")
        .fails(0)
        .says(&["nobody who thinks so may do `move` (gate-role)"]);
    // Nobody may do it.
    checked("by = [\"clerk\", \"dreamer\"]", "by = []").fails(0).says(&["shop/world.toml", "operation shop:sell", "no role names it"]);
    // A being that only watches is woken by the watched thing.
    let watcher = "\n[[role]]\nname = \"guard\"\ncanSee = [\"**\"]\nwatch = [\"shop:sell\"]\nprompt = \"You watch.\"\n\n[[being]]\nname = \"gus\"\nhome = \"/shop\"\nrole = \"guard\"\nscript = \"clerk\"\n";
    let said = shop(|text| working_text(text) + watcher).types("check shop").ok();
    assert!(!said.contains("nothing wakes it"), "{said}");
    // A signal that a scene sets is set by somebody.
    let open = "\n[[now]]\nwhen = { \"world.shop.open\" = true }\nsay = \"Open.\"\n";
    let scene = "\n[[test]]\nname = \"open\"\ngiven = [{ do = \"signal.set\", args = { path = \"shop.open\", value = true } }]\n";
    shop(|text| working_text(text) + open).types("check shop").fails(0).says(&["nobody sets the signal `shop.open`"]);
    assert!(!shop(|text| working_text(text) + open + scene).types("check shop").ok().contains("shop.open"));
}

#[test]
fn a_key_that_what_a_script_is_given_has_not_is_told_with_its_line_and_what_may_be_meant() {
    let checked = |old: &str, new: &str| shop(|text| working_text(text).replacen(old, new, 1)).types("check shop");
    // Where `think` is left out its names stand for parts of the face.
    checked("if wake.kind ==", "if wake.kin ==")
        .fails(0)
        .says(&["shop/world.toml:12: script clerk: line 1: `wake` has no `kin`; it has kind, cause", "did you mean `kind`?"]);
    checked("if wake.kind ==", "if time.hours > 3 && me[\"nam\"] == 1 && wake.kind ==").fails(0).says(&[
        "`time` has no `hours`",
        "did you mean `hour`?",
        "`me` has no `nam`",
        "did you mean `name`?",
    ]);
    // A warning of a role, an operation or a rule names the line of its table.
    checked("canSee = [\"**\"]\ncanSummon", "canSee = [\"**\", \"@nel\"]\ncanSummon")
        .fails(0)
        .says(&["shop/world.toml:9:17: role clerk: canSee[1]"]);
    checked("by = [\"clerk\", \"dreamer\"]", "by = []").fails(0).says(&["shop/world.toml:21:8: operation shop:sell: name"]);
    checked("{ \"args.price\" = { lt = 1 } }", "{ \"actor.quality.n.vaue\" = 1 }")
        .fails(0)
        .says(&["shop/world.toml:33:8: rule shop:no-gifts: when"]);
    // In an operation, and by a name that stands for one.
    checked("let till = ", "let who = actor; if who.nmae == 1 { return } let till = ").fails(0).says(&["`actor` has no `nmae`"]);
    checked("let till = ", "if target.qualites.a == 1 { return } let till = ")
        .fails(0)
        .says(&["`target` has no `qualites`", "`qualities`?"]);
    // A kind that no wake has.
    checked("wake.kind == \"schedule\"", "wake.kind == \"scedule\"")
        .fails(0)
        .says(&["no wake has the kind `scedule`", "did you mean `schedule`?"]);
    // A script may read what it sets itself. Nothing is doubted of a part that holds anything.
    let own = "me.mood = 1; let wake2 = wake.content; if me.mood == wake2.what && me.qualities.any.thing == 2 { return } if wake.kind ==";
    let said = checked("if wake.kind ==", own).ok();
    assert!(!said.contains("has no"), "{said}");
    // A name that stands for two things tells nothing.
    let two = "for time in [#{ hours: 1 }] { if time.hours == 2 { return } } if wake.kind ==";
    let said = checked("if wake.kind ==", two).ok();
    assert!(!said.contains("has no"), "{said}");
}

#[test]
fn a_step_of_an_operation_that_there_is_not_is_told_with_its_line() {
    let checked = |old: &str, new: &str| shop(|text| working_text(text).replacen(old, new, 1)).types("check shop");
    checked("\"signal.set\"", "\"signal.sett\"").fails(0).says(&[
        "shop/world.toml:",
        "operation shop:sell: script, line 2: signal.sett: there is no operation `signal.sett`; did you mean `signal.set`?",
    ]);
    // An operation of another extension may be there or not.
    let said = checked("\"signal.set\"", "\"other:set\"").ok();
    assert!(!said.contains("there is no operation"), "{said}");
}

#[test]
fn what_is_written_twice_or_can_not_come_out_otherwise_is_refused_at_its_line() {
    let added = |text: &str| shop(|shop| working_text(shop) + text).types("check shop");
    let measure = "[[measure]]\nname = \"till\"\nvalue = 'signal(\"shop.till\")'\n";
    added(&format!("\n{measure}{measure}")).fails(1).warns(&["measure `till`: stands twice, first in line "]);
    let signal = "[[signal]]\npath = \"shop.open\"\nvalue = true\n";
    added(&format!("\n{signal}{signal}")).fails(1).warns(&["signal `shop.open`: stands twice"]);
    added("\n[[operation]]\nname = \"sell\"\nrun = \"[]\"\n").fails(1).warns(&["operation `sell`: stands twice"]);
    let sale = "{ name = \"sale\", every = \"1m\" }";
    let twice = shop(|text| working_text(text).replacen(sale, &format!("{sale}, {sale}"), 1));
    twice.types("check shop").fails(1).warns(&["schedule `sale` of `nell`: stands twice"]);
    let told = shop(|text| working_text(text).replacen("{{args.price}}", "{{args.prise}}", 1));
    told.types("check shop").fails(1).warns(&["told: the operation has no argument `prise`"]);
    for expect in ["{}", "[]", "{ as = \"nell\", when = {} }", "{ on = \"/shop\", when = {} }"] {
        let scene = format!("\n[[test]]\nname = \"sold\"\nrun = \"2m\"\nexpect = {expect}\n");
        let said = shop(|text| working_text(text) + scene.as_str()).types("test shop").fails(1).says(&["it could not come out otherwise"]);
        assert!(!said.out.contains("panicked"), "{}", said.out);
    }
}

#[test]
fn words_names_and_files_that_there_are_not_are_named_with_their_line_and_what_to_write() {
    let being = |rest: &str| format!("name = \"w\"\n[[space]]\npath = \"/h\"\n[[being]]\nname = \"x\"\nhome = \"/h\"\n{rest}");
    let checked = |text: &str| {
        let terminal = Terminal::new();
        terminal.write("w/world.toml", text);
        terminal.types("check w").fails(1)
    };
    checked(&being("cognition = \"lmm\"\n")).warns(&["w/world.toml:7:13: ", "expected `llm`, `human`, `script` or `panel`, found `lmm`"]);
    checked(&being("").replace("\"x\"", "\"world\"")).warns(&["w/world.toml:5:8: name: `world` means something else in every world"]);
    checked(&being("think = \"act(me.address, word)\"\n")).warns(&["Undefined variable: word; a text stands in quotes"]);
    let people = "[[population]]\nprefix = \"p\"\nhome = \"/h\"\npersonas = \"people.csv\"\n";
    checked(&being(people)).warns(&["w/world.toml:10:12: personas: there is no file `w/people.csv`"]);
    // A refusal says what its code means, too.
    checked(&being("").replace("\"/h\"\n[[being]]", "\"/h h\"\n[[being]]")).warns(&["cannot make space /h h: "]);
    let terminal = Terminal::new();
    terminal.write("w/world.toml", "");
    let written = |bytes: &[u8]| {
        std::fs::write(terminal.path("w/world.toml"), bytes).unwrap();
        terminal.types("check w").fails(1)
    };
    written(b"name = \"w\"\nabout = \"caf\xe9\"\n").warns(&["w/world.toml:2: expected text in UTF-8, found the byte 0xe9"]);
    written(b"\xff\xfen\0a\0").warns(&["w/world.toml:1: expected text in UTF-8, found UTF-16; save the file as UTF-8"]);
}

#[test]
fn an_address_that_names_nothing_is_told_with_the_one_that_may_be_meant() {
    let terminal = working();
    terminal.types("run shop --moments 2 --quiet --data d").ok();
    terminal.types("see nell --data d").fails(1).warns(&["cannot see `nell`: bad-address at `nell`; did you mean `@nell`?"]);
    terminal.types("see @nel --data d").fails(1).warns(&["not-found at `@nel`; did you mean `@nell`?"]);
    terminal.types("see /shopp --data d").fails(1).warns(&["not-found at `/shopp`; did you mean `/shop`?"]);
    terminal.types("see nothing --data d").fails(1).warns(&["this is no address; one looks like `/a/b`"]);
}

#[test]
fn a_misspelt_operator_of_what_is_going_on_is_told() {
    let now = "\n[[now]]\nwhen = { \"world.shop.till\" = { get = 3 } }\nsay = \"Much.\"\n";
    shop(|text| working_text(text) + now)
        .types("check shop")
        .fails(0)
        .says(&[": now 1: when: `get` is no operator", "did you mean `gte`?"]);
}

#[test]
fn what_an_operation_does_wrong_is_told_by_its_name_and_its_line_in_the_file() {
    let failing = |text: &str| working_text(text).replacen("[act(\"/\", \"signal.set\"", "[gone(\"/\", \"signal.set\"", 1);
    let terminal = shop(failing);
    terminal.types("run shop --for 2m --data d").says(&["script-unknown-function at `world.toml, run of sell:2`"]);
}

#[test]
fn who_cannot_be_asked_is_told_at_the_end_of_a_run() {
    let model = "\n[[being]]\nname = \"una\"\nhome = \"/shop\"\nrole = \"dreamer\"\ncognition = \"llm\"\nschedule = [{ name = \"look\", every = \"1m\" }]\n";
    let terminal = shop(|text| working_text(text) + model);
    terminal.types("run shop --for 2m --quiet --data d").fails(0).says(&["not asked: @una (no-connection: no model is configured for it)"]);
}

#[test]
fn a_scene_that_comes_out_otherwise_says_why_thoughts_failed_in_it() {
    let scene = "\n[[test]]\nname = \"sold\"\nrun = \"2m\"\nexpect = { \"world.shop.till\" = { gte = 1 } }\n";
    let terminal = shop(|text| {
        working_text(text)
            .replace("act(\"/shop\", \"shop:sell\", #{ what: \"a nail\"", "act(face.nothing, \"shop:sell\", #{ what: \"a nail\"")
            + scene
    });
    terminal
        .types("test shop")
        .fails(1)
        .says(&["world.shop.till is null", "@nell failed: world.toml, think of clerk:1: script-unknown-function"]);
}

#[test]
fn a_terminal_is_shown_colour_unless_nobody_wants_any_and_a_pipe_never_is() {
    let terminal = Terminal::new();
    terminal.types("run cafe-of-nobody").fails(1);
    terminal.types("new mine").ok();
    terminal.types("run mine --for 20m --quiet").ok();
    let on_terminal =
        |env: &str| terminal.shell(&format!("script -qefc 'env {env} TERM=xterm $reelm log --last 2' /dev/null </dev/null")).ok();
    assert!(on_terminal("").contains("\u{1b}[2m"));
    assert!(!on_terminal("NO_COLOR=1").contains('\u{1b}'));
    assert!(!terminal.types("log --raw --last 2").ok().contains('\u{1b}'));
}

#[test]
fn what_is_named_and_is_not_there_is_told_with_what_may_be_meant() {
    let checked = |old: &str, new: &str| shop(|text| working_text(text).replacen(old, new, 1)).types("check shop");
    let nobody = "there is no such thing (did you mean";
    for (old, new, wanted) in [
        (
            "by = [\"clerk\", \"dreamer\"]",
            "by = [\"clrek\"]",
            "by: expected a role of this source's own, found `clrek`; did you mean `clerk`?".to_owned(),
        ),
        (
            "by = [\"clerk\", \"dreamer\"]",
            "by = [\"clerk\"]\nat = [\"/shpo\"]",
            "at: expected a space of this source, found `/shpo`; did you mean `/shop`?".to_owned(),
        ),
        ("home = \"/shop\"", "home = \"/shpo\"", format!("cannot give birth to @nell: not-found at `/shpo`: {nobody} `/shop`?)")),
        ("[[being]]", "[[matter]]\nat = \"/sho\"\nname = \"nail\"\n[[being]]", format!("not-found at `/sho`: {nobody} `/shop`?)")),
        ("path = \"/shop\"", "path = \"/shop\"\nowner = \"@nel\"", format!("not-found at `@nel`: {nobody} `@nell`?)")),
    ] {
        checked(old, new).fails(1).warns(&[&wanted]);
    }
    let (role, wrong) = ("role = \"clerk\"\nschedule", "role = \"clrek\"\nschedule");
    let unknown = "defaultRole: the role `clrek` is not registered; did you mean `clerk`?";
    checked(role, wrong).fails(0).says(&["@nell: ", unknown]);
    let many = "[[population]]\ncount = 2\nrole = \"clrek\"\n\n[[being]]";
    checked("[[being]]", many).fails(0).says(&["@being-1: ", unknown]);
    let run = shop(|text| working_text(text).replacen(role, wrong, 1));
    run.types("run shop --for 1m").warns(&["role: no role `clrek`", "did you mean `clerk`?"]);
}

#[test]
fn a_value_of_a_wrong_kind_is_told_with_its_key_and_what_to_write() {
    let checked = |old: &str, new: &str| shop(|text| working_text(text).replacen(old, new, 1)).types("check shop");
    for (key, wrong, wanted) in [
        ("path = \"/shop\"", "size = \"6x4\"", "size: expected a list, found the text `6x4`; write `size = [6, 4]`"),
        ("path = \"/shop\"", "size = 6", "size: expected a list, found the number `6`; write `size = [6, 6]`"),
        ("path = \"/shop\"", "size = [6.5, 4]", "expected a whole number, found the number `6.5`"),
        ("path = \"/shop\"", "allow = \"move\"", "allow: expected a list, found the text `move`; write `allow = [\"move\"]`"),
        ("name = \"nell\"", "settings = \"x\"", "settings: expected a table, found the text `x`; write `settings = { … }`"),
        ("name = \"shop\"", "seed = \"7\"", "seed: expected a whole number, found the text `7`; write `seed = 7`"),
    ] {
        let said = checked(key, &format!("{key}\n{wrong}")).fails(1).warns(&[wanted]);
        assert!(!said.err.contains("invalid type"), "{}", said.err);
    }
    for (old, new, wanted) in [
        ("every = \"1m\"", "every = 6", "every: expected a text, found the number `6`; write `every = \"6m\"`"),
        ("[[rule]]", "[rule]", "`rule` may stand more than once: write `[[rule]]`, not `[rule]`"),
        ("[[being]]", "[being]", "`being` stands above as `[being]`: write `[[being]]` for each of them"),
        ("home = \"/shop\"", "home = \"/shop\"\nhome = \"/\"", "`home` stands twice; leave one out"),
        (
            "schedule = [{ name = \"sale\", every = \"1m\" }]",
            "schedule = { name = \"sale\", every = \"1m\" }",
            "write `schedule = [{ name = \"sale\", every = \"1m\" }]`",
        ),
        ("role = \"clerk\"", "role = clerk", "write `role = \"clerk\"`"),
        (
            "[[being]]",
            "[[now]]\nsay = \"Open.\"\nwatch = \"yes\"\n[[being]]",
            "watch: expected `true` or `false`, found the text `yes`; write `watch = true`",
        ),
    ] {
        checked(old, new).fails(1).warns(&[wanted]);
    }
}

#[test]
fn a_moment_a_being_and_a_file_that_are_mixed_up_are_told_with_what_to_type() {
    let terminal = shop(working_text);
    terminal.types("run shop --for 2m --quiet").ok();
    terminal.types("log @nell/0").fails(1).warns(&["`@nell/0` is one moment of @nell: `reelm explain @nell/0` tells it"]);
    terminal.types("log @nel").fails(1).warns(&["there is no being `@nel` in this world", "did you mean `@nell`?"]);
    terminal.types("explain nell/0").fails(2).warns(&["did you mean `@nell/0`?"]);
    for being in ["nell", "@nell"] {
        let said = terminal.types(&format!("explain {being}")).fails(2);
        said.warns(&["`reelm log @nell` lists the moments of a being, and `@nell/0` is its first"]);
    }
    terminal.types("be end @nel").fails(1).warns(&["there is no being `@nel`, and no file `nel`", "did you mean `@nell`?"]);
    terminal.types("be birth @nell").fails(1).warns(&["`@nell` reads a file, and there is none", "a birth takes the name"]);
    terminal.types("be end {\"being\":\"@nell\"}").ok();
}
