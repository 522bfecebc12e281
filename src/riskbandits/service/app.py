"""The application: routes, error handlers, and what happens around every request."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.requests import ClientDisconnect

from riskbandits.core.errors import shown
from riskbandits.core.version import __version__
from riskbandits.service import errors, fast_routes, ids, page, routes, schemas
from riskbandits.service.service import BanditService

ABOUT = """Decisions that count exactly once: every decision and every reward is on disk before it is acknowledged.

Send `Authorization: Bearer KEY`. Keys have a role: `read` may look, `decide` may also ask for decisions and send
rewards, `admin` may also create bandits and change their arms. Errors are problem details (RFC 9457) whose `detail` is
a sentence.
"""
ROUTES: list[Any] = [*fast_routes.ROUTES, *routes.ROUTES.routes, *page.ROUTES]
PATHS = {route.endpoint: route.path for route in ROUTES}
HEADERS = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]

log = logging.getLogger("riskbandits.service")

BackgroundTask = Callable[[BanditService], Awaitable[None]]


def create_app(
    service: BanditService, started: Callable[[], None] = lambda: None, background: BackgroundTask | None = None
) -> FastAPI:
    """The application of an instance; `background` runs meanwhile, such as traffic for a demonstration."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.start()
        task = None if background is None else asyncio.ensure_future(background(service))
        started()
        yield
        log.info("stopping")
        if task is not None:
            task.cancel()
        await service.stop()

    app = FastAPI(
        title="riskbandits",
        version=__version__,
        description=ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        routes=[*fast_routes.ROUTES],
    )
    app.state.service = service
    app.include_router(routes.ROUTES)
    app.router.routes.extend(page.ROUTES)
    errors.add_exception_handlers(app, ROUTES)
    app.add_middleware(RequestMiddleware, service=service)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


class RequestMiddleware:
    """Counts, times and logs every request, and adds the headers of every answer."""

    def __init__(self, app: Any, service: BanditService) -> None:
        self.app, self.service = app, service

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 0

        async def send_with_headers(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except ClientDisconnect:
            return
        except Exception as error:  # one of ours: all others have handlers
            if status:
                raise
            await errors.problem_response(error)(scope, receive, send_with_headers)
        self._report(scope, status, time.perf_counter() - begun)

    def _report(self, scope: Any, status: int, seconds: float) -> None:
        service, method, endpoint = self.service, scope["method"], scope.get("endpoint")
        if endpoint is not None:
            service.metrics.answered(method, PATHS.get(endpoint, "/openapi.json"), status, seconds)
        if status >= 400 or service.log_requests:
            line = {
                "method": method,
                "path": shown(ids.FORM.sub("ID", scope["path"])),
                "status": status,
                "ms": round(seconds * 1e3, 2),
            }
            level = logging.ERROR if status >= 500 else logging.INFO
            log.log(level, "request", extra={**line, "key": scope.get("key", 0)})


def _openapi(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description, made once: with the fast routes, and our own problems in place of FastAPI's."""
    if app.openapi_schema is None:
        described = [*fast_routes.DESCRIPTIONS.routes, *routes.ROUTES.routes]
        made = get_openapi(title=app.title, version=app.version, description=app.description, routes=described)
        parts = made["components"]["schemas"]
        for unused in ("HTTPValidationError", "ValidationError"):
            parts.pop(unused, None)
        for model in (schemas.Problem, schemas.BanditRequest, schemas.ChangeRequest):
            parts[model.__name__] = model.model_json_schema()
        for operations in made["paths"].values():
            for operation in operations.values():
                if "HTTPValidationError" in str(operation["responses"].get("422")):
                    del operation["responses"]["422"]
        app.openapi_schema = made
    return app.openapi_schema
