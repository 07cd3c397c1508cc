import Trace

/// What the scenario or a primitive said went wrong: an assertion that failed, an error that left a thread, a call that the
/// contract forbids, turns without progress.
///
/// A misuse is an error that the scenario may catch and go on from; then it is no finding. If nobody catches it the run
/// ends, so it was caught if its thread did more than unwind, or came to its end, or if the process did.
package struct FailureDetector: Detector {
    private var failures: [Event] = []
    /// Where in `failures` the thread's last misuse is.
    private var openMisuse = PerThread<Int?>(nil)
    private var caught: Set<Int> = []
    private var hasReachedEnd = false
    private var isOver = false
    /// How many failures there were when the run was over. Later ones were seen in what the process left behind.
    private var ownCount: Int?

    package init() {}

    package mutating func consume(_ event: Event) {
        if event.kind == .runExit || event.kind == .runComplete { hasReachedEnd = true }
        if event.kind.endsRun && !isOver {
            isOver = true
            ownCount = failures.count
        }
        // A scenario looks at what is left once the process has ended, and may not like it.
        if isOver && (event.kind == .assertionFailed || event.kind == .threadError) { failures.append(event) }
        guard !isOver else { return }
        if let misuse = openMisuse[event.thread], !event.kind.isUnwinding {
            caught.insert(misuse)
            openMisuse[event.thread] = nil
        }
        switch event.kind {
        case .assertionFailed, .noProgress, .threadError: failures.append(event)
        case .misuse:
            openMisuse[event.thread] = failures.count
            failures.append(event)
        default: break
        }
    }

    package func findings(in words: Words) -> [Outcome] {
        failures.indices.compactMap { index in
            if isCaught(index) { return nil }
            return index < ownCount ?? .max ? outcome(failures[index], words) : review(failures[index], words)
        }
    }

    private func isCaught(_ index: Int) -> Bool {
        failures[index].kind == .misuse && (hasReachedEnd || caught.contains(index))
    }

    /// What was found in the files and so on that the process left behind.
    private func review(_ event: Event, _ words: Words) -> Outcome {
        let kind = event.kind == .assertionFailed ? OutcomeKind.assertion : .error
        let what = event.kind == .assertionFailed ? "An assertion failed" : "An error came up"
        return Outcome(
            kind, summary: "\(what) once the process had ended: \(words.trace.text(of: event) ?? "")",
            details: ["It is about what the process left behind."])
    }

    private func outcome(_ event: Event, _ words: Words) -> Outcome {
        let thread = words.name(event.thread)
        let text = words.trace.text(of: event) ?? ""
        let place = words.at(event.site)
        switch event.kind {
        case .assertionFailed:
            return Outcome(.assertion, summary: "An assertion failed: \(text)", details: ["In \(thread)\(place)."])
        case .noProgress:
            return Outcome(
                .livelock, summary: "The threads are busy, and none gets on: \(text)",
                details: ["Seen by \(thread)\(place)."])
        case .threadError:
            return Outcome(.error, summary: "An error left \(thread): \(text)", details: ["Nobody caught it\(place)."])
        default:
            let kind = UInt8(exactly: event.value).flatMap(MisuseKind.init(rawValue:))
            let object = event.object == .none ? "" : " The object is \(words.name(event.object))."
            return Outcome(
                .misuse, summary: "\(thread) \(kind?.explanation ?? "did what is forbidden").",
                details: ["It did so\(place): \(kind?.identifier ?? "misuse").\(object)"])
        }
    }
}

extension EventKind {
    /// Whether a thread may do this while an error passes through it.
    fileprivate var isUnwinding: Bool {
        switch self {
        case .mutexRelease, .readRelease, .writeRelease, .slotDestroy, .loopExit: true
        default: false
        }
    }
}
