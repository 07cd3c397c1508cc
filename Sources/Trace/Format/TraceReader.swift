/// Reads the format of saved traces (docs/trace-format.md). Any input is safe.
///
/// A trace whose writer was killed is read up to its last complete line, and has no outcome.
package struct TraceReader {
    /// The maximum length of a line in bytes.
    package static let longestLine = 1 << 20
    /// The maximum length of the header in bytes, which is greater because the header contains the schedule.
    package static let longestHeader = 1 << 26
    /// The maximum number of events. A document that a recording's reader has made has fewer
    /// (`RecordingReader.defaultMaximumEvents`, and a few events that say how the run ended).
    package static let mostEvents = 5_000_000
    /// The maximum number of objects, of sites, and of texts.
    package static let mostNames = 1 << 20
    /// The maximum number of calls, for all sites together.
    private static let mostCalls = 1 << 22
    /// The maximum number of dropped or omitted events.
    private static let mostMissingEvents = 1 << 48
    /// The number of calls of all sites so far.
    private var callCount = 0

    private var trace: TraceDocument
    /// The numbers of remarks by name.
    private var remarks: [String: RemarkID] = [:]
    private var threads = NameNumbers()
    private var objects = NameNumbers(first: 1)
    private var sites = NameNumbers(first: 1)
    private var texts = NameNumbers()

    package static func read(_ bytes: [UInt8]) throws(TraceFormatError) -> TraceDocument {
        var reader: TraceReader?
        var lines = LineCursor(bytes)
        while let line = lines.next() {
            do {
                let limit = reader == nil ? longestHeader : longestLine
                guard line.range.count <= limit else {
                    throw JSONFields.Problem(message: "expected a line of at most \(limit) bytes")
                }
                let fields = try JSONFields(JSONReader.read(bytes, line.range))
                if reader == nil {
                    try checkVersion(fields)
                    reader = TraceReader(header: try header(fields))
                } else {
                    try reader?.read(fields)
                }
            } catch let error as JSONError {
                // The writer was killed in the middle of this line, which is the last.
                if error.isAtEnd && !line.isEnded && reader != nil { break }
                let column = error.offset - line.range.lowerBound + 1
                throw TraceFormatError(line: line.number, message: "expected \(error.expected) at column \(column)")
            } catch let problem as JSONFields.Problem {
                throw TraceFormatError(line: line.number, message: problem.message)
            } catch {
                throw TraceFormatError(line: line.number, message: "\(error)")
            }
        }
        guard let reader else { throw TraceFormatError(line: 1, message: "expected a trace, found nothing") }
        return reader.trace
    }

    private init(header: TraceHeader) {
        trace = TraceDocument(header: header)
        trace.threads = []
    }

    private static func checkVersion(_ fields: JSONFields) throws(JSONFields.Problem) {
        guard fields["threadlab"] != nil else {
            throw JSONFields.Problem(
                message: "expected the header of a saved trace, {\"threadlab\":\(TraceHeader.currentVersion),…}")
        }
        let version = try fields.integer("threadlab", as: Int.self)
        guard (TraceHeader.versionWithoutOrders...TraceHeader.currentVersion).contains(version) else {
            throw JSONFields.Problem(
                message: "this trace has format version \(version); this threadlab reads versions "
                    + "\(TraceHeader.versionWithoutOrders) and \(TraceHeader.currentVersion)")
        }
    }

    private static func header(_ fields: JSONFields) throws(JSONFields.Problem) -> TraceHeader {
        var header = TraceHeader(
            scenario: try fields.string("scenario"), runtime: try fields.choice("runtime"),
            schedule: try fields.optionalString("schedule"))
        if fields["seed"] != nil { header.seed = try fields.integer("seed") }
        header.parameters = try parameters(fields["parameters"])
        header.rules = try parameters(fields["rules"])
        header.program = try fields["program"].map(program)
        return header
    }

    private static func program(_ value: JSON) throws(JSONFields.Problem) -> TraceHeader.Program {
        let fields = try JSONFields(value)
        if let text = try fields.optionalString("text") { return .text(text) }
        return .compiled(
            TraceHeader.Build(
                package: try fields.string("package"), version: try fields.string("version"),
                digest: try fields.optionalString("digest"), steps: try fields.optionalString("steps")))
    }

    private static func parameters(_ value: JSON?) throws(JSONFields.Problem) -> [TraceHeader.Parameter] {
        guard let value else { return [] }
        var parameters: [TraceHeader.Parameter] = []
        for member in try JSONFields(value).members {
            guard case .string(let text) = member.value else { throw JSONFields.missing(member.key, "a string") }
            parameters.append(.init(name: member.key, value: text))
        }
        return parameters
    }

    // MARK: - Lines after the header

    /// The type of a line is determined by the first of these members that it has.
    private static let leadingKeys = [
        "n", "thread", "object", "address", "site", "text", "remark", "dropped", "omitted", "outcome",
    ]

    /// Reads a line after the header.
    private mutating func read(_ fields: JSONFields) throws(JSONFields.Problem) {
        // Findings are skipped, because the detectors find them again.
        if fields["finding"] != nil { return }
        guard trace.outcome == nil else { throw JSONFields.Problem(message: "expected nothing after the outcome") }
        if trace.events.count > Self.mostEvents || trace.objects.count > Self.mostNames
            || trace.targets.count > Self.mostNames
            || trace.sites.count > Self.mostNames || trace.texts.count > Self.mostNames || callCount > Self.mostCalls
        {
            throw JSONFields.Problem(
                message:
                    "expected at most \(Self.mostEvents) events, and \(Self.mostNames) objects, places and texts each")
        }
        switch Self.leadingKeys.first(where: { fields[$0] != nil }) {
        case "n": trace.events.append(try event(fields))
        case "thread": try declareThread(fields)
        case "object": try declareObject(fields)
        case "address":
            trace.targets[try fields.integer("address", as: Int64.self)] = try fields.string("name")
        case "site": try declareSite(fields)
        case "text": try declareText(fields)
        case "remark": try declareRemark(fields)
        case "dropped":
            trace.dropped = try missingEvents(fields, "dropped")
        case "omitted":
            trace.omitted = try missingEvents(fields, "omitted")
        case "outcome":
            guard trace.omitted == 0 else {
                throw JSONFields.Problem(message: "expected no outcome where events are omitted")
            }
            trace.outcome = try outcome(fields)
        default:
            throw JSONFields.Problem(message: "expected an event, a declaration or the outcome")
        }
    }

    /// A number of events that the trace does not have.
    private func missingEvents(_ fields: JSONFields, _ key: String) throws(JSONFields.Problem) -> Int {
        guard trace.events.isEmpty else { throw JSONFields.Problem(message: "expected \"\(key)\" before events") }
        return try fields.integer(key, in: 0...Self.mostMissingEvents)
    }

    /// Requires that an entry or event has the next number of its table.
    private func checkNumber(_ fields: JSONFields, _ key: String, _ next: Int) throws(JSONFields.Problem) {
        let number = try fields.integer(key, as: Int.self)
        guard number == next else {
            throw JSONFields.Problem(message: "expected \"\(key)\": \(next), found \(number)")
        }
    }

    private mutating func declareThread(_ fields: JSONFields) throws(JSONFields.Problem) {
        try checkNumber(fields, "thread", trace.threads.count)
        guard trace.threads.count <= Int(UInt16.max) else { throw JSONFields.Problem(message: "too many threads") }
        let name = try fields.string("name")
        trace.threads.append(.init(name: name))
        threads.append(name)
    }

    private mutating func declareObject(_ fields: JSONFields) throws(JSONFields.Problem) {
        try checkNumber(fields, "object", trace.objects.count)
        guard fields["kind"] != nil else {
            trace.objects.append(nil)
            return objects.append(nil)
        }
        let maker: UInt16 = try fields.optionalInteger("maker") ?? 0
        let owner: UInt32 = try fields.optionalInteger("inside") ?? 0
        var object = TraceDocument.Object(
            kind: try fields.choice("kind"), name: try fields.string("name"), maker: ThreadID(Int(maker)),
            owner: ObjectID(Int(owner)))
        object.origin = try fields["made"].map(call)
        object.permits = try fields["permits"].map { value throws(JSONFields.Problem) in
            try JSONFields.integer(value, "permits", in: TraceDocument.Object.permits)
        }
        trace.objects.append(object)
        objects.append(object.name)
    }

    private mutating func declareSite(_ fields: JSONFields) throws(JSONFields.Problem) {
        try checkNumber(fields, "site", trace.sites.count)
        let place = try fields.optionalString("at")
        var site = try place.map(site)
        switch fields["calls"] {
        case nil: break
        case .array(let calls):
            callCount += calls.count
            for call in calls { site?.calls.append(try self.call(call)) }
        default: throw JSONFields.missing("calls", "a list of objects")
        }
        trace.sites.append(site)
        // Events refer to a site with calls by its number: other sites can have the same place.
        sites.append(site?.calls.isEmpty == false ? nil : place)
    }

    private func call(_ value: JSON) throws(JSONFields.Problem) -> TraceDocument.Site.Call {
        let fields = try JSONFields(value)
        let place = try site(try fields.string("at"))
        return .init(function: try fields.string("in"), file: place.file, line: place.line)
    }

    private mutating func declareText(_ fields: JSONFields) throws(JSONFields.Problem) {
        try checkNumber(fields, "text", trace.texts.count)
        let text = try fields.string("says")
        trace.texts.append(text)
        texts.append(text)
    }

    private mutating func declareRemark(_ fields: JSONFields) throws(JSONFields.Problem) {
        try checkNumber(fields, "remark", trace.remarks.count + 1)
        guard trace.remarks.count < Remark.limit else {
            throw JSONFields.Problem(message: "expected at most \(Remark.limit) remarks")
        }
        let name = try fields.string("name")
        let remark = Remark(
            checked: name, try fields.string("verb"), try fields.optionalChoice("value") ?? .none,
            try fields.optionalChoice("counts"), try fields.optionalString("says") ?? "")
        guard let remark, remarks[name] == nil else {
            throw JSONFields.Problem(message: "expected the words of a remark with a new name, found “\(name)”")
        }
        remarks[name] = trace.number(of: remark)
    }

    private func site(_ place: String) throws(JSONFields.Problem) -> TraceDocument.Site {
        guard let colon = place.utf8.lastIndex(of: UInt8(ascii: ":")),
            let line = Int(place[place.utf8.index(after: colon)...]), TraceDocument.Site.lines.contains(line)
        else { throw JSONFields.Problem(message: "expected \"at\": a file, a colon and a line number") }
        return .init(file: String(place[..<colon]), line: line)
    }

    private func outcome(_ fields: JSONFields) throws(JSONFields.Problem) -> Outcome {
        let fields = try JSONFields(fields["outcome"] ?? .null)
        var outcome = Outcome(
            try fields.choice("kind"), summary: try fields.string("summary"), guide: try fields.optionalString("guide"))
        switch fields["details"] {
        case nil: break
        case .array(let lines):
            for line in lines {
                guard case .string(let text) = line else { throw JSONFields.missing("details", "strings") }
                outcome.details.append(text)
            }
        default: throw JSONFields.missing("details", "a list of strings")
        }
        return outcome
    }
}

// MARK: - Events

extension TraceReader {
    private mutating func event(_ fields: JSONFields) throws(JSONFields.Problem) -> Event {
        try checkNumber(fields, "n", trace.events.count + 1)
        var event = try kind(fields)
        let meaning = trace.meaning(of: event)
        for member in fields.members {
            switch member.key {
            case "t": event.time = try JSONFields.integer(member.value, "t", in: 0...Event.latestTime)
            case "thread":
                let index: UInt16 = try Self.reference(member.value, "thread", threads)
                event.thread = ThreadID(Int(index))
            case "object":
                let index: UInt32 = try Self.reference(member.value, "object", objects)
                event.object = ObjectID(Int(index))
            case "value" where meaning != .text: event.value = try value(member, event.kind, meaning)
            case "order": event.order = try Self.order(member)
            case "at": event.site = try siteID(member.value)
            default: break
            }
        }
        if meaning == .text { event.value = try text(fields, event.kind.values(meaning)) }
        return event
    }

    /// An event with only its kind, which determines how the rest is read.
    private func kind(_ fields: JSONFields) throws(JSONFields.Problem) -> Event {
        let name = try fields.string("kind")
        let kind = EventKind(name: name)
        let remark = kind == nil ? remarks[name] : try wordlessRemark(kind, fields)
        if kind == nil && remark == nil {
            throw JSONFields.Problem(message: "this version does not support the kind of event “\(name)”")
        }
        guard fields["t"] != nil else { throw JSONFields.missing("t", "a time in nanoseconds") }
        guard fields["thread"] != nil else { throw JSONFields.missing("thread", "the name of a thread") }
        return Event(time: 0, thread: .main, kind: kind ?? .remark, remark: remark ?? .none)
    }

    /// The number of a remark whose words are not in the trace. Nil: the event is something else.
    private func wordlessRemark(_ kind: EventKind?, _ fields: JSONFields) throws(JSONFields.Problem) -> RemarkID? {
        guard kind == .remark, let number: UInt16 = try fields.optionalInteger("remark") else { return nil }
        return RemarkID(Int(number))
    }

    /// The number of the entry to which a value refers, by its content or its number.
    private static func reference<Number: FixedWidthInteger>(
        _ value: JSON, _ key: String, _ table: NameNumbers
    ) throws(JSONFields.Problem) -> Number {
        guard case .string(let name) = value else { return try JSONFields.integer(value, key) }
        guard let number = table.number(of: name) else {
            throw JSONFields.Problem(message: "expected a declared name, found “\(name)”")
        }
        guard let number = Number(exactly: number) else { throw JSONFields.missing(key, "a smaller number") }
        return number
    }

    private mutating func value(
        _ member: JSON.Member, _ kind: EventKind, _ meaning: EventKind.Meaning
    ) throws(JSONFields.Problem) -> Int64 {
        switch (meaning, member.value) {
        case (_, .null) where meaning.isNumber: return Event.noNumber
        case (.thread, .string): return try Self.reference(member.value, member.key, threads)
        case (.object, .string): return try Self.reference(member.value, member.key, objects)
        case (.misuse, .string(let word)):
            guard let misuse = MisuseKind(identifier: word) else {
                throw JSONFields.Problem(message: "this version does not support the misuse “\(word)”")
            }
            return Int64(misuse.rawValue)
        case (.order, .string): return Int64(try Self.order(member).rawValue)
        default: return try JSONFields.integer(member.value, member.key, in: kind.values(meaning))
        }
    }

    private static func order(_ member: JSON.Member) throws(JSONFields.Problem) -> MemoryOrder {
        guard case .string(let word) = member.value else { throw JSONFields.missing(member.key, "a memory order") }
        guard let order = MemoryOrder(word: word) else {
            throw JSONFields.Problem(message: "this version does not support the memory order “\(word)”")
        }
        return order
    }

    /// The number of the event's text. Adds the text to the table if it is new, or if the event contains the next free
    /// number with it: then it is another entry with the same content.
    private mutating func text(
        _ fields: JSONFields, _ numbers: ClosedRange<Int64>
    ) throws(JSONFields.Problem) -> Int64 {
        let number: Int64? = fields["value"] == nil ? nil : try fields.integer("value", in: numbers)
        guard let text = try fields.optionalString("text") else { return number ?? 0 }
        if let number, number != texts.count { return number }
        if number == nil, let known = texts.number(of: text) { return Int64(known) }
        trace.texts.append(text)
        texts.append(text)
        return Int64(texts.count - 1)
    }

    /// The number of the site to which an event refers. Adds the site to the table if it is new.
    private mutating func siteID(_ value: JSON) throws(JSONFields.Problem) -> SiteID {
        guard case .string(let place) = value else {
            let index: UInt32 = try JSONFields.integer(value, "at")
            return SiteID(Int(index))
        }
        if let known = sites.number(of: place) { return SiteID(known) }
        trace.sites.append(try site(place))
        sites.append(place)
        return SiteID(sites.count - 1)
    }
}
