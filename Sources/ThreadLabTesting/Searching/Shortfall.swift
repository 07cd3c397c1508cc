import Diagnosis
import Exploration
import Supervision
import Text

/// The gaps of a search that has found nothing, but has not tried everything that it should: the text with which the
/// test then fails or warns.
struct Shortfall {
    private let result: SearchResult
    private let plan: SearchPlan
    private let search: ScheduleSearch

    /// Nil: the search has tried everything that it should, or the test accepts gaps.
    init?(_ result: SearchResult, _ plan: SearchPlan, _ search: ScheduleSearch) {
        guard search.shortfall != .isAccepted, !Self.isComplete(result, plan, search) else { return nil }
        self.result = result
        self.plan = plan
        self.search = search
    }

    /// Whether the search has tried everything that its strategy should.
    private static func isComplete(_ result: SearchResult, _ plan: SearchPlan, _ search: ScheduleSearch) -> Bool {
        if result.isProof { return true }
        // A search that must not fall short is expected to prove something.
        if search.shortfall == .fails { return false }
        switch search.strategy {
        case nil, .dpor, .graphs, .states, .dfs: return false
        case .preempt: return result.bounded.contains(.preempt)
        // These strategies never try everything. They should reach their number of executions, if one was given.
        case .random, .pct, .pos, .urw, .surw, .roundRobin, .delay:
            return result.stop != .time || plan.executions == .max
        }
    }

    var failure: TestFailure? { search.shortfall == .fails ? TestFailure(text) : nil }

    var warning: String? { search.shortfall == .warns ? text : nil }

    private var text: String {
        "no schedule was found that fails, but not all were tried: "
            + ([tried] + [sample].compactMap(\.self) + result.gaps.compactMap(reason)).joined(separator: "; ")
            + ". Allow more \(limit), make the program smaller, or accept this with '.orIncomplete'."
    }

    private var tried: String {
        let counts = result.counts
        let steps = "\(Names.count(counts.steps, "step")), the longest execution \(counts.longest)"
        let time = plan.time == .max ? "" : " in \(plan.time.readable)"
        return "\(Names.count(counts.executions, "execution"))\(time), \(steps)"
    }

    private var limit: String {
        result.counts.executions >= plan.executions ? "executions" : "time"
    }

    /// An estimate, from random executions, of what was not tried.
    private var sample: String? {
        guard result.sample.executions > 0 else { return nil }
        let random = Names.count(result.sample.executions, "random execution")
        let percent = Int((result.sample.chanceOfNew * 100).rounded(.up))
        return "\(random) had \(result.sample.count) different orders of steps, so that another one is new with a "
            + "probability of about \(percent) %"
    }

    /// The words for a gap. Nil: the rest of the text says it.
    private func reason(_ gap: Gap) -> String? {
        switch gap {
        case .abandoned(let obstacle):
            "the search \(obstacle.isOfGraphs ? "of graphs" : "by partial orders") was abandoned, because \(obstacle)"
        case .noProver(let part): "\(part.printable) has no search under \(plan.rules.model.rawValue) that ends"
        case .cutOff(let executions):
            "\(Names.count(executions, "execution")) reached the limit of \(result.stepLimit) steps"
        // Not even the search without spurious wake-ups, under sc, has tried everything: the text says so already.
        case .wider where result.total == nil: nil
        case .wider(.spurious): "all were tried without spurious wake-ups, and not all with one"
        case .wider(.weakOrders):
            "all were tried under sc; but memory orders are weaker, and not all were tried under rc11"
        case .escaped(let sentence):
            sentence.printable.hasSuffix(".") ? String(sentence.printable.dropLast()) : sentence.printable
        case .memory: "the states need more memory"
        case .unfinished, .bound, .swarm, .hashes, .uncontrolled: nil
        }
    }
}
