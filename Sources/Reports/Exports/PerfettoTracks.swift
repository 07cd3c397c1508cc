import Trace

/// The numbers of the tracks in a Perfetto trace: one for the process, one for each thread, one below it for each lock
/// that the thread takes, and one for each counter of an object. The highest byte says which kind of track it is, and
/// the rest contains the numbers of the thread and the object, so no table is needed.
enum PerfettoTracks {
    /// What is counted for an object: waiting threads, permits of a semaphore, elements of a queue, or a meter's
    /// reading.
    enum Counter: UInt64 {
        case waiting = 1
        case permits = 2
        case length = 3
        case reading = 4
    }

    /// The kinds of tracks besides that of the process, for which the highest byte is 0.
    private enum Kind: UInt64 {
        case thread = 1
        case hold = 2
        case counter = 3

        /// The kind in the highest byte.
        var byte: UInt64 { rawValue << 56 }
    }

    static let process: UInt64 = 1

    static func thread(_ thread: ThreadID) -> UInt64 { Kind.thread.byte | UInt64(thread.index) }

    static func hold(_ object: ObjectID, by thread: ThreadID) -> UInt64 {
        Kind.hold.byte | UInt64(thread.index) << 32 | UInt64(object.index)
    }

    static func counter(_ counter: Counter, of object: ObjectID) -> UInt64 {
        Kind.counter.byte | counter.rawValue << 32 | UInt64(object.index)
    }
}

/// The names of events, each written once into the trace and then referred to by its number.
struct PerfettoNames {
    private struct Key: Hashable {
        var kind: EventKind
        var remark: RemarkID
        var object: ObjectID
        var value: Int64
        /// For a step whose words mention another step: its own number.
        var step: Int?
    }

    private let words: StepWords
    private var numbers: [Key: UInt64] = [:]

    init(_ cast: Cast) { words = StepWords(cast: cast) }

    /// - Returns: the number of the event's name, and its text if it is new.
    mutating func name(of event: Event, _ index: Int) -> (number: UInt64, text: String?) {
        var event = event
        let isOutOfOrder = words.isOutOfOrder(index)
        // A number is written as an annotation and not in the name, because otherwise there would be a name for each
        // value. A step that does not use the newest value has a name of its own in any case.
        let isValue = words.cast.meaning(of: event).isNumber || event.kind.isOfList
        if isValue && !isOutOfOrder { event.value = Event.noNumber }
        let key = Key(
            kind: event.kind, remark: event.remark, object: event.object, value: event.value,
            step: isOutOfOrder ? index : nil)
        if let known = numbers[key] { return (known, nil) }
        let number = UInt64(numbers.count + 1)
        numbers[key] = number
        return (number, words.label(event, at: isOutOfOrder ? index : nil).text)
    }
}

/// The counters of a run: threads that wait for an object, permits of semaphores, lengths of queues, and the readings
/// of meters.
struct PerfettoCounters {
    typealias Counter = PerfettoTracks.Counter

    enum Unit: UInt64 {
        case nanoseconds = 1
        case count, bytes

        /// The unit of a meter's reading.
        fileprivate init(_ meaning: EventKind.Meaning) {
            switch meaning {
            case .bytes: self = .bytes
            case .nanoseconds: self = .nanoseconds
            case .none, .number, .result, .ticket, .signal, .thread, .object, .text, .misuse, .order: self = .count
            }
        }
    }

    struct Reading {
        var counter: Counter
        var unit = Unit.count
        var value: Int64
    }

    /// By object: the number of waiting threads.
    private var waiting: [Int64]
    /// By object: how many permits, or elements, it has more than at the beginning.
    private var sums: [Int64]
    private let trace: TraceDocument

    init(_ trace: TraceDocument) {
        self.trace = trace
        waiting = Array(repeating: 0, count: trace.objects.count)
        sums = waiting
    }

    /// Counts a thread that begins or ends a wait for the object.
    mutating func wait(for object: ObjectID, _ change: Int64) -> Reading {
        Reading(counter: .waiting, value: Self.add(change, to: object, in: &waiting))
    }

    /// The counter that the event changes. Nil: none.
    mutating func consume(_ event: Event) -> Reading? {
        let kind = event.kind
        if kind.isReading { return Reading(counter: .reading, unit: Unit(kind.meaning), value: event.value) }
        if let counts = trace.remark(of: event)?.counts {
            return switch counts {
            case .up: sum(.length, event, 1)
            case .down: sum(.length, event, -1)
            case .level: Reading(counter: .length, value: event.value)
            }
        }
        if kind.effect == .takePermit || kind.effect == .givePermit {
            return sum(.permits, event, kind.effect == .givePermit ? 1 : -1)
        }
        return nil
    }

    private mutating func sum(_ counter: Counter, _ event: Event, _ change: Int64) -> Reading {
        Reading(counter: counter, value: Self.add(change, to: event.object, in: &sums))
    }

    private static func add(_ change: Int64, to object: ObjectID, in values: inout [Int64]) -> Int64 {
        let index = Int(object.index)
        guard values.indices.contains(index) else { return change }
        values[index] += change
        return values[index]
    }
}

extension PerfettoTracks.Counter {
    /// The name of the counter of an object.
    func title(_ object: String) -> String {
        switch self {
        case .waiting: "threads that wait for \(object)"
        // The trace does not contain the initial number of permits.
        case .permits: "permits of \(object), beside those at the beginning"
        case .length: "length of \(object)"
        case .reading: object
        }
    }
}
