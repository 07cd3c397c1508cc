@_exported import enum Primitives.Lab
