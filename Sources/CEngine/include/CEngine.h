// Empty, because a module needs a header. See streams.c.
