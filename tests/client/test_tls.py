"""The TLS context that all clients of a process share."""

import ssl

from marchland.client._client import _tls_context


def test_all_clients_share_one_tls_context() -> None:
    assert _tls_context() is _tls_context()


def test_the_certificate_of_a_server_must_be_valid_for_its_name() -> None:
    context = _tls_context()
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert context.cert_store_stats()["x509_ca"] > 0
