import Primitives

extension Case {
    static let performers: [Case] = [
        Case("U16", "calls are made once each, in one pass, lower orders first; a cancelled one is not made") { _ in
            let made = Plain<[Int]>([])
            let loop = RunLoop.current
            for order in [11, 10] { try loop.perform(order: order) { made.value.append(order) } }
            for number in 1...2 { try loop.perform { made.value.append(number) } }
            let cancelled = try loop.perform { made.value.append(99) }
            try loop.cancel(cancelled)
            try expect(loop.run() == .handledSource)
            try expect(made.value == [1, 2, 10, 11], "\(made.value)")
            try expect(loop.run() == .finished)
        },
        Case("U16-all", "all waiting calls can be cancelled, also by a call that was made before them") { _ in
            let made = Plain(0)
            let loop = RunLoop.current
            for _ in 1...3 { try loop.perform { made.value += 1 } }
            try loop.cancelPerforms()
            try expect(loop.run() == .finished)
            let second = Plain<Performer?>(nil)
            try loop.perform { try loop.cancel(second.value!) }
            second.value = try loop.perform { made.value += 1 }
            try expect(loop.run() == .handledSource && made.value == 0)
        },
        Case("U16-modes", "a call is made in a run in one of its modes only") { _ in
            let made = Plain<[String]>([])
            let loop = RunLoop.current
            try loop.perform(inModes: ["a"]) { made.value.append("a") }
            try loop.perform(inModes: [.common]) { made.value.append("common") }
            try expect(loop.run() == .handledSource && made.value == ["common"])
            try expect(loop.run() == .finished && loop.run(mode: "b") == .finished)
            try expect(loop.run(mode: "a") == .handledSource && made.value == ["common", "a"])
        },
        Case("U16-delay", "delayed calls are made in the order of their times", runsOnRealThreads: false) { _ in
            let made = Plain<[Int]>([])
            let loop = RunLoop.current
            for (number, delay) in [(3, 2), (2, 1), (0, 0), (1, 0)] {
                try loop.perform(after: .milliseconds(delay)) { made.value.append(number) }
            }
            try expect(loop.run() == .finished)
            try expect(made.value == [0, 1, 2, 3], "\(made.value)")
        },
        Case("U16-cancel", "a delayed call can be cancelled; those for the same moment are made in their order") { _ in
            let made = Plain<[Int]>([])
            let loop = RunLoop.current
            try loop.perform(after: .milliseconds(1)) { made.value.append(2) }.invalidate()
            for number in 0...1 { try loop.perform(after: .zero) { made.value.append(number) } }
            try expect(loop.run() == .finished)
            try expect(made.value == [0, 1], "\(made.value)")
        },
        Case("U17", "a call for another thread is made on it, and wakes its loop") { _ in
            let main = Thread.current
            let thread = try looping { loop, thread in
                let made = Plain(false)
                try loop.perform(waitUntilDone: true) {
                    try expect(Thread.current == thread.value! && Thread.current != main)
                    made.value = true
                }
                try expect(made.value)
            }
            try thread.join()
        },
        Case("U17-later", "a call that is not waited for is made when the loop runs") { _ in
            let made = Plain(0)
            let thread = try looping { loop, _ in try loop.perform { made.value += 1 } }
            try thread.join()
            try expect(made.value == 1)
        },
        Case("U17-self", "a thread that waits for a call to itself makes it at once") { _ in
            let made = Plain(0)
            try RunLoop.current.perform(waitUntilDone: true) { made.value += 1 }
            try expect(made.value == 1 && RunLoop.current.run() == .finished)
        },
        Case("U17-never", "a call to a loop that does not run is waited for forever", endings: [.deadlock]) { _ in
            let loop = RunLoop.current
            let thread = try Thread { try loop.perform(waitUntilDone: true) {} }
            try thread.join()
        },
        Case("U17-cancelled", "a thread that waits for a call that is cancelled continues") { _ in
            let loop = RunLoop.current
            let isQueued = Plain(false)
            try loop.add(InputSource {})
            let thread = try Thread {
                try loop.perform { isQueued.value = true }
                try loop.perform(waitUntilDone: true, inModes: ["never"]) {}
                try loop.perform { try loop.stop() }
            }
            // Whenever it is queued, it is cancelled in one of these runs.
            while try loop.run(mode: .default, until: .now + .milliseconds(1)) != .stopped {
                try loop.cancelPerforms(inMode: "never")
            }
            try thread.join()
            try expect(isQueued.value)
        },
        Case("U17-error", "an error of a call leaves the run, and the thread that waits for the call continues") { _ in
            let loop = RunLoop.current
            try loop.add(InputSource {})
            let thread = try Thread { try loop.perform(waitUntilDone: true) { throw Failure() } }
            do {
                try loop.run(mode: .default)
                try expect(false, "it throws")
            } catch is Failure {}
            try thread.join()
        },
        Case(
            "U16-error",
            "calls behind one that fails are made in the next run, and the threads that wait for them continue"
        ) {
            _ in
            let made = Plain<[Int]>([])
            let loop = RunLoop.current
            try loop.add(InputSource {})
            try loop.perform { throw Failure() }
            try loop.perform { made.value.append(1) }
            let thread = try Thread { try loop.perform(waitUntilDone: true) { made.value.append(2) } }
            do { try loop.run() } catch is Failure {}
            while made.value.count < 2 { try loop.run() }
            try thread.join()
            try expect(made.value == [1, 2])
        },
    ]

    /// A thread that runs its loop, for which the body is called, until one source was handled.
    private static func looping(_ body: (RunLoop, Plain<Thread?>) throws -> Void) throws -> Thread {
        let loop = Plain<RunLoop?>(nil)
        let itself = Plain<Thread?>(nil)
        let ready = try Semaphore(value: 0)
        let thread = try Thread {
            loop.value = .current
            itself.value = .current
            try RunLoop.current.add(InputSource {})
            try ready.signal()
            try expect(RunLoop.current.run() == .handledSource)
        }
        try ready.wait()
        try body(loop.value!, itself)
        return thread
    }
}
