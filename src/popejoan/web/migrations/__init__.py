"""The migrations of the store, run when a server starts."""
