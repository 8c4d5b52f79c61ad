"""A knowledge base: datasets opened for questions."""
