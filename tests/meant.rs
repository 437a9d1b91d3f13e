//! Meant: what a source says and surely does not mean is told before the run, and what is right is not.

use super::terminal::Terminal;

const WORLD: &str = r#"name = "w"
[[space]]
path = "/hall"
[[being]]
name = "ada"
home = "/hall"
role = "guest"
script = "mind"
schedule = [{ name = "turn", every = "1m" }]
[[role]]
name = "guest"
prompt = "You are a guest."
canSee = ["**"]
canDo = ["say"]
canSummon = ["**"]
[[operation]]
name = "mark"
by = ["guest"]
run = '''
[act("/", "signal.set", #{ path: "w.last", value: 1 })]
'''
[[now]]
when = { "world.w.last" = { gte = 1 } }
say = "The last mark is {{world.w.last}}."
"#;

/// A world of one being with a mind.
struct Meant(Terminal);

impl Meant {
    fn new() -> Self {
        let meant = Self(Terminal::new());
        meant.0.write("w/world.toml", WORLD);
        meant.mind("fn think(face) { () }");
        meant
    }

    fn mind(&self, mind: &str) {
        self.0.write("w/scripts/mind.rhai", mind);
    }

    /// Writes the world with one text in the place of another.
    fn world(&self, old: &str, new: &str) {
        assert!(WORLD.contains(old), "{old}");
        self.0.write("w/world.toml", &WORLD.replacen(old, new, 1));
    }

    /// The sentences of the warnings of one kind, and that there are no others.
    fn of(&self, code: &str) -> Vec<String> {
        let out = self.0.types("check w --json").fails(0).out;
        let warnings: Vec<&str> = out.lines().filter(|line| line.contains("\"code\":")).collect();
        let strange = warnings.iter().find(|line| !line.contains(&format!("\"{code}\"")));
        assert_eq!(strange, None, "expected {code} alone");
        warnings.into_iter().map(str::to_owned).collect()
    }
}

/// Bodies of `think` after which an act is dropped, with the line of it and its name.
const DROPPED: &[(&str, usize, &str)] = &[
    ("act(\"/hall\", \"say\");\nact(\"/hall\", \"say\")", 2, "act"),
    ("act(\"/hall\", \"say\"); ()", 2, "act"),
    ("act(\"/hall\", \"say\").saying(\"x\");\n()", 2, "act"),
    ("let one = act(\"/hall\", \"say\");\none.saying(\"x\");\none", 3, ".saying"),
    ("if chance(0.5) {\n  summon(\"@ada\", \"x\");\n}\nlook(\"/hall\")", 3, "summon"),
    ("for n in 0..3 {\n  act(\"/hall\", \"say\")\n}", 3, "act"),
    ("let n = 0;\nwhile n < 3 {\n  n += 1;\n  look(\"/hall\");\n}", 5, "look"),
    ("let first = act(\"/hall\", \"say\");\nact(\"/hall\", \"say\")", 2, "act"),
    ("let first = ();\nfirst = act(\"/hall\", \"say\");\n()", 3, "act"),
    ("let all = [];\nall.push(act(\"/hall\", \"say\"));\n()", 3, "act"),
    ("let all = [];\nall += [act(\"/hall\", \"say\")];\n()", 3, "act"),
    ("switch face.wake.kind {\n  \"summons\" => act(\"/hall\", \"say\"),\n  _ => ()\n}\nlook(\"/hall\")", 3, "act"),
    ("try { act(\"/hall\", \"say\") } catch { () }\nlook(\"/hall\")", 2, "act"),
    ("let say = greet(\"x\");\n()\n}\nfn greet(what) {\n  act(\"/hall\", \"say\", #{ content: what })", 2, "greet"),
    ("greet(\"x\");\n()\n}\nfn greet(what) {\n  let one = act(\"/hall\", \"say\");\n  one", 2, "greet"),
    ("[1, 2].map(|n| { act(\"/hall\", \"say\"); n })", 2, "act"),
    ("()\n}\nlook(\"/hall\");\nfn other() {\n  ()", 4, "look"),
];

/// Bodies of `think` that drop nothing.
const RETURNED: &[&str] = &[
    "act(\"/hall\", \"say\");",
    "if chance(0.5) { act(\"/hall\", \"say\") } else { look(\"/hall\") }",
    "if chance(0.5) { return act(\"/hall\", \"say\"); }\nsummon(\"@ada\", \"x\")",
    "for n in 0..3 { if chance(0.5) { return act(\"/hall\", \"say\"); } }",
    "let all = [];\nall.push(act(\"/hall\", \"say\"));\nall += [look(\"/hall\")];\npick(all)",
    "let all = [act(\"/hall\", \"say\"), look(\"/hall\")];\nall[0]",
    "let one = act(\"/hall\", \"say\");\nif chance(0.5) { one = one.saying(\"x\"); }\none",
    "let one = if chance(0.5) { act(\"/hall\", \"say\") } else { () };\none",
    "switch face.wake.kind { \"summons\" => act(\"/hall\", \"say\"), \"schedule\" if chance(0.5) => { look(\"/hall\") }, _ => () }",
    "try { act(\"/hall\", \"say\") } catch { look(\"/hall\") }",
    "let found = loop { break act(\"/hall\", \"say\"); };\nfound",
    "{ let n = 1; act(\"/hall\", \"say\") }",
    "let made = #{ one: act(\"/hall\", \"say\") };\nmade.one",
    "greet(\"x\")\n}\nfn greet(what) { act(\"/hall\", \"say\", #{ content: what })",
    "[1, 2].map(|n| act(\"/hall\", \"say\"))[0]",
    "let text = \"act(1); act(2)\"; // act(3);\n()",
    "() ?? act(\"/hall\", \"say\")",
    "look(2);\n()\n}\nfn look(n) { n",
];

#[test]
fn an_act_that_is_made_and_not_returned_is_told_with_its_line() {
    let meant = Meant::new();
    for (body, line, name) in DROPPED {
        meant.mind(&format!("fn think(face) {{\n{body}\n}}\n"));
        let told = meant.of("dropped-act");
        let wanted = [
            format!("line {line}\""),
            format!("the act of this `{name}` is dropped: only what `think` returns is done; write `return {name}(…)`"),
        ];
        assert!(told.len() == 1 && wanted.iter().all(|wanted| told[0].contains(wanted)), "{body}: {told:?}");
    }
    for body in RETURNED {
        meant.mind(&format!("fn think(face) {{\n{body}\n}}\n"));
        assert_eq!(meant.of("dropped-act"), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn an_act_of_an_operation_that_is_in_no_list_that_it_returns_is_told() {
    let meant = Meant::new();
    let set = "act(\"/\", \"signal.set\", #{ path: \"w.last\", value: 1 })";
    let run = |body: &str| {
        meant.world("[act(\"/\", \"signal.set\", #{ path: \"w.last\", value: 1 })]", body);
        meant.of("dropped-act")
    };
    for body in [format!("{set};\n[{set}]"), format!("let steps = [];\nsteps.push({set});\n[]"), format!("for n in 0..2 {{ {set} }}")] {
        let told = run(&body);
        let wanted = "the act of this `act` is dropped: only the acts that `run` returns are done; put it into the list that is returned";
        assert!(told.len() == 1 && told[0].contains(wanted), "{body}: {told:?}");
    }
    let pushed = format!("let steps = [];\nfor n in 0..2 {{ steps.push({set}); }}\nsteps += [{set}];\nsteps");
    for body in [format!("[{set}, {set}]"), set.to_owned(), pushed, format!("if args.len() > 0 {{ return [{set}]; }}\n[]")] {
        assert_eq!(run(&body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn a_name_that_stands_at_the_top_of_a_script_is_told_as_functions_name_it() {
    let meant = Meant::new();
    let failed = |mind: &str, wanted: &str| {
        meant.mind(mind);
        meant.0.types("check w").fails(1).warns(&[wanted]);
    };
    let constant = "Undefined variable: HELLO; a constant at the top of a script is named `global::HELLO` inside a function";
    failed("const HELLO = \"hi\";\nfn think(face) {\n  act(\"/hall\", \"say\", #{ content: HELLO })\n}", constant);
    failed("fn think(face) { [1].map(|n| n + HELLO)[0] }\nconst HELLO = 1 + 1;", constant);
    failed("const HELLO = #{ a: 1 };\nfn think(face) { HELLO.a }", constant);
    failed("let HELLO = 1;\nfn think(face) { HELLO }", "write `const HELLO` there, and `global::HELLO` inside a function");
    let other = "Undefined variable: HELLO; a text stands in quotes, a name is given by `let`";
    failed("fn think(face) { HELLO }", other);
    failed("// const HELLO = 1;\nfn think(face) { HELLO }", other);
    failed("const HELL = 1;\nfn other() { const HELLO = 1; HELLO }\nfn think(face) { HELLO }", other);
    // So named it is known, in a run too.
    meant.mind("const HELLO = \"hi\";\nfn think(face) { act(\"/hall\", \"say\", #{ content: global::HELLO }) }");
    assert_eq!(meant.of("dropped-act"), Vec::<String>::new());
    meant.0.types("run w --for 90s --quiet").ok();
    meant.0.types("log @ada").says(&["hi"]);
}

#[test]
fn a_place_in_a_text_of_plain_quotes_is_told_with_its_line() {
    let meant = Meant::new();
    let body = |body: &str| {
        meant.mind(&format!("fn think(face) {{\n  let n = face.me.name;\n{body}\n}}\n"));
        meant.of("plain-quotes")
    };
    let said = |text: &str| format!("  act(\"/hall\", \"say\", #{{ content: {text} }})");
    for (text, line, place) in [
        (said("\"hi ${n}\""), 3, "${n}"),
        (said("\"hi \\\"${ n + 1 }\\\" there\""), 3, "${ n + 1 }"),
        (said("\n`${n}` + \"ü ${n}\""), 4, "${n}"),
        (said("`${n + \"${face.me.name}\"}`"), 3, "${face.me.name}"),
        (format!("  let t = \"${{n}}\"; t.trim();\n{}", said("t")), 3, "${n}"),
    ] {
        let told = body(&text);
        let wanted = [format!("line {line}\""), format!("`{place}` stands in plain quotes, and `${{` is read between backticks only")];
        assert!(told.len() == 1 && wanted.iter().all(|wanted| told[0].contains(wanted)), "{text}: {told:?}");
    }
    for text in [
        said("`hi ${n}`"),
        said("\"it costs $5, {so} and ${}\""),
        said("\"hi \\x24{n}\""),
        said("#\"hi ${n}\"#"),
        format!("  let t = \"hi ${{n}}\";\n  t.replace(\"${{n}}\", n);\n{}", said("t")),
        format!("  // \"${{n}}\"\n{}", said("\"hi\"")),
    ] {
        assert_eq!(body(&text), Vec::<String>::new(), "{text}");
    }
    meant.mind("fn think(face) { () }");
    meant.world("value: 1 }", "value: \"${actor.name}\" }");
    assert_eq!(meant.of("plain-quotes").len(), 1);
}

#[test]
fn a_place_with_one_brace_is_told_where_two_are_read() {
    let meant = Meant::new();
    let told = |old: &str, new: &str| {
        meant.world(old, new);
        meant.of("one-brace")
    };
    let measure = "[[measure]]\nname = \"m\"\nvalue = \"1\"\n[[now]]\nwhen";
    meant.0.write("w/world.toml", &WORLD.replace("[[now]]\nwhen", measure).replace("{{world.w.last}}", "{measure.m} and {{world.w.last}}"));
    assert_eq!(meant.of("one-brace").len(), 1);
    for (old, new, place, path) in [
        ("{{world.w.last}}", "{world.w.last}", "now 1: say", "world.w.last"),
        ("{{world.w.last}}", "{ count.guest }", "now 1: say", "count.guest"),
        ("by = [\"guest\"]", "by = [\"guest\"]\ntold = \"marks {target}\"", "operation w:mark: told", "target"),
        (
            "by = [\"guest\"]",
            "by = [\"guest\"]\nargs = { x = \"text\" }\ntold = \"marks {{target}} as {args.x}\"",
            "operation w:mark: told",
            "args.x",
        ),
        ("prompt = \"You are a guest.\"", "prompt = \"You are {me.name} of {{space.name}}.\"", "role guest: prompt", "me.name"),
        ("prompt = \"You are a guest.\"", "prompt = \"The last is {world.w.last | default(0)}.\"", "role guest: prompt", "world.w.last"),
        (
            "prompt = \"You are a guest.\"",
            "prompt = \"{% if time.hour > 1 %}You are {me.quality.a.b}.{% endif %}\"",
            "role guest: prompt",
            "me.quality.a.b",
        ),
    ] {
        let told = told(old, new);
        let wanted = format!("`{{{path}}}` is told as it stands, since a place has two braces");
        assert!(told.len() == 1 && told[0].contains(&wanted) && told[0].contains(&format!("write `{{{{{path}}}}}`")), "{new}: {told:?}");
        meant.0.types("check w").says(&[&format!("{place}: {wanted}")]);
    }
    for (old, new) in [
        ("{{world.w.last}}", "{nothing} and {} and {{ world.w.last }}"),
        ("by = [\"guest\"]", "by = [\"guest\"]\ntold = \"marks {{target}} as {it}\""),
        ("prompt = \"You are a guest.\"", "prompt = '''Answer as {\"me.name\": {\"a\": 1}} or {name}, {target}: {{me.name}}.'''"),
        ("prompt = \"You are a guest.\"", "prompt = \"{% raw %}{me.name}{% endraw %}{# {me.name} #}{{ '{me.name}' }}\""),
    ] {
        assert_eq!(told(old, new), Vec::<String>::new(), "{new}");
    }
}

#[test]
fn a_schedule_of_somebody_who_never_wears_a_role_is_told() {
    let meant = Meant::new();
    let bare = "schedule = [{ name = \"turn\", every = \"1m\" }]\n[[being]]\nname = \"bob\"\nhome = \"/hall\"\n";
    let bob = |rest: &str| {
        meant.world("schedule = [{ name = \"turn\", every = \"1m\" }]\n", &format!("{bare}{rest}\n"));
        meant.of("nothing-to-wear")
    };
    let schedule = "schedule = [{ name = \"turn\", cron = \"@hourly\" }]";
    for rest in [schedule.to_owned(), format!("script = \"mind\"\nflow = []\n{schedule}"), format!("cognition = \"human\"\n{schedule}")] {
        let told = bob(&rest);
        assert!(told.len() == 1 && told[0].contains("the wakes of its schedule do nothing"), "{rest}: {told:?}");
    }
    for rest in [
        format!("script = \"mind\"\nrole = \"guest\"\n{schedule}"),
        format!("script = \"mind\"\nflow = [{{ when = {{ \"time.hour\" = {{ gte = 9 }} }}, role = \"guest\" }}]\n{schedule}"),
    ] {
        assert_eq!(bob(&rest), Vec::<String>::new(), "{rest}");
    }
    // A place adds to a role and gives none. Of many who are alike one is told.
    let people = "[[population]]\nprefix = \"p\"\ncount = 5\nhome = \"/hall\"\nscript = \"mind\"\nschedule = [{ name = \"turn\", every = \"1m\" }]\n";
    let stacked = WORLD.replacen("path = \"/hall\"\n", "path = \"/hall\"\nflow = [{ stack = true, role = \"guest\" }]\n", 1);
    meant.0.write("w/world.toml", &(stacked + people));
    assert_eq!(meant.of("nothing-to-wear").len(), 1);
    // So it is: what wakes it thinks nothing.
    bob("script = \"mind\"\nschedule = [{ name = \"turn\", every = \"1m\" }]");
    meant.mind("fn think(face) { act(\"/hall\", \"say\", #{ content: \"hi\" }) }");
    meant.0.types("run w --for 150s --quiet").ok();
    assert!(!meant.0.types("log @bob").ok().contains("“hi”"));
    assert!(meant.0.types("log @ada").ok().contains("“hi”"));
}

#[test]
fn a_comparison_with_a_text_of_what_is_set_to_a_truth_value_or_a_number_is_told() {
    let meant = Meant::new();
    let when = |when: &str, value: &str, quality: &str| {
        let rule = format!("[[rule]]\nname = \"r\"\non = [\"say\"]\nwhen = {{ {when} }}\nrefuse = \"no\"\n");
        let world = WORLD.replacen("value: 1", &format!("value: {value}"), 1).replacen("gte = 1", "present = true", 1);
        let being = format!("name = \"ada\"\nquality.n.x = {quality}\n");
        meant.0.write("w/world.toml", &(world.replacen("name = \"ada\"\n", &being, 1) + rule.as_str()));
        meant.of("other-kind")
    };
    for (asked, value, quality, wanted) in [
        (
            "\"world.w.last\" = \"true\"",
            "true",
            "1",
            ["`world.w.last` is compared with the text", "write `true` without the quotation marks"],
        ),
        ("\"world.w.last\" = { ne = \"False\" }", "true", "1", ["is compared with the text", "write `false` without the quotation marks"]),
        ("world = { w = { last = { in = [\"1\", 2] } } }", "\"x\"", "1", ["", ""]),
        ("\"world.w.last\" = \"3\"", "3", "1", ["is compared with the text", "write `3` without the quotation marks"]),
        (
            "\"world.w.last\" = true",
            "\"true\"",
            "1",
            ["`world.w.last` is compared with `true`", "set it to `true` without the quotation marks"],
        ),
        ("not = { \"world.w.last\" = { in = [3, 4] } }", "\"3\"", "1", ["is compared with `", "set it to `3` without the quotation marks"]),
        (
            "or = [{ \"actor.quality.n.x\" = \"1\" }]",
            "1",
            "1",
            ["`actor.quality.n.x` is compared with the text", "write `1` without the quotation marks"],
        ),
        ("\"actor.quality.n.x\" = true", "1", "\"true\"", ["`actor.quality.n.x` is compared with `true`", "set it to `true` without"]),
    ] {
        let told = when(asked, value, quality);
        if wanted[0].is_empty() {
            assert_eq!(told, Vec::<String>::new(), "{asked}");
        } else {
            assert!(!told.is_empty() && told.iter().all(|told| wanted.iter().all(|wanted| told.contains(wanted))), "{asked}: {told:?}");
        }
    }
    for (asked, value, quality) in [
        ("\"world.w.last\" = true", "true", "1"),
        ("\"world.w.last\" = \"true\"", "\"true\"", "1"),
        ("\"world.w.last\" = \"open\"", "true", "1"),
        ("\"world.w.last\" = \"true\"", "args.x", "1"),
        ("\"world.w.last\" = { in = [\"true\", true] }", "true", "1"),
        ("\"world.w.last\" = { in = [1, \"one\"] }", "\"1\"", "1"),
        ("\"world.w.last\" = { present = true }", "\"x\"", "1"),
        ("\"actor.quality.n.x\" = \"01234\"", "1", "\"01234\""),
        ("\"actor.quality.n.x\" = 1", "1", "1"),
    ] {
        assert_eq!(when(asked, value, quality), Vec::<String>::new(), "{asked} {value} {quality}");
    }
    // A flow, a role and what is going on say the same.
    let schedule = "schedule = [{ name = \"turn\", every = \"1m\" }]\n";
    let flow = format!("flow = [{{ when = {{ \"world.w.last\" = \"1\" }}, role = \"guest\" }}]\n{schedule}");
    for (old, new, place) in [
        (schedule, flow.as_str(), "@ada: flow: "),
        ("canSee =", "when = { \"world.w.last\" = \"1\" }\ncanSee =", "role guest: when: "),
        ("gte = 1", "eq = \"1\"", "now 1: when: "),
    ] {
        meant.world(old, new);
        assert_eq!(meant.of("other-kind").len(), 1, "{new}");
        meant.0.types("check w").says(&[&format!("{place}`world.w.last` is compared with the text")]);
    }
}
