"""Output on a terminal: boards, tables, progress."""
