"""A demo bandit: simulated customers who request decisions and send rewards, some late and some never."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Any

import numpy as np

from riskbandits.service import ids, schemas
from riskbandits.service.errors import ProblemError
from riskbandits.service.operations import MakeDecisions, RecordReward
from riskbandits.service.service import BanditService

NAME = "demo-funds"
ARMS = {"cash": (0.2, 0.05), "bonds": (0.5, 0.3), "gold": (0.6, 0.9), "stocks": (0.9, 1.2)}  # mean, deviation
SPEC = schemas.BanditRequest(
    arms=list(ARMS), policy="switching-aware", risk="mean-variance:1", seed=1, lease_seconds=20
)  # so that leases are seen to run out
WARM_UP = 150  # decisions at once: there is something to see from the first moment
SECONDS_BETWEEN = 0.25
SECONDS_LATE = 3.0
NEVER = 0.03  # the share of decisions whose reward does not come


async def traffic(service: BanditService) -> None:
    """Make the bandit, and use it until the service ends."""
    await service.create(NAME, SPEC)
    draws, rng = np.random.default_rng(1), random.Random(1)
    late: set[asyncio.Task[None]] = set()
    for step in range(2**62):
        warm = step < WARM_UP
        decision = (await _decided(service))[0]
        if rng.random() > NEVER:
            mean, deviation = ARMS[decision["arm"]]
            reward = round(float(draws.normal(mean, deviation)), 4)
            pause = 0.0 if warm else rng.expovariate(1.0 / SECONDS_LATE)
            task = asyncio.create_task(_rewarded(service, decision["id"], reward, pause))
            late.add(task)
            task.add_done_callback(late.discard)
            if warm:
                await task
        if not warm:
            await asyncio.sleep(rng.expovariate(1.0 / SECONDS_BETWEEN))


async def _decided(service: BanditService) -> Any:
    answer = await service.submit(NAME, MakeDecisions(1, None, None))
    return schemas.DecisionsResponse.model_validate_json(answer.body).model_dump()["decisions"]


async def _rewarded(service: BanditService, id: str, reward: float, pause: float) -> None:
    await asyncio.sleep(pause)
    bandit, number = ids.parse_id(id)
    with contextlib.suppress(ProblemError):  # too late
        await service.submit(bandit, RecordReward(id, number, reward))
