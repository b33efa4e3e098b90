"""What every game shares: kernels, state and dice below; game, replay and scene above."""
