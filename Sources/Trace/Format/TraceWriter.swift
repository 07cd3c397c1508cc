/// Writes the saved trace format (docs/trace-format.md). Every document can be written, and reads back equal.
package struct TraceWriter {
    private let trace: TraceDocument
    private let threads: ReferenceTable
    private let objects: ReferenceTable
    private var sites: ReferenceTable
    private var texts: ReferenceTable

    /// - Parameter writeBeforeOutcome: writes lines that a reader skips. The outcome is the last line.
    package static func write(
        _ trace: TraceDocument, to sink: inout ByteSink, _ writeBeforeOutcome: (inout ByteSink) -> Void = { _ in }
    ) {
        var writer = TraceWriter(trace)
        write(trace.header, to: &sink)
        writer.writeCast(to: &sink)
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
        sites = ReferenceTable(trace.sites.map { $0.map { "\($0.file):\($0.line)" } })
        texts = ReferenceTable(trace.texts)
        _ = sites.entriesToDeclare(for: 0)
    }

    // MARK: - Before the events

    /// Writes the header's line, which is by itself a trace without events.
    package static func write(_ header: TraceHeader, to sink: inout ByteSink) {
        sink.write("{\"threadlab\":\(header.version),\"scenario\":")
        sink.write(json: header.scenario)
        sink.write(",\"parameters\":")
        write(header.parameters, to: &sink)
        sink.write(",\"runtime\":\"\(header.runtime.rawValue)\"")
        if let seed = header.seed { sink.write(",\"seed\":\(seed)") }
        if let schedule = header.schedule {
            sink.write(",\"schedule\":")
            sink.write(json: schedule)
        }
        if !header.rules.isEmpty {
            sink.write(",\"rules\":")
            write(header.rules, to: &sink)
        }
        sink.write(UInt8(ascii: "}"))
        sink.endLine()
    }

    private static func write(_ parameters: [TraceHeader.Parameter], to sink: inout ByteSink) {
        sink.write(UInt8(ascii: "{"))
        for (index, parameter) in parameters.enumerated() {
            if index > 0 { sink.write(UInt8(ascii: ",")) }
            sink.write(json: parameter.name)
            sink.write(UInt8(ascii: ":"))
            sink.write(json: parameter.value)
        }
        sink.write(UInt8(ascii: "}"))
    }

    /// Writes the threads and objects, and the number of dropped events.
    private func writeCast(to sink: inout ByteSink) {
        for (index, thread) in trace.threads.enumerated() {
            sink.write("{\"thread\":\(index),\"name\":")
            sink.write(json: thread.name)
            sink.write(UInt8(ascii: "}"))
            sink.endLine()
        }
        for (index, object) in trace.objects.enumerated().dropFirst() {
            sink.write("{\"object\":\(index)")
            if let object {
                sink.write(",\"kind\":\"\(object.kind.rawValue)\",\"name\":")
                sink.write(json: object.name)
                if object.maker != .main { sink.write(",\"maker\":\(object.maker.index)") }
            }
            sink.write(UInt8(ascii: "}"))
            sink.endLine()
        }
        if trace.dropped > 0 {
            sink.write("{\"dropped\":\(trace.dropped)}")
            sink.endLine()
        }
    }

    private func declare(sites indices: Range<Int>, to sink: inout ByteSink) {
        for index in indices {
            sink.write("{\"site\":\(index)")
            if let site = trace.sites[index] {
                sink.write(",\"at\":")
                sink.write(json: "\(site.file):\(site.line)")
            }
            sink.write(UInt8(ascii: "}"))
            sink.endLine()
        }
    }

    private func declare(texts indices: Range<Int>, to sink: inout ByteSink) {
        for index in indices {
            sink.write("{\"text\":\(index),\"says\":")
            sink.write(json: trace.texts[index])
            sink.write(UInt8(ascii: "}"))
            sink.endLine()
        }
    }

    // MARK: - Events

    private mutating func write(_ event: Event, _ number: Int, to sink: inout ByteSink) {
        let site = Int(event.site.index)
        declare(sites: sites.entriesToDeclare(for: site), to: &sink)
        if event.kind.meaning == .text {
            declare(texts: texts.entriesToDeclare(for: Int(event.value), showsRepeats: true), to: &sink)
        }

        sink.write("{\"n\":\(number),\"t\":\(event.time),\"thread\":")
        sink.write(threads.reference(Int(event.thread.index)))
        sink.write(",\"kind\":\"")
        sink.write(event.kind.name)
        sink.write(UInt8(ascii: "\""))
        if event.object != .none {
            sink.write(",\"object\":")
            sink.write(objects.reference(Int(event.object.index)))
        }
        writeValue(of: event, to: &sink)
        if event.site != .unknown {
            sink.write(",\"at\":")
            sink.write(sites.reference(site))
        }
        sink.write(UInt8(ascii: "}"))
        sink.endLine()
    }

    private func writeValue(of event: Event, to sink: inout ByteSink) {
        let index = Int(event.value)
        switch event.kind.meaning {
        case .none where event.value == 0: break
        case let meaning where meaning.isNumber && event.value == Event.noNumber: sink.write(",\"value\":null")
        case .none, .number, .result, .ticket, .signal, .nanoseconds, .bytes: sink.write(",\"value\":\(event.value)")
        case .thread:
            sink.write(",\"value\":")
            sink.write(threads.reference(index))
        case .object:
            sink.write(",\"value\":")
            sink.write(objects.reference(index))
        case .text:
            if trace.texts.indices.contains(index) {
                sink.write(",\"text\":")
                sink.write(json: trace.texts[index])
                if !texts.isRepeated[index] { return }
            }
            sink.write(",\"value\":\(event.value)")
        case .misuse:
            let misuse = UInt8(exactly: event.value).flatMap(MisuseKind.init(rawValue:))
            sink.write(misuse.map { ",\"value\":\"\($0.identifier)\"" } ?? ",\"value\":\(event.value)")
        }
    }

    // MARK: - After the events

    private mutating func writeUnusedTables(to sink: inout ByteSink) {
        declare(sites: sites.entriesLeft(), to: &sink)
        declare(texts: texts.entriesLeft(), to: &sink)
    }

    private func writeOutcome(to sink: inout ByteSink) {
        guard let outcome = trace.outcome else { return }
        sink.write("{\"outcome\":{\"kind\":\"\(outcome.kind.rawValue)\",\"summary\":")
        sink.write(json: outcome.summary)
        sink.write(",\"details\":[")
        for (index, line) in outcome.details.enumerated() {
            if index > 0 { sink.write(UInt8(ascii: ",")) }
            sink.write(json: line)
        }
        sink.write(UInt8(ascii: "]"))
        if let guide = outcome.guide {
            sink.write(",\"guide\":")
            sink.write(json: guide)
        }
        sink.write("}}")
        sink.endLine()
    }
}
