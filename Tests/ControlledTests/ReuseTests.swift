import Execution
import Exploration
import Glibc
import Machine
import Primitives
import Testing
import Trace

/// A chooser that can be changed between executions.
private final class Switch: Chooser {
    var present: any Chooser

    init(to chooser: any Chooser) { present = chooser }

    func begin() { present.begin() }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        present.chooseThread(enabled, last: last, state: state)
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        present.chooseAlternative(count, of: thread, state: state)
    }
}

/// One runtime, many executions: none sees anything of the others.
@Suite(.serialized) struct ReuseTests {
    /// Pages of memory that the process has in use.
    private static func residentPages() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var total = 0
        var resident = 0
        _ = withUnsafeMutablePointer(to: &total) { total in
            withUnsafeMutablePointer(to: &resident) { resident in
                withVaList([total, resident]) { vfscanf(file, "%ld %ld", $0) }
            }
        }
        return resident
    }

    /// In a separate process: memory of other tests would count.
    @Test func `memory is flat over many deadlocked executions`() async {
        await #expect(processExitsWith: .success) {
            let runtime = ControlledRuntime(chooser: RandomWalk(seed: 1), rules: .init(spuriousWakeups: 1))
            ReuseTests.runDeadlocks(5_000, runtime)
            let before = ReuseTests.residentPages()
            ReuseTests.runDeadlocks(100_000, runtime)
            let growth = ReuseTests.residentPages() - before
            #expect(growth <= 200, "\(growth) pages of 4 KiB more")
        }
    }

    private static func runDeadlocks(_ count: Int, _ runtime: ControlledRuntime) {
        for _ in 0..<count {
            let verdict = runtime.run {
                let a = Mutex()
                let b = Mutex()
                let condition = Condition()
                let slot = try ThreadSlot<Plain<Int>>()
                let thread = try Thread {
                    slot.value = Plain(1)
                    try a.withLock { while true { try condition.wait(with: a) } }
                }
                try b.lock()
                try b.withLock {}
                try thread.join()
            }
            precondition(verdict == .deadlock)
        }
    }

    @Test func `a diverged execution leaves nothing behind`() {
        let body: () throws -> Void = {
            let semaphore = try Semaphore(value: 0)
            let thread = try Thread { try semaphore.wait() }
            try semaphore.signal()
            try thread.join()
        }
        let good = Recorded(RandomWalk(seed: 3), body)
        #expect(good.verdict == .completed)
        for length in 0..<good.schedule.choices.count {
            var choices = Array(good.schedule.choices.prefix(length))
            choices.append(.thread(9))
            let chooser = Switch(to: Replay(Schedule(choices)))
            let runtime = ControlledRuntime(chooser: chooser)
            #expect(runtime.run(body) == .stopped)
            chooser.present = Replay(good.schedule)
            #expect(runtime.run(body) == .completed)
        }
    }

    @Test func `a chooser that gives up inside a step ends the execution`() {
        let runtime = ControlledRuntime(chooser: Replay(Schedule([.thread(0), .alternative(5)])))
        #expect(runtime.run { _ = try choose(3) } == .stopped)
        #expect(runtime.run { _ = try choose(9) } == .completed)
    }

    @Test func `the same schedule makes the same events`() {
        let body: () throws -> Void = {
            let mutex = Mutex("m")
            let condition = Condition("c")
            let ready = Shared("ready", false)
            let threads = try (0..<3).map { number in
                try Thread("worker") {
                    try mutex.withLock {
                        while try !ready.read() {
                            _ = try condition.wait(with: mutex, until: .now + .milliseconds(number))
                            note("worker \(number) looks at \(Instant.now)")
                        }
                    }
                }
            }
            try Thread.sleep(for: .milliseconds(choose(4)))
            try mutex.withLock {
                try ready.write(true)
                try condition.signal()
            }
            try mutex.withLock { try condition.broadcast() }
            for thread in threads { try thread.join() }
        }
        var stories = Set<String>()
        for seed in 0..<100 as Range<UInt64> {
            let rules = Rules(maximumSteps: 3_000, spuriousWakeups: 2)
            let first = Recorded(RandomWalk(seed: seed), rules: rules, body)
            let again = Recorded(Replay(first.schedule), rules: rules, body)
            #expect(first.verdict == again.verdict)
            #expect(first.document == again.document)
            #expect(first.schedule == again.schedule)
            let text = first.schedule.description
            #expect((try? Schedule(parsing: text)) == first.schedule)
            stories.insert(text)
        }
        #expect(stories.count > 50)
    }

    @Test func `a sleeping run loop is no misuse of the next execution`() {
        let runtime = ControlledRuntime(chooser: Replay(Schedule()))
        for _ in 0..<3 {
            let verdict = runtime.run {
                let ready = try Semaphore(value: 0)
                try Thread.detach {
                    try RunLoop.current.add(InputSource {})
                    try ready.signal()
                    try RunLoop.current.run()
                }
                try ready.wait()
                try Thread.sleep(for: .milliseconds(1))
            }
            #expect(verdict == .completed)
        }
    }

    @Test func `slots of one execution are empty in the next`() {
        let runtime = ControlledRuntime(chooser: Replay(Schedule()))
        for _ in 0..<3 {
            let verdict = runtime.run {
                let slot = try ThreadSlot<Plain<Int>>()
                try check(slot.value == nil && ThreadDictionary.current.value("key", as: Int.self) == nil, "empty")
                slot.value = Plain(1)
                ThreadDictionary.current.set("key", 1)
            }
            #expect(verdict == .completed)
        }
    }

    @Test func `what bodies hold is freed, whatever the end`() {
        let runtime = ControlledRuntime(chooser: RandomWalk(seed: 5))
        for ends in 0..<4 {
            weak var held: Plain<Int>?
            _ = runtime.run {
                let value = Plain(ends)
                held = value
                let never = try Semaphore(value: 0)
                let slot = try ThreadSlot<Plain<Int>>()
                slot.value = value
                let threads = try (0..<4).map { _ in
                    try Thread {
                        slot.value = value
                        if value.value == 0 { try never.wait() }
                        if value.value == 1 { throw Failure() }
                    }
                }
                if ends == 2 { return }
                for thread in threads { try thread.join() }
            }
            #expect(held == nil, "ending \(ends)")
        }
    }

    @Test func `a runtime that ran threads is freed`() {
        weak var weakly: ControlledRuntime?
        do {
            let runtime = ControlledRuntime(chooser: RandomWalk(seed: 1))
            weakly = runtime
            #expect(runtime.run { for _ in 0..<3 { try Thread {}.join() } } == .completed)
        }
        #expect(weakly == nil)
    }
}
