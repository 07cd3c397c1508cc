/// The properties of kinds of events, which come from their rows in the table of `EventTable.swift`.
extension EventKind {
    /// The meaning of the event's `value`.
    package enum Meaning: Sendable {
        /// The value has no meaning.
        case none
        case number
        /// A thread's result. Not shown if it is 0.
        case result
        /// The number of the acquisition of the object, which gives the order of acquisitions by native threads. 0 for
        /// a read-write lock in a controlled run.
        case ticket
        /// The number of a POSIX signal; 0: unknown.
        case signal
        /// An index into `TraceDocument.threads`.
        case thread
        /// An index into `TraceDocument.objects`.
        case object
        /// An index into `TraceDocument.texts`.
        case text
        /// A duration or a deadline, in nanoseconds.
        case nanoseconds
        case bytes
        /// The raw value of a `MisuseKind`.
        case misuse
        /// The raw value of a `MemoryOrder`.
        case order

        package var isNumber: Bool {
            switch self {
            case .number, .result, .ticket, .signal: true
            case .none, .thread, .object, .text, .nanoseconds, .bytes, .misuse, .order: false
            }
        }
    }

    /// A row of the table of events: the properties of one kind.
    package struct Row: Sendable {
        /// The dotted name, for example `mutex.acquire`.
        package let name: StaticString
        package let meaning: Meaning
        package let effect: Effect
        /// What reports show: a verb and its object. `{object}`, `{value}` and `{thread}` stand for names, `{result}`
        /// for `= 3`, `{order}` for `(relaxed)`. A word that becomes empty is not shown.
        package let verb: StaticString
        /// The verb if the object has a reference count. Nil: `verb`.
        package let verbOfCounted: StaticString?
        /// What happened, as a sentence for the list in docs/trace-format.md.
        package let explanation: StaticString

        @inlinable @inline(__always) init(
            _ name: StaticString, value meaning: Meaning = .none, _ effect: Effect = .none, verb: StaticString,
            ofCounted verbOfCounted: StaticString? = nil, says explanation: StaticString
        ) {
            self.name = name
            self.meaning = meaning
            self.effect = effect
            self.verb = verb
            self.verbOfCounted = verbOfCounted
            self.explanation = explanation
        }
    }

    /// Written explicitly, because other modules call the derived equality through a table.
    @inlinable @inline(__always)
    package static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }

    /// The dotted name, for example `mutex.acquire`.
    package var name: String { Self.names[Int(rawValue)] }

    package var meaning: Meaning { Self.meanings[Int(rawValue)] }

    /// What an event of this kind does. Inlined, so that it is a single table lookup.
    @inlinable @inline(__always) package var effect: Effect { row.effect }

    /// The kind with this dotted name.
    package init?(name: String) {
        guard let kind = Self.byName[name] else { return nil }
        self = kind
    }

    /// Whether the thread is blocked from now until its next event.
    @inlinable package var blocks: Bool { effect.blocks }

    /// Whether the run is over with this event. Later events only come from the unwinding of threads' stacks.
    @inlinable package var endsRun: Bool { effect.endsRun }

    /// Whether it is only a detail of another event or of the run, so that views do not show it as an event.
    package var isAside: Bool {
        self == .threadTry || self == .conditionMet || self == .conditionUnmet || isOfMemoryModel
            || isOfBlock || self == .blockLost || self == .moreLost || self == .cellFreeRest
            || self == .crashReason
    }

    /// Whether it says where a block of memory was allocated or freed.
    package var isOfBlock: Bool { self == .blockAllocated || self == .blockFreed }

    /// Whether the event is about a weak memory model: it names the model, or says which write an operation on an
    /// atomic reads or where its write is inserted.
    package var isOfMemoryModel: Bool { self == .memoryModel || self == .memoryBehind || self == .memoryBefore }

    /// Whether it says that a claim does not hold.
    package var isOfClaim: Bool { self == .claimFailed || self == .claimBroken }

    package var isOfAtomic: Bool {
        self == .atomicLoad || self == .atomicStore || self == .atomicUpdate || self == .atomicMismatch
    }

    /// Whether it is an access of a list, whose value is a text although it is memory.
    package var isOfList: Bool { self == .listRead || self == .listWrite }

    /// The kind of the event that the machine's step has: to the machine, a list is a cell.
    package var ofMachine: EventKind {
        self == .listRead ? .cellRead : self == .listWrite ? .cellWrite : self
    }

    /// Whether it is a reading of a meter.
    package var isReading: Bool { self == .meterCount || self == .meterBytes || self == .meterTime }

    // Indexed by raw value, because readers and writers of traces use these for every event.
    private static let names = allCases.map { "\($0.row.name)" }
    private static let meanings = allCases.map(\.row.meaning)

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}

/// The value of the event `memory.model` for each memory model that is weaker than sequential consistency.
package enum ModelNumber {
    package static let tso = 1
    package static let rc11 = 2
}
