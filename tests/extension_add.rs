//! Extension add: is what somebody is given shown before it is taken in, known again by its hash, and taken back without a loss?

use std::path::Path;

use serde_json::Value;

use super::terminal::Terminal;

/// The hash of the world, so that nothing can have changed that is not seen.
fn state(terminal: &Terminal) -> String {
    terminal.types("verify --json").json()["worldHash"].as_str().unwrap().to_owned()
}

fn hash(terminal: &Terminal, of: &str) -> String {
    terminal.types(&format!("extension show {of} --json")).json()["hash"].as_str().unwrap().to_owned()
}

/// A small extension of these lines in the manifest.
fn extension(terminal: &Terminal, dir: &str, manifest: &str) {
    terminal.write(&format!("{dir}/manifest.toml"), manifest);
    terminal.write(&format!("{dir}/scripts/idle.rhai"), "fn think(face) { () }");
    terminal.write(&format!("{dir}/roles/calm.md"), "---\nname: calm\ncanDo: [say]\n---\nBe calm.\n");
}

const TEA: &str = "name = \"tea\"\nversion = \"1.0.0\"\ndescription = \"A kettle\"\n";

/// A source with a remark in it that nobody may lose.
const SOURCE: &str = "# the yard behind the house\nname = \"yard\"\n\n[[space]]\npath = \"/yard\"   # where the kettle stands\n";

#[test]
fn what_is_added_is_shown_and_has_the_same_hash_as_a_directory_and_as_a_tar() {
    let terminal = Terminal::with_world("court", 0);
    let before = state(&terminal);
    let shown = ["hello 1.0.0: ", "operation  hello:wave on being; touches actor, target", "role       hello:greeter; does hello:wave"];
    terminal.types("extension add $extensions/hello --plan").fails(0).says(&shown).says(&["would be added to the world"]);
    assert_eq!(state(&terminal), before, "a plan does nothing");
    terminal.shell("tar cf hello.tar -C $extensions hello && tar czf hello.tgz -C $extensions/hello .").ok();
    terminal.types("extension add hello.tgz").fails(0).says(&shown).says(&["is added to the world"]);
    let pinned = hash(&terminal, "hello");
    for given in ["hello.tar", "hello.tgz", "$extensions/hello"] {
        assert_eq!(hash(&terminal, given), pinned, "{given}");
        terminal.types(&format!("extension add {given}")).fails(0).says(&["nothing to do"]);
    }
    terminal.types("extension list").fails(0).says(&["hello 1.0.0 (enabled) ", &pinned]);
    // An extension keeps its pin when the same files are enabled; one that was enabled before is pinned by the same files.
    terminal.types("extension enable $extensions/hello").ok();
    terminal.types("extension list").fails(0).says(&[&pinned]);
    assert!(!terminal.types("extension list").ok().lines().any(|line| line.starts_with("court ") && line.len() > 40));
    terminal.types("extension add $extensions/court").fails(0).says(&["rule       court:", "court 1.0.0 is added"]);
    assert_eq!(hash(&terminal, "court"), hash(&terminal, "$extensions/court"));
    // The author's description is one line, whatever it holds.
    extension(&terminal, "loud", "name = \"loud\"\nversion = \"1.0.0\"\ndescription = \"\\u001b[2J\\n  hash   fake\\u202eekaf\"\n");
    let said = terminal.types("extension show ./loud").ok();
    assert!(said.starts_with("loud 1.0.0:  [2J   hash   fakeekaf\n  hash       "), "{said:?}");
    terminal.types("run --moments 5 --quiet").ok();
    terminal.types("replay").ok();
}

#[test]
fn other_files_under_one_name_and_version_are_refused_until_that_is_meant() {
    let terminal = Terminal::with_world("court", 0);
    extension(&terminal, "tea", TEA);
    terminal.types("extension add tea").ok();
    let (before, pinned) = (state(&terminal), hash(&terminal, "tea"));
    terminal.write("tea/roles/calm.md", "---\nname: calm\ncanDo: ['**']\n---\nBe quick.\n");
    // Beside a directory of its name, the world's own is meant only by a name that no file has.
    let given = hash(&terminal, "./tea");
    assert_ne!(given, pinned);
    terminal.types("extension add tea").fails(1).warns(&["`tea` 1.0.0 is there with other files", &given, "--replace"]);
    terminal.types("extension add tea --plan").fails(1).warns(&["--replace"]);
    terminal.write("tea/manifest.toml", &TEA.replace("1.0.0", "0.9.0"));
    terminal.types("extension add tea").fails(1).warns(&["`tea` is there as 1.0.0, and 0.9.0 is older"]);
    assert_eq!(state(&terminal), before, "nothing of it was added");
    terminal.types("extension add tea --replace").fails(0).says(&["tea 0.9.0 is added"]);
    terminal.write("tea/manifest.toml", &TEA.replace("1.0.0", "1.1.0"));
    terminal.types("extension add tea").fails(0).says(&["tea 1.1.0 is added"]);
    // An extension that needs it is not left with a version that it cannot use.
    extension(&terminal, "cake", "name = \"cake\"\nversion = \"1.0.0\"\nneeds = { tea = \"^1.0\" }\n");
    terminal.types("extension add cake").ok();
    terminal.write("tea/manifest.toml", &TEA.replace("1.0.0", "2.0.0"));
    terminal.types("extension add tea --replace").fails(1).warns(&["`cake` needs `tea` ^1.0; 2.0.0 would not do"]);
    terminal.types("replay").ok();
}

#[test]
fn what_is_taken_back_leaves_its_data_and_whoever_needs_it_is_named_first() {
    let terminal = Terminal::with_world("court", 0);
    extension(&terminal, "tea", TEA);
    extension(&terminal, "cake", "name = \"cake\"\nversion = \"1.0.0\"\nneeds = { tea = \"^1.0\" }\n");
    terminal.types("extension add tea").ok();
    terminal.types("extension add cake").ok();
    terminal.types("do @operator quality.set '{\"path\":\"tea.cups\",\"value\":2}'").ok();
    let before = state(&terminal);
    terminal.types("extension remove tea").fails(1).warns(&["`tea` is needed by extension `cake`", "--force"]);
    // A name that a flow says is a need too.
    terminal.types("extension remove court").fails(1).warns(&["`court` is needed by @"]);
    for (name, says) in [("tae", "the world has no extension `tae`; it has `cake`, `court`"), ("../tea", "no extension `../tea`")] {
        terminal.types(&format!("extension remove {name}")).fails(1).warns(&[says]);
    }
    assert_eq!(state(&terminal), before, "whoever is refused changes nothing");
    terminal.types("extension remove tea --force").fails(0).says(&["tea is taken back; its data stays; cake needed it, and is disabled"]);
    terminal.types("extension list").fails(0).says(&["tea 1.0.0 (taken back)\n", "cake 1.0.0 (disabled) "]);
    terminal.types("extension remove tea").fails(1).warns(&["no extension `tea`"]);
    terminal.types("see @operator").fails(0).says(&["cups"]);
    // Nothing is pinned any more, so that anything may come back.
    terminal.write("tea/scripts/idle.rhai", "fn think(face) { see(\"/\") }");
    terminal.types("extension add tea").fails(0).says(&["tea 1.0.0 is added"]);
    terminal.types("extension add cake").fails(0).says(&["cake 1.0.0 is added"]);
    terminal.types("extension remove cake").fails(0).says(&["cake is taken back"]);
    terminal.types("replay").ok();
}

#[test]
fn a_source_takes_an_extension_in_and_reads_no_other_files_under_its_name() {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", SOURCE);
    extension(&terminal, "tea", TEA);
    terminal.write("tea/README.md", "About it\n");
    let add = "extension add tea --source src";
    terminal.types(&format!("{add} --plan")).fails(0).says(&["would be added to the source `src`"]);
    assert_eq!(terminal.read("src/world.toml"), SOURCE);
    terminal.types(add).fails(0).says(&["tea 1.0.0 is added to the source `src`"]);
    terminal.types(add).fails(0).says(&["nothing to do"]);
    let written = terminal.read("src/world.toml");
    assert!(written.contains("# the yard behind") && written.contains("# where the kettle") && written.contains("[\"tea\"]"), "{written}");
    assert_eq!(terminal.read("src/extensions/tea/README.md"), "About it\n");
    let pinned = hash(&terminal, "tea");
    assert!(terminal.read("src/extensions/pins.toml").contains(&pinned));
    terminal.types("run src --moments 0 --quiet").ok();
    terminal.types("extension list").fails(0).says(&["tea 1.0.0 (enabled) ", &pinned]);
    terminal.types("apply src").fails(0).says(&["nothing to do"]);
    // Somebody has had a hand in it.
    let role = terminal.read("src/extensions/tea/roles/calm.md");
    terminal.write("src/extensions/tea/roles/calm.md", &role.replace("say", "'**'"));
    for line in ["run src --data other", "apply src", "check src"] {
        terminal.types(line).fails(1).warns(&["`tea`", "not those that were added", &pinned, "--replace"]);
    }
    terminal.write("tea/manifest.toml", &TEA.replace("1.0.0", "1.1.0"));
    terminal.types(add).fails(1).warns(&["is there with other files"]);
    terminal.write("src/extensions/tea/roles/calm.md", &role);
    terminal.types(add).fails(0).says(&["tea 1.1.0 is added"]);
    terminal.write("src/extensions/tea/roles/calm.md", &role.replace("say", "'**'"));
    terminal.types("extension add src/extensions/tea --source src --replace").fails(0).says(&["is added"]);
    terminal.types("apply src").ok();
    // And back, but for what somebody else has put there.
    terminal.write("src/extensions/tea/notes.txt", "mine\n");
    let left = terminal.types("extension remove tea --source src").fails(0).out;
    assert!(left.contains("src/extensions/tea") && terminal.read("src/extensions/tea/notes.txt") == "mine\n", "{left}");
    assert!(!terminal.path("src/extensions/tea/manifest.toml").exists() && !terminal.path("src/extensions/tea/roles").exists());
    assert!(!terminal.read("src/extensions/pins.toml").contains("[tea]") && !terminal.read("src/world.toml").contains("\"tea\""));
    terminal.types("check src").ok();
    // A file that somebody has changed is their work: none of them goes.
    terminal.types("extension add tea --source src --replace").ok();
    terminal.write("src/extensions/tea/roles/calm.md", &role.replace("say", "'**'"));
    terminal.types("extension remove tea --source src").fails(1).warns(&["not those that were added", "take it back with --force"]);
    terminal.types("extension remove tea --source src --force").fails(0).says(&["all of it stays"]);
    assert!(terminal.path("src/extensions/tea/manifest.toml").exists());
    assert_eq!(terminal.read("src/extensions/tea/roles/calm.md"), role.replace("say", "'**'"));
    terminal.types("check src").ok();
}

#[test]
fn a_source_that_names_what_an_extension_brings_says_so_before_it_is_taken_back() {
    let terminal = Terminal::new();
    let being = "[[being]]\nname = \"bo\"\nhome = \"/yard\"\nrole = \"tea:calm\"\nscript = \"tea/idle\"\n";
    terminal.write("src/world.toml", SOURCE);
    extension(&terminal, "tea", TEA);
    extension(&terminal, "cake", "name = \"cake\"\nversion = \"1.0.0\"\nneeds = { tea = \"^1.0\" }\n");
    terminal.types("extension add cake --source src").fails(1).warns(&["no extension `tea`"]);
    terminal.types("extension add tea --source src").ok();
    terminal.types("extension add cake --source src").ok();
    let written = terminal.read("src/world.toml") + being;
    terminal.write("src/world.toml", &written);
    terminal.types("extension remove tea --source src").fails(1).warns(&["`tea` is needed by `cake`", "--force"]);
    terminal.types("extension remove cake --source src").ok();
    let written = terminal.read("src/world.toml");
    terminal.types("extension remove tea --source src").fails(1).warns(&["without `tea` this would be in doubt", "tea"]);
    terminal.types("extension remove cake --source src").fails(1).warns(&["the source has no extension `cake`; it has `tea`"]);
    assert_eq!(terminal.read("src/world.toml"), written, "whoever is refused changes nothing");
    terminal.types("extension remove tea --source src --force").fails(0).says(&["tea is taken out"]);
    assert!(terminal.read("src/world.toml").contains("name = \"bo\"") && !terminal.path("src/extensions/tea").exists());
}

#[test]
fn whatever_else_is_given_is_refused_by_name_and_loses_nothing() {
    let terminal = Terminal::with_world("court", 0);
    terminal.write("src/world.toml", SOURCE);
    terminal.write("seven/world.toml", "name = \"seven\"\nextensions = 7\n");
    terminal.write("linked/world.toml", SOURCE);
    terminal.write("empty/nothing", "");
    terminal.write("text.tar", &"this is no archive, whatever it is called. ".repeat(40));
    extension(&terminal, "tea", TEA);
    extension(&terminal, "needy", "name = \"needy\"\nversion = \"1.0.0\"\nneeds = { nobody = \"^1.0\" }\n");
    // Only a world that has what it needs can say that this action is nobody's.
    let rule = "[[rule]]\nname = \"none\"\non = [\"emotions:fly\"]\nrefuse = \"nobody flies\"\n";
    extension(&terminal, "late", &format!("name = \"late\"\nversion = \"1.0.0\"\nneeds = {{ emotions = \"^1.0\" }}\n{rule}"));
    let pack = "mkdir links && cp -r tea links/tea && ln -s /etc/passwd links/tea/roles/out.md && tar cf links.tar -C links tea
        tar cf out.tar --transform 's,^tea/roles,../roles,' tea && tar cf deep.tar --transform 's,^,a/b/,' tea
        tar cf two.tar tea needy && head -c 1500 two.tar > cut.tar && head -c 30 /dev/zero > zeros.tar
        ln -s $extensions linked/extensions && mkdir unreadable && tar czf tea.tgz tea && head -c 80 tea.tgz > cut.tgz";
    terminal.shell(pack).ok();
    let (before, files) = (state(&terminal), listing(&terminal));
    for (given, expected) in [
        ("nowhere", "`nowhere` is no extension"),
        ("empty", "`empty` is no extension"),
        ("text.tar", "`text.tar`: expected a directory, or a tar archive"),
        ("cut.tar", "`cut.tar`"),
        ("cut.tgz", "`cut.tgz`"),
        ("zeros.tar", "`zeros.tar`"),
        ("links.tar", "`tea/roles/out.md` is a link"),
        ("links/tea", "found a link"),
        ("out.tar", "inside the archive"),
        ("deep.tar", "expected `manifest.toml`"),
        ("two.tar", "found several: needy/ tea/"),
        ("needy", "needs `nobody` ^1.0; enable it first"),
        ("tea --as @nobody", "nobody"),
        ("tea --data nowhere", "expected a world in"),
        ("tea --source nowhere", "`nowhere` is no world source"),
        ("tea --source empty", "`empty` is no world source"),
        ("tea --source seven", "extensions: expected a list of names"),
        ("tea --source linked", "linked/extensions` is a link"),
        ("needy --source src", "no extension `nobody`"),
        ("text.tar --source src", "tar archive"),
    ] {
        terminal.types(&format!("extension add {given}")).fails(1).warns(&[expected]);
    }
    let refused = "this would be refused, so nothing is done: rule-malformed";
    terminal.types("extension add late").fails(4).says(&[refused, "enable extension late"]);
    terminal.types("extension add late --plan").fails(4).says(&[refused]);
    terminal.types("extension add tea --source src --as @ada").fails(2);
    terminal.types("extension add").fails(2);
    terminal.types("extension show nobody").fails(1).warns(&["no extension `nobody`"]);
    terminal.types("extension remove tea --source nowhere").fails(1).warns(&["`nowhere` is no world source"]);
    assert_eq!((state(&terminal), listing(&terminal)), (before, files));
    // A pin that was not written by the command, and one that is broken.
    terminal.types("extension add tea --source src").ok();
    terminal.write("src/extensions/pins.toml", "[tea]\nversion = 7\n");
    terminal.types("check src").fails(1).warns(&["src/extensions/pins.toml:2: "]);
    terminal.types("extension add tea --source src").fails(1).warns(&["src/extensions/pins.toml:2: "]);
}

/// All files of the sources, with what they say.
fn listing(terminal: &Terminal) -> Vec<(String, Value)> {
    fn below(dir: &Path, into: &mut Vec<(String, Value)>) {
        let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            match std::fs::read_to_string(&path) {
                _ if path.is_symlink() => {}
                _ if path.is_dir() => below(&path, into),
                text => into.push((path.display().to_string(), Value::from(text.unwrap()))),
            }
        }
    }
    let mut files = Vec::new();
    ["src", "seven", "linked", "empty", "tea"].iter().for_each(|dir| below(&terminal.path(dir), &mut files));
    files
}
