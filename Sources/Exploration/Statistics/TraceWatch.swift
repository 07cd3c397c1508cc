import Machine

/// Gives each execution that another strategy decides a number that is the same for those that are the same Mazurkiewicz trace:
/// in which each thread takes the same steps, and dependent steps come in the same order.
///
/// A step's number is made from those of the steps directly before it that it depends on, so it stands for all that led to it. The
/// sum over all steps is the trace's.
package final class TraceWatch: Watch {
    /// The number of the present execution, as far as it has come.
    package private(set) var trace: UInt64 = 0

    /// What the next step that touches a thing depends on.
    private struct Thing {
        var lastWrite: UInt64 = 0
        /// The sum over the reads since.
        var reads: UInt64 = 0
    }

    private var objects = UnsafeMutablePointer<Thing>.allocate(capacity: 64)
    private var objectCapacity = 64
    /// The things with negative numbers, from −1 down.
    private let others = UnsafeMutablePointer<Thing>.allocate(capacity: -Int(Access.least))
    /// By thread: its last step.
    private let lastSteps = UnsafeMutablePointer<UInt64>.allocate(capacity: MachineState.maximumThreads)
    private var threadCount = 0
    private var objectCount = 0
    private let footprint = StepFootprint()
    /// The thread whose step can go several ways, until it is known which. −1: none.
    private var undecided = -1

    package override init(_ strategy: any Strategy) { super.init(strategy) }

    deinit {
        objects.deallocate()
        others.deallocate()
        lastSteps.deallocate()
        footprint.deallocate()
    }

    override func reset() {
        trace = 0
        undecided = -1
        threadCount = 0
        objectCount = 0
        // The world's, the numbers' and the budget's. A thread's is made ready with the thread.
        others.update(repeating: Thing(), count: 3)
    }

    override func look(at thread: Int, after last: Int, _ state: MachineState) {
        if state.objectCount > objectCount { addObjects(upTo: state.objectCount) }
        while threadCount < state.threadCount {
            lastSteps[threadCount] = 0
            self[Access.thread(threadCount)].pointee = Thing()
            threadCount += 1
        }
        footprint.fill(with: thread, state)
        if state.alternatives(of: thread) > 1 {
            undecided = thread
        } else {
            add(thread, way: 0)
        }
    }

    override func look(atWay way: Int) {
        guard undecided >= 0 else { return }
        add(undecided, way: way)
        undecided = -1
    }

    /// - Complexity: a few nanoseconds for each thing that the step touches.
    @inline(__always) private func add(_ thread: Int, way: Int) {
        var step = SplitMix64.mixed(lastSteps[thread] &+ UInt64(truncatingIfNeeded: thread << 32 + way + 1))
        for access in footprint.accesses {
            let thing = self[access.thing].pointee
            let past = access.isWrite ? thing.lastWrite &+ thing.reads : ~thing.lastWrite
            step = SplitMix64.mixed(step ^ past &+ UInt64(truncatingIfNeeded: access.thing))
        }
        for access in footprint.accesses {
            if access.isWrite {
                self[access.thing].pointee = Thing(lastWrite: step, reads: 0)
            } else {
                self[access.thing].pointee.reads &+= step
            }
        }
        lastSteps[thread] = step
        trace &+= step
    }

    @inline(__always) private subscript(_ thing: Int32) -> UnsafeMutablePointer<Thing> {
        thing < 0 ? others + Int(-1 - thing) : objects + Int(thing)
    }

    private func addObjects(upTo count: Int) {
        if count > objectCapacity {
            let larger = UnsafeMutablePointer<Thing>.allocate(capacity: count * 2)
            larger.update(from: objects, count: objectCount)
            objects.deallocate()
            objects = larger
            objectCapacity = count * 2
        }
        (objects + objectCount).update(repeating: Thing(), count: count - objectCount)
        objectCount = count
    }
}
