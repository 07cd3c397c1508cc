// Whoever writes with the primitives needs the errors that they throw and the attributes that threads take.
@_exported import Execution
