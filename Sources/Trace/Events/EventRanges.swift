// The valid ranges of an event's fields. Readers of recordings and saved traces refuse other values, so that all other
// code can rely on the ranges.

extension Event {
    /// The greatest time. Two times can be added without overflow.
    package static let latestTime = UInt64(Int64.max)
}

extension TraceDocument.Site {
    /// The valid numbers of lines. 0: not known.
    package static let lines = 0...Int(Int32.max)
}

extension TraceDocument.Object {
    /// The valid numbers of permits with which a semaphore begins.
    package static let permits = 0...Int(Int32.max)
}

extension EventKind {
    /// The valid values of an event of this kind.
    ///
    /// - Parameter meaning: the meaning of the event's value: of the kind, or of the remark if the event is one.
    package func values(_ meaning: Meaning) -> ClosedRange<Int64> {
        self == .remark ? meaning.values : Self.values[Int(rawValue)]
    }

    // Indexed by raw value, because readers use it for every event.
    private static let values = allCases.map { $0.isNeverNegative ? 0...Int64.max : $0.meaning.values }

    /// Whether its value, a time of the run or a number of writes or steps, cannot be negative. (A value that the
    /// program chooses, such as a reading of a meter, can be.)
    private var isNeverNegative: Bool {
        self == .threadSleep || self == .threadDeadline || self == .memoryBehind || self == .memoryBefore
            || self == .runTimeout || self == .runStepLimit || self == .runCycle || self == .runStarvation
            || self == .runForever
    }
}

extension EventKind.Meaning {
    fileprivate var values: ClosedRange<Int64> {
        switch self {
        // The program determines the value, so all are possible.
        case .none, .number, .result, .nanoseconds, .bytes: Int64.min...Int64.max
        case .ticket: 0...Int64.max
        // The signals that the status of a process can contain.
        case .signal: 0...0x7F
        case .thread: 0...Int64(UInt16.max)
        case .object: 0...Int64(UInt32.max)
        // −1 stands for a lost text.
        case .text: -1...Int64(UInt32.max)
        case .misuse, .order: 0...Int64(UInt8.max)
        }
    }
}
