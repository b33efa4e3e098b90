"""Kernels as Python functions in which arithmetic beyond 64 bits raises, as checked mode does."""

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from marchland.kernels import Word

_OPERATORS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "_add",
    ast.Sub: "_sub",
    ast.Mult: "_mul",
    ast.FloorDiv: "_floordiv",
    ast.LShift: "_lshift",
    ast.RShift: "_rshift",
}
_CALLS: Final = {"abs": "_abs", "int": "_int"}


def instrument(source: str, path: str) -> Any:
    """The code of a module in which every operation that can leave 64 bits is a call of a function that checks it."""
    tree = _Instrument().visit(ast.parse(source))
    return compile(tree, path, "exec", dont_inherit=True)


class _Instrument(ast.NodeTransformer):
    def _call(self, name: str, arguments: list[ast.expr], node: ast.AST) -> ast.expr:
        call = ast.Call(ast.copy_location(ast.Name(name, ast.Load()), node), arguments, [])
        return ast.copy_location(call, node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        name = _OPERATORS.get(type(node.op))
        return self._call(name, [node.left, node.right], node) if name else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            return self._call("_neg", [node.operand], node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _CALLS:
            node.func.id = _CALLS[node.func.id]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        """Owner and index are evaluated once, and before the operand."""
        self.generic_visit(node)
        before: list[ast.stmt] = []
        target = node.target
        if isinstance(target, ast.Subscript):
            before = [_assign("_owner", target.value, node), _assign("_index", target.slice, node)]
            owner, index = (ast.Name(name, ast.Load()) for name in ("_owner", "_index"))
            loaded: ast.expr = ast.Subscript(owner, index, ast.Load())
            target = ast.Subscript(owner, index, ast.Store())
        else:
            assert isinstance(target, ast.Name)
            loaded = ast.Name(target.id, ast.Load())
        # The call evaluates the loaded value first and the operand second, as the statement does.
        changed = self.visit_BinOp(ast.copy_location(ast.BinOp(loaded, node.op, ast.Constant(0)), node))
        if isinstance(changed, ast.BinOp):
            changed.right = node.value
        elif isinstance(changed, ast.Call):
            changed.args[1] = node.value
        return [*before, _locate(ast.Assign([target], changed), node)]


def _assign(name: str, value: ast.expr, node: ast.AST) -> ast.stmt:
    assigned: ast.stmt = _locate(ast.Assign([ast.Name(name, ast.Store())], value), node)
    return assigned


def _locate(statement: Any, node: ast.AST) -> Any:
    """Give every part without a place the place of ``node``."""
    for part in ast.walk(statement):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return statement


def _fit(value: int) -> int:
    if type(value) is not Word and not -(2**63) <= value < 2**63:
        raise OverflowError(f"{value} does not fit 64 bits")
    return value


def _check_binary(operate: Callable[[int, int], int]) -> Callable[[int, int], int]:
    return lambda left, right: _fit(operate(left, right))


def _check_shift(operate: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def shift(value: int, count: int) -> int:
        if not 0 <= count <= 63:
            raise ValueError(f"shift count {count}")
        return _fit(operate(value, count))

    return shift


CHECKS: Final[dict[str, Any]] = {
    "_add": _check_binary(operator.add),
    "_sub": _check_binary(operator.sub),
    "_mul": _check_binary(operator.mul),
    "_floordiv": _check_binary(operator.floordiv),
    "_lshift": _check_shift(operator.lshift),
    "_rshift": _check_shift(operator.rshift),
    "_neg": lambda value: _fit(-value),
    "_abs": lambda value: _fit(abs(value)),
    "_int": lambda value: _fit(int(value)),
}
"""The functions that instrumented code calls."""
