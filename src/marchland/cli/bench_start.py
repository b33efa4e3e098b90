"""``marchland bench start``: how long a start takes."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from marchland.bench.start import measure_case, select_cases
from marchland.cli.signals import stoppable
from marchland.cli.terminal.output import print_json, stdout_console, table
from marchland.cli.terminal.progress import progress

_MILESTONES = {"wall": "", "answer": "answers", "ready": "is ready", "moving": "all rooms move"}


def bench_start(names: Sequence[str], runs: int | None, json: bool) -> None:
    """Measure the cases, and print a table or a JSON object a line."""
    measured = []
    for case in select_cases(names):
        with stoppable(), progress(f"Measuring {case.name}", runs or case.runs, redraws_per_second=1) as advance:
            figures = measure_case(case, runs, advance)
        if json:
            print_json(figures)
            sys.stdout.flush()
        measured.append(figures)
    if not json:
        stdout_console().print(_as_table(measured))


def _as_table(measured: Sequence[Mapping[str, Any]]) -> Table:
    """A row for each milestone of each case, in seconds."""
    shown = table()
    for heading in ("case", "", "runs", "wall s", "worst", "CPU s", "worst"):
        shown.add_column(heading, justify="left" if heading in ("case", "") else "right")
    for figures in measured:
        case, runs = figures["scenario"], str(figures["runs"])
        cpu = [_as_text(figures["cpu_s_median"]), _as_text(figures["cpu_s_worst"])]
        for name, words in _MILESTONES.items():
            if f"{name}_s_median" in figures:
                wall = [_as_text(figures[f"{name}_s_median"]), _as_text(figures[f"{name}_s_worst"])]
                shown.add_row(case, words, runs, *wall, *cpu)
                case = runs = ""
                cpu = ["", ""]
    return shown


def _as_text(seconds: float | None) -> str:
    return "n/a" if seconds is None else f"{seconds:.3f}"
