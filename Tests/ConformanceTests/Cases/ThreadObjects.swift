import Primitives

extension Case {
    static let threadObjects: [Case] = [
        Case("C2", "a thread that is cancelled before it is started is finished at once: its body never runs") { _ in
            let runs = Atomic(nil, 0)
            let thread = ThreadObject { try runs.add(1) }
            try thread.cancel()
            try thread.start()
            try expect(thread.state() == .finished && thread.isCancelled())
            try expect(runs.load() == 0)
            do {
                try thread.join()
                try expect(false, "there is a value")
            } catch is ThreadObject<Int>.NoValue {}
        },
        Case(
            "C2-running", "a thread that is cancelled while it runs continues until it looks",
            sightings: ["before it looked", "too late"]
        ) { sightings in
            let thread = ThreadObject<Bool> { me in try me.isCancelled() }
            try thread.start()
            try thread.cancel()
            sightings.saw(try thread.join() ? "before it looked" : "too late")
        },
        Case("T21", "what was registered for a thread's end runs once, on that thread, before it has ended") { _ in
            let notices = Plain<[Thread]>([])
            let states = Plain<[ThreadObject<Thread>.State]>([])
            let thread = ThreadObject<Thread> { me in
                Thread.whenExiting {
                    notices.value.append(.current)
                    if let state = try? me.state() { states.value.append(state) }
                }
                return Thread.current
            }
            try thread.start()
            let identity = try thread.join()
            try expect(notices.value == [identity] && states.value == [.executing])
            try expect(thread.state() == .finished)
        },
        Case("T21-exit", "so it does for a thread that leaves by exit, and in the order of registration") { _ in
            let notices = Plain<[Int]>([])
            let thread = try Thread {
                for number in 1...2 { Thread.whenExiting { notices.value.append(number) } }
                try Thread.exit()
            }
            try thread.join()
            try expect(notices.value == [1, 2])
        },
        Case("T23", "a thread that has been started cannot be started again") { _ in
            let thread = ThreadObject { 7 }
            try thread.start()
            try expectMisuse("start-twice") { try thread.start() }
            try expect(thread.join() == 7)
            try expectMisuse("start-twice") { try thread.start() }
        },
        Case("T23-never", "a thread that has not been started cannot be joined") { _ in
            let thread = ThreadObject { 7 }
            try expectMisuse("not-started") { try thread.join() }
            try expect(thread.state() == .ready)
        },
        Case("T23-never-until", "nor can it with a time limit, and the wait is refused at once") { _ in
            let thread = ThreadObject { 7 }
            try expectMisuse("not-started") { _ = try thread.join(until: .now + .seconds(1)) }
            try expect(thread.state() == .ready)
        },
        Case("T23-both", "of two threads that start a third, one is refused") { _ in
            let runs = Atomic(nil, 0)
            let refusals = Atomic(nil, 0)
            let third = ThreadObject { try runs.add(1) }
            @Sendable func start() throws {
                do { try third.start() } catch let misuse as Misuse {
                    try expect(misuse.identifier == "start-twice")
                    try refusals.add(1)
                }
            }
            let second = try Thread { try start() }
            try start()
            try second.join()
            try third.join()
            try expect(runs.load() == 1 && refusals.load() == 1)
        },
        Case("T16", "attributes are read when the thread starts: a later change makes no difference") { _ in
            let thread = ThreadObject { 7 }
            try thread.start()
            thread.attributes.isDetached = true
            try expect(thread.join() == 7)
        },
        Case("T3-any", "join passes on a value of any type, or the error that left the body") { _ in
            let text = ThreadObject { "text" }
            let failing = ThreadObject<Int> { throw Failure() }
            try text.start()
            try failing.start()
            try expect(text.join() == "text")
            do {
                try failing.join()
                try expect(false, "the error is passed on")
            } catch is Failure {}
        },
        Case("T24", "the call stack of a thread has more than 0 and at most 128 frames") { _ in
            @Sendable func deep(_ depth: Int) -> Int {
                depth == 0 ? Thread.callStackReturnAddresses.count : max(0, deep(depth - 1))
            }
            try expect((1...128).contains(deep(0)))
            let thread = try Thread.returning { deep(300) }
            try expect((1...128).contains(thread.join()))
        },
        Case("T24-guard", "code that belongs to one thread refuses the others") { _ in
            let main = Thread.current
            try precondition(onThread: main)
            let thread = try Thread { try expectMisuse("wrong-thread") { try precondition(onThread: main) } }
            try thread.join()
        },
        Case("T-priority", "a running thread can change its priority, within limits") { _ in
            let thread = try Thread {
                try Thread.setPriority(0)
                try expectMisuse("invalid-value") { try Thread.setPriority(32) }
            }
            try thread.join()
        },
        Case("T17-guard", "a guard size and a policy are taken, a negative guard size is refused") { _ in
            let thread = try Thread(nil, ThreadAttributes(guardSize: 1 << 16, policy: .usual)) {}
            try thread.join()
            do {
                _ = try Thread(nil, ThreadAttributes(guardSize: -1)) {}
                try expect(false, "it is refused")
            } catch let failure as ThreadCreationFailed { try expect(failure.code == 22) }
        },
        Case(
            "T23-cancelled", "of two threads that start a third, one is refused, though it is cancelled meanwhile",
            endings: [.misuse("start-twice"), .leak], runsOnRealThreads: false
        ) { _ in
            let thread = ThreadObject { 7 }
            let other = try Thread { try thread.start() }
            let canceller = try Thread { try thread.cancel() }
            try thread.start()
            try other.join()
            try canceller.join()
            // The third learns that it was started twice, unless the process ends before it runs.
            _ = try? thread.join()
        },
    ]
}
