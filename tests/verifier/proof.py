#!/usr/bin/env python3
"""Checks proofs that `reelm prove` wrote, each one frame and its path to a sealed head, by docs/FORMAT.md alone and without Reelm.

    proof.py FILE…      a line for each; exit code 1 if any fails; needs the packages of packages.txt, which tests/install.py installs
"""

import json
import sys
from pathlib import Path

from answered import answered, head_above, need, read, world_at, worlds_of
from verify import holds

KEYS = dict(
    format=int, world=16, rootKey=32, origins=list, seq=int, frame=0, key=-32, count=int, path=0, head=32, seal=64, companions=list
)
ORIGIN = dict(world=16, rootKey=32, seq=int, head=32, seal=64, fork=str)
WITHIN = dict(border=int, count=int, last=32, way=list)
COMPANION = dict(frame=0, key=-32, path=0)


def fields(item, kinds):
    """The values of an object with exactly these keys: bytes of a length, of any (0), of one or null (below 0), or of a type."""
    need(type(item) is dict and list(item) == list(kinds), f"expected the keys {', '.join(kinds)}")
    return {key: field(key, item[key], kind) for key, kind in kinds.items()}


def field(key, value, kind):
    if type(kind) is type:
        need(type(value) is kind, f"`{key}` is of another type")
        return value
    if value is None and kind < 0:
        return None
    need(type(value) is str and value == value.lower(), f"`{key}` is not in small hex digits")
    raw = bytes.fromhex(value)
    need(kind in (0, len(raw), -len(raw)), f"`{key}` has another length")
    return raw


def hashes(path):
    need(len(path) % 32 == 0, "a path is cut off")
    return [path[at : at + 32] for at in range(0, len(path), 32)]


def origin_of(item):
    """An origin: its values, the last one where it lies within a group, if it does."""
    within = item.pop("within", None) if type(item) is dict else None
    values = list(fields(item, ORIGIN).values())
    if within is None:
        return [*values, None]
    border, count, last, way = fields(within, WITHIN).values()
    return [*values, [border, count, last, [field("way", beside, 32) for beside in way]]]


def check(text):
    """What a proof proves, as a line."""
    proof = fields(json.loads(text), KEYS)
    seq, count, head = proof["seq"], proof["count"], proof["head"]
    origins = [origin_of(origin) for origin in proof["origins"]]
    worlds = worlds_of(origins, (proof["world"], proof["rootKey"]), seq + 1)
    ways = [proof, *(fields(companion, COMPANION) for companion in proof["companions"])]
    frames, keys = [read(way["frame"]) for way in ways], {}
    need((proof["format"], frames[0][0]["seq"], frames[0][0]["world"]) == (1, seq, proof["world"]), "the frame is not that of `world` and `seq`")
    for way, (frame, hashed, signature, _) in zip(ways, frames):
        need(head_above(frame["seq"], count, hashed, hashes(way["path"])) == head, "a path leads to another head")
        need((way["key"] is None) == (signature is None), "a signature without a key, or a key without one")
        being, (_, root, began) = tuple(frame["being"]), world_at(worlds, frame["seq"])
        if way["key"] is not None:
            known = root if being == (0, 0) else keys.setdefault((being, began), way["key"])
            need(known == way["key"], "a key is another's")
    need(holds(proof["rootKey"], head, proof["seal"]), "the seal of `rootKey` over the head does not hold")
    answered(worlds, frames[:1], frames[1:], keys)
    return f"frame {seq} of {count} holds, head {head.hex()}, sealed by {proof['rootKey'].hex()}"


def main(files):
    failed = 0
    for file in files:
        try:
            print(f"{file}: {check(Path(file).read_text())}")
        except (OSError, ValueError, TypeError, IndexError, KeyError, RecursionError) as error:
            failed = 1
            print(f"{file}: {error}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
