"""The client's code in docs/service.md runs against a service."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "service.md"


def test_the_code_of_the_page_decides_and_answers(small):
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    here = code.replace("http://127.0.0.1:8000", small.address).replace("the key", small.key)
    assert small.address in here
    assert small.key in here
    exec(here, {})
    assert small.ask("GET", "/v1/bandits/funds").json()["rewards"] == 1
