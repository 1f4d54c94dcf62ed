"""Behind a real nginx, with TLS and under a path: links, sockets and cookies work."""

from __future__ import annotations

import json
import os
import shutil
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Iterator

import pytest
from tests.web.servers import Server, free_port
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

CONFIGURATION = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
{user}
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {folder}/cert.pem;
    ssl_certificate_key {folder}/key.pem;
    location /games/pope/ {{
      proxy_pass http://127.0.0.1:{inner}/;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
      proxy_read_timeout 1h;
    }}
  }}
}}
"""


@pytest.fixture(scope="module")
def proxy(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page behind the proxy."""
    nginx = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if nginx is None or shutil.which("openssl") is None:
        if os.environ.get("CI"):
            pytest.fail("nginx is not installed, and CI must test with it")
        pytest.skip("NGINX IS NOT INSTALLED: the server is not tested behind a proxy")
    folder = tmp_path_factory.mktemp("nginx")
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
            "-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=127.0.0.1",
            "-addext", "subjectAltName=IP:127.0.0.1",
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )  # fmt: skip
    port = free_port()
    (folder / "nginx.conf").write_text(
        CONFIGURATION.format(
            folder=folder,
            port=port,
            inner=server.port,
            user="user root;" if os.geteuid() == 0 else "",
        )
    )
    running = subprocess.Popen(
        [nginx, "-p", str(folder), "-c", "nginx.conf"], stderr=subprocess.DEVNULL
    )
    time.sleep(1)
    assert running.poll() is None, (folder / "error.log").read_text()
    yield f"https://127.0.0.1:{port}/games/pope/"
    running.terminate()
    running.wait(20)


def insecure() -> ssl.SSLContext:
    """Trusts the certificate made for this test."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def test_the_page_its_files_and_a_seat_are_had_through_the_proxy(proxy: str) -> None:
    with urllib.request.urlopen(proxy, context=insecure()) as answer:
        page = answer.read().decode()
    assert 'src="./assets/' in page
    script = page.partition('src="./')[2].partition('"')[0]
    with urllib.request.urlopen(proxy + script, context=insecure()) as answer:
        assert "immutable" in answer.headers["cache-control"]
    request = urllib.request.Request(proxy + "api/tables", json.dumps({"name": "Anna"}).encode())
    with urllib.request.urlopen(request, context=insecure()) as answer:
        cookie = answer.headers["set-cookie"]
        given = json.load(answer)
    assert "HttpOnly" in cookie
    assert "Secure" in cookie
    assert "samesite=strict" in cookie.lower()
    origin = proxy.partition("/games")[0]
    address = f"wss{proxy[5:]}api/tables/{given['code']}/socket"
    headers = {"Cookie": cookie.partition(";")[0], "Origin": origin}
    with connect(address, ssl=insecure(), additional_headers=headers, proxy=None) as socket:
        socket.send(json.dumps({"kind": "hello", "protocol": 1}))
        assert json.loads(socket.recv(10))["you"] == 0
    elsewhere = {"Origin": "https://elsewhere.example"}
    with (
        pytest.raises(InvalidStatus),
        connect(address, ssl=insecure(), additional_headers=elsewhere, proxy=None),
    ):
        pass
