"""The examples of docs/tournaments.md and the end of docs/bots.md."""

import subprocess
import sys
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from marchland.arena.pairing import FORMATS
from marchland.cli.tournament import FORMAT_NAMES
from tests.support.pages import code_blocks, read_page


def test_the_python_of_the_page_runs_as_a_program(tmp_path: Path) -> None:
    program = tmp_path / "cup.py"
    (block,) = code_blocks(read_page("tournaments.md"), "python")
    program.write_text(block)
    out = subprocess.run([sys.executable, program], check=True, capture_output=True, text=True).stdout
    assert out.count("round robin: ") == 12
    assert "greedy: " in out and "Verdict.BETTER" in out


def test_the_page_and_the_command_name_every_format() -> None:
    page = read_page("tournaments.md")
    assert list(FORMAT_NAMES) == list(FORMATS)
    assert [name for name in FORMATS if f"| `{name}` |" not in page] == []


def test_the_ci_job_on_the_bots_page_compares_in_its_last_step() -> None:
    (job,) = (yaml.safe_load(block) for block in code_blocks(read_page("bots.md"), "yaml"))
    *_, last = job["jobs"]["compare"]["steps"]
    assert last["run"].startswith("marchland compare mybot.py before.py --game ")
