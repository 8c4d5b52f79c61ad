"""Errors of a continuous integration job: read from logs and JUnit files, grouped, reported as the service likes it."""
