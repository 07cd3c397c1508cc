import Testing
import ThreadLabTesting
import ThreadLabTypes

/// Swift notes which variables are being changed, on the stack of the thread that does; an abandoned thread's notes stay.
@Suite struct AbandonedAccessTests {
    private final class Holder: @unchecked Sendable {
        var waiter = Waiter()
        var other = 0
    }

    private struct Waiter {
        var count = 0

        mutating func wait(for semaphore: Lab.DispatchSemaphore) {
            count += 1
            semaphore.wait()
            count += 1
        }

        @inline(never) mutating func touch() { count += 1 }
    }

    private final class Node: Lab.AtomicReference, @unchecked Sendable {
        private let holder = Holder()

        /// Writes over a page of its stack, and changes a variable.
        deinit {
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
                bytes.initializeMemory(as: UInt8.self, repeating: 0x41)
                holder.waiter.touch()
            }
        }
    }

    @Test func `nor anything that the release of what is left trips over`() throws {
        let result = try explore(.random(executions: 300), time: .seconds(600)) {
            let never = Lab.DispatchSemaphore(value: 0)
            let reference = Lab.ManagedAtomic<Node?>(nil)
            for _ in 1...3 {
                let own = Holder()
                Lab.Thread.detachNewThread { own.waiter.wait(for: never) }
            }
            Lab.Thread.sleep(forTimeInterval: 1)
            for _ in 1...5 { reference.store(Node(), ordering: .relaxed) }
        }
        #expect(result.executions == 300)
    }

    @Test func `abandoned threads leave nothing that later executions trip over`() throws {
        let result = try explore(.random(executions: 3000), time: .seconds(600)) {
            let never = Lab.DispatchSemaphore(value: 0)
            let holder = Holder()
            for _ in 1...3 {
                let own = Holder()
                Lab.Thread.detachNewThread { own.waiter.wait(for: never) }
            }
            Lab.Thread.sleep(forTimeInterval: 1)
            for number in 1...5 { holder.other += number }
        }
        #expect(result.executions == 3000)
        let again = try explore {
            let holder = Holder()
            holder.waiter.wait(for: Lab.DispatchSemaphore(value: 1))
            try check(holder.waiter.count == 2)
        }
        #expect(again.triedEveryOrder)
    }
}
