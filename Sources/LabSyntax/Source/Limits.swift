/// The limits of a `.lab` file. Any file is safe to read: whatever its contents, reading it takes little time and
/// memory, and no deep recursion.
package enum Limits {
    /// Bytes of a file: 1 MiB.
    package static let fileBytes = 1 << 20
    /// Lines of a file: instructions have 16 bits for their line.
    package static let lines = Int(UInt16.max)
    /// The nesting depth of blocks and expressions together.
    package static let nesting = 200
    /// Bytes of a name.
    package static let nameBytes = 100
    /// Bytes of a text between quotation marks.
    package static let textBytes = 1000
    /// Maximum number of reported errors.
    package static let errors = 20
    /// Maximum number of reported warnings.
    package static let warnings = 20

    /// Elements of an array, and initial values of a list.
    package static let elements = 1024
    /// Cells, locks and so on of a program, with the elements of arrays counted individually.
    package static let objects = 4096
    /// Threads of a program.
    package static let threads = 256
    package static let parameters = 32
    package static let functions = 256
    /// Variables of one thread's or function's body.
    package static let variables = 256
    /// Variables of a chain of nested calls, together.
    package static let stackedVariables = 4096
}
