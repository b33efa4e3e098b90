"""How a server runs BoidVoid's seasons: the calendar of jobs, the NFTs of a ledger, and the hooks that join both."""
