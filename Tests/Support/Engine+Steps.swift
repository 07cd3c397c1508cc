import LabExecution
import Machine

/// An engine driven by hand.
extension Engine {
    /// The threads that can step, with the number of their alternatives.
    package var enabledSteps: [(thread: Int, ways: Int)] {
        guard verdict == nil else { return [] }
        return (0..<machine.threadCount).filter { machine.isEnabled($0) }.map { ($0, machine.alternatives(of: $0)) }
    }

    /// Takes a step that `enabledSteps` names.
    package func step(_ thread: Int, way: Int = 0) { take(thread, OneWay(way)) }

    /// When no thread can step: lets time pass. False: nothing will ever happen.
    package func letTimePass() -> Bool { machine.passTime() }
}

/// Chooses the alternative of one step.
private final class OneWay: Chooser {
    private let way: Int

    init(_ way: Int) { self.way = way }

    func begin() {}
    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? { nil }
    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? { way }
}
