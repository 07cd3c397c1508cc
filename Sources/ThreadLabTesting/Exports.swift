@_exported import func Primitives.check
@_exported import func Primitives.choose
@_exported import func Primitives.note
// Types that closures under test need, whatever primitives they use.
@_exported import enum Trace.OutcomeKind
