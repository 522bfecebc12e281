"""The proxy of the service's page, nginx, in front of an instance on loopback."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from interrupting import started

PAGE = Path(__file__).parents[2] / "docs" / "service.md"
NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + os.pathsep + "/usr/sbin")
OPENSSL = shutil.which("openssl")
MISSING = "no nginx or no openssl found (apt-get install nginx-light openssl)"


def block_of_the_page(language: str) -> str:
    """The one block of the service's page that is written in this language."""
    [found] = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


@contextmanager
def proxy(folder: Path, port: int, secure: int) -> Iterator[Path]:
    """The page's proxy on the port `secure`, in front of what listens on `port`; the certificate of its localhost."""
    assert NGINX is not None, MISSING
    certificate, private = folder / "bandits.pem", folder / "bandits.key"
    make = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    subprocess.run([*make.split(), "-keyout", private, "-out", certificate], check=True, capture_output=True)
    server = block_of_the_page("nginx").replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    server = server.replace("443", f"127.0.0.1:{secure}")
    server = server.replace("/etc/ssl/bandits/", f"{folder}/").replace("bandits.example.org", "localhost")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    own = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    user = "user root;" if os.geteuid() == 0 else ""
    text = f"{user} pid {folder}/pid; events {{}}\nhttp {{ access_log off; {own} {server} }}\n"
    configuration = folder / "nginx.conf"
    configuration.write_text(text)
    arguments = [NGINX, "-p", folder, "-c", configuration, "-e", folder / "errors", "-g", "daemon off;"]
    with (folder / "proxy-log").open("wb") as log, started(arguments, stdout=log, stderr=log):
        yield certificate
