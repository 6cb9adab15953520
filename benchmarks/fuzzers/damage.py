"""Functions that damage bytes and JSON-serialisable data, as faulty disks, transfers, editors and forgers do."""

import copy
import json

NUMBERS = (
    0, -1, 1, 2, 7, 2**31 - 1, 2**31, 2**53, 2**63, 10**30, 10**400, -(10**400), 0.5, -0.0, 1e-320, 1e6, 1e308,
    float("nan"), float("inf"), float("-inf"),
)  # fmt: skip
VALUES = (
    *NUMBERS,
    None,
    True,
    False,
    "",
    "no",
    "\ud800",
    "nan",
    [],
    [[]],
    {},
    {"array": [1], "shape": [9], "dtype": "O"},
)


def damaged(content, rng, others=()):
    """Return damaged bytes: for example, one bit is flipped, or a range of bytes is removed, duplicated or zeroed."""
    content = bytearray(content)
    size = max(len(content), 1)
    first, second = sorted(rng.integers(size + 1, size=2).tolist())
    way = rng.integers(10)
    if way <= 2 and content:
        content[rng.integers(len(content))] ^= 1 << int(rng.integers(8))
    elif way == 3:
        content = content[:first]
    elif way == 4:
        del content[first : first + int(rng.integers(1, 65))]
    elif way == 5:
        content[first:first] = content[first : first + int(rng.integers(1, 65))] or b"?"
    elif way == 6:
        content[first:second] = bytes(second - first)
    elif way == 7:
        content[first : first + 1] = rng.integers(256, size=int(rng.integers(1, 9)), dtype="u1").tobytes()
    elif way == 8:
        lines = bytes(content).split(b"\n")
        place, other = rng.integers(len(lines), size=2).tolist()
        content = b"\n".join(lines[:place] + (lines[place : place + 1] * 2 if other % 2 else []) + lines[place + 1 :])
    elif others:
        content = others[rng.integers(len(others))]
    else:
        content = rng.integers(256, size=int(rng.integers(200)), dtype="u1").tobytes()
    return bytes(content)


def forged(data, rng):
    """Return a copy of the data with one value, at any depth, removed, duplicated or replaced."""
    data = copy.deepcopy(data)
    places = []

    def walk(value):
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, item in inner:
            places.append((value, key))
            walk(item)

    walk(data)
    if not places:
        return VALUES[rng.integers(len(VALUES))]
    # positions are drawn log-uniformly, because a uniform draw would mostly select items of long lists
    holder, key = places[int(len(places) ** rng.random()) - 1]
    way = rng.integers(8)
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif way == 2 and isinstance(holder, dict):
        holder[f"{key}s"] = holder.pop(key)
    elif way == 3 and isinstance(holder[key], list):
        holder[key] = holder[key][: int(rng.integers(len(holder[key]) + 1))]
    elif way == 4 and isinstance(holder[key], int | float):
        holder[key] = type(holder[key])(holder[key] + int(rng.choice((-1, 1))))
    else:
        holder[key] = VALUES[rng.integers(len(VALUES))]
    return data


def text_of(data):
    """Return data as JSON text; non-finite numbers are written as well, although JSON does not allow them."""
    return json.dumps(data)
