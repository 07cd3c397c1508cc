import Authoring
import Support
import Synchronization
import Testing
import ThreadLabTesting
import ThreadLabTypes

/// An object whose `deinit` uses the lab, and the places where it can die.
@Suite struct DeinitTests {
    /// Where the object dies.
    enum Place: CaseIterable, Sendable {
        case onItsMaker, onAThreadThatOutlivesMain, withAThreadThatMainLeaves, withAThreadThatNeverBegins
        case inAQueuedBlock, inADictionary, afterAFailedCheck, inADeadlock, inADeadlockThatUnwinds

        /// Whether the `deinit` may begin before the end, so that its thread is cut off there as any other.
        var mayBeCutOff: Bool {
            switch self {
            case .onAThreadThatOutlivesMain, .withAThreadThatMainLeaves, .withAThreadThatNeverBegins, .inAQueuedBlock:
                true
            case .onItsMaker, .inADictionary, .afterAFailedCheck, .inADeadlock, .inADeadlockThatUnwinds: false
            }
        }

        var outcome: OutcomeKind {
            switch self {
            case .onItsMaker, .onAThreadThatOutlivesMain, .withAThreadThatMainLeaves, .withAThreadThatNeverBegins,
                .inAQueuedBlock, .inADictionary:
                .completed
            case .afterAFailedCheck: .assertion
            case .inADeadlock, .inADeadlockThatUnwinds: .deadlock
            }
        }

        func run(_ make: () -> Mourner) throws {
            let done = Lab.DispatchSemaphore(value: 0)
            let never = try Semaphore(value: 0)
            switch self {
            case .onItsMaker: make().use()
            case .onAThreadThatOutlivesMain:
                let object = make()
                Lab.Thread.detachNewThread {
                    object.use()
                    done.signal()
                }
                done.wait()
            case .withAThreadThatMainLeaves, .withAThreadThatNeverBegins:
                let object = make()
                Lab.Thread.detachNewThread {
                    object.use()
                    if self == .withAThreadThatMainLeaves { Lab.Thread.sleep(forTimeInterval: 1) }
                }
            case .inAQueuedBlock:
                let object = make()
                let queue = Lab.DispatchQueue(label: "held")
                queue.suspend()
                queue.async { object.use() }
            case .inADictionary: ThreadDictionary.current.set("object", make())
            case .afterAFailedCheck:
                let object = make()
                try Thread.detach {
                    object.use()
                    try never.wait()
                }
                try check(false)
            case .inADeadlock:
                let object = make()
                Lab.Thread.detachNewThread {
                    object.use()
                    done.wait()
                    object.use()
                }
                done.wait()
                object.use()
            case .inADeadlockThatUnwinds:
                let object = make()
                try Thread.detach {
                    object.use()
                    try never.wait()
                }
                let own = make()
                try never.wait()
                own.use()
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a deinit returns, and is no finding`(_ place: Place) throws {
        // A thread that is cut off inside a `deinit` leaves one unjoined that this has started.
        for act in LastAct.allCases where !(act == .join && place.mayBeCutOff) {
            let count = Mourner.Count()
            try explore(.random(executions: Extent.isWhole ? 40 : 5), time: .seconds(600), expecting: place.outcome) {
                try place.run { Mourner(act, count) }
            }
            #expect(count.isWhole || place.mayBeCutOff, "\(act)")
            if place != .inADeadlock { #expect(count.ended.load(ordering: .relaxed) > 0, "\(act)") }
        }
    }

    @Test(arguments: LastAct.allCases)
    func `a deinit returns when its execution takes too many steps`(_ act: LastAct) throws {
        let count = Mourner.Count()
        let rules = RunRules(maximumSteps: 300)
        // That no execution ends is a failure by itself, and the only one.
        try withKnownIssue {
            try explore(.random(executions: 20), time: .seconds(600), rules: rules) {
                let object = Mourner(act, count)
                try Thread.detach {
                    object.use()
                    while true { try Thread.yield() }
                }
                while true { try Thread.yield() }
            }
        } matching: {
            "\($0)".contains("undecided: none of 20 executions ended within 300 steps")
        }
        #expect(count.isWhole && count.begun.load(ordering: .relaxed) > 0)
    }

    @Test(arguments: [LastAct.lock, .sync, .mutex])
    func `a deinit returns in a process of its own`(_ act: LastAct) throws {
        try explore(.random(executions: Extent.isWhole ? 40 : 15).isolated, time: .seconds(600)) {
            try Place.onAThreadThatOutlivesMain.run { Mourner(act, Mourner.Count()) }
        }
    }

    @Test(arguments: Place.allCases)
    func `a deinit returns on real threads`(_ place: Place) throws {
        // On real threads it takes a while until a deadlock is certain.
        let acts = place.outcome == .deadlock ? [.lock, .sync, .mutex, .atomic] : LastAct.allCases
        for act in acts where !(act == .join && place.mayBeCutOff) {
            try run(expecting: place.outcome) { try place.run { Mourner(act, Mourner.Count()) } }
        }
    }

    @Test func `a deinit returns when a global gives its object up in another execution`() throws {
        for act in LastAct.allCases where act.isOwn {
            let count = Mourner.Count()
            nonisolated(unsafe) var global: Mourner?
            try explore(.random(executions: 20), time: .seconds(600)) {
                let object = Mourner(act, count)
                global?.use()
                try Thread { global = nil }.join()
                global = object
            }
            #expect(count.isWhole && count.ended.load(ordering: .relaxed) >= 20, "\(act)")
        }
    }

    @Test func `a deinit returns after the last execution`() throws {
        for act in LastAct.allCases {
            let count = Mourner.Count()
            nonisolated(unsafe) var kept: [Mourner] = []
            try explore(.random(executions: 5), time: .seconds(600)) { kept.append(Mourner(act, count)) }
            let number = kept.count
            kept = []
            #expect(count.isWhole && count.ended.load(ordering: .relaxed) == number, "\(act)")
        }
    }

    @Test func `a deinit returns after the last execution, on a thread of any kind`() throws {
        for act in LastAct.allCases {
            let count = Mourner.Count()
            nonisolated(unsafe) var kept: [Mourner] = []
            try explore(.random(executions: 5), time: .seconds(600)) { kept.append(Mourner(act, count)) }
            let number = kept.count
            ForeignThread { kept = [] }.join()
            #expect(count.isWhole && count.ended.load(ordering: .relaxed) == number, "\(act)")
        }
    }

    @Test func `a deinit returns on a thread of any kind however many objects there are`() throws {
        let count = Mourner.Count()
        nonisolated(unsafe) var kept: [Mourner] = []
        try explore(.random(executions: 1000), time: .seconds(600)) { kept.append(Mourner(.lock, count)) }
        let number = kept.count
        ForeignThread { kept = [] }.join()
        #expect(number >= 1000 && count.ended.load(ordering: .relaxed) == number)
    }

    @Test func `a deinit returns although it needs a queue that only the main thread makes`() throws {
        nonisolated(unsafe) var kept: [Sender] = []
        try explore(.random(executions: 5), time: .seconds(600)) {
            kept.append(Sender())
            let object = Sender()
            Lab.Thread.detachNewThread {
                object.use()
                // When the execution is over, which the thread does not learn from this call.
                while true { Lab.Thread.sleep(forTimeInterval: 1) }
            }
        }
        kept = []
        try run { kept.append(Sender()) }
        kept = []
    }

    @Test func `a deinit finds the lock held that it has locked, when its execution is over`() throws {
        nonisolated(unsafe) var kept: [Asserting] = []
        try explore(.random(executions: 5), time: .seconds(600)) { kept.append(Asserting()) }
        #expect(kept.count >= 5)
        kept = []
    }

    private final class Asserting: @unchecked Sendable {
        private let lock = Lab.NSLock()
        private let recursive = Lab.NSRecursiveLock()

        deinit {
            lock.lock()
            if lock.try() { preconditionFailure("it is held") }
            lock.unlock()
            if !lock.try() { preconditionFailure("it is free") }
            recursive.lock()
            if !recursive.try() { preconditionFailure("it can be locked again") }
        }
    }

    private final class Sender: @unchecked Sendable {
        func use() {}

        deinit {
            Lab.DispatchQueue.main.async {}
            Lab.DispatchQueue.global().async {}
            Lab.DispatchQueue.global().sync {}
        }
    }

    @Test func `a deinit returns after a run on real threads`() throws {
        for act in LastAct.allCases {
            let count = Mourner.Count()
            nonisolated(unsafe) var global: Mourner?
            try run {
                global = Mourner(act, count)
                global?.use()
            }
            global = nil
            #expect(count.isWhole && count.ended.load(ordering: .relaxed) == 1, "\(act)")
        }
    }

    @Test func `a deinit that never returns is left behind, and the search continues`() throws {
        let result = try explore(.random(executions: 50), time: .seconds(600)) {
            let object = Endless()
            ThreadDictionary.current.set("object", object)
            Lab.Thread.detachNewThread { object.use() }
        }
        #expect(result.executions == 50)
    }

    private final class Endless: @unchecked Sendable {
        private let lock = Lab.NSLock()
        private let flag = Lab.NSCondition()

        func use() {}

        deinit {
            // The first round is an ordinary one, if the execution has not ended.
            while true {
                lock.withLock {}
                flag.withLock { if !flag.wait(until: .distantPast) { flag.broadcast() } }
            }
        }
    }
}
