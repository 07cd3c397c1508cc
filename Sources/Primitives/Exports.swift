// Code that uses the primitives also needs the errors that they throw and the attributes of threads.
@_exported import Execution
