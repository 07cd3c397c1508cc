import Machine
import Testing
import Trace

@testable import Execution

@Suite struct NativeMutexTests {
    @Test func `a mutex excludes`() throws {
        nonisolated(unsafe) var total = 0
        let report = try runNatively { lab in
            let mutex = lab.mutex("m")
            let threads = try (0..<4).map { _ in
                try lab.thread {
                    for _ in 0..<500 {
                        try lab.lock(mutex)
                        total += 1
                        try lab.unlock(mutex)
                    }
                }
            }
            for thread in threads { try lab.join(thread) }
            lab.runtime.discard(mutex, evenIf: false)
        }
        #expect(total == 2000)
        #expect(report.result == NativeResult(isComplete: true, unresponsive: []))
    }

    @Test func `acquisitions come in the order of their numbers, and never overlap`() throws {
        let report = try runNatively { lab in
            let mutex = lab.mutex("m")
            let threads = try (0..<4).map { _ in
                try lab.thread {
                    for _ in 0..<2000 {
                        try lab.lock(mutex)
                        try lab.unlock(mutex)
                    }
                }
            }
            for thread in threads { try lab.join(thread) }
            lab.runtime.discard(mutex, evenIf: false)
        }
        #expect(report.document.dropped == 0)
        let acquisitions = report.document.events.filter { $0.kind == .mutexAcquire }.map(\.value)
        #expect(acquisitions == (1...8000).map { Int64($0) })
        var holder: ThreadID?
        for event in report.document.events {
            if event.kind == .mutexAcquire {
                #expect(holder == nil)
                holder = event.thread
            } else if event.kind == .mutexRelease {
                #expect(holder == event.thread)
                holder = nil
            }
        }
    }

    @Test(arguments: [
        (ObjectState.Kind.normalMutex, 0, nil as String?), (.errorCheckingMutex, 0, "relock"),
        (.recursiveMutex, 1, nil),
    ])
    func `the owner tries again`(kind: ObjectState.Kind, tried: Int, relock: String?) throws {
        try runNatively { lab in
            let mutex = lab.mutex("m", kind)
            try lab.lock(mutex)
            try lab.expect(lab.perform(.tryLock, mutex), is: tried)
            if kind != .normalMutex { #expect(lab.misuse { try lab.lock(mutex) } == relock) }
            #expect(lab.misuse { try lab.perform(.lockUntil, mutex, 0, lab.runtime.now) } == relock)
        }
    }

    @Test(arguments: [ObjectState.Kind.normalMutex, .errorCheckingMutex, .recursiveMutex])
    func `only the owner unlocks`(kind: ObjectState.Kind) throws {
        let report = try runNatively { lab in
            let mutex = lab.mutex("m", kind)
            #expect(lab.misuse { try lab.unlock(mutex) } == "unlock-not-owner")
            try lab.lock(mutex)
            try lab.join(try lab.thread { #expect(lab.misuse { try lab.unlock(mutex) } == "unlock-not-owner") })
            #expect(lab.misuse { try lab.perform(.destroy, mutex) } == "destroy-held")
            try lab.unlock(mutex)
            try lab.expect(lab.perform(.destroy, mutex), is: 0)
            lab.runtime.discard(mutex, evenIf: false)
        }
        #expect(report.count(.misuse) == 3)
        #expect(report.result.isComplete)
    }

    @Test func `a recursive mutex is free after as many unlocks as locks`() throws {
        try runNatively { lab in
            let mutex = lab.mutex("m", .recursiveMutex)
            for _ in 0..<3 { try lab.lock(mutex) }
            let tries: @Sendable () throws -> Void = { try lab.expect(lab.perform(.tryLock, mutex), is: 0) }
            for _ in 0..<3 {
                try lab.join(try lab.thread(nil, tries))
                try lab.unlock(mutex)
            }
            try lab.join(
                try lab.thread {
                    try lab.expect(lab.perform(.tryLock, mutex), is: 1)
                    try lab.unlock(mutex)
                })
        }
    }

    @Test func `a past deadline takes a free mutex and not a held one`() throws {
        let report = try runNatively { lab in
            let mutex = lab.mutex("m")
            try lab.expect(lab.perform(.lockUntil, mutex, 0, 0), is: 1)
            try lab.join(try lab.thread("late") { try lab.expect(lab.perform(.lockUntil, mutex, 0, -5), is: 0) })
            try lab.join(
                try lab.thread("patient") {
                    let deadline = lab.runtime.now + 3_000_000
                    try lab.expect(lab.perform(.lockUntil, mutex, 0, deadline), is: 0)
                    #expect(lab.runtime.now >= deadline)
                })
        }
        #expect(report.lines.contains("late mutex.timeout m"))
        #expect(report.lines.contains("patient mutex.wait m"))
    }

    @Test func `a thread that waits says so before it does, and then acquires`() throws {
        let report = try runNatively { lab in
            let mutex = lab.mutex("m")
            try lab.lock(mutex)
            let isHere = lab.atomic()
            let other = try lab.thread("other") {
                _ = try lab.perform(.store, isHere, 1)
                try lab.lock(mutex)
                try lab.unlock(mutex)
            }
            try lab.eventually { (try? lab.perform(.load, isHere)) == 1 }
            try lab.unlock(mutex)
            try lab.join(other)
        }
        let story = report.lines.filter { $0.contains(" m") && $0.contains("mutex.") && !$0.contains("wait") }
        #expect(
            story == [
                "main mutex.acquire m 1", "main mutex.release m", "other mutex.acquire m 2", "other mutex.release m",
            ])
    }

    @Test func `a mutex that goes while it is held ends the run`() throws {
        let report = try runNatively { lab in
            let mutex = lab.mutex("m")
            try lab.lock(mutex)
            lab.runtime.discard(mutex, evenIf: false)
            _ = try lab.perform(.yield)
            Issue.record("the run has ended")
        }
        #expect(report.lines.last == "main misuse m destroy-held")
        #expect(!report.result.isComplete)
    }
}
