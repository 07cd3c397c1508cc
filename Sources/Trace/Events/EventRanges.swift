/// What the fields of an event can be. Whatever reads events refuses others, once, so that nothing behind it meets one.
extension Event {
    /// The last moment of a run's clock. Two times can be added up.
    package static let latestTime = UInt64(Int64.max)
}

extension TraceDocument.Site {
    /// The numbers of lines; 0: it is not known.
    package static let lines = 0...Int(Int32.max)
}

extension EventKind {
    /// The values of an event of this kind.
    ///
    /// - Parameter meaning: that of its value, which a remark's words determine.
    package func values(_ meaning: Meaning) -> ClosedRange<Int64> {
        self == .remark ? meaning.values : Self.values[Int(rawValue)]
    }

    // By raw value: readers use it for every event.
    private static let values = allCases.map { $0.isCount ? 0...Int64.max : $0.meaning.values }

    /// Whether its number counts something, or is a time that passes.
    private var isCount: Bool {
        self == .threadSleep || self == .threadDeadline || self == .memoryBehind || self == .memoryBefore
            || self == .runTimeout || self == .runStepLimit || self == .runCycle || self == .runStarvation
            || self == .runForever
    }
}

extension EventKind.Meaning {
    fileprivate var values: ClosedRange<Int64> {
        switch self {
        // What a program calls one.
        case .none, .number, .result, .nanoseconds, .bytes: Int64.min...Int64.max
        case .ticket: 0...Int64.max
        // What the status of a process has room for.
        case .signal: 0...0x7F
        case .thread: 0...Int64(UInt16.max)
        case .object: 0...Int64(UInt32.max)
        // One that is lost has none.
        case .text: -1...Int64(UInt32.max)
        case .misuse, .order: 0...Int64(UInt8.max)
        }
    }
}
