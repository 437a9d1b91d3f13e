#!/usr/bin/env python3
"""Folds the lines of `reelm export --lines facts`, and compares what comes of them with what `reelm see --at` has shown.

    fold.py FACTS SEEN      prints each field that was compared, and how often; exit code 1 at the first that differs

FACTS holds all facts from the first frame on. SEEN holds lines in the order of their points, `{"seq": …, "at": …, "address": …, "seen": …}`:
what an address showed in the world of all frames below that seq, at that instant in milliseconds.

What somebody wears follows from flows and not from facts alone, and so does what else is not in the lists of FIELDS.
"""

import json
import math
import sys
from datetime import datetime, timedelta

BEING = "kind id name address parent home position coords cognition defaultRole inhabitedBy paused ended qualities holds"
SPACE = "kind id name address type size owner allow paused count qualities beings spaces matter contributors"
MATTER = "kind id name address type coords author content qualities holds"
FIELDS = {"being": BEING.split(), "space": SPACE.split(), "matter": MATTER.split()}
#: Of the facts that say nothing of what is compared.
SILENT = {"said", "claimed", "claim-ended", "asked", "keyed", "reserved", "spent", "settled", "narrowed", "requeued", "rule-set", "role-set-in", "granted"}
SILENT |= {"left-out", "config-set-in", "panel-set", "loss-accepted", "owned"}
#: The registers that only the root has.
OF_THE_WORLD = {"signals", "config", "roles", "scripts", "extensions"}
#: How many of a list are shown.
PAGE = 64
EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
WHOLE_MAX = 2**53
FADING = {"from", "to", "at", "over"}
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def order(thing):
    """Things stand in the order of the facts that made them."""
    seq, index = thing[1:].split(".")
    return int(seq), int(index)


def as_number(x):
    """A whole float is an integer; no number is anything but finite."""
    if isinstance(x, float) and x.is_integer() and abs(x) <= WHOLE_MAX:
        return int(x)
    return x if not isinstance(x, float) or math.isfinite(x) else None


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def is_fading(value):
    return isinstance(value, dict) and value.keys() == FADING


def read_at(value, at):
    """A value with each fading number as it is at an instant."""
    if is_fading(value):
        begin, end = (round(value[key] * 1000) for key in ("from", "to"))
        gone = (end - begin) * min(max(at - value["at"], 0), value["over"])
        # It leaves its beginning late, in either direction.
        return as_number((begin + abs(gone) // value["over"] * (1 if gone >= 0 else -1)) / 1000)
    return {key: read_at(inner, at) for key, inner in value.items()} if isinstance(value, dict) else value


def change(root, path, new):
    """Puts what `new` makes of the old value at a path; None takes it away, and an empty map goes with its last key."""
    *above, last = path.split(".")
    maps = [root]
    for key in above:
        inner = maps[-1].get(key, {})
        if not isinstance(inner, dict) or is_fading(inner):
            return
        maps.append(inner)
    made = new(maps[-1].get(last))
    if made is None:
        maps[-1].pop(last, None)
    else:
        maps[-1][last] = made
    for key, outer, inner in reversed(list(zip(above, maps, maps[1:]))):
        if inner:
            outer[key] = inner
        else:
            outer.pop(key, None)


def added(old, by):
    """A number and another; whatever cannot be added to stays."""
    old = 0 if old is None else old
    if not is_number(old) or not is_number(by):
        return old
    both = as_number(old + by)
    fits = both is not None and (isinstance(both, float) or -(2**63) <= both < 2**63)
    return both if fits else old


def pushed(old, value, keep):
    """A list with one item more, and of all only the newest."""
    old = [] if old is None else old
    if not isinstance(old, list):
        return old
    grown = [*old, value]
    return grown if keep is None else grown[max(len(grown) - keep, 0) :]


class World:
    """What the facts so far come to."""

    def __init__(self):
        self.beings, self.spaces, self.matter, self.named_beings = {}, {}, {}, {}
        self.signals, self.config, self.roles, self.scripts, self.extensions = {}, {}, {}, {}, {}

    def take(self, line):
        """Folds the fact of one line."""
        kind, made = line["kind"], f"{line['seq']}.{line['index']}"
        if kind not in SILENT:
            # Only @world is there before anybody is born: its own first fact is its birth.
            who = self.named_beings.get(line["being"], f"b{made}")
            at = (datetime.fromisoformat(line["time"]) - EPOCH) // timedelta(milliseconds=1)
            getattr(self, kind.replace("-", "_"))(line["fact"], made, who, at)

    def thing(self, named):
        return {"b": self.beings, "s": self.spaces, "m": self.matter}[named[0]].get(named, {"qualities": {}})

    def born(self, fact, made, who, at):
        self.named_beings[fact["name"]] = f"b{made}"
        self.beings[f"b{made}"] = {**fact, "position": fact["home"], "qualities": fact["qualities"] or {}, "flow": fact["flow"] or []}
        self.beings[f"b{made}"] |= {"paused": False, "ended": False, "driver": None, "schedules": {}}
        self.counted(fact["home"], 1)

    def counted(self, space, more):
        """How many stand in a space."""
        if space in self.spaces:
            self.spaces[space]["count"] = max(self.spaces[space]["count"] + more, 0)

    def space_made(self, fact, made, who, at):
        self.spaces[f"s{made}"] = {**fact, "qualities": {}, "allow": [], "contributors": set(), "paused": False, "flow": []}
        # The world itself is born before the root in which it stands.
        self.spaces[f"s{made}"]["count"] = sum(being["position"] == f"s{made}" for being in self.beings.values())

    def matter_made(self, fact, made, who, at):
        self.matter[f"m{made}"] = {**fact, "author": who, "qualities": {}}

    def drafted(self, fact, made, who, at):
        drawn_up = {"name": fact["name"], "kind": "draft", "place": fact["holder"], "coords": None, "content": fact["content"]}
        self.matter_made(drawn_up, made, who, at)

    def ended(self, fact, made, who, at):
        of = fact["of"]
        if of[0] != "b":
            (self.spaces if of[0] == "s" else self.matter).pop(of, None)
            return
        being = self.beings[of]
        being |= {"ended": True, "schedules": {}}
        self.counted(being["position"], -1)
        operator = self.named_beings.get(self.config.get("operator"), "b0.0")
        for space in self.spaces.values():
            space["contributors"].discard(of)
            if space["owner"] == of:
                heir = operator if operator != of else "b0.0"
                space["owner"] = heir if space["parent"] is None else None
        for driven in self.beings.values() if being["cognition"] == "human" else ():
            if self.driver(driven, at) == of:
                driven["driver"] = None

    def named(self, fact, made, who, at):
        self.thing(fact["of"]).update(name=fact["name"], kind=fact["kind"])

    def sized(self, fact, made, who, at):
        self.thing(fact["space"])["size"] = fact["size"]

    def moved(self, fact, made, who, at):
        thing, holder = self.thing(fact["of"]), {"b": "position", "s": "parent", "m": "place"}[fact["of"][0]]
        if thing.get("ended"):
            return
        if holder == "position":
            self.counted(thing[holder], -1)
            self.counted(fact["to"], 1)
        thing.update({holder: fact["to"], "coords": fact["coords"]})

    def filled(self, fact, made, who, at):
        self.thing(fact["matter"])["content"] = fact["content"]

    def quality_set(self, fact, made, who, at):
        change(self.thing(fact["of"])["qualities"], fact["path"], lambda old: fact["value"])

    def quality_unset(self, fact, made, who, at):
        change(self.thing(fact["of"])["qualities"], fact["path"], lambda old: None)

    def quality_inc(self, fact, made, who, at):
        change(self.thing(fact["of"])["qualities"], fact["path"], lambda old: added(old, fact["by"]))

    def quality_push(self, fact, made, who, at):
        change(self.thing(fact["of"])["qualities"], fact["path"], lambda old: pushed(old, fact["value"], fact["keep"]))

    def signalled(self, fact, made, who, at):
        change(self.signals, fact["path"], lambda old: fact["value"])

    def role_set(self, fact, made, who, at):
        self.put(self.roles, fact["name"], fact["role"])

    def script_set(self, fact, made, who, at):
        self.scripts[fact["name"]] = fact["source"]

    def extension_set(self, fact, made, who, at):
        _, kept = self.extensions.get(fact["name"], (False, {}))
        self.extensions[fact["name"]] = fact["enabled"], kept if fact["manifest"] is None else fact["manifest"]

    def config_set(self, fact, made, who, at):
        self.put(self.config, fact["key"], fact["value"])

    def put(self, register, key, value):
        register.pop(key, None)
        if value is not None:
            register[key] = value

    def flow_set(self, fact, made, who, at):
        self.thing(fact["being"])["flow"] = fact["flow"]

    def flow_set_in(self, fact, made, who, at):
        self.thing(fact["space"])["flow"] = fact["flow"]

    def default_role_set(self, fact, made, who, at):
        self.thing(fact["being"])["default_role"] = fact["role"]

    def cognition_set(self, fact, made, who, at):
        self.thing(fact["being"])["cognition"] = fact["cognition"]

    def home_set(self, fact, made, who, at):
        self.thing(fact["being"])["home"] = fact["home"]

    def rekeyed(self, fact, made, who, at):
        self.thing(who)["key"] = fact["key"]

    def owner_set(self, fact, made, who, at):
        self.thing(fact["space"])["owner"] = fact["owner"]

    def contributor_set(self, fact, made, who, at):
        contributors = self.thing(fact["space"])["contributors"]
        (contributors.add if fact["yes"] else contributors.discard)(fact["being"])

    def allow_set(self, fact, made, who, at):
        self.thing(fact["space"])["allow"] = fact["allow"]

    def schedule_set(self, fact, made, who, at):
        self.thing(fact["being"])["schedules"][fact["name"]] = fact["timing"]

    def schedule_ended(self, fact, made, who, at):
        self.thing(fact["being"])["schedules"].pop(fact["name"], None)

    def paused(self, fact, made, who, at):
        if fact["of"] is not None:
            self.thing(fact["of"])["paused"] = True

    def resumed(self, fact, made, who, at):
        if fact["of"] is not None:
            self.thing(fact["of"])["paused"] = False

    def inhabited(self, fact, made, who, at):
        self.thing(fact["being"])["driver"] = fact["driver"], fact["until"]

    def released(self, fact, made, who, at):
        self.thing(fact["being"])["driver"] = None

    def driver(self, being, at):
        driver, until = being["driver"] or (None, at)
        return driver if until > at else None

    # What an address shows.

    def path(self, space):
        names = []
        while self.spaces[space]["parent"] is not None:
            names.insert(0, self.spaces[space]["name"])
            space = self.spaces[space]["parent"]
        return "/" + "/".join(names)

    def address(self, id):
        if id is None:
            return None
        if id[0] == "m":
            return f"{self.address(self.matter[id]['place']).rstrip('/')}/{self.matter[id]['name']}"
        return self.path(id) if id[0] == "s" else f"@{self.beings[id]['name']}"

    def held_in(self, holder):
        return sorted(it["name"] for it in self.matter.values() if it["place"] == holder)[:PAGE]

    def shown(self, id, at):
        """All that is compared of a thing, by the name of its field."""
        it = self.thing(id)
        common = {"id": id, "name": it["name"], "address": self.address(id), "qualities": read_at(it["qualities"], at)}
        return common | {"b": self.being, "s": self.space, "m": self.piece}[id[0]](id, it, at)

    def being(self, id, it, at):
        same = {key: it[key] for key in ("coords", "cognition", "paused", "ended")}
        places = {"parent": self.address(it["parent"]), "home": self.path(it["home"]), "position": self.path(it["position"])}
        mind = {"defaultRole": it["default_role"], "inhabitedBy": self.address(self.driver(it, at))}
        return {"kind": "being", "holds": self.held_in(id), **same, **places, **mind}

    def space(self, id, it, at):
        here = [being for being, other in self.beings.items() if other["position"] == id and not other["ended"]]
        lists = {"beings": [self.beings[being]["name"] for being in sorted(here, key=order)[:PAGE]], "matter": self.held_in(id)}
        lists["spaces"] = sorted(space["name"] for space in self.spaces.values() if space["parent"] == id)[:PAGE]
        lists["contributors"] = [self.address(being) for being in sorted(it["contributors"], key=order)[:PAGE]]
        same = {key: it[key] for key in ("size", "allow", "paused", "count")}
        return {"kind": "space", "type": it["kind"], "owner": self.address(it["owner"]), **same, **lists}

    def piece(self, id, it, at):
        same = {key: it[key] for key in ("coords", "content")}
        return {"kind": "matter", "type": it["kind"], "author": self.address(it["author"]), "holds": self.held_in(id), **same}

    def register(self, of, name, entry):
        """What a register shows: of the world, of a space or of a being."""
        if of is not None:
            children = sorted((id for id, it in self.beings.items() if it["parent"] == of and not it["ended"]), key=order)
            listed = {"list": [self.address(child) for child in children[:PAGE]], "more": max(len(children) - PAGE, 0)}
            return {"children": listed, "key": did(self.thing(of).get("key"))}.get(name, self.thing(of).get(name))
        whole = {"signals": self.signals, "config": self.config, "roles": sorted(self.roles), "scripts": sorted(self.scripts)}
        whole["extensions"] = {extension: enabled for extension, (enabled, _) in self.extensions.items()}
        entries = {"scripts": self.scripts, "config": self.config, "extensions": {key: it for key, (_, it) in self.extensions.items()}}
        return entries[name].get(entry) if entry else whole[name]


def did(key):
    """A public key as it is shown."""
    number, digits = int("ed01" + key, 16) if key else 0, ""
    while number:
        number, digit = divmod(number, 58)
        digits = BASE58[digit] + digits
    return f"did:key:z{digits}"


def told(value):
    """Whether it is a number or a truth counts too, so values are compared as they are written."""
    return json.dumps(value, sort_keys=True)


def names(value):
    """Of things that are shown in short, only their names are compared."""
    return [it["name"] if isinstance(it, dict) else it for it in value]


def pairs(world, address, seen, at):
    """Each field of what was seen that is compared: its name, and what comes of the facts."""
    before, dot, register = address.partition("/.")
    named = {world.address(id): id for every in (world.beings, world.spaces, world.matter) for id in every}
    if dot:
        name, _, entry = register.partition("/")
        of = None if name in OF_THE_WORLD else named[before or "/"]
        yield f".{name}" + ("/…" if entry else ""), seen, world.register(of, name, entry)
        return
    shown = world.shown(named[address], at)
    for field in FIELDS[shown["kind"]]:
        is_list = field in ("holds", "beings", "matter")
        yield f"{shown['kind']} {field}", names(seen[field]) if is_list else seen[field], shown[field]


def main(facts, seen):
    world, compared = World(), {}
    with open(facts, encoding="utf-8") as facts, open(seen, encoding="utf-8") as seen:
        ahead = json.loads(next(facts))
        for line in map(json.loads, seen):
            while ahead is not None and ahead["seq"] < line["seq"]:
                world.take(ahead)
                ahead = next(map(json.loads, facts), None)
            for field, shown, folded in pairs(world, line["address"], line["seen"], line["at"]):
                if told(shown) != told(folded):
                    where = f"below {line['seq']}, `{line['address']}`, {field}"
                    sys.exit(f"{where}: shown {told(shown)}, but the facts say {told(folded)}")
                compared[field] = compared.get(field, 0) + 1
    for field in sorted(compared):
        print(f"{compared[field]:6} {field}")


if __name__ == "__main__":
    main(*sys.argv[1:])
