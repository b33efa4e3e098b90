"""Translates the syntax tree of one kernel, for given argument types, into an LLVM function.

One forward pass: the type of a local variable is that of its first assignment, and reading a variable that may not
have been assigned is an error. Every refusal is a `KernelError` with file, line and source text.
"""

import ast
import builtins
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, Protocol

from marchland.kernels import arithmetic, arrays, errors
from marchland.kernels.builder import Builder, typed_leaves
from marchland.kernels.errors import KernelError
from marchland.kernels.names import Intrinsic, is_builtin, look_up, make_static, read_source
from marchland.kernels.types import (
    INT,
    NATURAL,
    NOTHING,
    Array,
    Scalar,
    Settings,
    Static,
    Tuple,
    Value,
    is_integer,
    is_named_tuple,
    leaf_types,
    make_int,
    make_tuple,
    make_word,
    merge_types,
    result_type,
    split_tuple,
    widen,
)
from marchland.kernels.word import Word

_ADVICE: Final[dict[type[ast.AST], str]] = {
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


class Program(Protocol):
    """What the translation of one kernel needs of the whole."""

    def translate(self, kernel: Any, types: tuple[Any, ...]) -> Function | None:
        """The kernel for these argument types; None if it is being translated, so that it calls itself."""

    def add_dependency(self, kernel: Any, dotted: str, thing: Any) -> None:
        """Note what a name stood for."""


class _Loop(NamedTuple):
    onward: str
    end: str


def translate_function(program: Any, kernel: Any, types: tuple[Any, ...], name: str) -> tuple[str, Any]:
    """The LLVM text of a kernel for these argument types, and the type of its result."""
    known: dict[str, Any] = {}
    while True:
        translation = _Translation(program, kernel, known)
        translation.run(types)
        if not translation.merged:
            return translation.definition(name), translation.returns
        known |= translation.merged


class _Translation:
    """One kernel on its way into LLVM code."""

    def __init__(self, program: Any, kernel: Any, known: dict[str, Any]) -> None:
        self._program: Program = program
        self._kernel = kernel
        self._function = function = kernel.function
        self._source = read_source(function)
        code = function.__code__
        self._builder = Builder(program, errors.name_site(function), code.co_firstlineno)
        self._locals = frozenset(code.co_varnames + code.co_cellvars)
        self._known = known
        """The types of variables that hold more than their first assignment tells, and of the result."""
        self.merged: dict[str, Any] = {}
        """Types that turned out to be wider than was known: the translation must be done again."""
        self._loops: list[_Loop] = []
        self._parameters: list[str] = []
        self._values: dict[str, Value] = {}
        self._slots: dict[str, Value] = {}
        # A variable that only top-level statements assign needs no slot: each assignment names a new value.
        self._slotted = {name for statement in self._source.node.body for name in _assigned_inside(statement)}
        self.returns: Any = None

    def run(self, types: tuple[Any, ...]) -> None:
        """Translate the whole body."""
        node = self._source.node
        if node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.posonlyargs:
            raise self._refuse(node, "a kernel has plain positional parameters only")
        for parameter, type_ in zip(node.args.args, types, strict=True):
            first = len(self._parameters)
            value = Value(type_, tuple(f"%p{first + offset}" for offset in range(len(leaf_types(type_)))))
            self._parameters += typed_leaves(value)
            self._assign_name(parameter.arg, value, parameter)
        self._translate_block(node.body)
        if self._builder.is_reachable:
            self._translate_return(NOTHING, node)
        if self.returns is None:  # an endless loop
            self.returns = NOTHING.type

    def definition(self, name: str) -> str:
        """The LLVM text."""
        head = f"define internal {result_type(self.returns)} @{name}({', '.join(['ptr %frame', *self._parameters])})"
        return f"{head} nounwind {{\n{self._builder.body()}\n}}"

    def _refuse(self, node: ast.AST, reason: str) -> KernelError:
        line = getattr(node, "lineno", self._builder.line)
        text = self._source.lines[line - 1].strip()
        path = self._function.__code__.co_filename
        return KernelError(f"{path}:{line}: in kernel {self._function.__name__}: {reason}\n    {text}")

    def _refuse_syntax(self, node: ast.AST) -> KernelError:
        advice = next((text for part, text in _ADVICE.items() if isinstance(node, part)), "")
        what = type(node.value if isinstance(node, ast.Constant) else node).__name__.lower()
        return self._refuse(node, f"the kernel language has no {what}{f'; {advice}' if advice else ''}")

    # ---------------------------------------------------------------- statements

    def _translate_block(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            if self._builder.is_reachable:
                self._builder.line = statement.lineno
                self._translate_statement(statement)

    def _translate_statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass() | ast.Expr(ast.Constant(str())):
                pass
            case ast.Expr(ast.Call() as call):
                self._evaluate(call)
            case ast.Assign(targets, value):
                result = self._evaluate(value)
                for target in targets:
                    self._assign(target, result)
            case ast.AnnAssign(target, _, ast.expr() as value):
                self._assign(target, self._evaluate(value))
            case ast.AugAssign(target, operator, value):
                self._translate_augmented(target, operator, value)
            case ast.Return(value):
                self._translate_return(self._evaluate(value) if value else NOTHING, node)
            case ast.If(test, body, other):
                self._translate_if(test, body, other)
            case ast.While(test, body, []):
                self._translate_while(test, body)
            case ast.For(target, ast.Call(ast.Name("range"), bounds, []), body, []) if self._is_builtin("range"):
                self._translate_range(node, target, bounds, body)
            case ast.For(target, iterable, body, []):
                self._translate_items(target, iterable, body)
            case ast.Continue():
                self._builder.jump(self._loops[-1].onward)
            case ast.Break():
                self._builder.jump(self._loops[-1].end)
            case ast.For() | ast.While():
                raise self._refuse(node, "a loop in a kernel has no `else`")
            case _:
                raise self._refuse_syntax(node)

    def _assign(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name(name):
                self._assign_name(name, value, target)
            case ast.Tuple(parts):
                items = list(split_tuple(value)) if isinstance(value.type, Tuple) else []
                if len(items) != len(parts) or any(isinstance(part, ast.Starred) for part in parts):
                    raise self._refuse(target, f"{len(parts)} names cannot be assigned from {value.type}")
                for part, item in zip(parts, items, strict=True):
                    self._assign(part, item)
            case ast.Subscript(owner, index):
                array, address = self._locate(owner, index)
                self._store(array, address, value, target)
            case _:
                raise self._refuse(target, "only names, tuples of names and elements of arrays can be assigned")

    def _assign_name(self, name: str, value: Value, node: ast.AST) -> None:
        if isinstance(value.type, Static):
            raise self._refuse(node, f"{value.type} cannot be assigned; use its name")
        if name in self._known:
            value = value._replace(type=merge_types(self._known[name], value.type) or value.type)
        if name not in self._slotted:
            self._values[name] = value
        else:
            if name not in self._slots:
                self._slots[name] = self._builder.new_slot(value.type)
            slot = self._slots[name]
            merged = merge_types(self.merged.get(name, slot.type), value.type)
            if merged is None:
                raise self._refuse(node, f"{name!r} is {slot.type} at first and {value.type} here")
            if merged != slot.type:
                self.merged[name] = merged
            self._builder.write_slot(slot, value)
        self._builder.assigned |= {name}

    def _translate_augmented(self, target: ast.expr, operator: ast.operator, operand: ast.expr) -> None:
        if isinstance(target, ast.Subscript):
            array, address = self._locate(target.value, target.slice)
            before = arrays.emit_load(self._builder, array, address)
            self._store(array, address, self._apply(operator, before, self._evaluate(operand), target), target)
        else:
            before = self._evaluate(target)
            self._assign(target, self._apply(operator, before, self._evaluate(operand), target))

    def _store(self, array: Array, address: str, value: Value, node: ast.expr) -> None:
        if not array.is_writable:
            raise self._refuse(node, "settings and tuples cannot be changed")
        if not is_integer(value.type):
            raise self._refuse(node, f"an element of an array is an integer, not {value.type}")
        self._builder.line = node.lineno
        arrays.emit_store(self._builder, array, address, value)

    def _translate_return(self, value: Value, node: ast.AST) -> None:
        if isinstance(value.type, Static):
            raise self._refuse(node, f"{value.type} cannot be returned")
        type_ = widen(value.type)
        merged = type_ if self.returns is None else merge_types(self.returns, type_)
        if merged is None:
            raise self._refuse(node, f"this returns {value.type}, an earlier line {self.returns}")
        self.returns = merged
        if len(value.leaves) > 1:
            result, whole = result_type(value.type), "poison"
            for position, leaf in enumerate(typed_leaves(value)):
                whole = self._builder.define(f"insertvalue {result} {whole}, {leaf}, {position}")
            self._builder.emit(f"ret {result} {whole}")
        else:
            self._builder.emit(f"ret {''.join(typed_leaves(value)) or 'void'}")
        self._builder.is_reachable = False

    # ---------------------------------------------------------------- control flow

    def _translate_if(self, test: ast.expr, body: list[ast.stmt], other: list[ast.stmt]) -> None:
        yes, no, end = self._builder.new_labels(3)
        self._branch(test, yes, no)
        for label, arm in ((yes, body), (no, other)):
            self._builder.place(label)
            self._translate_block(arm)
            self._builder.jump(end)
        self._builder.place(end)

    def _translate_while(self, test: ast.expr, body: list[ast.stmt]) -> None:
        again, inside, end = self._builder.new_labels(3)
        self._builder.place(again)
        self._builder.line = test.lineno
        self._branch(test, inside, end)
        self._builder.place(inside)
        self._translate_loop(body, again, end)
        self._builder.jump(again)
        self._builder.place(end)

    def _translate_loop(self, body: list[ast.stmt], onward: str, end: str) -> None:
        self._loops.append(_Loop(onward, end))
        self._translate_block(body)
        self._loops.pop()

    def _translate_range(self, node: ast.stmt, target: ast.expr, bounds: list[ast.expr], body: list[ast.stmt]) -> None:
        builder = self._builder
        values = [self._evaluate_int(bound) for bound in bounds]
        builder.line = node.lineno
        if not 1 <= len(values) <= 3 or not isinstance(target, ast.Name):
            raise self._refuse(node, "a loop is `for name in range(...)` with one to three bounds")
        start, stop, step = [make_int(0), *values, make_int(1)] if len(values) == 1 else [*values, make_int(1)][:3]
        if step.constant is None or step.constant == 0:
            is_zero = builder.define(f"icmp eq i64 {step.leaves[0]}, 0")
            builder.fault_if(is_zero, errors.STEP, "0", "0")
        counter = builder.new_slot(INT)
        builder.write_slot(counter, start)
        test, inside, onward, end = builder.new_labels(4)
        if step.constant in (1, -1):  # the plain form, which LLVM knows how to vectorise
            builder.place(test)
            position = builder.read_slot(counter)
            comparison = "slt" if step.constant == 1 else "sgt"
            builder.branch(builder.define(f"icmp {comparison} i64 {position.leaves[0]}, {stop.leaves[0]}"), inside, end)
        else:  # counts down the iterations, since the counter itself may pass the largest integer
            arguments = ", ".join(f"i64 {one.leaves[0]}" for one in (start, stop, step))
            left = builder.new_slot(INT)
            builder.write_slot(left, Value(INT, (builder.define(f"call i64 @range_length({arguments})"),)))
            builder.place(test)
            remaining = builder.read_slot(left).leaves[0]
            builder.write_slot(left, Value(INT, (builder.define(f"sub i64 {remaining}, 1"),)))
            position = builder.read_slot(counter)
            builder.branch(builder.define(f"icmp ne i64 {remaining}, 0"), inside, end)
        builder.place(inside)
        is_natural = start.type == NATURAL and step.constant is not None and step.constant > 0
        self._assign(target, position._replace(type=NATURAL if is_natural else INT))
        self._translate_loop(body, onward, end)
        builder.place(onward)
        if builder.is_reachable:
            flags = "nsw " if step.constant in (1, -1) else ""
            position = builder.read_slot(counter)
            following = builder.define(f"add {flags}i64 {position.leaves[0]}, {step.leaves[0]}")
            builder.write_slot(counter, Value(INT, (following,)))
            builder.jump(test)
        builder.place(end)

    def _translate_items(self, target: ast.expr, iterable: ast.expr, body: list[ast.stmt]) -> None:
        """A loop over a tuple: the body once for each item."""
        items = self._evaluate(iterable)
        if not isinstance(items.type, Tuple):
            raise self._refuse(iterable, "a loop goes over `range(...)` or a tuple")
        (end,) = self._builder.new_labels(1)
        for item in split_tuple(items):
            (onward,) = self._builder.new_labels(1)
            if self._builder.is_reachable:
                self._assign(target, item)
                self._translate_loop(body, onward, end)
                self._builder.place(onward)
        self._builder.place(end)

    def _branch(self, test: ast.expr, yes: str, no: str) -> None:
        """Go to ``yes`` if the expression is true, else to ``no``."""
        builder = self._builder
        match test:
            case ast.BoolOp(operator, values):
                for value in values[:-1]:
                    (following,) = builder.new_labels(1)
                    self._branch(value, *((following, no) if isinstance(operator, ast.And) else (yes, following)))
                    builder.place(following)
                    if not builder.is_reachable:
                        return
                self._branch(values[-1], yes, no)
            case ast.UnaryOp(ast.Not(), operand):
                self._branch(operand, no, yes)
            case ast.Compare(left, operators, others):
                before = self._evaluate(left)
                for operator_, other in zip(operators[:-1], others[:-1], strict=True):
                    after = self._evaluate(other)
                    (following,) = builder.new_labels(1)
                    builder.branch(self._compare(operator_, before, after, test), following, no)
                    builder.place(following)
                    if not builder.is_reachable:
                        return
                    before = after
                builder.branch(self._compare(operators[-1], before, self._evaluate(others[-1]), test), yes, no)
            case _:
                number = self._evaluate(test)
                if not isinstance(number.type, Scalar):
                    raise self._refuse(test, f"{number.type} is not a condition; compare numbers")
                if number.constant is not None:
                    builder.jump(yes if number.constant else no)
                else:
                    builder.branch(builder.define(f"icmp ne i64 {number.leaves[0]}, 0"), yes, no)

    def _compare(self, operator: ast.cmpop, left: Value, right: Value, node: ast.AST) -> str:
        if isinstance(operator, ast.In | ast.NotIn) and isinstance(right.type, Tuple):
            met = "false"
            for item in split_tuple(right):
                met = self._builder.define(f"or i1 {met}, {self._compare(ast.Eq(), left, item, node)}")
            return self._builder.define(f"xor i1 {met}, true") if isinstance(operator, ast.NotIn) else met
        condition = arithmetic.emit_comparison(self._builder, operator, left, right)
        if condition is None:
            raise self._refuse(node, f"{left.type} and {right.type} cannot be compared so")
        return condition

    # ---------------------------------------------------------------- expressions

    def _evaluate(self, node: ast.expr) -> Value:
        """The value of an expression."""
        self._builder.line = node.lineno
        match node:
            case ast.Constant(bool() | int() as value):
                return self._constant(value, node)
            case ast.Constant(None):
                return NOTHING
            case ast.Name(name) if name in self._locals:
                return self._read_local(name, node)
            case ast.Name() | ast.Attribute():
                return self._evaluate_name(node)
            case ast.Subscript(owner, index):
                return self._evaluate_subscript(owner, index)
            case ast.BinOp(left, operator, right):
                first = self._evaluate(left)
                return self._apply(operator, first, self._evaluate(right), node)
            case ast.Compare(left, [operator_], [right]):
                first = self._evaluate(left)
                return self._truth(self._compare(operator_, first, self._evaluate(right), node))
            case ast.UnaryOp(ast.Not()) | ast.Compare():
                return self._choose(node, ast.Constant(1), ast.Constant(0), node)
            case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)):
                return self._constant(-value, node)
            case ast.UnaryOp(operator_, operand):
                before = self._evaluate(operand)
                self._builder.line = node.lineno
                return self._accept(arithmetic.emit_unary(self._builder, operator_, before), node, f"of {before.type}")
            case ast.BoolOp(operator_, values):
                return self._evaluate_and_or(operator_, values)
            case ast.IfExp(test, yes, no):
                return self._choose(test, yes, no, node)
            case ast.Tuple(items):
                return make_tuple(None, [self._evaluate(item) for item in items])
            case ast.Call(called, arguments, keywords):
                return self._evaluate_call(node, called, arguments, keywords)
        raise self._refuse_syntax(node)

    def _truth(self, condition: str) -> Value:
        """A condition as 1 or 0."""
        return Value(NATURAL, (self._builder.define(f"zext i1 {condition} to i64"),))

    def _accept(self, value: Value | None, node: ast.AST, what: str) -> Value:
        if value is None:
            raise self._refuse(node, f"the kernel language has no such operation {what}")
        return value

    def _constant(self, thing: Any, node: ast.AST) -> Value:
        value = make_static(thing)
        if isinstance(value.type, Static) and isinstance(thing, int):
            raise self._refuse(node, f"{thing} does not fit 64 bits; a `Word` goes up to 2**64 - 1")
        return value

    def _read_local(self, name: str, node: ast.AST) -> Value:
        if name not in self._builder.assigned:
            raise self._refuse(node, f"{name!r} may have no value here; assign it on every path that leads here")
        return self._values[name] if name not in self._slotted else self._builder.read_slot(self._slots[name])

    def _evaluate_name(self, node: ast.expr) -> Value:
        """A global name with attributes, or an attribute of a value."""
        dotted = self._dotted(node)
        if dotted is not None:
            try:
                thing = look_up(self._function, dotted)
            except LookupError as problem:
                raise self._refuse(node, str(problem)) from None
            self._program.add_dependency(self._kernel, dotted, thing)
            return self._constant(thing, node)
        assert isinstance(node, ast.Attribute)
        owner = self._evaluate(node.value)
        found = None
        if isinstance(owner.type, Settings):
            found = arrays.emit_setting(self._builder, owner, node.attr)
        elif isinstance(owner.type, Tuple) and owner.type.shape and node.attr in owner.type.shape._fields:
            found = list(split_tuple(owner))[owner.type.shape._fields.index(node.attr)]
        if found is None:
            raise self._refuse(node, f"{owner.type} has no attribute {node.attr!r}")
        return found

    def _dotted(self, node: ast.expr) -> str | None:
        """The text of a name with attributes, unless it begins with a local variable or an expression."""
        match node:
            case ast.Name(name):
                return None if name in self._locals else name
            case ast.Attribute(owner, name):
                before = self._dotted(owner)
                return f"{before}.{name}" if before else None
        return None

    def _is_builtin(self, name: str) -> bool:
        if name in self._locals:
            return False
        thing = look_up(self._function, name)
        self._program.add_dependency(self._kernel, name, thing)
        return thing is getattr(builtins, name)

    def _evaluate_int(self, node: ast.expr) -> Value:
        value = self._evaluate(node)
        if not is_integer(value.type):
            raise self._refuse(node, f"an integer is needed here, not {value.type}")
        return value

    def _apply(self, operator: ast.operator, left: Value, right: Value, node: ast.expr) -> Value:
        self._builder.line = node.lineno
        if isinstance(operator, ast.Div | ast.Pow | ast.MatMult):
            raise self._refuse(node, f"the kernel language has no such operator; {_ADVICE.get(type(operator), '')}")
        result = arithmetic.emit_binary(self._builder, operator, left, right)
        if result is None:
            is_mixed = isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
            advice = "; convert one with `Word(...)` or `int(...)`" if is_mixed else ""
            raise self._refuse(node, f"{left.type} and {right.type} cannot be combined so{advice}")
        return result

    def _evaluate_and_or(self, operator: ast.boolop, nodes: list[ast.expr]) -> Value:
        """The operand that decides, as in Python."""
        builder = self._builder
        (end,) = builder.new_labels(1)
        slot: Value | None = None
        type_: Any = None
        for node in nodes:
            value = self._evaluate(node)
            type_ = merge_types(type_ or value.type, value.type)
            if not isinstance(value.type, Scalar) or type_ is None:
                raise self._refuse(node, f"`and` and `or` take numbers of one type, not {value.type}")
            slot = slot or builder.new_slot(value.type)
            builder.write_slot(slot, value)
            (following,) = builder.new_labels(1)
            is_true = builder.define(f"icmp ne i64 {value.leaves[0]}, 0")
            builder.branch(is_true, *((following, end) if isinstance(operator, ast.And) else (end, following)))
            builder.place(following)
        builder.place(end)
        assert slot is not None
        return builder.read_slot(slot)._replace(type=type_)

    def _choose(self, test: ast.expr, yes_node: ast.expr, no_node: ast.expr, node: ast.AST) -> Value:
        builder = self._builder
        yes, no, end = builder.new_labels(3)
        self._branch(test, yes, no)
        slot: Value | None = None
        type_: Any = None
        for label, arm in ((yes, yes_node), (no, no_node)):
            builder.place(label)
            if not builder.is_reachable:
                continue
            value = self._constant(arm.value, node) if isinstance(arm, ast.Constant) else self._evaluate(arm)
            slot = slot or builder.new_slot(value.type)
            type_ = value.type if type_ is None else merge_types(type_, value.type)
            if type_ is None or isinstance(type_, Static):
                raise self._refuse(node, f"one result is {slot.type}, the other {value.type}")
            builder.write_slot(slot, value)
            builder.jump(end)
        builder.place(end)
        assert slot is not None
        return builder.read_slot(slot)._replace(type=type_)

    # ---------------------------------------------------------------- arrays

    def _locate(self, owner: ast.expr, index: ast.expr) -> tuple[Array, str]:
        """The type of an array and the address of one of its elements."""
        array = self._evaluate(owner)
        if not isinstance(array.type, Array):
            raise self._refuse(index, f"{array.type} has no elements that can be assigned")
        return array.type, self._address(array, owner, index)

    def _address(self, array: Value, owner: ast.expr, index: ast.expr) -> str:
        nodes = index.elts if isinstance(index, ast.Tuple) else [index]
        if len(nodes) != (2 if array.type.columns else 1) or isinstance(index, ast.Slice):
            form = "[row, column]" if array.type.columns else "[index]"
            raise self._refuse(index, f"an element of {array.type} is {form}")
        indices = [self._evaluate_int(node) for node in nodes]
        self._builder.line = owner.lineno
        return arrays.emit_address(self._builder, array, indices)

    def _evaluate_subscript(self, owner: ast.expr, index: ast.expr) -> Value:
        value = self._evaluate(owner)
        if isinstance(value.type, Tuple) and not isinstance(index, ast.Slice):
            return self._item(value, owner, index)
        if not isinstance(value.type, Array):
            raise self._refuse(owner, f"{value.type} has no such part")
        if not isinstance(index, ast.Slice):
            return arrays.emit_load(self._builder, value.type, self._address(value, owner, index))
        if index.step is not None or value.type.columns:
            raise self._refuse(index, "a slice has no step and is of one dimension")
        bounds = [None if bound is None else self._evaluate_int(bound) for bound in (index.lower, index.upper)]
        return arrays.emit_slice(self._builder, value, *bounds)

    def _item(self, items: Value, owner: ast.expr, index: ast.expr) -> Value:
        position = self._evaluate_int(index)
        self._builder.line = owner.lineno
        count = len(items.type.types)
        if position.constant is not None and -count <= position.constant < count:
            return list(split_tuple(items))[position.constant]
        found = arrays.emit_item(self._builder, items, position)
        if found is None:
            raise self._refuse(index, f"an index into {items.type} that is no constant needs items that are all alike")
        return found

    # ---------------------------------------------------------------- calls

    def _evaluate_call(
        self, node: ast.expr, called: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]
    ) -> Value:
        if any(isinstance(argument, ast.Starred) for argument in arguments) or any(one.arg is None for one in keywords):
            raise self._refuse(node, "arguments are passed one by one, without `*`")
        target = self._evaluate(called)
        thing = target.type.thing if isinstance(target.type, Static) else None
        if thing is Word and [type(argument) for argument in arguments] == [ast.Constant] and not keywords:
            (literal,) = arguments
            if isinstance(literal, ast.Constant) and isinstance(literal.value, int):
                return make_word(literal.value % 2**64)
        values = [self._evaluate(argument) for argument in arguments]
        named = {str(one.arg): self._evaluate(one.value) for one in keywords}
        self._builder.line = node.lineno
        if isinstance(thing, type(self._kernel)):
            if self._dotted(called) is None:  # the cache follows names only
                raise self._refuse(node, "a kernel is called by its name")
            return self._call_kernel(thing, values, named, node)
        if is_named_tuple(thing):
            class_: Any = thing
            return make_tuple(class_, self._bind(class_._fields, class_._field_defaults, values, named, node))
        if named or any(isinstance(value.type, Static) for value in values):
            raise self._refuse(node, "only kernels and NamedTuples take arguments like these")
        if is_builtin(thing):
            return self._call_builtin(thing, values, node)
        if isinstance(thing, Intrinsic) and not isinstance(thing, type):
            try:
                return thing.emit(self._builder, *values)
            except TypeError as problem:
                raise self._refuse(node, str(problem)) from None
        raise self._refuse(node, "a kernel calls kernels, NamedTuples, len, min, max, abs, int, bool and Word")

    def _call_builtin(self, thing: Any, values: list[Value], node: ast.AST) -> Value:
        builder = self._builder
        result: Value | None = None
        if thing in (min, max) and len(values) >= 2:
            result = arithmetic.emit_extreme(builder, thing.__name__, values)
        elif len(values) == 1:
            (value,) = values
            if thing is len and isinstance(value.type, Array):
                result = Value(NATURAL, value.leaves[1:])
            elif thing is len and isinstance(value.type, Tuple):
                result = make_int(len(value.type.types))
            elif thing is abs:
                result = arithmetic.emit_absolute(builder, value)
            elif thing is int:
                result = arithmetic.emit_int(builder, value)
            elif thing is bool and isinstance(value.type, Scalar):
                result = self._truth(builder.define(f"icmp ne i64 {value.leaves[0]}, 0"))
            elif thing is Word:
                result = arithmetic.emit_word(value)
        given = ", ".join(str(value.type) for value in values)
        return self._accept(result, node, f"as {thing.__name__} of {given or 'nothing'}")

    def _bind(
        self,
        names: tuple[str, ...],
        defaults: dict[str, Any],
        values: list[Value],
        named: dict[str, Value],
        node: ast.AST,
    ) -> list[Value]:
        """The arguments in the order of the parameters."""
        given = dict(zip(names, values, strict=False))
        missing = [name for name in names if name not in given and name not in named and name not in defaults]
        strange = [name for name in named if name not in names or name in given]
        if len(values) > len(names) or missing or strange:
            raise self._refuse(node, f"the call does not fit the parameters ({', '.join(names)})")
        known = {name: make_static(default) for name, default in defaults.items()} | given | named
        return [known[name] for name in names]

    def _call_kernel(self, kernel: Any, values: list[Value], named: dict[str, Value], node: ast.AST) -> Value:
        code = kernel.function.__code__
        names = code.co_varnames[: code.co_argcount]
        defaults = kernel.function.__defaults__ or ()
        arguments = self._bind(names, dict(zip(names[-len(defaults) :], defaults, strict=False)), values, named, node)
        if any(isinstance(argument.type, Static) for argument in arguments):
            raise self._refuse(node, "an argument is a number, an array or a tuple of these")
        callee = self._program.translate(kernel, tuple(argument.type for argument in arguments))
        if callee is None:
            raise self._refuse(node, f"{kernel.function.__name__} calls itself; a kernel cannot")
        passed = ", ".join(["ptr %frame", *(leaf for argument in arguments for leaf in typed_leaves(argument))])
        result, types = result_type(callee.returns), leaf_types(callee.returns)
        call = f"call {result} @{callee.name}({passed})"
        if not types:
            self._builder.emit(call)
            return Value(callee.returns, ())
        whole = self._builder.define(call)
        if len(types) == 1:
            return Value(callee.returns, (whole,))
        leaves = [self._builder.define(f"extractvalue {result} {whole}, {place}") for place in range(len(types))]
        return Value(callee.returns, tuple(leaves))


def _assigned_inside(statement: ast.stmt) -> Iterable[str]:
    """The names assigned in a statement that may not run, or run again."""
    if isinstance(statement, ast.If | ast.While | ast.For):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
