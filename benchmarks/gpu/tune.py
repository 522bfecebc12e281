"""Block sizes and limits on registers: which are fast."""

from typing import Any

from lanes import lane_of, seconds_of

import riskbandits as rb
from riskbandits.compiling import cuda
from riskbandits.simulation.cuda import launches

RUNS = (6_500, 100_000)


def tables(quick: bool) -> dict[str, list[dict[str, Any]]]:
    problem = rb.problems.zhu_tan_gaussian(1)
    rows = []
    sizes, horizon = ((2,), 20) if quick else (RUNS, 2000)
    for policy in (rb.MVTS(), rb.MVLCB()):
        for limit in (None, 96, 80, 64, 48):
            cuda.KERNEL_OPTIONS.clear()
            if limit is not None:
                cuda.KERNEL_OPTIONS["max_registers"] = limit
            launches.device_kernel.cache_clear()
            seconds_of(lane_of(policy, problem, 20, 2))
            for runs in sizes:
                for block in (32, 64, 128, 256):
                    launches.BLOCK = launches.SMALL_BLOCK = block
                    lane = lane_of(policy, problem, horizon, runs)
                    seconds = min(seconds_of(lane), seconds_of(lane_of(policy, problem, horizon, runs)))
                    rows.append(
                        {
                            "policy": type(policy).__name__,
                            "register limit": limit or "none",
                            "registers": lane.kernel.registers(),
                            "runs": runs,
                            "block": block,
                            "ns per run and step": seconds / (runs * horizon) * 1e9,
                        }
                    )
    return {f"{horizon} steps, 15 arms, float64": rows}
