"""Write the TypeScript files that are generated from Python: ``python web/generate.py``.

``make web`` runs it; a test fails when a file is stale.
"""

from pathlib import Path

import generate_types

from marchland.player_colours import render_typescript

SOURCES = Path(__file__).parent / "src"
GENERATED = {
    SOURCES / "api" / "types.ts": generate_types.generate,
    SOURCES / "app" / "playerColours.generated.ts": render_typescript,
}


def main() -> None:
    """Write every file that has changed."""
    for path, render in GENERATED.items():
        text = render()
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()
