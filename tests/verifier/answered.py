"""Who answers for frames under one head, by *Frames without a signature* of docs/FORMAT.md: one function for proofs and for bundles."""

import struct

from verify import BODY, BORN, FRAME_MAX, GIVEN, HUMAN, REKEYED, body_of, derive, digest, holds, lefts, read_frame, sealed


def need(holds_so, what):
    if not holds_so:
        raise ValueError(what)


def read(raw):
    """A frame: its fields, its hash, its signature, and its contents."""
    need(len(raw) <= FRAME_MAX, "a frame is too large")
    body, signature, contents = read_frame(raw)
    return dict(zip(BODY, body)), digest(body_of(raw, signature)), signature, contents


def world_at(worlds, seq):
    """The world that a frame is of: its id, its root key, and where it began."""
    return [one for one in worlds if one[2] <= seq][-1]


def head_above(seq, count, node, path):
    """The head to which a path leads from a frame."""
    need(seq < count < 2**64, "the head is over fewer frames")
    left = lefts(seq, count)
    need(len(path) == len(left), f"a path of {len(left)} hashes is expected")
    for is_left, other in zip(left, path):
        node = derive("reelm 1 node", other + node if is_left else node + other)
    return derive("reelm 1 head", struct.pack("<Q", count) + node)


def entrusted(worlds, frame, births, taken):
    """The seqs of the frames by which the seal answers for one without a signature."""
    seq, being = frame["seq"], tuple(frame["being"])
    alone = frame["driver"] is None and frame["cognition"] != HUMAN and frame["thought"][0] != GIVEN
    need(being != (0, 0) and alone and all(fact[0] != REKEYED for fact in frame["facts"]), f"frame {seq} has to be signed")
    need(being in births, f"the birth of the being of frame {seq} is missing")
    (key, delegation), (world, root, _), began = births[being], world_at(worlds, being[0]), world_at(worlds, seq)[2]
    need(delegation is not None, f"the being of frame {seq} has not delegated")
    over = derive("reelm 1 delegation", world + struct.pack(">QI", *being) + root)
    need(holds(key, over, delegation), f"the delegation of the being of frame {seq} does not hold")
    if being[0] >= began:
        return [being[0]]
    need((being, began) in taken, f"the being of frame {seq} has taken up no key in the fork")
    return [being[0], taken[being, began]]


def answered(worlds, meant, companions, keys):
    """Somebody answers for each frame; no companion and no key is there for nothing."""
    births, taken, said, used, helpful = {}, {}, {}, set(), set()
    order = [one[0]["seq"] for one in companions]
    frames = sorted([*meant, *companions], key=lambda one: one[0]["seq"])
    need(order == sorted(order) and len({one[0]["seq"] for one in frames}) == len(frames), "the companions are not in order")
    for frame, hashed, signature, _ in frames:
        seq, being = frame["seq"], tuple(frame["being"])
        world, root, began = world_at(worlds, seq)
        need(frame["format"] == 1 and frame["world"] == world, f"frame {seq} is of another world")
        if signature is None:
            helpful.update(entrusted(worlds, frame, births, taken))
        else:
            need(being == (0, 0) or (being, began) in keys, f"the key of frame {seq} is missing")
            used.update([(being, began)] if being != (0, 0) else [])
            need(holds(keys[being, began] if being != (0, 0) else root, hashed, signature), f"frame {seq} is not signed by its being")
        for index, fact in enumerate(frame["facts"]):
            if fact[0] == BORN:
                births[seq, index] = fact[1][10:12]
                said[(seq, index), began] = fact[1][10]
            if fact[0] == REKEYED:
                taken[being, began], said[being, began] = seq, fact[1]
    need(used == set(keys) and all(said.get(name, key) == key for name, key in keys.items()), "a key belongs to nobody")
    need(set(order) <= helpful, "a companion answers for nothing")


def worlds_of(origins, own, count):
    """The worlds of a lineage: id, root key, and where each began. Of an origin: world, root key, seq, head, seal, the name of the fork, and
    where it lies within a group of its parent."""
    worlds, began, after = [], 0, [*(origin[0] for origin in origins[1:]), own[0]]
    for (world, root, seq, head, seal, name, within), fork in zip(origins, after):
        border = within[0] if within else seq
        need(max(began, 1) <= border and began < seq < count and holds(root, sealed(seq, head, within), seal), "an origin that cannot be")
        need(fork == derive("reelm 1 fork", world + head + name.encode())[:16], "the fork's id does not follow from its origin")
        worlds.append((world, root, began))
        began = seq
    return [*worlds, (own[0], own[1], began)]
