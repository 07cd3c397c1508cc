/// A scenario imports only this module: it exports everything that a scenario is written with.
@_exported import Primitives
