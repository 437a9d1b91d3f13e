//! Given: what an act is given in a file or on standard input, and what is said of an act that is done and may not be meant.

use super::terminal::Terminal;

fn world() -> Terminal {
    let terminal = Terminal::new();
    terminal.write(
        "c/world.toml",
        "name = \"c\"\n[[space]]\npath = \"/h\"\nallow = [\"say\"]\n[[being]]\nname = \"ada\"\nhome = \"/h\"\nscript = \"a\"\nrole = \"r\"\nflow = [{ when = { \"world.t.on\" = true }, role = \"r\" }]\n",
    );
    terminal.write("c/roles/r.md", "---\nname: r\ncanDo: [say]\ncanSee: [\"/h\"]\n---\nIt is {{world.t.told}}.\n");
    terminal.write("c/scripts/a.rhai", "fn think(face) { log(signal(\"t.script\")); () }");
    terminal.types("run c --moments 0 --quiet").ok();
    terminal
}

#[test]
fn arguments_come_from_a_file_or_from_standard_input() {
    let terminal = world();
    terminal.write("args.json", "\u{feff}{\n  \"path\": \"t.on\",\n  \"value\": true\n}\n");
    terminal.types("do / signal.set @args.json").ok();
    terminal.types("see /.signals").says(&["on"]);
    terminal.shell("echo '{\"path\":\"t.on\",\"value\":\"piped\"}' | $reelm do / signal.set -").ok();
    terminal.types("see /.signals").says(&["piped"]);
    terminal.write("birth.json", "{\"name\":\"eve\",\"cognition\":\"human\",\"home\":\"/h\"}");
    terminal.types("be birth @birth.json").ok();
    terminal.write("words.txt", "How many boards?\nAnd when?\n");
    terminal.types("summon @eve @words.txt").ok();
    terminal.types("inbox @eve").says(&["How many boards?"]);
    terminal.shell("printf 'from a pipe' | $reelm summon @eve -").ok();
    terminal.types("summon @eve '@ada says hello'").ok();
    terminal.types("summon @eve @@ada").ok();
    let told = terminal.types("log @operator --json").ok();
    for said in ["How many boards?\\nAnd when?", "from a pipe", "@ada says hello", "\"@ada\""] {
        assert!(told.contains(said), "{said} in {told}");
    }
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_line_and_column() {
    let terminal = world();
    terminal.write("broken.json", "{\n  \"path\": \"t.on\",\n  \"value\": ?\n}\n");
    terminal.types("do / signal.set @broken.json").fails(1).warns(&["broken.json:3:12: expected JSON: expected value"]);
    terminal.write("empty.json", " \n");
    terminal.types("do / signal.set @empty.json").fails(1).warns(&["empty.json: expected JSON, found nothing"]);
    std::fs::write(terminal.path("latin.json"), b"{\n \"path\": \"\xe9\"}").unwrap();
    terminal.types("do / signal.set @latin.json").fails(1).warns(&["latin.json:2:11: expected UTF-8, found another encoding"]);
    terminal.types("do / signal.set @ada").fails(1).warns(&["cannot read `ada`; an address as JSON is written '\"@ada\"'", "No such file"]);
    terminal.types("summon @ada @eve").fails(1).warns(&["cannot read `eve`; to say a word that begins with `@`, write `@@eve`"]);
    terminal.types("do / signal.set @c").fails(1).warns(&["cannot read `c`"]);
    terminal.types("do / signal.set @").fails(2).warns(&["expected the name of a file behind the `@`"]);
    terminal.types("do / signal.set {").fails(2).warns(&["expected JSON such as"]);
    terminal.shell("$reelm do / signal.set @/dev/zero").fails(1).warns(&["/dev/zero: expected at most 16777216 bytes, found more"]);
    terminal.shell("echo '{\"path\":' | $reelm be birth -").fails(1).warns(&["standard input:2:0: expected JSON: "]);
    terminal.shell("$reelm do / signal.set - < /dev/null").fails(1).warns(&["standard input: expected JSON, found nothing"]);
    assert_eq!(terminal.types("log @operator --json").ok().matches("signal.set").count(), 0, "nothing was done");
}

#[test]
fn a_signal_that_nothing_reads_is_set_and_said_to_be_unread() {
    let terminal = world();
    let put = |path: &str, value: &str| terminal.types(&format!("do / signal.set '{{\"path\":\"{path}\",\"value\":{value}}}'"));
    let set = |path: &str| put(path, "1");
    let note = |path: &str| format!("note: no flow, role, rule, measure or script of this world reads `{path}`");
    for (read, value) in [("t.on.deep", "1"), ("t.on", "1"), ("t.told", "1"), ("t.script", "1")] {
        let said = put(read, value).fails(0);
        assert!(!said.err.contains("no flow"), "{read}: {}", said.err);
    }
    for unread in ["t.of", "u.on"] {
        set(unread).fails(0).warns(&[&note(unread)]);
    }
    terminal.types("see /.signals").says(&["of"]);
    let told = terminal.types("do / signal.set '{\"path\":\"t.nobody\",\"value\":1}' --json");
    assert!(told.out.contains("\"hints\":[\"no flow, role, rule, measure or script of this world reads `t.nobody`"), "{}", told.out);
    let refused = terminal.types("do / signal.set '{\"path\":\"nobody\",\"value\":1}'").fails(4);
    assert!(!refused.err.contains("no flow"), "what was refused was not set: {}", refused.err);
    terminal.types("do / rule.set '{\"name\":\"quiet\",\"rule\":{\"on\":[\"say\"],\"when\":{\"world.t.of\":1},\"refuse\":\"hush\"}}'").ok();
    assert!(!set("t.of").err.contains("no flow"), "the rule reads it");
}

#[test]
fn check_knows_that_a_measure_reads_a_signal() {
    let terminal = world();
    let source = terminal.read("c/world.toml");
    let with = |more: &str| terminal.write("c/world.toml", &format!("{source}[[signal]]\npath = \"t.count\"\nvalue = 1\n{more}"));
    with("");
    terminal.types("check c --strict").fails(1).says(&["signal t.count"]);
    with("[[measure]]\nname = \"m\"\nvalue = 'signal(\"t.count\")'\n");
    let said = terminal.types("check c").fails(0);
    assert!(!said.out.contains("t.count"), "{}", said.out);
}
