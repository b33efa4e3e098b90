"""The report of the browser's test runner, spec by spec."""

from collections.abc import Iterator
from pathlib import Path

import msgspec


class _Problem(msgspec.Struct):
    message: str = ""


class _Result(msgspec.Struct):
    duration: float
    errors: list[_Problem]


class _Case(msgspec.Struct):
    results: list[_Result]


class _Spec(msgspec.Struct):
    title: str
    ok: bool
    tests: list[_Case]


class _Suite(msgspec.Struct):
    file: str
    specs: list[_Spec]
    suites: list["_Suite"] = []


class _Report(msgspec.Struct):
    suites: list[_Suite]


class Tested(msgspec.Struct):
    """One test of a spec."""

    title: str
    ok: bool
    seconds: float
    problems: list[str]

    def describe(self) -> str:
        return "\n".join([self.title, *self.problems])


class Ran(msgspec.Struct):
    """A run of some specs."""

    tests: dict[str, list[Tested]]
    output: str
    """The output of the runner."""


def read(report: Path, output: str) -> Ran:
    """Read the runner's report; there is no file if the runner failed early."""
    suites = msgspec.json.decode(report.read_bytes(), type=_Report).suites if report.exists() else []
    return Ran({suite.file: list(_tests(suite)) for suite in suites}, output)


def _tests(suite: _Suite) -> Iterator[Tested]:
    for spec in suite.specs:
        results = [result for case in spec.tests for result in case.results]
        problems = [problem.message for result in results for problem in result.errors]
        yield Tested(spec.title, spec.ok, sum(result.duration for result in results) / 1000, problems)
    for inner in suite.suites:
        yield from _tests(inner)
