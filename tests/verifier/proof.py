#!/usr/bin/env python3
"""Checks proofs that `reelm prove` wrote, each one frame and its path to a sealed head, by docs/FORMAT.md alone and without Reelm.

    proof.py FILE…      a line for each; exit code 1 if any fails; needs the packages of packages.txt, which install.py installs
"""

import json
import struct
import sys
from pathlib import Path

from blake3 import blake3
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

KEYS = dict(format=int, world=str, rootKey=str, seq=int, frame=str, key=str, count=int, path=str, head=str, seal=str)


def need(holds, what):
    if not holds:
        raise ValueError(what)


def derive(context, material):
    return blake3(material, derive_key_context=context).digest()


def head_of(data, at):
    """The head of a CBOR item: its type, its number, and where its content begins."""
    major, info = data[at] >> 5, data[at] & 31
    size = {24: 1, 25: 2, 26: 4, 27: 8}.get(info, 0)
    return major, int.from_bytes(data[at + 1 : at + 1 + size], "big") if size else info, at + 1 + size


def read_frame(frame, signs):
    """The body of a frame, the signature behind it or none, and of what the body says first its format, world and seq."""
    end, tail, at, said = (-66, b"\x58\x40", 2, []) if signs else (-1, b"\xf6", 2, [])
    need(frame[:2] == b"\x82\x96" and frame[end:][:2] == tail, "`frame` is not a body of 22 fields, and a signature or none")
    while len(said) < 7:
        major, number, at = head_of(frame, at)
        need(major in (0, 2, 4), "`frame` does not begin as one")
        said += [] if major == 4 else [number] if major == 0 else [frame[at : at + number]]
        at += number if major == 2 else 0
    return frame[1:end], frame[-64:], said[0], said[1], said[-1]


def beside(seq, count):
    """Whether each subtree beside the way up from a frame stands to its left, from below."""
    left, begin, end = [], 0, count
    while end - begin > 1:
        middle = begin + (1 << ((end - begin - 1).bit_length() - 1))
        left.append(seq >= middle)
        begin, end = (middle, end) if seq >= middle else (begin, middle)
    return left[::-1]


def signed(key, message, signature, what):
    try:
        VerifyKey(key).verify(message, signature)  # libsodium is strict, as FORMAT.md asks
    except (BadSignatureError, ValueError):
        raise ValueError(f"{what} does not hold") from None


def check(text):
    """What a proof proves, as a line."""
    proof = json.loads(text)
    need(type(proof) is dict and list(proof) == list(KEYS), f"expected the keys {', '.join(KEYS)}")
    signs = proof["key"] is not None
    need(all(type(proof[key]) is kind or (key == "key" and not signs) for key, kind in KEYS.items()), "a value is of another type")
    world, root, frame, key, path, head, seal = (bytes.fromhex(proof[key] or "") for key, kind in KEYS.items() if kind is str)
    seq, count = proof["seq"], proof["count"]
    body, signature, form, of, said_seq = read_frame(frame, signs)
    need((proof["format"], form, of, said_seq) == (1, 1, world, seq), "the frame is not that of `world` and `seq`")
    need(0 <= seq < count < 2**64, "the head is over fewer frames")
    sides = beside(seq, count)
    need(len(path) == 32 * len(sides), f"a path of {len(sides)} hashes is expected")
    node = frame_hash = blake3(body).digest()
    for level, is_left in enumerate(sides):
        other = path[32 * level : 32 * level + 32]
        node = derive("reelm 1 node", other + node if is_left else node + other)
    need(derive("reelm 1 head", struct.pack("<Q", count) + node) == head, "the path leads to another head")
    signed(root, head, seal, "the seal of `rootKey` over the head")
    if signs:
        signed(key, frame_hash, signature, "the signature of `key` over the frame")
    return f"frame {seq} of {count} holds, head {head.hex()}, sealed by {root.hex()}"


def main(files):
    failed = 0
    for file in files:
        try:
            print(f"{file}: {check(Path(file).read_text())}")
        except (OSError, ValueError, IndexError) as error:
            failed = 1
            print(f"{file}: {error}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
