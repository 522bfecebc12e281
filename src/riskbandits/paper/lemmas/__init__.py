"""The paper's lemmas as numbers: what its claims and errata are decided by."""
