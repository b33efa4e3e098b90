"""Frames for readers who look at a part of the board."""

from collections.abc import Set

import msgspec

from marchland.messages import Frame


def cropped(frame: Frame, chunks: Set[int]) -> Frame:
    """The frame with the cells of some chunks only."""
    return msgspec.structs.replace(
        frame,
        patches=[patch for patch in frame.patches if patch.chunk in chunks],
        remembered=[patch for patch in frame.remembered if patch.chunk in chunks],
    )


def cells_of(key_frame: Frame) -> Frame:
    """The cells alone, for whoever knows everything else already."""
    return msgspec.structs.replace(key_frame, key=False, names=[], board=None, pieces=[], events=[])
