"""What a module is made from: the code of every kernel in it, and every constant that they read."""

from typing import Any

from marchland.kernels.names import fingerprint_constant, look_up

Dependencies = dict[str, dict[str, str]]
"""For each kernel of a module, under a name of its own: its code (key ""), and what each global name stands for."""


class DependencyRecorder:
    """Collects the dependencies of one module while it is translated."""

    def __init__(self) -> None:
        self.recorded: Dependencies = {}
        self._names: dict[Any, str] = {}

    def name_kernel(self, kernel: Any) -> str:
        """A kernel's name among the dependencies."""
        if kernel not in self._names:
            function = kernel.function
            self._names[kernel] = name = f"{len(self._names)} {function.__module__}:{function.__qualname__}"
            self.recorded[name] = {"": kernel.fingerprint}
        return self._names[kernel]

    def record(self, kernel: Any, dotted: str, thing: Any) -> None:
        """Note what a global name in a kernel stands for."""
        is_kernel = isinstance(thing, type(kernel))
        fingerprint = f"kernel {self.name_kernel(thing)}" if is_kernel else fingerprint_constant(thing)
        self.recorded[self.name_kernel(kernel)][dotted] = fingerprint


def list_kernels(dependencies: Dependencies) -> set[str]:
    """The kernels of a module, by module and qualified name."""
    return {name.partition(" ")[2] for name in dependencies}


def are_current(dependencies: Dependencies, kernel: Any) -> bool:
    """Whether the module of this kernel would be made from the same code and constants again."""
    seen: dict[str, Any] = {}
    pending = [(next(iter(dependencies)), kernel)]
    while pending:
        name, current = pending.pop()
        if name in seen:
            if seen[name] is not current:
                return False
            continue
        seen[name] = current
        recorded = dependencies[name]
        if recorded[""] != current.fingerprint:
            return False
        for dotted, fingerprint in recorded.items():
            if dotted:
                try:
                    thing = look_up(current.function, dotted)
                except LookupError:
                    return False
                if isinstance(thing, type(kernel)) and fingerprint.startswith("kernel "):
                    pending.append((fingerprint.removeprefix("kernel "), thing))
                elif isinstance(thing, type(kernel)) or fingerprint_constant(thing) != fingerprint:
                    return False
    return True
