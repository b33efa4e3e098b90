"""HTTP routes of jobs: list the finished ones, run one now."""

from typing import Annotated

import msgspec

from marchland.messages import JobRequest, JobRun
from marchland.server.http.auth import Caller
from marchland.server.http.routing import api_router, get, post
from marchland.server.seasons.service import SeasonService


@get("/jobs", role="organiser")
async def list_jobs(
    seasons: SeasonService,
    match: str | None = None,
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100,
) -> list[JobRun]:
    """Finished jobs, the latest first. For organisers."""
    return await seasons.list_jobs(match, limit)


@post("/jobs", status=200, role="organiser")
async def run_job(data: JobRequest, caller: Caller, seasons: SeasonService) -> JobRun:
    """Run a job of a season's match now. For organisers."""
    return await seasons.run_job(caller, data)


router = api_router(
    "jobs",
    list_jobs,
    run_job,
)
