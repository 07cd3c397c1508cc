import Execution
import Primitives

/// The objects that code reaches through static members, such as `DispatchQueue.main`, and may compare by identity. A
/// run has one of each.
final class ObjectsOfRun: RunBound {
    private struct Objects {
        var mainQueue: Lab.DispatchQueue?
        var globalQueue: Lab.DispatchQueue?
        var mainOperations: Lab.OperationQueue?
        var mainThread: Lab.Thread?
    }

    private let objects = Guarded(Objects())

    /// The objects of the caller's run.
    static var current: ObjectsOfRun {
        ThreadContext.runtime.with { $0.knownSlots }.shared { ObjectsOfRun() }
    }

    func runHasEnded() {
        let left = objects.withLock { objects in
            defer { objects = Objects() }
            return objects
        }
        // Deinitializers of the released objects may ask for objects again.
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

    /// Returns the run's object, made at the first use. If two threads make one at the same time, the first is kept.
    ///
    /// - Parameter fits: whether the present object can still be used. Otherwise another one replaces it.
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
