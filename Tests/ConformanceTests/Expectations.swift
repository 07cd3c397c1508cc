import Execution
import Primitives

/// What must be true here, whatever the schedule.
func expect(
    _ condition: Bool, _ what: @autoclosure () -> String = "an expectation", file: StaticString = #fileID,
    line: UInt = #line
) throws {
    try check(condition, "not so: \(what())", file: file, line: line)
}

/// The call must be refused as this kind of misuse.
func expectMisuse(
    _ identifier: String, file: StaticString = #fileID, line: UInt = #line, _ call: () throws -> Void
) throws {
    do {
        try call()
    } catch let misuse as Misuse {
        try expect(misuse.identifier == identifier, "it is \(misuse.identifier)", file: file, line: line)
        return
    }
    try expect(false, "the call is refused as \(identifier)", file: file, line: line)
}

/// A value that the case's own locks protect, or that only one thread accesses at a time.
final class Plain<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
}

/// An error of the case's own.
struct Failure: Error {}
