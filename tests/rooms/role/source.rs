//! Tests of `src/role/source.rs`.

use reelm::role::Spec;

const JUDGE: &str = "---\nname: judge\ndescription: Keeps the peace.\ncanSee:\n  - bench\n  - /court/**\ncanDo:\n  - {action: signal.set, ns: court}\n  - say\ncanSummon: [{rel: caller}]\nrequiredCognition: llm\nthinks: 2s\n---\n\nYou are the judge.\n\n---\n\nBe brief.\n";

#[test]
fn markdown_and_json_are_the_same_role() {
    let markdown = Spec::from_markdown("judge.md", JUDGE).unwrap();
    assert_eq!(&*markdown.prompt, "You are the judge.\n\n---\n\nBe brief.");
    let json = Spec::from_json("judge.json", &markdown.to_value().to_string()).unwrap();
    assert_eq!(markdown.hash(), json.hash());
    assert_eq!(Spec::from_markdown("judge.md", &JUDGE.replace('\n', "\r\n")).unwrap().hash(), json.hash());
    assert_eq!(Spec::from_markdown("judge.md", &format!("\u{feff}{JUDGE}")).unwrap(), json);
    assert_eq!(Spec::from_markdown("judge.md", &markdown.to_markdown()).unwrap(), markdown);
}

#[test]
fn an_error_names_file_line_and_key() {
    let error = |text: &str| Spec::from_markdown("a.md", text).unwrap_err().to_string();
    for (text, wanted) in [
        ("hello", "a.md:1: expected a line `---`"),
        ("---\nname: a\n", "a.md:1: expected a second line `---`"),
        ("---\nname: a\ncanDo:\n  - move\n  - signal.set\n---\n", "a.md:5: `canDo[1]`"),
        ("---\nname: a\ncanDo: [move, signal.set]\n---\n", "a.md:3: `canDo[1]`"),
        ("---\nname: a\ncanDoo: []\n---\n", "a.md:3: `canDoo`: no role has this key; did you mean `canDo`?"),
        ("---\nname: a\nprompt: x\n---\n", "a.md:3: `prompt`: expected the prompt below"),
        ("---\ncanDo: []\n---\n", "a.md: `name`: expected the role's name"),
        ("---\n---\n", "a.md: `name`: expected the role's name"),
        ("---\n- a\n---\n", "a.md:2: expected front matter of keys and values"),
    ] {
        let error = error(text);
        assert!(error.starts_with(wanted), "{text}: {error}");
    }
    let broken = error("---\nname: a\ncanDo: [*]\n---\n");
    assert!(broken.starts_with("a.md:3: the front matter is not YAML"), "{broken}");
    let twice = error("---\nname: a\nname: b\n---\n");
    assert!(twice.starts_with("a.md:3: the front matter"), "{twice}");
    let json = Spec::from_json("a.json", "{\n\"name\": }").unwrap_err().to_string();
    assert!(json.starts_with("a.json:2: expected a role as JSON"), "{json}");
}
