"""Records: what is known about one error, its template, and what follows from its fields."""
