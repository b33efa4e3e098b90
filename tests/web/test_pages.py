"""The browser's app in a real browser, against a real server with real matches; pictures go to web/test-results."""

import pytest

from tests.web.report import Ran
from tests.web.runner import WEB, check_spec, run_specs

SPECS = sorted(path.name for path in (WEB / "tests").glob("*.spec.ts"))


@pytest.fixture(scope="module")
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The wanted specs in one run."""
    wanted = [spec for spec in SPECS if any(item.name.endswith(f"[{spec}]") for item in request.session.items)]
    return run_specs(wanted, tmp_path_factory.mktemp("pages"), timeout=900)


@pytest.mark.parametrize("spec", SPECS)
def test_the_pages_do_what_they_should(spec: str, ran: Ran) -> None:
    check_spec(ran, spec)
