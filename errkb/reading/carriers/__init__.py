"""Carriers: what terminals, services and pages put around an error text, and how it is removed."""
