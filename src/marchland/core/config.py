"""Every number of a game, typed and checked, with named presets."""

import reprlib
from collections.abc import Mapping
from typing import Any, ClassVar, Self, get_type_hints

import msgspec

from marchland.errors import ConfigError, choices, did_you_mean


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every game's settings. A preset is a set of values, never other code."""

    game: ClassVar[str]
    presets: ClassVar[dict[str, dict[str, Any]]] = {}
    preset_field: ClassVar[str] = "rules"

    @classmethod
    def copy_values(cls, values: Any) -> dict[str, Any]:
        """A copy of ``values``; refused unless it is a mapping or None."""
        if values is not None and not isinstance(values, Mapping):
            raise ConfigError(f"{cls.game}'s settings are an object, not {reprlib.repr(values)}.")
        return dict(values or {})

    @classmethod
    def build(cls, values: Any = None) -> Self:
        """Settings from the preset that ``values`` names, changed by the other ``values``."""
        values = cls.copy_values(values)
        names = cls.__struct_fields__
        for name in values:
            if name not in names:
                raise ConfigError(f"{cls.game} has no setting {name!r}; {did_you_mean(str(name), names)}")
        preset = values.get(cls.preset_field)
        if isinstance(preset, str) and preset in cls.presets:
            values = {**cls.presets[preset], **values}
        try:
            config = msgspec.convert(values, cls)
        except msgspec.ValidationError as problem:
            hint = f" Its presets are {choices(cls.presets)}." if cls.preset_field in str(problem) else ""
            raise ConfigError(f"{cls.game}'s settings: {problem}.{hint}".replace("$.", "")) from None
        config.check()
        return config

    @classmethod
    def from_text(cls, settings: dict[str, str]) -> dict[str, Any]:
        """Values as typed on a command line, turned into what the settings of those names take."""
        values: dict[str, Any] = {}
        for name, text in settings.items():
            if name not in cls.__struct_fields__:
                raise ConfigError(f"{cls.game} has no setting {name!r}; {did_you_mean(name, cls.__struct_fields__)}")
            kind = get_type_hints(cls, include_extras=True)[name]
            try:
                values[name] = msgspec.convert(_readable(text), kind, strict=False)
            except msgspec.ValidationError as problem:
                like = msgspec.json.encode(getattr(cls.build(), name)).decode()
                raise ConfigError(
                    f"{cls.game}'s setting {name} cannot be {text!r}: {problem}. Write it like {like}."
                ) from None
        return values

    def check(self) -> None:
        """Raise `ConfigError` where values do not fit each other."""

    def values(self) -> dict[str, Any]:
        """The settings as plain data."""
        return msgspec.json.decode(msgspec.json.encode(self))  # type: ignore[no-any-return]


def _readable(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
