import Machine

/// A body of Swift code, as fibers, for exploration. It can be run again, and not go back.
package final class ControlledSubject: Subject {
    private let rules: Rules
    private let body: () throws -> Void
    private let log: ChoiceLog?
    /// Made for the chooser that it had last.
    private var runtime: ControlledRuntime?
    private var chooser: (any Chooser)?

    /// - Parameters:
    ///   - log: where the choices go, if another process is to see them.
    ///   - body: of the main thread.
    package init(_ rules: Rules, log: ChoiceLog? = nil, body: @escaping () throws -> Void) {
        self.rules = rules
        self.log = log
        self.body = body
    }

    package func execute(_ chooser: any Chooser) -> Verdict {
        if runtime == nil || self.chooser !== chooser {
            runtime = ControlledRuntime(chooser: chooser, rules: rules, log: log)
            self.chooser = chooser
        }
        return runtime!.run(body)
    }

    package var schedule: Schedule { runtime?.schedule ?? Schedule() }
    package var stepCount: Int { runtime?.stepCount ?? 0 }
    package var place: Int { runtime?.place ?? 0 }
}
