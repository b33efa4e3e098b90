"""Arrange board, players and key to fit the terminal."""

from typing import NamedTuple

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from marchland.cli.terminal import drawing, standings
from marchland.cli.terminal.glyphs import key_line
from marchland.cli.terminal.still import Still, shape_of
from marchland.messages import BoardShape

_BESIDE = 26  # columns for a name and a figure
_AROUND = 3  # lines: title, key, cursor
_UNBOUNDED = 1_000_000


class TerminalInfo(NamedTuple):
    """The size and capabilities of a terminal."""

    width: int
    lines: int
    colour: bool
    blocks: bool
    """Whether half blocks can be shown: they need colours and more than ASCII."""
    terminal: bool

    @classmethod
    def of(cls, console: Console) -> "TerminalInfo":
        """Read them from a console."""
        colour = console.color_system is not None and not console.no_color
        lines = console.size.height if console.is_terminal else _UNBOUNDED
        return cls(console.width, lines, colour, colour and console.encoding.startswith("utf"), console.is_terminal)


class Plan(NamedTuple):
    """The layout of one board in one terminal."""

    far: bool
    width: int
    height: int
    beside: bool
    table_lines: int
    """Lines for the table of players; 0 if there is no room."""


def plan_layout(board: BoardShape, players: int, info: TerminalInfo) -> Plan | None:
    """The nearest view that fits with its table, else the nearest that fits at all, else None."""
    plans = [plan for far in (False, True) if (plan := _plan(far, board, players, info))]
    return next((plan for plan in plans if plan.table_lines), plans[0] if plans else None)


def too_large(board: BoardShape, info: TerminalInfo) -> str:
    """Why the board is not drawn."""
    rows, columns = shape_of(board)
    need = _smallest(board, info)
    return (
        f"The board of {columns}x{rows} cells needs a terminal of {need[0]} columns and {need[1] + _AROUND} lines; "
        f"this one has {info.width} and {info.lines}."
    )


def render(still: Still, title: Text, plan: Plan, info: TerminalInfo) -> Group:
    """Board, key and players."""
    lines = drawing.far(still) if plan.far else drawing.near(still, colour=info.colour)
    board = Text("\n").join(lines)
    parts: list[Text | Table] = [title]
    width = info.width - plan.width - 3 if plan.beside else info.width
    table = standings.players(still, width=width, lines=plan.table_lines, colour=info.colour)
    if plan.beside:
        side = Table.grid(padding=(0, 3, 0, 0))
        side.add_row(board, table)
        parts.append(side)
    else:
        parts.append(board)
    if not plan.far and (key := key_line(still.legend)):
        parts.append(Text(key, "muted", no_wrap=True, overflow="ellipsis"))
    if plan.table_lines and not plan.beside:
        parts.append(table)
    return Group(*parts)


def _plan(far: bool, board: BoardShape, players: int, info: TerminalInfo) -> Plan | None:
    if far and (board.topology == "hex" or not info.blocks):
        return None
    width, height = _size(far, board)
    spare = info.lines - height - _AROUND
    if width > info.width or spare < 0:
        return None
    if info.terminal and info.width - width - 3 >= _BESIDE:
        return Plan(far, width, height, True, height)
    enough = spare >= min(players, 4) + standings.AROUND
    return Plan(far, width, height, False, spare if enough else 0)


def _size(far: bool, board: BoardShape) -> tuple[int, int]:
    rows, columns = shape_of(board)
    return (columns, (rows + 1) // 2) if far else (2 * columns + (board.topology == "hex"), rows)


def _smallest(board: BoardShape, info: TerminalInfo) -> tuple[int, int]:
    return _size(board.topology == "square" and info.blocks, board)
