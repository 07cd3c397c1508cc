/// Built-in scenarios import only this module, which exports all that they need.
@_exported import Primitives
