import Glibc
import Text
import Trace

/// Writes to standard output completely, or reports why it cannot. If the reader is gone, the process ends by
/// `SIGPIPE`, as with any Unix tool.
package enum StandardOutput {
    package static func write(_ text: String) throws(Complaint) {
        var text = text
        var failure: Int32 = 0
        text.withUTF8 { failure = write($0) }
        try check(failure)
    }

    /// Passes a sink to the body, and writes what the sink collects.
    package static func write(_ body: (inout ByteSink) -> Void) throws(Complaint) {
        try check(result(of: body))
    }

    /// Writes what the body passes to a sink. Returns the error number, or 0.
    private static func result(of body: (inout ByteSink) -> Void) -> Int32 {
        var failure: Int32 = 0
        var sink = ByteSink { chunk in
            if failure == 0 { failure = chunk.withUnsafeBufferPointer { write($0) } }
        }
        body(&sink)
        sink.flush()
        return failure
    }

    /// The reason why something could not be written.
    package struct Failure {
        fileprivate let number: Int32

        /// Ends the process, or throws, as if the write had failed now.
        package func report() throws(Complaint) {
            if number == EPIPE { raise(SIGPIPE) }
            try StandardOutput.check(number)
        }
    }

    /// Writes what the body passes to a sink. If that fails, returns the reason instead of throwing it or ending the
    /// process: the caller has other work to finish first, and then calls `Failure.report`.
    package static func attempt(_ body: (inout ByteSink) -> Void) -> Failure? {
        // Restored at once, because processes of scenarios must not inherit the ignored signal.
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        let number = result(of: body)
        return number == 0 ? nil : Failure(number: number)
    }

    /// Writes a text that can be long. On a terminal, the pager shows it.
    package static func page(_ pager: Pager, _ body: (inout ByteSink) -> Void) throws(Complaint) {
        // Without a pager, the whole text need not be in memory.
        guard pager.isUsed else { return try write(body) }
        var text: [UInt8] = []
        var sink = ByteSink { text += $0 }
        body(&sink)
        sink.flush()
        if pager.show(text) { return }
        try check(text.withUnsafeBufferPointer { write($0) })
    }

    package static func page(_ pager: Pager, _ text: String) throws(Complaint) {
        if pager.show(Array(text.utf8)) { return }
        try write(text)
    }

    /// Writes to an open file.
    ///
    /// - Returns: the error number, or 0.
    @discardableResult
    package static func write(_ text: [UInt8], to file: Int32) -> Int32 {
        text.withUnsafeBufferPointer { write($0, to: file) }
    }

    private static func check(_ failure: Int32) throws(Complaint) {
        if failure != 0 { throw Complaint(WriteRefused("write", failure)) }
    }

    /// Writes to a file. Returns the error number, or 0.
    private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to file: Int32 = STDOUT_FILENO) -> Int32 {
        var rest = UnsafeRawBufferPointer(bytes)
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = Glibc.write(file, start, rest.count)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { return errno }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return 0
    }
}

/// Standard error, for complaints and warnings.
package enum StandardError {
    package static func write(_ text: String) {
        var text = text
        // If even standard error cannot be written to, there is nothing left to do.
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
