import CLab
import CPthread
import Machine
import Synchronization
import Trace

/// One OS thread of a native run, and the runtime's data about it.
final class NativeThread: ThreadContext, @unchecked Sendable {
    /// Whether it can be joined.
    struct Joining: RawRepresentable, AtomicRepresentable, Equatable {
        let rawValue: UInt8

        static let joinable = Self(rawValue: 0)
        static let detached = Self(rawValue: 1)
        /// Another thread is inside `pthread_join` with it. Two joins at once would be undefined.
        static let claimed = Self(rawValue: 2)
        static let joined = Self(rawValue: 3)
    }

    struct ReadHold {
        var object: UInt32
        var count: Int
    }

    let index: UInt16
    let lane: Lane
    /// The POSIX handle. Set by its creator before any other thread can see it.
    var handle = pthread_t()
    let joining = Atomic(Joining.joinable)
    /// Whether a thread wants to detach it while another is inside a join.
    let isDetachWanted = Atomic(false)
    /// Whether its body is over. `result` is then valid.
    let isFinished = Atomic(false)
    var result = 0
    /// During a wait on a condition: the mutex that it will reacquire. 0: it does not wait.
    let waitMutex = Atomic<UInt32>(0)
    /// The kernel's number of the thread. 0: it has not begun.
    let kernelNumber = Atomic<Int32>(0)
    /// Whether it will not use the runtime again.
    let hasLeft = Atomic(false)

    /// Whether it counts against the limit of threads. It does until it has ended and was joined or detached.
    var exists: Bool {
        switch joining.load(ordering: .acquiring) {
        case .joined: false
        case .detached: !isFinished.load(ordering: .acquiring)
        default: true
        }
    }

    // Fields that only the running thread itself accesses.

    /// An object that it released while a thread used it; 0: none. That is a finding, unless an error turns out to be
    /// unwinding the thread.
    var discarded: UInt32 = 0
    var body: ThreadBody?
    var kernelName = ""
    var priority: Int?
    var readHolds: [ReadHold] = []
    var slots = ThreadSlots()
    var hook: (any StepHook)?
    var isInHook = false
    /// Initially set by its creator.
    var blocksSignal = false
    /// Created when first used, because its seed takes a system call.
    lazy var random = SplitMix64(seed: .random(in: .min ... .max))

    init(runtime: NativeRuntime, index: Int, lane: Lane) {
        self.index = UInt16(index)
        self.lane = lane
        native = runtime
        super.init(runtime, isNative: true, isAmbient: runtime.options.isAmbient)
    }

    var id: ThreadID { ThreadID(Int(index)) }
    /// Marks an object that this thread holds: the thread's index plus one.
    var mark: Int32 { Int32(index) + 1 }
    /// Retained, so that the runtime exists when a thread leaves late.
    let native: NativeRuntime

    /// Called by the thread itself when it begins.
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

    /// - Parameter remark: the number of the remark.
    func record(remark: UInt8, _ object: UInt32, _ value: Int, _ site: SourceSite) {
        if native.signs.have(.silent) { return }
        lane.append(remark: remark, thread: index, object: object, value: Int64(value), site: site)
    }

    // MARK: - Memory: operations that record themselves

    @inline(__always)
    func record(
        _ kind: EventKind, _ object: UInt32, _ site: SourceSite, order: MemoryOrder = .seqcst, reading read: () -> Int
    ) -> Int {
        guard !native.signs.have(.silent) else { return read() }
        return lane.append(kind, thread: index, object: object, site: site, order: order, reading: read)
    }

    /// - Returns: the new value.
    @inline(__always)
    func record(_ kind: EventKind, _ object: UInt32, _ site: SourceSite, writing write: () -> Int) -> Int {
        guard !native.signs.have(.silent) else { return write() }
        return lane.append(kind, thread: index, object: object, site: site, writing: write)
    }

    /// - Returns: the previous value.
    @inline(__always)
    func record(
        _ kind: EventKind, _ object: UInt32, _ site: SourceSite, order: MemoryOrder = .seqcst,
        updating write: () -> (old: Int, new: Int)
    ) -> Int {
        guard !native.signs.have(.silent) else { return write().old }
        return lane.append(kind, thread: index, object: object, site: site, order: order, updating: write)
    }

    /// Records a compare-exchange.
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

    /// Records that the thread is about to block. A deadline is recorded first.
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

    /// Returns false if it has no read hold.
    func removeReadHold(_ object: UInt32) -> Bool {
        guard let i = readHolds.firstIndex(where: { $0.object == object }) else { return false }
        readHolds[i].count -= 1
        if readHolds[i].count == 0 { readHolds.swapAt(i, readHolds.count - 1) }
        if readHolds[readHolds.count - 1].count == 0 { readHolds.removeLast() }
        return true
    }
}
