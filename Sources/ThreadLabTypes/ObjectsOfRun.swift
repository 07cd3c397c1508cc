import Execution
import Primitives

/// The objects that code reaches by a name of the system's, and compares by identity: one of each in a run.
final class ObjectsOfRun: RunBound {
    private struct Objects {
        var mainQueue: Lab.DispatchQueue?
        var globalQueue: Lab.DispatchQueue?
        var mainOperations: Lab.OperationQueue?
        var mainThread: Lab.Thread?
    }

    private let objects = Guarded(Objects())

    /// Those of the caller's run.
    static var current: ObjectsOfRun {
        ThreadContext.runtime.with { $0.knownSlots }.shared { ObjectsOfRun() }
    }

    func runHasEnded() {
        let left = objects.withLock { objects in
            defer { objects = Objects() }
            return objects
        }
        // What their release runs may ask for objects again.
        withExtendedLifetime(left) {}
    }

    func mainQueue(_ base: WorkQueue) -> Lab.DispatchQueue {
        object(\.mainQueue, if: { $0.base === base }, make: { Lab.DispatchQueue(base) })
    }

    func globalQueue(_ base: WorkQueue) -> Lab.DispatchQueue {
        object(\.globalQueue, if: { $0.base === base }, make: { Lab.DispatchQueue(base) })
    }

    var mainOperations: Lab.OperationQueue { object(\.mainOperations) { Lab.OperationQueue(onQueueOfMain: ()) } }

    var mainThread: Lab.Thread { object(\.mainThread) { Lab.Thread(ofMain: true) } }

    /// Two threads may make one at a time; the first one counts.
    private func object<Object>(
        _ member: WritableKeyPath<Objects, Object?>, if fits: (Object) -> Bool = { _ in true }, make: () -> Object
    ) -> Object {
        if let present = objects.withLock({ $0[keyPath: member] }), fits(present) { return present }
        let new = make()
        return objects.withLock { objects in
            if let present = objects[keyPath: member], fits(present) { return present }
            objects[keyPath: member] = new
            return new
        }
    }
}
