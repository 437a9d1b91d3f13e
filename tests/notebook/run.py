#!/usr/bin/env python3
"""Runs the code cells of a notebook one after the other, in its own folder, and names the cell that fails.

    run.py FILE
"""

import ast
import json
import os
import sys
import traceback
from pathlib import Path


def run(source, name, names):
    """Runs a cell; the value of its last expression is printed, as a notebook shows it."""
    tree = ast.parse(source, name)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    if last is not None:
        value = eval(compile(last, name, "eval"), names)
        if value is not None:
            print(value)


def main(file):
    notebook = json.loads(file.read_text())
    if notebook["nbformat"] != 4:
        sys.exit(f"expected a notebook of format 4, found {notebook['nbformat']}")
    os.chdir(file.parent)
    names = {"__name__": "__main__"}
    for at, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            try:
                run("".join(cell["source"]), f"{file.name}, cell {at + 1}", names)
            except BaseException:
                traceback.print_exc()
                sys.exit(f"{file.name}: cell {at + 1} failed")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
