#!/usr/bin/env python3
"""Forges a history: changes each field of each structure of an export in turn, and makes whatever stands around it fit again.

    forge.py EXPORT DIRECTORY      writes each forgery there, and forgeries.jsonl: its file, what was changed, how, and what verify.py says of it

How far a forger went, by `how`:

    bare        only the checksum of the record was made anew
    chained     hashes, reels, heads and commits were made anew; the signatures stayed as they were
    other-keys  the same, and whatever changed was signed with the keys of another master
    own-keys    the same with the world's own keys, which anybody can derive where the world is simulated: if no check finds it,
                this is another valid history, and only living it again tells whether it could have happened
"""

import copy
import functools
import json
import pickle
import struct
import sys
import zlib
from pathlib import Path

from nacl.signing import SigningKey

import verify
from codec import TYPES, encode
from verify import BLOB, COMMIT, COMMITTED, FORMAT, FRAME, HEADER, ZERO, History, Wrong, being_key, decode, derive, digest, head_over, push, varint, verify_export

#: Another history that could have happened as well: it ends earlier. Only whoever knows a later head can tell.
COULD_HAVE_HAPPENED = {"frames: the last one missing", "groups: the last one missing"}

COMMIT_FIELDS = ["number", "end_seq", "frames", "blobs", "length", "group", "previous", "head", "seal", "acked"]
ORDER = 2**252 + 27742317777372353535851937790883648493
FIELDS = [label for label, _ in TYPES["body"][1]]
PREV, FACTS, CALL = FIELDS.index("prev"), FIELDS.index("facts"), FIELDS.index("call")


def put_varint(number, padded=False):
    raw = b""
    while number >= 128:
        raw, number = raw + bytes([number & 127 | 128]), number >> 7
    return raw + (bytes([number | 128, 0]) if padded else bytes([number]))


#: What each frame was at first, as (body, bytes): most of them stay so, and need not be encoded again.
ORIGINALS = []


def body_bytes(frame):
    body, raw = ORIGINALS[frame["at"]]
    return raw if body == frame["body"] else encode(frame["body"])


class Copy:
    """An export taken apart, so that any part can be changed, and put together again with the rest fitting."""

    def __init__(self, data):
        (length,) = struct.unpack_from("<I", data, 8)
        self.text = data[12 : 12 + length]
        self.history = History(self.text, "world.toml", exported=True)
        self.groups, blobs, frames = [], [], []
        for kind, payload, _, _ in self.history.records(data, 124 + length, "the export"):
            if kind == BLOB:
                blobs.append([payload[:32], payload[32:]])
            elif kind == FRAME:
                seq, at = varint(payload, 0, "")
                index, at = varint(payload, at, "")
                n, at = varint(payload, at, "")
                body, signature = decode(payload[at:])
                frames.append(
                    {
                        "body": body,
                        "signature": signature,
                        "record": (seq, index, n),
                        "was": digest(verify.body_of(payload[at:], signature)),
                        "set": {},
                        "at": len(ORIGINALS),
                    }
                )
                ORIGINALS.append((copy.deepcopy(body), verify.body_of(payload[at:], signature)))
            else:
                self.groups.append(
                    {"blobs": blobs, "frames": frames, "was": COMMITTED.unpack(payload), "set": {}, "record_set": {}, "blobs_last": False}
                )
                blobs, frames = [], []
        self.header_set, self.tail, self.front_set = {}, b"", {}
        self.stale, self.signer = False, None

    def frames(self):
        return [frame for group in self.groups for frame in group["frames"]]

    def record(self, kind, payload, change={}):
        length = struct.pack("<I", change.get("length", len(payload)))
        crc = zlib.crc32(payload, zlib.crc32(length + bytes([kind]), self.history.crc)) ^ change.get("crc", 0)
        return length + struct.pack("<IB", crc, change.get("kind", kind)) + payload

    def frame(self, frame):
        raw = frame.get("raw") or b"\x82" + body_bytes(frame) + encode(frame["signature"])
        being_seq, index, n = frame["set"].get("record", frame["record"])
        padded = frame["set"].get("padded")
        head = b"".join(put_varint(number, padded == at) for at, number in enumerate((being_seq, index, n)))
        return self.record(FRAME, head + raw, frame["set"])

    def chain(self):
        """Makes the reels fit again, and signs what has changed."""
        renamed = {}
        for frame in self.frames():
            body = frame["body"]
            body[PREV] = renamed.get(body[PREV], body[PREV])
            new = digest(body_bytes(frame))
            if new != frame["was"]:
                renamed[frame["was"]] = new
                if self.signer:
                    frame["signature"] = self.signer(body[2], new)

    def bytes(self):
        if not self.stale:
            self.chain()
        number, commit, head, peaks, seq, out = 0, digest(self.history.world), ZERO, [], 0, b""
        for group in self.groups:
            records = [self.record(BLOB, name + raw) for name, raw in group["blobs"]]
            frames = [self.frame(frame) for frame in group["frames"]]
            raw = b"".join(frames + records if group["blobs_last"] else records + frames)
            for frame in group["frames"]:
                push(peaks, digest(body_bytes(frame)))
            head = head_over(peaks)
            number, seq = number + 1, seq + len(frames)
            right = [number, seq, len(frames), len(records), len(raw), digest(raw), commit, head, group["was"][8], number - 1]
            if self.stale:
                right[7] = head = group["was"][7]
            fields = dict(zip(COMMIT_FIELDS, right), **group["set"])
            if self.signer and (fields["head"] != group["was"][7]) and "seal" not in group["set"]:
                fields["seal"] = self.signer([0, 0], fields["head"])
            payload = COMMITTED.pack(*fields.values())
            commit, head, number, seq = digest(payload[:192]), fields["head"], fields["number"], fields["end_seq"]
            out += raw + self.record(COMMIT, payload, group["record_set"])
        return self.front(number, commit, head, seq) + out + self.tail

    def front(self, number, commit, head, seq):
        fields = {
            "magic": b"reelmlog",
            "format": FORMAT,
            "world": self.history.world,
            "seq": seq,
            "number": number,
            "commit": commit,
            "head": head,
            "crc": 0,
        }
        fields.update(self.header_set)
        raw = HEADER.pack(*fields.values())[:108]
        header = raw + struct.pack("<I", zlib.crc32(raw) ^ fields["crc"])
        return (
            self.front_set.get("magic", b"reelmexp") + struct.pack("<I", self.front_set.get("length", len(self.text))) + self.text + header
        )


def signer(master, world):
    def sign(being, message):
        secret = derive("reelm 1 being key", master + world + struct.pack(">QI", *being))
        return SigningKey(secret).sign(message).signature

    return sign


def flip(raw):
    return bytes([raw[0] ^ 1]) + raw[1:]


def changed(item):
    """Another item of the same type."""
    if type(item) is bool:
        return not item
    if type(item) is int:
        return item - 1 if item > 0 else item + 1
    if type(item) is float:
        return item + 0.25
    if type(item) is bytes:
        return flip(item)
    if type(item) is str:
        return item + "x"
    if item is None:
        return "x"
    if type(item) is list:
        return item[:-1] if item else ["x"]
    return {**item, "x": 1}


def places(form, item, path=(), shape=""):
    """Each primitive, optional and list inside an item: where it is, and what kind of place that is."""
    kind, what = form[0], form[1]
    if kind == "name" and what in TYPES:
        yield from places(TYPES[what], item, path, shape)
    elif kind == "maybe":
        yield path, shape + "?"
        if item is not None:
            yield from places(what, item, path, shape)
    elif kind == "either":
        if type(item) is list:
            chosen = next(one for one in what if one[0] == "array" and one[1][0][1][1] == item[0])
            yield from places(chosen, item, path, f"{shape}.{chosen[1][0][1][2]}")
        else:
            yield path, shape
    elif kind == "list":
        yield path, shape + "[]"
        for index, inner in enumerate(item):
            yield from places(what, inner, (*path, index), shape)
    elif kind == "array":
        for index, ((label, inner), part) in enumerate(zip(what, item)):
            yield from places(inner, part, (*path, index), f"{shape}.{label or (inner[2] if inner[0] == 'code' else inner[1])}")
    else:
        yield path, shape


def replace(item, path, value):
    for step in path[:-1]:
        item = item[step]
    item[path[-1]] = value


def at(item, path):
    for step in path:
        item = item[step]
    return item


def of_fields(whole):
    """Every kind of place in a body, once, in the last frame that has it: (what, change). Of a place or id the seq stands for both numbers."""
    found = {}
    for number, frame in enumerate(whole.frames()):
        for path, shape in places(TYPES["body"], frame["body"]):
            if not shape.endswith(("being.index", "space.index", "matter.index", ".y", ".z")):
                found[shape] = (number, path)
    for shape, (number, path) in sorted(found.items()):

        def change(copied, number=number, path=path, shape=shape):
            body = copied.frames()[number]["body"]
            item = at(body, path)
            replace(body, path, None if shape.endswith("?") and item is not None else changed(item))

        yield f"frame {number}: {shape.strip('.')}", change


def of_records(whole):
    """What stands around frames: the heads of records, and signatures."""
    last = len(whole.frames()) - 1
    (seq, index, n), wanted = whole.frames()[last]["record"], {}
    wanted["another being"] = {"record": (seq + 1, index, n)}
    wanted["another index"] = {"record": (seq, index + 1, n)}
    wanted["another n"] = {"record": (seq, index, n + 1)}
    wanted.update({f"a long varint {which}": {"padded": which} for which in range(3)})
    wanted.update(
        {
            "another checksum": {"crc": 1},
            "another kind": {"kind": 4},
            "a length too small": {"length": 1},
            "a length too large": {"length": 2**31},
        }
    )
    for what, setting in wanted.items():
        yield f"record: {what}", lambda copied, setting=setting: copied.frames()[last]["set"].update(setting)
    for number in (0, last):

        def sign(copied, make, number=number):
            frame = copied.frames()[number]
            frame["signature"] = make(frame["signature"], copied.frames())

        second = lambda raw: raw[:32] + ((int.from_bytes(raw[32:], "little") + ORDER) % 2**256).to_bytes(32, "little")
        yield f"frame {number}: signature flipped", lambda copied, sign=sign: sign(copied, lambda raw, _: flip(raw))
        yield f"frame {number}: signature of another frame", lambda copied, sign=sign: sign(copied, lambda raw, all: all[1]["signature"])
        yield f"frame {number}: signature in its second form", lambda copied, sign=sign: sign(copied, lambda raw, _: second(raw))
        yield f"frame {number}: signature of zeroes", lambda copied, sign=sign: sign(copied, lambda raw, _: bytes(64))
    silent = next(
        index
        for index, fact in enumerate(whole.frames()[0]["body"][FACTS])
        if fact[0] == 0 and all(list(frame["body"][2]) != [0, index] for frame in whole.frames())
    )
    foreign = being_key(digest(b"somebody"), whole.history.world, (0, silent))
    yield (
        f"frame 0: birth of [0, {silent}] with somebody else's key",
        lambda copied: copied.frames()[0]["body"][FACTS][silent][1].__setitem__(10, foreign),
    )
    for what, raw in (("one byte more", b"\0"), ("intent of a list of two", b"")):

        def lengthen(copied, raw=raw):
            frame = copied.frames()[last]
            frame["raw"] = encode([frame["body"][:-1] + [[1, 2]] if not raw else frame["body"], frame["signature"]]) + raw

        yield f"frame {last}: {what}", lengthen
    for code in (40, 50, 53, 54):
        yield (
            f"frame {last}: a fact with the code {code}",
            lambda copied, code=code: copied.frames()[last]["body"][FACTS].append([code, "x"]),
        )


def of_commits(whole):
    for number in sorted({0, len(whole.groups) - 1}):
        for name, was in zip(COMMIT_FIELDS, whole.groups[number]["was"]):
            yield (
                f"commit {number}: {name}",
                lambda copied, number=number, name=name, was=was: copied.groups[number]["set"].update({name: changed(was)}),
            )
    yield "commit: acked above its number", lambda copied: copied.groups[-1]["set"].update(acked=2**63)
    for what, value in (("another checksum", {"crc": 1}), ("another kind", {"kind": 9}), ("a length too small", {"length": 199})):
        yield f"commit: {what}", lambda copied, value=value: copied.groups[-1]["record_set"].update(value)


def large(whole):
    """The last group with blobs, and its first frame that names one."""
    for number, group in reversed(list(enumerate(whole.groups))):
        for index, frame in enumerate(group["frames"]):
            for path, shape in places(TYPES["body"], frame["body"]):
                if shape.endswith("There.hash") and at(frame["body"], path) in [name for name, _ in group["blobs"]]:
                    return number, index, path
    raise SystemExit("the history has no blob")


def of_blobs(whole):
    number, index, path = large(whole)
    hash_of = lambda copied: at(copied.groups[number]["frames"][index]["body"], path)
    which = [name for name, _ in whole.groups[number]["blobs"]].index(hash_of(whole))
    raw = whole.groups[number]["blobs"][which][1]
    other = raw[:-1] + bytes([raw[-1] ^ 1])

    def blob(name, content):
        return lambda copied: copied.groups[number]["blobs"].__setitem__(which, [name or copied.groups[number]["blobs"][which][0], content])

    def both(content, length=None):
        def change(copied):
            copied.groups[number]["blobs"][which] = [digest(content), content]
            body = copied.groups[number]["frames"][index]["body"]
            replace(body, path, digest(content))
            replace(body, (*path[:-1], path[-1] + 1), len(content) if length is None else length)

        return change

    def named(value):
        def change(copied):
            body = copied.groups[number]["frames"][index]["body"]
            replace(body, path[:-1], value)

        return change

    def move(copied):
        copied.groups[number + 1]["blobs"].insert(0, copied.groups[number]["blobs"].pop(which))

    def swap(copied):
        blobs = next(group["blobs"] for group in copied.groups if len(group["blobs"]) > 1)
        blobs[0], blobs[1] = blobs[1], blobs[0]

    extra = encode("never named " + "x" * 5000)
    yield "blob: other bytes under its name", blob(None, other)
    yield "blob: other bytes under theirs", blob(digest(other), other)
    yield "blob: other bytes, and the frame names them", both(other)
    yield "blob: another length, and the frame says so", both(raw, len(raw) + 1)
    yield "blob: bytes that are no value", both(b"\xff" * 5000)
    yield "blob: bytes that are not canonical", both(b"\x7a\x00\x00\x13\x88" + b"x" * 5000)
    yield "blob: a byte string", both(encode(b"x" * 5000))
    yield "blob: a value and a byte", both(raw + b"\0")
    yield "blob: a value that is small", both(encode("small"))
    yield "blob: a value that nests too deep", both(encode(["x" * 5000]).join([b"\x81" * 33, b""]))
    yield "blob: missing", lambda copied: copied.groups[number]["blobs"].pop(which)
    yield "blob: twice", lambda copied: copied.groups[number]["blobs"].append(list(copied.groups[number]["blobs"][which]))
    yield "blob: never named", lambda copied: copied.groups[-1]["blobs"].append([digest(extra), extra])
    yield "blob: named nowhere, first in the history", lambda copied: copied.groups[0]["blobs"].insert(0, [digest(extra), extra])
    yield "blob: behind the frames", lambda copied: copied.groups[number].update(blobs_last=True)
    yield "blob: in the next group", move if number + 1 < len(whole.groups) else (lambda copied: copied.groups[number]["blobs"].pop(which))
    yield "blob: in another order", swap
    yield "content: a blob that is not there", named([1, bytes(32), len(raw)])
    yield "content: a large value in the frame", lambda copied: (copied.groups[number]["blobs"].pop(which), named([0, decode(raw)])(copied))
    yield "content: a sealed value", named([2, digest(raw), len(raw)])


def right_header(whole):
    """What the header of the export says of its end."""
    last = COMMITTED.pack(*whole.groups[-1]["was"])
    return {"seq": len(whole.frames()), "number": len(whole.groups), "commit": digest(last[:192]), "head": whole.groups[-1]["was"][7]}


def of_fronts(whole):
    lines = whole.text.decode().splitlines(keepends=True)

    def text(new):
        body = "".join(new)
        return lambda copied: setattr(copied, "text", (body + f'check = "{digest(body.encode()).hex()}"\n').encode())

    def line(at, new):
        return text([*lines[:at], new, *lines[at + 1 : -1]])

    yield "world.toml: format", line(0, "format = 0\n")
    yield "world.toml: a newer format", line(0, "format = 2\n")
    yield "world.toml: world", line(1, f'world = "{flip(whole.history.world).hex()}"\n')
    yield "world.toml: root_key", line(2, f'root_key = "{flip(bytes.fromhex(whole.history.file["root_key"])).hex()}"\n')
    yield "world.toml: simulated", line(3, f"simulated = {'false' if whole.history.file['simulated'] else 'true'}\n")
    yield "world.toml: name", line(4, 'name = "another"\n')
    yield "world.toml: a key more", text([*lines[:-1], "more = 1\n"])
    yield "world.toml: a key less", text(lines[:-2])
    yield "world.toml: another order", text([lines[1], lines[0], *lines[2:-1]])
    yield "world.toml: a remark", text([*lines[:-1], "# a remark\n"])
    yield "world.toml: upper case", line(1, lines[1].replace(whole.history.file["world"], whole.history.file["world"].upper()))
    yield (
        "world.toml: check",
        lambda copied: setattr(copied, "text", copied.text[:-3] + b'0"\n' if copied.text[-3:-2] != b"0" else copied.text[:-3] + b'1"\n'),
    )
    for name, was in {"magic": b"reelmlog", "format": FORMAT, "world": whole.history.world, "crc": 0, **right_header(whole)}.items():
        yield f"header: {name}", lambda copied, name=name, was=was: copied.header_set.update({name: changed(was)})
    yield "header: a newer format", lambda copied: copied.header_set.update(format=FORMAT + 1)
    yield "front: magic", lambda copied: copied.front_set.update(magic=b"reelmexq")
    yield "front: length", lambda copied: copied.front_set.update(length=len(whole.text) - 1)


def of_orders(whole):
    middle = len(whole.groups) // 2

    def empty(copied):
        was = copied.groups[-1]["was"]
        copied.groups.append({"blobs": [], "frames": [], "was": was, "set": {}, "record_set": {}, "blobs_last": False})

    def swap(copied):
        frames = max((group["frames"] for group in copied.groups), key=len)
        frames[1], frames[2] = frames[2], frames[1]

    yield "behind the end: a zero", lambda copied: setattr(copied, "tail", bytes(1))
    yield "behind the end: zeroes", lambda copied: setattr(copied, "tail", bytes(4096))
    yield "behind the end: zeroes and a byte", lambda copied: setattr(copied, "tail", bytes(64) + b"x")
    yield "behind the end: the last group again", lambda copied: copied.groups.append(copy.deepcopy(copied.groups[-1]))
    yield "groups: a group without records", empty
    yield "groups: the last one missing", lambda copied: copied.groups.pop()
    yield (
        "groups: the last one missing under the same header",
        lambda copied: (copied.header_set.update(right_header(whole)), copied.groups.pop()),
    )
    yield "groups: one in the middle missing", lambda copied: copied.groups.pop(middle)
    yield "groups: two in the other order", lambda copied: copied.groups.insert(middle, copied.groups.pop(middle - 1))
    yield "frames: the last one missing", lambda copied: copied.groups[-1]["frames"].pop()
    yield "frames: one missing", lambda copied: max((group["frames"] for group in copied.groups), key=len).pop(1)
    yield "frames: one twice", lambda copied: copied.groups[-1]["frames"].append(copy.deepcopy(copied.groups[-1]["frames"][-1]))
    yield "frames: two in the other order", swap


def forgeries(whole):
    """Each as (what, how, bytes)."""
    other = signer(derive("reelm 1 simulated master", b"somebody"), whole.history.world)
    seed = struct.pack(">q", next(fact[2][1] for fact in whole.frames()[0]["body"][FACTS] if fact[0] == 18 and fact[1] == "seed"))
    own = signer(derive("reelm 1 simulated master", seed), whole.history.world)
    ways = {"bare": (True, None), "chained": (False, None), "other-keys": (False, other), "own-keys": (False, own)}
    # Taken in turn where one way says what the others would: a signature that is missing and one with a wrong key fail alike.
    for source, hows, turns in [
        (of_fields(whole), ["own-keys"], ["chained", "other-keys"]),
        (of_blobs(whole), ["chained", "own-keys"], ["other-keys"]),
        (of_records(whole), ["own-keys"], ["chained"]),
        (of_orders(whole), ["bare", "chained", "own-keys"], []),
        (of_commits(whole), [], ["chained"]),
        (of_fronts(whole), [], ["chained"]),
    ]:
        frozen = pickle.dumps(whole)
        for turn, (what, change) in enumerate(source):
            for how in hows + turns[turn % len(turns) :][:1] if turns else hows:
                copied = pickle.loads(frozen)
                copied.stale, copied.signer = ways[how]
                change(copied)
                yield what, how, copied.bytes()


def main(path, directory):
    # Most of each forgery is as it was: what was decoded and checked once need not be again.
    for name in ("decode", "read_frame", "digest", "holds", "is_key", "being_key"):
        setattr(verify, name, functools.lru_cache(maxsize=None)(getattr(verify, name)))
    whole = Copy(Path(path).read_bytes())
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    original = Path(path).read_bytes()
    assert whole.bytes() == original, "taken apart and put together it must be the same"
    with open(directory / "forgeries.jsonl", "w", encoding="utf-8") as out:
        seen = set()
        for what, how, data in forgeries(whole):
            if data == original or data in seen:
                continue
            seen.add(data)
            file = f"{len(seen):04}.reelm"
            (directory / file).write_bytes(data)
            try:
                verify_export(file, data)
                found = None
            except Wrong as wrong:
                found = str(wrong)
            print(
                json.dumps(
                    {"file": file, "what": what, "how": how, "refused": found, "lives": found is None and what in COULD_HAVE_HAPPENED}
                ),
                file=out,
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
