"""The public HTTP protocol of DatsPulse: test rounds without end, final rounds by schedule."""

from marchland.server.wire.datspulse.wire import FinalRounds, TestRounds

__all__ = ["FinalRounds", "TestRounds"]
