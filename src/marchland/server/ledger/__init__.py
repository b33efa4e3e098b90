"""The ledger of items."""
