import Primitives

/// The cases of POSIX about signals, and those of `ProcessSignal`. Only under the scheduler: a real signal could be delivered to a thread of the test runner. Scenario `signals` shows
/// the same on real threads.
extension Case {
    static let signals: [Case] = [
        Case(
            "SG1", "any thread that does not block the signal may get it, and one does", sightings: ["main", "worker"],
            runsOnRealThreads: false
        ) { sightings in
            let handled = try Semaphore(value: 0)
            let signal = try ProcessSignal {
                sightings.saw(Thread.current.isMain ? "main" : "worker")
                try handled.signal()
            }
            let worker = try Thread { try Thread.yield() }
            try signal.send()
            try worker.join()
            try handled.wait()
            try expect(!handled.tryWait())
        },
        Case("SG2", "a thread that blocks the signal never gets it", sightings: ["main"], runsOnRealThreads: false) {
            sightings in
            let handled = try Semaphore(value: 0)
            let isBlocked = try Semaphore(value: 0)
            let signal = try ProcessSignal {
                sightings.saw(Thread.current.isMain ? "main" : "worker")
                try handled.signal()
            }
            let worker = try Thread {
                ProcessSignal.block()
                try isBlocked.signal()
                try Thread.yield()
            }
            try isBlocked.wait()
            try signal.send()
            try handled.wait()
            try worker.join()
        },
        Case("SG3", "where every thread blocks it, one that waits for the signal takes it", runsOnRealThreads: false) {
            sightings in
            ProcessSignal.block()
            let signal = try ProcessSignal { sightings.saw("handler") }
            let waiter = try Thread { try signal.wait() }
            try signal.send()
            try waiter.join()
        },
        Case(
            "SG4", "a handler that needs the lock of the thread that it interrupts waits forever",
            endings: [.completed, .deadlock], runsOnRealThreads: false
        ) { _ in
            let mutex = Mutex("m")
            let signal = try ProcessSignal { try mutex.withLock {} }
            let sender = try Thread {
                ProcessSignal.block()
                try signal.send()
            }
            try mutex.withLock { try Thread.yield() }
            try sender.join()
        },
        Case(
            "M17", "a signal does not end a wait for a lock: the thread gets the lock, and runs the handler after that",
            runsOnRealThreads: false
        ) { _ in
            let mutex = Mutex("m")
            let started = try Semaphore(value: 0)
            let handled = Plain(false)
            let signal = try ProcessSignal { handled.value = true }
            let sender = try Thread {
                ProcessSignal.block()
                try mutex.withLock {
                    try started.signal()
                    try signal.send()
                }
            }
            try started.wait()
            try mutex.withLock {}
            try expect(handled.value)
            try sender.join()
        },
        Case(
            "S10",
            "a signal does not end a wait for a permit: the thread gets the permit, and runs the handler after that",
            runsOnRealThreads: false
        ) { _ in
            let permits = try Semaphore(value: 0)
            let handled = Plain(false)
            let signal = try ProcessSignal { handled.value = true }
            let sender = try Thread {
                ProcessSignal.block()
                try signal.send()
                try permits.signal()
            }
            try permits.wait()
            try sender.join()
            try expect(handled.value)
        },
        Case("SG5", "a run has one signal", endings: [.misuse("invalid-value")], runsOnRealThreads: false) { _ in
            _ = try ProcessSignal {}
            _ = try ProcessSignal {}
        },
    ]
}
