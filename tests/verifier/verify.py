#!/usr/bin/env python3
"""Checks a history of Reelm, an export file or a world's directory, by docs/FORMAT.md alone.

    verify.py PATH…      a line for each; exit code 1 if any fails, with the number of the check in FORMAT.md and the place

Needs Python 3.11 with the packages of packages.txt beside it: `python3 tests/install.py verifier` makes an environment with them.
"""

import struct
import sys
import tomllib
import zlib
from pathlib import Path

from blake3 import blake3
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey
from zstandard import ZstdDecompressor, ZstdError

from codec import TYPES, decode, depth, encode, walk

FRAME, BLOB, COMMIT = 1, 2, 3
BORN, CONFIG_SET, REKEYED = 0, 18, 49
HUMAN, GIVEN = 1, 2
FRAME_MAX, INLINE_MAX, UNREAD_MAX, RECORD_MAX, WORLD_MAX = 1 << 20, 4096, 256, 1 << 30, 1 << 20
HEADER = struct.Struct("<8sI16sQQ32s32sI")
BLOCK, BLOCK_MAX, ZSTD_MAGIC = 65536, 66560, b"\x28\xb5\x2f\xfd"
COMMITTED = struct.Struct("<QQIIQ32s32s32s64sQ")
P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
ZERO = bytes(32)
BODY = [label for label, _ in TYPES["body"][1]]


class Wrong(Exception):
    """A check that fails: its number in FORMAT.md, where, and what is wrong."""

    def __init__(self, number, place, what):
        super().__init__(f"check {number} at {place}: {what}")
        self.number = number


def need(number, place, holds, what):
    if not holds:
        raise Wrong(number, place, what)


def digest(data):
    return blake3(data).digest()


def derive(context, material):
    return blake3(material, derive_key_context=context).digest()


def push(peaks, frame):
    """Adds a frame's hash to a mountain range, a list of heights and roots."""
    peaks.append((0, frame))
    while len(peaks) > 1 and peaks[-1][0] == peaks[-2][0]:
        (height, left), (_, right) = peaks[-2:]
        peaks[-2:] = [(height + 1, derive("reelm 1 node", left + right))]


def head_over(peaks):
    """The head over the frames of a mountain range."""
    if not peaks:
        return ZERO
    root = peaks[-1][1]
    for _, left in reversed(peaks[:-1]):
        root = derive("reelm 1 node", left + root)
    return derive("reelm 1 head", struct.pack("<Q", sum(1 << height for height, _ in peaks)) + root)


def lefts(seq, count):
    """Of the halves beside the way up from a frame, from below, whether each stands to the left."""
    left, begin, end = [], 0, count
    while end - begin > 1:
        middle = begin + (1 << ((end - begin - 1).bit_length() - 1))
        left.append(seq >= middle)
        begin, end = (middle, end) if seq >= middle else (begin, middle)
    return left[::-1]


def being_key(master, world, being):
    """The public key that follows from a master secret."""
    secret = derive("reelm 1 being key", master + world + struct.pack(">QI", *being))
    return bytes(SigningKey(secret).verify_key)


def is_key(raw):
    """Whether 32 bytes are a canonical point of the curve, not of small order."""
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    if y >= P:
        return False
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    on_curve = (root * root - square) % P == 0 or (root * root + square) % P == 0
    # The points of order 8 are those whose double has y = 0.
    return on_curve and y not in (0, 1, P - 1) and (y * y + square) % P != 0


def holds(key, message, signature):
    # libsodium is strict as FORMAT.md asks: no small order, no second form, no cofactor.
    try:
        VerifyKey(key).verify(message, signature)
        return True
    except (BadSignatureError, ValueError):
        return False


#: The format that is read.
FORMAT = 2
#: The keys of each small file: bool, int or str, or for hex digits the number of bytes that they stand for. What ends in `?` may be missing.
WORLD = {"format": int, "world": 16, "root_key": 32, "simulated": bool, "name": str}
ORIGIN = {"world": 16, "root_key": 32, "name": str, "seq": int, "number": int, "commit": 32, "head": 32, "seal": 64, "within?": dict, "segment?": int, "offset?": int}
WITHIN = {"border": int, "count": int, "last": 32, "way": list}
CLEAN = {"number": int, "commit": 32}
KEYSTORE = {"format": int, "master": 32}
CLOCK = {"from": int, "target?": int, "position": int, "done": bool}
YEARS = range(-62135596800000, 253402300800000)


def is_hex(value, length):
    return type(value) is str and len(value) == 2 * length and set(value) <= set("0123456789abcdef")


def pairs(found, keys, place):
    """Each key with its value as text, in the one form that they have."""
    wanted = [key.rstrip("?") for key in keys if key in found or not key.endswith("?") or key[:-1] in found]
    need(1, place, list(found) == wanted, f"expected the keys {', '.join(wanted)}")
    for key, kind in zip(wanted, (kind for key, kind in keys.items() if key.rstrip("?") in wanted)):
        value = found[key]
        if kind is dict and type(value) is dict:
            yield f"{key} = {{ {', '.join(pairs(value, WITHIN, place))} }}"
            continue
        if kind is list and type(value) is list:
            need(1, place, all(is_hex(item, 32) for item in value), f"`{key}` is no list of hashes")
            quoted = ", ".join(f'"{item}"' for item in value)
            yield f"{key} = [{quoted}]"
            continue
        if type(kind) is int:
            right = is_hex(value, kind)
        else:
            right = type(value) is kind and (keys is not CLOCK or kind is bool or value in YEARS)
        need(1, place, right, f"`{key}` is not of its type")
        yield f'{key} = "{value}"' if type(value) is str else f"{key} = {str(value).lower()}"


def small_file(data, place, keys, with_clock=False):
    """What a small file says; an export's world.toml may have a clock in it."""
    try:
        text = data.decode("utf-8")
        found = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Wrong(1, place, str(error)) from None
    clock = found.pop("clock", None) if with_clock else None
    origins = found.pop("origin", []) if keys is WORLD else []
    need(1, place, found.pop("check", None) is not None, "the closing line is missing")
    lines = list(pairs(found, keys, place))
    if origins:
        lines += ["origin = [", *(f"  {{ {', '.join(pairs(origin, ORIGIN, place))} }}," for origin in origins), "]"]
        need(1, place, all(("segment" in origin, "offset" in origin) == (not with_clock,) * 2 for origin in origins), "an origin's place is missing, or is none")
    if clock is not None:
        need(1, place, type(clock) is dict, "`clock` is no table")
        lines.append(f"clock = {{ {', '.join(pairs(clock, CLOCK, place))} }}")
    body = "".join(f"{line}\n" for line in lines)
    right = f'{body}check = "{digest(body.encode()).hex()}"\n'
    need(1, place, text == right, "its lines are not in their one form, or the check is another's")
    known = 1 if keys is KEYSTORE else FORMAT
    need(1, place, found.get("format", known) == known, f"its format is not {known}")
    return found | ({"origin": origins} if keys is WORLD else {})


def lineage_of(file, place):
    """The worlds of a history, the first one first: id, root key, name, and the origin at which each ends; the hash of that is its own, too."""
    worlds = []
    for said in [*file["origin"], file]:
        worlds.append([bytes.fromhex(said["world"]), bytes.fromhex(said["root_key"]), said["name"], said if "seq" in said else None, None])
    before = 0
    for (world, root, _, origin, _), after in zip(worlds, worlds[1:]):
        head, seal, commit = (bytes.fromhex(origin[key]) for key in ("head", "seal", "commit"))
        within = within_of(origin)
        can_be = origin["seq"] > before and border_of(origin) >= max(before, 1)
        need(5, place, can_be and holds(root, sealed(origin["seq"], head, within), seal), "an origin that cannot be")
        need(5, place, after[0] == derive("reelm 1 fork", world + head + after[2].encode())[:16], "the fork's id does not follow from its origin")
        numbers = struct.pack("<QQ", origin["seq"], origin["number"])
        group = struct.pack("<QQ", *within[:2]) + within[2] + b"".join(within[3]) if within else b""
        after[4] = derive("reelm 1 origin", after[0] + after[1] + world + root + numbers + commit + head + seal + group)
        before = origin["seq"]
    return worlds


def within_of(origin):
    """Where an origin lies within a group: the border, the count, the last frame's hash, and its way; nothing where it does not."""
    within = origin.get("within")
    return within and [within["border"], within["count"], bytes.fromhex(within["last"]), [bytes.fromhex(item) for item in within["way"]]]


def border_of(origin):
    """The seq behind which the groups of the fork begin."""
    return origin["within"]["border"] if "within" in origin else origin["seq"]


def sealed(seq, head, within):
    """The head that the parent has sealed above the one of an origin; zeroes where it does not lead to one."""
    if within is None:
        return head
    border, count, last, way = within
    if not border < seq < count < 2**64:
        return ZERO
    left = lefts(seq - 1, count)
    if len(way) != len(left):
        return ZERO
    node, heights, peaks = last, [height for height in range(64) if (seq - 1) >> height & 1], []
    for is_left, other in zip(left, way):
        node = derive("reelm 1 node", other + node if is_left else node + other)
        peaks = [(heights[len(peaks)], other), *peaks] if is_left else peaks
    push(peaks, last)
    return derive("reelm 1 head", struct.pack("<Q", count) + node) if head_over(peaks) == head else ZERO


def varint(data, at, place):
    number, shift, begin = 0, 0, at
    while True:
        need(4, place, at < len(data) and shift < 70, "a varint has no end")
        number |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            need(4, place, number < 2**64 and (data[at - 1] > 0 or at == begin + 1), "a varint is not in its shortest form")
            return number, at


def read_frame(raw):
    """A frame's body and signature, and its contents in the order in which it names blobs: facts, call, thought."""
    frame = decode(raw)
    list(walk(TYPES["frame"], frame))
    body, signature = frame
    named = dict(zip(BODY, body))
    contents = [(item, ("fact", index)) for index, fact in enumerate(named["facts"]) for item in contents_in("fact", fact)]
    contents += [(item, ("call", 0)) for item in contents_in("call", named["call"])]
    contents += [(item, ("thought", 0)) for item in contents_in("thought", named["thought"])]
    for content, (where, index) in contents:
        # The list of facts is the first of the 32 that nest.
        if content[0] == 0 and depth(content[1]) > (31 if where == "fact" else 32):
            raise ValueError(f"{where} {index}: a value nests too deep")
    return body, signature, contents


def body_of(raw, signature):
    """A body's bytes: behind the head of an array of two, before null or the 66 bytes of a byte string of 64."""
    return raw[1:-1] if signature is None else raw[1:-66]


def contents_in(form, item):
    return [part for name, part, _ in walk(("maybe", ("name", form)), item) if name == "content"]


class History:
    """What the groups read so far come to."""

    def __init__(self, world_text, place, exported):
        self.file = small_file(world_text, place, WORLD, with_clock=exported)
        self.own = bytes.fromhex(self.file["world"])
        self.lineage = lineage_of(self.file, place)
        # Of whom the frames are, who writes the groups, and the last commit of a fork's past while it has none of its own.
        self.reign, self.began, self.writer, self.crossed = 0, 0, 0, None
        self.world, self.root = self.lineage[0][:2]
        self.crc = zlib.crc32(self.world)
        self.number, self.commit, self.peaks, self.seq, self.acked = 0, digest(self.world), [], 0, 0
        self.at, self.reels, self.births, self.config = -(2**63), {}, [], {}
        self.blobs, self.seen, self.named = {}, set(), []
        self.batch, self.delegated = False, set()

    @property
    def head(self):
        return head_over(self.peaks)

    def last_commit(self):
        """The hash of the last commit itself, where a fork has none of its own yet that of its past."""
        return self.crossed or self.commit

    def chain(self):
        return self.seq, self.number, self.commit, self.head

    def cross(self, place):
        """Behind the last commit of a fork's past the groups are the fork's."""
        self.crossed, last = None, self.commit
        while (origin := self.lineage[self.writer][3]) is not None and self.seq >= border_of(origin):
            need(6, place, self.seq == border_of(origin), "no commit ends where the origin says")
            need(6, place, (self.number, last.hex()) == (origin["number"], origin["commit"]), "the origin is not behind this commit")
            self.writer, self.crossed = self.writer + 1, last
            self.commit = self.lineage[self.writer][4]
            self.crc = zlib.crc32(self.lineage[self.writer][0])

    def pass_on(self, place):
        """Behind the last frame of a fork's past the frames are the fork's."""
        origin = self.lineage[self.reign][3]
        if origin is not None and self.seq == origin["seq"]:
            need(7, place, self.head.hex() == origin["head"], "the head of the origin is not that of the frames")
            self.reign, self.began = self.reign + 1, self.seq
            self.world, self.root = self.lineage[self.reign][:2]

    def header(self, raw, place, world_id=None):
        need(2, place, len(raw) == HEADER.size, "the header is cut off")
        magic, form, world, *chain, crc = HEADER.unpack(raw)
        need(2, place, magic == b"reelmlog" and crc == zlib.crc32(raw[:108]), "the header does not check")
        need(2, place, (form, world) == (FORMAT, world_id or self.lineage[self.writer][0]), "the header is of another format or world")
        return tuple(chain)

    def records(self, data, at, place):
        """The records from a place on, as (kind, payload, begin, end), up to the end or the first length of zero."""
        while at < len(data) and data[at : at + 4] not in (b"\0\0\0\0", b"\0\0\0", b"\0\0", b"\0"):
            where = f"{place} byte {at}"
            need(3, where, at + 9 <= len(data), "the record is cut off")
            length, crc, kind = struct.unpack_from("<IIB", data, at)
            need(3, where, 1 <= length <= RECORD_MAX and at + 9 + length <= len(data), "the record's length leads nowhere")
            payload = data[at + 9 : at + 9 + length]
            sum_of = zlib.crc32(payload, zlib.crc32(data[at : at + 4] + bytes([kind]), self.crc))
            need(3, where, kind in (FRAME, BLOB, COMMIT) and crc == sum_of, "the record does not check")
            yield kind, payload, at, at + 9 + length
            at += 9 + length

    def groups(self, data, at, place, exported):
        """Takes whole groups from a place on; gives where the last one ends. A group that is not whole raises."""
        begin, frames, blobs = at, [], []
        try:
            for kind, payload, here, end in self.records(data, at, place):
                if kind == BLOB:
                    need(4, f"{place} byte {here}", len(payload) > 32, "a blob without bytes")
                    need(10, f"{place} byte {here}", not frames, "a blob stands behind a frame of its group")
                    blobs.append((payload[:32], payload[32:], f"{place} byte {here}"))
                elif kind == FRAME:
                    frames.append((payload, f"{place} byte {here}"))
                else:
                    self.group(data[begin:here], frames, blobs, payload, f"{place} byte {here}", exported)
                    begin, frames, blobs = end, [], []
        except Wrong as wrong:
            wrong.begin = begin
            raise
        if frames or blobs:
            wrong = Wrong(5, f"{place} byte {begin}", "the group has no commit")
            wrong.begin = begin
            raise wrong
        return begin

    def group(self, records, frames, blobs, payload, place, exported):
        need(4, place, len(payload) == COMMITTED.size, "a commit of another length")
        number, end_seq, frame_count, blob_count, length, group, previous, head, seal, acked = COMMITTED.unpack(payload)
        need(6, place, number == self.number + 1 and previous == self.commit, "the commit does not follow the one before")
        need(6, place, (frame_count, blob_count) == (len(frames), len(blobs)) and frames, "the commit counts other records")
        need(6, place, end_seq == self.seq + frame_count, "the commit ends at another seq")
        need(6, place, (length, group) == (len(records), digest(records)), "the commit is over other bytes")
        need(6, place, self.acked <= acked < number and (not exported or acked == number - 1), "`acked` cannot be so")
        for name, raw, where in blobs:
            self.blob(name, raw, where)
        self.named = []
        for raw, where in frames:
            self.frame(raw, where)
        need(10, place, self.named == [name for name, *_ in blobs], "the blobs are not those that the frames name for the first time")
        need(7, place, head == self.head, "the head is not that of the frames")
        need(8, place, holds(self.lineage[self.writer][1], head, seal), "the seal is not that of @world")
        self.number, self.commit, self.acked = number, digest(payload[:192]), acked
        self.cross(place)

    def blob(self, name, raw, place):
        need(9, place, digest(raw) == name, "the blob's bytes are not those of its name")
        try:
            value = decode(raw)
            list(walk(("name", "value"), value))
        except (ValueError, RecursionError) as error:
            raise Wrong(9, place, f"the blob is no value: {error}") from None
        need(9, place, len(raw) > INLINE_MAX and depth(value) <= 32, "the value is too small for a blob, or nests too deep")
        need(10, place, name not in self.blobs, "the blob was there already")
        self.blobs[name] = (len(raw), value)

    def content(self, content, place):
        if content[0] == 4:
            return None
        if content[0] == 0:
            need(10, place, len(encode(content[1])) <= INLINE_MAX, "a value that belongs in a blob")
            return content[1]
        _, name, length = content
        need(10, place, name in self.blobs and self.blobs[name][0] == length, "a blob is named that is not there, or not so long")
        if name not in self.seen:
            self.seen.add(name)
            self.named.append(name)
        return self.blobs[name][1]

    def frame(self, payload, place):
        seq, at = varint(payload, 0, place)
        index, at = varint(payload, at, place)
        n, at = varint(payload, at, place)
        raw = payload[at:]
        need(11, place, len(raw) <= FRAME_MAX, "the frame is too large")
        try:
            body, signature, contents = read_frame(raw)
        except (ValueError, TypeError, RecursionError) as error:
            raise Wrong(11, place, f"no frame: {error}") from None
        self.take_frame(body, digest(body_of(raw, signature)), signature, contents, (seq, index, n), place)

    def take_frame(self, body, body_hash, signature, contents, recorded, place):
        b = dict(zip(BODY, body))
        being = tuple(b["being"])
        place = f"{place} (frame {b['seq']})"
        need(12, place, recorded == (*being, b["n"]), "the record is of another being or n")
        need(13, place, (b["format"], b["world"], b["seq"]) == (1, self.world, self.seq), "not the next frame of this world")
        opened_at = (b["at"] - b["opened_at"] + 2**63) % 2**64 - 2**63
        in_years = all(-62_135_596_800_000 <= at <= 253_402_300_799_999 for at in (b["at"], opened_at))
        need(14, place, in_years, "an instant outside the years 1 to 9999")
        in_time = self.at <= b["at"] and opened_at <= b["at"] and b["opened"] <= b["seq"]
        need(14, place, in_time and b["attempt"] >= 1, "it goes back in time, or is no attempt")
        first = b["seq"] == 0
        births = [(index, fact[1]) for index, fact in enumerate(b["facts"]) if fact[0] == BORN]
        orphans = [index for index, birth in births if birth[1] is None]
        need(15, place, orphans == ([0] if first else []), "a being without a parent, or none")
        need(15, place, being == (0, 0) if first else being in self.reels, "nobody of that name was born")
        next_n, prev, prev_seq, key = (0, ZERO, 0, b["facts"][0][1][10]) if first else self.reels[being]
        need(
            15,
            place,
            (b["n"], b["prev"], (b["seq"] - b["prev_seq"]) % 2**64) == (next_n, prev, prev_seq),
            "it does not go on with its reel",
        )
        if first:
            self.batch = [CONFIG_SET, "seals", [0, "batch"]] in b["facts"]
        is_due = not first and self.reels[being][2] < self.began
        has_key = [fact[0] for fact in b["facts"]].count(REKEYED) == 1 and b["facts"][-1][0] == REKEYED
        need(16, place, has_key if is_due else all(fact[0] != REKEYED for fact in b["facts"]), "a new key that should not be, or none")
        if is_due:
            key = b["facts"][-1][1]
            need(16, place, is_key(key), "the new key is none")
            need(18, place, being != (0, 0) or key == self.root, "the key of @world is not the fork's")
            self.births.append((self.world, being, key))
        for index, birth in births:
            where = f"{place} fact {index}"
            need(16, where, is_key(birth[10]), "the key of the birth is none")
            delegates = self.batch and birth[4] != HUMAN and (b["seq"], index) != (0, 0)
            need(16, where, (birth[11] is not None) == delegates, "a delegation that should not be, or none")
            if delegates:
                over = derive("reelm 1 delegation", self.world + struct.pack(">QI", b["seq"], index) + self.root)
                need(16, where, holds(birth[10], over, birth[11]), "the delegation is not signed by who is born")
        entrusted = b["driver"] is None and b["cognition"] != HUMAN and b["thought"][0] != GIVEN
        covered = being in self.delegated and entrusted and not is_due
        need(17, place, (signature is None) == covered, "a signature that should not be, or none")
        need(17, place, covered or holds(key, body_hash, signature), "the signature is not that of its being")
        unread = [where for content, where in contents if content[0] == 4]
        call = b["call"]
        left_out = call and unread == [("call", 0)] and b["closing"][0] != 0 and call[4] is None and call[3][2] > UNREAD_MAX
        need(10, place, not unread or left_out, "a value is left out that must have been read")
        values = [self.content(content, f"{place} {where}") for content, where in contents]
        for index, birth in births:
            self.births.append((self.world, (b["seq"], index), birth[10]))
            if birth[11] is not None:
                self.delegated.add((b["seq"], index))
            self.reels[b["seq"], index] = (0, body_hash, b["seq"], birth[10])
        self.reels[being] = (b["n"] + 1, body_hash, b["seq"], key)
        self.seq, self.at = b["seq"] + 1, b["at"]
        push(self.peaks, body_hash)
        self.pass_on(place)
        if first:
            sets = [(b["facts"][index], value) for (_, (where, index)), value in zip(contents, values) if where == "fact"]
            self.config = {fact[1]: value for fact, value in sets if fact[0] == CONFIG_SET}
            self.world_of(place)

    def world_of(self, place):
        """What world.toml says must be what the first frame says."""
        said = (self.lineage[0][1], self.lineage[0][2], self.file["simulated"])
        is_so = (self.births[0][2], self.config.get("name"), self.config.get("simulated"))
        need(18, place, said == is_so, "world.toml says another key, name or kind of world")

    def end(self, place):
        """What is known of the whole."""
        if not self.births or not self.file["simulated"]:
            return
        seed = self.config.get("seed")
        need(19, place, type(seed) is int, "the first frame sets no seed")
        seed = struct.pack(">q", seed)
        world = derive("reelm 1 simulated world", self.lineage[0][2].encode() + seed)[:16]
        need(19, place, world == self.lineage[0][0], "the world's id does not follow from its name and seed")
        masters = {world: derive("reelm 1 simulated master", seed)}
        masters |= {fork: derive("reelm 1 simulated fork master", seed + fork) for fork, *_ in self.lineage[1:]}
        for world, being, key in [*self.births, *((fork, (0, 0), root) for fork, root, *_ in self.lineage)]:
            need(19, f"{place} birth {being}", being_key(masters[world], world, being) == key, "the key does not follow from the seed")


def verify_export(path, data):
    need(2, path, data[:8] == b"reelmexp" and len(data) >= 12, "it does not begin as an export")
    (length,) = struct.unpack_from("<I", data, 8)
    need(1, path, length <= WORLD_MAX and 12 + length <= len(data), "world.toml is too long")
    history = History(data[12 : 12 + length], f"{path} byte 12", exported=True)
    said = history.header(data[12 + length : 124 + length], f"{path} byte {12 + length}", history.own)
    end = history.groups(data, 124 + length, path, exported=True)
    need(5, f"{path} byte {end}", end == len(data), "something stands behind the last group")
    need(2, f"{path} byte {12 + length}", said == history.chain(), "the history does not end where the header says")
    history.end(path)
    return history, 0


def decompressed(history, path):
    """The plain bytes of a compressed segment."""
    data = path.read_bytes()
    need(2, f"{path} byte 112", data[112:120] == b"reelmzst" and len(data) >= 128, "no table of a compressed segment")
    (length,) = struct.unpack_from("<Q", data, 120)
    count = -(-(length - 112) // BLOCK)
    at = 132 + 8 * count
    need(2, f"{path} byte 112", length >= 112 and at <= len(data), "the table is cut off")
    need(2, f"{path} byte 112", zlib.crc32(data[112 : at - 4], history.crc) == struct.unpack_from("<I", data, at - 4)[0], "the table does not check")
    plain = [data[:112]]
    for index in range(count):
        where, (size, crc) = f"{path} byte {at}", struct.unpack_from("<II", data, 128 + 8 * index)
        need(2, where, 1 <= size <= BLOCK_MAX and at + size <= len(data), "a block that cannot be")
        need(2, where, zlib.crc32(data[at : at + size], history.crc) == crc, "the block does not check")
        holds_bytes = min(BLOCK, length - 112 - BLOCK * index)
        need(2, where, data[at : at + 4] == ZSTD_MAGIC, "the block does not begin as a zstd frame that holds something")
        try:
            block = ZstdDecompressor().decompress(data[at : at + size], max_output_size=BLOCK, allow_extra_data=False)
        except ZstdError as error:
            raise Wrong(2, where, f"the block is no zstd frame: {error}") from None
        need(2, where, len(block) == holds_bytes, "the block holds other than its bytes")
        plain.append(block)
        at += size
    need(2, f"{path} byte {at}", at == len(data), "something stands behind the last block")
    return b"".join(plain)


def segments_in(log):
    """The segments in order: of one that is there in both forms, the plain file."""
    found = {path.stem: path for ending in ("segz", "seg") for path in log.glob(f"*.{ending}")}
    return [found[stem] for stem in sorted(found)]


def commits(history, data, begin):
    """Of each whole commit from a place on, at whatever byte, how many commits were durable when it was written."""
    at = data.find(b"\xc8\0\0\0", begin)
    while at >= 0:
        payload = data[at + 9 : at + 209]
        if data[at + 8 : at + 9] == b"\3" and len(payload) == 200:
            whole = struct.unpack_from("<I", data, at + 4)[0] == zlib.crc32(payload, zlib.crc32(data[at : at + 4] + b"\3", history.crc))
            if whole:
                yield COMMITTED.unpack(payload)[-1]
        at = data.find(b"\xc8\0\0\0", at + 1)


def torn(history, data, begin):
    """Whether what stands behind the last whole group is a torn write: no whole commit in it says that it was durable."""
    return all(acked <= history.number for acked in commits(history, data, begin))


def without_torn(history, segments, is_clean):
    """The segments without a newest one whose header was torn, so that nothing was ever written behind it; and how many bytes that one has."""
    data = segments[-1].read_bytes()
    try:
        history.header(data[:112], segments[-1], history.own)
    except Wrong:
        # A segment is compressed only once the next one's header is durable.
        were_plain = all(path.suffix == ".seg" for path in segments[-2:])
        if len(segments) > 1 and were_plain and not is_clean and not any(True for _ in commits(history, data, 0)):
            return segments[:-1], len(data)
    return segments, 0


def acknowledged(path, world):
    """The commit that was noted last: its number and its hash; nothing where the note is missing or does not check."""
    data = path.read_bytes() if path.exists() else b""
    if len(data) != 44 or struct.unpack_from("<I", data, 40)[0] != zlib.crc32(data[:40], zlib.crc32(world)):
        return None
    return struct.unpack_from("<Q", data)[0], data[8:40]


def verify_directory(path):
    history = History((path / "world.toml").read_bytes(), path / "world.toml", exported=False)
    if (path / "clock").exists():
        small_file((path / "clock").read_bytes(), path / "clock", CLOCK)
    clean = path / "clean"
    segments = segments_in(path / "log")
    need(2, path / "log", segments and segments[0].stem == f"{0:016x}", "the first segment is missing")
    segments, headless = without_torn(history, segments, clean.exists())
    lost = 0
    for segment in segments:
        is_plain = segment.suffix == ".seg"
        data = segment.read_bytes()
        said = history.header(data[:112], f"{segment} byte 0")
        data = data if is_plain else decompressed(history, segment)
        origin = history.lineage[history.writer][3]
        if origin and segment.stem == f"{origin['segment']:016x}":
            data = data[: origin["offset"]]
        goes_on = segment.stem == f"{said[0]:016x}" and said == history.chain()
        need(2, segment, goes_on, "the segment does not go on where the one before ends")
        is_open = segment == segments[-1] and is_plain and not clean.exists()
        try:
            end = history.groups(data, 112, segment, exported=False)
        except Wrong as wrong:
            end = wrong.begin
            # What is whole by its checksums and still wrong was not torn by a crash.
            if not is_open or wrong.number not in (3, 5) or not torn(history, data, end):
                raise
        rest = data[end:]
        if segment == segments[-1] and (is_open or not rest.strip(b"\0")):
            lost = len(rest.rstrip(b"\0"))
            need(5, f"{segment} byte {end}", lost == 0 or torn(history, data, end), "a group is missing here that was durable")
        else:
            need(5, f"{segment} byte {end}", not rest, "something stands behind the last group")
    history.end(path)
    if clean.exists():
        said = small_file(clean.read_bytes(), clean, CLEAN)
        is_so = (history.number, history.last_commit().hex())
        need(20, clean, (said["number"], said["commit"]) == is_so, "the history ended elsewhere when it was closed")
    known = acknowledged(path / "index" / "known", history.own)
    need(20, path, known is None or known[0] <= history.number, "the history was longer when it was acknowledged")
    need(20, path, known is None or known[0] < history.number or known[1] == history.last_commit(), "the last group is another")
    keystore = path / "keystore"
    if keystore.exists() and history.births:
        master = bytes.fromhex(small_file(keystore.read_bytes(), keystore, KEYSTORE)["master"])
        need(20, keystore, being_key(master, history.own, (0, 0)).hex() == history.file["root_key"], "these keys are another world's")
    return history, lost + headless


def verify(path):
    """The history at a path, checked, and how many bytes of a torn write stand behind it."""
    path = Path(path)
    return verify_directory(path) if path.is_dir() else verify_export(path, path.read_bytes())


def main(paths):
    failed = 0
    for path in paths:
        try:
            history, lost = verify(path)
            behind = f"; {lost} bytes of a torn write are not history" if lost else ""
            print(f"{path}: {history.seq} frames in {history.number} groups hold, head {history.head.hex()}{behind}")
        except Wrong as wrong:
            failed = 1
            print(f"{path}: {wrong}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
