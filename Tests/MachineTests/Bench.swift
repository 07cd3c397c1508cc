import Machine
import Testing
import Trace

/// A machine with some threads, whose steps the test takes itself.
final class Bench {
    private let machine = OwnedMachineState()
    let state: MachineState

    init(threads: Int = 3, spuriousWakeups: Int = 0, timeouts: Rules.Timeouts = .lazy) {
        state = machine.state
        var rules = Rules(spuriousWakeups: spuriousWakeups)
        rules.timeouts = timeouts
        state.reset(rules)
        for _ in 0..<threads { _ = state.addThread(status: .running) }
    }

    func add(_ kind: ObjectState.Kind, value: Int = 0) -> UInt32 { state.addObject(kind, value: value)! }

    /// The threads that can step.
    var enabled: [Int] {
        let list = UnsafeMutablePointer<UInt16>.allocate(capacity: MachineState.maximumThreads)
        defer { list.deallocate() }
        return (0..<state.enabledThreads(into: list)).map { Int(list[$0]) }
    }

    var isQuiet: Bool {
        let list = enabled.map { UInt16($0) }
        return list.withUnsafeBufferPointer { state.isQuiet($0) }
    }

    func announce(_ thread: Int, _ kind: Operation.Kind, _ object: UInt32 = 0, _ a: Int = 0, _ b: Int = 0) {
        state.announce(thread, Operation(kind, object, a, b))
    }

    /// Announces an operation that can be taken at once, and takes it.
    @discardableResult
    func take(
        _ thread: Int, _ kind: Operation.Kind, _ object: UInt32 = 0, _ a: Int = 0, _ b: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> StepResult {
        announce(thread, kind, object, a, b)
        return step(thread, sourceLocation: sourceLocation)
    }

    @discardableResult
    func step(
        _ thread: Int, alternative: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) -> StepResult {
        #expect(state.isEnabled(thread), "thread \(thread) can step", sourceLocation: sourceLocation)
        return state.step(thread, alternative: alternative)
    }

    /// Locks the mutex and begins to wait on the condition.
    func wait(_ thread: Int, _ condition: UInt32, with mutex: UInt32, until deadline: Int = Operation.never) {
        take(thread, .lock, mutex)
        #expect(take(thread, .wait, condition, Int(mutex), deadline).status == .blocked)
    }
}
