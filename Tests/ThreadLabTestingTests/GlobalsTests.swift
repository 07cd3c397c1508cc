import Authoring
import Support
import Synchronization
import Testing
import ThreadLabTesting
import ThreadLabTypes

/// Globals and statics: their initializers run once in the process, however many executions there are.
@Suite struct GlobalsTests {
    /// What no execution changes: an initializer that takes steps and makes objects, and is used for its number only.
    private enum Settings {
        static let number: Int = {
            let lock = Lab.NSLock()
            let count = Lab.Atomic(0)
            let semaphore = Lab.DispatchSemaphore(value: 1)
            semaphore.wait()
            lock.withLock { _ = count.wrappingAdd(3, ordering: .relaxed) }
            semaphore.signal()
            return count.load(ordering: .relaxed)
        }()
    }

    @Test func `a global that the first execution initializes changes nothing in those that follow`() throws {
        let result = try explore(.exhaustive, time: .seconds(600)) {
            let count = Lab.Atomic(0)
            let done = Lab.DispatchSemaphore(value: 0)
            Lab.Thread.detachNewThread {
                count.wrappingAdd(Settings.number, ordering: .relaxed)
                done.signal()
            }
            count.wrappingAdd(Settings.number, ordering: .relaxed)
            done.wait()
            try check(count.load(ordering: .relaxed) == 6)
        }
        #expect(result.triedEveryOrder)
    }

    private enum Registry {
        static let lock = Lab.NSLock()
        static let madeAt = line() - 1
    }

    @Test func `an object of another execution is named with the line where it was made`() {
        let text = issueText {
            try explore(time: .seconds(600)) {
                let own = Lab.NSLock()
                own.withLock {}
                Registry.lock.withLock {}
            }
        }
        #expect(text.hasPrefix("error: "), "\(text)")
        #expect(text.contains("a mutex that was created at GlobalsTests.swift:\(Registry.madeAt), outside this"))
        #expect(text.contains("give that a new value at the beginning, because its initializer runs only once"))
    }

    @Test func `an object that a variable keeps without an initializer is named too`() {
        nonisolated(unsafe) var cache: Lab.DispatchQueue?
        let text = issueText {
            try explore(time: .seconds(600)) {
                let queue = cache ?? Lab.DispatchQueue(label: "cache")
                cache = queue
                queue.sync {}
            }
        }
        #expect(text.hasPrefix("error: "), "\(text)")
        #expect(text.contains("created at GlobalsTests.swift:\(line() - 6), outside this execution"), "\(text)")
    }

    @Test func `an object that was made outside is named too`() {
        let lock = Lab.NSLock()
        let text = issueText { try explore(time: .seconds(600)) { lock.withLock {} } }
        #expect(text.contains("created at GlobalsTests.swift:\(line() - 2), outside this execution"), "\(text)")
    }

    @Test func `a lock that is given a new value at the beginning is one of each execution`() throws {
        nonisolated(unsafe) var lock = Lab.NSLock()
        let result = try explore(.exhaustive, time: .seconds(600)) {
            lock = Lab.NSLock()
            let done = Lab.DispatchSemaphore(value: 0)
            Lab.Thread.detachNewThread {
                lock.withLock {}
                done.signal()
            }
            lock.withLock {}
            done.wait()
        }
        #expect(result.triedEveryOrder)
    }

    // MARK: - Initializers that wait

    /// The gate that the initializer waits at: one of each execution.
    private final class Gate: @unchecked Sendable {
        nonisolated(unsafe) static var current = Gate()
        let entered = Lab.DispatchSemaphore(value: 0)
        let open = Lab.DispatchSemaphore(value: 0)

        func pass() -> Int {
            entered.signal()
            open.wait()
            return 7
        }
    }

    private enum Slow { static let number = Gate.current.pass() }

    @Test func `a thread that needs a global waits until another one has initialized it`() throws {
        try explore(.random(executions: 20), time: .seconds(600)) {
            let gate = Gate()
            Gate.current = gate
            let done = Lab.DispatchSemaphore(value: 0)
            for _ in 0..<2 {
                Lab.Thread.detachNewThread {
                    if Slow.number == 7 { done.signal() }
                }
            }
            Lab.Thread.sleep(forTimeInterval: 1)
            gate.open.signal()
            done.wait()
            done.wait()
        }
    }

    private enum Stuck { static let number = Gate.current.pass() }

    @Test func `a deadlock through an initializer is found, and can be repeated`() throws {
        let result = try explore(.random(executions: 40), time: .seconds(600), expecting: .deadlock) {
            let gate = Gate()
            Gate.current = gate
            let lock = Lab.NSLock()
            Lab.Thread.detachNewThread { lock.withLock { if Stuck.number != 7 { preconditionFailure() } } }
            gate.entered.wait()
            _ = lock.withLock { gate.open.signal() }
        }
        #expect(result.findings.count == 1)
    }

    private enum Common {
        /// It waits, in whichever search comes first.
        static let number: Int = {
            let lock = Lab.NSLock()
            lock.withLock { Lab.Thread.sleep(forTimeInterval: 1) }
            return 3
        }()
    }

    @Test func `searches that run at the same time share a global, and each has the right numbers`() {
        let failures = Synchronization.Mutex<[String]>([])
        let searches = (0..<4).map { _ in
            ForeignThread {
                do {
                    try explore(.random(executions: 50), time: .seconds(600)) {
                        let sum = Lab.ManagedAtomic(0)
                        let done = Lab.DispatchSemaphore(value: 0)
                        Lab.Thread.detachNewThread {
                            sum.wrappingIncrement(by: Common.number, ordering: .relaxed)
                            done.signal()
                        }
                        sum.wrappingIncrement(by: Common.number, ordering: .relaxed)
                        done.wait()
                        try check(sum.load(ordering: .relaxed) == 6)
                    }
                } catch { failures.withLock { $0.append("\(error)") } }
            }
        }
        for search in searches { search.join() }
        #expect(failures.withLock { $0 } == [])
    }

    private enum Twofold {
        static let first: Int = second + 1
        static let second: Int = {
            Lab.Thread.sleep(forTimeInterval: 1)
            return first + 1
        }()
    }

    @Test func `an initializer that needs its own variable is a deadlock of its thread`() throws {
        try explore(.random(executions: 5), time: .seconds(600), expecting: .deadlock) { _ = Twofold.first }
    }

    private enum Plain { static let one = Int.random(in: 1...1_000_000) }

    @Test func `real threads initialize a global once`() throws {
        let seen = Synchronization.Mutex<Set<Int>>([])
        try run {
            let threads = try (0..<8).map { _ in
                try Thread {
                    let value = Plain.one
                    seen.withLock { _ = $0.insert(value) }
                }
            }
            for thread in threads { try thread.join() }
        }
        #expect(seen.withLock(\.count) == 1)
    }
}
