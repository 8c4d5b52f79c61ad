"""Datasets as they lie on disk: reading, canonical form, configuration, and which ones are used."""
