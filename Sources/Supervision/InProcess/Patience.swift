import Execution

/// How long a watchdog looks at a program that takes no step. Used by the watchdog's thread alone.
final class Patience<Pulse: Equatable>: @unchecked Sendable {
    private let settings: StepWatchdog.Settings
    private var standstill = Standstill<Pulse>()
    /// It is read once a second.
    private var clock = OwnClock(longestSleep: 2_000_000_000)

    init(_ settings: StepWatchdog.Settings) { self.settings = settings }

    /// Looks at the program's progress. Returns whether the time is over; it never is for a person with a debugger.
    ///
    /// - Parameter threads: the kernel's numbers of those that could take a step.
    func isOver(_ pulse: Pulse, _ threads: [Int32]) -> Bool {
        guard settings.limit > 0 else { return false }
        clock.read(threads)
        standstill.look(pulse, at: settings.now?() ?? clock.time)
        return standstill.time >= settings.limit && !Debugger.isAttached
    }
}
