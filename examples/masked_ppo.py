"""Masked PPO in one file, in NumPy alone: it learns to lead from the compiled environment.

    python examples/masked_ppo.py

Takes a few minutes on two cores and ends with what it learned: counters an episode for a seat that
plays so among random bots, beside those of a random bot in the same seat and the same deals, and
the interval at 95 % of the difference.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from popejoan.envs.vector import PopeVectorEnv


class Network:
    """Two layers of tanh units; from the last, a score for each action and a value."""

    def __init__(self, inputs: int, actions: int, hidden: int, rng: np.random.Generator) -> None:
        def layer(n: int, m: int, gain: float) -> np.ndarray:
            return (rng.standard_normal((n, m)) * gain / np.sqrt(n)).astype(np.float32)

        self.parts = {
            "w1": layer(inputs, hidden, 2.0), "b1": np.zeros(hidden, np.float32),
            "w2": layer(hidden, hidden, 1.0), "b2": np.zeros(hidden, np.float32),
            "wp": layer(hidden, actions, 0.01), "bp": np.zeros(actions, np.float32),
            "wv": layer(hidden, 1, 1.0), "bv": np.zeros(1, np.float32),
        }  # fmt: skip
        self.means = {name: np.zeros_like(part) for name, part in self.parts.items()}
        self.squares = {name: np.zeros_like(part) for name, part in self.parts.items()}
        self.steps = 0

    def forward(self, x: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, ...]:
        p = self.parts
        h1 = np.tanh(x @ p["w1"] + p["b1"])
        h2 = np.tanh(h1 @ p["w2"] + p["b2"])
        scores = np.where(mask > 0, h2 @ p["wp"] + p["bp"], np.float32(-1e9))
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        odds /= odds.sum(axis=1, keepdims=True)
        return odds, (h2 @ p["wv"] + p["bv"])[:, 0], h1, h2

    def learn(
        self, x: np.ndarray, h1: np.ndarray, h2: np.ndarray, d_scores: np.ndarray,
        d_value: np.ndarray, rate: float,
    ) -> None:  # fmt: skip
        """One step of Adam against the gradient of the loss by scores and value."""
        p = self.parts
        d2 = (d_scores @ p["wp"].T + d_value[:, None] @ p["wv"].T) * (1 - h2 * h2)
        d1 = (d2 @ p["w2"].T) * (1 - h1 * h1)
        slopes = {
            "w1": x.T @ d1, "b1": d1.sum(0), "w2": h1.T @ d2, "b2": d2.sum(0),
            "wp": h2.T @ d_scores, "bp": d_scores.sum(0),
            "wv": h2.T @ d_value[:, None], "bv": d_value.sum(keepdims=True),
        }  # fmt: skip
        norm = np.sqrt(sum(float((slope**2).sum()) for slope in slopes.values()))
        shrink = min(1.0, 0.5 / (norm + 1e-8))
        self.steps += 1
        rate *= np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for name, slope in slopes.items():
            slope = slope * shrink
            self.means[name] += 0.1 * (slope - self.means[name])
            self.squares[name] += 0.001 * (slope**2 - self.squares[name])
            p[name] -= (rate * self.means[name] / (np.sqrt(self.squares[name]) + 1e-5)).astype(
                np.float32
            )


def pick(odds: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An action for each row, drawn by its odds; rounding never draws one of no odds."""
    sums = odds.cumsum(axis=1)
    actions = (sums < rng.random((len(odds), 1), np.float32) * sums[:, -1:]).sum(axis=1)
    taken = odds[np.arange(len(odds)), actions] > 0
    return np.where(taken, actions, odds.argmax(axis=1))


def counters(
    network: Network | None, rules: str, episodes: int, seed: int
) -> tuple[np.ndarray, PopeVectorEnv]:
    """What seat 0 won in the first episode of so many environments; at random with no network."""
    envs = PopeVectorEnv(episodes, rules=rules, autoreset_mode="NextStep")
    rng = np.random.default_rng(seed)
    seen, infos = envs.reset(seed=seed)
    won = np.zeros(episodes)
    going = np.ones(episodes, np.bool_)
    scale = envs.encoding.scale
    while going.any():
        mask = infos["action_mask"]
        if network is None:
            actions = envs.legal_actions(rng.integers(0, 2**32, episodes, np.uint32))
        else:
            actions = pick(network.forward(seen / scale, mask)[0], rng)
        seen, rewards, ended, _, infos = envs.step(actions)
        won += rewards * going
        going &= ~ended
    return won, envs


def train(
    rules: str, *, leads: int, seed: int, seconds: float, envs_at_once: int = 512, length: int = 16
) -> Network:
    """A network trained on about so many leads, or for so many seconds."""
    rng = np.random.default_rng(seed)
    envs = PopeVectorEnv(envs_at_once, rules=rules)
    seen, infos = envs.reset(seed=seed)
    mask = infos["action_mask"]
    scale = envs.encoding.scale
    network = Network(envs.encoding.size, envs.encoding.actions, 128, rng)
    updates = max(1, leads // (envs_at_once * length))
    began = time.monotonic()
    recent: list[float] = []
    for update in range(updates):
        rate = 1e-3 * (1 - update / updates) + 5e-5
        xs, masks, acts, olds, values, rewards, ends = [], [], [], [], [], [], []
        for _ in range(length):
            x = seen / scale
            odds, value, *_ = network.forward(x, mask)
            actions = pick(odds, rng)
            xs.append(x)
            masks.append(mask)
            acts.append(actions)
            olds.append(odds[np.arange(envs_at_once), actions])
            values.append(value)
            seen, reward, ended, _, infos = envs.step(actions)
            mask = infos["action_mask"]
            rewards.append(reward.astype(np.float32) / 10)
            ends.append(ended)
            recent += [float(reward.mean())]
        # Generalised advantages, from the last step back.
        after, gain = network.forward(seen / scale, mask)[1], np.zeros(envs_at_once, np.float32)
        gains = [gain] * length
        for t in reversed(range(length)):
            goes_on = 1.0 - ends[t]
            delta = rewards[t] + goes_on * after - values[t]
            gain = (delta + 0.95 * goes_on * gain).astype(np.float32)
            gains[t], after = gain, values[t]
        x, m, a, old, v, g = (
            np.concatenate(each) for each in (xs, masks, acts, olds, values, gains)
        )
        target = g + v
        for _ in range(3):
            order = rng.permutation(len(x))
            for rows in np.array_split(order, 4):
                odds, value, h1, h2 = network.forward(x[rows], m[rows])
                here = np.arange(len(rows))
                ratio = odds[here, a[rows]] / old[rows]
                gain = (g[rows] - g[rows].mean()) / (g[rows].std() + 1e-8)
                # The slope of the clipped objective and of the entropy, by each score.
                held = ((ratio > 1.2) & (gain > 0)) | ((ratio < 0.8) & (gain < 0))
                push = np.where(held, 0.0, ratio * gain)
                d_scores = odds * push[:, None]
                d_scores[here, a[rows]] -= push
                logs = np.log(odds + 1e-12)
                entropy = -(odds * logs).sum(axis=1, keepdims=True)
                d_scores += 0.01 * odds * (logs + entropy)
                d_value = value - target[rows]
                network.learn(
                    x[rows], h1, h2, (d_scores / len(rows)).astype(np.float32),
                    (0.5 * d_value / len(rows)).astype(np.float32), rate,
                )  # fmt: skip
        if update % 20 == 0 or update == updates - 1:
            spent = time.monotonic() - began
            done = (update + 1) * envs_at_once * length
            print(
                f"{done:>9,} leads  {spent:5.0f} s  {np.mean(recent[-320:]):+.3f} counters a lead",
                flush=True,
            )
        if time.monotonic() - began > seconds:
            break
    return network


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--rules", default="CASSELL", help="a preset, or a preset and fields")
    ask.add_argument("--leads", type=int, default=2_000_000, help="how many leads to learn from")
    ask.add_argument("--seconds", type=float, default=240, help="when to stop learning")
    ask.add_argument("--episodes", type=int, default=20_000, help="how many to measure by")
    ask.add_argument("--seed", type=int, default=1, help="the same seed, the same course")
    given = ask.parse_args()
    network = train(given.rules, leads=given.leads, seed=given.seed, seconds=given.seconds)
    learned, envs = counters(network, given.rules, given.episodes, 10_000_019)
    chance, _ = counters(None, given.rules, given.episodes, 10_000_019)
    apart = learned - chance
    error = 1.96 * apart.std() / np.sqrt(len(apart))
    print(
        f"{given.episodes:,} episodes of {envs.setting.players} players by {given.rules}: "
        f"trained {learned.mean():+.2f}, random {chance.mean():+.2f}, "
        f"better by {apart.mean():+.2f} ± {error:.2f} counters an episode"
    )
    print("The interval excludes zero." if apart.mean() > error else "No difference is shown.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("Stopped: what was learned is lost. To learn less: --seconds") from None
