import CLab
import Execution
import Trace

extension Thread {
    /// The return addresses of the calling thread's calls, the innermost first: at most 128 (Foundation's
    /// `callStackReturnAddresses`). A debugger or `addr2line` turns them into lines.
    public static var callStackReturnAddresses: [UInt] {
        let most = 128
        return withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: most) { frames in
            let count = clab_backtrace(frames.baseAddress!, Int32(most))
            return frames.prefix(Int(count)).map { UInt(bitPattern: $0) }
        }
    }
}

/// States that only this thread calls the code: what belongs to the main thread, for instance, checks it at each entry.
/// The finding names the calling thread and the line of the call.
///
/// - Throws: `Misuse` `wrong-thread`.
public func precondition(onThread thread: Thread, file: StaticString = #fileID, line: UInt = #line) throws {
    guard Thread.current == thread else { throw Misuse.recorded(.wrongThread, at: SourceSite(file, line)) }
}
