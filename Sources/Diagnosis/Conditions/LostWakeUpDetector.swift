import Trace

/// Finds lost wake-ups: a signal is sent while no thread waits, and a thread then waits for it and is not woken.
///
/// That alone is not a fault: many signals find no waiter, and a thread that tests first need not wait. It is a fault
/// if the signal came between the thread's test and its wait, so that the test was out of date; or if the thread waited
/// without a test and the run got stuck. If the program's text says what the thread tests (`EventKind.conditionMet`),
/// the signal was lost only if the test was out of date when the wait began. Conditions inside built objects and
/// futexes are not examined.
package struct LostWakeUpDetector: Detector {
    /// A signal that a waiting thread may have missed.
    private struct Loss {
        var signal: Event
        var wait: Event
        /// The thread's first read before the wait. Nil if it read nothing: a wait without a test.
        var look: Looks.Look?
        /// The mutex of the wait, if the thread held it when the signal was sent.
        var mutex: ObjectID?
        var isTimeout = false
    }

    /// A place in the program. Of the waits there that ended at their time limit, one loss is reported.
    private struct Spot: Hashable {
        var condition: ObjectID
        var site: SiteID
    }

    /// The last signal of each condition that found no waiter.
    private var unheard = PerObject<UnheardSignal?>(nil)
    /// Whether the predicate of a thread that is about to wait is true. Nil if that is not known.
    private var isMet = PerThread<Bool?>(nil)
    /// Possible losses of the threads that wait now.
    private var suspicions = PerThread<Loss?>(nil)
    /// Losses of waits that ended at their time limit.
    private var losses: [Spot: Loss] = [:]
    private var hasReachedEnd = false

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        let effect = event.kind.effect
        let isTest = event.kind == .conditionMet || event.kind == .conditionUnmet
        if isTest && event.valueAsThread == event.thread { isMet[event.thread] = event.kind == .conditionMet }
        if effect.isSignal && run.graph.waiters(of: event.object).isEmpty {
            unheard[event.object] = UnheardSignal(event, run)
        }
        if effect == .park { suspicions[event.thread] = suspicion(of: event, run) }
        if case .unpark(let isTimeout) = effect { endWait(event, isTimeout) }
        if effect.isOwnEnd { hasReachedEnd = true }
    }

    /// The loss of which a thread that begins to wait may be the victim; nil if it has missed no signal.
    private mutating func suspicion(of wait: Event, _ run: RunState) -> Loss? {
        // A predicate that was false when the thread began to wait: its test was not out of date.
        let isUnmet = isMet[wait.thread] == false
        isMet[wait.thread] = nil
        guard !isUnmet, let unheard = unheard[wait.object], unheard.signal.thread != wait.thread else { return nil }
        var loss = Loss(signal: unheard.signal, wait: wait)
        guard let first = run.looks(of: wait.thread).first else {
            loss.mutex = unheard.mutex(heldBy: run.graph.wait(of: wait.thread))
            return loss
        }
        loss.look = first
        return unheard.number > first.number ? loss : nil
    }

    private mutating func endWait(_ event: Event, _ isTimeout: Bool) {
        guard var loss = suspicions[event.thread] else { return }
        suspicions[event.thread] = nil
        guard isTimeout, loss.look != nil else { return }
        loss.isTimeout = true
        losses[Spot(condition: event.object, site: loss.wait.site)] = loss
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        // A wait without a test is a fault only in a run that got stuck.
        let stuck = suspicions.all.compactMap(\.value).filter { $0.look != nil || !hasReachedEnd }
        let ended = losses.values.sorted {
            ($0.wait.time, $0.wait.object, $0.wait.site.index) < ($1.wait.time, $1.wait.object, $1.wait.site.index)
        }
        return (stuck + ended).filter { names.hasMutex(condition: $0.wait.object) }.map { finding($0, names) }
    }

    private func finding(_ loss: Loss, _ names: Names) -> Finding {
        let waiter = names.name(loss.wait.thread)
        let condition = names.name(loss.wait.object)
        let sender = names.name(loss.signal.thread)
        let look = loss.look.map { "\(waiter) reads \(names.name($0.object))\(names.at($0.site))." }
        let end = loss.isTimeout ? "and is not woken before its time limit" : "and is never woken"
        return Finding(
            .lostWakeUp,
            summary: "\(sender)'s signal of \(condition) came before \(waiter) waited for it, and was lost.",
            story: [look].compactMap(\.self) + [
                "\(sender) signals \(condition)\(names.at(loss.signal.site)) while no thread is waiting: "
                    + "a condition does not remember signals.",
                "\(waiter) waits for \(condition)\(names.at(loss.wait.site)), \(end).",
            ],
            advice: loss.look == nil
                ? UnheardSignal.advice(loss.mutex, loss.wait.thread, in: names)
                : "Change the predicate with the mutex held: then nothing can come between the test and the wait.",
            threads: [loss.signal.thread, loss.wait.thread], objects: [loss.wait.object, loss.look?.object ?? .none],
            sites: [loss.look?.site ?? .unknown, loss.signal.site, loss.wait.site], fault: loss.signal.site)
    }
}
