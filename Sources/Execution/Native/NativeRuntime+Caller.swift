import CLab
import CPthread
import Glibc
import Machine
import Synchronization
import Trace

/// How the runtime finds the data of the thread that calls it, and refuses threads that are not in the run.
extension NativeRuntime {
    /// Passes the calling thread to the body, without reference counting.
    ///
    /// - Parameter use: what the thread is about to do, for the error if the thread is refused.
    @inline(__always)
    func withCaller<Result>(
        _ use: @autoclosure () -> ForeignThread, _ body: (NativeThread) throws -> Result
    ) throws -> Result {
        if let context = clab_current() {
            // It may be a context of another kind. Only the address of its runtime is read, which all contexts have.
            let thread = Unmanaged<NativeThread>.fromOpaque(context)
            if thread._withUnsafeGuaranteedRef({ $0.address == address }) {
                return try thread._withUnsafeGuaranteedRef(body)
            }
        }
        return try withStranger(use, body)
    }

    /// Like `withCaller`, for code that cannot throw. Returns nil if the thread was refused, or belongs to another run
    /// and still has an object of this one.
    @inline(__always)
    func withKnownCaller<Result>(_ body: (NativeThread) -> Result) -> Result? {
        // The operation that the thread is about to take is not known here: `inspect` stands for any.
        try? withCaller(ForeignThread(Operation(.inspect), on: 0, at: .unknown), body)
    }

    /// The calling thread, which must be one of the run's: the call has come through `withCaller`.
    var caller: NativeThread {
        guard let caller = withKnownCaller({ $0 }) else {
            preconditionFailure(ForeignThreadWords.sentence("an object of it"))
        }
        return caller
    }

    var isCallersRuntime: Bool { ThreadContext.current?.address == address }

    private var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Handles a calling thread that is not one of this run's. Outside any run, it becomes a thread of the ambient
    /// runtime, or is refused by the runtime of a run. In a process that was forked from this run, it uses its copies
    /// of the run's objects.
    @inline(never)
    private func withStranger<Result>(
        _ use: () -> ForeignThread, _ body: (NativeThread) throws -> Result
    ) throws -> Result {
        guard let context = ThreadContext.current else {
            guard options.isAmbient else { throw refusal(use()) }
            return try body(AmbientRuntime.adopt())
        }
        guard context.isNative else { throw ForeignObject.error }
        let thread = unsafeDowncast(context, to: NativeThread.self)
        guard thread.native.isCopy(of: self) else {
            throw context.isAmbient ? refusal(use()) : ForeignObject.error
        }
        return try body(thread)
    }

    /// Refuses a thread outside the run that uses one of the run's objects, and ends the run because of it.
    private func refusal(_ use: ForeignThread) -> any Error {
        // The thread that made the runtime uses an object that is left of the run.
        if maker == ForeignUses.callingThread { return ForeignObject.error }
        ForeignThread.endIfPersistent(refusals.add(1, ordering: .relaxed).newValue)
        if ending.decide() {
            let operation = Int64(recorder.text(use.operation))
            recordOutside(.threadForeign, use.object, operation, at: use.site)
            fail()
        }
        return use
    }

    /// Whether the other runtime is that of the parent process, or of an earlier ancestor.
    private func isCopy(of other: NativeRuntime) -> Bool {
        var origin = options.origin
        while let ancestor = origin {
            if ancestor === other { return true }
            origin = ancestor.options.origin
        }
        return false
    }
}

/// Operations of a `deinit` that runs too late (`Belated`). Other threads may be leaving at the same time, so the
/// operations really take locks and access memory, but they wait for nothing else.
extension NativeRuntime {
    /// Does what comes before an operation in the special cases (`RunSigns.Sign.special`): runs the thread's hooks or,
    /// after the end of the run, performs the operation of a `deinit`.
    ///
    /// - Returns: the operation's result, if it has been performed. Nil if it is still to be taken.
    @inline(never)
    func beforehand(_ operation: Operation, on target: RuntimeObject, _ me: NativeThread) throws -> Int? {
        if signs.have(.hooks) { try callHooks(me) }
        guard hasEnded, !operation.kind.isRelease, Belated.isDeinit else { return nil }
        switch operation.kind.row.lock {
        case .mutex:
            return try lockBelatedly(NativeStorage(target), me, waits: operation.kind != .tryLock)
        case .reading:
            let storage = NativeStorage(target)
            try wait(for: storage, me) { pthread_rwlock_tryrdlock(storage.lock) }
            me.addReadHold(storage.id)
            storage.object.pointee.users.wrappingAdd(1, ordering: .relaxed)
        case .writing:
            let storage = NativeStorage(target)
            try wait(for: storage, me) { pthread_rwlock_trywrlock(storage.lock) }
            storage.object.pointee.owner.store(me.asOwner, ordering: .relaxed)
        case nil:
            if operation.kind.isOnMemory { return access(NativeStorage(target), operation, me, .unknown) }
            var word = 0
            return try operation.belatedResult(&word)
        }
        return Mutexes.Locked.taken
    }

    /// Locks a mutex for a `deinit` that runs too late.
    ///
    /// - Parameter waits: whether to wait for another thread to leave. An attempt does not wait: code may assert that
    ///   it holds a lock by trying to take it, which must fail.
    /// - Returns: one of `Mutexes.Locked`.
    private func lockBelatedly(_ storage: NativeStorage, _ me: NativeThread, waits: Bool) throws -> Int {
        if waits {
            try wait(for: storage, me) { pthread_mutex_trylock(storage.mutex) }
        } else if pthread_mutex_trylock(storage.mutex) != 0 {
            return Mutexes.Locked.busy
        }
        // A negative depth is a mark that a thread has left on the mutex. It has no meaning any more.
        storage.books.pointee.depth = max(storage.books.pointee.depth, 0)
        if storage.books.pointee.depth == 0 { storage.object.pointee.owner.store(me.asOwner, ordering: .relaxed) }
        storage.books.pointee.depth += 1
        return Mutexes.Locked.taken
    }

    /// Waits until a thread that leaves has released the lock, for at most `Options.grace`.
    ///
    /// - Throws: `RunEnded`, if that takes too long, or if the calling thread holds the lock itself.
    private func wait(for storage: NativeStorage, _ me: NativeThread, _ attempt: () -> Int32) throws {
        var clock = OwnClock()
        while attempt() != 0 {
            let isMine = storage.object.pointee.owner.load(ordering: .relaxed) == me.asOwner
            if isMine || clock.time >= options.grace { throw RunEnded.error }
            usleep(100)
            clock.read(registry.kernelNumbersOfOthers)
        }
    }
}
