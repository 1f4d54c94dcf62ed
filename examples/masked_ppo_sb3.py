"""Stable-Baselines3's masked PPO (sb3-contrib) starting on the same environment.

    pip install '.[envs]' sb3-contrib
    python examples/masked_ppo_sb3.py

It shows that the library takes the environment as it is: ``SeatEnv`` has the method
``action_masks`` that it asks for. Where sb3-contrib is not installed it says so and stops.
"""

from __future__ import annotations

import argparse
import sys

import gymnasium

import popejoan.envs.gymnasium


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--leads", type=int, default=20_000, help="how many leads to learn from")
    ask.add_argument("--episodes", type=int, default=300, help="how many to measure by")
    given = ask.parse_args()
    try:
        from sb3_contrib import MaskablePPO
        from sb3_contrib.common.maskable.evaluation import evaluate_policy
    except ImportError as error:
        sys.exit(f"skipped: sb3-contrib is not installed ({error}): pip install sb3-contrib")
    env = gymnasium.make(popejoan.envs.gymnasium.ID, rules="CASSELL", opponents="newcomer")
    model = MaskablePPO("MlpPolicy", env, n_steps=1024, seed=1, device="cpu", verbose=0)
    before, _ = evaluate_policy(model, env, n_eval_episodes=given.episodes, warn=False)
    model.learn(given.leads)
    after, _ = evaluate_policy(model, env, n_eval_episodes=given.episodes, warn=False)
    print(f"counters an episode: {before:+.2f} before, {after:+.2f} after {given.leads:,} leads")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("Stopped: what was learned is lost. To learn less: --leads") from None
