import LabProgram
import Machine
import Trace

/// A thread that waits on a condition while a test is true: `while queue.isEmpty { changed.wait() }`.
struct TestingWaiter: @unchecked Sendable {
    let thread: ThreadID
    let condition: UInt32
    let test: Program.Expression
    /// The thread's words, which do not change while it waits.
    let words: UnsafeMutablePointer<Int>
    /// Whether the test is false, so that the thread need not wait.
    var isMet = false
}

/// Records when the tests of waiting threads become true and false, so that a deadlock can be explained by them.
extension LabRun {
    /// Called before a wait. Records whether the thread's test would let it continue, and adds the thread to those
    /// whose tests are followed.
    ///
    /// - Returns: whether the wait has such a test, and its value is known.
    func noteTest(of wait: Operation, _ words: UnsafeMutablePointer<Int>, at line: Int) -> Bool {
        guard let test = bytecode.waitTests[words[ThreadWords.programCounter] - 1] else { return false }
        let condition = objects[Int(wait.object)].id
        var waiter = TestingWaiter(thread: runtime.currentThread, condition: condition, test: test, words: words)
        guard let isMet = isMet(waiter) else { return false }
        waiter.isMet = isMet
        record(waiter, at: line)
        waiters.withLock { $0.append(waiter) }
        return true
    }

    /// Called after such a wait, on its thread.
    func forgetTest() {
        let thread = runtime.currentThread
        waiters.withLock { $0.removeAll { $0.thread == thread } }
    }

    /// Called after a write. Records which tests of waiting threads have changed by it.
    func reviewWaiters(at line: Int) {
        waiters.withLock { waiters in
            for index in waiters.indices {
                guard let isMet = isMet(waiters[index]), isMet != waiters[index].isMet else { continue }
                waiters[index].isMet = isMet
                record(waiters[index], at: line)
            }
        }
    }

    private func record(_ waiter: TestingWaiter, at line: Int) {
        let kind: EventKind = waiter.isMet ? .conditionMet : .conditionUnmet
        runtime.with { $0.record(kind, waiter.condition, Int(waiter.thread.index), at: site(line)) }
    }

    /// Whether the waiter's test is false: a thread waits while its test is true. Nil: the value is unknown.
    private func isMet(_ waiter: TestingWaiter) -> Bool? {
        state(of: waiter.words).value(of: waiter.test).map { $0 == 0 }
    }
}
