"""What decides the outcome of an Enova turn; `turn` calls the phases in order, each simultaneous in itself."""
