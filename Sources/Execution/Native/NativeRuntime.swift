import CPthread
import Machine
import Synchronization
import Trace

/// The runtime with POSIX threads and POSIX objects: the operating system decides the order of the steps.
///
/// One instance serves one run. A call that is undefined in POSIX is detected beforehand, from the runtime's own data,
/// and refused as the machine of a controlled run refuses it.
package final class NativeRuntime: Runtime, @unchecked Sendable {
    package struct Options: Sendable {
        /// Ends the process at once when the main thread returns, so that other threads are really cut off. For a
        /// process that was forked for this run. If nil, the process continues.
        package var exit: (@Sendable () -> Never)?
        /// Called when a main thread has ended without returning from `run`, because its code cannot be unwound.
        package var whenAbandoned: (@Sendable () -> Void)?
        /// In a process that the scenario itself forked: the runtime of the run in the parent, whose objects were
        /// copied with the process.
        var origin: NativeRuntime?
        /// How long the threads may compute or sleep after the end of the run before they are no longer waited for, in
        /// nanoseconds.
        package var grace: UInt64 = 2_000_000_000
        /// Whether operations are recorded. Only measurements and the ambient runtime turn this off, because a run
        /// without events has no diagnosis.
        package var isRecorded = true
        /// Whether this is the runtime of the code outside a run: see `AmbientRuntime`.
        var isAmbient = false

        package init() {}
    }

    let options: Options
    let recorder: Recorder
    /// The time of the monotonic clock at the beginning of the run, in nanoseconds.
    let start: Int
    package var records: any RecordStorage = ModelRecords()
    package let knownSlots = KnownSlots()
    let registry: NativeRegistry
    let ending = NativeEnding()
    let signs: RunSigns
    let signalHook = SignalHook()
    /// The thread that made this runtime, which need not be one of the run's threads.
    let maker = ForeignUses.callingThread
    /// The number of refused operations of threads outside the run.
    let refusals = Atomic(0)
    /// The shared words (`sharedWord`), by name.
    private let words = Guarded<[String: RuntimeObject]>([:])

    /// The lane for events of no thread of the run. Guarded by the registry's lock.
    private let outsideLane: Lane

    /// - Parameter recorder: receives the events. It must not use a virtual clock.
    package init(recorder: Recorder, options: Options = Options()) {
        self.options = options
        self.recorder = recorder
        registry = NativeRegistry(isAmbient: options.isAmbient)
        signs = RunSigns(options.isRecorded ? [] : .unrecorded)
        start = Int(recorder.start)
        outsideLane = recorder.makeLane()
    }

    /// Whether the run is over, and all threads are leaving.
    @inline(__always) package var hasEnded: Bool { signs.have(.ended) }

    package var currentThread: ThreadID { withKnownCaller { $0.id } ?? .foreign }
    package var hasOneThread: Bool { registry.threadCount == 1 }
    package func setThreadLimit(_ count: Int) { registry.setThreadLimit(count) }
    package func name(of thread: ThreadID) -> String { registry.name(of: thread) }
    package var now: Int { Int(RecordingClock.nanoseconds()) - start }
    package var hiddenNow: Int { now }
    package var isRecording: Bool { !signs.have(.silent) }

    // MARK: - Operations

    package func perform(
        _ operation: Operation, on target: RuntimeObject, with mutex: RuntimeObject?, at site: SourceSite
    ) throws -> Int {
        // The data of a thread exists while the thread runs, so no reference is counted.
        do {
            return try withCaller(ForeignThread(operation, on: target.id, at: site)) { me in
                if signs.have(.special), let result = try beforehand(operation, on: target, me) { return result }
                return try take(operation, target, mutex, me, site)
            }
        } catch is ForeignObject {
            if operation.kind.isRelease && Belated.isDeinit { return 0 }
            let isThread = operation.object == 0
            throw isThread ? ForeignObject() : ForeignObject(nil, madeAt: NativeStorage(target).object.pointee.site)
        }
    }

    /// Takes an operation. It handles the most frequent ones itself. All others are in another function, so that this
    /// one needs few registers and no memory.
    @inline(__always)
    private func take(
        _ operation: Operation, _ target: RuntimeObject, _ mutex: RuntimeObject?, _ me: NativeThread,
        _ site: SourceSite
    ) throws -> Int {
        if me.discarded != 0 && !operation.kind.isRelease { settleDiscarded(me) }
        if operation.kind == .lock { return try lock(NativeStorage(target), until: Operation.never, me, site) }
        if operation.kind == .unlock { return try unlock(NativeStorage(target), mark: operation.a, me, site) }
        if operation.kind == .tryLock { return try tryLock(NativeStorage(target), me, site) }
        return try takeRarer(operation, target, mutex, me, site)
    }

    /// Takes an operation of any kind.
    @inline(never)
    private func takeRarer(
        _ operation: Operation, _ target: RuntimeObject, _ mutex: RuntimeObject?, _ me: NativeThread,
        _ site: SourceSite
    ) throws -> Int {
        switch operation.kind {
        case .lock: return try lock(NativeStorage(target), until: Operation.never, me, site)
        case .tryLock: return try tryLock(NativeStorage(target), me, site)
        case .lockUntil: return try lock(NativeStorage(target), until: operation.b, me, site)
        case .unlock: return try unlock(NativeStorage(target), mark: operation.a, me, site)
        case .wait: return try wait(NativeStorage(target), with: mutex, until: operation.b, me, site)
        case .signal: return try signal(NativeStorage(target), toAll: false, me, site)
        case .broadcast: return try signal(NativeStorage(target), toAll: true, me, site)
        case .semaphoreWait: return try semaphoreWait(NativeStorage(target), until: Operation.never, me, site)
        case .semaphoreWaitUntil: return try semaphoreWait(NativeStorage(target), until: operation.b, me, site)
        case .semaphoreTryWait: return try semaphoreTryWait(NativeStorage(target), me, site)
        case .semaphoreSignal: return try semaphoreSignal(NativeStorage(target), me, site)
        case .readLock: return try running.readLock(NativeStorage(target), until: Operation.never, me, site)
        case .readLockUntil: return try running.readLock(NativeStorage(target), until: operation.b, me, site)
        case .tryReadLock: return try running.tryReadLock(NativeStorage(target), me, site)
        case .writeLock: return try running.writeLock(NativeStorage(target), until: Operation.never, me, site)
        case .writeLockUntil: return try running.writeLock(NativeStorage(target), until: operation.b, me, site)
        case .tryWriteLock: return try running.tryWriteLock(NativeStorage(target), me, site)
        case .unlockShared: return try unlockShared(NativeStorage(target), me, site)
        case .downgrade: return try downgrade(NativeStorage(target), me, site)
        case .load, .store, .exchange, .add, .bitAnd, .bitOr, .bitXor, .compareExchange, .weakCompareExchange, .read,
            .write, .append, .semaphoreValue:
            return try running.access(NativeStorage(target), operation, me, site)
        case .destroy: return try running.destroy(NativeStorage(target), me, site)
        case .spawn:
            try checkRunning()
            return operation.object == 0 || claim(target) ? 1 : 0
        case .join, .joinUntil, .tryJoin, .detach:
            try checkRunning()
            guard let thread = operation.object == 0 ? target : try sitter(on: target) else {
                // No thread was started for the seat. −1, because 0 means that the time limit has passed.
                return operation.kind == .joinUntil ? -1 : 0
            }
            return try performOnThread(operation, thread, me, site)
        case .yield:
            try checkRunning()
            me.record(.threadYield, 0, 0, site)
            return Int(sched_yield())
        case .fence: return try running.fence(operation.orders.order, me, site)
        case .sleepUntil: return try running.sleep(until: operation.b, meaning: operation.a, me, site)
        case .choose: return try running.choose(operation.a, me, site)
        case .exit:
            try checkRunning()
            exitProcess(me, site)
            throw RunEnded()
        // A native thread starts without an operation, and no native operation reads all memory or a virtual clock.
        case .start, .inspect, .readClock: return 0
        }
    }

    private func performOnThread(
        _ operation: Operation, _ thread: RuntimeObject, _ me: NativeThread, _ site: SourceSite
    ) throws -> Int {
        if operation.kind == .detach { return try detach(thread, me, site) }
        if operation.kind == .tryJoin { return try tryJoin(thread, me, site) }
        let deadline = operation.kind == .join ? Operation.never : operation.b
        return try join(thread, until: deadline, me, site)
    }

    /// The operation `load`, without the detour through `perform`: see `RuntimeReference.load`.
    package func load(_ target: RuntimeObject, at site: SourceSite) throws -> Int {
        try withCaller(ForeignThread(Operation(.load), on: target.id, at: site)) { me in
            if signs.have(.special), let result = try beforehand(Operation(.load, target.id), on: target, me) {
                return result
            }
            if me.discarded != 0 { settleDiscarded(me) }
            try checkRunning()
            return load(NativeStorage(target), .seqcst, me, site)
        }
    }

    /// The operations `load` and `lock` in one call: see `RuntimeReference.lock`.
    package func lock(
        _ mutex: RuntimeObject, ifClear bits: Int, in target: RuntimeObject, at site: SourceSite
    ) throws -> ThreadID? {
        try withCaller(ForeignThread(Operation(.load), on: target.id, at: site)) { me in
            let loading = Operation(.load, target.id)
            if signs.have(.special), let result = try beforehand(loading, on: target, me) {
                if result & bits != 0 { return nil }
                return try beforehand(Operation(.lock, mutex.id), on: mutex, me).map { _ in me.id }
            }
            if me.discarded != 0 { settleDiscarded(me) }
            try checkRunning()
            if load(NativeStorage(target), .seqcst, me, site) & bits != 0 { return nil }
            // The lock is an operation of its own, so hooks come before it too.
            if signs.have(.hooks) { try callHooks(me) }
            _ = try lock(NativeStorage(mutex), until: Operation.never, me, site)
            return me.id
        }
    }

    /// Throws if the run is over. The operations of a `deinit` that runs too late are handled before (`beforehand`).
    @inline(__always) func checkRunning() throws { if hasEnded { throw RunEnded.interruption } }

    /// The runtime itself, if the run is not over.
    private var running: NativeRuntime {
        get throws {
            try checkRunning()
            return self
        }
    }

    /// Records a misuse and returns it for the caller to throw.
    func misuse(_ kind: MisuseKind, _ object: UInt32, _ me: NativeThread, _ site: SourceSite) -> Misuse {
        me.record(.misuse, object, Int(kind.rawValue), site)
        return Misuse(kind, at: site)
    }

    private func choose(_ count: Int, _ me: NativeThread, _ site: SourceSite) -> Int {
        let choice = count > 1 ? Int.random(in: 0..<count, using: &me.random) : 0
        me.record(.choice, 0, choice, site)
        return choice
    }

    // MARK: - Objects

    package func makeObject(
        _ kind: ObjectState.Kind, shownAs shown: ObjectKind, name: String?, value: Int, at site: SourceSite
    ) -> RuntimeObject {
        registry.addObject(shown, name: name) { id, name in
            if !options.isAmbient { recorder.declareObject(id, kind: shown, name: name, value: value) }
            return NativeStorage(
                id: id, kind: kind, value: value, inheritsPriority: shown == .inheritingMutex, site: site)
        }
    }

    package func declarePart(_ object: RuntimeObject, of owner: RuntimeObject) {
        if !options.isAmbient { recorder.declarePart(object.id, of: owner.id) }
    }

    package func sharedWord(named name: String) -> RuntimeObject {
        words.withLock { words in
            if let word = words[name] { return word }
            let word = makeObject(.atomic, shownAs: .part, name: name, value: 0, at: .unknown)
            words[name] = word
            return word
        }
    }

    package func discard(_ object: RuntimeObject, evenIf mayBeInUse: Bool) {
        let storage = NativeStorage(object)
        let isInUse = storage.isInUse
        if isInUse && !mayBeInUse { noteDiscarded(object.id) }
        registry.removeObject(storage)
        let isDeserted = storage.kind != .condition || ConditionWaiters(storage.object).isDeserted
        if !isInUse && isDeserted && storage.destroyPOSIXObject() {
            storage.free()
        } else {
            registry.retire(storage)
        }
    }

    package func site(inFileNamed name: String, line: Int) -> SourceSite { siteOfText(name, line) }
    /// The number by which an event refers to the text. 0: there is no room for it.
    package func number(ofText text: String) -> Int { Int(recorder.text(text)) }
    package func word(of object: RuntimeObject) -> Int { currentWord(of: object) }

    /// Returns false: in a native run, no compare-exchange fails spuriously.
    package func hasFailedSpuriously(on object: RuntimeObject, expecting word: Int) -> Bool { false }
    package var system: (any OperatingSystem)? { self }

    /// Notes that an object in use was released. For a thread of the run, that is not yet a finding: see
    /// `NativeThread.discarded`.
    private func noteDiscarded(_ object: UInt32) {
        if isCallersRuntime {
            let me = caller
            if me.discarded == 0 { me.discarded = object }
        } else if options.isAmbient {
            failOutsideRun("an object is released while a thread uses it")
        } else if ending.decide() {
            recordOutside(.misuse, object, Int64(MisuseKind.destroyHeld.rawValue))
            fail()
        }
    }

    /// Reports the release of an object in use: the thread has continued, or ended without an error.
    func settleDiscarded(_ me: NativeThread) {
        guard me.discarded != 0 else { return }
        if options.isAmbient { failOutsideRun("an object is released while a thread uses it") }
        guard ending.decide() else { return }
        me.record(.misuse, me.discarded, Int(MisuseKind.destroyHeld.rawValue), .unknown)
        fail()
    }

    private func destroy(_ storage: NativeStorage, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        if storage.isInUse { throw misuse(.destroyHeld, storage.id, me, site) }
        switch storage.kind {
        case .semaphore, .atomic, .counted, .cell, .file, .seat, .other: return 0
        default:
            // The memory is freed only by the object's last owner. Until then the object stays usable, which POSIX
            // permits.
            guard storage.destroyPOSIXObject() else { throw misuse(.destroyHeld, storage.id, me, site) }
            storage.makePOSIXObject(storage.kind, 0)
            return 0
        }
    }

    // MARK: - Threads and slots

    package func startThread(
        named name: String?, _ attributes: ThreadAttributes, at site: SourceSite,
        body: consuming ThreadBody
    ) throws -> RuntimeObject {
        try start(name, attributes, at: site, body: body)
    }

    package func seat(_ thread: RuntimeObject?, on seat: RuntimeObject) { sit(thread, on: seat) }

    package func result(of thread: RuntimeObject) -> Int {
        guard let thread = registry.thread(thread.id), thread.isFinished.load(ordering: .acquiring) else { return 0 }
        return thread.result
    }

    package func makeSlot(
        named name: String?, shownAs shown: ObjectKind, at site: SourceSite,
        _ destructor: (@Sendable (AnyObject) -> Void)?
    ) -> Int? {
        addSlot(name, shown, destructor)
    }
    package func deleteSlot(_ key: Int) { NativeSlot.at(key).delete() }
    package func slotValue(_ key: Int) -> AnyObject? { value(of: NativeSlot.at(key)) }
    package func setSlotValue(_ key: Int, _ value: AnyObject?, at site: SourceSite) {
        setValue(value, of: NativeSlot.at(key), site)
    }

    // MARK: - Events that are not operations

    package func record(_ kind: EventKind, _ object: UInt32, _ value: Int, at site: SourceSite) {
        _ = withKnownCaller { $0.record(kind, object, value, site) }
    }

    package func record(_ kind: EventKind, _ object: UInt32, text: String, at site: SourceSite) {
        if !isRecording { return }
        _ = withKnownCaller { $0.record(kind, object, Int(recorder.text(text)), site) }
    }

    package func record(_ remark: Remark, _ object: UInt32, _ value: Int, at site: SourceSite) {
        let number = isRecording ? recorder.number(of: remark) : 0
        _ = withKnownCaller { $0.record(remark: number, object, value, site) }
    }

    package func record(_ remark: Remark, _ object: UInt32, text: String, at site: SourceSite) {
        if !isRecording { return }
        record(remark, object, Int(recorder.text(text)), at: site)
    }

    /// Records an event of the run as a whole: on the calling thread's lane if the thread belongs to the run, otherwise
    /// on `outsideLane`.
    func recordOutside(
        _ kind: EventKind, _ object: UInt32 = 0, _ value: Int64 = 0, at site: SourceSite = .unknown
    ) {
        if isCallersRuntime {
            caller.record(kind, object, Int(value), site)
            return
        }
        registry.lock.withLock {
            outsideLane.append(kind, thread: 0, object: object, value: value, site: site)
        }
    }
}
