import Machine
import Trace

/// What primitives need from the runtime of their run. There are two: the native one uses POSIX threads, and the
/// controlled one the machine. A primitive never asks which runtime it has.
///
/// Every visible thing that a thread does is one `Operation`, so nearly everything goes through `perform`.
package protocol Runtime: AnyObject, Sendable {
    /// Takes one operation of the calling thread, and blocks until it is taken.
    ///
    /// - Parameters:
    ///   - operation: the operation. Its deadline, if it has one, is on this runtime's clock (`now`).
    ///   - target: the object that the operation is on, or the thread of a join or detach.
    ///   - mutex: the mutex of a condition's wait.
    /// - Returns: the result of the operation: a value, one of `Mutexes.Locked`, or 1 or 0 for whether it succeeded in
    ///   time (−1: no thread was started for the seat of a `joinUntil`).
    /// - Throws: `Misuse`, or `RunEnded`; `ForeignObject` or `ForeignThread` if the object and the calling thread do
    ///   not belong to the same run; the error of a hook (`StepHook`).
    func perform(
        _ operation: Operation, on target: RuntimeObject, with mutex: RuntimeObject?, at site: SourceSite
    ) throws -> Int

    /// Makes an object of a kind that the machine knows. Built objects consist of these.
    func makeObject(
        _ kind: ObjectState.Kind, shownAs shown: ObjectKind, name: String?, value: Int, at site: SourceSite
    ) -> RuntimeObject

    /// Declares that an object is a part of a built object, or is all of it: traces call it by the name of the built
    /// object.
    func declarePart(_ object: RuntimeObject, of owner: RuntimeObject)

    /// The atomic with this name, initially 0: the same one for all threads of the run. The first thread that asks for
    /// it makes it.
    func sharedWord(named name: String) -> RuntimeObject

    /// Frees an object to which no reference is left.
    ///
    /// - Parameter isInUse: whether a thread may hold it or wait on it. If false, releasing it in use is a misuse.
    func discard(_ object: RuntimeObject, evenIf isInUse: Bool)

    /// Starts a thread that runs a body.
    ///
    /// - Parameter body: runs on the new thread. Its value, or that of a `ThreadExit` that it throws, is the thread's
    ///   `result`.
    /// - Throws: `ThreadCreationFailed`, or `RunEnded`.
    func startThread(
        named name: String?, _ attributes: ThreadAttributes, at site: SourceSite, body: consuming ThreadBody
    ) throws -> RuntimeObject

    /// Puts a thread on its seat: the object of a declared thread, which the operation `spawn` has claimed.
    ///
    /// - Parameter thread: nil if no thread could be started. The seat becomes empty again.
    func seat(_ thread: RuntimeObject?, on seat: RuntimeObject)

    /// The result of a thread that the caller has joined, or of the main thread if it ended by `ThreadExit`.
    func result(of thread: RuntimeObject) -> Int

    /// Changes the calling thread's priority, from 0 to 31. The priority is a hint.
    func setPriority(_ priority: Int, at site: SourceSite)

    /// The calling thread's priority as last set; `ThreadAttributes.defaultPriority` if it was never set.
    var priority: Int { get }

    /// Whether the run is over, and its threads are unwinding or its objects are being released.
    var hasEnded: Bool { get }

    /// The calling thread.
    var currentThread: ThreadID { get }

    /// Whether the run has never had a thread but the main thread. What the main thread makes until then is visible to
    /// every later thread.
    var hasOneThread: Bool { get }

    /// Sets the number of threads that may exist at once, including the main thread. A thread exists until it has ended
    /// and was joined or detached.
    func setThreadLimit(_ count: Int)

    /// What the calling thread does before each of its operations. Nil for most threads, which do nothing.
    var stepHook: (any StepHook)? { get set }

    /// Ends the calling thread where it is, as if it were killed: no cleanup code and no destructor runs, and it keeps
    /// what it holds. Only values in its slots that conform to `KillNotice` are notified.
    func endAtOnce() throws -> Never

    /// Ends the calling thread with an error that its code cannot receive, because the function that it called does not
    /// throw. Nothing on its stack is released. Unless the run has already ended, the error ends the run, like one that
    /// leaves a thread's body.
    func endCaller(with error: any Error) -> Never

    /// Ends the process: every other thread is cut off where it is (POSIX `exit`).
    func exitProcess(at site: SourceSite) throws -> Never

    /// The name of a thread, unique within the run.
    func name(of thread: ThreadID) -> String

    /// Nanoseconds since the run began: monotonic when native, virtual when controlled.
    var now: Int { get }

    /// Like `now`, but reading it is never a step: for deadlines in code that does not show its program the time.
    var hiddenNow: Int { get }

    // MARK: - Events that are not operations

    /// Whether events are recorded. If not, building a text for an event would be wasted.
    var isRecording: Bool { get }

    /// Records something that the calling thread did.
    func record(_ kind: EventKind, _ object: UInt32, _ value: Int, at site: SourceSite)

    /// Records something that the calling thread did, with a text. For kinds whose `meaning` is `.text`.
    func record(_ kind: EventKind, _ object: UInt32, text: String, at site: SourceSite)

    /// Records a remark of an object that the calling thread uses.
    func record(_ remark: Remark, _ object: UInt32, _ value: Int, at site: SourceSite)

    /// Records a remark with a text. For remarks whose `value` is `.text`.
    func record(_ remark: Remark, _ object: UInt32, text: String, at site: SourceSite)

    /// The site of a line in a file whose name is not a constant of the program, such as a `.lab` file.
    func site(inFileNamed name: String, line: Int) -> SourceSite

    // MARK: - Memory, seen from outside

    /// The value of a cell, an atomic or a semaphore. Neither a step nor an event.
    func word(of object: RuntimeObject) -> Int

    /// Whether the calling thread's last step was a weak compare-exchange that failed although it found the expected
    /// word.
    func hasFailedSpuriously(on object: RuntimeObject, expecting word: Int) -> Bool

    // MARK: - Signals

    // The run has one signal, which a process sends to itself and any of its threads may receive. Handlers run between
    // two operations, not between two instructions, because an operation, which includes recording, could not be
    // interrupted safely.

    /// Sets what a thread that does not block the signal does before each of its operations: it checks whether it has
    /// received the signal.
    ///
    /// - Returns: false if the run already has a handler.
    func installSignal(_ hook: any StepHook) -> Bool

    /// Whether the calling thread blocks the signal, so that other threads receive it. Threads that it creates inherit
    /// this.
    var blocksSignal: Bool { get set }

    // MARK: - Processes

    /// The number of the calling thread's process. Primitives set it where they model processes; it cannot be set in a
    /// native run.
    var processNumber: Int { get set }

    /// The operating system, in a native run. Nil in a controlled one, where primitives model processes and signals.
    var system: (any OperatingSystem)? { get }

    // MARK: - Files

    /// The storage of the run's record files. Set before the run begins.
    var records: any RecordStorage { get set }

    // MARK: - Thread-local slots

    /// Creates a key under which each thread has a separate value, initially none.
    ///
    /// - Parameters:
    ///   - name: its name in traces. If nil, traces number it.
    ///   - shown: how traces show it: as a slot, or as a part of a built object.
    ///   - destructor: called on a thread that ends with a value, with the slot already empty; up to four rounds while
    ///     destructors store again (POSIX, `PTHREAD_DESTRUCTOR_ITERATIONS`).
    /// - Returns: nil if the system has no keys left.
    func makeSlot(
        named name: String?, shownAs shown: ObjectKind, at site: SourceSite,
        _ destructor: (@Sendable (AnyObject) -> Void)?
    ) -> Int?

    /// Deletes the key. Destructors of remaining values do not run.
    func deleteSlot(_ key: Int)

    /// The calling thread's value under the key.
    func slotValue(_ key: Int) -> AnyObject?

    /// Sets the calling thread's value under the key.
    func setSlotValue(_ key: Int, _ value: AnyObject?, at site: SourceSite)

    /// The slots and objects that primitives of the run share.
    var knownSlots: KnownSlots { get }
}

extension Runtime {
    package func makeSlot(shownAs shown: ObjectKind, _ destructor: (@Sendable (AnyObject) -> Void)?) -> Int? {
        makeSlot(named: nil, shownAs: shown, at: .unknown, destructor)
    }

    package func setSlotValue(_ key: Int, _ value: AnyObject?) { setSlotValue(key, value, at: .unknown) }

    /// The key of a known slot.
    ///
    /// - Parameter destructor: the destructor of the values, if the slot does not exist yet.
    package func knownSlot(_ slot: KnownSlots.Slot, _ destructor: (@Sendable (AnyObject) -> Void)? = nil) -> Int {
        knownSlots.key(of: slot) { makeSlot(shownAs: .part, destructor) }
    }
}

/// What the operating system does in a native run. In a controlled run, primitives model it by operations.
package protocol OperatingSystem: AnyObject {
    /// Starts a process that runs the body and ends with the body's value as its status. The process is a copy of this
    /// one, but with the calling thread only.
    ///
    /// - Returns: the number of the process.
    /// - Throws: `ProcessFailed`, or `RunEnded`.
    func startProcess(_ body: @escaping @Sendable () throws -> Int) throws -> Int

    /// Waits for the end of a process that this process started, until the deadline at the latest.
    ///
    /// - Returns: nil if the deadline passed.
    func waitForProcess(_ number: Int, until deadline: Int) throws -> ProcessEnd?

    func killProcess(_ number: Int)

    /// Runs another program in place of the calling process.
    func execute(_ program: String) throws -> Never

    func isProcessAlive(_ number: Int) -> Bool

    /// Sends the run's signal to the calling process.
    func sendSignal() throws

    /// Whether the calling thread receives the signal now, between two operations.
    func takeSignal() -> Bool

    /// Waits until the signal is pending, and takes it (POSIX `sigwait`).
    ///
    /// - Parameter pending: the object for which the thread waits in traces.
    func waitForSignal(_ pending: RuntimeObject, at site: SourceSite) throws

    /// Blocks until something that an `await` or a spin lock has read has changed. A controlled run needs no such
    /// function: the machine itself watches what was read (`Operation.Watch`).
    ///
    /// - Parameters:
    ///   - object: the first object that the `await` read.
    ///   - isSpinning: whether the thread keeps its processor busy while it waits.
    ///   - hasChanged: called repeatedly.
    func waitForChange(
        of object: RuntimeObject, isSpinning: Bool, at site: SourceSite, _ hasChanged: () -> Bool
    ) throws
}

/// How another process ended.
package enum ProcessEnd: Equatable, Sendable {
    case exited(Int)
    case killed(by: Int)
}

/// What a thread does before each of its operations: it checks whether another thread wants it to end, or to run the
/// handler of a signal. Each check is a step, so only threads that can be interrupted have a hook. While a hook runs,
/// its thread is not interrupted again.
package protocol StepHook: AnyObject, Sendable {
    func beforeOperation() throws
}

/// A value in a thread's slot that must be notified if the thread is killed, because no destructor runs then.
package protocol KillNotice: AnyObject {
    /// Called on the thread that is being killed.
    func ownerIsKilled()
}

/// A reference to an object or a thread of a runtime.
package struct RuntimeObject: @unchecked Sendable {
    /// The identity that events carry: an object's number, or a thread's.
    package let id: UInt32
    /// In a native run, the address of the runtime's data of the object. In a controlled run, a number of the execution
    /// in which the object was made; the machine holds the object's state.
    package let storage: UnsafeMutableRawPointer?

    package init(id: UInt32, storage: UnsafeMutableRawPointer? = nil) {
        self.id = id
        self.storage = storage
    }

    /// For operations that concern no object.
    package static let none = RuntimeObject(id: 0)
}
