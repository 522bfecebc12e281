"""A simulator of a dozen lines in JAX, all runs at once: written for this comparison."""

from functools import partial

import jax
import jax.numpy as jnp
from problem import CHANCES, STEPS

RUNS = 1_000
chances = jnp.array(CHANCES)
arms = len(CHANCES)


@partial(jax.jit, static_argnums=(0, 1))
def played(policy: str, number: int, seed: int) -> jax.Array:
    """Pulls of the best arm, run by run."""

    def step(t, carry):
        key, wins, pulls = carry
        key, choosing, paying = jax.random.split(key, 3)
        if policy == "thompson":
            scores = jax.random.beta(choosing, 1.0 + wins, 1.0 + pulls - wins)
        else:
            scores = jnp.where(pulls > 0, wins / pulls + jnp.sqrt(2.0 * jnp.log(t + 1.0) / pulls), jnp.inf)
        arm = jnp.argmax(scores)
        reward = jax.random.uniform(paying) < chances[arm]
        return key, wins.at[arm].add(reward), pulls.at[arm].add(1.0)

    def run(key):
        return jax.lax.fori_loop(0, STEPS, step, (key, jnp.zeros(arms), jnp.zeros(arms)))[2][-1]

    return jax.vmap(run)(jax.random.split(jax.random.key(seed), number))


def runs(policy: str, number: int, seed: int) -> float:
    """The mean share of pulls of the best arm."""
    return float(played(policy, number, seed).mean() / STEPS)
