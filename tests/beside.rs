//! Beside: is what a being says beside its act told where people read what it did?

use super::terminal::Terminal;

const SPEAK: &str = r#"fn think(face) {
    let words = "One\ntwo\x1b[2J\u202e \"three\". ";
    for n in 0..30 { words += "and on "; }
    words += "END";
    let deed = act(face.me.address, "quality.inc", #{ path: "t.n" });
    deed.content = words;
    deed
}"#;

#[test]
fn what_is_said_beside_an_act_stands_in_its_line_and_whole_where_it_is_explained() {
    let terminal = Terminal::new();
    let world = "name = \"small\"\n[[space]]\npath = \"/hall\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"talker\"\nscript = \"speak\"\n\
                 [[being.schedule]]\nname = \"beat\"\nevery = \"1m\"\n";
    terminal.write("src/world.toml", world);
    terminal.write("src/roles/talker.md", "---\nname: talker\ncanSee: ['**']\ncanDo: [quality.inc]\ntriggerOn: [schedule]\n---\n");
    terminal.write("src/scripts/speak.rhai", SPEAK);
    let run = terminal.types("run src --for 1m").ok();
    let begins = " Ada changed n, and said “One two [2J \"three\". and on and on";
    for said in [&run, &terminal.types("log @ada").ok()] {
        let line = said.lines().find(|line| line.contains("Ada changed")).unwrap_or_else(|| panic!("{said}"));
        assert!(line.contains(begins) && line.ends_with("…” (talker)") && !line.contains("END"), "{line:?}");
        assert!(!line.chars().any(|c| c.is_control() || c == '\u{202e}') && line.chars().count() < 300, "{line:?}");
    }
    let explained = terminal.types("explain @ada/0").ok();
    let line = explained.lines().find(|line| line.starts_with("said: ")).unwrap_or_else(|| panic!("{explained}"));
    assert!(line.starts_with("said: “One two [2J \"three\". and on") && line.ends_with("and on END”"), "{line:?}");
}
