import Diagnosis
import Text
import Trace

/// The names that a trace's events refer to, and their words. Names are made safe to print here, once for all events.
struct Cast {
    let threads: [Label]
    private let objects: [Label]
    let trace: TraceDocument
    /// Whether all known places are in one file, whose name can be left out.
    let isInOneFile: Bool
    private let ascii: Bool
    /// Whether objects inside built objects have their own names. Otherwise they have that of the built object.
    let showsInsides: Bool
    /// The limit for a text of a program in one row of a report, in characters.
    private static let longestText = 4000

    init(_ trace: TraceDocument, _ options: ReportOptions) {
        self.trace = trace
        isInOneFile = Set(trace.sites.compactMap { $0?.file }).count < 2
        let ascii = options.ascii
        self.ascii = ascii
        threads = trace.threads.map { Label(Names.visible($0.name), ascii: ascii) }
        let showsInsides = options.showsInsides
        self.showsInsides = showsInsides
        objects = trace.objects.indices.map { index in
            let id = showsInsides ? ObjectID(index) : trace.known(ObjectID(index))
            return Label(trace.object(id).map { Names.visible($0.name) } ?? "", ascii: ascii)
        }
    }

    func label(_ text: String) -> Label { Label(text, ascii: ascii) }

    /// The title of a picture of the run. It names the memory model, because otherwise the values that threads read
    /// would seem impossible.
    var title: Label {
        let part = trace.omitted == 0 ? "" : ", its first \(Names.count(trace.events.count, "event"))"
        return label(
            trace.header.scenario.shortened() + (trace.header.memoryModel.map { ", memory model \($0)" } ?? "") + part)
    }

    func thread(_ id: ThreadID) -> Label {
        let index = Int(id.index)
        return threads.indices.contains(index) ? threads[index] : label(trace.name(of: id))
    }

    /// Whether the object's references are counted.
    private func isCounted(_ id: ObjectID) -> Bool { trace.object(id)?.kind == .managedObject }

    func object(_ id: ObjectID) -> Label {
        let index = Int(id.index)
        return objects.indices.contains(index) ? objects[index] : label("object \(index)")
    }

    /// The event's dotted name.
    func name(of event: Event) -> Label { label(trace.name(of: event)) }

    /// The words for an event of this kind, or for its remark, with placeholders such as `{object}`.
    func verb(of event: Event) -> String {
        if let remark = trace.remark(of: event) { return remark.verb }
        let row = event.kind.row
        return "\(isCounted(event.object) ? row.verbOfCounted ?? row.verb : row.verb)"
    }

    func meaning(of event: Event) -> EventKind.Meaning { trace.meaning(of: event) }

    func text(of event: Event) -> Label { label((trace.text(of: event) ?? "").shortened(to: Self.longestText)) }
}

extension Cast {
    /// Whose steps these are: `main, worker and 2 others`. The threads with the most steps come first.
    ///
    /// - Parameter steps: the numbers of the events.
    func owners(of steps: some Sequence<Int>) -> String {
        var counts: [ThreadID: Int] = [:]
        for step in steps { counts[trace.events[step].thread, default: 0] += 1 }
        let threads = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { thread($0.key).text }
        guard threads.count > Self.mostOwners + 1 else { return Names.list(threads) }
        return Names.list(threads.prefix(Self.mostOwners) + ["\(threads.count - Self.mostOwners) others"])
    }

    /// How many threads are named in a note on steps that are left out.
    private static let mostOwners = 3

    /// For example ` at line 5`. Empty if the place is unknown.
    func words(at site: SiteID) -> Label {
        guard let site = trace.site(site) else { return .empty }
        return label(" at " + (isInOneFile ? "line \(site.line)" : site.shortDescription))
    }

    /// An event's value as text, and its memory order, if that is not seqcst.
    func valueAndOrder(of event: Event) -> Label {
        let value = value(of: event)
        return event.order == .seqcst ? value : value + Label(" \(event.order.word)")
    }

    /// An event's value as text. Empty if it would not help a reader.
    func value(of event: Event) -> Label {
        let meaning = meaning(of: event)
        if meaning.isNumber && event.value == Event.noNumber { return .empty }
        switch meaning {
        case .none: return .empty
        // A ticket only orders events of different threads, and means nothing to a reader.
        case .ticket: return .empty
        // The usual result of a thread, and a signal that is not known.
        case .result where event.value == 0, .signal where event.value == 0: return .empty
        // What a function of a compiled program returns is a pointer.
        case .result where trace.targets[event.value] != nil:
            return label(trace.words(event.value, as: .pointer))
        case .number, .result: return label(trace.words(event.value, in: event.object))
        case .signal: return label(SignalName.name(event.value))
        case .thread: return event.valueAsThread.map(thread) ?? .empty
        // The program does not know the lock inside a built object.
        case .object where !showsInsides && event.valueAsObject.map(trace.isInside) == true: return .empty
        case .object:
            guard let other = event.valueAsObject.map(object) else { return .empty }
            // A wait on a condition names its mutex.
            return event.lockChange == nil ? other : Label("with ") + other
        case .text: return text(of: event)
        case .nanoseconds: return label(ReadableDuration.text(nanoseconds: event.value))
        case .bytes: return label(ReadableBytes.text(event.value))
        case .order: return Label(event.valueAsOrder?.word ?? "?")
        case .misuse:
            return Label(UInt8(exactly: event.value).flatMap(MisuseKind.init(rawValue:))?.identifier ?? "?")
        }
    }
}
