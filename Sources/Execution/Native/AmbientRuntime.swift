import CLab
import CPthread
import Glibc
import Trace

/// The runtime of primitives that are used outside a run, for example directly in a unit test. It uses POSIX threads
/// and objects as a native run does, but it records and diagnoses nothing, and never ends. A thread becomes one of its
/// threads when it first uses a primitive.
package enum AmbientRuntime {
    private static let shared: NativeRuntime = {
        do {
            var options = NativeRuntime.Options()
            options.isRecorded = false
            options.isAmbient = true
            return NativeRuntime(recorder: Recorder(memory: try RecordingMemory(size: 1)), options: options)
        } catch {
            preconditionFailure("no memory for threadlab's primitives: \(error)")
        }
    }()

    /// The process's main thread. It has number 0, whether or not it ever uses a primitive.
    private static let mainThread: NativeThread = add("main")

    /// A key whose destructor runs on each adopted thread except the main thread, when the thread ends.
    private static let exitKey: pthread_key_t = {
        var key = pthread_key_t()
        check(pthread_key_create(&key) { _ in leave() }, "pthread_key_create")
        return key
    }()

    /// The runtime, after adopting the calling thread.
    @inline(never) package static func entered() -> Unmanaged<NativeRuntime> {
        _ = adopt()
        return Unmanaged.passUnretained(shared)
    }

    /// Makes the calling thread, which is not in a run, one of the runtime's threads.
    static func adopt() -> NativeThread {
        // Made before any other thread, so that it gets number 0.
        let main = mainThread
        if clab_thread_id() == getpid() {
            main.enter()
            return main
        }
        let thread = add("thread")
        thread.joining.store(.detached, ordering: .relaxed)
        thread.enter()
        check(pthread_setspecific(exitKey, Unmanaged.passUnretained(thread).toOpaque()), "pthread_setspecific")
        return thread
    }

    private static func add(_ name: String) -> NativeThread {
        do { return try shared.registry.addThread(named: name, make: { shared.makeThread($0, $1) }) } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Called on an adopted thread that ends.
    private static func leave() {
        guard let context = ThreadContext.current, context.isAmbient else { return }
        let thread = unsafeDowncast(context, to: NativeThread.self)
        ThreadContext.leave()
        thread.isFinished.store(true, ordering: .releasing)
        thread.hasLeft.store(true, ordering: .releasing)
    }
}
