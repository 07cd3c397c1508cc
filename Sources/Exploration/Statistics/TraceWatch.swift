import Machine
import Trace

/// Gives executions of the same Mazurkiewicz trace the same number:
/// in which each thread takes the same steps, and dependent steps come in the same order.
///
/// A step's number is computed from those of the steps that directly precede it and that it depends on, so it
/// represents everything that led to it. The sum over all steps is the trace's.
package final class TraceWatch: Observer {
    /// The number of the present execution so far.
    @exclusivity(unchecked) package private(set) var trace: UInt64 = 0

    /// What the next step that touches a thing depends on.
    private struct Thing {
        var lastWrite: UInt64 = 0
        /// The sum over the reads since.
        var reads: UInt64 = 0
        /// Its identity, which is the same in every execution.
        var identity: UInt64
    }

    @exclusivity(unchecked) private var objects = UnsafeMutablePointer<Thing>.allocate(capacity: 64)
    @exclusivity(unchecked) private var objectCapacity = 64
    /// The things with negative numbers, from −1 down.
    private let others = UnsafeMutablePointer<Thing>.allocate(capacity: -Int(Access.least))
    /// By thread: its last step.
    private let lastSteps = UnsafeMutablePointer<UInt64>.allocate(capacity: MachineState.maximumThreads)
    @exclusivity(unchecked) private var threadCount = 0
    @exclusivity(unchecked) private var objectCount = 0
    private let footprint = StepFootprint()
    package init() {}

    deinit {
        objects.deallocate()
        others.deallocate()
        lastSteps.deallocate()
        footprint.deallocate()
    }

    package func begin() {
        trace = 0
        threadCount = 0
        objectCount = 0
        // Those that are neither objects nor threads. A thread's entry is made with the thread.
        for thing in 0..<Access.thingsInGeneral { others[thing] = Thing(identity: ~UInt64(thing)) }
    }

    package func willTake(_ step: NextStep) {
        let state = step.state
        if state.objectCount > objectCount { addObjects(of: state) }
        while threadCount < state.threadCount {
            lastSteps[threadCount] = 0
            let thing = Access.thread(threadCount)
            self[thing].pointee = Thing(identity: UInt64(bitPattern: Int64(thing)))
            threadCount += 1
        }
        footprint.fill(with: step)
        add(step.thread, way: step.way)
    }

    /// - Complexity: a few nanoseconds for each thing that the step touches.
    @inline(__always) private func add(_ thread: Int, way: Int) {
        var step = SplitMix64.mixed(lastSteps[thread] &+ UInt64(truncatingIfNeeded: thread << 32 + way + 1))
        for access in footprint.accesses {
            let thing = self[access.thing].pointee
            let past = access.isWrite ? thing.lastWrite &+ thing.reads : ~thing.lastWrite
            step = SplitMix64.mixed(step ^ past &+ thing.identity)
        }
        for access in footprint.accesses {
            if access.isWrite {
                self[access.thing].pointee.lastWrite = step
                self[access.thing].pointee.reads = 0
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

    private func addObjects(of state: MachineState) {
        let count = state.objectCount
        if count > objectCapacity {
            let larger = UnsafeMutablePointer<Thing>.allocate(capacity: count * 2)
            larger.update(from: objects, count: objectCount)
            objects.deallocate()
            objects = larger
            objectCapacity = count * 2
        }
        for object in objectCount..<count {
            let identity = object == 0 ? 0 : state.identity(of: UInt32(object)).word + 1
            objects[object] = Thing(identity: UInt64(identity))
        }
        objectCount = count
    }
}
