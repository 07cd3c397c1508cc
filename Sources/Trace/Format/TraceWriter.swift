/// Writes the format of saved traces (docs/trace-format.md). Every document can be written; reading the output gives an
/// equal one, if it is within the limits of `TraceReader`.
///
/// It is a class because the closures that write lines would capture copies of a structure.
package final class TraceWriter {
    private let trace: TraceDocument
    private let threads: ReferenceTable
    private let objects: ReferenceTable
    private var sites: ReferenceTable
    private var texts: ReferenceTable
    /// The number of remarks whose words have been written.
    private var knownRemarks = 0

    /// - Parameter writeBeforeOutcome: writes lines that a reader skips. The outcome remains the last line.
    package static func write(
        _ trace: TraceDocument, to sink: inout ByteSink, _ writeBeforeOutcome: (inout ByteSink) -> Void = { _ in }
    ) {
        let writer = TraceWriter(trace)
        write(trace.header, version: version(of: trace), to: &sink)
        writer.writeThreadsAndObjects(to: &sink)
        for (index, event) in trace.events.enumerated() {
            writer.write(event, index + 1, to: &sink)
        }
        writer.writeUnusedTables(to: &sink)
        writeBeforeOutcome(&sink)
        writer.writeOutcome(to: &sink)
    }

    private init(_ trace: TraceDocument) {
        self.trace = trace
        threads = ReferenceTable(trace.threads.map(\.name))
        objects = ReferenceTable(trace.objects.map { $0?.name })
        // A site with calls has a line of its own.
        sites = ReferenceTable(trace.sites.map { $0.flatMap { $0.calls.isEmpty ? $0.place : nil } })
        texts = ReferenceTable(trace.texts)
        // Every reader knows site 0, which is the unknown one.
        _ = sites.entriesToDeclare(for: 0)
    }

    // MARK: - Before the events

    /// The lowest version with which the trace is understood: a reader of the version without memory orders would take
    /// every operation for sequentially consistent.
    private static func version(of trace: TraceDocument) -> Int {
        let hasOrders = trace.events.contains { $0.order != .seqcst || $0.kind == .fence }
        return hasOrders ? TraceHeader.currentVersion : TraceHeader.versionWithoutOrders
    }

    /// Writes the header's line, which alone is a valid trace without events.
    package static func write(
        _ header: TraceHeader, version: Int = TraceHeader.versionWithoutOrders, to sink: inout ByteSink
    ) {
        sink.writeLine { json in
            json.member("threadlab", version)
            json.member("scenario", header.scenario)
            json.object("parameters") { write(header.parameters, to: &$0) }
            json.member("runtime", header.runtime.rawValue)
            json.member("seed", header.seed)
            json.member("schedule", header.schedule)
            if !header.rules.isEmpty { json.object("rules") { write(header.rules, to: &$0) } }
            if let program = header.program { json.object("program") { write(program, to: &$0) } }
        }
    }

    private static func write(_ program: TraceHeader.Program, to json: inout JSONObject) {
        switch program {
        case .text(let text): json.member("text", text)
        case .compiled(let build):
            json.member("package", build.package)
            json.member("version", build.version)
            json.member("digest", build.digest)
            json.member("steps", build.steps)
        }
    }

    private static func write(_ parameters: [TraceHeader.Parameter], to json: inout JSONObject) {
        for parameter in parameters { json.member(named: parameter.name, parameter.value) }
    }

    /// Writes the threads, the objects, and the numbers of dropped and omitted events.
    private func writeThreadsAndObjects(to sink: inout ByteSink) {
        for (index, thread) in trace.threads.enumerated() {
            sink.writeLine { json in
                json.member("thread", index)
                json.member("name", thread.name)
            }
        }
        for (index, object) in trace.objects.enumerated().dropFirst() {
            sink.writeLine { json in
                json.member("object", index)
                guard let object else { return }
                json.member("kind", object.kind.rawValue)
                json.member("name", object.name)
                if object.maker != .main { json.member("maker", object.maker.index) }
                if object.owner != .none { json.member("inside", object.owner.index) }
                if let permits = object.permits { json.member("permits", permits) }
                if let origin = object.origin { json.object("made") { origin.write(to: &$0) } }
            }
        }
        for (address, name) in trace.targets.sorted(by: { $0.key < $1.key }) {
            sink.writeLine { json in
                json.member("address", address)
                json.member("name", name)
            }
        }
        if trace.dropped > 0 { sink.writeLine { $0.member("dropped", trace.dropped) } }
        if trace.omitted > 0 { sink.writeLine { $0.member("omitted", trace.omitted) } }
    }

    /// Writes lines for these sites.
    private func declare(sites indices: Range<Int>, to sink: inout ByteSink) {
        for index in indices {
            sink.writeLine { json in
                json.member("site", index)
                json.member("at", trace.sites[index]?.place)
                if let calls = trace.sites[index]?.calls, !calls.isEmpty {
                    json.objects("calls", calls) { $0.write(to: &$1) }
                }
            }
        }
    }

    private func declare(texts indices: Range<Int>, to sink: inout ByteSink) {
        for index in indices {
            sink.writeLine { json in
                json.member("text", index)
                json.member("says", trace.texts[index])
            }
        }
    }

    private func declareRemarks(upTo number: Int, to sink: inout ByteSink) {
        while knownRemarks < min(number, trace.remarks.count) {
            let remark = trace.remarks[knownRemarks]
            knownRemarks += 1
            sink.writeLine { json in
                json.member("remark", knownRemarks)
                json.member("name", remark.name)
                json.member("verb", remark.verb)
                if remark.value != .none { json.member("value", remark.value.rawValue) }
                json.member("counts", remark.counts?.rawValue)
                if !remark.explanation.isEmpty { json.member("says", remark.explanation) }
            }
        }
    }

    // MARK: - Events

    private func write(_ event: Event, _ number: Int, to sink: inout ByteSink) {
        let site = Int(event.site.index)
        declare(sites: sites.entriesToDeclare(for: site), to: &sink)
        if event.kind == .remark { declareRemarks(upTo: Int(event.remark.index), to: &sink) }
        if trace.meaning(of: event) == .text {
            declare(texts: texts.entriesToDeclare(for: Int(event.value), showsRepeats: true), to: &sink)
        }

        sink.writeLine { json in
            json.member("n", number)
            json.member("t", event.time)
            json.member("thread", threads.reference(Int(event.thread.index)))
            json.member("kind", trace.name(of: event))
            if event.remark != .none && trace.remark(of: event) == nil { json.member("remark", event.remark.index) }
            if event.object != .none { json.member("object", objects.reference(Int(event.object.index))) }
            writeValue(of: event, to: &json)
            if event.order != .seqcst { json.member("order", event.order.word) }
            if event.site != .unknown { json.member("at", sites.reference(site)) }
        }
    }

    private func writeValue(of event: Event, to json: inout JSONObject) {
        let index = Int(event.value)
        switch trace.meaning(of: event) {
        case .none where event.value == 0: break
        case let meaning where meaning.isNumber && event.value == Event.noNumber: json.member("value", JSONText.null)
        case .none, .number, .result, .ticket, .signal, .nanoseconds, .bytes: json.member("value", event.value)
        case .thread: json.member("value", threads.reference(index))
        case .object: json.member("value", objects.reference(index))
        case .text:
            if trace.texts.indices.contains(index) {
                json.member("text", trace.texts[index])
                if !texts.isRepeated[index] { return }
            }
            json.member("value", event.value)
        case .misuse:
            if let misuse = UInt8(exactly: event.value).flatMap(MisuseKind.init(rawValue:)) {
                json.member("value", misuse.identifier)
            } else {
                json.member("value", event.value)
            }
        case .order:
            if let order = event.valueAsOrder {
                json.member("value", order.word)
            } else {
                json.member("value", event.value)
            }
        }
    }

    // MARK: - After the events

    /// Writes lines for the remarks, sites and texts to which no event refers.
    private func writeUnusedTables(to sink: inout ByteSink) {
        declareRemarks(upTo: trace.remarks.count, to: &sink)
        declare(sites: sites.entriesLeft(), to: &sink)
        declare(texts: texts.entriesLeft(), to: &sink)
    }

    private func writeOutcome(to sink: inout ByteSink) {
        guard let outcome = trace.outcome else { return }
        sink.writeLine { json in
            json.object("outcome") { json in
                json.member("kind", outcome.kind.rawValue)
                json.member("summary", outcome.summary)
                json.array("details", outcome.details)
                json.member("guide", outcome.guide)
            }
        }
    }
}

extension TraceDocument.Site {
    fileprivate var place: String { "\(file):\(line)" }
}

extension TraceDocument.Site.Call {
    fileprivate func write(to json: inout JSONObject) {
        json.member("in", function)
        json.member("at", "\(file):\(line)")
    }
}
