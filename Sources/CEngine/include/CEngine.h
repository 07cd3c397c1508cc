// Nothing: see streams.c.
