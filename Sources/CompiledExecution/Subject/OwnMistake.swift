import Glibc

/// An error of threadlab itself in a process that runs a compiled program. The process exits with the error's text in
/// memory that its parent shares, so the exit is never taken for the program's own.
package enum OwnMistake {
    /// The size of the shared memory, in bytes.
    private static let size = 256
    /// The parent goes by the text, whatever the exit code.
    private static let exitCode: Int32 = 3

    /// The text, up to a zero byte. Nil: there was no memory for it.
    nonisolated(unsafe) private static let shared: UnsafeMutableRawPointer? = {
        let made = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        return made == MAP_FAILED ? nil : made
    }()

    /// Maps the memory, before a process is forked.
    static func prepare() { _ = shared }

    /// Ends the process because of an error of threadlab.
    ///
    /// - Parameter text: what is wrong, as a sentence without its full stop.
    static func end(_ text: String) -> Never {
        if let shared {
            for (index, byte) in text.utf8.prefix(size - 1).enumerated() {
                shared.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            }
        }
        StandardErrorLine.write("threadlab: \(text)\n")
        _exit(exitCode)
    }

    /// The text of the error that occurred. Nil: none occurred.
    package static var text: String? {
        guard let shared else { return nil }
        let text = String(cString: shared.assumingMemoryBound(to: CChar.self))
        return text.isEmpty ? nil : text
    }
}
