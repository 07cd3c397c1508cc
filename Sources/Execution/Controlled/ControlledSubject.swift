import Machine
import Trace

/// A scenario in Swift, on fibers, as the subject of a search. It can be run again from the beginning, but not from a
/// state in the middle.
///
/// It is used by one thread, so its variables are not checked for exclusive access.
package final class ControlledSubject: Subject {
    private let rules: Rules
    private let body: () throws -> Void
    private let review: (any RecordStorage) throws -> Void
    private let log: ChoiceMemory?
    private let records = ModelRecords()
    /// The runtime that was made for the last chooser.
    @exclusivity(unchecked) private var runtime: ControlledRuntime?
    @exclusivity(unchecked) private var chooser: (any Chooser)?
    /// The peculiarities (`Subject.peculiarities`) of the runtimes of earlier choosers.
    @exclusivity(unchecked) private var earlierPeculiarities = 0
    /// Where the review of the last execution failed. Nil if it did not.
    @exclusivity(unchecked) private var reviewFailure: SourceSite?

    /// - Parameters:
    ///   - log: receives the choices, if another process needs to see them.
    ///   - review: examines the files that are left when the process has ended.
    ///   - body: the body of the main thread.
    package init(
        _ rules: Rules, log: ChoiceMemory? = nil, review: @escaping (any RecordStorage) throws -> Void = { _ in },
        body: @escaping () throws -> Void
    ) {
        self.rules = rules
        self.log = log
        self.review = review
        self.body = body
    }

    package var observers: [any Observer] = [] {
        didSet { runtime?.driver.observers = observers }
    }

    package func execute(_ chooser: any Chooser) -> Verdict {
        if runtime == nil || self.chooser !== chooser {
            earlierPeculiarities = peculiarities
            runtime = ControlledRuntime(chooser: chooser, rules: rules, log: log)
            runtime!.records = records
            runtime!.driver.observers = observers
            self.chooser = chooser
        }
        reviewFailure = nil
        records.removeAll()
        let verdict = runtime!.run(body)
        switch verdict {
        case .completed, .leak: return reviewed ?? verdict
        case .deadlock, .misuse, .assertion, .livelock, .starvation, .error, .race, .crash, .hang, .stepLimit, .endless,
            .forever, .foreignThread, .stopped, .claim, .brokenClaim:
            return verdict
        }
    }

    /// The verdict if the review rejects what is left; nil if it accepts it.
    private var reviewed: Verdict? {
        do {
            try review(records)
            return nil
        } catch let failure as AssertionFailed {
            reviewFailure = failure.site
            return .assertion
        } catch {
            reviewFailure = .unknown
            return .error
        }
    }

    package var schedule: Schedule { runtime?.schedule ?? Schedule() }
    package var peculiarities: Int { earlierPeculiarities + (runtime?.peculiarities ?? 0) }
    package var stepCount: Int { runtime?.stepCount ?? 0 }
    package var place: Int { reviewFailure?.lastingNumber ?? runtime?.place ?? 0 }

    /// The machine as the last execution left it. There must have been one.
    package var machine: MachineState { runtime!.state }
}
