"""The configurations of the service's page, in use: its proxy in front of its command line, on loopback."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import httpx
import pytest

import riskbandits as rb
from interrupting import started
from riskbandits.service import auth
from riskbandits.service.db.statements import open_storage
from serving import proxy
from serving.ports import free_port
from serving.proxy import block_of_the_page

ROOT = Path(__file__).parents[2]
FOLDER = "/var/lib/riskbandits"


def command_line(folder, port):
    """The command of the systemd unit, in a folder of the test."""
    words = shlex.split(re.search(r"^ExecStart=(.*)$", block_of_the_page("ini"), re.MULTILINE)[1])
    assert words[0] == "/opt/riskbandits/bin/riskbandits"
    return [
        sys.executable,
        "-m",
        "riskbandits",
        *(one.replace(FOLDER, str(folder)) for one in words[1:]),
        "--port",
        str(port),
    ]


def wait_for_answer(url, **settings):
    for _ in range(600):
        try:
            if httpx.get(f"{url}/readyz", **settings).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise TimeoutError(url)


@pytest.fixture
def proxied(tmp_path):
    """The page's command line behind the page's proxy: the address, the certificate and a key."""
    port, secure = free_port(), free_port()
    key = auth.add_key(storage := open_storage(f"sqlite:///{tmp_path}/riskbandits.db"), "admin")
    storage.close()
    with (
        (tmp_path / "log").open("wb") as log,
        proxy.proxy(tmp_path, port, secure) as certificate,
        started(command_line(tmp_path, port), stdout=log, stderr=log, cwd=tmp_path) as service,
    ):
        wait_for_answer(f"https://localhost:{secure}", verify=ssl.create_default_context(cafile=certificate))
        yield f"https://localhost:{secure}", certificate, key
        service.send_signal(signal.SIGTERM)
        assert service.wait(30) == 0


@pytest.mark.full
@pytest.mark.skipif(proxy.NGINX is None or proxy.OPENSSL is None, reason=proxy.MISSING)
def test_the_proxy_and_the_command_line_of_the_page(proxied, monkeypatch):
    address, certificate, key = proxied
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with rb.Client(address, key, bandit="prices") as client:
        assert client.create(arms=["9.99", "14.99"], policy="ngts", risk="mean-variance:20") is True
        for _ in range(20):
            decision = client.decide()
            assert client.answer(decision, float(decision.arm)) is True
            assert client.answer(decision, float(decision.arm)) is False
        client.pause("9.99")
        assert client.ask() == "9.99"
        assert client.look()["rewards"] == 20
    settings = {"verify": ssl.create_default_context(cafile=certificate), "headers": {"Authorization": f"Bearer {key}"}}
    with httpx.Client(base_url=address, **settings) as asking:
        assert asking.get("/").text.startswith("<!doctype html>")
        assert asking.get("/v1/bandits", headers={"X-Long": "x" * 40_000}).status_code == 400
        assert asking.get("/v1/bandits?after=" + "x" * 40_000).status_code == 414
        assert asking.post("/v1/bandits/prices/decisions", content=b" " * (1 << 21)).status_code == 413
        assert asking.get("/v1/bandits").json()["bandits"][0]["name"] == "prices"


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="no systemd-analyze found (apt-get install systemd)"
)
def test_systemd_understands_the_unit(tmp_path):
    unit = tmp_path / "riskbandits.service"
    unit.write_text(block_of_the_page("ini").replace("/opt/riskbandits/bin/riskbandits", sys.executable))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert "riskbandits.service:" not in done.stderr, done.stderr


def test_the_files_for_containers_fit_together():
    assert (ROOT / "deploy" / "nginx.conf").read_text() == block_of_the_page("nginx").replace(
        "127.0.0.1:8000", "service:8000"
    )
    compose = (ROOT / "deploy" / "compose.yaml").read_text()
    image = (ROOT / "deploy" / "Containerfile").read_text()
    assert "dockerfile: deploy/Containerfile" in compose
    assert "./nginx.conf:/etc/nginx/conf.d/default.conf:ro" in compose
    assert "./tls:/etc/ssl/bandits:ro" in compose
    assert "RUN riskbandits warmup" in image
    copied = [one for words in re.findall(r"^COPY (.*) \S+$", image, re.MULTILINE) for one in words.split()]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {"pyproject.toml", "src", project["readme"], *project["license-files"]} == set(copied)
    assert all((ROOT / one).exists() for one in copied)
    for words in re.findall(r"command: (\[.*\])", compose):
        assert words.startswith(
            '["serve", "--host", "0.0.0.0", "--db", "postgresql://riskbandits@database/riskbandits"]'
        )
