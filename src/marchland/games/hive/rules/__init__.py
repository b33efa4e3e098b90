"""What decides the outcome of a Hive turn: `turn` plays the orders in rounds, then checks the victory conditions."""
