/// A scenario imports this room alone: what it has to say of itself, and what it is written with.
@_exported import Primitives
