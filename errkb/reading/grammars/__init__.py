"""Grammars: how lines belong together."""
