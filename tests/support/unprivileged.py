"""Commands of another user than root, for tests that run as root."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

UID = 65532


def as_unprivileged(words: Sequence[str]) -> list[str]:
    """The command as a user without privileges; as it is if the tests have none either.

    This interpreter may lie in root's home, which others cannot read: the command sees a home with nothing else in it.
    """
    if os.geteuid() != 0:
        return list(words)
    home = Path.home()
    needed = [Path(folder) for folder in {sys.prefix, sys.base_prefix} if Path(folder).is_relative_to(home)]
    shown: list[str] = []
    for folder in needed:
        for parent in (*reversed(folder.parents), folder):
            if parent.is_relative_to(home) and parent != home:
                shown += ["--perms", "0755", "--dir", str(parent)]
        shown += ["--ro-bind", str(folder), str(folder)]
    return [
        *("bwrap", "--dev-bind", "/", "/", "--perms", "0755", "--tmpfs", str(home), *shown),
        *("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP", "--"),
        *("setpriv", "--reuid", str(UID), "--regid", str(UID), "--clear-groups", "--no-new-privs"),
        *("--bounding-set=-all", "--inh-caps=-all", "--"),
        *words,
    ]
