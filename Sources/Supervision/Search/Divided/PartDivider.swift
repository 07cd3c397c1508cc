import Exploration
import Glibc
import Machine

/// Divides a part of a search further, in a process of its own: random executions run the program's code.
package enum PartDivider {
    /// Must be called while the process has one thread: it forks.
    ///
    /// - Parameter most: of parts.
    /// - Returns: the parts. If there is one, it is the part itself, which cannot be divided.
    package static func divide(
        _ part: PlacedPart, of plan: SearchPlan, atMost most: Int
    ) throws(SupervisionFailed) -> [PlacedPart] {
        let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
        defer { signals.restore() }
        let choices = try SharedChoices(capacity: plan.rules.maximumSteps)
        var process = try WatchedProcess(choices, signals) { mailbox in
            let subject = plan.scenario.makeSubject(plan.rules, log: choices.log)
            mailbox.send(SearchWorker.News.division(Self.parts(of: part.part, subject, plan, atMost: most)))
        }
        let parts = try receive(from: &process, plan)
        // Whatever a process says that runs a scenario's code: only a division of the part is one.
        let isWhole = PartCover.flaw(of: parts, in: part.part) == nil
        if parts.count < 2 || !isWhole { return [part] }
        return parts.enumerated().map { PlacedPart(place: part.place + [$0.offset], $0.element) }
    }

    /// The parts, in this process.
    static func parts(
        of part: SearchPart, _ subject: any Subject, _ plan: SearchPlan, atMost most: Int,
        isStopped: @escaping () -> Bool = { false }
    ) -> [SearchPart] {
        let seed = plan.settings.seed
        if plan.strategy == .graphs {
            guard let subject = subject as? any GraphSearchable else { return [part] }
            return GraphDivision(part, of: subject, plan.rules, seed: seed, isStopped: isStopped).parts(atMost: most)
        }
        return Division(part, of: subject, seed: seed, forParts: most, isStopped: isStopped).parts(atMost: most)
    }

    /// A program that ends its process or hangs is not divided.
    private static func receive(
        from process: inout WatchedProcess, _ plan: SearchPlan
    ) throws(SupervisionFailed) -> [SearchPart] {
        var parts: [SearchPart] = []
        while true {
            if WatchedProcess.awaitNews(of: [process])[0] {
                do throws(DamagedMessage) {
                    let isThere = try process.receive { words throws(DamagedMessage) in
                        if case .division(let division) = try words.message() as SearchWorker.News { parts = division }
                    }
                    if isThere { continue }
                    process.reap()
                } catch {
                    process.end()
                }
                return parts
            }
            if plan.scenario.runsOwnCode && process.isStuck(for: plan.stepTime) {
                process.end()
                return []
            }
        }
    }
}
