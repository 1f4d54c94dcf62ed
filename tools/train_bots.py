"""Train the weights of the bots *counter* and *sharp* by self-play, and write them to a file.

    python tools/train_bots.py --lead any --minutes 10 --out src/popejoan/bots/weights-any.json

Each round of training plays deals with the present policy in every seat and notes, at every choice,
what each legal lead comes to in that very deal when it is played on by the policy. The deal is one
drawn from all that the leader could have met, so this is a fair sample of what the lead is worth
to someone who knows what the leader knows. The weights are then moved so that leads of greater
worth are chosen more often, and so that scores come near the worth. No other data are used.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import tempfile
import time
from pathlib import Path

import numpy as np

try:
    import cupy as xp
except ImportError:
    xp = np

from popejoan.fast.layout import BOOK
from popejoan.fast.playouts import contest, lessons
from popejoan.fast.tables import tables
from popejoan.fast.weighing import packed
from popejoan.features import FEATURES, ONE, Scorer
from popejoan.rules import Lead, Rules

COUNT = len(FEATURES)
RULES = {
    "any": (Rules.CASSELL, Rules.PEEL, Rules.HOFFMANN, Rules(lead=Lead.ANY)),
    "lowest": (Rules.PARLETT, Rules(lead=Lead.LOWEST)),
    "book": (Rules.HOYLE,),
}


def advantage(rules, players, one, field, deals, seed):
    """Counters a deal that ``one`` wins more than ``field`` in the same seat, and its error."""
    nets = packed(
        [net for net in (one, field) if isinstance(net, Scorer)] or [Scorer((0,) * COUNT)]
    )
    first = 0 if isinstance(one, Scorer) else one
    other = (1 if isinstance(one, Scorer) else 0) if isinstance(field, Scorer) else field
    seatings = np.full((players + 1, players), other, dtype=np.int64)
    for seat in range(players):
        seatings[seat + 1, seat] = first
    gains = []
    each = 50
    for match in range(math.ceil(deals / each)):
        results = np.zeros((each, players + 1, players), dtype=np.int64)
        boards = np.zeros((each, 8), dtype=np.int64)
        contest(
            *tables(rules, players), np.uint64(seed), match, each, nets, seatings, results, boards
        )
        gain = sum(results[:, seat + 1, seat] - results[:, 0, seat] for seat in range(players))
        gains.append(gain / players)
    gain = np.concatenate(gains)
    return gain.mean(), gain.std() / math.sqrt(len(gain))


def gather(job):
    """Choices met in self-play, kept in a file: features, worth of each lead, how many leads."""
    rules, players, policy, choices, seed, stray, folder = job
    nets = packed([policy if isinstance(policy, Scorer) else Scorer((0,) * COUNT)])
    number = 0 if isinstance(policy, Scorer) else policy
    policies = np.full(players, number, dtype=np.int64)
    most = min(50 // players, 25) if players < 6 else 9
    rows = np.zeros((choices, most, COUNT), dtype=np.float32)
    values = np.zeros((choices, most), dtype=np.float32)
    counts = np.zeros(choices, dtype=np.int64)
    met = match = 0
    while met < choices:
        met += lessons(
            *tables(rules, players),
            np.uint64(seed),
            match,
            32,
            nets,
            policies,
            int(stray * 2**32),
            rows[met:],
            values[met:],
            counts[met:],
        )
        match += 1
    path = Path(folder) / f"{seed}.npz"
    np.savez(
        path,
        rows=(rows / ONE).astype(np.float16),
        values=values.astype(np.float16),
        counts=counts.astype(np.int32),
    )
    return path


def fetch(jobs, many):
    """Gather in all processes, and bring the choices together by shape."""
    found = {}
    for path in many(gather, jobs):
        with np.load(path) as kept:
            found.setdefault(kept["rows"].shape[1], []).append(
                [kept["rows"], kept["values"], kept["counts"]]
            )
        path.unlink()
    return [
        tuple(xp.asarray(np.concatenate(part)) for part in zip(*each)) for each in found.values()
    ]


def host(values):
    """An array on this side of an accelerator."""
    return values.get() if hasattr(values, "get") else values


class Net:
    """Floats that become a Scorer."""

    def __init__(self, units, rng):
        self.scale = xp.ones(COUNT)
        self.units = units
        self.linear = xp.zeros(COUNT)
        self.hidden = xp.asarray(rng.normal(size=(COUNT, units))) * (1.5 / math.sqrt(COUNT))
        self.bias = xp.asarray(rng.normal(size=units)) * 0.3
        self.out = xp.zeros(units)

    def parts(self):
        return [self.linear, self.hidden, self.bias, self.out] if self.units else [self.linear]

    def set_parts(self, parts):
        self.linear = parts[0]
        if self.units:
            self.hidden, self.bias, self.out = parts[1:]

    def scorer(self):
        linear = host(self.linear * self.scale)
        hidden = host(self.hidden * self.scale[:, None])
        whole = lambda values, times: tuple(int(round(v * times)) for v in values)
        return Scorer(
            whole(linear, 2**20),
            tuple(whole(hidden[:, unit], 2**10) for unit in range(self.units)),
            whole(host(self.bias), 2**20) if self.units else (),
            whole(host(self.out), 2**10) if self.units else (),
        )

    def gradient(self, x, mask, values, heat, pull):
        b, m, _ = x.shape
        flat = x.reshape(b * m, COUNT)
        score = flat @ self.linear
        if self.units:
            before = flat @ self.hidden + self.bias
            unit = xp.maximum(before, 0)
            score = score + unit @ self.out
        score = score.reshape(b, m)
        number = mask.sum(axis=1, keepdims=True)
        centred = xp.where(mask, score - (score * mask).sum(axis=1, keepdims=True) / number, 0)
        target = xp.where(mask, values - (values * mask).sum(axis=1, keepdims=True) / number, 0)
        odds = xp.where(
            mask, xp.exp(xp.clip((centred - centred.max(axis=1, keepdims=True)) / heat, -60, 0)), 0
        )
        odds /= odds.sum(axis=1, keepdims=True)
        mean = (odds * target).sum(axis=1, keepdims=True)
        d = -odds * (target - mean) / heat / b
        d += pull * xp.where(mask, centred - target, 0) / number / b
        d = d.reshape(b * m)
        grads = [flat.T @ d]
        if self.units:
            back = xp.outer(d, self.out) * (before > 0)
            grads += [flat.T @ back, back.sum(axis=0), unit.T @ d]
        return grads, mean.mean()


def fit(net, data, steps, batch, rng, rate=0.003, heat=0.7, pull=0.05):
    """Adam over the choices."""
    parts = net.parts()
    first = [xp.zeros_like(p) for p in parts]
    second = [xp.zeros_like(p) for p in parts]
    weights = np.array([len(each[2]) for each in data], dtype=float)
    weights /= weights.sum()
    got = 0.0
    for step in range(1, steps + 1):
        rows, values, counts = data[rng.choice(len(data), p=weights)]
        at = xp.asarray(rng.integers(0, len(counts), batch))
        most = int(counts[at].max())
        x = rows[at, :most].astype(xp.float32) * net.scale.astype(xp.float32)
        mask = xp.arange(most)[None, :] < counts[at][:, None]
        grads, mean = net.gradient(x, mask, values[at, :most].astype(xp.float32), heat, pull)
        if step % 20 == 1:
            got += (float(mean) - got) * max(0.1, 20 / (step + 19))
        now = rate * min(1, step / 100) * (0.5 * (1 + math.cos(math.pi * step / steps)) + 0.02)
        for p, m, v, g in zip(parts, first, second, grads):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            p -= now * (m / (1 - 0.9**step)) / (xp.sqrt(v / (1 - 0.999**step)) + 1e-9)
    return got


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--lead", choices=tuple(RULES), default="any")
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--choices", type=int, default=150_000)
    asked.add_argument("--steps", type=int, default=3000)
    asked.add_argument("--batch", type=int, default=2048)
    asked.add_argument("--units", type=int, default=32)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--jobs", type=int, default=1)
    asked.add_argument("--seconds", type=float, default=math.inf, help="begin no round after this")
    asked.add_argument("--out", type=Path, required=True)
    given = asked.parse_args()
    rng = np.random.default_rng(given.seed)
    books = RULES[given.lead]
    folder = tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
    began = time.time()
    gather((books[0], 4, Scorer((0,) * COUNT), 10, 1, 0.1, folder)).unlink()
    advantage(books[0], 4, BOOK, BOOK, 10, 1)
    print(f"{time.time() - began:.0f}s compiled", flush=True)
    pool = multiprocessing.get_context("fork").Pool(given.jobs) if given.jobs > 1 else None
    many = (lambda f, jobs: pool.map(f, jobs, 1)) if pool else map
    shapes = [(books[0], 4)] * 4 + [
        (books[n % len(books)], players)
        for n, players in enumerate((4, 4, 4, 3, 3, 5, 5, 6, 6, 2, 7, 8))
    ]
    policy, counter = BOOK, None
    linear, net = Net(0, rng), Net(given.units, rng)
    told, data = [], []
    for number in range(given.rounds):
        if time.time() - began > given.seconds:
            break
        each = given.choices // len(shapes)
        new = fetch(
            [
                (
                    rules,
                    players,
                    policy,
                    each,
                    given.seed * 1000 + number * 50 + n,
                    0.3 if number == 0 else 0.1,
                    folder,
                )
                for n, (rules, players) in enumerate(shapes)
            ],
            many,
        )
        gathered = time.time() - began
        # The first round is of another kind of play, so it is not kept.
        data = (data if number > 1 else []) + [new]
        data = data[-2:]
        flat = [part for some in data for part in some]
        if number == 0:
            some = [
                (host(rows[:10000]).astype(np.float32), host(counts[:10000]))
                for rows, _, counts in new
            ]
            here = np.concatenate(
                [rows[np.arange(rows.shape[1])[None] < counts[:, None]] for rows, counts in some]
            )
            scale = 1 / np.maximum(here.std(axis=0), 0.05)
            linear.scale = net.scale = xp.asarray(scale)
        if number < 4:
            fit(linear, flat, given.steps // 3, given.batch, rng, rate=0.01)
            counter = linear.scorer()
        got = fit(
            net,
            flat,
            given.steps // (1 if number else 2),
            given.batch,
            rng,
            rate=0.004 if number < 3 else 0.002,
        )
        policy = net.scorer()
        line = {"round": number, "seconds": round(time.time() - began)}
        pairs = {
            "counter-book": (counter, BOOK),
            "sharp-counter": (policy, counter),
            "sharp-book": (policy, BOOK),
        }
        runs = [
            (books[0], 4, a, b, 2500, 77 + part) for a, b in pairs.values() for part in range(4)
        ]
        gains = list(many(measured, runs))
        for at, name in enumerate(pairs):
            four = gains[4 * at : 4 * at + 4]
            gain = sum(g for g, _ in four) / 4
            error = math.sqrt(sum(e * e for _, e in four)) / 4
            line[name] = f"{gain:+.3f} ({error:.3f})"
        told.append(line)
        print(f"{gathered:.0f}s gathered", line, f"{got:.3f}", flush=True)
        command = " ".join(
            f"--{name} {value}"
            for name, value in vars(given).items()
            if name not in ("out", "jobs", "seconds")
        )
        given.out.write_text(
            json.dumps(
                {
                    "lead": given.lead,
                    "made": f"tools/train_bots.py {command}",
                    "rounds": told,
                    "counter": counter.linear,
                    "linear": policy.linear,
                    "hidden": policy.hidden,
                    "bias": policy.bias,
                    "out": policy.out,
                }
            )
            .replace("], [", "],\n[")
            .replace('", "', '",\n"')
            + "\n"
        )


def measured(run):
    """``advantage`` of a tuple of arguments."""
    return advantage(*run)


if __name__ == "__main__":
    main()
