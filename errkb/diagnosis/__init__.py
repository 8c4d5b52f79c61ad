"""Diagnosis: which cause of a record is the reader's, which line of the traceback is theirs, and what a class means."""
