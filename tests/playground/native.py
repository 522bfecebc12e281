"""The same orders as a page gets, played by the plain method on this machine: python native.py MATHS < orders.

A process of its own: it lets numba find the log, exp and cos that are linked into pages in place of this machine's,
which round otherwise now and then.
"""

from __future__ import annotations

import ctypes
import json
import pickle
import sys

import llvmlite.binding as llvm
import numpy as np
from numba.core.registry import cpu_target

from riskbandits.arms import BernoulliArms, GaussianArms, HurdleArms
from riskbandits.arms.contract import new_memory
from riskbandits.compiling import jit
from riskbandits.core.records import cast, classes_of
from riskbandits.playground.streams import PageStream, ziggurat_edges
from riskbandits.policies.support import contract
from riskbandits.risk import MeanVariance
from riskbandits.simulation import kernel
from riskbandits.simulation.methods import METHODS

OF_LLVM = ("log", "log2", "log10", "exp", "exp2", "sin", "cos", "tan")  # under a name of their own in the library
OF_ZIG = ("pow", "log1p", "expm1", "sinh", "cosh", "tanh", "atan", "atan2", "hypot")


def use_maths(path: str) -> None:
    cpu_target.target_context.codegen()  # numba names its own functions first
    maths = ctypes.CDLL(path)
    for name in (*OF_LLVM, *OF_ZIG):
        function = getattr(maths, f"page_{name}" if name in OF_LLVM else name)
        llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)


def arms_of(problem):
    """The arms of an order, as the library has them."""
    means, variances = np.array(problem["means"]), np.array(problem["variances"])
    if problem["family"] == "bernoulli":
        return BernoulliArms(means)
    if problem["family"] == "gaussian":
        return GaussianArms(means, variances)
    amounts = means + variances / means
    return HurdleArms(means / amounts, amounts, np.zeros(len(means)))


def choices(policy, problem, horizon, words):
    arms = cast(arms_of(problem))
    means = problem["means"]
    risk, policy = MeanVariance(problem["rho"]), cast(policy)
    play = jit.entry(METHODS["plain"].play, (*classes_of(policy), MeanVariance, type(arms), PageStream))
    size = len(means)
    facts = np.zeros((1, size, 3))
    facts[0, :, kernel.FACT_GAP] = np.arange(size)
    steps = np.arange(1, horizon + 1)
    edges = np.array(ziggurat_edges())
    found = []
    for own in np.array(words, dtype=np.uint64).reshape(-1, 4):
        streams = [PageStream(own[place : place + 2].copy(), edges) for place in (0, 2)]
        sums = np.zeros((horizon, kernel.SUMS))
        arrays = kernel.RunArrays(
            contract.new_state(policy, size),
            contract.new_run(horizon),
            new_memory(size),
            sums,
            np.zeros(size, np.int64),
            np.zeros(size),
        )
        first_pulls = contract.first_pulls(policy)
        setup = kernel.Setup(policy, risk, arms, facts, np.zeros(1), steps[-1:], first_pulls, steps)
        signals = (np.zeros(1, np.int64), np.zeros(1, np.int64))
        assert play(setup, None, None, arrays, *streams, None, *signals) == kernel.FINISHED
        found.append(np.diff(sums[:, kernel.GAP], prepend=0.0).tolist())
    return found


if __name__ == "__main__":
    use_maths(sys.argv[1])
    orders = pickle.load(sys.stdin.buffer)
    print(json.dumps([choices(*order) for order in orders]))
