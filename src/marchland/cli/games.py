"""``marchland games``: list the games."""

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from marchland.core.game import Game


@click.command()
@click.option("--json", is_flag=True, help="Print the list as JSON.")
def games(json: bool) -> None:
    """List the games, with their players and bots."""
    from marchland import registry
    from marchland.cli.terminal.output import print_json, stdout_console, table

    descriptions = [_describe(name, kind) for name, kind in registry.find_all().items()]
    if json:
        print_json(descriptions)
        return
    shown = table()
    for heading in ("game", "version", "players", "bots", "what it is"):
        shown.add_column(heading, justify="right" if heading == "version" else "left")
    for game in descriptions:
        players = f"{game['least_players']:,} to {game['most_players']:,}"
        shown.add_row(game["name"], str(game["version"]), players, ", ".join(game["bots"]), game["about"])
    stdout_console().print(shown)


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
