import Console
import Litmus
import Machine
import Reports
import Supervision
import Text
import Trace

/// The outcomes of a litmus test: how often each occurred, and which memory models allow it.
struct LitmusReport {
    private let label: String
    private let program: LitmusProgram
    private let plan: LitmusRun.Plan
    private let run: LitmusMeasurement
    private let models: ModelTable

    init(
        _ label: String, _ program: LitmusProgram, _ plan: LitmusRun.Plan, _ run: LitmusMeasurement,
        _ models: ModelTable
    ) {
        self.label = label
        self.program = program
        self.plan = plan
        self.run = run
        self.models = models
    }

    private var histogram: Histogram { run.result.histogram }

    /// The first observed outcome that the processor's memory model does not allow. Nil: there is none, or the model is
    /// not known.
    var contradiction: LitmusOutcome? {
        Processors.memoryModel.flatMap { models.contradiction(in: histogram, of: $0) }
    }

    // MARK: - For people

    func write(_ options: ReportOptions, to sink: inout ByteSink) {
        sink.write(heading)
        sink.endLine()
        sink.endLine()
        writeTable(to: &sink)
        for note in notes {
            sink.endLine()
            note.write(options, to: &sink)
        }
    }

    private var heading: String {
        let seconds = Double(run.result.time) / 1e9
        let rate = seconds > 0 ? Int(Double(histogram.rounds) / seconds) : 0
        let count = program.threads.count
        let processors = LitmusRun.processors
        let place =
            switch (plan.isPinned, count <= processors) {
            case (false, _): "free to move between \(processors) processors"
            case (true, true): "each on a processor of its own"
            case (true, false): "in turns on \(processors) processor\(processors == 1 ? "" : "s")"
            }
        return
            "'\(label.printable)': \(histogram.rounds.grouped) rounds, \(rate.grouped) a second\n"
            + "\(count) thread\(count == 1 ? "" : "s"), \(place): \((Processors.model ?? "unknown").printable)"
    }

    private func writeTable(to sink: inout ByteSink) {
        let header = ["count", "share", "outcome", "memory"] + MemoryModel.allCases.map(\.rawValue)
        let lines = [header] + histogram.rows.map(line)
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        for line in lines {
            var text = ""
            for (column, width) in widths.enumerated() {
                let blanks = String(repeating: " ", count: width - line[column].count)
                // The count and the share are numbers, and aligned at the right.
                text += (column < 2 ? blanks + line[column] : line[column] + blanks) + "  "
            }
            while text.last == " " { text.removeLast() }
            sink.write(text)
            sink.endLine()
        }
        guard histogram.others > 0 else { return }
        sink.write("and \(histogram.others.grouped) rounds with other outcomes")
        sink.endLine()
    }

    private func line(_ row: Histogram.Row) -> [String] {
        ["\(row.count)", share(row.count), row.outcome.ending.rawValue, memory(row.outcome)]
            + MemoryModel.allCases.map { model in
                switch models.verdict(row.outcome, model) {
                case .yes: "yes"
                case .no: "no"
                case .unknown: "?"
                }
            }
    }

    /// A percentage with three decimal places: one round in a hundred thousand matters.
    private func share(_ count: Int) -> String {
        let thousandths = (count * 100_000 + histogram.rounds / 2) / max(1, histogram.rounds)
        let decimals = String(thousandths % 1000)
        return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - decimals.count))\(decimals)%"
    }

    /// The observed values at the end of a round: `x=1 y=0`.
    private func memory(_ outcome: LitmusOutcome) -> String {
        zip(program.observed, outcome.values).map { value, number in
            "\(value.name)=\(WordText.text(number, isBoolean: value.isBoolean))"
        }.joined(separator: " ").printable
    }

    private var notes: [Statement] {
        var notes: [Statement] = []
        if let outcome = contradiction, let model = Processors.memoryModel {
            var note = Statement(
                "error",
                "\(model.rawValue) does not allow the outcome '\(name(outcome))', and this processor showed it.",
                isGood: false)
            note.paragraphs = ["threadlab or this machine has an error. Please report it with the program."]
            notes.append(note)
        }
        if run.signal != nil || run.isOutOfTime {
            let why = run.signal != nil ? "interrupted" : "the time is over; --time allows more"
            notes.append(
                Statement("ended early", "\(why). \(plan.rounds.grouped) rounds were asked for.", isGood: false))
        }
        for (names, reason) in unknownModels {
            notes.append(Statement("unknown (\(names))", "\(reason).", isGood: true))
        }
        return notes
    }

    /// The models whose outcomes are not known, by reason.
    private var unknownModels: [(names: String, reason: String)] {
        models.unknown.reduce(into: [(names: String, reason: String)]()) { rows, next in
            if let row = rows.firstIndex(where: { $0.reason == next.reason }) {
                rows[row].names += ", \(next.model.rawValue)"
            } else {
                rows.append((next.model.rawValue, next.reason))
            }
        }
    }

    /// The outcome in a sentence: its values or, if the round did not complete, how it ended.
    private func name(_ outcome: LitmusOutcome) -> String {
        outcome.ending == .completed ? memory(outcome) : outcome.ending.rawValue
    }

    // MARK: - For scripts

    func writeJSON(to sink: inout ByteSink) {
        sink.writeLine { json in
            json.member("scenario", label)
            json.member("rounds", histogram.rounds)
            json.member("nanoseconds", run.result.time)
            json.member("threads", program.threads.count)
            json.member("pinned", plan.isPinned)
            json.member("processors", LitmusRun.processors)
            json.member("processor", Processors.model)
            json.member("stop", run.signal != nil ? "interrupted" : run.isOutOfTime ? "time" : nil)
            json.member("processorModel", Processors.memoryModel?.rawValue)
            json.member("contradiction", contradiction != nil)
            json.array("models", MemoryModel.allCases.filter { models.isKnown($0) }.map(\.rawValue))
            json.objects("outcomes", histogram.rows) { write($0, to: &$1) }
            json.member("others", histogram.others)
        }
        sink.flush()
    }

    private func write(_ row: Histogram.Row, to json: inout JSONObject) {
        json.member("outcome", row.outcome.ending.rawValue)
        json.member("count", row.count)
        json.object("memory") { json in
            for (value, number) in zip(program.observed, row.outcome.values) { json.member(named: value.name, number) }
        }
        for model in MemoryModel.allCases {
            json.member(named: model.rawValue, models.verdict(row.outcome, model).rawValue)
        }
    }
}

extension Processors {
    /// The memory model of the processor. Nil: it is not one of those in the table.
    static var memoryModel: MemoryModel? {
        #if arch(x86_64)
            .tso
        #else
            nil
        #endif
    }
}
