import Execution
import Machine
import Trace

/// Objects that only the main thread makes, and other threads look up: its loop, its queue.
///
/// An object that is made while the main thread is alone is found in every schedule. Later, finding it depends on the
/// schedule, so making it and looking it up are steps, on a word.
extension KnownSlots.MainObject {
    /// Publishes the object that the main thread has made.
    func publish(_ object: AnyObject) {
        let isEarly = ThreadContext.runtime.with(\.hasOneThread)
        ThreadContext.runtime.with { $0.knownSlots.setMainObject(self, object, isEarly: isEarly) }
        // At the end of the run no thread looks it up any more.
        if !isEarly { _ = try? perform(.store, 1) }
    }

    /// - Throws: `Misuse` `wrong-thread`, if the main thread has not made it.
    func find() throws -> AnyObject {
        var (object, wasEarly) = ThreadContext.runtime.with { $0.knownSlots.mainObject(self) }
        if !wasEarly {
            object =
                try perform(.load) == 0 ? nil : ThreadContext.runtime.with { $0.knownSlots.mainObject(self).object }
        }
        guard let object else { throw Misuse.recorded(.wrongThread, at: .unknown) }
        return object
    }

    private func perform(_ kind: Operation.Kind, _ value: Int = 0) throws -> Int {
        let runtime = ThreadContext.runtime
        let word = runtime.with { $0.sharedWord(named: "main's \(self)") }
        return try runtime.perform(Operation(kind, word.id, value), on: word, at: .unknown)
    }
}
