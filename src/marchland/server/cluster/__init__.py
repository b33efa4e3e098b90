"""Several nodes on one database: ownership, replication, calls to owners."""
