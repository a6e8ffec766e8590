"""Model entries and the ledger of model calls in SQL."""
