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
import time
from pathlib import Path

import numpy as np

from popejoan.fast.playouts import contest, lessons
from popejoan.fast.tables import tables
from popejoan.fast.weighing import BOOK, packed
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
    nets = packed([net for net in (one, field) if isinstance(net, Scorer)] or [Scorer((0,) * COUNT)])
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
        contest(*tables(rules, players), np.uint64(seed), match, each, nets, seatings, results, boards)
        gain = sum(results[:, seat + 1, seat] - results[:, 0, seat] for seat in range(players))
        gains.append(gain / players)
    gain = np.concatenate(gains)
    return gain.mean(), gain.std() / math.sqrt(len(gain))


def gather(rules, players, policy, choices, seed, stray=0.1):
    """Choices met in self-play: features, worth of each lead, how many leads."""
    nets = packed([policy if isinstance(policy, Scorer) else Scorer((0,) * COUNT)])
    number = 0 if isinstance(policy, Scorer) else policy
    policies = np.full(players, number, dtype=np.int64)
    most = 50 // players if players < 6 else 9
    rows = np.zeros((choices, most, COUNT), dtype=np.float32)
    values = np.zeros((choices, most), dtype=np.float32)
    counts = np.zeros(choices, dtype=np.int64)
    met = match = 0
    while met < choices:
        met += lessons(
            *tables(rules, players), np.uint64(seed), match, 32, nets, policies,
            int(stray * 2**32), rows[met:], values[met:], counts[met:],
        )
        match += 1
    return rows, values, counts


class Net:
    """Floats that become a Scorer."""

    def __init__(self, units, rng, start=None):
        self.scale = np.ones(COUNT)
        self.units = units
        self.linear = np.zeros(COUNT)
        self.hidden = rng.normal(size=(COUNT, units)) * (1.5 / math.sqrt(COUNT))
        self.bias = rng.normal(size=units) * 0.3
        self.out = np.zeros(units)

    def parts(self):
        return [self.linear, self.hidden, self.bias, self.out] if self.units else [self.linear]

    def set_parts(self, parts):
        self.linear = parts[0]
        if self.units:
            self.hidden, self.bias, self.out = parts[1:]

    def scorer(self):
        linear = self.linear * self.scale
        hidden = self.hidden * self.scale[:, None]
        whole = lambda values, times: tuple(int(round(v * times)) for v in values)
        return Scorer(
            whole(linear, 2**20),
            tuple(whole(hidden[:, unit], 2**10) for unit in range(self.units)),
            whole(self.bias, 2**20) if self.units else (),
            whole(self.out, 2**10) if self.units else (),
        )

    def gradient(self, x, mask, values, heat, pull):
        b, m, _ = x.shape
        flat = x.reshape(b * m, COUNT)
        score = flat @ self.linear
        if self.units:
            before = flat @ self.hidden + self.bias
            unit = np.maximum(before, 0)
            score = score + unit @ self.out
        score = score.reshape(b, m)
        number = mask.sum(axis=1, keepdims=True)
        centred = np.where(mask, score - (score * mask).sum(axis=1, keepdims=True) / number, 0)
        target = np.where(mask, values - (values * mask).sum(axis=1, keepdims=True) / number, 0)
        odds = np.where(mask, np.exp(np.clip((centred - centred.max(axis=1, keepdims=True)) / heat, -60, 0)), 0)
        odds /= odds.sum(axis=1, keepdims=True)
        mean = (odds * target).sum(axis=1, keepdims=True)
        d = -odds * (target - mean) / heat / b
        d += pull * np.where(mask, centred - target, 0) / number / b
        d = d.reshape(b * m)
        grads = [flat.T @ d]
        if self.units:
            back = np.outer(d, self.out) * (before > 0)
            grads += [flat.T @ back, back.sum(axis=0), unit.T @ d]
        return grads, mean.mean()


def fit(net, data, steps, batch, rng, rate=0.003, heat=0.7, pull=0.05):
    """Adam over the choices."""
    parts = net.parts()
    first = [np.zeros_like(p) for p in parts]
    second = [np.zeros_like(p) for p in parts]
    weights = np.array([len(each[2]) for each in data], dtype=float)
    weights /= weights.sum()
    got = 0.0
    for step in range(1, steps + 1):
        rows, values, counts = data[rng.choice(len(data), p=weights)]
        at = rng.integers(0, len(counts), batch)
        most = counts[at].max()
        x = rows[at, :most].astype(np.float32) / ONE * net.scale.astype(np.float32)
        mask = np.arange(most)[None, :] < counts[at][:, None]
        grads, mean = net.gradient(x, mask, values[at, :most], heat, pull)
        got += (mean - got) * max(0.02, 1 / step)
        now = rate * min(1, step / 100) * (0.5 * (1 + math.cos(math.pi * step / steps)) + 0.02)
        for p, m, v, g in zip(parts, first, second, grads):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            p -= now * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-9)
    return got


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--lead", choices=tuple(RULES), default="any")
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--choices", type=int, default=150_000)
    asked.add_argument("--steps", type=int, default=3000)
    asked.add_argument("--units", type=int, default=32)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--out", type=Path, required=True)
    given = asked.parse_args()
    rng = np.random.default_rng(given.seed)
    books = RULES[given.lead]
    shapes = [(books[0], 4), (books[0], 4)] + [
        (books[n % len(books)], players) for n, players in enumerate((4, 3, 5, 6, 4, 2, 8))
    ]
    policy, counter = BOOK, None
    linear, net = Net(0, rng), Net(given.units, rng)
    began = time.time()
    told = []
    for number in range(given.rounds):
        data = [
            gather(rules, players, policy, given.choices // len(shapes), given.seed * 1000 + number * 50 + n,
                   0.3 if policy == BOOK else 0.1)
            for n, (rules, players) in enumerate(shapes)
        ]
        print(f"{time.time() - began:.0f}s gathered", flush=True)
        if number == 0:
            each = np.concatenate([rows[np.arange(rows.shape[1])[None] < counts[:, None]] for rows, _, counts in data])
            scale = 1 / np.maximum((each / ONE).std(axis=0), 1e-3)
            linear.scale = net.scale = scale
        if number < 3:
            fit(linear, data, given.steps // 2, 2048, rng, rate=0.01)
            counter = linear.scorer()
        got = fit(net, data, given.steps if number else given.steps // 2, 2048, rng)
        policy = net.scorer()
        line = {"round": number, "seconds": round(time.time() - began)}
        for name, (a, b) in {"counter-book": (counter, BOOK), "sharp-counter": (policy, counter), "sharp-book": (policy, BOOK)}.items():
            gain, error = advantage(books[0], 4, a, b, 10_000, 77)
            line[name] = f"{gain:+.3f} ({error:.3f})"
        told.append(line)
        print(line, f"{got:.3f}", flush=True)
        given.out.write_text(json.dumps({
            "lead": given.lead,
            "made": f"tools/train_bots.py --lead {given.lead} --rounds {given.rounds} --choices {given.choices} --steps {given.steps} --units {given.units} --seed {given.seed}",
            "rounds": told,
            "counter": counter.linear,
            "linear": policy.linear, "hidden": policy.hidden, "bias": policy.bias, "out": policy.out,
        }) + "\n")


if __name__ == "__main__":
    main()
