"""Canonical CBOR and the types of docs/FORMAT.md, which are read from the document itself."""

import math
import re
import struct
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
WHOLE_MAX = 2**53
SIZES = {"bytes16": 16, "bytes32": 32, "bytes64": 64}
MOST = {"u16": 2**16, "u32": 2**32, "u64": 2**64}


# --- bytes -------------------------------------------------------------------------------------------------------------------------


def take(data, at, length):
    if at + length > len(data):
        raise ValueError(f"the bytes end at {len(data)}, inside an item")
    return data[at : at + length], at + length


def decode_at(data, at, depth=0):
    """The item at a place, and where it ends; whether its form is the canonical one, `decode` says."""
    if depth > 64:
        raise ValueError("it nests too deep")
    (head,), at = take(data, at, 1)
    major, number = head >> 5, head & 31
    raw = b""
    if 24 <= number < 28:
        raw, at = take(data, at, 1 << (number - 24))
        number = int.from_bytes(raw, "big")
    elif number >= 28:
        raise ValueError(f"no canonical head begins at {at - 1}")
    if major == 0:
        return number, at
    if major == 1:
        return -1 - number, at
    if major in (2, 3):
        raw, at = take(data, at, number)
        return (raw if major == 2 else raw.decode("utf-8")), at
    if major == 4:
        items = []
        for _ in range(number):
            item, at = decode_at(data, at, depth + 1)
            items.append(item)
        return items, at
    if major == 5:
        pairs = {}
        for _ in range(number):
            key, at = decode_at(data, at, depth + 1)
            if type(key) is not str:
                raise ValueError(f"a key before {at} is no text")
            pairs[key], at = decode_at(data, at, depth + 1)
        return pairs, at
    if head in (0xF4, 0xF5, 0xF6):
        return {0xF4: False, 0xF5: True, 0xF6: None}[head], at
    if head in (0xF9, 0xFA, 0xFB):
        return struct.unpack({2: ">e", 4: ">f", 8: ">d"}[len(raw)], raw)[0], at
    raise ValueError(f"the head {head:#x} before {at} stands for nothing here")


def encode_head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    size = next(size for size in (0, 1, 2, 3) if number < 1 << (8 << size))
    return bytes([major << 5 | 24 + size]) + number.to_bytes(1 << size, "big")


def encode(item):
    """The one canonical form of an item."""
    if item is None or type(item) is bool:
        return {None: b"\xf6", False: b"\xf4", True: b"\xf5"}[item]
    if type(item) is int:
        return encode_head(0, item) if item >= 0 else encode_head(1, -1 - item)
    if type(item) is bytes:
        return encode_head(2, len(item)) + item
    if type(item) is str:
        raw = item.encode("utf-8")
        return encode_head(3, len(raw)) + raw
    if type(item) is list:
        return encode_head(4, len(item)) + b"".join(map(encode, item))
    if type(item) is dict:
        pairs = sorted((encode(key), encode(value)) for key, value in item.items())
        return encode_head(5, len(item)) + b"".join(key + value for key, value in pairs)
    for head, form in ((0xF9, ">e"), (0xFA, ">f")):
        try:
            raw = struct.pack(form, item)
        except OverflowError:
            continue
        if struct.unpack(form, raw)[0] == item:
            return bytes([head]) + raw
    return b"\xfb" + struct.pack(">d", item)


def decode(data):
    """The one item that some bytes are, if they are its canonical form."""
    item, end = decode_at(data, 0)
    if end != len(data):
        raise ValueError(f"{len(data) - end} bytes stand behind the item")
    if encode(item) != data:
        raise ValueError("the form is not the canonical one")
    return item


# --- types -------------------------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r"\s*(\[|\]|\?|\*|,|\||[A-Za-z0-9_-]+)")


class Parser:
    """One type, read from its words: ("array", [(code, label, type)…]), ("list", type), ("either", [type…]), ("code", n), ("name", n), ("maybe", type)."""

    def __init__(self, text):
        self.words, self.at = TOKEN.findall(text), 0

    def peek(self):
        return self.words[self.at] if self.at < len(self.words) else ""

    def next(self):
        self.at += 1
        return self.words[self.at - 1]

    def either(self):
        if self.peek() == "|":
            self.next()
        found = [self.one()]
        while self.peek() == "|":
            self.next()
            found.append(self.one())
        return found[0] if len(found) == 1 else ("either", found)

    def one(self):
        word = self.next()
        if word == "[":
            found = self.array()
        elif word.isdigit():
            found = ("code", int(word), self.next() if self.peek() not in ("|", ",", "]", "") else "")
        else:
            found = ("name", word)
        if self.peek() == "?":
            self.next()
            return ("maybe", found)
        return found

    def array(self):
        if self.peek() == "*":
            self.next()
            found = ("list", self.one())
            self.next()
            return found
        items = []
        while self.peek() != "]":
            if self.peek() == ",":
                self.next()
            label = None
            if not self.peek().isdigit() and self.words[self.at + 1] not in (",", "]", "?"):
                label = self.next()
            items.append((label, self.one()))
        self.next()
        return ("array", items)


def read_types(text):
    """Every type of the document's blocks of types, by its name."""
    found = {}
    for block in re.findall(r"^```types\n(.*?)^```", text, re.S | re.M):
        lines = [line.split("  --")[0].rstrip() for line in block.splitlines()]
        for entry in re.sub(r"\n +", " ", "\n".join(lines)).splitlines():
            name, _, form = entry.partition(" =")
            if form:
                found[name] = Parser(form).either()
    return found


TYPES = read_types((DOCS / "FORMAT.md").read_text(encoding="utf-8"))
CODES = set(re.findall(r"^\| `([a-zA-Z-]+)` \|", (DOCS / "CODES.md").read_text(encoding="utf-8"), re.M))


def depth(value):
    """How deep lists and maps nest."""
    inside = value if type(value) is list else value.values() if type(value) is dict else None
    return 0 if inside is None else 1 + max(map(depth, inside), default=0)


def is_value(item):
    """Whether an item is an open value."""
    if item is None or type(item) in (bool, str):
        return True
    if type(item) is int:
        return -(2**63) <= item < 2**63
    if type(item) is float:
        return math.isfinite(item) and not (item == int(item) and abs(item) <= WHOLE_MAX)
    if type(item) in (list, dict):
        return all(map(is_value, item if type(item) is list else item.values()))
    return False


def is_primitive(name, item):
    if name in SIZES:
        return type(item) is bytes and len(item) == SIZES[name]
    if name in MOST:
        return type(item) is int and 0 <= item < MOST[name]
    if name == "code":
        return item in CODES
    if name == "i64":
        return type(item) is int and -(2**63) <= item < 2**63
    return {"text": str, "bool": bool, "bytes": bytes}.get(name) is type(item) or (name == "value" and is_value(item))


def walk(form, item, path=""):
    """Each named part of an item as (name, item, path), in order; raises where it is not of the form."""
    kind, what = form[0], form[1]
    if kind == "name" and what in TYPES:
        code = item[0] if type(item) is list and item else item
        reserved = TYPES.get(f"{what} reserved", ("either", []))
        # A list of one is written as that one.
        for _, kept, name in reserved[1] if reserved[0] == "either" else [reserved]:
            if type(code) is int and kept == code:
                raise ValueError(f"{path}: the code {code} is reserved for `{name}`; a newer program is needed")
        yield what, item, path
        yield from walk(TYPES[what], item, path)
    elif kind == "name":
        if not is_primitive(what, item):
            raise ValueError(f"{path}: expected {what}, found {item!r:.60}")
        yield what, item, path
    elif kind == "maybe":
        if item is not None:
            yield from walk(what, item, path)
    elif kind == "either":
        code = item[0] if type(item) is list and item else item
        chosen = [one for one in what if (one[1][0][1][1] if one[0] == "array" else one[1]) == code and type(code) is int]
        if not chosen or (chosen[0][0] == "array") != (type(item) is list):
            raise ValueError(f"{path}: the code {code!r:.60} is not known here")
        yield from walk(chosen[0], item, path)
    elif kind == "list":
        if type(item) is not list:
            raise ValueError(f"{path}: expected a list, found {item!r:.60}")
        for index, inner in enumerate(item):
            yield from walk(what, inner, f"{path}/{index}")
    elif kind == "array":
        if type(item) is not list or len(item) != len(what):
            raise ValueError(f"{path}: expected an array of {len(what)}, found {item!r:.60}")
        for (label, inner), part in zip(what, item):
            yield from walk(inner, part, f"{path}/{label or (inner[2] if inner[0] == 'code' else inner[1])}")
    elif type(item) is not int or item != what:
        raise ValueError(f"{path}: expected the code {what}, found {item!r:.60}")
