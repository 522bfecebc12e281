"""Random numbers of pages: the ziggurat draws from the normal distribution, its tail included."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from riskbandits.compiling import jit
from riskbandits.playground.streams import LAST_EDGE, LAYERS, PageStream, density, ziggurat_edges
from riskbandits.simulation.cuda.random_streams import initial_words

EDGES = np.array(ziggurat_edges())
NUMBER = 2_000_000


def fill(stream, normal, uniform):
    for i in range(normal.shape[0]):
        normal[i] = stream.standard_normal()
    for i in range(uniform.shape[0]):
        uniform[i] = stream.random()


@pytest.fixture(scope="module")
def numbers():
    normal, uniform = np.zeros(NUMBER), np.zeros(20_000)
    words = initial_words(11, (5,), np.arange(1))[:2, 0].copy()
    jit.entry(fill, (PageStream,))(PageStream(words, EDGES), normal, uniform)
    return normal, uniform


def test_all_layers_have_the_same_area():
    heights = np.exp(-0.5 * EDGES**2)
    layers = EDGES[1:-1] * np.diff(heights[1:])
    base = LAST_EDGE * density(LAST_EDGE) + np.sqrt(2.0 * np.pi) * stats.norm.sf(LAST_EDGE)
    assert layers == pytest.approx(base, rel=1e-6)
    assert len(EDGES) == LAYERS + 1
    assert (np.diff(EDGES) < 0.0).all()


def test_numbers_have_their_laws(numbers):
    normal, uniform = numbers
    assert stats.kstest(normal, "norm").pvalue > 1e-4
    assert stats.kstest(uniform, "uniform").pvalue > 1e-4
    for power, expected in ((1, 0.0), (2, 1.0), (3, 0.0), (4, 3.0), (6, 15.0)):
        found = normal**power
        assert abs(found.mean() - expected) < 5.0 * found.std() / NUMBER**0.5


@pytest.mark.parametrize("edge", [0.5, EDGES[40], 2.0, EDGES[2], LAST_EDGE, 4.2])
def test_tails_have_their_mass_on_both_sides(numbers, edge):
    normal, _ = numbers
    expected = NUMBER * stats.norm.sf(edge)
    for count in ((normal > edge).sum(), (normal < -edge).sum()):
        assert abs(count - expected) < 5.0 * expected**0.5


def test_python_and_compiled_code_draw_the_same(numbers):
    words = initial_words(11, (5,), np.arange(1))[:2, 0].copy()
    stream = PageStream(words, EDGES)
    assert [stream.standard_normal() for _ in range(2000)] == pytest.approx(numbers[0][:2000], rel=1e-12)
