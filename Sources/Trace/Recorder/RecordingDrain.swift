import CLab

/// The work and the state of a `RecordingReader`: takes events from lanes, in order, and translates them for a
/// document. It is a value with one owner, so that the loop over events needs no checks of exclusive access.
struct RecordingDrain {
    private let memory: RecordingMemory
    /// Whether this process, or one that it forked, writes the recording.
    private let isLive: Bool
    /// The maximum number of events in the document.
    private let maximumEvents: Int
    let clock: RecordingClock
    private let order: LaneOrder

    private var lanes: [LaneReader] = []
    /// For `LaneOrder.byTime`.
    private var merge = LaneMerge()
    /// For `LaneOrder.byLane`: the lane that is being read.
    private var currentLane = 0
    private var names: NameReader
    private var sites: SiteTable
    /// For each thread, whether the end of the process has cut it off.
    private var isCutOff: [Bool] = []
    /// The reading of the clock at the last drain.
    private var previousMoment: UInt64 = 0
    /// The time of the last event, in nanoseconds.
    private var lastTime: UInt64 = 0
    /// The number of dropped events that the document already counts.
    private var knownDropped: UInt64 = 0

    /// The number of events that are passed on together: few enough to remain in the processor's cache.
    private static let batch = 4096
    /// After this number of events, room is reserved for all events that can be kept. The system supplies that memory
    /// only as it is used, while an array that grows step by step needs twice as much.
    private static let fewEvents = 1 << 16

    /// The maximum number of events of one call while threads record: threads can be faster than the reader, which has
    /// other work.
    private static let mostPerCall = 1 << 18

    /// `LaneMerge.slack` in nanoseconds: 1 ms.
    private static let slack = 1_000_000.0

    /// The number of invalid records, which were left out.
    private(set) var damaged = 0

    /// The time, on the recording's clock, up to which all events have been passed on.
    private(set) var horizon: UInt64 = 0

    /// What was run, if the recording states it.
    var run: TraceHeader? { names.run }

    /// - Parameters:
    ///   - isLive: whether this process, or one that it forked, writes the recording.
    ///   - placeOfCalls: returns the file and line of a site whose calls have this number (`SourceSite.calls`).
    init(
        _ memory: RecordingMemory, isLive: Bool, maximumEvents: Int,
        placeOfCalls: @escaping (Int) -> SourceSite = { _ in .unknown }
    ) throws(RecordingError) {
        self.memory = memory
        self.isLive = isLive
        // At least 2, so that the older half is not empty.
        self.maximumEvents = max(2, maximumEvents)
        (clock, order) = try Self.checkedHeader(memory)
        names = NameReader(memory: memory)
        sites = SiteTable(memory: memory, placeOfCalls: placeOfCalls)
    }

    /// The document's number of a site in an earlier event. Nil: no event had it.
    mutating func number(of site: SourceSite) -> SiteID? { sites.known(site.word) }

    /// Appends the events that were recorded since the last time.
    ///
    /// - Parameters:
    ///   - final: whether no thread records any more, so that all events are taken. Otherwise about the last
    ///     millisecond is left for the next time, because an earlier event may still arrive.
    ///   - isOver: whether to stop. Called after each batch.
    ///   - observe: receives the events in batches, including those that the document does not keep.
    /// - Returns: whether these were all. Otherwise more can already be read.
    mutating func drain(
        into document: inout TraceDocument, final: Bool, unless isOver: () -> Bool,
        _ observe: (ArraySlice<Event>) -> Void
    ) -> Bool {
        let moment = isLive && clock != .virtual ? clock.read() : UInt64.max
        let pace = self.pace(moment: moment)
        addLanes()
        var watermark = UInt64.max
        switch order {
        case .byTime: watermark = updateLanes(moment: moment, pace: pace, final: final)
        case .byLane: for index in lanes.indices { lanes[index].update() }
        }
        names.readNew(into: &document)
        isCutOff.append(contentsOf: repeatElement(false, count: max(0, document.threads.count - isCutOff.count)))
        if order == .byTime { beginMerge(document) }
        var observed = document.events.count
        var left = final ? Int.max : Self.mostPerCall
        while left > 0, let recorded = nextEvent(watermark) {
            left -= 1
            guard let event = event(recorded, pace, &document) else { continue }
            if document.events.count == Self.fewEvents { document.events.reserveCapacity(maximumEvents) }
            document.events.append(event)
            let isFull = document.events.count >= maximumEvents
            guard isFull || document.events.count - observed >= Self.batch else { continue }
            observe(document.events[observed...])
            if isFull { dropOlderHalf(of: &document) }
            observed = document.events.count
            if isOver() { left = 0 }
        }
        observe(document.events[observed...])
        countDropped(in: &document)
        // An event may wait for one that arrives late. Later events then wait too.
        horizon = lanes.reduce(watermark) { min($0, $1.head?.event.time ?? .max) }
        return left > 0
    }

    // MARK: - Lanes

    var laneCount: Int {
        Int(min(memory.load(RecordingLayout.Header.laneCount), UInt64(RecordingLayout.LaneRecord.limit)))
    }

    private mutating func addLanes() {
        let count = laneCount
        while lanes.count < count {
            lanes.append(LaneReader(memory: memory, number: lanes.count, returnsChunks: isLive))
        }
    }

    /// Removes the next event, in the order of the recording. Nil: there is none yet.
    private mutating func nextEvent(_ watermark: UInt64) -> RecordedEvent? {
        switch order {
        case .byTime: return merge.next(&lanes, watermark: watermark)
        case .byLane:
            while currentLane < lanes.count {
                if let next = lanes[currentLane].nextEvent() { return next.event }
                // A lane that has a successor is complete.
                if currentLane + 1 == lanes.count { return nil }
                currentLane += 1
            }
            return nil
        }
    }

    private mutating func beginMerge(_ document: TraceDocument) {
        merge.order.grow(
            objects: document.objects.count, threads: document.threads.count, initialValues: names.initialValues)
        merge.begin(lanes)
    }

    /// Finds out what each lane has published since the last time.
    ///
    /// - Returns: the time up to which no further event can arrive.
    private mutating func updateLanes(moment: UInt64, pace: Double, final: Bool) -> UInt64 {
        merge.slack = UInt64(Self.slack / pace)
        var watermark = UInt64.max
        let lateness = LaneMerge.lateness(slack: merge.slack)
        for index in lanes.indices {
            lanes[index].lateness = lateness
            lanes[index].update(moment: moment, previous: previousMoment)
            watermark = min(watermark, lanes[index].bound)
        }
        previousMoment = moment
        if final || clock == .virtual { return .max }
        // A processor may briefly delay the writes of its thread.
        return min(watermark, moment) -| merge.slack
    }

    /// Nanoseconds per tick, by the longest measurement so far. 1 for clocks whose unit is a nanosecond.
    private func pace(moment: UInt64) -> Double {
        guard clock == .ticks else { return 1 }
        if isLive {
            let ticks = moment -| memory.load(RecordingLayout.Header.startTicks)
            let time = RecordingClock.nanoseconds() -| memory.load(RecordingLayout.Header.startNanoseconds)
            // A measurement of more than 1 ms is precise enough.
            if time > 1_000_000 && ticks > 1000 { return Self.possible(Double(time) / Double(ticks)) }
        }
        return Self.possible(Double(bitPattern: memory.load(RecordingLayout.Header.nanosecondsPerTick)))
    }

    /// The pace, or 1 if no processor has that pace.
    private static func possible(_ pace: Double) -> Double { pace > 0.001 && pace < 1000 ? pace : 1 }

    // MARK: - To the document

    /// Translates an event for the document. Nil: it is invalid, or not part of the run.
    private mutating func event(
        _ recorded: RecordedEvent, _ pace: Double, _ document: inout TraceDocument
    ) -> Event? {
        guard var event = decode(recorded, pace, &document) else {
            damaged += 1
            return nil
        }
        // A thread cut off by the end of the process may have been in the middle of recording.
        if isCutOff[Int(event.thread.index)] { return nil }
        if event.kind.effect == .cutOffThread { isCutOff[Int(event.thread.index)] = true }
        event.site = sites.known(recorded.site) ?? sites.add(recorded.site, to: &document, names: names)
        return event
    }

    /// The event without its site. Nil: one of its fields is invalid.
    private mutating func decode(_ recorded: RecordedEvent, _ pace: Double, _ document: inout TraceDocument) -> Event? {
        guard let kind = recorded.kind, Int(recorded.thread) < document.threads.count else { return nil }
        guard recorded.object == 0 || Int(recorded.object) < document.objects.count else { return nil }
        var value = recorded.value
        let remark = kind == .remark ? names.id(ofRemark: recorded.remark, in: &document) : .none
        let meaning: EventKind.Meaning =
            kind == .remark ? document.remark(remark)?.meaning ?? .none : kind.meaning
        switch meaning {
        case .thread: guard value >= 0 && value < document.threads.count else { return nil }
        case .object:
            // The value of a wake-up also contains the number of an acquisition of the mutex.
            if kind.effect != .park { value = MergeOrder.mutex(ofWake: value) }
            guard value >= 0 && value < document.objects.count else { return nil }
        case .text: value = names.index(of: value, in: &document)
        case .none, .number, .result, .ticket, .signal, .nanoseconds, .bytes, .misuse, .order:
            guard kind.values(meaning).contains(value) else { return nil }
        }
        return Event(
            time: nanoseconds(recorded.time, pace), thread: ThreadID(Int(recorded.thread)), kind: kind,
            object: ObjectID(Int(recorded.object)), value: value, remark: remark, order: recorded.order)
    }

    /// Converts a time to nanoseconds since the start of the recording. The results never decrease.
    private mutating func nanoseconds(_ time: UInt64, _ pace: Double) -> UInt64 {
        let elapsed = clock == .virtual ? time : time -| memory.load(RecordingLayout.Header.startTicks)
        let nanoseconds = clock == .ticks ? UInt64(min(Double(elapsed) * pace, 0x1p62)) : elapsed
        lastTime = max(lastTime, min(nanoseconds, Event.latestTime))
        return lastTime
    }

    /// Drops the older half of the events, because there are too many. It drops half of them at a time, so that the
    /// cost of moving the others is small for each event. Of the dropped half, readings of meters are kept, because a
    /// chart covers the whole run; if they are very many, only the last ones.
    private func dropOlderHalf(of document: inout TraceDocument) {
        let count = document.events.count / 2
        let readings = document.events[..<count].filter(\.kind.isReading).suffix(count / 4)
        document.events.replaceSubrange(..<count, with: readings)
        document.dropped += count - readings.count
    }

    private mutating func countDropped(in document: inout TraceDocument) {
        // 48 bits: a damaged number must not overflow the sum.
        let dropped = memory.load(RecordingLayout.Header.dropped) & 0xFFFF_FFFF_FFFF
        if dropped > knownDropped {
            document.dropped += Int(dropped - knownDropped)
            knownDropped = dropped
        }
    }

    /// The clock and the order of the recording, if it is valid and of this version.
    private static func checkedHeader(
        _ memory: RecordingMemory
    ) throws(RecordingError) -> (clock: RecordingClock, order: LaneOrder) {
        typealias Header = RecordingLayout.Header
        guard memory.load(Header.magic) == RecordingLayout.magic else {
            throw RecordingError("neither JSON Lines nor a recording")
        }
        guard memory.load(Header.version) == RecordingLayout.version,
            memory.load(Header.vocabulary) == RecordingLayout.vocabulary
        else { throw RecordingError("the recording was made by another version of threadlab") }
        guard memory.load(Header.size) == UInt64(memory.size),
            let clock = RecordingClock(rawValue: memory.load(Header.clock)),
            let order = LaneOrder(rawValue: memory.load(Header.order))
        else { throw RecordingError("the recording is damaged") }
        return (clock, order)
    }
}

infix operator -| : AdditionPrecedence

/// The difference, or zero if it is negative.
private func -| (a: UInt64, b: UInt64) -> UInt64 { a > b ? a - b : 0 }
