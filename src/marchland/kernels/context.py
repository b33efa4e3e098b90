"""The kernel being translated: its source, the function being written, and what its names stand for."""

import ast
import builtins
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from marchland.kernels import errors
from marchland.kernels.builder import Builder
from marchland.kernels.dependencies import DependencyRecorder
from marchland.kernels.errors import KernelError
from marchland.kernels.module import Module
from marchland.kernels.names import look_up, make_static, read_source
from marchland.kernels.types import Static, Value

ADVICE: Final[dict[type[ast.AST], str]] = {
    ast.Div: "division is `//`",
    ast.Pow: "multiply instead",
    ast.Try: "a kernel has no exceptions; return a code",
    ast.Raise: "a kernel has no exceptions; return a code",
    ast.Assert: "a kernel has no exceptions; return a code",
    ast.With: "a kernel cannot call out",
    ast.ListComp: "use a loop over an array that the caller passes",
    ast.List: "use a tuple, or an array that the caller passes",
    ast.Dict: "use arrays",
    ast.JoinedStr: "a kernel has no text",
    ast.Lambda: "write a kernel of its own",
    ast.FunctionDef: "write a kernel of its own",
    ast.Global: "pass an array and store into it",
    ast.Delete: "a kernel frees nothing",
    ast.Is: "compare with `==`",
    ast.IsNot: "compare with `!=`",
}


class Function(NamedTuple):
    """A translated kernel."""

    name: str
    returns: Any


class Program(NamedTuple):
    """What all kernels of one module share."""

    module: Module
    dependencies: DependencyRecorder
    translate: Callable[[Any, tuple[Any, ...]], Function | None]
    """Translate a kernel for these argument types; None while it is being translated, so that it calls itself."""


class Context:
    """What every part of the translation of one kernel needs."""

    def __init__(self, program: Program, kernel: Any) -> None:
        self.program = program
        self.kernel = kernel
        self.source = read_source(kernel.function)
        code = kernel.function.__code__
        self.builder = Builder(program.module, errors.name_site(kernel.function), code.co_firstlineno)
        self.locals = frozenset(code.co_varnames + code.co_cellvars)

    # ---------------------------------------------------------------- refusals

    def refuse(self, node: ast.AST, reason: str) -> KernelError:
        """The error for a part of the source that cannot be translated."""
        line = getattr(node, "lineno", self.builder.line)
        text = self.source.lines[line - 1].strip()
        function = self.kernel.function
        path = function.__code__.co_filename
        return KernelError(f"{path}:{line}: in kernel {function.__name__}: {reason}\n    {text}")

    def refuse_syntax(self, node: ast.AST) -> KernelError:
        """The error for syntax outside the kernel language."""
        advice = next((text for part, text in ADVICE.items() if isinstance(node, part)), "")
        what = type(node.value if isinstance(node, ast.Constant) else node).__name__.lower()
        return self.refuse(node, f"the kernel language has no {what}{f'; {advice}' if advice else ''}")

    # ---------------------------------------------------------------- names

    def dotted(self, node: ast.expr) -> str | None:
        """The text of a name with attributes, unless it begins with a local variable or an expression."""
        match node:
            case ast.Name(name):
                return None if name in self.locals else name
            case ast.Attribute(owner, name):
                before = self.dotted(owner)
                return f"{before}.{name}" if before else None
        return None

    def read_global(self, dotted: str, node: ast.expr) -> Value:
        """The value of a name outside the kernel; the module then depends on it."""
        try:
            thing = look_up(self.kernel.function, dotted)
        except LookupError as problem:
            raise self.refuse(node, str(problem)) from None
        self.program.dependencies.record(self.kernel, dotted, thing)
        return self.constant(thing, node)

    def constant(self, thing: Any, node: ast.AST) -> Value:
        """The value of something known at compile time."""
        value = make_static(thing)
        if isinstance(value.type, Static) and isinstance(thing, int):
            raise self.refuse(node, f"{thing} does not fit 64 bits; a `Word` goes up to 2**64 - 1")
        return value

    def is_builtin(self, name: str) -> bool:
        """Whether the name means Python's builtin here."""
        if name in self.locals:
            return False
        thing = look_up(self.kernel.function, name)
        self.program.dependencies.record(self.kernel, name, thing)
        return thing is getattr(builtins, name)
