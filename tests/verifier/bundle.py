#!/usr/bin/env python3
"""Checks bundles that `reelm export` wrote, frames with what proves them, by docs/FORMAT.md alone and without Reelm.

    bundle.py FILE…      a line for each; exit code 1 if any fails; needs the packages of packages.txt, which install.py installs

The checkpoint of one that can be replayed is passed over: what it holds belongs to the program that wrote it.
"""

import struct
import sys
from pathlib import Path

from codec import TYPES, decode, walk
from verify import BODY, BORN, FRAME_MAX, GIVEN, HUMAN, INLINE_MAX, REKEYED, body_of, derive, digest, holds, read_frame

FIELDS = [label for label, _ in TYPES["bundle"][1]]


def need(holds_so, what):
    if not holds_so:
        raise ValueError(what)


def worlds_of(lineage, count):
    """The worlds of a lineage: id, root key, and where each began."""
    origins, *own = lineage
    worlds, began = [], 0
    for origin, after in zip(origins, [*((other[0], other[2]) for other in origins[1:]), (own[0], own[2])]):
        world, root, _, seq, _, _, head, seal = origin
        need(began < seq < count and holds(root, head, seal), "an origin that cannot be")
        need(after[0] == derive("reelm 1 fork", world + head + after[1].encode())[:16], "the fork's id does not follow from its origin")
        worlds.append((world, root, began))
        began = seq
    return [*worlds, (own[0], own[1], began)]


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
    worlds = worlds_of(bundle["lineage"], count)
    keys = {(tuple(being), began): key for being, began, key in bundle["keys"]}
    need(list(keys) == sorted(keys) and len(keys) == len(bundle["keys"]), "the keys are not in order")
    expected, reels, chosen, named, said, used = start if since is None else since, {}, [], [], {}, set()
    for raw in bundle["frames"]:
        need(len(raw) <= FRAME_MAX, "a frame is too large")
        body, signature, contents = read_frame(raw)
        frame, hashed = dict(zip(BODY, body)), digest(body_of(raw, signature))
        seq, being = frame["seq"], tuple(frame["being"])
        need(seq == expected or whose and since is None and chosen and expected < seq < end, f"expected frame {expected}, found {seq}")
        need(whose is None or since is not None or list(being) == whose, f"frame {seq} is somebody else's")
        world, root, began = [one for one in worlds if one[2] <= seq][-1]
        need(frame["format"] == 1 and frame["world"] == world, f"frame {seq} is of another world")
        last = reels.get(being)
        goes_on = last is None or (frame["n"], frame["prev"], seq - frame["prev_seq"]) == (last[0] + 1, last[1], last[2])
        need(goes_on, f"frame {seq} does not go on from the one before it")
        reels[being] = (frame["n"], hashed, seq)
        if signature is None:
            need(frame["driver"] is None and frame["cognition"] != HUMAN and frame["thought"][0] != GIVEN, f"frame {seq} has to be signed")
        elif being != (0, 0):
            used.add((being, began))
            need((being, began) in keys, f"the key of frame {seq} is missing")
        key = root if being == (0, 0) else keys.get((being, began))
        need(signature is None or holds(key, hashed, signature), f"frame {seq} is not signed by its being")
        for index, fact in enumerate(frame["facts"]):
            if fact[0] in (BORN, REKEYED):
                said[(seq, index) if fact[0] == BORN else being, began] = fact[1][-2] if fact[0] == BORN else fact[1]
        named += [(content[1], content[2]) for content, _ in contents if content[0] == 1]
        chosen.append((seq, hashed))
        expected = seq + 1
    need(chosen and expected == end, f"expected frames up to {end}")
    need(used == set(keys) and all(said.get(name, key) == key for name, key in keys.items()), "a key belongs to nobody")
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
