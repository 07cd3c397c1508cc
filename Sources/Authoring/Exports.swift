/// A scenario imports only this module, which exports all that a scenario needs.
@_exported import Primitives
