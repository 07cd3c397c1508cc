import CLab
import CPthread
import Machine
import Synchronization
import Trace

/// The runtime's data of one OS thread of a native run. It is the thread's context.
final class NativeThread: ThreadContext, @unchecked Sendable {
    /// Whether the thread can be joined.
    struct Joining: RawRepresentable, AtomicRepresentable, Equatable {
        let rawValue: UInt8

        static let joinable = Self(rawValue: 0)
        static let detached = Self(rawValue: 1)
        /// Another thread is inside `pthread_join` for it. Two joins at once would be undefined.
        static let claimed = Self(rawValue: 2)
        static let joined = Self(rawValue: 3)
    }

    /// How often the thread holds a read-write lock for reading.
    struct ReadHold {
        var object: UInt32
        var count: Int
    }

    let index: UInt16
    let lane: Lane
    /// The POSIX handle. Set by the creator, before the thread runs.
    var handle = pthread_t()
    let joining = Atomic(Joining.joinable)
    /// Whether a thread wants to detach it while another is joining it.
    let isDetachWanted = Atomic(false)
    /// Whether the thread's body is over, so that `result` is valid.
    let isFinished = Atomic(false)
    var result = 0
    /// The number of the mutex that the thread will reacquire at the end of its wait on a condition. 0 if it is in no
    /// such wait.
    let waitMutex = Atomic<UInt32>(0)
    /// The kernel's number of the thread. 0 if the thread has not begun.
    let kernelNumber = Atomic<Int32>(0)
    /// Whether the thread has left the run, and will not use the runtime again.
    let hasLeft = Atomic(false)

    /// Whether the thread counts against the limit of threads: until it has ended and was joined or detached.
    var exists: Bool {
        switch joining.load(ordering: .acquiring) {
        case .joined: false
        case .detached: !isFinished.load(ordering: .acquiring)
        default: true
        }
    }

    // The following fields are accessed only by the thread itself, after its creator has set some of them.

    /// An object that the thread released while a thread was using it; 0 if there is none. That becomes a finding,
    /// unless an error turns out to be unwinding the thread.
    var discarded: UInt32 = 0
    var body: ThreadBody?
    var kernelName = ""
    var priority: Int?
    var readHolds: [ReadHold] = []
    var slots = ThreadSlots()
    var hook: (any StepHook)?
    var isInHook = false
    /// Whether the thread blocks the run's signal. Initially set by the creator.
    var blocksSignal = false
    /// The source of the run's random choices on this thread. Created when first used, because the seed takes a system
    /// call.
    lazy var random = SplitMix64(seed: .random(in: .min ... .max))

    init(runtime: NativeRuntime, index: Int, lane: Lane) {
        self.index = UInt16(index)
        self.lane = lane
        native = runtime
        super.init(runtime, isNative: true, isAmbient: runtime.options.isAmbient)
    }

    var id: ThreadID { ThreadID(Int(index)) }
    /// The value of `NativeObject.owner` in objects that the thread holds: its index plus one.
    var asOwner: Int32 { Int32(index) + 1 }
    /// The runtime. It is retained, so that it exists when a thread leaves late.
    let native: NativeRuntime

    /// Notes the kernel's number of the thread. Called by the thread itself when it begins.
    func noteKernelNumber() {
        kernelNumber.store(clab_thread_id(), ordering: .relaxed)
        lane.setKernelThread(clab_thread_id())
    }

    /// Records something that this thread does.
    @inline(__always)
    func record(_ kind: EventKind, _ object: UInt32, _ value: Int, _ site: SourceSite) {
        if native.signs.have(.silent) { return }
        lane.append(kind, thread: index, object: object, value: Int64(value), site: site)
    }

    /// - Parameter remark: the number of the remark in the recording.
    func record(remark: UInt8, _ object: UInt32, _ value: Int, _ site: SourceSite) {
        if native.signs.have(.silent) { return }
        lane.append(remark: remark, thread: index, object: object, value: Int64(value), site: site)
    }

    // MARK: - Memory: operations that record themselves

    /// Reads memory, and records that in its place in the order of all accesses. Returns the value.
    @inline(__always)
    func record(
        _ kind: EventKind, _ object: UInt32, _ site: SourceSite, order: MemoryOrder = .seqcst, reading read: () -> Int
    ) -> Int {
        guard !native.signs.have(.silent) else { return read() }
        return lane.append(kind, thread: index, object: object, site: site, order: order, reading: read)
    }

    /// Writes memory, and records that.
    ///
    /// - Returns: the new value.
    @inline(__always)
    func record(_ kind: EventKind, _ object: UInt32, _ site: SourceSite, writing write: () -> Int) -> Int {
        guard !native.signs.have(.silent) else { return write() }
        return lane.append(kind, thread: index, object: object, site: site, writing: write)
    }

    /// Updates memory, and records that.
    ///
    /// - Returns: the previous value.
    @inline(__always)
    func record(
        _ kind: EventKind, _ object: UInt32, _ site: SourceSite, order: MemoryOrder = .seqcst,
        updating write: () -> (old: Int, new: Int)
    ) -> Int {
        guard !native.signs.have(.silent) else { return write().old }
        return lane.append(kind, thread: index, object: object, site: site, order: order, updating: write)
    }

    /// Performs a compare-exchange, and records it.
    ///
    /// - Returns: the previous value.
    @inline(__always)
    func record(
        _ object: UInt32, _ site: SourceSite, to new: Int, orders: Operation.Orders,
        comparing exchange: () -> (done: Bool, old: Int)
    ) -> Int {
        guard !native.signs.have(.silent) else { return exchange().old }
        return lane.append(
            thread: index, object: object, site: site, to: new, order: orders.order, failure: orders.failure,
            comparing: exchange)
    }

    // MARK: - Waits

    /// Records that the thread is about to block. If the wait has a deadline, that is recorded first.
    func recordWait(_ kind: EventKind, _ object: UInt32, _ value: Int = 0, until deadline: Int, _ site: SourceSite) {
        if deadline != Operation.never { record(.threadDeadline, 0, max(0, deadline - native.now), site) }
        record(kind, object, value, site)
    }

    // MARK: - Read holds

    func addReadHold(_ object: UInt32) {
        if let i = readHolds.firstIndex(where: { $0.object == object }) {
            readHolds[i].count += 1
        } else {
            readHolds.append(ReadHold(object: object, count: 1))
        }
    }

    /// Removes one read hold. Returns false if the thread has none of the object.
    func removeReadHold(_ object: UInt32) -> Bool {
        guard let i = readHolds.firstIndex(where: { $0.object == object }) else { return false }
        readHolds[i].count -= 1
        // An empty entry is moved to the end, and removed: the order of the entries does not matter.
        if readHolds[i].count == 0 { readHolds.swapAt(i, readHolds.count - 1) }
        if readHolds[readHolds.count - 1].count == 0 { readHolds.removeLast() }
        return true
    }
}
