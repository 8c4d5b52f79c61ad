"""errkb where errors happen: one module a host, each imported only when its host asks for it."""
