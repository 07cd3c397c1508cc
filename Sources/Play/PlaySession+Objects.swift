import Diagnosis
import Trace
import Views

/// The state of locks, semaphores and memory at the current position, in words.
extension PlaySession {
    /// One line for each object: its holder, its waiters and its value.
    package var objectLines: [String] {
        describeObjects(thread: words.name, awaited: { "awaited by \($0)" })
    }

    /// The same in a short form, with the numbers of threads.
    package var briefObjects: [String] {
        describeObjects(thread: { "\($0.index)" }, awaited: { $0.contains(" ") ? "\($0) wait" : "\($0) waits" })
    }

    private func describeObjects(thread: (ThreadID) -> String, awaited: (String) -> String) -> [String] {
        let present = present
        let values = run.values(at: position)
        return run.trace.objects.indices.compactMap { index in
            guard let object = run.trace.objects[index], object.kind != .part else { return nil }
            var state = present.object(ObjectID(index))
            complete(&state, object.kind, values.indices.contains(index) ? values[index] : nil)
            let facts = facts(of: ObjectID(index), state, object.kind, thread, awaited)
            return facts.isEmpty ? nil : "\(words.name(ObjectID(index))): " + facts.joined(separator: ", ")
        }
    }

    /// Adds the permits or the value of an object that no event has shown yet, as the scheduler knows it.
    private func complete(_ object: inout RunObject, _ kind: ObjectKind, _ value: Int?) {
        guard let value, Int64(value) != Event.noNumber else { return }
        if kind == .semaphore {
            object.permits = object.permits ?? value
        } else {
            object.value = object.value ?? Int64(value)
        }
    }

    /// - Parameters:
    ///   - thread: how a thread is called.
    ///   - awaited: the words about the object's waiters, made from their list.
    private func facts(
        of id: ObjectID, _ state: RunObject, _ kind: ObjectKind, _ thread: (ThreadID) -> String,
        _ awaited: (String) -> String
    ) -> [String] {
        var facts: [String] = []
        if !state.holders.isEmpty {
            facts.append("held by \(Names.list(state.holders.map(thread)))" + (state.isShared ? " for reading" : ""))
        } else if kind.isLock {
            facts.append("free")
        }
        if let permits = state.permits { facts.append(Names.count(permits, "permit")) }
        if let value = state.value { facts.append("value \(run.trace.words(value, in: id))") }
        if !state.waiters.isEmpty { facts.append(awaited(Names.list(state.waiters.map(thread)))) }
        return facts
    }
}
