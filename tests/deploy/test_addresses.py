"""No file of deploy/ names a registry or an address from which something is downloaded."""

import re
from pathlib import Path

import pytest

from tests.support.deploy_files import DEPLOY

LOCAL = re.compile(r"https?://(127\.0\.0\.1|localhost|marchland\b|\$host|\{)")
"""This machine, the upstream of nginx, and what a variable names."""
HOST = re.compile(r"\b(?:[a-z0-9-]+\.)+(?:com|dev|io|net|org)\b")


@pytest.mark.parametrize("path", sorted(DEPLOY.iterdir()), ids=lambda path: path.name)
def test_a_file_names_no_host_of_the_internet(path: Path) -> None:
    text = path.read_text()
    assert [url for url in re.findall(r"\bhttps?://\S+", text) if not LOCAL.match(url)] == []
    assert set(HOST.findall(text)) <= {"play.example.org"}
