//! Mistakes: is each mistake in a source told where it is, all of them at once, with a cure that is right?

use super::terminal::Terminal;

const HEAD: &str = "name = \"x\"\n";

/// A world in which something is wrong: where, and a part of what is said of it.
const TOLD: &[(&str, &str, &str)] = &[
    ("[[being]]\nname = \"a\"\nhome = \"/nowhere\"\n", "4:8", "not-found at `/nowhere`"),
    ("[[being]]\nname = \"a\"\nparent = \"@nobody\"\n", "4:10", "not-found at `@nobody`"),
    ("[[being]]\nname = \"a\"\nquality.age = 5\n", "4:15", "write `quality.person.age = …`"),
    ("[[being]]\nname = \"a\"\nschedule = [{ name = \"s\", cron = \"61 * * * *\" }]\n", "4:34", "minute: 61 is more than 59"),
    ("[[being]]\nname = \"a\"\n[[being.schedule]]\nname = \"s\"\nevery = \"often\"\n", "6:9", "expected a duration such as `30s`"),
    ("[[being]]\nname = \"a b\"\n", "3:8", "bad-name"),
    ("[[being]]\nname = \"a\"\ncoords = [1, 2]\n", "4:10", "off-grid"),
    ("[[being]]\nname = \"a\"\nsettings = { speed = 5 }\n", "4:14", "setting-unknown"),
    ("[[being]]\nname = \"a\"\ncognition = \"gpt\"\n", "4:13", "expected `llm`, `human`, `script` or `panel`, found `gpt`"),
    ("[[being]]\nname = \"a\"\nflow = [{ rol = \"r\" }]\n", "4:11", "did you mean `role`?"),
    ("[[being]]\nname = \"a\"\nflow = [{ role = \"r\", when = { \"time.hour\" = { gt = 5, gtt = 5 } } }]\n", "4:56", "did you mean `gt`?"),
    ("[[being]]\nname = \"a\"\nlistens = [\"hear\"]\n", "4:1", "unknown field `listens`"),
    ("[[role]]\nname = \"r\"\nprompt = \"p\"\ncanSee = [5]\n", "5:11", "expected text or an object, found the number `5`"),
    ("[[role]]\nname = \"r\"\nprompt = \"p\"\ncanDo = [\"say\", { acton = \"x\" }]\n", "5:19", "found an object with the key `acton`"),
    ("[[role]]\nname = \"r\"\nthink = \"\"\"\nlet x = 5;\nfoo(\n\"\"\"\n", "6", "it ends within something"),
    ("[[role]]\nname = \"r\"\nthink = '''\nlet x = ;\n'''\n", "5:9", "not a script: Unexpected ';'"),
    ("[[role]]\nname = \"r\"\nthink = 'let x = ;'\n", "4:18", "not a script: Unexpected ';'"),
    ("[[role]]\nname = \"r\"\nthink = \"fn think(face) { let x = ; }\"\n", "4:35", "not a script: Unexpected ';'"),
    ("[[operation]]\nname = \"o\"\nby = [\"nobody\"]\nrun = \"[]\"\n", "4:7", "expected a role of this source's own, found `nobody`"),
    ("[[operation]]\nname = \"o\"\nrun = \"[]\"\nat = [\"/nowhere\"]\n", "5:7", "expected a space of this source, found `/nowhere`"),
    ("[[operation]]\nname = \"o\"\nrun = \"[]\"\ntouches = [\"self\"]\n", "5:12", "found `self`"),
    ("[[operation]]\nname = \"o\"\nrun = \"[]\"\ntarget = [\"person\"]\n", "5:11", "found `person`"),
    ("[[rule]]\nname = \"r\"\non = [\"sayy\"]\nrefuse = \"no\"\n", "4:7", "did you mean `say`?"),
    ("[[rule]]\nname = \"r\"\non = [\"say\"]\nwhen = { \"args.x\" = { gtt = 4 } }\n", "5:23", "did you mean `gt`?"),
    ("[config]\nllm.conection = \"x\"\n", "3:17", "did you mean `llm.connection`?"),
    ("[config]\nbrakes.depth = \"x\"\n", "3:16", "expected a whole number, found `x`"),
    ("[config]\n\"brakes.depth\" = -1\n", "3:1", "expected at least 1, found -1"),
    ("[config]\nllm.small = { base_url = 5 }\n", "3:1", "expected the key `model`"),
    ("[[space]]\npath = \"/hall\"\nsize = [0, 1]\n", "4:8", "args-minimum"),
    ("[[space]]\npath = \"/a/b\"\n", "3:8", "not-found at `/a`"),
    ("[[matter]]\nname = \"m\"\nat = \"/nowhere\"\n", "4:6", "not-found at `/nowhere`"),
    ("[[signal]]\npath = \"x\"\nvalue = 1\n", "3:8", "quality-path at `x`"),
    ("[[measure]]\nname = \"m\"\nvalue = \"sum(x\"\n", "4:9", "value:1:5: not a script"),
    ("[[now]]\nsay = \"{{measure.x}}\"\n", "3:7", "there is no measure `x`"),
    ("[[look]]\ntype = \"a b\"\n", "3:8", "write `a-b`"),
    ("[[table]]\nname = \"t\"\ncolumns = [\"qality.x\"]\n", "4:12", "found `qality.x`"),
    ("[[population]]\nprefix = \"p\"\ncount = -1\n", "4:9", "expected a whole number from 0 on, found `-1`"),
    ("[[population]]\nprefix = \"p\"\ncsv = \"x.csv\"\n", "4:1", "unknown field `csv`"),
    ("start = \"yesterday\"\n", "2:9", "found `yesterday`"),
    ("extensions = [\"emotions\", \"skateko\"]\n", "2:27", "did you mean `skateco`?"),
    ("[[signal]]\npath = \"a.b\"\n", "2", "`value` lacks"),
];

/// A line that is wrong behind a beginning, and how it is written by what is said of it.
const CURED: &[(&str, &str, &str)] = &[
    ("[[measure]]\nname = \"m\"\n", "value = sum(\"a.b\")", "value = 'sum(\"a.b\")'"),
    ("[[being]]\nname = \"a\"\n", "schedule = \"every 7m\"", "schedule = [{ name = \"turn\", every = \"7m\" }]"),
    ("[[being]]\nname = \"a\"\n", "schedule = 7", "schedule = [{ name = \"turn\", every = \"7m\" }]"),
    ("[[being]]\nname = \"a\"\n", "schedule = \"0 9 * * MON\"", "schedule = [{ name = \"turn\", cron = \"0 9 * * MON\" }]"),
    ("[[being]]\nname = \"a\"\n", "schedule = { name = \"s\", every = \"7m\" }", "schedule = [{ name = \"s\", every = \"7m\" }]"),
    ("[[space]]\n", "path == \"/a\"", "path = \"/a\""),
    ("[[being]]\n", "name: \"a\"", "name = \"a\""),
    ("[[being]]\n", "name = \"a\",", "name = \"a\""),
    ("[[being]]\n", "- name = \"a\"", "name = \"a\""),
    ("[[being]]\nname = \"a\"\n", "home = /", "home = \"/\""),
    ("[[being]]\nname = \"a\"\n", "quality.person.age = thirty", "quality.person.age = \"thirty\""),
    ("[[being]]\nname = \"a\"\n", "quality.person.awake = True", "quality.person.awake = true"),
    ("[[being]]\nname = \"a\"\n", "quality.person.mood = \"it\"s\"", "quality.person.mood = 'it\"s'"),
    ("[[being]]\nname = \"a\"\n", "quality.person.mood = 'it's'", "quality.person.mood = \"it's\""),
    ("[[being]]\nname = \"a\"\n", "quality.person.path = \"C:\\place\"", "quality.person.path = 'C:\\place'"),
    ("[[space]]\npath = \"/a\"\n", "size = \"4x3\"", "size = [4, 3]"),
    ("[[being]]\nname = \"a\"\n", "grants = \"*\"", "grants = [\"*\"]"),
    ("[[space]]\npath = \"/a\"\n", "type = “counter”", "type = \"counter\""),
    ("[[space]]\n", "path = ‘/a’", "path = \"/a\""),
    ("[[space]]\n", "path = \"/a", "path = \"/a\""),
    ("[[space]]\n", "path = '/a\"", "path = \"/a\""),
    ("", "[[space]", "[[space]]"),
    ("", "[ [space] ]", "[[space]]"),
    ("", "[[config]]", "[config]"),
    ("", "[being]", "[[being]]"),
    ("", "population = 5", "[[population]]"),
    ("", "config = \"x\"", "[config]"),
    ("", "extensions = \"emotions\"", "extensions = [\"emotions\"]"),
    ("", "extensions = { emotions = true }", "extensions = [\"emotions\"]"),
    ("", "seed = \"5\"", "seed = 5"),
    ("", "seed = 1.5", "seed = 2"),
    ("", "about = 5", "about = \"5\""),
    ("[[operation]]\nname = \"o\"\nrun = \"[]\"\n", "args = [\"drink\"]", "args = { drink = \"text\" }"),
    ("[[operation]]\nname = \"o\"\nrun = \"[]\"\n", "target = \"being\"", "target = [\"being\"]"),
    ("[[measure]]\nname = \"m\"\nvalue = \"1\"\n", "every = 10", "every = \"10m\""),
    ("[[signal]]\npath = \"a.b\"\n", "value = hello", "value = \"hello\""),
    ("[[signal]]\npath = \"a.b\"\n", "value = yes", "value = true"),
];

/// The errors of a source, without the lines that they show.
fn errors(terminal: &Terminal, text: &str) -> Vec<String> {
    terminal.write("x/world.toml", text);
    let said = terminal.types("check x").err;
    said.lines().filter_map(|line| line.strip_prefix("reelm: ")).map(str::to_owned).collect()
}

#[test]
fn a_mistake_is_told_at_its_key_and_column() {
    let terminal = Terminal::new();
    for (text, place, what) in TOLD {
        let all = errors(&terminal, &format!("{HEAD}{text}"));
        assert!(
            all.len() == 1 && all[0].starts_with(&format!("x/world.toml:{place}: ")) && all[0].contains(what),
            "{text}\n{place} {what}\n{all:#?}"
        );
    }
}

#[test]
fn a_cure_that_is_told_is_right() {
    let terminal = Terminal::new();
    let mut faults = Vec::<String>::new();
    for (before, wrong, right) in CURED {
        let all = errors(&terminal, &format!("{HEAD}{before}{wrong}\n"));
        let told: Vec<&str> = all.iter().filter_map(|error| error.rsplit_once("write `")?.1.split('`').next()).collect();
        if all.len() != 1 || told != [*right] {
            faults.push(format!("{wrong}\n{all:#?}"));
        }
        let line = (HEAD.to_owned() + *before).lines().count() + 1;
        let left = errors(&terminal, &format!("{HEAD}{before}{right}\n"));
        let here = |error: &&String| error.starts_with(&format!("x/world.toml:{line}:"));
        // The header of a table that lacks a key is none of the mistakes any more.
        if !left
            .iter()
            .filter(here)
            .all(|error| right.starts_with('[') && (error.contains("` lacks; write `") || error.contains("expected `count`")))
        {
            faults.push(format!("{right}\n{left:#?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn all_mistakes_come_at_once_without_those_that_follow_from_one() {
    let terminal = Terminal::new();
    let text = r#"name = "x"
zone = "Berlin"
[[space]]
path = "/hall"
sise = [3, 3]
[[role]]
name = "clerk"
canSee = [5]
think = 'let x = ;'
[[operation]]
name = "serve"
by = ["clerk", "clrk"]
run = "]"
[[being]]
name = 5
home = "/hall"
[[being.schedule]]
name = "s"
every = "5m"
[[being]]
name = "bob"
flow = [{ rol = "clerk" }]
schedule = [{ name = "s", every = "often" }]
[[signal]]
path = "a.b"
"#;
    let places: Vec<String> =
        errors(&terminal, text).iter().filter_map(|error| Some(error.split(": ").next()?.replace("x/world.toml:", ""))).collect();
    assert_eq!(places, ["2:8", "5:1", "8:11", "9:18", "12:16", "13:8", "15:8", "22:11", "23:35", "24", "10 errors"]);
    // A planting that is refused tells each refusal, and none of what lies where nothing could be made.
    let text = r#"name = "x"
[[space]]
path = "/nowhere/hall"
[[space]]
path = "/nowhere/hall/room"
[[being]]
name = "ada"
home = "/nowhere/hall"
[[being]]
name = "bob"
parent = "@ada"
quality.age = 3
[[matter]]
name = "cup"
at = "/gone"
[config]
brakes.depth = "deep"
"#;
    let places: Vec<String> =
        errors(&terminal, text).iter().filter_map(|error| Some(error.split(": ").next()?.replace("x/world.toml:", ""))).collect();
    assert_eq!(places, ["3:8", "12:15", "15:6", "17:16", "4 errors"]);
    // A program reads each of them by itself.
    let said = terminal.types("check x --json").err;
    let lines: Vec<serde_json::Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() == 4 && lines.iter().all(|line| line["error"].as_str().is_some()), "{said}");
}
