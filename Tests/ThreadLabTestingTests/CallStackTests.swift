import Authoring
import Glibc
import Testing
import ThreadLabTypes

@testable import Supervision
@testable import ThreadLabTesting

/// What reports say of code whose locks are inside a class of its own, as in many real packages.
@Suite struct CallStackTests {
    private static let start = #line
    /// As real packages have it: all of its operations are in two lines. The optimizer would leave fewer calls.
    private final class SpinLock: @unchecked Sendable {
        private let mutex = Lab.NSRecursiveLock()

        @_optimize(none) init() {}

        @_optimize(none) func hold<Value>(_ body: () throws -> Value) rethrows -> Value {
            mutex.lock()
            defer { mutex.unlock() }
            return try body()
        }
    }

    private final class Account: @unchecked Sendable {
        let lock = SpinLock()
        var balance = 10

        @_optimize(none) init() {}

        @_optimize(none) func move(_ amount: Int, to other: Account) {
            lock.hold {
                other.lock.hold {
                    balance -= amount
                    other.balance += amount
                }
            }
        }
    }

    @_optimize(none) private func transfers() throws {
        let (first, second) = (Account(), Account())
        try concurrently {
            first.move(1, to: second)
        } and: {
            second.move(1, to: first)
        }
    }

    /// The rows about source of a failure's text, without the names of files and surplus blanks.
    private func rows(_ text: String) -> [String] {
        text.split(separator: "\n").map {
            $0.replacing("Tests/ThreadLabTestingTests/CallStackTests.swift", with: "").split(separator: " ")
                .joined(separator: " ").replacing("CallStackTests.", with: "")
        }
    }

    @Test func `a deadlock inside a class for locks names the callers and the variables`() {
        let rows = rows(issueText { try explore { try transfers() } })
        let begin = rows.firstIndex(of: "first: waits for Account.lock 2")
        let calls = begin.map { rows[$0...].prefix { !$0.hasPrefix("second:") } } ?? []
        #expect(
            calls.prefix(3) == [
                "first: waits for Account.lock 2", ":\(Self.start + 8) mutex.lock()", "in SpinLock.hold<A>(_:)",
            ])
        // The optimizer leaves out the closure between them.
        #expect(calls.contains("← :\(Self.start + 10) SpinLock.hold<A>(_:)"))
        #expect(calls.contains("← :\(Self.start + 21) Account.move(_:to:)"))
        #expect(rows.contains(":\(Self.start + 15) makes Account.lock"))
    }

    @Test func `a local lock is called after its variable`() {
        let text = issueText {
            try explore {
                let left = Lab.NSLock()
                let right = Lab.NSLock()
                try concurrently {
                    left.withLock { right.withLock {} }
                } and: {
                    right.withLock { left.withLock {} }
                }
            }
        }
        #expect(text.contains("first holds left (taken at") && text.contains("and waits for right"))
    }

    @Test func `a replay names the calls too`() {
        let text = issueText { try replay("0x2,1x2,2x2") { try transfers() } }
        #expect(rows(text).contains("first: waits for Account.lock 2"))
    }

    @Test func `a finding in a process of its own names the calls and the variables`() {
        let text = issueText { try explore(.isolated, time: .seconds(600)) { try transfers() } }
        let rows = rows(text)
        #expect(rows.contains("first: waits for Account.lock 2"))
        #expect(rows.contains("← :\(Self.start + 21) Account.move(_:to:)"))
        #expect(rows.contains(":\(Self.start + 15) makes Account.lock"))
    }

    @Test func `a crash in a process of its own says by which calls its last step was reached`() {
        let text = issueText {
            try explore(.isolated, time: .seconds(600)) {
                let account = Account()
                let other = try Thread("other") { account.move(1, to: Account()) }
                account.lock.hold { if account.balance < 10 { fatalError("too little") } }
                try other.join()
            }
        }
        #expect(text.contains("Fatal error: too little"))
        #expect(rows(text).contains { $0.hasPrefix("← :\(line() - 5) a closure in") })
        #expect(text.contains("makes CallStackTests.Account.lock"))
    }

    @Test func `the page and the saved trace have the calls too`() throws {
        let place = CallPlace(fileID: #fileID, filePath: #filePath, line: #line, column: #column, function: #function)
        let search = try TestedSearch(ClosureProgram(.completed) { try transfers() }, SearchRequest(), place)
        let watchdog = StepWatchdog(.explaining("explore", at: place, limit: nil), try RunRules().machineRules())
        defer { watchdog.stop() }
        let files = try #require(try search.judged(local: watchdog.log).failure).files
        for name in ["trace.html", "trace.jsonl"] {
            let file = try #require(files.first { $0.name == name })
            #expect(String(decoding: file.bytes, as: UTF8.self).contains("CallStackTests.Account.move(_:to:)"))
        }
    }

    @Test func `many steps before there is a second thread are one row`() {
        let text = issueText {
            try explore {
                let lock = Lab.NSLock()
                for _ in 1...10 { lock.withLock {} }
                try concurrently {
                    try check(false)
                } and: {
                }
            }
        }
        #expect(text.contains("20 steps of main, before there is another thread"))
    }

    @Test(arguments: [
        ("closure #1 in closure #2 in Bank.pay(_:)", "a closure in Bank.pay(_:)"),
        ("$defer #1 () in Bank.pay(_:)", "Bank.pay(_:)"),
        ("static Bank.open()", "Bank.open()"),
    ])
    func `names of functions are readable`(symbol: String, name: String) {
        #expect(FunctionName.readable(symbol) == name)
    }

    @Test func `images are listed while another thread maps and unmaps memory`() async {
        let mapper = Task.detached {
            while !Task.isCancelled {
                let size = 1 << 16
                let region = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
                if let region, region != MAP_FAILED { munmap(region, size) }
            }
        }
        for _ in 0..<50 { #expect(!CallStacks.loadedImages().isEmpty) }
        mapper.cancel()
        await mapper.value
    }
}
