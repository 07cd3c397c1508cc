// The types of this module are members of `Lab`, so code that imports it needs no other module.
@_exported import enum Primitives.Lab
