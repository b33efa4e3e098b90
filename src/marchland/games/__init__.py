"""The games, one folder each. `marchland.registry` knows them by name.

``marchland.games()`` is part of the public surface and this package has the same name, so the package can be called.
"""

import sys
import types


class _Games(types.ModuleType):
    def __call__(self) -> list[str]:
        """The names of the games."""
        from marchland import registry

        return registry.games()


sys.modules[__name__].__class__ = _Games
