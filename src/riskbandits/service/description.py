"""The OpenAPI description, completed: what all endpoints share, and our own problem details instead of FastAPI's."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from riskbandits.service import schemas
from riskbandits.service.door import Door
from riskbandits.service.errors import TITLES


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problem details an endpoint may return, including those that all may."""
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": TITLES[status], "content": content} for status in statuses}


def text(app: FastAPI) -> bytes:
    """The OpenAPI description, made once."""
    found: Any = app.openapi_schema
    if found is None:
        found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        parts = found.setdefault("components", {})
        parts["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        shapes = parts["schemas"]
        for unused in ("HTTPValidationError", "ValidationError"):
            shapes.pop(unused, None)
        shapes["Problem"] = schemas.Problem.model_json_schema()
        for path, methods in found["paths"].items():
            for method, operation in methods.items():
                _finish(operation, _role(app, path, method))
        app.openapi_schema = found
    return json.dumps(found).encode()


def _role(app: FastAPI, path: str, method: str) -> str | None:
    for route in app.routes:
        if isinstance(route, Door) and route.path_format == path and method.upper() in (route.methods or ()):
            return route.role
    return None


def _finish(operation: dict[str, Any], role: str | None) -> None:
    """What all endpoints with a key share; FastAPI's own validation errors are replaced."""
    responses = operation["responses"]
    if "HTTPValidationError" in str(responses.get("422")):
        del responses["422"]
    if role is None:
        return
    operation["security"] = [{"key": []}]
    operation["description"] = f"{operation.get('description', '')}\n\nNeeds a key with the role `{role}`.".strip()
    always: Any = problems(401, 403, 429, 503)
    for status, said in always.items():
        responses.setdefault(str(status), said)
    if "requestBody" in operation:
        responses.setdefault("408", problems(408)[408])
