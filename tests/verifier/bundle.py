#!/usr/bin/env python3
"""Checks bundles that `reelm export` wrote, frames with what proves them, by docs/FORMAT.md alone and without Reelm.

    bundle.py FILE…      a line for each; exit code 1 if any fails; needs the packages of packages.txt, which tests/install.py installs

The checkpoint of one that can be replayed is passed over: what it holds belongs to the program that wrote it.
"""

import struct
import sys
from pathlib import Path

from answered import answered, head_above, need, read, worlds_of
from codec import TYPES, decode, walk
from verify import INLINE_MAX, derive, digest, holds

FIELDS = [label for label, _ in TYPES["bundle"][1]]


def root_of(begin, end, chosen, asides):
    """The root over some frames, of which some are chosen."""
    if not chosen:
        return next(asides)
    if end - begin == 1:
        return chosen[0][1]
    middle = begin + (1 << ((end - begin - 1).bit_length() - 1))
    left = root_of(begin, middle, [one for one in chosen if one[0] < middle], asides)
    return derive("reelm 1 node", left + root_of(middle, end, [one for one in chosen if one[0] >= middle], asides))


def check(data):
    """What a bundle proves, as a line."""
    need(data[:8] == b"reelmbnd", "no bundle")
    item = decode(data[8:-32])
    list(walk(("name", "bundle"), item))
    bundle = dict(zip(FIELDS, item))
    since, start, end, count, whose = (bundle[key] for key in ("since", "from", "to", "count", "being"))
    need(bundle["format"] == 1 and start < end <= count, "its format, or its frames, cannot be")
    need(bool(bundle["rungs"]) == bool(since), "a checkpoint stands where none belongs, or is missing")
    before, *own = bundle["lineage"]
    names = [*(origin[2] for origin in before[1:]), own[2]]
    origins = [(o[0], o[1], o[3], o[6], o[7], name, o[8]) for o, name in zip(before, names)]
    worlds = worlds_of(origins, own, count + 1)
    need(all(head == bundle["head"] for _, _, seq, head, *_ in origins if seq == count), "the head is not that of the origin there")
    keys = {(tuple(being), began): key for being, began, key in bundle["keys"]}
    need(list(keys) == sorted(keys) and len(keys) == len(bundle["keys"]), "the keys are not in order")
    expected, reels, chosen, named = start if since is None else since, {}, [], []
    frames = [read(raw) for raw in bundle["frames"]]
    for frame, hashed, signature, contents in frames:
        seq, being = frame["seq"], tuple(frame["being"])
        need(seq == expected or whose and since is None and chosen and expected < seq < end, f"expected frame {expected}, found {seq}")
        need(whose is None or since is not None or list(being) == whose, f"frame {seq} is somebody else's")
        last = reels.get(being)
        goes_on = last is None or (frame["n"], frame["prev"], seq - frame["prev_seq"]) == (last[0] + 1, last[1], last[2])
        need(goes_on, f"frame {seq} does not go on from the one before it")
        reels[being] = (frame["n"], hashed, seq)
        named += [(content[1], content[2]) for content, _ in contents if content[0] == 1]
        chosen.append((seq, hashed))
        expected = seq + 1
    companions = [read(raw) for raw, _ in bundle["companions"]]
    for (frame, hashed, *_), (_, path) in zip(companions, bundle["companions"]):
        need(head_above(frame["seq"], count, hashed, path) == bundle["head"], f"frame {frame['seq']} leads to another head")
    answered(worlds, frames, companions, keys)
    need(chosen and expected == end, f"expected frames up to {end}")
    values = [(digest(value), len(value)) for value in bundle["values"]]
    need(values == list(dict.fromkeys(named)) and all(size > INLINE_MAX for _, size in values), "the large values are others")
    asides = iter(bundle["asides"])
    root = root_of(0, count, chosen, asides)
    need(next(asides, None) is None, "too many hashes stand beside the frames")
    need(derive("reelm 1 head", struct.pack("<Q", count) + root) == bundle["head"], "the frames lead to another head")
    need(holds(worlds[-1][1], bundle["head"], bundle["seal"]), "the head is not sealed")
    need(digest(data[:-32]) == data[-32:], "something beside the frames was changed")
    return f"{len(chosen)} frames of {count} hold, head {bundle['head'].hex()}, sealed by {worlds[-1][1].hex()}"


def main(files):
    failed = 0
    for file in files:
        try:
            print(f"{file}: {check(Path(file).read_bytes())}")
        except (OSError, ValueError, IndexError, StopIteration, RecursionError) as error:
            failed = 1
            print(f"{file}: {error or 'a hash beside its frames is missing'}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
