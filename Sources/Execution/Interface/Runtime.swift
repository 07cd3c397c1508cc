import Machine
import Trace

/// What a primitive needs of the world that its scenario runs in. The native runtime does it with POSIX threads, the
/// controlled one with the machine; a primitive never asks which.
///
/// Every visible thing that a thread does is one `Operation`, so nearly all of it goes through `perform`.
package protocol Runtime: AnyObject, Sendable {
    /// Takes one operation of the calling thread, and blocks until it is taken.
    ///
    /// - Parameters:
    ///   - operation: what to do. Deadlines are on this runtime's clock (`now`).
    ///   - target: the object that the operation is on, or the thread of a join or detach.
    ///   - mutex: the mutex of a condition's wait.
    /// - Returns: what the operation yields: a value; or 1 or 0 for whether it succeeded in time.
    /// - Throws: `Misuse`, or `RunEnded`.
    func perform(
        _ operation: Operation, on target: RuntimeObject, with mutex: RuntimeObject?, at site: SourceSite
    ) throws -> Int

    /// Makes a base object.
    func makeObject(
        _ kind: ObjectState.Kind, shownAs shown: ObjectKind, name: String?, value: Int, at site: SourceSite
    ) -> RuntimeObject

    /// The last reference to the object is gone: its resources are freed. If it is in use, that is a misuse.
    func discard(_ object: RuntimeObject)

    /// Starts a thread.
    ///
    /// - Parameter body: runs on the new thread. What it returns, or leaves with by throwing `ThreadExit`, is its `result`.
    /// - Throws: `ThreadCreationFailed`, or `RunEnded`.
    func startThread(
        named name: String?, _ attributes: ThreadAttributes, at site: SourceSite, body: consuming ThreadBody
    ) throws -> RuntimeObject

    /// The thread that was started after the seat was claimed, by the operation `spawn`, sits there from now on.
    func seat(_ thread: RuntimeObject, on seat: RuntimeObject)

    /// What a thread that the caller has joined ended with. The main thread's too, if it ended by `ThreadExit`.
    func result(of thread: RuntimeObject) -> Int

    /// The calling thread.
    var currentThread: ThreadID { get }

    /// The name of a thread, unique within the run.
    func name(of thread: ThreadID) -> String

    /// Nanoseconds since the run began: monotonic when native, virtual when controlled.
    var now: Int { get }

    /// The same for a deadline of a program that cannot read the clock: looking at it is never a step.
    var hiddenNow: Int { get }

    // MARK: - Events that are no operation

    /// Whether events are recorded. Ask before building a text for one.
    var isRecording: Bool { get }

    /// Records something that the calling thread did.
    func record(_ kind: EventKind, _ object: UInt32, _ value: Int, at site: SourceSite)

    /// Records something that the calling thread did, with words. For kinds whose `meaning` is `.text`.
    func record(_ kind: EventKind, _ object: UInt32, text: String, at site: SourceSite)

    /// A line of a file whose name the program does not contain: a `.lab` file's.
    func site(inFileNamed name: String, line: Int) -> SourceSite

    // MARK: - Memory, looked at from outside

    /// What a cell, an atomic or a semaphore holds. No step, and no event.
    func word(of object: RuntimeObject) -> Int

    /// Blocks while nothing has changed of what an `await` read. The machine knows that of itself, by `Operation.Watch`.
    ///
    /// - Parameters:
    ///   - object: what it read first.
    ///   - hasChanged: asked again and again.
    func waitForChange(of object: RuntimeObject, at site: SourceSite, _ hasChanged: () -> Bool) throws

    /// The run needs the object no more, in whatever state it is.
    func forget(_ object: RuntimeObject)

    // MARK: - Files

    /// Where the run's record files are. Set before the run begins.
    var records: any RecordStorage { get set }

    // MARK: - Thread-local slots

    /// Makes a key under which each thread has a value of its own, nothing at first.
    ///
    /// - Parameters:
    ///   - shown: what traces say that it is: a slot, or a part of something built.
    ///   - destructor: called on a thread that ends with a value, with the slot already empty; up to four rounds while
    ///     destructors store again (POSIX, `PTHREAD_DESTRUCTOR_ITERATIONS`).
    /// - Returns: nil if the system has no key left.
    func makeSlot(shownAs shown: ObjectKind, _ destructor: (@Sendable (AnyObject) -> Void)?) -> Int?

    /// Deletes the key. Destructors of values that are left do not run.
    func deleteSlot(_ key: Int)

    func slotValue(_ key: Int) -> AnyObject?

    func setSlotValue(_ key: Int, _ value: AnyObject?)

    var knownSlots: KnownSlots { get }
}
