/// Something that an object reports about itself: an event in words of the object's own, such as `timer.fire`.
///
/// The words are those of a constant in the object's source. Recordings and saved traces contain them, so every report
/// can show them. Objects that a program has built itself can have remarks too:
///
///     extension Remark {
///         static let doorOpened = Remark("door.open", "open {object}")
///         static let guestsEntered = Remark("door.enter", "let {value} through {object}", value: .number)
///     }
///
/// A remark is not a step, and has no effect: detectors judge the operations of which the object is built. An event on
/// which not only reports depend, but the machine, the supervisor, the recorder or a detector, is not a remark, and has
/// a kind of its own (`EventKind`).
public struct Remark: Hashable, Sendable {
    /// The meaning of a remark's value.
    public enum Value: String, CaseIterable, Sendable { case none, number, text, nanoseconds, bytes }

    /// What a remark says about the number of things in its object, such as a queue's length, which some reports draw.
    public enum Count: String, CaseIterable, Sendable {
        /// One more, one less, or as many as the remark's value says.
        case up, down, level
    }

    /// The dotted name of the event in traces: lowercase letters, digits, hyphens and dots, at most 64.
    public let name: String
    /// What reports show: a verb and its object. `{object}` and `{value}` stand for those of the event. A word that
    /// becomes empty is not shown.
    public let verb: String
    public let value: Value
    public let counts: Count?
    /// What happened, as a sentence. Empty: the verb suffices.
    public let explanation: String
    /// A hash (FNV-1a) of all of the above. Even, and never 0.
    let key: UInt64

    // The maximum lengths in bytes
    private static let longestName = 64
    private static let longestVerb = 128
    private static let longestExplanation = 256

    /// - Parameters:
    ///   - name: the dotted name. It must not be that of a kind of event, such as `mutex.acquire`.
    ///   - verb: what reports show, with `{object}` and `{value}`; at most 128 bytes.
    ///   - value: the meaning of the event's value, if it has one.
    ///   - counts: what it says about the number of things in the object.
    ///   - explanation: what happened, as a sentence; at most 256 bytes.
    public init(
        _ name: String, _ verb: String, value: Value = .none, counts: Count? = nil, says explanation: String = ""
    ) {
        guard let remark = Remark(checked: name, verb, value, counts, explanation) else {
            preconditionFailure("'\(name)' is not the name of a remark, or its words are too long")
        }
        self = remark
    }

    /// - Returns: nil if the name or the words are not valid for a remark.
    package init?(checked name: String, _ verb: String, _ value: Value, _ counts: Count?, _ explanation: String) {
        guard Self.isName(name), verb.utf8.count <= Self.longestVerb,
            explanation.utf8.count <= Self.longestExplanation
        else { return nil }
        self.name = name
        self.verb = verb
        self.value = value
        self.counts = counts
        self.explanation = explanation
        let parts = [name, verb, value.rawValue, counts?.rawValue ?? "", explanation]
        let hash = parts.reduce(into: 0xCBF2_9CE4_8422_2325 as UInt64) { hash, part in
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            // The end of a part: a byte that UTF-8 never contains.
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        key = max(2, hash & ~1)
    }

    /// The maximum number of different remarks of a run. Further ones have no words. A recording has one byte for the
    /// number of a remark (`RecordedEvent.word`), in which 0 and 255 mean something else.
    package static let limit = 254

    private static func isName(_ name: String) -> Bool {
        (1...longestName).contains(name.utf8.count) && EventKind(name: name) == nil
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

extension Remark {
    package var meaning: EventKind.Meaning {
        switch value {
        case .none: .none
        case .number: .number
        case .text: .text
        case .nanoseconds: .nanoseconds
        case .bytes: .bytes
        }
    }

    /// The same remark under a different name, because another remark of the run has its name.
    func renamed(_ number: Int) -> Remark? {
        Remark(checked: "\(name)-\(number)", verb, value, counts, explanation)
    }

    // MARK: - In a recording

    /// The text that stands for the remark in a recording: its properties, separated by null characters.
    var record: String {
        [name, verb, value.rawValue, counts?.rawValue ?? "", explanation].joined(separator: "\u{0}")
    }

    /// - Returns: nil if the text is not one that a recorder writes.
    init?(record: String) {
        let parts = record.split(separator: "\u{0}", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, let value = Value(rawValue: parts[2]) else { return nil }
        let counts = Count(rawValue: parts[3])
        guard counts != nil || parts[3].isEmpty else { return nil }
        self.init(checked: parts[0], parts[1], value, counts, parts[4])
    }
}
