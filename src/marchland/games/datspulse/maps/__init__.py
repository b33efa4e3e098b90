"""DatsPulse's maps: generators and maps written as text."""
