import Arguments
import Authoring
import Diagnosis
import Exploration
import Machine
import Reports
import Supervision
import Text
import Trace

/// The options that control what may happen in a controlled run (`Rules`). A schedule repeats a run only under the same
/// rules.
package struct RuleOptions: OptionGroup {
    package let maximumSteps: Listed<Int>
    package let saved: ListedGroup<SavedRuleOptions>

    package init(_ list: inout OptionList) {
        list.head("What may happen in a controlled run")
        maximumSteps = list.integer(
            Rules.stepLimit, in: 1...Rules.mostSteps, default: RunPlan.defaultMaximumSteps,
            "Maximum steps of a controlled run; more if the scenario's parameters need them")
        saved = list.group()
    }
}

/// The options whose values a saved trace contains.
package struct SavedRuleOptions: OptionGroup {
    package let spurious: Listed<Int?>
    let timeouts: Listed<Rules.Timeouts>
    let waiters: Listed<Rules.Waiters>
    let fairness: Listed<Rules.Fairness>
    package let model: Listed<MemoryModel?>

    package init(_ list: inout OptionList) {
        spurious = list.spurious()
        timeouts = list.choice(
            "timeouts",
            [
                (
                    Rules.Timeouts.lazy,
                    "only when every thread is blocked or repeats itself, as if processors were infinitely fast"
                ),
                (.any, "at any moment, as if processors were arbitrarily slow"),
            ], default: .lazy, placeholder: "WHEN", "When waits may time out in a controlled run")
        waiters = list.choice(
            "waiters", [(Rules.Waiters.any, "any of them, as in POSIX"), (.fifo, "the one that has waited longest")],
            default: .any, placeholder: "WHICH", "Which waiter a signal wakes in a controlled run")
        fairness = list.choice(
            "fairness",
            [
                (Rules.Fairness.strong, "a thread that can step again and again does: locks are fair"),
                (.weak, "a thread that can step all the time does at some time"),
            ], default: .strong, placeholder: "KIND", "Which cycles a controlled run can follow forever")
        model = list.model("Which writes a read of an atomic may see in a controlled run")
    }
}

extension TypedArguments<SavedRuleOptions> {
    /// The rules that the options give, whatever program follows them.
    package func rules() throws(Complaint) -> Rules {
        var rules = Rules()
        rules.spuriousWakeups = self.spurious ?? 0
        rules.timeouts = self.timeouts
        rules.waiters = self.waiters
        rules.fairness = self.fairness
        rules.model = self.model ?? .sc
        return rules
    }

    /// The rules. If the user chose no memory model, they have the one that the program's own memory orders ask for.
    package func rules(of scenario: any Runnable) throws(Complaint) -> Rules {
        var rules = try rules()
        rules.model = self.model ?? scenario.ownModel
        return rules
    }
}

extension TypedArguments<RuleOptions> {
    /// The rules for a run or a search of the scenario.
    ///
    /// - Parameters:
    ///   - scenario: is replaced by the same program under the memory model.
    ///   - strategy: the strategy of the search, if the user chose one. If the user chose no model, and the strategy
    ///     does not support the program's own, the model is `sc`.
    package func rules(
        for scenario: inout any Runnable, searchedBy strategy: StrategyChoice? = nil
    ) throws(Complaint) -> Rules {
        var rules = try self.saved.rules(of: scenario)
        if self.saved.model == nil, let strategy, !strategy.follows(rules.model) { rules.model = .sc }
        rules.maximumSteps = maximumSteps(of: scenario)
        scenario = try rules.model.supported(by: scenario)
        scenario.adapt(&rules)
        rules.limitSteps()
        return rules
    }

    private func maximumSteps(of scenario: any Runnable) -> Int {
        isGiven(\.maximumSteps) ? self.maximumSteps : scenario.defaultMaximumSteps
    }

    /// The rules under which a saved trace of the scenario was made, with the step limit of `--max-steps` if given.
    package func rules(of saved: TraceHeader, for scenario: inout any Runnable) throws(Complaint) -> Rules {
        var rules = try saved.rules(for: &scenario, maximumSteps: maximumSteps(of: scenario))
        if isGiven(\.maximumSteps) { rules.maximumSteps = self.maximumSteps }
        return rules
    }
}

extension TraceHeader {
    /// The rules under which its run was made.
    ///
    /// - Parameters:
    ///   - scenario: is replaced by the same program under the memory model.
    ///   - maximumSteps: the step limit, unless the header contains one.
    package func rules(for scenario: inout any Runnable, maximumSteps: Int) throws(Complaint) -> Rules {
        var changed = try changedRules(maximumSteps: maximumSteps)
        scenario = try changed.model.supported(by: scenario)
        changed.isSequential = scenario.isSequential
        return changed
    }

    /// The rules that the header contains, whatever program follows them.
    func changedRules(maximumSteps: Int) throws(Complaint) -> Rules {
        var changed = Rules(maximumSteps: maximumSteps)
        for rule in rules {
            guard changed.change(rule.name, to: rule.value) else {
                throw Complaint("the saved trace has an unknown rule '\(rule.name)=\(rule.value)'".printable)
            }
        }
        return changed
    }
}

extension OptionList {
    /// The option `--model` of commands whose runs are controlled.
    package mutating func model(_ help: String) -> Listed<MemoryModel?> {
        choice(
            "model", KnownWord("auto", "what the program's own memory orders allow: rc11 if one is weaker than seqcst"),
            or: [
                (MemoryModel.sc, "the newest write in an order of all steps (sequential consistency)"),
                (.tso, "a thread's own writes early, as on x86"),
                (.rc11, "what the orders of C++ and Swift allow"),
            ], placeholder: "MODEL", help)
    }

    package mutating func spurious() -> Listed<Int?> {
        integer(
            "spurious", in: 0...Rules.mostSpuriousWakeups,
            "Maximum spurious wake-ups, and spurious failures of weak compare-exchanges, in an execution; by default none in a run, "
                + "and in a search first none and then one")
    }
}

extension MemoryModel {
    /// The program as it runs under the model.
    ///
    /// - Parameter alone: whether only the program's claims for this model count.
    /// - Throws: if the program's executions cannot follow the model.
    package func supported(by scenario: any Runnable, alone: Bool = false) throws(Complaint) -> any Runnable {
        if self == .sc && !alone { return scenario }
        if !scenario.isSequential, let obstacle = scenario.obstacle(under: self) {
            throw Complaint("\(obstacle)".printable)
        }
        do { return try scenario.under(self, alone: alone) } catch { throw Complaint("\(error)".printable) }
    }
}

/// The options of commands that print traces: how much of one is shown, and how wide.
package struct RowOptions: OptionGroup {
    let width: Listed<Int?>
    package let all, insides, code, modificationOrder: Listed<Bool>

    package init(_ list: inout OptionList) {
        list.head("What is shown of a trace")
        width = list.integer(
            "width", in: 20...10_000,
            "Width of the output in columns, by default the terminal's; as wide as needed in a file or pipe")
        all = list.flag("all", "Show every step of a long trace, repeated cycles included")
        insides = list.flag("insides", "Also show the steps inside built objects, such as those of a barrier's lock")
        code = list.flag("code", "Show the source line beside each step of the lanes")
        modificationOrder = list.flag(
            "modification-order", "List the writes of each atomic in the order in which they replace each other")
    }

    /// The maximum number of rows of a trace on a terminal: earlier rows would scroll out of reach.
    fileprivate static let mostRows = 200
    /// The maximum number of rows in a file or pipe: a run of a compiled program can have a million.
    fileprivate static let mostRowsInFile = 500
}

extension TypedArguments<RowOptions> {
    /// Sets the members of the report's options that these options decide.
    ///
    /// - Parameter options: the row width is nil if the output goes to a file or a pipe.
    package func apply(to options: inout ReportOptions) {
        options.showsCode = self.code
        options.showsModificationOrder = self.modificationOrder
        options.showsInsides = self.insides
        options.foldsCycles = !self.all
        options.mostRows =
            self.all ? nil : options.rowWidth == nil ? RowOptions.mostRowsInFile : RowOptions.mostRows
        guard let chosen = self.width else { return }
        options.width = chosen
        options.rowWidth = chosen
    }
}

/// Whether a command's output is for people or for scripts.
package enum OutputForm: String, CaseIterable {
    case text, json
}

extension OptionList {
    package mutating func outputForm() -> Listed<OutputForm> {
        choice("format", default: .text, placeholder: "FORMAT", "Output format")
    }

    mutating func diagnose() -> Listed<String?> {
        text(
            DiagnoseOption.name, placeholder: "WHICH", of: .findings,
            "Findings to report: 'all', 'none', or a list such as TL103,race; by default faults and warnings")
    }

    package mutating func schedule(_ help: String) -> Listed<String?> {
        text(ScheduleText.name, placeholder: "S", help)
    }
}

/// The option `--diagnose`: which findings are reported.
package enum DiagnoseOption {
    package static let name = "diagnose"

    package static func selection(_ which: String?, _ session: Session) throws(Complaint) -> FindingSelection {
        switch which {
        case nil: return .important
        case "all": return .all
        case "none": return .none
        case let list?:
            var codes: Set<FindingCode> = []
            for word in list.split(separator: ",", omittingEmptySubsequences: false) {
                codes.insert(try code(String(word), session))
            }
            return .only(codes)
        }
    }

    private static func code(_ word: String, _ session: Session) throws(Complaint) -> FindingCode {
        if let code = FindingCode(word: word) { return code }
        let all = FindingCode.allCases
        let known = ["all", "none"] + all.map(\.name) + all.map(\.rawValue)
        let hint = closest(to: word, among: known).map { "did you mean '\($0)'?" }
        throw Complaint(
            "--\(name): '\(word.printable)' is not a finding: "
                + "\(hint ?? "'\(session.program) explain' lists them")"
        )
    }
}

/// Schedules typed on the command line.
package enum ScheduleText {
    package static let name = "schedule"

    package static func read(_ text: String) throws(Complaint) -> Schedule {
        do throws(Schedule.ParseError) {
            return try Schedule(parsing: text)
        } catch {
            throw Complaint("--\(name): \(error.message.printable)")
        }
    }
}

extension OptionList {
    /// The option of commands that can treat a file as a submission.
    package mutating func against() -> Listed<String?> {
        file("against", placeholder: "TASK", "Hold the file to the claims and limits of this .lab file, not to its own")
    }
}

/// Former options of commands that make a trace. `export` writes their files now.
package enum FormerExports {
    package static func options(and others: [String: FormerOption] = [:]) -> [String: FormerOption] {
        let exports: [String: FormerOption] = [
            "svg": .line("export NAME drawing.svg"), "film": .line("export NAME film.svg --as film"),
            "perfetto": .line("export NAME run.pftrace"), "shiviz": .line("export NAME run.log"),
        ]
        return exports.merging(others) { $1 }
    }
}
