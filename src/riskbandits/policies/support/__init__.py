"""What policies share: the contract, one step, names, wrappers."""
