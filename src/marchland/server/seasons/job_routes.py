"""Jobs over HTTP: what was done last, and doing one by hand."""

from functools import partial
from typing import Annotated

from litestar import Router
from litestar.params import Parameter
from litestar.types import Scope

from marchland.errors import Refused
from marchland.messages import JobRequest, JobRun
from marchland.server.audit import record
from marchland.server.http.auth import require_caller, require_role
from marchland.server.http.routing import get, post
from marchland.server.scheduler import Scheduler
from marchland.server.seasons import job_queries
from marchland.store import Store


@get("/jobs")
async def list_jobs(
    scope: Scope, store: Store, match: str | None = None, limit: Annotated[int, Parameter(ge=1, le=500)] = 100
) -> list[JobRun]:
    """Jobs that were done, the latest first. For organisers."""
    require_role(require_caller(scope), "organiser")
    return await store.read(partial(job_queries.listed, match=match, limit=limit))


@post("/jobs", status_code=200)
async def run_job(data: JobRequest, scope: Scope, store: Store, scheduler: Scheduler) -> JobRun:
    """Do a job of a season's match now. For organisers."""
    caller = require_caller(scope)
    require_role(caller, "organiser")
    key = await scheduler.seasons.by_hand(data.match, data.name)
    done = await store.read(partial(job_queries.find, match=data.match, key=key))
    if done is None:
        raise Refused("not_done", "The turn ended meanwhile, or does not end now; look at the match, then ask again.")
    await store.write(lambda connection: record(connection, caller, "run job", data.match, data))
    return done


router = Router("/", route_handlers=[list_jobs, run_job], tags=["jobs"])
