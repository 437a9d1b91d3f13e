#!/usr/bin/env python3
"""Mutants: does some test notice when a line of the code's heart is wrong?

    python3 tests/mutants/mutants.py                  every mutant of tests/mutants/*.toml
    python3 tests/mutants/mutants.py gate fold-order  those of one file, or by name
    python3 tests/mutants/mutants.py --quick          asks none of the long tests, which `cargo test` leaves out
    python3 tests/mutants/mutants.py --check          only whether each still fits the source, and can be read

The sources are copied to target/mutants. There each mutant becomes `if mutant(7) { wrong } else { right }`, so that all of them are
compiled once; a run of the tests with MUTANT=7 then tells whether 7 is noticed. Exits with 1 if one lives that is not listed as equal.

A file names the tests that must notice its mutants (`tests`, filters of the test binary, the quick ones first), and each mutant has a `name`, a `file`, the
expression to `find` (once in that file), and what stands there `instead`; `tests` of its own where others notice it. A mutant with `equal`
says why no test can notice it.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "target" / "mutants"
SWITCH = """//! Mutant: which one is alive, as the surroundings say.

/// Whether this one is.
pub fn mutant(number: u32) -> bool {
    static ALIVE: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *ALIVE.get_or_init(|| std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0)) == number
}
"""


def listed(wanted):
    """The mutants that are asked for, each with the tests that must notice it."""
    found = []
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        table = tomllib.loads(path.read_text())
        for one in table["mutant"]:
            one.setdefault("tests", table["tests"])
            if not wanted or path.stem in wanted or one["name"] in wanted:
                found.append(one)
    names = [one["name"] for one in found]
    for name in names:
        if names.count(name) > 1:
            sys.exit(f"the mutant `{name}` is listed twice; give each a name of its own")
    return found


# What may stand around an expression: `if x {`, `match x {`, `return x;`, `let a = x;`.
AROUND = re.compile(r"(if |match |return |let [^=]+ = )?(.*?)( \{|;)?", re.S)


def switch(number, one):
    """The expression with its mutant beside it; nothing where the text is no expression."""
    (head, find, tail), (other_head, instead, other_tail) = (AROUND.fullmatch(one[key]).groups("") for key in ("find", "instead"))
    if not (head and tail and (head, tail) == (other_head, other_tail)):
        head, find, instead, tail = "", one["find"], one["instead"], ""
    if find.endswith(("{", ";")):
        return None
    return f"{head}(if crate::mutant::mutant({number}) {{ {instead} }} else {{ {find} }}){tail}"


def mutated(mutants):
    """The text of each file with its mutants in it."""
    texts, faults = {}, []
    for number, one in enumerate(mutants, 1):
        source = (ROOT / one["file"]).read_text()
        if source.count(one["find"]) != 1:
            faults.append(f"{one['name']}: expected `{one['find']}` once in {one['file']}, found it {source.count(one['find'])} times")
            continue
        choice = switch(number, one)
        if choice is None:
            faults.append(f"{one['name']}: expected an expression in both, or the same around it, found `{one['find']}`")
            continue
        text = texts.get(one["file"], source)
        if text.count(one["find"]) != 1:
            faults.append(f"{one['name']}: another mutant stands in the same expression; write it over another part")
            continue
        texts[one["file"]] = text.replace(one["find"], choice)
    if not faults:
        faults = [fault for name, text in texts.items() if (fault := unreadable(name, text))]
    if faults:
        sys.exit("\n".join(faults))
    return texts


def unreadable(name, text):
    """What keeps the compiler from reading a file with its mutants; nothing where it reads it."""
    read = subprocess.run(["rustfmt", "--edition", "2024", "--emit", "stdout"], input=text, capture_output=True, text=True)
    errors = re.findall(r"^error: (.*)\n +--> <stdin>:(\d+):", read.stderr, re.M)
    lines = text.split("\n")
    return "\n".join(f"{name}: {error}: `{lines[int(line) - 1].strip()}`" for error, line in errors)


def lay_out(texts):
    """Copies the project, keeping what has not changed as old as it was, so that little is compiled anew."""
    COPY.mkdir(parents=True, exist_ok=True)
    wanted = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    for name in filter(None, wanted):
        source, copy = ROOT / name, COPY / name
        if not source.is_file():
            continue
        text = texts.get(name)
        if name == "src/lib.rs":
            text = "#![allow(warnings)]\n" + source.read_text() + "\n#[doc(hidden)]\npub mod mutant;\n"
        new = text.encode() if text is not None else source.read_bytes()
        if not copy.is_file() or copy.read_bytes() != new:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(new)
            shutil.copymode(source, copy)
    (COPY / "src/mutant.rs").write_text(SWITCH)


PATIENCE = 600
"""Seconds after which tests that have not ended have noticed something."""


def built():
    """The path of the test binary of the copy; the compiler's words, and nothing built, where it does not compile."""
    env = os.environ | {"CARGO_TARGET_DIR": str(ROOT / "target" / "mutants-built"), "CI": ""}
    command = ["cargo", "test", "--locked", "--test", "reelm", "--no-run", "--message-format=json-render-diagnostics"]
    ran = subprocess.run(command, cwd=COPY, env=env, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(ran.stderr[-8000:])
    made = [json.loads(line) for line in ran.stdout.split("\n") if line.startswith("{")]
    return next(one["executable"] for one in reversed(made) if one.get("profile", {}).get("test") and one.get("executable"))


def notices(one, number, binary, which):
    """The first test that fails while a mutant is alive; none if it lives. The tests run in the order in which they are named."""
    # What cargo says to the tests that it runs.
    env = os.environ | {"MUTANT": str(number), "CI": "", "CARGO_PKG_NAME": "reelm", "CARGO_MANIFEST_DIR": str(COPY)}
    for tests in one["tests"]:
        try:
            ran = subprocess.run([binary, tests, *which], cwd=COPY, env=env, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return f"{tests}, which did not end"
        failed = [line.split()[1] for line in ran.stdout.split("\n") if line.startswith("test ") and line.endswith("FAILED")]
        if failed or ran.returncode != 0:
            return failed[0] if failed else f"{tests}, which broke off"
    return None


def main():
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")]
    mutants = listed(wanted)
    texts = mutated(mutants)
    if "--check" in sys.argv:
        print(f"{len(mutants)} mutants fit the source")
        return 0
    lay_out(texts)
    binary = built()
    which = [] if "--quick" in sys.argv else ["--include-ignored"]
    lived = []
    for number, one in enumerate(mutants, 1):
        test = notices(one, number, binary, which)
        equal = one.get("equal")
        print(f"{one['name']}: {'noticed by ' + test if test else 'the same, since ' + equal if equal else 'LIVES'}", flush=True)
        if test is None and not equal:
            lived.append(one["name"])
    print(f"{len(mutants) - len(lived)} passed, {len(lived)} failed")
    return 1 if lived else 0


sys.exit(main())
