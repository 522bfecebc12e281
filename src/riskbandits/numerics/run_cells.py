"""The cells of `run`, the array of what any policy may know of its run. Policies import them from `policies.cells`.

They stand here because bounds and histories, which lie below policies, read the same cells.
"""

from __future__ import annotations

STEP = 0  # the number of the decision being made, from 1: t in the formulas
LOG_STEP = 1  # ln t, computed once per step rather than once per arm
HORIZON = 2  # n, infinite when unknown
REWARD_COUNT = 3  # the rewards seen so far
REWARD_SUM = 4  # their sum
SCRATCH = 5  # the first of the SCRATCH_CELLS cells that are the policy's own
SCRATCH_CELLS = 5
FEATURE_COUNT = 10  # d, the number of features of the decision: 0 for a policy that uses none
WRAPPER = 11  # the first of two cells of `SwitchingAware`, which may wrap any policy
RUN_CELLS = 13  # all of the above
FEATURES = RUN_CELLS  # the features of the decision are run[FEATURES : FEATURES + d]; else a history may lie there
