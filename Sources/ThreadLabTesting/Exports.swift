@_exported import func Primitives.check
@_exported import func Primitives.choose
@_exported import func Primitives.note
// What closures under test are written with, whatever primitives they use.
@_exported import enum Trace.OutcomeKind
