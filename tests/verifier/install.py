#!/usr/bin/env python3
"""Makes the virtual environment that verify.py and forge.py run in, 30 MB, and prints its Python.

    install.py            makes it, unless it is there
    install.py --check    only says whether it is there

It lies in target/verifier of this checkout, or of CARGO_TARGET_DIR. Needs Python 3.11 or newer with venv.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGES = Path(__file__).resolve().with_name("packages.txt")


def main(packages, name, only_check):
    """Makes the environment of that name from a list of packages with their hashes."""
    home = Path(os.environ.get("CARGO_TARGET_DIR") or packages.parents[2] / "target") / name / "venv"
    python = home / "bin" / "python"
    wanted = hashlib.sha256(packages.read_bytes()).hexdigest()
    mark = home / "installed"
    if not (mark.is_file() and mark.read_text() == wanted):
        if only_check:
            sys.exit(f"expected an environment in `{home}`, found none for these packages; run `python3 {packages.with_name('install.py')}`")
        shutil.rmtree(home, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", home], check=True, stdout=sys.stderr)
        pip = [python, "-m", "pip", "install", "--quiet", "--no-input", "--only-binary", ":all:", "--require-hashes"]
        subprocess.run([*pip, "--requirement", packages], check=True, stdout=sys.stderr)
        # Last, so that an installation that was cut off is made again.
        mark.write_text(wanted)
    print(python)


if __name__ == "__main__":
    main(PACKAGES, "verifier", sys.argv[1:] == ["--check"])
