#!/usr/bin/env python3
"""Holds a history against an anchor that `reelm anchor` wrote, by docs/FORMAT.md alone and without Reelm.

    anchor.py ANCHOR PATH      an export file or a world's directory; exit code 1 if it is not the history that was anchored
"""

import json
import sys
from pathlib import Path

import verify
from answered import need
from proof import fields

KEYS = dict(format=int, world=16, rootKey=32, seq=int, head=32, seal=64, peaks=list)


def heights(count):
    """The heights of the mountains over so many frames, the highest first."""
    return [bit for bit in reversed(range(count.bit_length())) if count >> bit & 1]


def check(text, path):
    """What an anchor says of a history, as a line."""
    anchor = fields(json.loads(text), KEYS)
    seq, peaks = anchor["seq"], [bytes.fromhex(peak) for peak in anchor["peaks"]]
    need(anchor["format"] == 1 and len(peaks) == len(heights(seq)), "its format, or the number of its peaks, cannot be")
    need(verify.head_over(list(zip(heights(seq), peaks))) == anchor["head"], "its head is not the one that its peaks come to")
    need(verify.holds(anchor["rootKey"], anchor["head"], anchor["seal"]), "the seal over its head does not hold")
    found, push = [], verify.push

    def counted(range_, frame):
        push(range_, frame)
        if sum(1 << height for height, _ in range_) == seq:
            found[:] = [root for _, root in range_]

    verify.push = counted
    history, _ = verify.verify(path)
    own = (history.own, bytes.fromhex(history.file["root_key"]))
    need(own == (anchor["world"], anchor["rootKey"]), "it is another world's")
    need(seq <= history.seq, "the history was longer when it was anchored")
    need(found == peaks, "the history was rewritten after it was anchored")
    return f"the first {seq} frames are those that were anchored, head {anchor['head'].hex()}"


def main(file, path):
    try:
        print(f"{file}: {check(Path(file).read_text(), path)}")
        return 0
    except (verify.Wrong, OSError, ValueError, TypeError, IndexError, KeyError, RecursionError) as error:
        print(f"{file}: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
