import Trace

/// The names of events, each written once into the trace and then referred to by its number.
struct PerfettoNames {
    private struct Key: Hashable {
        var kind: EventKind
        var object: ObjectID
        var value: Int64
    }

    private let words: StepWords
    private var numbers: [Key: UInt64] = [:]

    init(_ cast: Cast) { words = StepWords(cast: cast) }

    /// - Returns: the number of the event's name, and its text if it is new.
    mutating func name(of event: Event) -> (number: UInt64, text: String?) {
        var event = event
        // Numbers are annotations: otherwise each value would be a name.
        if event.kind.meaning.isNumber { event.value = Event.noNumber }
        let key = Key(kind: event.kind, object: event.object, value: event.value)
        if let known = numbers[key] { return (known, nil) }
        let number = UInt64(numbers.count + 1)
        numbers[key] = number
        return (number, words.label(event).text)
    }
}
