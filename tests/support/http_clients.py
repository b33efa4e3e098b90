"""httpx without TLS: reading all root certificates takes 50 ms of CPU for each client, and no test needs them."""

import ssl
from functools import partial

import httpx

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

get = partial(httpx.get, verify=NO_TLS)
post = partial(httpx.post, verify=NO_TLS)
request = partial(httpx.request, verify=NO_TLS)
open_client = partial(httpx.Client, verify=NO_TLS)
