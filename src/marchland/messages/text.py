"""Constraints on text and numbers that several messages share."""

from typing import Annotated

import msgspec

from marchland.messages.names import MAX_NAME_LENGTH

LINE = r"^[^\x00-\x1f\x7f]*(?![\s\S])"  # one line of text: "$" would let a line end pass
NAME = {"name": True}
"""Marks text that others see: `marchland.messages.names` decides what is allowed when a request contains it."""
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME_LENGTH, pattern=LINE, extra=NAME)]
Nickname = Annotated[str, msgspec.Meta(max_length=MAX_NAME_LENGTH, pattern=LINE, extra=NAME)]
Title = Annotated[str, msgspec.Meta(max_length=80, pattern=LINE, extra=NAME)]
Password = Annotated[str, msgspec.Meta(max_length=200, pattern=LINE)]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=16)]
AccountRef = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME_LENGTH)]
"""An account, by its id or its name."""
Duration = Annotated[float, msgspec.Meta(ge=0, le=86_400 * 366)]
