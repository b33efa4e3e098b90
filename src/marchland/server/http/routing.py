"""Route decorators whose documents name every way in which a request can be refused."""

from functools import partial

import litestar

from marchland.server.http.errors import RESPONSES

get = partial(litestar.get, responses=RESPONSES)
post = partial(litestar.post, responses=RESPONSES)
put = partial(litestar.put, responses=RESPONSES)
patch = partial(litestar.patch, responses=RESPONSES)
delete = partial(litestar.delete, responses=RESPONSES)
