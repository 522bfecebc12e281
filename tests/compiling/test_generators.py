"""Generators in compiled code: handed over by address, with every method that numba knows, and the same numbers."""

from __future__ import annotations

import gc

import numba
import numpy as np
import pytest
from numba.core import types

from riskbandits.compiling import generators, jit

# Methods and arguments; a list stands for the array [0, 1, .., 9].
CALLS = {
    "beta": "2.0, 3.0",
    "binomial": "10, 0.3",
    "chisquare": "3.0",
    "exponential": "2.0",
    "f": "3.0, 5.0",
    "gamma": "2.0, 1.5",
    "geometric": "0.2",
    "integers": "0, 1000",
    "laplace": "0.0, 1.0",
    "logistic": "0.0, 1.0",
    "lognormal": "0.0, 1.0",
    "logseries": "0.5",
    "negative_binomial": "5, 0.4",
    "noncentral_chisquare": "3.0, 2.0",
    "noncentral_f": "3.0, 5.0, 2.0",
    "normal": "1.0, 2.0",
    "pareto": "3.0",
    "permutation": "10",
    "poisson": "4.0",
    "power": "3.0",
    "random": "",
    "rayleigh": "2.0",
    "shuffle": "np.arange(10)",
    "standard_cauchy": "",
    "standard_exponential": "",
    "standard_gamma": "2.0",
    "standard_normal": "",
    "standard_t": "4.0",
    "triangular": "0.0, 1.0, 3.0",
    "uniform": "0.0, 2.0",
    "wald": "1.0, 2.0",
    "weibull": "2.0",
    "zipf": "3.0",
}


def drawing(method):
    """A function that calls the method three times and draws once more, as text: each method is a compilation."""
    scope: dict = {"np": np}
    name = f"draw_{method}"
    source = f"def {name}(n, rng, out):\n for i in range(n):\n  rng.{method}({CALLS[method]})\n out[0] = rng.random()\n"
    exec(compile(source, __file__, "exec"), scope)
    scope[name].__module__ = "__main__"
    return scope[name]


def known_to_numba():
    from numba.np.random import generator_methods

    found = {name.removeprefix("NumPyRandomGeneratorType_") for name in vars(generator_methods)}
    return {name for name in found if hasattr(np.random.Generator, name) and not name.startswith("_")}


def test_the_list_is_complete():
    assert known_to_numba() <= set(CALLS)


@pytest.mark.parametrize(
    "method",
    [
        m if m in ("random", "standard_normal", "integers", "gamma") else pytest.param(m, marks=pytest.mark.full)
        for m in CALLS
    ],
)
def test_every_method_gives_what_it_gives_to_numba(method):
    if method not in known_to_numba():
        pytest.skip("not known to this version of numba")
    draw = drawing(method)
    ours, theirs = np.zeros(1), np.zeros(1)
    for turn in range(3):  # the generator goes on from where the last call left it
        if turn == 0:
            one, other = np.random.default_rng(5), np.random.default_rng(5)
        jit.entry(draw, ())(3, one, ours)
        numba.njit(draw)(3, other, theirs)
        assert ours[0] == theirs[0]
    assert one.bit_generator.state == other.bit_generator.state


def two(first, k, second, out):
    out[0] = first.random()
    out[k] = second.random()


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_generators_on_bits_of_every_kind_and_several_at_once(bits):
    out = np.zeros(3)
    jit.entry(two, ())(np.random.Generator(bits(1)), 2, np.random.Generator(bits(2)), out)
    assert out[0] == np.random.Generator(bits(1)).random()
    assert out[2] == np.random.Generator(bits(2)).random()


def test_generators_that_nobody_else_holds_live_until_the_call_is_over():
    run, out = jit.entry(two, ()), np.zeros(3)
    expected = (np.random.default_rng(1).random(), np.random.default_rng(2).random())
    for _ in range(300):
        run(np.random.default_rng(1), 2, np.random.default_rng(2), out)
        gc.collect(0)
        assert (out[0], out[2]) == expected


def test_no_generator_is_ever_taken_apart_by_numba():
    run, out = jit.entry(two, ()), np.zeros(3)
    run(np.random.default_rng(1), 2, np.random.default_rng(2), out)
    assert run.signatures == [(generators.ADDRESS, types.int64, generators.ADDRESS, types.Array(types.float64, 1, "C"))]
    with pytest.raises(numba.TypingError, match="reached compiled code as a Python object"):
        run.dispatcher(np.random.default_rng(1), 2, np.random.default_rng(2), out)


def test_the_words_are_those_of_numpy():
    """`bitgen_t` begins with the state and the functions for 64 bits, 32 bits and a double."""
    import ctypes

    interface = np.random.PCG64(1).ctypes
    words = (ctypes.c_uint64 * 4).from_address(interface.bit_generator.value)
    functions = (interface.next_uint64, interface.next_uint32, interface.next_double)
    assert words[0] == interface.state.value
    assert list(words[1:]) == [ctypes.cast(function, ctypes.c_void_p).value for function in functions]
