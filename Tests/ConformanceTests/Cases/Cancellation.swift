import Primitives

extension Case {
    static let cancellation: [Case] = [
        Case(
            "C1", "a thread sees a request to end when it next tests for it; the request interrupts nothing",
            search: .some
        ) { _ in
            let isCancelled = Atomic(nil, false)
            let thread = try Thread.returning {
                var looks = 1
                while try !isCancelled.load() {
                    looks += 1
                    try Thread.yield()
                }
                return looks
            }
            try isCancelled.store(true)
            try expect(thread.join() > 0)
        },
        Case("C3", "an exit flag in the thread's own dictionary ends its loop; no other thread's dictionary has it") {
            _ in
            let loop = Plain<RunLoop?>(nil)
            let ready = try Semaphore(value: 0)
            let cancel = InputSource("cancel") { ThreadDictionary.current.set("exit", true) }
            let thread = try Thread {
                ThreadDictionary.current.set("exit", false)
                try RunLoop.current.add(cancel)
                loop.value = .current
                try ready.signal()
                while ThreadDictionary.current.value("exit") == false { try RunLoop.current.run() }
            }
            try ready.wait()
            try cancel.signal()
            try loop.value!.wakeUp()
            try thread.join()
            try expect(ThreadDictionary.current.value("exit", as: Bool.self) == nil)
        },
        Case("C6", "cleanup runs in reverse order, each once, then the slots' destructors, then the thread ends") { _ in
            let order = Plain<[Int]>([])
            let slot = try ThreadSlot<Plain<Int>> { _ in order.value.append(3) }
            @Sendable func body() throws {
                slot.value = Plain(0)
                defer { order.value.append(2) }
                defer { order.value.append(1) }
                try Thread.exit()
            }
            let thread = try Thread { try body() }
            try thread.join()
            try expect(order.value == [1, 2, 3], "\(order.value)")
        },
        Case(
            "C6-error", "an error runs every cleanup as it unwinds, with the locks still held",
            endings: [.error]
        ) { sightings in
            let mutex = Mutex(nil, .errorChecking)
            let thread = try Thread {
                try mutex.lock()
                defer {
                    // It ends the run, so nothing here may fail the case: only what it must not see is recorded.
                    do { try mutex.unlock() } catch { sightings.saw("\(error)") }
                }
                throw Failure()
            }
            try thread.join()
        },
    ]
}
