import Machine
import Testing
import Trace

@testable import Execution

@Suite struct NativeSemaphoreTests {
    @Test func `a semaphore lets as many in as its value`() throws {
        let report = try runNatively { lab in
            let semaphore = lab.semaphore(2)
            try lab.expect(lab.take(semaphore), is: 1)
            try lab.expect(lab.perform(.semaphoreTryWait, semaphore), is: 1)
            try lab.expect(lab.perform(.semaphoreTryWait, semaphore), is: 0)
            try lab.expect(lab.perform(.semaphoreWaitUntil, semaphore, 0, 0), is: 0)
            try lab.expect(lab.perform(.semaphoreWaitUntil, semaphore, 0, lab.runtime.now + 1_000_000), is: 0)
            try lab.post(semaphore)
            try lab.expect(lab.perform(.semaphoreValue, semaphore), is: 1)
            try lab.expect(lab.perform(.semaphoreWaitUntil, semaphore, 0, 0), is: 1)
        }
        #expect(report.count(.semaphoreTimeout) == 2 && report.count(.semaphoreBusy) == 1)
    }

    @Test func `a signal wakes a blocked thread, and comes first in the trace`() throws {
        let report = try runNatively { lab in
            let (go, done) = (lab.semaphore(), lab.semaphore())
            let threads = try (0..<3).map { _ in
                try lab.thread {
                    for _ in 0..<200 {
                        try lab.take(go)
                        try lab.post(done)
                    }
                }
            }
            for _ in 0..<200 {
                for _ in 0..<3 { try lab.post(go) }
                for _ in 0..<3 { try lab.take(done) }
            }
            for thread in threads { try lab.join(thread) }
        }
        var values: [UInt32: Int] = [:]
        for event in report.document.events {
            if event.kind == .semaphoreSignal { values[event.object.index, default: 0] += 1 }
            guard event.kind == .semaphoreAcquire else { continue }
            values[event.object.index, default: 0] -= 1
            #expect(values[event.object.index, default: 0] >= 0)
        }
    }

    @Test func `a signal beyond the greatest value is refused`() throws {
        let report = try runNatively { lab in
            let semaphore = lab.semaphore(Int(Int32.max))
            #expect(lab.misuse { try lab.post(semaphore) } == "semaphore-overflow")
        }
        #expect(report.count(.semaphoreSignal) == 0)
    }
}
