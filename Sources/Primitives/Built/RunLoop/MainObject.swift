import Execution
import Machine
import Trace

/// Objects that only the main thread makes, and other threads look up: its run loop, its queue and the global queue.
///
/// If the main thread makes the object before it starts another thread, every lookup finds it, in every schedule.
/// Otherwise the result of a lookup depends on the schedule. Then making the object and looking it up are steps, on a
/// word that is 1 once the object exists.
extension KnownSlots.MainObject {
    /// Publishes the object that the main thread has made.
    func publish(_ object: AnyObject) {
        let isEarly = ThreadContext.runtime.with(\.hasOneThread)
        ThreadContext.runtime.with { $0.knownSlots.setMainObject(self, object, isEarly: isEarly) }
        // An error would mean that the run has ended: no thread looks it up any more.
        if !isEarly { _ = try? perform(.store, 1) }
    }

    /// Returns the object, for any thread.
    ///
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

    /// Takes a step on the word.
    private func perform(_ kind: Operation.Kind, _ value: Int = 0) throws -> Int {
        let runtime = ThreadContext.runtime
        let word = runtime.with { $0.sharedWord(named: "main's \(self)") }
        return try runtime.perform(Operation(kind, word.id, value), on: word, at: .unknown)
    }
}
