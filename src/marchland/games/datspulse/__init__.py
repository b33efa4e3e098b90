"""DatsPulse."""
