import Machine
import Synchronization
import Trace

/// What a primitive needs of the world that its scenario runs in. The native runtime does it with POSIX threads, the
/// controlled one with the machine; a primitive never asks which.
///
/// Every visible thing that a thread does is one `Operation`, so nearly all of it goes through `perform`.
package class Runtime: @unchecked Sendable {
    /// Takes one operation of the calling thread, and blocks until it is taken.
    ///
    /// - Parameters:
    ///   - operation: what to do. Deadlines are on this runtime's clock (`now`).
    ///   - target: the object that the operation is on, or the thread of a join or detach.
    ///   - mutex: the mutex of a condition's wait.
    /// - Returns: what the operation yields: a value; or 1 or 0 for whether it succeeded in time.
    /// - Throws: `Misuse`, or `RunEnded`.
    package func perform(
        _ operation: Operation, on target: RuntimeObject, with mutex: RuntimeObject?, at site: SourceSite
    ) throws -> Int {
        fatalError("abstract")
    }

    /// Makes a base object.
    package func makeObject(
        _ kind: ObjectState.Kind, shownAs shown: ObjectKind, name: String?, value: Int, at site: SourceSite
    ) -> RuntimeObject {
        fatalError("abstract")
    }

    /// The last reference to the object is gone: its resources are freed. If it is in use, that is a misuse.
    package func discard(_ object: RuntimeObject) { fatalError("abstract") }

    /// Starts a thread.
    ///
    /// - Parameter body: runs on the new thread. What it returns, or leaves with by throwing `ThreadExit`, is its `result`.
    /// - Throws: `ThreadCreationFailed`, or `RunEnded`.
    package func startThread(
        named name: String?, _ attributes: ThreadAttributes, at site: SourceSite,
        body: consuming ThreadBody
    ) throws -> RuntimeObject {
        fatalError("abstract")
    }

    /// The thread that was started after the seat was claimed, by the operation `spawn`, sits there from now on.
    package func seat(_ thread: RuntimeObject, on seat: RuntimeObject) {}

    /// What a thread that the caller has joined ended with. The main thread's too, if it ended by `ThreadExit`.
    package func result(of thread: RuntimeObject) -> Int { fatalError("abstract") }

    /// The calling thread.
    package var currentThread: ThreadID { fatalError("abstract") }

    /// The name of a thread, unique within the run.
    package func name(of thread: ThreadID) -> String { fatalError("abstract") }

    /// Nanoseconds since the run began: monotonic when native, virtual when controlled.
    package var now: Int { fatalError("abstract") }

    /// The same for a deadline of a program that cannot read the clock: looking at it is never a step.
    package var hiddenNow: Int { now }

    /// Whether the run is over, and its threads only unwind.
    package var hasEnded: Bool { false }

    // MARK: - Events that are no operation

    /// Whether events are recorded. Ask before building a text for one.
    package var isRecording: Bool { fatalError("abstract") }

    /// Records something that the calling thread did.
    package func record(_ kind: EventKind, _ object: UInt32 = 0, _ value: Int = 0, at site: SourceSite) {
        fatalError("abstract")
    }

    /// Records something that the calling thread did, with words. For kinds whose `meaning` is `.text`.
    package func record(_ kind: EventKind, _ object: UInt32 = 0, text: String, at site: SourceSite) {
        fatalError("abstract")
    }

    /// A line of a file whose name the program does not contain: a `.lab` file's.
    package func site(inFileNamed name: String, line: Int) -> SourceSite { fatalError("abstract") }

    // MARK: - Memory, looked at from outside

    /// What a cell, an atomic or a semaphore holds. No step, and no event.
    package func word(of object: RuntimeObject) -> Int { fatalError("abstract") }

    /// Blocks while nothing has changed of what an `await` read. The machine knows that of itself, by `Operation.Watch`.
    ///
    /// - Parameters:
    ///   - object: what it read first.
    ///   - hasChanged: asked again and again.
    package func waitForChange(
        of object: RuntimeObject, at site: SourceSite, _ hasChanged: () -> Bool
    ) throws {}

    /// The run needs the object no more, in whatever state it is.
    package func forget(_ object: RuntimeObject) {}

    // MARK: - Files

    /// Where the run's record files are. Set before the run begins.
    package final var records: any RecordStorage = ModelRecords()

    // MARK: - Thread-local slots

    /// Makes a key under which each thread has a value of its own, nothing at first.
    ///
    /// - Parameters:
    ///   - shown: what traces say that it is: a slot, or a part of something built.
    ///   - destructor: called on a thread that ends with a value, with the slot already empty; up to four rounds while
    ///     destructors store again (POSIX, `PTHREAD_DESTRUCTOR_ITERATIONS`).
    /// - Returns: nil if the system has no key left.
    package func makeSlot(shownAs shown: ObjectKind, _ destructor: (@Sendable (AnyObject) -> Void)?) -> Int? {
        fatalError("abstract")
    }

    /// Deletes the key. Destructors of values that are left do not run.
    package func deleteSlot(_ key: Int) { fatalError("abstract") }

    package func slotValue(_ key: Int) -> AnyObject? { fatalError("abstract") }

    package func setSlotValue(_ key: Int, _ value: AnyObject?) { fatalError("abstract") }

    /// Slots that built primitives share, made in a run when first asked for.
    package enum KnownSlot: Int, CaseIterable, Sendable { case dictionary, runLoop }

    private let knownSlots = Mutex([Int?](repeating: nil, count: KnownSlot.allCases.count))

    /// The key of a known slot.
    package final func knownSlot(_ slot: KnownSlot) -> Int {
        knownSlots.withLock { slots in
            if let key = slots[slot.rawValue] { return key }
            guard let key = makeSlot(shownAs: .part, nil) else {
                preconditionFailure("the system has no thread-local key left")
            }
            slots[slot.rawValue] = key
            return key
        }
    }

    /// A new run begins, with no slot made.
    package final func forgetKnownSlots() {
        knownSlots.withLock { slots in for index in slots.indices { slots[index] = nil } }
    }

    package init() {}
}
