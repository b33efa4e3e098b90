"""``marchland games``: what can be played."""

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from marchland.core.game import Game


@click.command()
@click.option("--json", is_flag=True, help="Print the list as JSON.")
def games(json: bool) -> None:
    """List the games, with their players and bots."""
    from marchland import registry
    from marchland.cli.output import answer_json, answers, table

    listed = [_describe(name, kind) for name, kind in registry.find_all().items()]
    if json:
        answer_json(listed)
        return
    shown = table()
    for heading in ("game", "version", "players", "bots", "what it is"):
        shown.add_column(heading, justify="right" if heading == "version" else "left")
    for one in listed:
        players = f"{one['least_players']:,} to {one['most_players']:,}"
        shown.add_row(one["name"], str(one["version"]), players, ", ".join(one["bots"]), one["about"])
    answers().print(shown)


def _describe(name: str, kind: "type[Game]") -> dict[str, Any]:
    import inspect

    return {
        "name": name,
        "version": kind.version,
        "about": (inspect.getdoc(kind) or "").partition("\n")[0],
        "least_players": kind.least_players,
        "most_players": kind.most_players,
        "bots": list(kind.bots),
        "rules": list(kind.config_type.presets),
    }
