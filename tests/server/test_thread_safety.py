"""What many threads do at once: msgspec crashes on types that it is still learning, Python's parser gives up."""

import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import marchland
from marchland.server.catalog.config_schema import config_schema

MANY_AT_ONCE = """
import contextlib, sys, threading
import msgspec
{prepared}

sys.setswitchinterval(1e-6)

def kinds(kind):
    return {{kind}}.union(*(kinds(one) for one in kind.__subclasses__()))

def read(kind, together):
    data = msgspec.json.encode(dict.fromkeys(kind.__struct_encode_fields__[-1:]))  # the last that is learned
    together.wait()
    with contextlib.suppress(msgspec.MsgspecError, TypeError):
        msgspec.json.decode(data, type=kind)

count = 0
for kind in sorted(kinds(msgspec.Struct) - {{msgspec.Struct}}, key=str):
    together = threading.Barrier(6)
    threads = [threading.Thread(target=read, args=(kind, together)) for _ in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    count += kind.__module__.startswith("marchland.")
print(count)
"""

PREPARED = {
    "server": "import marchland; from marchland.server.app import create_app, prepare_types; prepare_types();"
    "all(marchland.find(game) for game in marchland.games())",
    "client": "import marchland.client",
}


@pytest.mark.parametrize("who", PREPARED)
def test_types_can_be_read_in_many_threads_at_once(who: str) -> None:
    program = MANY_AT_ONCE.format(prepared=PREPARED[who])
    settings = {**os.environ, "MARCHLAND_KERNELS": "python"}
    done = subprocess.run([sys.executable, "-c", program], env=settings, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50


def test_settings_can_be_described_in_many_threads_at_once() -> None:
    """Also if a search for garbage lets another thread go on in the middle of it."""
    configs = [marchland.find(game).config_type for game in marchland.games()]
    usual = sys.getswitchinterval()

    def dawdle(phase: str, info: object) -> None:
        [None for _ in range(200)]

    gc.callbacks.append(dawdle)
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as threads:
            schemas = list(threads.map(config_schema, configs * 20))
    finally:
        gc.callbacks.remove(dawdle)
        sys.setswitchinterval(usual)
    assert schemas == [config_schema(config) for config in configs] * 20
