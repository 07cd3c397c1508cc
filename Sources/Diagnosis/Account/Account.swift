import Trace

/// The few steps of a run on which a finding depends: those that show it, and the steps of other threads that made them
/// possible or that came between two of them.
///
/// It is computed backwards from the steps that show the finding (a dynamic slice: Korel and Laski, 1988; for threads
/// see Tallam, Tian and Gupta, 2008): the writes of what they read, changes after a thread had read a value, the signal
/// that came, how the lock was taken. It needs the events only, so that it works on real threads and saved traces too.
package struct Account: Equatable, Sendable {
    package struct Step: Equatable, Sendable {
        package enum Role: String, Sendable {
            /// The step shows the finding: an access of a race, a wait that never ends, a failed assertion.
            case fault
            /// The finding depends on the step.
            case cause
            /// The step belongs to the story, but the finding does not depend on when it is taken.
            case context
        }

        /// The number of the event in the trace, from 0.
        package var event: Int
        package var role: Role

        package init(event: Int, role: Role) {
            self.event = event
            self.role = role
        }
    }

    /// The steps, in their order in the run. Empty if nothing of the run shows the finding.
    package private(set) var steps: [Step] = []

    /// The maximum number of steps: an account is read at once, without scrolling.
    package static let mostSteps = 10
    /// How many causes of causes are followed.
    private static let depth = 4

    /// - Parameter finding: a finding of this run.
    package init(of finding: Finding, in trace: TraceDocument) { self.init(of: finding, RunPast(trace)) }

    /// - Parameter past: what precedes the events of the finding's run.
    package init(of finding: Finding, _ past: RunPast) {
        let faults = FaultSteps(finding, past).events.filter(past.isShown)
        var roles: [Int: Step.Role] = [:]
        for fault in faults.prefix(Self.mostSteps) { roles[fault] = .fault }
        if finding.code == .race { add(past.sight(between: faults), to: &roles) }
        // A race is between its accesses, whatever came before. A warning is about its places.
        let isOfPast = finding.code != .race && finding.outcome != nil
        var last = faults
        for _ in 0..<(isOfPast ? Self.depth : 0) {
            var next: [Int] = []
            for event in last where roles.count < Self.mostSteps {
                let causes = past.causes(of: event, isFault: roles[event] == .fault).filter { roles[$0] == nil }
                add(causes, to: &roles)
                next += causes.filter { roles[$0] != nil }
            }
            last = next
        }
        steps = roles.sorted { $0.key < $1.key }.map { Step(event: $0.key, role: $0.value) }
    }

    /// Marks the steps with these events as context.
    package func with(context: Set<Int>) -> Account {
        var account = self
        for index in steps.indices where context.contains(steps[index].event) { account.steps[index].role = .context }
        return account
    }

    /// Adds causes, as far as there is room. The nearest ones come first, because they say most.
    private func add(_ causes: [Int], to roles: inout [Int: Step.Role]) {
        for event in causes where roles[event] == nil && roles.count < Self.mostSteps { roles[event] = .cause }
    }
}
