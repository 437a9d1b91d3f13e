#!/usr/bin/env python3
"""Makes the virtual environment that the notebook runs in, 280 MB, and prints its Python.

    install.py            makes it, unless it is there
    install.py --check    only says whether it is there

It lies in target/notebook of this checkout, or of CARGO_TARGET_DIR: matplotlib and pandas.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "verifier"))

from install import main  # noqa: E402

if __name__ == "__main__":
    main(HERE / "packages.txt", "notebook", sys.argv[1:] == ["--check"])
