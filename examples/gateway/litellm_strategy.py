"""A routing strategy for LiteLLM's router: deployments are arms, seconds are losses, the tail decides.

    router = litellm.Router(model_list=[...])  # several deployments of one model name
    TailRouting(router, learner).install()

`learner` is a `riskbandits.Learner` whose arms are the ids of the deployments (`model_info.id`), or a
`riskbandits.Client` of a bandit with these arms: both have `decide` and `answer`. A request that fails or times out
counts as `timeout` seconds.
"""

from __future__ import annotations

import asyncio
from typing import Any

import litellm
from litellm.integrations.custom_logger import CustomLogger
from litellm.types.router import CustomRoutingStrategyBase

DECISION = "riskbandits_decision"


class TailRouting(CustomRoutingStrategyBase, CustomLogger):
    """Chooses deployments by a learner, and tells it how long they took."""

    def __init__(self, router: Any, learner: Any, timeout: float = 60.0) -> None:
        super().__init__()
        self.router, self.learner, self.timeout = router, learner, timeout

    def install(self) -> None:
        """Route by it, and let it hear of successes and failures."""
        self.router.set_custom_routing_strategy(self)
        litellm.callbacks.append(self)

    def get_available_deployment(
        self,
        model: str,
        messages: Any = None,
        input: Any = None,
        specific_deployment: bool | None = False,
        request_kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """The deployment that the learner chooses among those of this model."""
        ours = {one["model_info"]["id"]: one for one in self.router.model_list if one["model_name"] == model}
        decision = self.learner.decide(available=list(ours))
        if request_kwargs is not None:
            request_kwargs.setdefault("metadata", {})[DECISION] = decision.id
        return ours[decision.arm]

    async def async_get_available_deployment(
        self,
        model: str,
        messages: Any = None,
        input: Any = None,
        specific_deployment: bool | None = False,
        request_kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """The same for asynchronous calls, in a thread: a client waits for the service."""
        given = (model, messages, input, specific_deployment, request_kwargs)
        return await asyncio.to_thread(self.get_available_deployment, *given)

    def log_success_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
        """A request came back."""
        self._answer(kwargs, min((end_time - start_time).total_seconds(), self.timeout))

    def log_failure_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
        """A request failed, or was given up."""
        self._answer(kwargs, self.timeout)

    async def async_log_success_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
        """The same, of asynchronous calls."""
        await asyncio.to_thread(self.log_success_event, kwargs, response_obj, start_time, end_time)

    async def async_log_failure_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
        """The same, of asynchronous calls."""
        await asyncio.to_thread(self.log_failure_event, kwargs, response_obj, start_time, end_time)

    def _answer(self, kwargs: Any, seconds: float) -> None:
        metadata = (kwargs.get("litellm_params") or {}).get("metadata") or {}
        if DECISION in metadata:
            self.learner.answer(metadata[DECISION], -seconds)
