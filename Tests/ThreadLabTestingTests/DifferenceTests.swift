import Authoring
import Support
import Testing
import ThreadLabPthread
import ThreadLabTesting
import ThreadLabTypes

/// The table of differences between the lab's types and the system's, in docs/ThreadLab.docc/ClassUnderTheLab.md.
@Suite struct DifferenceTests {
    /// A line of the table, without what the system does.
    struct Difference: Sendable, CustomTestStringConvertible {
        let of: String
        let here: String
        /// How the code below ends.
        let ends: OutcomeKind
        let body: @Sendable () throws -> Void

        var testDescription: String { "\(of): \(here)" }
    }

    @Test func `the table has these lines`() throws {
        let text = try #require(Repository.text(of: "docs/ThreadLab.docc/ClassUnderTheLab.md"))
        let start = try #require(text.firstRange(of: "## Where they differ from the system's")).upperBound
        let section = text[start...].prefix(upTo: try #require(text[start...].firstRange(of: "\n## ")).lowerBound)
        let lines = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").prefix(2).map { $0.trimmed }
        }
        #expect(lines == Self.all.map { [$0.of, $0.here] })
    }

    @Test(arguments: all)
    func `a line is true`(_ difference: Difference) throws {
        try explore(
            .random(executions: 30), time: .seconds(600), expecting: difference.ends, difference.body)
    }

    static let all: [Difference] = [
        Difference(
            of: "`NSLock`, `pthread_mutex_t`",
            here: "an unlock by a thread that does not hold the lock is a finding", ends: .misuse
        ) {
            var mutex = Lab.pthread_mutex_t()
            pthread_mutex_unlock(&mutex)
        },
        Difference(of: "`DispatchGroup`", here: "a `leave` too many is a failed check", ends: .assertion) {
            Lab.DispatchGroup().leave()
        },
        Difference(of: "`DispatchSemaphore`", here: "`signal` returns 0", ends: .completed) {
            let semaphore = Lab.DispatchSemaphore(value: 0)
            let done = Lab.DispatchSemaphore(value: 0)
            Lab.Thread.detachNewThread {
                semaphore.wait()
                done.signal()
            }
            Lab.Thread.sleep(forTimeInterval: 1)
            try check(semaphore.signal() == 0)
            done.wait()
        },
        Difference(
            of: "`DispatchQueue`", here: "a concurrent queue runs at most four blocks at once", ends: .completed
        ) {
            let queue = Lab.DispatchQueue(label: "q", attributes: .concurrent)
            let group = Lab.DispatchGroup()
            let (running, most) = (Lab.ManagedAtomic(0), Lab.ManagedAtomic(0))
            for _ in 1...6 {
                queue.async(group: group) {
                    let now = running.wrappingIncrementThenLoad(ordering: .relaxed)
                    if now > most.load(ordering: .relaxed) { most.store(now, ordering: .relaxed) }
                    Lab.Thread.sleep(forTimeInterval: 1)
                    running.wrappingDecrement(ordering: .relaxed)
                }
            }
            group.wait()
            try check(most.load(ordering: .relaxed) <= 4)
        },
        Difference(
            of: "`DispatchQueue`", here: "`sync` on a suspended queue runs its block if none is before it",
            ends: .completed
        ) {
            let queue = Lab.DispatchQueue(label: "q")
            queue.suspend()
            try check(queue.sync { true })
        },
        Difference(
            of: "`DispatchQueue`", here: "only a queue without blocks can get another target: otherwise a finding",
            ends: .misuse
        ) {
            let queue = Lab.DispatchQueue(label: "q", attributes: .initiallyInactive)
            queue.setTarget(queue: Lab.DispatchQueue(label: "first"))
            queue.async {}
            queue.setTarget(queue: Lab.DispatchQueue(label: "second"))
        },
        Difference(of: "`DispatchSource`", here: "a timer repeats at most every millisecond", ends: .completed) {
            let count = Lab.ManagedAtomic(0)
            let timer = Lab.DispatchSource.makeTimerSource(queue: Lab.DispatchQueue(label: "q"))
            timer.schedule(deadline: .now(), repeating: .nanoseconds(1))
            timer.setEventHandler { count.wrappingIncrement(ordering: .relaxed) }
            timer.resume()
            Lab.Thread.sleep(forTimeInterval: 0.0035)
            timer.cancel()
            try check(count.load(ordering: .relaxed) == 4)
        },
        Difference(
            of: "`Timer`", here: "one that does not repeat is invalid in its block already", ends: .completed
        ) {
            let wasValid = Lab.ManagedAtomic(true)
            _ = Lab.Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { timer in
                wasValid.store(timer.isValid, ordering: .relaxed)
            }
            Lab.RunLoop.current.run(until: Lab.Date() + 2)
            try check(!wasValid.load(ordering: .relaxed))
        },
        Difference(
            of: "`Timer`", here: "`invalidate` on another thread than the loop's is a finding", ends: .misuse
        ) {
            let timer = Lab.Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in }
            Lab.Thread.detachNewThread { timer.invalidate() }
            Lab.Thread.sleep(forTimeInterval: 1)
        },
        Difference(of: "`RunLoop`", here: "a call from another thread wakes it", ends: .completed) {
            let loop = Lab.RunLoop.main
            Lab.Thread.detachNewThread { loop.perform {} }
            loop.run(mode: .default, before: Lab.Date() + 60)
            try check(Lab.Date().timeIntervalSinceReferenceDate < 60)
        },
        Difference(
            of: "`RunLoop`", here: "an object for the same loop is equal, and perhaps another one", ends: .completed
        ) {
            try check(Lab.RunLoop.current == Lab.RunLoop.main)
        },
        Difference(of: "`Date`", here: "its reference date is the beginning of the run", ends: .completed) {
            Lab.Thread.sleep(forTimeInterval: 3)
            try check(Lab.Date().timeIntervalSinceReferenceDate == 3)
        },
        Difference(
            of: "`AtomicReference`", here: "an object that was in an atomic lives until the run ends", ends: .completed
        ) {
            final class Node: Lab.AtomicReference, Sendable {}
            let reference = Lab.ManagedAtomic<Node?>(Node())
            weak let node = reference.load(ordering: .relaxed)
            reference.store(nil, ordering: .relaxed)
            try check(node != nil)
        },
        Difference(of: "`OSAllocatedUnfairLock`", here: "locking it twice is a finding", ends: .misuse) {
            let lock = Lab.OSAllocatedUnfairLock()
            lock.lock()
            lock.lock()
        },
        Difference(of: "`pthread_once_t`", here: "each run does it once", ends: .completed) {
            Globals.count = 0
            for _ in 1...2 { pthread_once(&Globals.once) { Globals.count += 1 } }
            try check(Globals.count == 1)
        },
        Difference(
            of: "`pthread_mutex_t`", here: "one that is global is free at the beginning of each execution",
            ends: .completed
        ) {
            try check(pthread_mutex_trylock(&Globals.mutex) == 0)
        },
    ]

    private enum Globals {
        nonisolated(unsafe) static var once: Lab.pthread_once_t = 0
        nonisolated(unsafe) static var mutex = Lab.pthread_mutex_t()
        nonisolated(unsafe) static var count = 0
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop(while: { $0 == " " }).reversed().drop(while: { $0 == " " }).reversed())
    }
}
