"""JSON Schema of a game's settings, with the comments of the source as descriptions.

In a `Config` a comment on its own line is a heading, one after a setting describes it. Without the source, the schema
has only the types.
"""

import inspect
import re
import threading
from typing import Any, NamedTuple

import msgspec

from marchland.core.config import Config

_HEADING = re.compile(r"^    # (?P<text>.+)$")
_SETTING = re.compile(r"^    (?P<name>[a-z]\w*): (?P<rest>.+)$")
_COMMENT = re.compile(r"\s# (?P<text>[^\"]+)$")
_RULE_REFERENCE = re.compile(r"\s*\((rulings?|seed)\b[^)]*\)|^rulings? [\d, and]+(: |$)")
"""References to the rule document, which only readers of the source need."""

_source_lock = threading.Lock()
"""`inspect.getsource` one at a time: the recursion counter of Python 3.11's parser is shared by all threads."""


class FieldComment(NamedTuple):
    """The heading and the comment of a setting."""

    group: str
    text: str


def config_schema(config: type[Config]) -> dict[str, Any]:
    """The schema of the settings; each has its ``description`` and, as ``x-group``, its heading."""
    schema = msgspec.json.schema(config)
    properties = schema["$defs"][config.__name__]["properties"]
    for name, comment in field_comments(config).items():
        if name in properties:
            extra = {"x-group": comment.group, "description": comment.text}
            properties[name] |= {key: value for key, value in extra.items() if value}
    return schema


def field_comments(config: type[Config]) -> dict[str, FieldComment]:
    """The comments on the settings of a config and of those that it extends."""
    found: dict[str, FieldComment] = {}
    for part in reversed(config.__mro__):
        if issubclass(part, Config) and part is not Config:
            found |= _parse_comments(part)
    return found


def _parse_comments(part: type) -> dict[str, FieldComment]:
    try:
        with _source_lock:
            lines = inspect.getsource(part).splitlines()
    except OSError:  # installed without its source
        return {}
    found: dict[str, FieldComment] = {}
    group = ""
    for line in lines:
        if heading := _HEADING.match(line):
            group = _clean(heading["text"])
        elif setting := _SETTING.match(line):
            comment = _COMMENT.search(setting["rest"])
            found[setting["name"]] = FieldComment(group, _clean(comment["text"]) if comment else "")
    return found


def _clean(text: str) -> str:
    short = _RULE_REFERENCE.sub("", text).strip().strip('"')
    return short[:1].upper() + short[1:]
