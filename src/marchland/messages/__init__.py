"""What travels between engine, server, browser and programs, as typed structs."""

from marchland.messages.menu import Cells, Choices, Domain, Menu, Paths, Pieces, Range, Step
from marchland.messages.orders import Cell, Number, Order, Path, Pick, Piece, Text, Whole
from marchland.messages.report import Outcome, Result, Standing, ranked
from marchland.messages.scene import (
    BoardShape,
    EventKind,
    Frame,
    Layer,
    Legend,
    Parameter,
    Patch,
    PieceKind,
    SceneEvent,
    Verb,
)

__all__ = [
    "BoardShape",
    "Cell",
    "Cells",
    "Choices",
    "Domain",
    "EventKind",
    "Frame",
    "Layer",
    "Legend",
    "Menu",
    "Number",
    "Order",
    "Outcome",
    "Parameter",
    "Patch",
    "Path",
    "Paths",
    "Pick",
    "Piece",
    "PieceKind",
    "Pieces",
    "Range",
    "Result",
    "SceneEvent",
    "Standing",
    "Step",
    "Text",
    "Verb",
    "Whole",
    "ranked",
]
