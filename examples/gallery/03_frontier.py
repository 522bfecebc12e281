"""
Which arm is best for which rho
===============================

Recorded rewards answer this only approximately: rows are resampled many times, and the height of a colour is the share
of these samples in which the arm comes out best. Where two colours are equally high the data cannot separate the arms.
"""

import numpy as np
import pandas as pd

import riskbandits as rb

days = np.random.default_rng(7)
returns = pd.DataFrame(
    {"bond": days.normal(0.02, 0.3, 750), "fund": days.normal(0.05, 0.8, 750), "stock": days.normal(0.09, 1.4, 750)}
)
figure = rb.plotting.page(width=7.2, height=4.0)
rb.frontier(returns, seed=7).plot(ax=figure.subplots())
figure.savefig("frontier.svg")
