import Execution
import Trace

/// Runs the body with a pool of its own, and then releases what the body has left to the pool, last in, first out, on
/// every return path (guide: Creating an Autorelease Pool).
///
/// If an object fails at its end, the others are released all the same, and the first error is passed on.
///
/// Each thread has a stack of pools, and none to begin with. No other thread can reach it.
public func withAutoreleasePool<Result>(
    file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
) throws -> Result {
    let pools = AutoreleasePools.ofThread
    pools.push()
    let result: Result
    do { result = try body() } catch {
        // The body's error is nearer to the cause than one of the releases.
        try? pools.drain(file, line)
        Misuse.recordAgain(error)
        throw error
    }
    try pools.drain(file, line)
    return result
}

/// A thread's pools, the innermost last.
final class AutoreleasePools: @unchecked Sendable {
    private var pools: [[ManagedObject]] = []

    /// The calling thread's, if it has any.
    static var current: AutoreleasePools? {
        let runtime = ThreadContext.runtime.counted
        return runtime.slotValue(runtime.knownSlot(.autoreleasePools)).map {
            unsafeDowncast($0, to: AutoreleasePools.self)
        }
    }

    /// The calling thread's, made when first needed.
    static var ofThread: AutoreleasePools {
        if let current { return current }
        let runtime = ThreadContext.runtime.counted
        let new = AutoreleasePools()
        runtime.setSlotValue(runtime.knownSlot(.autoreleasePools), new)
        return new
    }

    func push() { pools.append([]) }

    /// Without a pool the object is never released.
    func add(_ object: ManagedObject) {
        if !pools.isEmpty { pools[pools.count - 1].append(object) }
    }

    func drain(_ file: StaticString, _ line: UInt) throws {
        defer { pools.removeLast() }
        var first: (any Error)?
        // What an object leaves to the pool at its end is released too.
        while let object = pools[pools.count - 1].popLast() {
            do { try object.release(file: file, line: line) } catch {
                // When the run is over nothing is released any more.
                if error is RunEnded { throw error }
                first = first ?? error
            }
        }
        guard let first else { return }
        Misuse.recordAgain(first)
        throw first
    }
}
