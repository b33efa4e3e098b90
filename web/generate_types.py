"""TypeScript types of `marchland.messages`.

A field is optional in TypeScript if the server leaves out its default, or if clients send the struct and may leave the
field out. Where the server sends such a struct of clients, all its fields are there: ``Required<...>``.
"""

import ast
import datetime
import importlib
import inspect
import itertools
import pkgutil
import textwrap
import types
import typing
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UnsetType

from marchland import messages

HEADER = """\
/** Messages between server and page. Generated from `marchland.messages` by `make web`: do not edit. */
"""
WIDTH = 120
SCALARS: dict[Any, str] = {
    str: "string",
    bytes: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    type(None): "null",
    datetime.date: "string",
    Any: "unknown",
    msgspec.Raw: "unknown",
}
SKIPPED = {messages.Order, messages.Pick}
"""Bases for games' declarations; they are not sent."""

Struct = type[msgspec.Struct]


def generate() -> str:
    """The file's text: aliases and structs, module by module."""
    return _Generator().text()


class _Generator:
    def __init__(self) -> None:
        names = sorted(module.name for module in pkgutil.iter_modules(messages.__path__))
        self.modules = [importlib.import_module(f"{messages.__name__}.{name}") for name in names]
        self.structs = {
            name: value
            for module in self.modules
            for name, value in vars(module).items()
            if _is_struct(value) and value.__module__ == module.__name__ and value not in SKIPPED
        }
        self.aliases = {
            name: value
            for module in self.modules
            for name, value in _own_assignments(module)
            if _is_alias(value) and not name.startswith("_")
        }
        self.inputs = self._find_inputs()
        self.fields = {struct: typing.get_type_hints(struct, include_extras=True) for struct in self.structs.values()}

    def text(self) -> str:
        parts = [HEADER]
        for module in self.modules:
            for name in _definition_order(module):
                if name in self.aliases and _owner(self.modules, name) is module:
                    parts.append(self._alias(module, name))
                elif self.structs.get(name) is not None and self.structs[name].__module__ == module.__name__:
                    parts.append(self._struct(name, self.structs[name]))
        return "\n".join(parts)

    def _alias(self, module: types.ModuleType, name: str) -> str:
        comment = _comment(_assignment_docs(inspect.getsource(module)).get(name, ""))
        return f"{comment}export type {name} = {self._type(self.aliases[name], top=True)};\n"

    def _struct(self, name: str, struct: Struct) -> str:
        config = struct.__struct_config__
        comment = _comment(inspect.getdoc(struct) or "")
        docs = {key: text for base in reversed(struct.__mro__) for key, text in _field_docs(base).items()}
        fields = msgspec.structs.fields(struct)
        if config.array_like:
            items = ", ".join(f"{field.name}: {self._field_type(struct, field.name)}" for field in fields)
            return f"{comment}export type {name} = [{items}];\n"
        lines = [f"{comment}export interface {name} {{"]
        if config.tag_field is not None:
            tag = "string" if self._is_base(struct) else f'"{config.tag}"'
            lines.append(f"  {config.tag_field}: {tag};")
        for field in fields:
            lines.append(textwrap.indent(_comment(docs.get(field.name, "")), "  ").rstrip("\n"))
            mark = "?" if self._is_optional(struct, field) else ""
            lines.append(f"  {field.encode_name}{mark}: {self._field_type(struct, field.name)};")
        return "\n".join([*(line for line in lines if line), "}", ""])

    def _is_base(self, struct: Struct) -> bool:
        return any(struct in other.__mro__[1:] for other in self.structs.values())

    def _field_type(self, struct: Struct, name: str) -> str:
        return self._type(self.fields[struct][name], sent=struct not in self.inputs)

    def _is_optional(self, struct: Struct, field: msgspec.structs.FieldInfo) -> bool:
        return not field.required and (struct.__struct_config__.omit_defaults or struct in self.inputs)

    def _type(self, annotation: Any, *, sent: bool = False, top: bool = False) -> str:
        """The TypeScript of an annotation; ``sent`` by the server, ``top`` where an alias must not stand for itself."""
        holds = _held_type(annotation)
        if holds is not None:
            return self._type(holds, sent=sent)
        annotation = _bare(annotation)
        if not top and (name := self._alias_of(annotation)) is not None:
            return self._sent(name, annotation) if sent else name
        if annotation in SCALARS:
            return SCALARS[annotation]
        if _is_struct(annotation):
            return self._sent(annotation.__name__, annotation) if sent else str(annotation.__name__)
        return self._generic(annotation, sent)

    def _generic(self, annotation: Any, sent: bool) -> str:
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin is Literal:
            return " | ".join(f'"{value}"' for value in arguments)
        if origin in (typing.Union, types.UnionType):
            return " | ".join(self._type(part, sent=sent) for part in arguments if _bare(part) is not UnsetType)
        if origin is dict:
            return f"Record<{self._type(arguments[0])}, {self._type(arguments[1], sent=sent)}>"
        if origin in (list, Sequence) or (origin is tuple and arguments[1:] == (...,)):
            inner = self._type(arguments[0], sent=sent)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        if origin is tuple:
            return f"[{', '.join(self._type(part, sent=sent) for part in arguments)}]"
        raise TypeError(f"There is no TypeScript for {annotation}.")

    def _alias_of(self, annotation: Any) -> str | None:
        named = (Literal, typing.Union, types.UnionType)
        if typing.get_origin(annotation) not in named:
            return None
        return next((name for name, value in self.aliases.items() if _bare(value) == annotation), None)

    def _sent(self, name: str, annotation: Any) -> str:
        """The name of a type that the server sends with all its fields."""
        shortened = any(
            struct in self.inputs and not struct.__struct_config__.omit_defaults and _has_defaults(struct)
            for struct in _structs_in(annotation)
        )
        return f"Required<{name}>" if shortened else name

    def _find_inputs(self) -> set[Struct]:
        """The structs that clients send: those that refuse unknown fields, posts with a key, and what these hold."""
        client_messages = set(_structs_in(messages.ClientMessage))
        found: set[Struct] = set()
        waiting = [
            struct
            for struct in self.structs.values()
            if struct.__struct_config__.forbid_unknown_fields or struct in client_messages or _has_client_key(struct)
        ]
        while waiting:
            struct = waiting.pop()
            if struct not in found:
                found.add(struct)
                waiting += [inner for field in msgspec.structs.fields(struct) for inner in _structs_in(field.type)]
        return found


def _is_struct(value: Any) -> typing.TypeGuard[Struct]:
    return isinstance(value, type) and issubclass(value, msgspec.Struct)


def _is_alias(value: Any) -> bool:
    return typing.get_origin(_bare(value)) in (Literal, typing.Union, types.UnionType, tuple)


def _bare(annotation: Any) -> Any:
    return annotation.__origin__ if hasattr(annotation, "__metadata__") else annotation


def _held_type(annotation: Any) -> Any:
    """What JSON that was encoded before holds, as the field's metadata says."""
    metadata = getattr(annotation, "__metadata__", ())
    extras = [part.extra for part in metadata if isinstance(part, msgspec.Meta) and part.extra is not None]
    return next((extra["holds"] for extra in extras if "holds" in extra), None)


def _structs_in(annotation: Any) -> Iterator[Struct]:
    annotation = _bare(annotation)
    if _is_struct(annotation):
        yield annotation
    for part in typing.get_args(annotation) if typing.get_origin(annotation) is not Literal else ():
        yield from _structs_in(part)


def _has_defaults(struct: Struct) -> bool:
    return any(not field.required for field in msgspec.structs.fields(struct))


def _has_client_key(struct: Struct) -> bool:
    return any(field.type == messages.ClientKey for field in msgspec.structs.fields(struct))


def _own_assignments(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    for name in _definition_order(module):
        if name in vars(module):
            yield name, vars(module)[name]


def _owner(modules: list[types.ModuleType], name: str) -> types.ModuleType | None:
    return next((module for module in modules if name in _definition_order(module)), None)


def _definition_order(module: types.ModuleType) -> list[str]:
    names = []
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names.append(node.targets[0].id)
    return names


def _assignment_docs(source: str) -> dict[str, str]:
    return _docs(ast.parse(source).body)


def _field_docs(struct: type) -> dict[str, str]:
    if not _is_struct(struct) or struct is msgspec.Struct:
        return {}
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(struct))).body
    assert isinstance(node, ast.ClassDef)
    return _docs(node.body)


def _docs(body: list[ast.stmt]) -> dict[str, str]:
    """The string after each assignment."""
    found = {}
    for node, after in itertools.pairwise(body):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if not isinstance(target, ast.Name) or not isinstance(after, ast.Expr):
            continue
        if isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
            found[target.id] = inspect.cleandoc(after.value.value)
    return found


def _comment(text: str) -> str:
    if not text:
        return ""
    flat = " ".join(text.replace("``", "`").split())
    if len(flat) + 7 <= WIDTH:
        return f"/** {flat} */\n"
    lines = textwrap.wrap(flat, WIDTH - 3)
    return "/**\n" + "".join(f" * {line}\n" for line in lines) + " */\n"
