"""A slow, textbook twin of every policy, vectorised over runs with NumPy's own variates.

It shares no line with the package: formulas are written again from the papers, rewards are kept in full, and
regrets are computed from their definitions.
"""

from __future__ import annotations

import functools
import math

import numpy as np


class Twin:
    """Runs of one policy: counts, sums and all rewards, (runs, arms) or (runs, steps)."""

    def __init__(self, draw, means, variances, rho, horizon, runs, seed):
        self.rng = np.random.default_rng(seed)
        self.draw, self.rho, self.n, self.runs = draw, rho, horizon, runs
        self.means, self.variances = np.asarray(means, float), np.asarray(variances, float)
        self.size = len(self.means)
        self.count = np.zeros((runs, self.size))
        self.total = np.zeros((runs, self.size))
        self.total_squared = np.zeros((runs, self.size))
        self.rewards = np.zeros((runs, horizon))
        self.choices = np.zeros((runs, horizon), dtype=int)

    def play(self, index, first_pulls):
        for t in range(1, self.n + 1):
            if t <= first_pulls * self.size:
                choice = np.full(self.runs, (t - 1) // first_pulls)
            else:
                choice = np.argmax(index(self, t), axis=1)
            reward = self.draw(self.rng, choice)
            rows = np.arange(self.runs)
            self.count[rows, choice] += 1
            self.total[rows, choice] += reward
            self.total_squared[rows, choice] += reward**2
            self.rewards[:, t - 1] = reward
            self.choices[:, t - 1] = choice
        return self

    # Sample moments.
    def m(self):
        return self.total / self.count

    def v(self):
        return np.maximum(self.total_squared / self.count - self.m() ** 2, 0.0)

    # Metrics, from their definitions, for the first t steps.
    def regret(self, t):
        x = self.rewards[:, :t]
        values = self.rho * self.means - self.variances
        return t * (values.max() - (self.rho * x.mean(axis=1) - x.var(axis=1)))

    @functools.cache  # noqa: B019
    def pulls(self, t):
        return np.stack([(self.choices[:, :t] == k).sum(axis=1) for k in range(self.size)], axis=1)

    def pseudo_regret(self, t, switching=1.0):
        pulls = self.pulls(t)
        values = self.rho * self.means - self.variances
        gaps = values.max() - values
        square = (self.means[:, None] - self.means[None, :]) ** 2
        return pulls @ gaps + switching / t * np.einsum("ri,rj,ij->r", pulls, pulls, square)

    def exact_pseudo_regret(self, t):
        return self.pseudo_regret(t, switching=0.5)


def gaussian(means, variances):
    means, deviations = np.asarray(means, float), np.sqrt(variances)
    return lambda rng, k: rng.normal(means[k], deviations[k])


def bernoulli(probabilities):
    probabilities = np.asarray(probabilities, float)
    return lambda rng, k: (rng.random(len(k)) < probabilities[k]).astype(float)


def mts(s, t):
    return s.rho * s.rng.normal(s.m(), 1 / np.sqrt(s.count)) - s.v()


def mts_printed(s, t):
    return s.rho * s.rng.normal(s.m(), 1 / np.sqrt(s.count)) - (1 + s.count * s.v())


def vts(s, t):
    tau = s.rng.gamma(0.5 + s.count / 2, 1 / (0.5 + s.count * s.v() / 2))
    return s.rho * s.m() - 1 / tau


def mvts(s, t):
    tau = s.rng.gamma(0.5 + s.count / 2, 1 / (0.5 + s.count * s.v() / 2))
    return s.rho * s.rng.normal(s.m(), 1 / np.sqrt(s.count)) - 1 / tau


def bmvts(s, t):
    theta = s.rng.beta(1 + s.total, 1 + s.count - s.total)
    return s.rho * theta - theta * (1 - theta)


def mvlcb_authors(s, t):
    return s.rho * s.m() - s.v() + np.sqrt(1.5) * (2 + s.rho) * np.sqrt(np.log(t) / s.count)


def mvlcb_sani(s, t):
    delta = 1 / s.n**2
    return s.rho * s.m() - s.v() + (5 + s.rho) * np.sqrt(np.log(1 / delta) / (2 * s.count))


def mvlcb_vakili(s, t):
    return s.rho * s.m() - s.v() + (2 + s.rho) * np.sqrt(3 / 0.5) * np.sqrt(np.log(t) / s.count)


def _f(p, rho):
    return rho * p - p * (1 - p)


def bernoulli_lcb_authors(s, t):
    p = (1 + s.total) / (1 + s.count)
    return _f(p, s.rho) + np.sqrt(6) * (2 + s.rho) * np.sqrt(np.log(t) / (1 + s.count))


def bernoulli_lcb_sani(s, t):
    delta = 1 / s.n**2
    return _f(s.m(), s.rho) + (5 + s.rho) * np.sqrt(np.log(1 / delta) / (2 * s.count))


def bernoulli_lcb_tight(s, t):
    return _f(s.m(), s.rho) + (1 + s.rho) * np.sqrt(2 * np.log(t) / s.count)


def exp_exp(s, t):
    quota = int(np.ceil((s.n / 14) ** (2 / 3)))
    if t <= quota * s.size:
        return -np.abs(np.arange(s.size) - (t - 1) % s.size)[None, :] * np.ones((s.runs, 1))
    if t == quota * s.size + 1:
        s.committed = s.rho * s.m() - s.v()
    return s.committed


def mv_dsee(s, t):
    if not hasattr(s, "explored"):
        s.explored = s.size  # the first round
    if s.explored < s.size * np.ceil(np.log(t)):
        arm = s.explored % s.size
        s.explored += 1
        return np.tile(np.arange(s.size) == arm, (s.runs, 1)).astype(float)
    return s.rho * s.m() - s.v()


def ngts_paper(s, t):
    tau = s.rng.gamma(0.5 + s.count / 2, 1 / (0.5 + s.count * s.v() / 2))
    return s.rho * s.rng.normal(s.m(), 1 / np.sqrt(s.count * tau)) - 1 / tau


def ngts_honda_takemura(s, t):
    tau = s.rng.gamma((s.count - 1) / 2 - 1 / 2, 1 / (s.count * s.v() / 2))
    return s.rho * s.rng.normal(s.m(), 1 / np.sqrt(s.count * tau)) - 1 / tau


def _units(variances, told):
    """The geometric mean of the arms' variances, at most twice an arm's own, but at least its share sqrt(2K/t).

    Arms whose variance is not known (it is 0) do not count, and take the mean.
    """
    arms = variances.shape[1]
    with np.errstate(all="ignore"):
        logs = np.where(variances > 0, np.log(variances), 0.0).sum(axis=1, keepdims=True)
        shown = (variances > 0).sum(axis=1, keepdims=True)
        mean = np.where(shown > 0, np.exp(logs / np.maximum(shown, 1)), 0.0)
    least = mean * np.sqrt(2 * arms / max(told, 2 * arms))
    return np.where(variances > 0, np.minimum(mean, np.maximum(2 * variances, least)), mean)


def _optimistic(s, one_more, draws, weight=0.0, stream=0.0):
    """The value of the estimates or of the best of so many draws, from the reference posterior and one reward more,
    whose squared deviation is `one_more`; less a charge. What is more than a whole number of draws is the probability
    of another. Rewards that were all equal count as one in the draws."""

    def value(mean, variance):
        return s.rho * mean - variance - weight * (mean - stream) ** 2

    squares = s.count * s.v() + one_more
    best = value(s.m(), squares / s.count)
    told = np.where((s.v() == 0.0) & (s.count > 1), 1.0, s.count)
    for number in range(math.ceil(draws)):
        variance = squares / s.rng.chisquare(told - 1 + 1)
        drawn = value(s.rng.normal(s.m(), np.sqrt(variance / s.count)), variance)
        made = s.rng.random(best.shape) < draws - number
        best = np.where(made, np.maximum(best, drawn), best)
    return best


def _most_draws(s):
    return 80 / (s.size - 1) ** 1.5


def _ngts(s, *charge, horizon=None):
    """Arms 0 and 1 are played a second time, so that two variances are known; then come the scores.

    The units and the number of draws, which falls as the third power of the steps to come, are those at the last of the
    looks, each an eighth of the rewards after the one before.
    """
    told = int(s.count[0].sum())
    if told < s.size + 2:
        return np.tile(np.arange(s.size) == told - s.size, (s.runs, 1)).astype(float)
    if told == s.size + 2 or told == math.ceil(1.125 * s.look):
        s.look = told
        s.draws = _most_draws(s) * (1 - told / (horizon or s.n)) ** 3
        with np.errstate(all="ignore"):
            s.one_more = _units(np.where(s.count > 1, s.count * s.v() / (s.count - 1), 0.0), told)
    return _optimistic(s, s.one_more, s.draws, *charge)


def ngts(s, t):
    return _ngts(s)


def _stream(s, t):
    """The mean of all rewards so far, one row per run."""
    return s.rewards[:, : t - 1].mean(axis=1, keepdims=True) if t > 1 else np.zeros((s.runs, 1))


def _weight(s, t):
    return t / s.n if t > 1 else 0.0


def _guessed_weight(s, t):
    guess = 4 * t * np.sqrt(t / s.size)
    return min(0.25, t / guess)


def switching_aware(s, t):
    return _ngts(s, _weight(s, t), _stream(s, t))


def switching_aware_anytime(s, t):
    return _ngts(s, _guessed_weight(s, t), _stream(s, t), horizon=math.inf)


def switching_aware_bernoulli(s, t):
    theta = s.rng.beta(1 + s.total, 1 + s.count - s.total)
    return _f(theta, s.rho) - _weight(s, t) * (theta - _stream(s, t)) ** 2


def switching_aware_imed(s, t):
    charge = _weight(s, t) * (s.m() - _stream(s, t)) ** 2
    value = s.rho * s.m() - s.v() - charge
    target = value.max(axis=1, keepdims=True) + charge
    return -((s.count - 1) * _gaussian_k(s.m(), s.v(), target, s.rho) + np.log(s.count))


def switching_aware_kl_ucb(s, t):
    return kl_ucb(s, t) - _weight(s, t) * (s.m() - _stream(s, t)) ** 2


def _gaussian_k(m, v, c, rho):
    """The closed form of the lower bound's K, as first written down (it divides by rho)."""
    a = v + (m - c / rho) ** 2
    nearest = 2 * a / (1 + np.sqrt(1 + 4 * a / rho**2))
    mean = (c + nearest) / rho
    x = v / nearest
    k = (x - 1 - np.log(x)) / 2 + (m - mean) ** 2 / (2 * nearest)
    return np.where(rho * m - v >= c, 0.0, k)


def _bernoulli_kl(p, q):
    p, q = np.clip(p, 1e-15, 1 - 1e-15), np.clip(q, 1e-15, 1 - 1e-15)
    return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))


def imed(s, t):
    value = s.rho * s.m() - s.v()
    target = value.max(axis=1, keepdims=True)
    return -((s.count - 1) * _gaussian_k(s.m(), s.v(), target, s.rho) + np.log(s.count))


def imed_bernoulli(s, t):
    p = s.m()
    value = _f(p, s.rho)
    target = value.max(axis=1, keepdims=True)
    root = np.sqrt(np.maximum((1 - s.rho) ** 2 + 4 * target, 0.0))
    k = np.full(p.shape, np.inf)
    for q in ((1 - s.rho - root) / 2, (1 - s.rho + root) / 2):
        k = np.where((q > 0) & (q < 1), np.minimum(k, _bernoulli_kl(p, q)), k)
    k = np.where(value >= target, 0.0, k)
    return -(s.count * k + np.log(s.count))


def kl_ucb(s, t):
    """By bisection on the target."""
    level = max(0.0, np.log(t) + 3 * np.log(np.log(t))) / s.count
    low = s.rho * s.m() - s.v()
    high = low + 1.0
    for _ in range(200):
        short = _gaussian_k(s.m(), s.v(), high, s.rho) < level
        if not short.any():
            break
        high = np.where(short, low + 2 * (high - low), high)
    for _ in range(60):
        middle = (low + high) / 2
        inside = _gaussian_k(s.m(), s.v(), middle, s.rho) <= level
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return low


def kl_ucb_bernoulli(s, t):
    level = max(0.0, np.log(t) + 3 * np.log(np.log(t))) / s.count
    ends = []
    for side in (0.0, 1.0):
        inside, outside = s.m(), np.full(s.m().shape, side)
        for _ in range(60):
            middle = (inside + outside) / 2
            ok = _bernoulli_kl(s.m(), middle) <= level
            inside, outside = np.where(ok, middle, inside), np.where(ok, outside, middle)
        ends.append(_f(inside, s.rho))
    return np.maximum(*ends)


# Policies that forget.
def _weights(s, t, half_life):
    """What each earlier reward counts for at step t, by age, (steps,)."""
    return 0.5 ** ((t - np.arange(1, t)) / half_life)


def faded(index, half_life, needed, units=False):
    """An index of evidence that fades: all sums over rewards with their weights, t and n as long as the evidence."""

    def discounted(s, t):
        w = _weights(s, t, half_life)
        mine = [s.choices[:, : t - 1] == k for k in range(s.size)]
        x = s.rewards[:, : t - 1]
        kept = s.count, s.total, s.total_squared
        s.count = np.stack([mine[k] @ w for k in range(s.size)], axis=1)
        s.total = np.stack([(mine[k] * x) @ w for k in range(s.size)], axis=1)
        s.total_squared = np.stack([(mine[k] * x**2) @ w for k in range(s.size)], axis=1)
        s.stream = (x @ w / w.sum())[:, None] if t > 1 else np.zeros((s.runs, 1))
        s.age = w.sum() + 1.0  # with the decision that is being made
        if units:
            _faded_units(s, t, half_life)
        with np.errstate(all="ignore"):
            scores = np.where(s.count < needed, np.inf, index(s, s.age))
        s.count, s.total, s.total_squared = kept
        return scores

    discounted.__name__ = f"discounted_{index.__name__}"
    return discounted


def _faded_units(s, t, half_life):
    """The unit of each arm and the number of draws when the last reward came, a step earlier."""
    younger = 0.5 ** (-1 / half_life)
    count, told = s.count * younger, (s.age - 1) * younger
    with np.errstate(all="ignore"):
        s.one_more = _units(np.where(count >= 2, count * s.v() / (count - 1), 0.0), told)
    to_come = s.n - (t - 1)
    s.draws = _most_draws(s) * (to_come / (to_come + told)) ** 3


def ngts_with_units(s, t):
    return _optimistic(s, s.one_more, s.draws)


def switching_aware_with_units(s, t):
    return _optimistic(s, s.one_more, s.draws, t / s.n, s.stream)


def restarting(index, first_pulls, alarm, every, together=False, binary=False):
    """An index of the rewards since an arm was last forgotten. Streams are lists of rewards, blocks lists of lists."""

    def restarted(s, t):
        if not hasattr(s, "since"):
            s.since = np.zeros((s.runs, s.size), dtype=int)
            s.blocks = [[[] for _ in range(s.size)] for _ in range(s.runs)]
            s.checked = 0
        for step in range(s.checked + 1, t):
            for r in range(s.runs):
                _watch(s, r, step, alarm, together, binary)
        s.checked = t - 1
        steps = np.arange(1, t)
        kept = s.count, s.total, s.total_squared
        mine = [(s.choices[:, : t - 1] == k) & (steps > s.since[:, [k]]) for k in range(s.size)]
        x = s.rewards[:, : t - 1]
        s.count = np.stack([one.sum(axis=1) for one in mine], axis=1).astype(float)
        s.total = np.stack([(one * x).sum(axis=1) for one in mine], axis=1)
        s.total_squared = np.stack([(one * x**2).sum(axis=1) for one in mine], axis=1)
        when = [np.where(s.choices[:, : t - 1] == k, steps, 0) for k in range(s.size)]
        last = np.stack([one.max(axis=1, initial=0) for one in when], axis=1)
        with np.errstate(all="ignore"):
            scores = index(s, t)
        scores = np.where((s.count < first_pulls) | (t - last >= every), np.inf, scores)
        s.count, s.total, s.total_squared = kept
        return scores

    restarted.__name__ = f"restarting_{index.__name__}"
    return restarted


def _watch(s, r, step, alarm, together, binary):
    k = int(s.choices[r, step - 1])
    stream = [i for i in range(s.since[r, k], step) if s.choices[r, i] == k]
    if len(stream) % 8:
        return
    levels = s.blocks[r][k]
    _carry(levels, list(s.rewards[r, stream[-8:]]))
    blocks = [block for level in reversed(levels) for block in level]  # the oldest first
    rewards = np.concatenate(blocks)
    best = 0.0
    for border in np.cumsum([len(block) for block in blocks])[:-1]:
        best = max(best, _ratio(rewards[:border], rewards[border:], rewards, binary))
    if best > math.log(3 * len(rewards) ** 1.5 / alarm):
        for j in range(s.size) if together else [k]:
            s.since[r, j], s.blocks[r][j] = step, []


def _carry(levels, block, level=0):
    """Two blocks of a level make way for a third as one of the next."""
    if len(levels) == level:
        levels.append([])
    if len(levels[level]) == 2:
        older = levels[level][0] + levels[level][1]
        levels[level] = [block]
        _carry(levels, older, level + 1)
    else:
        levels[level].append(block)


def _ratio(early, late, rewards, binary):
    if binary:
        m = rewards.mean()
        return sum(len(part) * _bernoulli_kl(part.mean(), m) for part in (early, late))
    parts = [(len(part), max(part.var(), 0.01 * rewards.var())) for part in (early, late)]
    return 0.5 * sum(n * (math.log(rewards.var()) - math.log(v)) for n, v in parts)


def uniform_random(s, t):
    return s.rng.random((s.runs, s.size))


# Measures other than the mean-variance: parametric draws, and reweighted histories.
def gaussian_cvar(level):
    from scipy import stats

    factor = stats.norm.pdf(stats.norm.ppf(level)) / level
    return lambda m, v: m - np.sqrt(v) * factor


def gaussian_thompson(value):
    def index(s, t):
        tau = s.rng.gamma(0.5 + s.count / 2, 1 / (0.5 + s.count * s.v() / 2))
        return value(s.rng.normal(s.m(), 1 / np.sqrt(s.count)), 1 / tau)

    return index


def normal_gamma_thompson(value):
    def index(s, t):
        tau = s.rng.gamma(0.5 + s.count / 2, 1 / (0.5 + s.count * s.v() / 2))
        return value(s.rng.normal(s.m(), 1 / np.sqrt(s.count * tau)), 1 / tau)

    return index


def beta_thompson(value):
    return lambda s, t: value(s.rng.beta(1 + s.total, 1 + s.count - s.total))


def npts(value, prior):
    """Dirichlet(1, ..., 1) over the prior points and all rewards of the arm; value of rows (x, w), x ascending."""

    def index(s, t):
        x = np.hstack([np.tile(np.asarray(prior, float), (s.runs, 1)), s.rewards[:, : t - 1]])
        order = np.argsort(x, axis=1)
        scores = np.zeros((s.runs, s.size))
        for k in range(s.size):
            mine = np.hstack([np.ones((s.runs, len(prior))), s.choices[:, : t - 1] == k])
            w = mine * s.rng.exponential(size=x.shape)
            w /= w.sum(axis=1, keepdims=True)
            scores[:, k] = value(np.take_along_axis(x, order, 1), np.take_along_axis(w, order, 1))
        return scores

    return index


def mean_variance(rho):
    return lambda x, w: rho * (w * x).sum(1) - ((w * x**2).sum(1) - (w * x).sum(1) ** 2)


def semivariance(target):
    return lambda x, w: -(w * np.maximum(target - x, 0) ** 2).sum(1)


def cvar(level):
    """The mean of what lies below the level."""
    return lambda x, w: (np.clip(level - (np.cumsum(w, 1) - w), 0, w) * x).sum(1) / level


def quantile(level):
    return lambda x, w: x[np.arange(len(x)), np.argmax(np.cumsum(w, 1) >= level, axis=1)]


class LinearTwin:
    """Runs of `LinearNGTS` on linear arms with standard normal features; every step solves the regression anew."""

    def __init__(self, coefficients, variances, intercepts, rho, horizon, runs, seed):
        self.coefficients, self.variances = np.asarray(coefficients), np.asarray(variances)
        self.intercepts, self.rho, self.n, self.runs = np.asarray(intercepts), rho, horizon, runs
        self.rng = np.random.default_rng(seed)
        self.size, self.d = self.coefficients.shape
        self.look = 0

    def play(self):
        p, rows = self.d + 1, np.arange(self.runs)
        gram = np.zeros((self.runs, self.size, p, p))
        gram[:, :] = np.diag([0.0] + [0.01] * self.d)
        right, square = np.zeros((self.runs, self.size, p)), np.zeros((self.runs, self.size))
        count = np.zeros((self.runs, self.size))
        rewards = np.zeros((self.runs, self.n))
        self.gaps, self.best = np.zeros((self.runs, self.n)), np.zeros((self.runs, self.n), dtype=bool)
        for t in range(self.n):
            x = np.concatenate([np.ones((self.runs, 1)), self.rng.normal(size=(self.runs, self.d))], axis=1)
            if t < self.size:
                choice = np.full(self.runs, t)
            else:
                theta = np.linalg.solve(gram, right[..., None])[..., 0]
                residual = np.maximum(square - np.einsum("rkp,rkp->rk", right, theta), 0.0)
                if t >= 1.125 * self.look:
                    self.look, unit = t, self._unit(residual, count, p, rewards[:, :t])
                tau = self.rng.gamma(count / 2, 2 / (unit + residual))
                columns = np.broadcast_to(x[:, None, :, None], (*gram.shape[:3], 1))
                spread = np.einsum("rp,rkp->rk", x, np.linalg.solve(gram, columns)[..., 0])
                mu = self.rng.normal(np.einsum("rp,rkp->rk", x, theta), np.sqrt(spread / tau))
                choice = np.argmax(self.rho * mu - 1 / tau, axis=1)
            means = self.intercepts + x[:, 1:] @ self.coefficients.T
            reward = means[rows, choice] + np.sqrt(self.variances[choice]) * self.rng.normal(size=self.runs)
            values = self.rho * means - self.variances
            self.gaps[:, t] = values.max(axis=1) - values[rows, choice]
            self.best[:, t] = values.argmax(axis=1) == choice
            gram[rows, choice] += x[:, :, None] * x[:, None, :]
            right[rows, choice] += x * reward[:, None]
            square[rows, choice] += reward**2
            count[rows, choice] += 1
            rewards[:, t] = reward
        self.pulls = count
        return self

    def _unit(self, residual, count, p, rewards):
        """The geometric mean of the residual variances, where an arm has one; else the variance of all rewards."""
        known = count > p
        with np.errstate(all="ignore"):
            logs = np.where(known, np.log(residual / (count - p)), 0.0).sum(axis=1) / known.sum(axis=1)
        unit = np.where(known.any(axis=1), np.exp(logs), rewards.var(axis=1, ddof=1))
        return unit[:, None]

    def regret(self, t):
        return self.gaps[:, :t].sum(axis=1)


def draws_of(arms):
    """Rewards by inversion of the arms' quantiles: not by their own `draw`."""
    distributions = [arms.distribution(k) for k in range(arms.size())]

    def draw(rng, choice):
        u = rng.random(len(choice))
        reward = np.zeros(len(choice))
        for k, one in enumerate(distributions):
            reward[choice == k] = one.quantile(u[choice == k])
        return reward

    return draw


# Rewards that are often zero.
def hurdle_arms(probabilities, means, variances):
    p, means, deviations = np.asarray(probabilities), np.asarray(means, float), np.sqrt(variances)
    return lambda rng, k: np.where(rng.random(len(k)) < p[k], rng.normal(means[k], deviations[k]), 0.0)


def hurdle(amounts=None):
    """A chance of a sale and an amount. Zeros add nothing to sums, so that these are those of amounts."""

    def index(s, t):
        if not hasattr(s, "sales"):
            s.sales = np.zeros((s.runs, s.size))
        elif t > 1:
            s.sales[np.arange(s.runs), s.choices[:, t - 2]] += s.rewards[:, t - 2] != 0.0
        w = s.sales
        p = s.rng.beta(1 + w, 1 + s.count - w)
        with np.errstate(all="ignore"):
            if amounts is not None:
                a = np.asarray(amounts, float)
                off = s.total_squared - 2 * a * s.total + w * a**2
                off = np.where(off > 1e-9, off, 0.0)
                mean, variance = a, np.where(off > 0, off / s.rng.chisquare(np.maximum(w, 1)), 0.0)
            else:
                mean, variance = _drawn_amounts(s, w)
            score = s.rho * p * mean - p * variance - p * (1 - p) * mean**2
        if amounts is None:
            score = np.where((w.sum(axis=1) == 0)[:, None], p, score)
        return score

    index.__name__ = "hurdle" if amounts is None else "hurdle_known"
    return index


def _drawn_amounts(s, w):
    paid = w > 0
    a, q = s.total / w, s.total_squared / w
    squares = np.maximum(s.total_squared - w * a**2, 0.0)
    squares = np.where(squares > 1e-9 * s.total_squared, squares, 0.0)
    above = 1 / 4 + np.where(paid, squares / q, 0.0).sum(axis=1, keepdims=True)
    spread = np.minimum(0.9, above / (1 + np.where(paid, w - 1, 0.0).sum(axis=1, keepdims=True)))
    variance = (squares + 2 * spread * q) / s.rng.chisquare(w + 2)
    mean = s.rng.normal(a, np.sqrt(variance / w))
    # An arm that never paid looks like a random one that did, give or take.
    other = np.argmax(np.where(paid[:, None, :], s.rng.random((s.runs, s.size, s.size)), -1.0), axis=2)
    guess = np.take_along_axis(a, other, axis=1) * np.exp(1.5 * s.rng.standard_normal(w.shape))
    return np.where(paid, mean, guess), np.where(paid, variance, guess**2 * spread / (1 - spread))
