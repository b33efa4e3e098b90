"""The pages of docs/: their prose, their code blocks, and the curl commands in them."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx

from tests.support import http_clients as http

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def read_page(name: str) -> str:
    """The text of a page of docs/."""
    return (DOCS / name).read_text()


def code_blocks(text: str, language: str) -> list[str]:
    """The code blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def prose_of(text: str) -> str:
    """A page without code blocks, code spans and link targets."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`]*`|\]\([^)]*\)", "", text)


def commands_of(block: str) -> Iterator[list[str]]:
    """The commands of a shell block, split into words; a quoted argument may have several lines."""
    pending = ""
    for line in block.replace("\\\n", " ").splitlines():
        pending += line + "\n"
        try:
            words = shlex.split(pending, comments=True)
        except ValueError:  # the quotation ends on a later line
            continue
        pending = ""
        if words:
            yield words
    assert not pending, f"the block ends inside a quotation: {pending}"


def send_curl(words: list[str], server: str, variables: Mapping[str, str]) -> httpx.Response:
    """Send the request of a curl command to a server instead of localhost:8000, with its $VARIABLES filled in."""
    assert words[0] == "curl"
    values = [re.sub(r"\$([A-Z]+)", lambda found: variables[found[1]], word) for word in words[1:] if word != "-i"]
    address, options = values[0], list(zip(values[1::2], values[2::2], strict=True))
    bodies = [value for name, value in options if name == "-d"]
    headers = dict(value.split(": ", 1) for name, value in options if name == "-H")
    methods = [value for name, value in options if name == "-X"]
    method = methods[0] if methods else "POST" if bodies else "GET"
    if bodies:
        headers.setdefault("Content-Type", "application/x-www-form-urlencoded")  # what curl sends
    url = address.replace("localhost:8000", server)
    return http.request(method, url, headers=headers, content=bodies[0] if bodies else None, timeout=60)
