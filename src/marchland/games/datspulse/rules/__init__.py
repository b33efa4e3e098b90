"""What decides the outcome of a DatsPulse transition; `turn` calls the phases in the order of the rule document."""
