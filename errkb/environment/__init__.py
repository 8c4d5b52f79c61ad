"""The Python installation of the reader: its interpreter, its distributions, its sources."""
