import Trace

/// Finds failures that the scenario or a primitive reports: a failed assertion, a claim that does not hold, an error
/// that left a thread, a forbidden call, or a lack of progress.
///
/// A forbidden call throws an error (a misuse), from which the scenario may recover: it is then not a finding. An
/// uncaught error ends the run, so the error was caught if its thread afterwards did anything but unwind, or if the
/// process ended normally.
package struct FailureDetector: Detector {
    private var failures: [Event] = []
    /// The index in `failures` of the thread's last misuse, while it is not known whether it was caught.
    private var openMisuse = PerThread<Int?>(nil)
    /// The indices in `failures` of the misuses that were caught.
    private var caught: Set<Int> = []
    /// The allocation and the release of the block of memory that the next event concerns, if that is a failure.
    private var blocks: [Event] = []
    /// The blocks of failures, by the index in `failures`.
    private var blocksOfFailures: [Int: [Event]] = [:]
    /// Whether the run ended by itself.
    private var hasReachedEnd = false
    private var isOver = false
    /// The number of failures when the run ended. Later ones concern what the process left behind.
    private var ownCount: Int?

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        let effect = event.kind.effect
        if effect.endsRun && !isOver {
            isOver = true
            ownCount = failures.count
        }
        guard !isOver else {
            consumeAfterEnd(event)
            return
        }
        if let misuse = openMisuse[event.thread], !effect.isUnwinding {
            caught.insert(misuse)
            openMisuse[event.thread] = nil
        }
        if event.kind.isOfBlock { return blocks.append(event) }
        if effect == .misuse { openMisuse[event.thread] = failures.count }
        blocksOfFailures[failures.count] = blocks.isEmpty ? nil : blocks
        blocks = []
        if effect == .misuse || effect.isReport { failures.append(event) }
    }

    private mutating func consumeAfterEnd(_ event: Event) {
        let effect = event.kind.effect
        if effect.isOwnEnd { hasReachedEnd = true }
        // The scenario's review of what the process left behind runs after the process has ended, and may fail too.
        if effect.isReport { failures.append(event) }
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        failures.indices.compactMap { index in
            if isCaught(index) { return nil }
            return index < ownCount ?? .max ? finding(index, names) : review(failures[index], names)
        }
    }

    private static func code(of kind: MisuseKind?) -> FindingCode {
        switch kind {
        case .wrongThread: .wrongThread
        case .usedAfterRelease, .releasedTwice: .usedAfterRelease
        case .unlockNotOwner, .relock, .destroyHeld, .waitNotOwner, .waitOtherMutex, .joinSelf, .joinTwice,
            .joinDetached,
            .detachTwice, .detachJoined, .semaphoreOverflow, .invalidValue, .startTwice, .notStarted, .wrongQueue,
            .invalidFree, nil:
            .misuse
        }
    }

    private func isCaught(_ index: Int) -> Bool {
        failures[index].kind.effect == .misuse && (hasReachedEnd || caught.contains(index))
    }

    /// The finding of a review, about files and other things that the process left behind.
    private func review(_ event: Event, _ names: Names) -> Finding {
        let isAssertion = event.kind.effect == .fail(.assertion)
        let what = isAssertion ? "An assertion failed" : "An error was thrown"
        return Finding(
            isAssertion ? .assertion : .uncaughtError,
            summary: "\(what) after the process had ended: \(names.trace.text(of: event) ?? "")",
            story: ["It concerns what the process left behind."])
    }

    private func finding(_ index: Int, _ names: Names) -> Finding {
        let event = failures[index]
        let thread = names.name(event.thread)
        let text = names.trace.text(of: event) ?? ""
        let place = names.at(event.site)
        guard case .fail(let failure) = event.kind.effect else { return misuse(event, names) }
        switch failure {
        case .assertion:
            return Finding(.assertion, event, "An assertion failed: \(text)", "In \(thread)\(place).")
        case .claim:
            return Finding(.claim, event, "A claim failed: \(text)", "In \(thread)\(place).")
        case .brokenClaim:
            var finding = Finding(
                .claim, event, "A claim failed that the program calls broken: \(text)", "In \(thread)\(place).")
            finding.outcome = .brokenClaim
            return finding
        case .noProgress:
            return Finding(
                .livelock, event, "The threads are busy but make no progress: \(text)", "Reported by \(thread)\(place)."
            )
        case .foreignThread:
            let object = event.object == .none ? "an object of it" : names.name(event.object)
            return Finding(
                .wrongThread, summary: "\(ForeignThreadWords.sentence(object)).",
                story: [ForeignThreadWords.story(text, place)], advice: ForeignThreadWords.advice,
                objects: [event.object], sites: [event.site])
        case .error:
            return Finding(
                .uncaughtError, event, "\(thread) ended with an error that it did not catch: \(text)",
                "No thread caught it\(place).")
        case .fault:
            let blocks = blocksOfFailures[index] ?? []
            let history = blocks.map { block in
                let verb = block.kind == .blockFreed ? "freed" : "allocated"
                return "\(names.name(block.thread)) had \(verb) it\(names.at(block.site))."
            }
            let isOfMemory = Self.endsOfMemory.contains(where: text.contains)
            return Finding(
                isOfMemory ? .usedAfterFree : .uncaughtError, summary: "\(thread) \(text).",
                story: (place.isEmpty ? [] : ["This happened\(place)."]) + history.reversed(),
                advice: Self.advice(text, event, blocks, names), threads: [event.thread] + blocks.map(\.thread),
                sites: [event.site] + blocks.reversed().map(\.site))
        }
    }

    /// How to correct a fault.
    ///
    /// - Parameter blocks: where the memory was allocated and freed.
    private static func advice(_ text: String, _ event: Event, _ blocks: [Event], _ names: Names) -> String {
        guard let free = blocks.last(where: { $0.kind == .blockFreed }) else {
            // What compiled programs may not do under threadlab is said with its name.
            return text.contains("threadlab")
                ? "This is a limit of threadlab, not a mistake of the program."
                : "Correct what the program does there."
        }
        if text.hasPrefix("frees again") { return ReleaseStory.adviceOfSecondFree }
        if free.thread == event.thread { return "Free it after its last use." }
        return ReleaseStory.advice(user: event.thread, names)
    }

    /// How the text of a fault ends, or what it contains, if a compiled program used memory that no longer exists.
    private static let endsOfMemory = ["memory that was freed", ", whose function has returned", ", which has ended"]

    private func misuse(_ event: Event, _ names: Names) -> Finding {
        let kind = UInt8(exactly: event.value).flatMap(MisuseKind.init(rawValue:))
        let object = event.object == .none ? "" : ", with \(names.name(event.object))"
        var finding = Finding(
            Self.code(of: kind), event,
            "\(names.name(event.thread)) \(kind?.explanation ?? "made a forbidden call").",
            "This happened\(names.at(event.site))\(object).")
        finding.advice = kind.flatMap(Self.advice)
        return finding
    }

    /// How to fix the misuse. Nil if the sentence about what happened suffices.
    private static func advice(_ kind: MisuseKind) -> String? {
        switch kind {
        case .unlockNotOwner: "Only the thread that has locked a lock may unlock it."
        case .relock: "Unlock it before, or use a recursive mutex."
        case .destroyHeld: "Destroy an object after the last thread has stopped using it."
        case .waitNotOwner: "Lock the mutex before the wait: the wait unlocks it, and locks it again."
        case .invalidFree: "Free only what malloc or new has returned, and only once."
        case .waitOtherMutex: "All threads that wait for a condition at the same time must use the same mutex."
        case .joinSelf, .joinTwice, .joinDetached, .detachTwice, .detachJoined, .semaphoreOverflow, .invalidValue,
            .wrongThread, .startTwice, .notStarted, .usedAfterRelease, .releasedTwice, .wrongQueue:
            nil
        }
    }
}

extension Finding {
    /// A finding from a single event.
    fileprivate init(_ code: FindingCode, _ event: Event, _ summary: String, _ line: String) {
        self.init(
            code, summary: summary, story: [line], threads: [event.thread], objects: [event.object],
            sites: [event.site])
    }
}

extension Effect {
    /// Whether a thread may do this while an error passes through it.
    fileprivate var isUnwinding: Bool {
        releasesLock || self == .cleanUp
    }
}
