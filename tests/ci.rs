//! Ci: what do the scripts of `.ci` make of what they see? A stand-in answers for cargo, and nothing is built.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use super::terminal::package;

/// The log of a run of the tests, the tests that pass when they are tried once more, and the words of the check at the end.
struct Row {
    shape: &'static str,
    log: &'static str,
    /// The tests that pass when they are alone; those that are not named fail.
    pass: &'static [&'static str],
    /// Whether the check is green.
    holds: bool,
    says: &'static str,
}

const ROWS: [Row; 8] = [
    Row {
        shape: "one flake",
        log: "test a::one ... FAILED\ntest a::two ... ok\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n",
        pass: &["a::one"],
        holds: true,
        says: "== passed at the second try: a::one\n== failed twice: none\n",
    },
    Row {
        shape: "two flakes, one of which was to panic",
        log: "test a::one ... FAILED\ntest a::two - should panic ... FAILED <2.0s>\ntest result: FAILED. 9 passed; 2 failed; 0 ignored\n",
        pass: &["a::one", "a::two"],
        holds: true,
        says: "== passed at the second try: a::one a::two\n== failed twice: none\n",
    },
    Row {
        shape: "three flakes",
        log: "test a::one ... FAILED\ntest a::three ... FAILED\ntest a::two ... FAILED\ntest result: FAILED. 9 passed; 3 failed; 0 ignored\n",
        pass: &["a::one", "a::two", "a::three"],
        holds: false,
        says: "== passed at the second try: a::one a::three a::two\n== failed twice: none\n",
    },
    Row {
        shape: "a test that fails twice",
        log: "test a::one ... FAILED\ntest a::two ... FAILED\ntest result: FAILED. 9 passed; 2 failed; 0 ignored\n",
        pass: &["a::two"],
        holds: false,
        says: "== passed at the second try: a::two\n== failed twice: a::one\n",
    },
    Row {
        shape: "a run that broke off",
        log: "test a::one ... FAILED\ntest a::two ... ok\nerror: test failed, to rerun pass `--test reelm`\n",
        pass: &["a::one"],
        holds: false,
        says: "",
    },
    Row {
        shape: "a failure that no name stands for",
        log: "test a::one ... FAILED\ntest result: FAILED. 9 passed; 1 failed; 0 ignored\n\
              test src/lib.rs - hash (line 3) ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n",
        pass: &["a::one"],
        holds: false,
        says: "",
    },
    Row { shape: "nothing that failed by name", log: "error: could not compile `reelm`\n", pass: &[], holds: false, says: "" },
    Row {
        shape: "a name that is not found again",
        log: "test a::gone ... FAILED\ntest result: FAILED. 9 passed; 1 failed; 0 ignored\n",
        pass: &["a::other"],
        holds: false,
        says: "== passed at the second try: none\n== failed twice: a::gone\n",
    },
];

/// A command of a name that stands before all others of it.
fn stand_in(dir: &Path, name: &str, script: &str) {
    let path = dir.join(name);
    fs::write(&path, format!("#!/usr/bin/env bash\n{script}")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A script of `.ci` with the stand-ins of a folder; whether it holds, and what it said.
fn ci(of: &Path, script: &str, args: &[&str], stand_ins: &Path) -> (bool, String) {
    let path = format!("{}:{}", stand_ins.display(), std::env::var("PATH").unwrap());
    let output = Command::new(of.join(".ci").join(script)).args(args).env("PATH", path).output().unwrap();
    (output.status.success(), [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat())
}

#[test]
fn a_test_that_failed_is_tried_once_more_and_two_may_pass_so() {
    let temp = tempfile::tempdir().unwrap();
    for row in ROWS {
        let passes =
            row.pass.iter().map(|name| format!("[ \"${{@: -1}}\" = {name} ] && echo 'test result: ok. 1 passed; 0 failed' && exit\n"));
        stand_in(temp.path(), "cargo", &format!("{}echo 'test result: ok. 0 passed; 0 failed'\n", passes.collect::<String>()));
        let log = temp.path().join("tests.log");
        fs::write(&log, row.log).unwrap();
        let (holds, said) = ci(package(), "run", &["again", log.to_str().unwrap()], temp.path());
        assert_eq!(holds, row.holds, "{}: {said}", row.shape);
        assert!(said.ends_with(row.says) && (row.says.is_empty() == said.is_empty()), "{}: {said}", row.shape);
    }
}

/// A checkout with nothing but the script for what takes long, in which a stand-in for everything fails on `flip::` while `broken` is there.
fn checkout(dir: &Path) {
    fs::create_dir_all(dir.join(".ci")).unwrap();
    fs::copy(package().join(".ci/long"), dir.join(".ci/long")).unwrap();
    stand_in(dir, "cargo", "[[ \"$*\" == *flip::* && -e broken ]] && exit 1\nexit 0\n");
    let git = "git init -q && git add -A && git -c user.name=r -c user.email=r@example.org commit -q --message=all";
    let made = Command::new("sh")
        .current_dir(dir)
        .args(["-c", &format!("echo target > .gitignore && echo broken >> .gitignore && {git}")])
        .status();
    assert!(made.unwrap().success());
}

#[test]
fn a_part_of_what_takes_long_can_be_named_and_what_has_not_passed_is_gone_on_with() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path();
    checkout(dir);
    let long = |args: &[&str]| ci(dir, "long", args, dir);
    let kept = || -> Vec<String> {
        let rows = fs::read_to_string(dir.join("target/long.tsv")).unwrap();
        rows.lines().skip(1).map(|row| row.split('\t').skip(1).step_by(2).collect::<Vec<_>>().join(" ")).collect()
    };

    let (holds, said) = long(&["killed"]);
    assert!(
        !holds && said.starts_with("there is no part `killed`; there are: parts tests stories docs deny without machines kills flips"),
        "{said}"
    );

    fs::write(dir.join("broken"), "").unwrap();
    let (holds, said) = long(&["kills", "flips", "docs"]);
    assert!(!holds && said.contains("failed: flips\n2 passed, 1 failed\n"), "{said}");
    assert_eq!(kept(), ["docs passed", "kills passed", "flips failed"]);

    // The part that failed is tried again, and no other.
    fs::remove_file(dir.join("broken")).unwrap();
    let (holds, said) = long(&["--resume", "kills", "flips", "docs"]);
    assert!(holds && said.contains("passed before on ") && said.contains(": docs kills\n1 passed, 0 failed\n"), "{said}");
    assert_eq!(kept(), ["docs passed", "kills passed", "flips failed", "flips passed"]);

    // Something was changed since.
    fs::write(dir.join(".gitignore"), "target\nbroken\n# another\n").unwrap();
    let (holds, said) = long(&["--resume", "kills"]);
    assert!(holds && said.ends_with("1 passed, 0 failed\n"), "{said}");
}

#[test]
fn a_part_that_was_stopped_is_kept_as_stopped_and_gone_on_with() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path();
    checkout(dir);
    stand_in(dir, "cargo", "[ -e stop ] && kill -TERM $PPID\nexit 0\n");
    fs::write(dir.join("stop"), "").unwrap();
    let (holds, said) = ci(dir, "long", &["docs"], dir);
    assert!(!holds && said.contains("docs was stopped") && said.contains("0 passed, 0 failed\n"), "{said}");
    assert!(fs::read_to_string(dir.join("target/long.tsv")).unwrap().ends_with("\tstopped\n"));
    fs::remove_file(dir.join("stop")).unwrap();
    let (holds, said) = ci(dir, "long", &["docs", "--resume"], dir);
    assert!(holds && said.ends_with("1 passed, 0 failed\n"), "{said}");
}
