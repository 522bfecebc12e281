"""
Two calm arms, one restless stream
==================================

Both arms have the same value at rho = 1: one pays more and varies more. If you play only one of them, you get the
variance of that arm. If you alternate, you collect the same value per pull, yet the whole stream varies more than
either arm does on average, because its mean keeps moving. That extra variance is the cost of switching.
"""

import numpy as np

import riskbandits as rb

rng, steps = np.random.default_rng(7), np.arange(300)
low, high = rng.normal(0.1, 0.1, 300), rng.normal(1.0, np.sqrt(0.91), 300)  # both are worth 0.09
streams = {"first arm only": low, "second arm only": high, "in turn": np.where(steps % 2, low, high)}
figure = rb.plotting.page(width=7.2, height=2.8)
for (name, rewards), axes in zip(streams.items(), figure.subplots(1, 3, sharey=True), strict=True):
    axes.plot(steps, rewards, ".", markersize=3, rasterized=True, color="tab:red" if name == "in turn" else "tab:blue")
    axes.axhline(rewards.mean(), color="black", linewidth=0.8)
    axes.set(title=f"{name}\nmean - variance = {rewards.mean() - rewards.var():.2f}", xlabel="step")
figure.savefig("switching.svg")
