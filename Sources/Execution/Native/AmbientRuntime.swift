import CLab
import CPthread
import Glibc
import Trace

/// The runtime of primitives that are used outside a run, for example directly in a unit test: POSIX threads and objects
/// as in a native run, but nothing is recorded, nothing is diagnosed, and there is no end. Threads become its threads
/// when they use it for the first time.
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

    /// The process's main thread, whether or not it ever uses a primitive: its number is reserved.
    private static let main: NativeThread = add("main")

    /// Its destructor runs on each thread that was adopted, when it ends.
    private static let exit: pthread_key_t = {
        var key = pthread_key_t()
        check(pthread_key_create(&key) { _ in leave() }, "pthread_key_create")
        return key
    }()

    /// The runtime, with the calling thread as one of its threads.
    @inline(never) package static func entered() -> RuntimeReference {
        _ = adopt()
        return .native(Unmanaged.passUnretained(shared))
    }

    /// Whether it is the context of a thread outside a run.
    static func owns(_ context: ThreadContext) -> Bool {
        context.isNative && unsafeDowncast(context, to: NativeThread.self).native.options.isAmbient
    }

    /// The calling thread, which is in no run, as one of the runtime's.
    static func adopt() -> NativeThread {
        let main = main
        if clab_thread_id() == getpid() {
            main.enter()
            return main
        }
        let thread = add("thread")
        thread.joining.store(.detached, ordering: .relaxed)
        thread.enter()
        check(pthread_setspecific(exit, Unmanaged.passUnretained(thread).toOpaque()), "pthread_setspecific")
        return thread
    }

    private static func add(_ name: String) -> NativeThread {
        do { return try shared.registry.addThread(named: name, make: { shared.makeThread($0, $1) }) } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func leave() {
        guard let context = ThreadContext.current, owns(context) else { return }
        let thread = unsafeDowncast(context, to: NativeThread.self)
        ThreadContext.leave()
        thread.isFinished.store(true, ordering: .releasing)
        thread.hasLeft.store(true, ordering: .releasing)
    }

    /// Outside a run no report can name the mistake: the process ends with a message, as for one of Swift's own.
    static func fail(_ what: String) -> Never { preconditionFailure("outside a run, \(what)") }
}
