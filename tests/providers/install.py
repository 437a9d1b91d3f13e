#!/usr/bin/env python3
"""Makes the virtual environment that server.py runs in, 110 MB, and prints its Python.

    install.py            makes it, unless it is there
    install.py --check    only says whether it is there

It lies in target/providers of this checkout, or of CARGO_TARGET_DIR: the packages of two providers of models, as they publish them.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "verifier"))

from install import main  # noqa: E402

if __name__ == "__main__":
    main(HERE / "packages.txt", "providers", sys.argv[1:] == ["--check"])
