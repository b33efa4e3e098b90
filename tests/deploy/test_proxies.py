"""The configurations of nginx, HAProxy and Caddy."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from marchland.server.settings import Settings
from tests.support.deploy_files import DEPLOY, PORT, copy_with, find_program, read

CERTIFICATE = "/etc/letsencrypt/live/play.example.org/"


def test_nginx_accepts_its_configuration(tmp_path: Path) -> None:
    program, environment = find_program("nginx")
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed here; with it (on Debian: apt install openssl) this runs too")
    files = ["-keyout", str(tmp_path / "privkey.pem"), "-out", str(tmp_path / "fullchain.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=play.example.org"]
    subprocess.run([*command, *files], check=True, capture_output=True)
    site = copy_with("nginx.conf", tmp_path, **{CERTIFICATE: f"{tmp_path}/"})
    whole = tmp_path / "whole.conf"
    places = "".join(
        f"{name}_temp_path {tmp_path / name};" for name in ("client_body", "proxy", "fastcgi", "scgi", "uwsgi")
    )
    whole.write_text(f"pid {tmp_path / 'pid'}; events {{}} http {{ access_log off; {places} include {site}; }}")
    done = subprocess.run(
        [program, "-t", "-c", whole, "-e", tmp_path / "errors"], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr


def test_haproxy_accepts_its_configuration() -> None:
    program, environment = find_program("haproxy")
    names = re.findall(r"\$\{(\w+)\}", read("haproxy.cfg"))
    values = {name: "127.0.0.1" if name == "MARCHLAND_PROXY" else f"127.0.0.1:{PORT}" for name in names}
    command = [program, "-c", "-f", str(DEPLOY / "haproxy.cfg")]
    done = subprocess.run(command, capture_output=True, text=True, env={**environment, **values})
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr


def test_haproxy_sends_requests_only_to_nodes_that_are_ready() -> None:
    text = read("haproxy.cfg")
    assert "http-check send meth GET uri /readyz" in text
    assert re.search(r"default-server check\b", text)


def test_a_client_cannot_choose_its_address() -> None:
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in read("nginx.conf")
    assert "http-request del-header X-Forwarded-For unless from_proxy" in read("haproxy.cfg")


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_a_proxy_sends_requests_to_the_port_of_the_server(name: str) -> None:
    assert set(re.findall(r"127\.0\.0\.1:(\d+)", read(name))) == {str(PORT)}


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile", "haproxy.cfg"])
def test_a_proxy_hides_the_metrics(name: str) -> None:
    directives = [line.strip() for line in read(name).splitlines() if "/metrics" in line and "#" not in line]
    assert len(directives) == 1


def test_nginx_passes_websockets_through_and_names_each_request() -> None:
    text = read("nginx.conf")
    for header in ("Upgrade $http_upgrade", "Connection $marchland_connection", "X-Request-Id $request_id"):
        assert f"proxy_set_header {header};" in text
    assert "proxy_http_version 1.1;" in text


def test_no_proxy_refuses_a_body_that_the_server_accepts() -> None:
    assert "client_max_body_size 1m;" in read("nginx.conf")  # 1,048,576
    assert "max_size 1MB" in read("Caddyfile")  # 1,000,000
    assert Settings.body_limit <= 1_000_000


def test_the_braces_of_the_caddyfile_match() -> None:
    lines = [line.split("#")[0].strip() for line in read("Caddyfile").splitlines()]
    depth = 0
    for line in lines:
        depth += line.endswith("{") - (line == "}")
        assert depth >= 0
    assert depth == 0
    assert lines[2] == "play.example.org {"
