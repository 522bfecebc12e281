"""Conformance kits: what is wrong with a record of yours, in a sentence."""
