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
TARGET = os.environ.get("CARGO_TARGET_DIR") or PACKAGES.parents[2] / "target"
HOME = Path(TARGET) / "verifier" / "venv"
PYTHON = HOME / "bin" / "python"


def main(only_check):
    wanted = hashlib.sha256(PACKAGES.read_bytes()).hexdigest()
    mark = HOME / "installed"
    if not (mark.is_file() and mark.read_text() == wanted):
        if only_check:
            sys.exit(f"expected an environment in `{HOME}`, found none for these packages; run `python3 {Path(__file__).resolve()}`")
        shutil.rmtree(HOME, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", HOME], check=True, stdout=sys.stderr)
        pip = [PYTHON, "-m", "pip", "install", "--quiet", "--no-input", "--only-binary", ":all:", "--require-hashes"]
        subprocess.run([*pip, "--requirement", PACKAGES], check=True, stdout=sys.stderr)
        # Last, so that an installation that was cut off is made again.
        mark.write_text(wanted)
    print(PYTHON)


if __name__ == "__main__":
    main(sys.argv[1:] == ["--check"])
