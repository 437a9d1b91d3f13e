"""Newcomer: does a machine with nothing but Rust come from the README to a world of its own? Run by hand, as root, on a Debian system.

    python3 tests/newcomer/newcomer.py [ROOT]         # makes a system in ROOT by debootstrap, if none is there, and plays in it
    python3 tests/newcomer/newcomer.py ROOT --node    # goes on with Node in a system that is there

The newcomer's system holds the smallest Debian, a compiler of C for the linker, git, and the toolchain of this machine. A clone of the last commit
is built there, at first without Node, then with the Node of this machine. What README and tutorial show is typed in their order, and the last line
of each block has to come out.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PACKAGES = "ca-certificates,gcc,libc6-dev,git,curl"
#: Where they live in their system.
HOME = "/home/newcomer"
CLONE, DAY = f"{HOME}/reelm", f"{HOME}/day"
#: How names of the environment end that say how one reaches the network from here.
KEPT = ("_proxy", "ca_bundle", "cert_file", "ca_certs")
#: The oldest Node that README names.
NODE = (20, 19)


def run(words, **options):
    return subprocess.run(words, check=True, text=True, capture_output=True, **options).stdout.strip()


class Newcomer:
    """A system of its own, in which commands are typed."""

    def __init__(self, root):
        self.root = root

    def runs(self, line, folder):
        """Types a line in a folder: what it says, what it says beside that, and with which code it ends."""
        path = f"{HOME}/.cargo/bin:/opt/rust/bin:/usr/local/bin:/usr/bin:/bin"
        kept = {name: value for name, value in os.environ.items() if name.lower().endswith(KEPT)}
        environment = {"HOME": HOME, "PATH": path, "LANG": "C.UTF-8", **kept}
        return subprocess.run([shutil.which("chroot"), self.root, "sh", "-c", f"cd {folder} && {line}"], text=True, capture_output=True, env=environment, check=False)

    def types(self, line, folder="/", code=0):
        """Types a line in a folder; what it says, and an end of the play where it ends otherwise than it should."""
        ended = self.runs(line, folder)
        if ended.returncode != code:
            sys.exit(f"`{line}` ended with {ended.returncode}, expected {code}:\n{ended.stdout[-2000:]}{ended.stderr[-4000:]}")
        return ended.stdout if code == 0 else ended.stdout + ended.stderr

    def copies(self, source, to):
        """Puts a folder or file of this machine into the system."""
        place = self.root / to.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        run(["cp", "-aL", "--no-target-directory", source, place])

    def begins(self):
        """Makes the system, with the toolchain and a clone of the last commit."""
        if not (self.root / "usr").is_dir():
            subprocess.run(["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", self.root], check=True, stdout=subprocess.DEVNULL)
        if not (self.root / "opt/rust").is_dir():
            self.copies(run(["rustc", "--print", "sysroot"]), "/opt/rust")
        for name in ["dev/null", "dev/zero", "dev/urandom", "proc/self"]:
            if not (self.root / name).exists():
                folder = name.split("/")[0]
                subprocess.run(["mount", "--rbind", f"/{folder}", self.root / folder], check=True)
        for file in ["/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"]:
            self.copies(file, file)
        shutil.rmtree(self.root / HOME.lstrip("/"), ignore_errors=True)
        (self.root / HOME.lstrip("/")).mkdir(parents=True)
        run(["git", "clone", "--quiet", PROJECT, self.root / CLONE.lstrip("/")])
        (self.root / DAY.lstrip("/")).mkdir()

    def edits(self, kind, file, block):
        """Does what a block of the docs says: puts it at the end of a file, or changes a line."""
        path = self.root / DAY.lstrip("/") / file
        text = path.read_text()
        if kind == "diff":
            old, new = (next(line[1:] for line in block if line.startswith(mark)) for mark in "-+")
            if old not in text:
                sys.exit(f"{file} has no line `{old}`")
            path.write_text(text.replace(old, new, 1))
        else:
            path.write_text("\n".join([text, *block]) + "\n")

    def plays(self, page):
        """Types what a page shows, in its order; how many blocks came out."""
        count, lines, at, open_block = 0, (PROJECT / page).read_text().splitlines(), 0, None
        while at < len(lines):
            line = lines[at]
            at += 1
            if line.startswith("```"):
                if open_block and open_block[1]:
                    self.edits(*open_block)
                kind, _, file = line[3:].partition(" ")
                open_block = None if open_block else (kind, file, [])
            elif open_block:
                open_block[2].append(line)
            elif line.startswith("    $ reelm "):
                shown = []
                while at < len(lines) and lines[at].startswith("    ") and not lines[at].startswith("    $ "):
                    shown.append(lines[at][4:].rstrip())
                    at += 1
                self.shows(f"{page}:{at}", line[6:], shown)
                count += 1
        return count

    def shows(self, place, typed, shown):
        """Types a command, whose last line has to be the one that is shown."""
        line, _, remark = typed.partition("  #")
        ended = self.runs(line.strip(), DAY)
        # Some commands answer by their code: 3 says that something differs, 4 that nothing was found.
        if ended.returncode not in ([1] if "fails" in remark else [0, 3, 4]):
            sys.exit(f"{place}: `{line.strip()}` ended with {ended.returncode}:\n{ended.stderr[-2000:]}")
        said = ended.stdout.rstrip().splitlines()
        # `…` stands for any text, and on a line of its own for any number of lines.
        wanted = [each for each in shown if each != "…"]
        if wanted:
            pattern = ".*".join(map(re.escape, wanted[-1].split("…")))
            found = said if shown[-1] == "…" else said[-1:]
            if not any(re.fullmatch(pattern, each.rstrip()) for each in found):
                sys.exit(f"{place}: `{line.strip()}` says\n" + "\n".join(said[-12:]) + f"\nand not\n{wanted[-1]}")
        print(f"ok      {line.strip()}{'  (fails)' if 'fails' in remark else ''}", flush=True)


def with_node(newcomer):
    """The page is built by Node, and a served world shows it."""
    version = tuple(map(int, run(["node", "--version"]).lstrip("v").split(".")[:2]))
    if version < NODE:
        sys.exit(f"Node {NODE[0]}.{NODE[1]} is wanted, found {version}")
    newcomer.copies(shutil.which("node"), "/usr/local/bin/node")
    modules = Path(run(["npm", "root", "--global"]))
    newcomer.copies(modules / "npm", "/usr/local/lib/node_modules/npm")
    newcomer.types("ln -sf ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm; ln -sf ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx")
    if newcomer.types("ldd /usr/local/bin/node | grep 'not found' || true"):
        sys.exit("the Node of this machine needs libraries that the newcomer has not")
    newcomer.types("cargo install --path . --locked --quiet", CLONE)
    newcomer.types(f"rm -rf {DAY}; mkdir {DAY}")
    served = "reelm serve skateco --no-open --port 7791 >served 2>&1 & curl --silent --retry 60 --retry-connrefused --retry-delay 1 http://127.0.0.1:7791/; kill -INT $!; wait $!"
    page = newcomer.runs(served, DAY).stdout
    if "<script" not in page:
        sys.exit(f"the served page is\n{page[:400]}")
    print("ok      reelm serve skateco, with the page", flush=True)


def without_node(newcomer):
    """The build says what is needed; then README and tutorial come out as they are shown."""
    said = newcomer.types("cargo install --path . --locked --quiet", CLONE, code=101)
    if "--no-default-features" not in said:
        sys.exit(f"without Node the build says no cure:\n{said}")
    print("ok      cargo install --path . says that Node is needed, and how to do without", flush=True)
    newcomer.types("cargo install --path . --locked --quiet --no-default-features", CLONE)
    print("ok      cargo install --path . --no-default-features", flush=True)
    for page in ["README.md", "docs/TUTORIAL.md"]:
        newcomer.types(f"rm -rf {DAY}; mkdir {DAY}")
        print(f"ok      {newcomer.plays(page)} blocks of {page}", flush=True)


def main():
    if os.geteuid() != 0:
        sys.exit("only root may make a system: run it as root")
    newcomer = Newcomer(Path(sys.argv[1] if len(sys.argv) > 1 else "/var/tmp/reelm-newcomer").resolve())
    if "--node" not in sys.argv:
        newcomer.begins()
        without_node(newcomer)
    with_node(newcomer)


if __name__ == "__main__":
    main()
