"""Which messages can a source file raise, and under which conditions: an abstract interpreter of Python source."""
