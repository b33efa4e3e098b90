"""What decides the outcome of a Colorfight turn; `turn` calls the phases in the order of the rule document."""
