import Machine
import Trace

/// Observes an execution, and computes a number that stands for its Mazurkiewicz trace. Executions have the same number
/// if each thread takes the same steps in them, and dependent steps come in the same order.
///
/// A step's number is a hash of the numbers of the steps that directly precede it and on which it depends, so it
/// represents everything that led to the step. The trace's number is the sum over all steps.
package final class TraceWatch: Observer {
    /// The number of this execution so far.
    @exclusivity(unchecked) package private(set) var trace: UInt64 = 0

    /// The steps on which the next step that touches a thing depends.
    private struct Thing {
        var lastWrite: UInt64 = 0
        /// The sum of the numbers of the reads since that write.
        var reads: UInt64 = 0
        /// The thing's identity, which is the same in every execution.
        var identity: UInt64
    }

    /// By object.
    @exclusivity(unchecked) private var objects = UnsafeMutablePointer<Thing>.allocate(capacity: firstCapacity)
    @exclusivity(unchecked) private var objectCapacity = firstCapacity
    /// The things with negative numbers, by the complement of their number.
    private let others = UnsafeMutablePointer<Thing>.allocate(capacity: -Int(Access.least))
    /// By thread: the number of its last step.
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
        // The things that are neither objects nor threads. A thread's entry is added with the thread.
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
            // The complement distinguishes a read from a write.
            let earlier = access.isWrite ? thing.lastWrite &+ thing.reads : ~thing.lastWrite
            step = SplitMix64.mixed(step ^ earlier &+ thing.identity)
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
            // Object 0 does not exist: objects are numbered from 1.
            let identity = object == 0 ? 0 : state.identity(of: UInt32(object)).word + 1
            objects[object] = Thing(identity: UInt64(identity))
        }
        objectCount = count
    }
}

/// The number of objects for which a `TraceWatch` first has room.
private let firstCapacity = 64

/// Counts the different traces in bounded memory: exactly while they are few, then by a sample that is halved each time
/// it is full (adaptive sampling: Flajolet, Computing 43, 1990).
package struct DistinctTraces {
    package private(set) var executions = 0

    /// Open addressing; 0 is an empty place. The lowest bit is set if the trace occurred more than once.
    private var table = [UInt64](repeating: 0, count: 1024)
    private let maximum: Int
    /// The number of traces in the table, and of those that occurred only once.
    private var used = 0
    private var usedOnce = 0
    /// The number of times that the sample was halved. Only traces whose number begins with this many zero bits are
    /// kept.
    private var halvings = 0

    /// - Parameter maximum: the maximum number of traces kept.
    package init(keeping maximum: Int = 1 << 20) { self.maximum = max(2, maximum) }

    /// The number of different traces.
    package var count: Int { used << halvings }

    /// Whether the counts are exact rather than estimates.
    package var isExact: Bool { halvings == 0 }

    /// The probability that one more execution shows a new trace, estimated from the share of traces seen only once
    /// (Good: The population frequencies of species, Biometrika 40, 1953). Only for executions that are drawn
    /// independently.
    package var chanceOfNew: Double {
        executions == 0 ? 1 : min(1, Double(usedOnce << halvings) / Double(executions))
    }

    package mutating func add(_ trace: UInt64) {
        executions += 1
        // The upper bits choose the sample, so lower bits choose the place in the table.
        guard trace.leadingZeroBitCount >= halvings else { return }
        // At least 2, so that the entry is not 0 without its lowest bit.
        let key = max(trace, 2) | 1
        let place = place(of: key, in: table)
        if table[place] == 0 {
            table[place] = key & ~1
            used += 1
            usedOnce += 1
            if used > maximum { thinOut() }
            if used * 2 > table.count { resize() }
        } else if table[place] & 1 == 0 {
            table[place] |= 1
            usedOnce -= 1
        }
    }

    private func place(of key: UInt64, in table: [UInt64]) -> Int {
        let mask = table.count - 1
        var place = Int(truncatingIfNeeded: key >> 1) & mask
        while table[place] != 0 && table[place] | 1 != key { place = (place + 1) & mask }
        return place
    }

    private mutating func resize() { rebuild(table.filter { $0 != 0 }, count: table.count * 2) }

    private mutating func thinOut() {
        halvings += 1
        let kept = table.filter { $0 != 0 && $0.leadingZeroBitCount >= halvings }
        rebuild(kept, count: table.count)
        used = kept.count
        usedOnce = kept.reduce(0) { $0 + ($1 & 1 == 0 ? 1 : 0) }
    }

    private mutating func rebuild(_ words: [UInt64], count: Int) {
        table = [UInt64](repeating: 0, count: count)
        for word in words { table[place(of: word | 1, in: table)] = word }
    }
}
