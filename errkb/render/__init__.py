"""Explanations for people and programs: text, JSON, Markdown."""
