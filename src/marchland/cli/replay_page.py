"""A replay as one HTML page: the browser's viewer with the film embedded."""

import base64
import html
import tempfile
from pathlib import Path

import marchland
from marchland.core import march_file
from marchland.errors import MarchlandError, ReplayError

VIEWER = Path(marchland.__file__).parent / "web" / "viewer.html"
_VIEWER_BLOCKS = (b"HEAD", b"FILM", march_file.END)


def write_page(replay: Path, page: Path) -> int:
    """Write the page; returns its size in bytes."""
    if not marchland.open_replay(replay).has_film:
        raise ReplayError(f"{replay} was saved without its film, so there is nothing to show.")
    try:
        viewer = VIEWER.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise MarchlandError("The viewer was not built on this machine: `make web` builds it.") from None
    film = base64.b64encode(_film(replay)).decode()
    text = viewer.replace("<title>TITLE</title>", f"<title>{html.escape(replay.name)}</title>", 1)
    text = text.replace('id="film">FILM<', f'id="film">{film}<', 1)
    try:
        page.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise MarchlandError(f"{page} cannot be written: {problem.strerror}.") from None
    return len(text.encode())


def _film(replay: Path) -> bytes:
    """The file without the blocks that only verification needs."""
    with tempfile.TemporaryDirectory() as folder:
        shorter = Path(folder) / "film.march"
        march_file.write(shorter, [block for block in march_file.read(replay) if block.kind in _VIEWER_BLOCKS])
        return shorter.read_bytes()
