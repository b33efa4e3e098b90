"""What keeps a client from doing what it was asked, in sentences."""

from marchland.errors import MarchlandError


class ClientError(MarchlandError):
    """Something between a client and its server."""


class RefusedError(ClientError):
    """The server says no: ``error`` is a word for programs, the text a sentence for people."""

    def __init__(self, sentence: str, error: str = "refused", status: int = 0) -> None:
        super().__init__(sentence)
        self.error = error
        self.status = status


class UnreachableError(ClientError):
    """The server did not answer for as long as one was ready to wait."""
