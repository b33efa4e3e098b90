"""Matches over the network: HTTP and WebSocket."""
