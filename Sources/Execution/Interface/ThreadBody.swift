/// The body of a thread: with a value for the thread that joins it, or without one.
///
/// Two cases rather than one closure around the other: wrapping would cost each thread an allocation.
package enum ThreadBody: @unchecked Sendable {
    case plain(() throws -> Void)
    case returning(() throws -> Int)

    /// Runs it.
    ///
    /// - Returns: its value, or 0.
    @inline(__always) package func run() throws -> Int {
        switch self {
        case .plain(let body):
            try body()
            return 0
        case .returning(let body): return try body()
        }
    }
}
