import Trace

@testable import Execution

/// The result of a native run in the process of the tests.
struct NativeResult: Equatable {
    /// Nothing went wrong: the main thread returned, or every thread ended by itself.
    var isComplete: Bool
    /// Threads that did not leave when the run had ended.
    var unresponsive: [ThreadID]
}

extension NativeRuntime {
    func result(of body: () throws -> Void) -> NativeResult {
        run(body)
        let unresponsive = registry.allThreads.filter { !$0.hasLeft.load(ordering: .acquiring) }
        return NativeResult(
            isComplete: !ending.hasFailed.load(ordering: .acquiring), unresponsive: unresponsive.map(\.id))
    }
}
