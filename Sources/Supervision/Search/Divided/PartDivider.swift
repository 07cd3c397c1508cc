import Exploration
import Glibc
import Machine

/// Divides parts of a divided search further. How a part can be divided is found out by random executions, which run
/// the program's code, so this happens in a separate process.
package struct PartDivider {
    /// The parts in the order of the search. A part that was divided is replaced by its parts.
    package private(set) var parts: [PlacedPart] = []
    /// Whether the time was over, or a signal came, before all parts were examined. The remaining parts are unchanged.
    package private(set) var isCut = false
    /// The signal that interrupted the division. Nil: none did.
    package private(set) var signal: Int32?

    /// The time that the process has to stop by itself, in nanoseconds.
    private static let grace: UInt64 = 500_000_000

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Parameters:
    ///   - most: the maximum number of parts into which one part is divided.
    ///   - deadline: when to stop. Parts that have not been examined by then remain as they are.
    package static func divide(
        _ parts: [PlacedPart], of plan: SearchPlan, atMost most: Int, until deadline: Deadline
    ) throws(SupervisionFailed) -> PartDivider {
        var divider = PartDivider()
        if parts.isEmpty || most < 2 {
            divider.parts = parts
            return divider
        }
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        let choices = try SharedChoices(capacity: plan.rules.maximumSteps)
        var divisions: [[SearchPart]] = []
        while divisions.count < parts.count && divider.signal == nil && !deadline.isOver {
            let rest = parts[divisions.count...]
            var process = try WatchedProcess(choices, signals) { mailbox in
                let subject = plan.scenario.makeSubject(plan.rules, log: choices.log)
                for part in rest where !deadline.isOver {
                    let divided = Self.parts(of: part.part, subject, plan, atMost: most) { deadline.isOver }
                    mailbox.send(SearchWorker.News.division(divided))
                }
            }
            while divider.receive(&divisions, from: &process, plan) {
                divider.signal = signals.wait(nanoseconds: 0)
                if divider.signal != nil || deadline.isOver(by: grace) {
                    process.end()
                    break
                }
            }
            // If parts are left, an execution of the next one has ended the process. That part remains whole, and
            // another process divides the parts after it.
            if divisions.count < parts.count && divider.signal == nil && !deadline.isOver { divisions.append([]) }
        }
        divider.isCut = divider.signal != nil || deadline.isOver
        for (number, part) in parts.enumerated() {
            divider.add(part, divisions.indices.contains(number) ? divisions[number] : [])
        }
        return divider
    }

    /// Adds a part or its division. The division comes from a process that runs a scenario's code, so it is checked.
    private mutating func add(_ part: PlacedPart, _ division: [SearchPart]) {
        if division.count < 2 || PartCover.flaw(of: division, in: part.part) != nil {
            parts.append(part)
        } else {
            parts += division.enumerated().map { PlacedPart(place: part.place + [$0.offset], $0.element) }
        }
    }

    /// Receives what the process sends, and ends a process that hangs.
    ///
    /// - Returns: whether more may follow.
    private func receive(
        _ divisions: inout [[SearchPart]], from process: inout WatchedProcess, _ plan: SearchPlan
    ) -> Bool {
        if WatchedProcess.awaitNews(of: [process])[0] {
            do throws(DamagedMessage) {
                let isThere = try process.receive { words throws(DamagedMessage) in
                    if case .division(let division) = try words.message() as SearchWorker.News {
                        divisions.append(division)
                    }
                }
                if !isThere { process.reap() }
                return isThere
            } catch {
                process.end()
                return false
            }
        }
        guard plan.scenario.runsOwnCode && process.isStuck(for: plan.stepTime) else { return true }
        process.end()
        return false
    }

    /// Divides a part in this process.
    static func parts(
        of part: SearchPart, _ subject: any Subject, _ plan: SearchPlan, atMost most: Int,
        isStopped: @escaping () -> Bool
    ) -> [SearchPart] {
        let seed = plan.settings.seed
        if plan.strategy == .graphs {
            guard let subject = subject as? any GraphSearchable else { return [part] }
            return GraphDivision(part, of: subject, plan.rules, seed: seed, isStopped: isStopped).parts(atMost: most)
        }
        return Division(part, of: subject, seed: seed, forParts: most, isStopped: isStopped).parts(atMost: most)
    }
}
