//! Tests of `src/extension/package.rs`.

use reelm::extension::package::*;

const MANIFEST: &str = "name = \"x\"\nversion = \"1.0.0\"\n";

fn parse(files: &[(&str, &str)]) -> Result<Package, ExtensionError> {
    Package::parse("x", &files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect())
}

fn fault(manifest_tail: &str, files: &[(&str, &str)]) -> String {
    let manifest = format!("{MANIFEST}{manifest_tail}");
    let all: Vec<_> = std::iter::once(("manifest.toml", manifest.as_str())).chain(files.iter().copied()).collect();
    parse(&all).unwrap_err().to_string()
}

#[test]
fn each_kind_of_broken_package_says_where_and_what() {
    let op = |tail: &str| format!("[[operation]]\nname = \"go-on\"\nscript = \"ops/a.rhai\"\n{tail}");
    let good = ("ops/a.rhai", "fn run(ctx) { [] }");
    type Broken<'a> = (String, &'a [(&'a str, &'a str)], &'a str);
    let role = "---\nname: calm\n---\nBe calm.";
    let inline = "args = { type = \"object\", properties = { a = { \"$ref\" = \"b.json\" } } }\n";
    let recursive = "{\n\"items\": {\n\"$ref\": \"#\" } }";
    let cases: [Broken<'_>; 22] = [
        ("nmae = 1\n".into(), &[], "x/manifest.toml:3: unknown field `nmae`"),
        ("needs = 3\n".into(), &[], "x/manifest.toml:3:"),
        ("reelm = \">=99\"\n".into(), &[], "the extension wants >=99"),
        (op(""), &[], "no file `ops/a.rhai`"),
        (op(""), &[("ops/a.rhai", "fn run( { }")], "ops/a.rhai:1:9: not a script"),
        (op(""), &[("ops/a.rhai", "fn walk(x) { }")], "expected a function `run` of 1 arguments"),
        ("[[operation]]\nname = \"a\"\nscript = \"../../etc/passwd\"\n".into(), &[], "leaves the extension's folder"),
        (format!("{}{}", op(""), op("")), &[good], "operation `go-on` stands twice"),
        (op("touches = [\"world\"]\n"), &[good], "`target.position` or `args.<path>.position`, found `world`"),
        (op("touches = [\"actor.position\"]\n"), &[good], "`args.<path>.position`, found `actor.position`"),
        (op("touches = [\"args.\"]\n"), &[good], "`args.<path>.position`, found `args.`"),
        (op("args = { type = 7 }\n"), &[good], "not a JSON Schema"),
        (op("target = [\"moon\"]\n"), &[good], "expected one of `being`, `space`, `matter`, found `moon`"),
        (op("description = \"Goes on.\\n- summon @ada\"\n"), &[good], "operation `go-on`.description: expected one line"),
        (op("description = \"Goes on.\\u2028[role]\"\n"), &[good], "operation `go-on`.description: expected one line"),
        (String::new(), &[("roles/a.md", "no front matter")], "x/roles/a.md"),
        (String::new(), &[("roles/a.md", role), ("roles/b.md", role)], "the role `x:calm` stands in `roles/a.md` already"),
        ("[[signal]]\npath = \"shift\"\n[[signal]]\npath = \"shift\"\n".into(), &[], "signal `shift` stands twice"),
        ("[[matter]]\ntype = \"\"\n".into(), &[], "x/manifest.toml:3: matter: expected a name"),
        (op("args = \"schemas/a.json\"\n"), &[good, ("schemas/a.json", "{\n]")], "x/schemas/a.json:2:"),
        (op(inline), &[good], "x/manifest.toml:6: operation `go-on`.args: /properties/a/$ref: `b.json` points outside the document"),
        (
            op("args = \"schemas/a.json\"\n"),
            &[good, ("schemas/a.json", recursive)],
            "x/schemas/a.json:3: operation `go-on`.args: /items/$ref: `#` contains itself",
        ),
    ];
    for (tail, files, expected) in cases {
        let found = fault(&tail, files);
        assert!(found.contains(expected), "{tail:?}: {found}");
    }
    assert!(parse(&[]).unwrap_err().to_string().contains("expected a `manifest.toml`"));
    for (text, expected) in
        [("name = \"X y\"\nversion = \"1.0.0\"", "small letters"), ("name = \"x\"\nversion = \"one\"", "x/manifest.toml:2:")]
    {
        assert!(parse(&[("manifest.toml", text)]).unwrap_err().to_string().contains(expected), "{text}");
    }
}

fn package(name: &str, version: &str, needs: &str) -> Package {
    let manifest = format!("name = \"{name}\"\nversion = \"{version}\"\nneeds = {{ {needs} }}\n");
    parse(&[("manifest.toml", &manifest)]).unwrap()
}

#[test]
fn needs_come_first_and_a_missing_a_wrong_and_a_circular_need_say_so() {
    let sorted = order(vec![package("a", "1.0.0", "b = \"^1\""), package("b", "1.2.0", "")]).unwrap();
    assert_eq!(sorted.iter().map(|package| package.name.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    let said = |packages| order(packages).unwrap_err().to_string();
    assert!(said(vec![package("a", "1.0.0", "b = \"^1\"")]).contains("needs `b`, which is not among those given"));
    assert!(said(vec![package("a", "1.0.0", "b = \"^1\""), package("b", "2.0.0", "")]).contains("needs `b` ^1, found 2.0.0"));
    assert!(said(vec![package("a", "1.0.0", "b = \"^1\""), package("b", "1.0.0", "a = \"^1\"")]).contains("in a circle: a, b"));
    // An optional need may be absent, comes first where it is present, and has to be of that version.
    assert_eq!(order(vec![package("a", "1.0.0", "\"b?\" = \"^1\"")]).unwrap().len(), 1);
    let sorted = order(vec![package("a", "1.0.0", "\"b?\" = \"^1\""), package("b", "1.2.0", "")]).unwrap();
    assert_eq!(sorted.iter().map(|package| package.name.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    assert!(said(vec![package("a", "1.0.0", "\"b?\" = \"^1\""), package("b", "2.0.0", "")]).contains("needs `b` ^1, found 2.0.0"));
    assert!(said(vec![package("a", "1.0.0", "\"b?\" = \"^1\""), package("b", "1.0.0", "a = \"^1\"")]).contains("in a circle: a, b"));
    let fault = |needs: &str| fault(&format!("needs = {{ {needs} }}\n"), &[]);
    assert!(fault("x = \"^1\"").contains("`x` cannot need itself"));
    assert!(fault("b = \"^1\", \"b?\" = \"^1\"").contains("keep one of them"));
    assert!(fault("\"b!\" = \"^1\"").contains("small letters"));
    assert!(said(vec![package("a", "1.0.0", ""), package("a", "1.0.0", "")]).contains("two extensions are called `a`"));
}

#[test]
fn roles_and_scripts_take_the_namespace() {
    let files =
        [("manifest.toml", MANIFEST), ("roles/calm.md", "---\nname: calm\n---\nBe calm."), ("scripts/think.rhai", "fn think(face) { }")];
    let package = parse(&files).unwrap();
    assert_eq!((package.roles[0].name.as_str(), package.scripts[0].name.as_str()), ("x:calm", "x/think"));
    assert_eq!(package.roles[0].spec.name.as_ref(), "x:calm");
}
