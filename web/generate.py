"""Write the TypeScript files that are generated from Python: ``python web/generate.py``.

``make web`` runs it; a test fails when a file is stale.
"""

from pathlib import Path

import generate_types

from marchland.player_colours import render_typescript
from marchland.refusals import SENTENCES

SOURCES = Path(__file__).parent / "src"


def render_codes() -> str:
    """The codes of the server's refusals, for which a language has templates."""
    lines = [f'  | "{code}"' for code in SENTENCES]
    comment = "/** Codes of refusals. Generated from `marchland.refusals` by `make web`: do not edit. */"
    return "\n".join([comment, "export type RefusalCode =", *lines]) + ";\n"


GENERATED = {
    SOURCES / "api" / "types.ts": generate_types.generate,
    SOURCES / "app" / "playerColours.generated.ts": render_typescript,
    SOURCES / "i18n" / "refusalCodes.generated.ts": render_codes,
}


def main() -> None:
    """Write every file that has changed."""
    for path, render in GENERATED.items():
        text = render()
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()
