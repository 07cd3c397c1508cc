import Trace

/// Explains in sentences why threads that are stuck in waits for conditions were not woken: when each predicate became
/// true, which signals came after that and which threads they woke, and what would have helped.
struct UnwokenStory {
    private typealias Waiter = UnwokenWaiters.Waiter

    private struct Case {
        var wait: Wait
        var waiter: Waiter
        var condition: String
    }

    private let names: Names
    /// The threads that wait for a condition which the program itself signals.
    private let cases: [Case]

    /// - Parameter waits: the waits of the stuck threads.
    init(_ names: Names, _ waits: [Wait], _ history: UnwokenWaiters) {
        self.names = names
        cases = waits.compactMap { wait in
            guard let condition = wait.condition, !wait.isSignaled, !names.isPart(condition) else { return nil }
            return history.waiter(wait.thread).map {
                Case(wait: wait, waiter: $0, condition: names.name(condition))
            }
        }
    }

    /// The sentences. Threads about which the same would be said share them.
    var lines: [String] {
        var groups: [(threads: [ThreadID], first: Case, key: [String])] = []
        for one in cases {
            // The sentences without the thread's name.
            let key = sentences(one, "", "")
            if let known = groups.firstIndex(where: { $0.key == key }) {
                groups[known].threads.append(one.wait.thread)
            } else {
                groups.append(([one.wait.thread], one, key))
            }
        }
        return groups.flatMap { group in
            sentences(group.first, names.list(group.threads), group.threads.count == 1 ? "waits" : "wait")
        }
    }

    /// The source lines that the sentences name.
    var sites: [SiteID] {
        cases.map(\.waiter).flatMap { waiter in
            [waiter.undone, waiter.undoing, waiter.change].compactMap { $0?.write.site }
                + ([waiter.unheard, waiter.misdirected] + waiter.sent.map(\.signal)).compactMap { $0?.site }
        }
    }

    /// The signal that came too early, went to another condition or woke another thread, or the change between a test and
    /// its wait: the mistake in the first case that has one. Nil: what is known to be wrong is only that no signal came.
    var fault: SiteID? { cases.lazy.compactMap { $0.waiter.fault }.first { $0 != .unknown } }

    // MARK: - Sentences

    /// - Parameters:
    ///   - threads: the names of the threads that the sentences are about.
    ///   - waits: the verb for these threads, `waits` or `wait`.
    private func sentences(_ one: Case, _ threads: String, _ waits: String) -> [String] {
        let waiter = one.waiter
        let unheard = unheardLines(one)
        if waiter.isLate {
            let late = waiter.change.map { "\(deed($0)) after \(threads) had tested it, and before the wait began." }
            return [late ?? "What \(threads) \(waits) for was true already when the wait began."]
                + unheard + signalLines(one)
        }
        if let change = waiter.change {
            let fact =
                waiter.isTested
                ? "What \(threads) \(waits) for has been true since \(deed(change))"
                : "What \(threads) had read was changed when \(deed(change))"
            let signals = signalLines(one)
            return signals.isEmpty
                ? ["\(fact), and no thread signaled \(one.condition) after that."] + misdirectedLines(one)
                : ["\(fact)."] + signals
        }
        if let undone = waiter.undone, let undoing = waiter.undoing {
            return ["What \(threads) \(waits) for was true when \(deed(undone)), until \(deed(undoing))."]
        }
        if waiter.isTested { return ["What \(threads) \(waits) for has not become true since the wait began."] }
        if waiter.looks.isEmpty { return unheard }
        return ["What \(threads) had read has not been changed since: \(readNames(waiter))."]
    }

    /// The names of the objects that the thread had read.
    private func readNames(_ waiter: Waiter) -> String {
        var seen: Set<ObjectID> = []
        return Names.list(waiter.looks.map(\.object).filter { seen.insert($0).inserted }.map(names.name))
    }

    private func unheardLines(_ one: Case) -> [String] {
        guard let signal = one.waiter.unheard else { return [] }
        return [
            "\(names.name(signal.thread)) signaled \(one.condition)\(names.at(signal.site)) "
                + "while no thread was waiting: a condition does not remember signals."
        ]
    }

    private func misdirectedLines(_ one: Case) -> [String] {
        guard let signal = one.waiter.misdirected else { return [] }
        return [
            "\(names.name(signal.thread)) signaled another condition, \(names.name(signal.object))\(names.at(signal.site))."
        ]
    }

    /// The signals after the change, and the threads that they woke.
    private func signalLines(_ one: Case) -> [String] {
        let (sent, count) = (one.waiter.sent, one.waiter.sentCount)
        guard let first = sent.first else { return [] }
        if count == 1 {
            let woken = first.woken.map { names.name($0.thread) } ?? "another thread"
            let vain = first.isInVain ? ", which had nothing to do and waits again" : ""
            let place = names.place(first.signal.site).map { ", at \($0)," } ?? ""
            return ["The only signal of \(one.condition) after that\(place) woke \(woken)\(vain)."]
        }
        var seen: Set<ThreadID> = []
        let woken = sent.compactMap(\.woken?.thread).filter { seen.insert($0).inserted }
        let others = woken.isEmpty || count > sent.count ? ["others"] : []
        return [
            "The \(count) signals of \(one.condition) after that woke \(Names.list(woken.map(names.name) + others))."
        ]
    }

    /// A write in words: `boss changed stop at Pool.lab:29`.
    private func deed(_ change: UnwokenWaiters.Change) -> String {
        let write = change.write
        return "\(names.name(write.thread)) changed \(names.name(write.object))\(names.at(write.site))"
    }

    // MARK: - Advice

    /// What would have helped, for the first case in which something could have.
    var advice: String? { cases.lazy.compactMap(advice).first }

    private func advice(_ one: Case) -> String? {
        let waiter = one.waiter
        if one.wait.condition.map(names.isFutex) == true {
            guard waiter.change != nil, waiter.sent.isEmpty else { return nil }
            // Objects of a library wait on futexes and are not in the trace. One of them may be a latch whose count is
            // too low.
            return
                "Wake the threads that wait for \(one.condition) after each change of what they test. It may be part of a latch, "
                + "a semaphore, a lock or an atomic of the C++ library: the lines and calls of this report show of which. Then a "
                + "call may be missing that counts it down, releases it or notifies its waiters."
        }
        if waiter.isLate {
            return "Change the predicate with the mutex held: then nothing can come between the test and the wait."
        }
        if waiter.unheard != nil {
            return UnheardSignal.advice(waiter.mutexAtUnheard, one.wait.thread, in: names)
        }
        guard waiter.change != nil else { return nil }
        guard let last = waiter.sent.last else {
            return "Signal \(one.condition) after the change, before the mutex is released."
        }
        let isForOther = last.isInVain || last.woken.map { $0.site != one.wait.site } ?? false
        return isForOther
            ? "A signal wakes any waiter: threads that wait for different things need a condition each, or a broadcast."
            : "A signal wakes one waiter: a change that lets several continue needs a broadcast."
    }
}

extension UnwokenWaiters.Waiter {
    /// The place of the mistake, if it is not the wait itself.
    fileprivate var fault: SiteID? {
        if isLate { return (unheard ?? sent.last?.signal ?? change?.write)?.site }
        return (unheard ?? sent.last?.signal ?? misdirected)?.site
    }
}
