"""Compiled kernels on disk: found again, and never wrong."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from marchland.kernels import (
    Kernel,
    NotCompiledError,
    Word,
    cache,
    compile_progress,
    dispatch,
    engine,
    forbid_compiling,
    program,
)

SOURCE = """
@kernel
def double(x):
    return 2 * x

@kernel
def f(x):
    return double(x) + LIMIT

@kernel
def g(x):
    return x // 3
"""


class Counts:
    """How often the compiler was used."""

    modules = 0
    objects = 0


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    counts = Counts()
    compile_module, translate = engine.compile_module, program.translate_program

    def count_object(*arguments: Any, **keywords: Any) -> bytes:
        counts.objects += 1
        return compile_module(*arguments, **keywords)

    def count_module(*arguments: Any) -> Any:
        counts.modules += 1
        return translate(*arguments)

    monkeypatch.setattr(engine, "compile_module", count_object)
    monkeypatch.setattr(program, "translate_program", count_module)
    return counts


Importer = Callable[..., dict[str, Any]]


@pytest.fixture
def import_text(tmp_path: Path) -> Importer:
    """Import a module from a file, as a process that starts now would."""

    def import_text(text: str, **names: Any) -> dict[str, Any]:
        path = tmp_path / "sample.py"
        path.write_text(textwrap.dedent(text))
        namespace: dict[str, Any] = {"__name__": "sample", "kernel": Kernel, "LIMIT": 100, **names}
        exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), namespace)
        return namespace

    return import_text


def list_files(folder: Path, kind: str) -> list[Path]:
    return sorted((folder / "kernels" / kind).iterdir())


def test_a_kernel_is_compiled_once_and_found_by_the_next_process(import_text: Importer, counts: Counts) -> None:
    for _ in range(2):
        assert import_text(SOURCE)["f"](5) == 110
    assert (counts.modules, counts.objects) == (1, 1)


def test_the_cache_is_in_the_folder_of_the_environment(import_text: Importer, cache_folder: Path) -> None:
    import_text(SOURCE)["f"](5)
    assert len(list_files(cache_folder, "objects")) == 1
    assert len(list_files(cache_folder, "manifests")) == 1


# -------------------------------------------------------------------- damage


def truncate(data: bytes) -> Iterator[bytes]:
    yield from (data[:length] for length in (0, 1, 40, 106, len(data) // 2, len(data) - 1))


def flip_bits(data: bytes) -> Iterator[bytes]:
    for position in (0, 50, 105, 107, len(data) // 2, len(data) - 1):
        yield data[:position] + bytes([data[position] ^ 0x10]) + data[position + 1 :]


@pytest.mark.parametrize("kind", ["objects", "manifests"])
@pytest.mark.parametrize("damage", [truncate, flip_bits])
def test_a_damaged_file_is_written_again(
    kind: str,
    damage: Callable[[bytes], Iterator[bytes]],
    import_text: Importer,
    cache_folder: Path,
    counts: Counts,
) -> None:
    import_text(SOURCE)["f"](5)
    (path,) = list_files(cache_folder, kind)
    whole = path.read_bytes()
    for number, damaged in enumerate(damage(whole), 2):
        path.write_bytes(damaged)
        assert import_text(SOURCE)["f"](5) == 110
        assert path.read_bytes() == whole
        assert counts.modules == number


def test_the_object_of_another_kernel_is_not_taken(import_text: Importer, cache_folder: Path, counts: Counts) -> None:
    import_text(SOURCE)["g"](6)
    (other,) = list_files(cache_folder, "objects")
    import_text(SOURCE)["f"](5)
    (mine,) = set(list_files(cache_folder, "objects")) - {other}
    mine.write_bytes(other.read_bytes())
    assert import_text(SOURCE)["f"](5) == 110
    assert counts.objects == 3


def test_a_cache_that_cannot_be_written_is_replaced_by_a_temporary_one(
    tmp_path: Path, import_text: Importer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MARCHLAND_CACHE", str(tmp_path / "file" / "cache"))
    cache.cache_root.cache_clear()
    with pytest.warns(UserWarning, match="cannot be written .* Set MARCHLAND_CACHE to a writable folder to keep it"):
        assert import_text(SOURCE)["f"](5) == 110


def test_a_cache_that_can_only_be_read_is_read(
    import_text: Importer, monkeypatch: pytest.MonkeyPatch, cache_folder: Path
) -> None:
    assert import_text(SOURCE)["f"](5) == 110

    def refuse(**_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    cache.cache_root.cache_clear()
    with pytest.warns(UserWarning, match="Read-only file system"), forbid_compiling():
        assert import_text(SOURCE)["f"](5) == 110


def test_a_cache_that_is_removed_meanwhile_is_made_again(import_text: Importer, cache_folder: Path) -> None:
    assert import_text(SOURCE)["f"](5) == 110
    shutil.rmtree(cache_folder)
    cache.prune_once.cache_clear()
    assert import_text(SOURCE.replace("2 * x", "3 * x"))["f"](5) == 115
    assert len(list_files(cache_folder, "objects")) == 1


def test_a_full_disk_costs_nothing_but_a_warning(
    import_text: Importer, monkeypatch: pytest.MonkeyPatch, cache_folder: Path
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.warns(UserWarning, match="Compiled code cannot be stored in .*: No space left on device"):
        assert import_text(SOURCE)["f"](5) == 110
    assert list_files(cache_folder, "objects") == []


def test_without_lock_files_every_process_compiles_for_itself(import_text: Importer, cache_folder: Path) -> None:
    cache.cache_root()
    (cache_folder / "kernels" / "locks").rmdir()
    (cache_folder / "kernels" / "locks").touch()
    assert import_text(SOURCE)["f"](5) == 110


# -------------------------------------------------------------------- changes


def test_an_edited_kernel_is_compiled_again_and_no_other(import_text: Importer, counts: Counts) -> None:
    names = import_text(SOURCE)
    assert (names["f"](5), names["g"](6)) == (110, 2)
    edited = import_text(SOURCE.replace("x // 3", "x // 2"))
    assert (edited["f"](5), edited["g"](6)) == (110, 3)
    assert counts.objects == 3


def test_a_kernel_is_compiled_again_when_one_that_it_calls_is_edited(import_text: Importer, counts: Counts) -> None:
    assert import_text(SOURCE)["f"](5) == 110
    assert import_text(SOURCE.replace("2 * x", "3 * x"))["f"](5) == 115
    assert counts.objects == 2


def test_a_kernel_is_compiled_again_when_a_constant_changes_and_found_when_it_changes_back(
    import_text: Importer, counts: Counts
) -> None:
    assert [import_text(SOURCE, LIMIT=limit)["f"](5) for limit in (1, 2, 1)] == [11, 12, 11]
    assert counts.objects == 2


def test_a_constant_of_another_module_is_noticed(import_text: Importer) -> None:
    class Config:
        class rates:  # noqa: N801 - stands for a module
            tax = 3

    source = """
        @kernel
        def f(x):
            return x * config.rates.tax
    """
    assert import_text(source, config=Config)["f"](5) == 15
    Config.rates.tax = 4
    assert import_text(source, config=Config)["f"](5) == 20


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((1, 2), (Word(1), Word(2))),
        (((1,), 2), ((Word(1),), 2)),
        (1, Word(1)),
    ],
)
def test_a_constant_that_becomes_a_word_is_noticed(import_text: Importer, before: Any, after: Any) -> None:
    source = """
        @kernel
        def f(x):
            return THINGS
    """

    def leaf(thing: Any) -> Any:
        return leaf(thing[0]) if isinstance(thing, tuple) else thing

    assert type(leaf(import_text(source, THINGS=before)["f"](1))) is int
    assert type(leaf(import_text(source, THINGS=after)["f"](1))) is Word


def test_a_default_argument_that_changes_is_noticed(import_text: Importer) -> None:
    source = """
        @kernel
        def g(x, step=1):
            return x + int(step)

        @kernel
        def f(x):
            return g(x)
    """
    assert import_text(source)["f"](5) == 6
    assert import_text(source.replace("step=1", "step=2"))["f"](5) == 7


def test_a_global_that_hides_a_builtin_is_noticed(import_text: Importer) -> None:
    source = """
        @kernel
        def f(x):
            total = 0
            for i in range(x):
                total += i
            return total + abs(x)
    """
    assert import_text(source)["f"](4) == 10
    hiding = Kernel(_pair)
    assert import_text(source, range=hiding)["f"](4) == 12
    assert import_text(source, abs=Kernel(_square))["f"](4) == 22


def _pair(x):
    return x, x


def _square(x):
    return x * x


def test_fields_of_a_named_tuple_that_change_places_are_noticed(
    import_text: Importer, counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = types.ModuleType("sample")  # classes are found again by their module
    monkeypatch.setitem(sys.modules, "sample", module)
    source = """
        from typing import NamedTuple

        class Point(NamedTuple):
            x: int
            y: int

        @kernel
        def f(p):
            return p.x
    """
    for _ in range(2):
        names = import_text(source)
        module.__dict__["Point"] = names["Point"]
        assert names["f"](names["Point"](x=1, y=2)) == 1
    assert counts.modules == 1
    names = import_text(source.replace("x: int", "z: int").replace("y: int", "x: int").replace("z: int", "y: int"))
    module.__dict__["Point"] = names["Point"]
    assert names["Point"]._fields == ("y", "x")
    assert names["f"](names["Point"](x=1, y=2)) == 1


def test_a_changed_compiler_writes_every_module_again(
    import_text: Importer, counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_text(SOURCE)["f"](5)
    monkeypatch.setattr(dispatch, "_fingerprint_compiler", lambda: "another")
    import_text(SOURCE)["f"](5)
    assert counts.modules == 2


def test_a_comment_above_or_behind_a_kernel_changes_nothing(import_text: Importer, counts: Counts) -> None:
    import_text(SOURCE)["f"](5)
    commented = "# A remark.\n\n" + SOURCE.replace("2 * x", "2 * x  # twice")
    assert import_text(commented)["f"](5) == 110
    assert counts.modules == 1


def test_a_comment_within_a_kernel_compiles_nothing(import_text: Importer, counts: Counts) -> None:
    import_text(SOURCE)["f"](5)
    commented = SOURCE.replace("    return double", "    # A remark.\n    return double")
    assert import_text(commented)["f"](5) == 110
    assert counts.objects == 1


def test_the_line_of_a_fault_is_right_after_lines_were_added_above(import_text: Importer, counts: Counts) -> None:
    source = """
        @kernel
        def f(x):
            return 1 // x
    """
    for added, line in ((0, 4), (3, 7)):
        with pytest.raises(ZeroDivisionError, match=rf"\(f in sample, line {line}\)"):
            import_text("\n" * added + textwrap.dedent(source))["f"](0)
    assert counts.modules == 1


def test_modes_have_code_of_their_own(import_text: Importer, counts: Counts) -> None:
    for mode in ("compiled", "checked"):
        import_text(SOURCE, kernel=lambda function, mode=mode: Kernel(function, mode))["f"](5)
    assert counts.objects == 2


# -------------------------------------------------------------------- pruning


def make_objects(ages: dict[str, int]) -> None:
    for name, age in ages.items():
        cache.write_object(name, bytes(1000))
        os.utime(cache.cache_root() / "objects" / name, (10**9 - age, 10**9 - age))


def test_pruning_removes_what_was_used_longest_ago(cache_folder: Path) -> None:
    make_objects({"old": 30, "new": 10, "older": 40, "newer": 5})
    cache.prune(2500)
    assert [path.name for path in list_files(cache_folder, "objects")] == ["new", "newer"]


def test_reading_an_object_counts_as_using_it(cache_folder: Path) -> None:
    make_objects({"old": 30, "new": 10})
    assert cache.read_object("old") == bytes(1000)
    cache.prune(1500)
    assert [path.name for path in list_files(cache_folder, "objects")] == ["old"]


def test_reading_a_manifest_counts_as_using_it(cache_folder: Path) -> None:
    cache.write_manifest("old", {"a": 1})
    path = cache_folder / "kernels" / "manifests" / "old"
    os.utime(path, (1, 1))
    make_objects({"new": 10})
    assert cache.read_manifest("old") == {"a": 1}
    cache.prune(1000)
    assert path.exists()


def test_a_pruned_kernel_is_compiled_again(import_text: Importer, counts: Counts) -> None:
    import_text(SOURCE)["f"](5)
    cache.prune(0)
    assert import_text(SOURCE)["f"](5) == 110
    assert counts.objects == 2


# -------------------------------------------------------------------- forbid_compiling and progress


def test_forbid_compiling_refuses_to_compile(import_text: Importer, counts: Counts) -> None:
    with forbid_compiling(), pytest.raises(NotCompiledError, match="kernel f is not compiled yet"):
        import_text(SOURCE)["f"](5)
    assert (counts.modules, counts.objects) == (0, 0)


def test_forbid_compiling_takes_what_is_in_the_cache(import_text: Importer, counts: Counts) -> None:
    import_text(SOURCE)["f"](5)
    with forbid_compiling():
        assert import_text(SOURCE)["f"](5) == 110
    assert counts.objects == 1


def test_forbid_compiling_ends_with_its_context(import_text: Importer) -> None:
    names = import_text(SOURCE)
    with forbid_compiling(), pytest.raises(NotCompiledError):
        names["f"](5)
    assert names["f"](5) == 110


def test_a_listener_learns_how_many_kernels_are_ready(import_text: Importer) -> None:
    heard: list[tuple[int, int]] = []
    names = import_text(SOURCE)
    with compile_progress(lambda ready, count: heard.append((ready, count))):
        names["g"](1)
        names["f"](1)
        names["f"](2)
    assert len(heard) == 2
    assert all(0 < ready <= count for ready, count in heard)
    names["f"](np.int8(3))
    assert len(heard) == 2


# -------------------------------------------------------------------- processes

PROCESS = """
    import os, sys, threading, time
    from marchland.kernels import Kernel, engine

    compiled = []
    compile_module = engine.compile_module

    def count(text, **options):
        compiled.append(text)
        return compile_module(text, **options)

    engine.compile_module = count

    @Kernel
    def work(x):
        total = 0
        for i in range(x):
            for j in range(i):
                if (i ^ j) % 3 == 1:
                    total += i // (j + 1)
        return total
"""


def start_python(folder: Path, code: str, **environment: str) -> "subprocess.Popen[str]":
    path = folder / "process.py"
    if not path.exists():  # others may be reading it
        path.write_text(textwrap.dedent(PROCESS) + textwrap.dedent(code))
    return subprocess.Popen(
        [sys.executable, "-W", "default", str(path)],
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_of_eight_processes_one_compiles_and_all_get_the_result(tmp_path: Path) -> None:
    code = """
        print("ready", flush=True)
        input()
        print(work(20), len(compiled))
    """
    processes = [start_python(tmp_path, code) for _ in range(8)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    outputs = [process.communicate("\n", timeout=120) for process in processes]
    assert not [errors for _, errors in outputs if "Traceback" in errors or "Warning" in errors]
    results = [output.split() for output, _ in outputs]
    assert {result for result, _ in results} == {results[0][0]}
    assert sum(int(count) for _, count in results) == 1


def test_a_disk_that_takes_no_more_bytes_costs_nothing_but_a_warning(tmp_path: Path) -> None:
    code = """
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
        print(work(20), len(compiled))
    """
    output, errors = start_python(tmp_path, code).communicate(timeout=60)
    assert output.split()[1] == "1"
    assert "Compiled code cannot be stored" in errors


def test_a_process_forked_while_another_thread_compiles_can_compile_too(tmp_path: Path) -> None:
    code = """
        def make(number):
            def f(x):
                return x // 3 + number * work(5)
            return Kernel(f)

        stop = threading.Event()

        def compile_all():
            number = 0
            while not stop.is_set():
                number += 1
                make(number)(5)
                time.sleep(0.002)

        thread = threading.Thread(target=compile_all)
        thread.start()
        bad = 0
        for number in range(6):
            time.sleep(0.02 * number)
            pid = os.fork()
            if not pid:
                ok = make(-number)(30) == 10 - number * work(5)
                os._exit(0 if ok else 1)
            deadline = time.monotonic() + 20
            while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
                if time.monotonic() > deadline:
                    os.kill(pid, 9)
                time.sleep(0.01)
            bad += ended[1] != 0
        stop.set()
        thread.join()
        print("bad", bad)
    """
    process = start_python(tmp_path, code, PYTHONWARNINGS="ignore::DeprecationWarning")
    output, errors = process.communicate(timeout=300)
    assert output == "bad 0\n", errors
