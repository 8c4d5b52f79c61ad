"""One occurrence against the records of an index: matches and their evidence."""
