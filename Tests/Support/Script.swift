import Trace

/// A trace written by hand, one event per line: thread, kind, object or value, and the source line after a colon.
///
///     main   thread.create first     :20
///     first  condition.wait changed m :31
///     first  cell.write counter 3
///     first  atomic.store flag 1 release
///     first  note "Hello, world"
package struct Script {
    package private(set) var trace: TraceDocument
    private var threads: [String: Int] = ["main": 0]
    private var objects: [String: Int] = [:]
    private var sites: [Int: Int] = [:]

    /// - Parameters:
    ///   - runtime: in a native trace each event is a microsecond after the one before; in a controlled one no time
    ///     passes.
    ///   - file: where the events' lines are.
    package init(
        _ lines: String, scenario: String = "test", runtime: TraceHeader.Runtime = .native,
        file: String = "Lab/Test.swift"
    ) {
        trace = TraceDocument(header: TraceHeader(scenario: scenario, runtime: runtime))
        for line in lines.split(separator: "\n") { add(line, file) }
    }

    package static func trace(_ lines: String) -> TraceDocument { Script(lines).trace }

    private mutating func add(_ line: Substring, _ file: String) {
        let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
        let unquoted = quoted.count == 3 ? quoted[0] + quoted[2] : line
        var words = unquoted.split(separator: " ").map(String.init)
        guard words.count >= 2 else { preconditionFailure("no event: \(line)") }
        let name = words[1]
        let remark = BuiltRemarks.remark(named: name).map { trace.number(of: $0) }
        guard let kind = remark == nil ? EventKind(name: name) : .remark else {
            preconditionFailure("no event: \(line)")
        }
        let time = trace.header.runtime == .native ? UInt64(trace.events.count) * 1_000 : 0
        var event = Event(time: time, thread: ThreadID(thread(words[0])), kind: kind, remark: remark ?? .none)
        let meaning = trace.meaning(of: event)
        words.removeFirst(2)
        if kind.isOfAtomic, let word = words.first(where: { MemoryOrder(word: $0) != nil }) {
            event.order = MemoryOrder(word: word) ?? .seqcst
            words.removeAll { $0 == word }
        }
        if words.last?.first == ":", let number = Int(words.removeLast().dropFirst()) {
            event.site = SiteID(site(number, file))
        }
        if meaning != .thread, meaning != .misuse || words.count == 2, Self.hasObject(name), !words.isEmpty {
            event.object = ObjectID(object(words.removeFirst(), name))
        }
        if quoted.count == 3 {
            trace.texts.append(String(quoted[1]))
            event.value = Int64(trace.texts.count - 1)
        } else if let word = words.first {
            event.value = value(word, meaning)
        }
        trace.events.append(event)
    }

    private static func hasObject(_ name: String) -> Bool {
        [
            "misuse", "mutex.", "rwlock.", "condition.", "semaphore.", "cell.", "list.", "atomic.", "queue.",
            "operation.", "meter.", "signal.", "object.", "memory.be", "memory.spin", "crash.",
        ].contains { name.hasPrefix($0) }
    }

    private mutating func value(_ word: String, _ meaning: EventKind.Meaning) -> Int64 {
        switch meaning {
        case .thread: Int64(thread(word))
        case .object: Int64(object(word, "mutex.lock"))
        case .order: Int64(MemoryOrder(word: word)?.rawValue ?? 0)
        case .misuse: Int64(MisuseKind(identifier: word)?.rawValue ?? 0)
        default: Int64(word) ?? 0
        }
    }

    private mutating func thread(_ name: String) -> Int {
        if let known = threads[name] { return known }
        trace.threads.append(.init(name: name))
        threads[name] = trace.threads.count - 1
        return trace.threads.count - 1
    }

    private mutating func object(_ name: String, _ kindName: String) -> Int {
        if let known = objects[name] { return known }
        let prefix = String(kindName.prefix { $0 != "." })
        let kind: ObjectKind =
            switch kindName {
            case _ where prefix == "rwlock": .readWriteLock
            case "queue.async": .workQueue
            default: ObjectKind(rawValue: prefix) ?? .mutex
            }
        trace.objects.append(.init(kind: kind, name: name))
        objects[name] = trace.objects.count - 1
        return trace.objects.count - 1
    }

    private mutating func site(_ line: Int, _ file: String) -> Int {
        if let known = sites[line] { return known }
        trace.sites.append(.init(file: file, line: line))
        sites[line] = trace.sites.count - 1
        return trace.sites.count - 1
    }
}
