"""Shapes: what one line is."""
