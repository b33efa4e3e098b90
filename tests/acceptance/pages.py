"""Every page at three sizes in both themes, and what watching costs; pictures go to web/test-results/screens."""

import pytest

from tests.web.report import Ran
from tests.web.runner import WEB, check_spec, run_specs

SPECS = sorted(f"acceptance/{path.name}" for path in (WEB / "tests" / "acceptance").glob("*.spec.ts"))


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """All of them in one run."""
    return run_specs(SPECS, tmp_path_factory.mktemp("pages"), timeout=3600)


@pytest.mark.parametrize("spec", SPECS)
def test_the_pages_keep_their_promises(spec: str, ran: Ran) -> None:
    check_spec(ran, spec)
