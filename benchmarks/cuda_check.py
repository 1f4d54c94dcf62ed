"""Hold the CUDA kernel to the CPU on a machine with a card and nothing but Python and its driver.

    python benchmarks/cuda_check.py make FOLDER     here: needs the extra cuda, but no card
    python benchmarks/cuda_check.py run FOLDER      there: needs a card, and no package at all

``make`` writes the kernel as PTX, the tables of a few rules, and the totals that the CPU finds;
``run`` loads the PTX through the driver, plays the same matches, compares every total, and prints
deals a second.
"""

# ruff: noqa: D102

from __future__ import annotations

import ctypes
import json
import sys
import time
from array import array
from pathlib import Path
from typing import Any

CASES = [
    ("HOYLE lead=any", 4, "random", 20_000), ("HOYLE", 4, "book", 20_000),
    ("PEEL", 5, "random", 10_000), ("PARLETT", 7, "book", 10_000),
    ("HOFFMANN", 3, "random", 10_000),
    ("HOYLE card_money=board dressing=single", 6, "random", 5_000),
    ("HOYLE peek=dealer-sits-out", 10, "book", 5_000),
]  # fmt: skip
SHARE = 64
BLOCK = 128


def make(folder: Path) -> None:
    """Write what ``run`` needs."""
    from popejoan.fast.cuda import ptx
    from popejoan.fast.layout import TOTALS, WORK
    from popejoan.fast.plan import Chunk, Plan, play
    from popejoan.fast.policy import Policy
    from popejoan.fast.tables import tables
    from popejoan.rules import Rules

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernel.ptx").write_text(ptx((9, 0)))
    cases = []
    for text, players, leads, matches in CASES:
        rules = Rules.parse(text)
        plan = Plan(rules, players, Policy[leads.upper()], None, 1810, matches)
        arrays = tables(rules, players)
        cases.append({
            "name": f"{text}, {players} players, {leads}", "matches": matches,
            "policy": int(plan.policy), "seed": plan.seed,
            "shapes": [list(each.shape) for each in arrays],
            "arrays": [each.reshape(-1).tolist() for each in arrays][:3],
            "totals": play(plan, Chunk(0, matches)).tolist(),
        })  # fmt: skip
    subsets = tables(Rules.HOYLE, 4).subsets.tolist()
    whole = {"cases": cases, "subsets": subsets, "TOTALS": TOTALS, "WORK": WORK}
    (folder / "cases.json").write_text(json.dumps(whole))


class Card:
    """A CUDA card through its driver."""

    def __init__(self, text: str) -> None:
        """Load the kernel; an older driver is offered the PTX as of an older version."""
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, 100, device)
        self.name = name.value.decode()
        entry = text.split(".entry ", 1)[1].split("(", 1)[0].strip()
        self.function = ctypes.c_void_p()
        module = ctypes.c_void_p()
        head, rest = text.split(".version ", 1)
        own, rest = rest.split("\n", 1)
        for version in (own, "8.6", "8.3", "8.0"):
            source = f"{head}.version {version}\n{rest}".encode() + b"\0"
            if self.lib.cuModuleLoadData(ctypes.byref(module), source) == 0:
                break
        else:
            raise SystemExit("the driver takes the PTX in no version")
        self.version = version
        self.call("cuModuleGetFunction", ctypes.byref(self.function), module, entry.encode())
        self.registers, self.spilled = self.attribute(4), self.attribute(3)

    def attribute(self, number: int) -> int:
        value = ctypes.c_int()
        self.call("cuFuncGetAttribute", ctypes.byref(value), number, self.function)
        return value.value

    def call(self, name: str, *arguments: Any) -> None:
        names = {"cuMemAlloc", "cuMemcpyHtoD", "cuMemcpyDtoH", "cuMemFree", "cuMemsetD8"}
        code = getattr(self.lib, name + "_v2" if name in names else name)(*arguments)
        if code:
            raise SystemExit(f"{name} failed with {code}")

    def reserve(self, bytes_: int) -> ctypes.c_uint64:
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc", ctypes.byref(pointer), ctypes.c_size_t(bytes_))
        self.call("cuMemsetD8", pointer, ctypes.c_ubyte(0), ctypes.c_size_t(bytes_))
        return pointer

    def put(self, numbers: list[int]) -> ctypes.c_uint64:
        data = array("q", numbers)
        pointer = self.reserve(8 * len(data))
        address, _ = data.buffer_info()
        self.call("cuMemcpyHtoD", pointer, ctypes.c_void_p(address), ctypes.c_size_t(8 * len(data)))
        return pointer

    def get(self, pointer: ctypes.c_uint64, count: int) -> array[int]:
        data = array("q", bytes(8 * count))
        address, _ = data.buffer_info()
        self.call("cuMemcpyDtoH", ctypes.c_void_p(address), pointer, ctypes.c_size_t(8 * count))
        return data


def described(pointer: ctypes.c_uint64, shape: list[int]) -> list[int]:
    """An array as Numba's kernels take it: owner, parent, items, size, data, shape, strides."""
    count = 1
    strides: list[int] = []
    for length in reversed(shape):
        strides.insert(0, 8 * count)
        count *= length
    return [0, 0, count, 8, pointer.value, *shape, *strides]


def play_case(card: Card, whole: dict[str, Any], case: dict[str, Any], matches: int) -> Any:
    """The totals of a case on the card, and the seconds that the kernel took."""
    share = max(1, min(SHARE, matches // 4096))
    threads = -(-matches // share)
    held = [card.put(numbers) for numbers in [*case["arrays"], whole["subsets"]]]
    work = card.reserve(8 * whole["WORK"] * threads)
    totals = card.reserve(8 * whole["TOTALS"] * threads)
    values: list[int] = []
    for pointer, shape in zip(held, case["shapes"]):
        values += described(pointer, shape)
    values += [case["seed"], 0, matches, share, 8, case["policy"]]
    values += described(work, [whole["WORK"], threads])
    values += described(totals, [whole["TOTALS"], threads])
    cells = [ctypes.c_int64(value) for value in values]
    arguments = (ctypes.c_void_p * len(cells))(
        *(ctypes.cast(ctypes.byref(cell), ctypes.c_void_p) for cell in cells)
    )
    begun = time.perf_counter()
    card.call(
        "cuLaunchKernel", card.function, -(-threads // BLOCK), 1, 1, BLOCK, 1, 1, 0, None,
        arguments, None,
    )  # fmt: skip
    card.call("cuCtxSynchronize")
    taken = time.perf_counter() - begun
    columns = card.get(totals, whole["TOTALS"] * threads)
    found = [sum(columns[n * threads : (n + 1) * threads]) for n in range(whole["TOTALS"])]
    for pointer in (*held, work, totals):
        card.call("cuMemFree", pointer)
    return found, taken


def run(folder: Path) -> int:
    """Compare every case, then measure; the number of cases that differ."""
    whole = json.loads((folder / "cases.json").read_text())
    card = Card((folder / "kernel.ptx").read_text())
    print(f"{card.name}; PTX {card.version}; {card.registers} registers, {card.spilled} B local")
    wrong = 0
    for case in whole["cases"]:
        found, _ = play_case(card, whole, case, case["matches"])
        same = found == case["totals"]
        wrong += not same
        differ = [n for n, total in enumerate(case["totals"]) if found[n] != total]
        says = f"DIFFERS at totals {differ[:9]}" if differ else "equal"
        print(f"{says}: {case['name']}", flush=True)
    for case in whole["cases"][:2]:
        for matches in (1 << 20, 1 << 23):
            taken = min(play_case(card, whole, case, matches)[1] for _ in range(3))
            rate = matches * 8 / taken / 1e6
            print(f"{case['name']}: {rate:,.0f} M deals/s over {matches * 8:,} deals")
    return wrong


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("make", "run"):
        raise SystemExit(__doc__)
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        raise SystemExit(run(Path(sys.argv[2])))
