import Execution
import Trace

extension WorkQueue {
    /// The concurrent queue that all code of the run shares (Dispatch's global queue). Like the main queue, it is made by
    /// the main thread's first use, so that it is the same object in every schedule.
    ///
    /// - Parameter width: see `init`. That of the first use counts.
    /// - Throws: `Misuse` `wrong-thread`, on another thread, if the main thread has not used it.
    package static func global(width: Int) throws -> WorkQueue {
        let runtime = ThreadContext.runtime.counted
        if runtime.currentThread != .main {
            return unsafeDowncast(try KnownSlots.MainObject.globalQueue.find(), to: WorkQueue.self)
        }
        if let queue = runtime.knownSlots.mainObject(.globalQueue).object {
            return unsafeDowncast(queue, to: WorkQueue.self)
        }
        let queue = try WorkQueue("global queue", width: width)
        runtime.setSlotValue(runtime.knownSlot(.globalQueue), queue)
        KnownSlots.MainObject.globalQueue.publish(queue)
        return queue
    }
}
