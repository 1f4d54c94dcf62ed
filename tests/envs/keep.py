"""Keep the trajectories of the present version: ``python -m tests.envs.keep``."""

from __future__ import annotations

import json

from tests.envs.test_doors import FIXTURE, digests

from popejoan.envs import VERSION

if __name__ == "__main__":
    kept = json.loads(FIXTURE.read_text(encoding="ascii")) if FIXTURE.exists() else {}
    kept[str(VERSION)] = digests()
    FIXTURE.write_text(json.dumps(kept, indent=1) + "\n", encoding="ascii")
