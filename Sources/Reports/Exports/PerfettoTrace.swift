import Diagnosis
import Trace

/// Writes a trace in Perfetto's own format (docs/views.md): a track for each thread, with a mark for each step and
/// slices for waiting and sleeping; tracks for the locks that it holds; arrows between threads; counters.
///
/// It is written event by event, so that it is never in memory as a whole.
package struct PerfettoTrace {
    private typealias Field = PerfettoField

    /// Values of `Field.Event.type`.
    private enum EventType: UInt64 {
        case begin = 1
        case end, instant, counter
    }

    /// The numbers of the names in the table `Field.Interned.annotationNames`.
    private enum AnnotationName {
        static let event: UInt64 = 1
        static let value: UInt64 = 2
    }

    /// The number of the only sequence of packets.
    private static let sequence: UInt64 = 1

    private let trace: TraceDocument
    private let cast: Cast
    private let roles: [EventRoles.Role]
    private var names: PerfettoNames
    private var writer = ProtobufWriter()
    private var run = RunState(followsOrder: false)
    private var causes = CauseFinder()
    /// Under a weaker memory model: by the number of a write, the threads that read it.
    private let readers: [Int: [ThreadID]]
    private var counters: PerfettoCounters
    private var declaredTracks: Set<UInt64> = []
    private var declaredPlaces: Set<UInt32> = []
    private var hasAnnotationNames = false
    /// By thread: the object for which it waits in its open slice; `ObjectID.none` if the slice is a sleep or a wait
    /// for a thread's end. Nil: no slice is open.
    private var open: [ObjectID?]
    private var time: UInt64 = 0
    /// The numbers of the arrows that start at the current event, and of those that end at it.
    private var flowStarts: [UInt64] = []
    private var flowEnds: [UInt64] = []

    /// - Returns: the number of events that are not written, because the trace would exceed `most` bytes.
    @discardableResult
    package static func write(
        _ trace: TraceDocument, to sink: inout ByteSink, upTo most: Int = ExportLimits.bytes
    ) -> Int {
        let start = sink.count
        var export = PerfettoTrace(trace)
        export.writeCast(to: &sink)
        var index = 0
        let end = trace.runLength
        while index < end && sink.count - start <= most {
            export.write(trace.events[index], index, to: &sink)
            index += 1
        }
        export.writeOutcome(omitting: end - index, to: &sink)
        sink.flush()
        return end - index
    }

    private init(_ trace: TraceDocument) {
        self.trace = trace
        cast = Cast(trace, ReportOptions())
        roles = trace.roles(.limits).all
        names = PerfettoNames(cast)
        readers = Self.readers(trace)
        counters = PerfettoCounters(trace)
        open = Array(repeating: nil, count: trace.threads.count)
    }

    // MARK: - Packets

    /// - Parameter flags: see `sequence_flags` in Perfetto's schema.
    @inline(__always)
    private mutating func packet(
        _ flags: UInt64 = Field.Packet.needsState, to sink: inout ByteSink, _ body: (inout ProtobufWriter) -> Void
    ) {
        writer.removeAll()
        writer.write(message: Field.packet) { packet in
            packet.write(Field.Packet.timestamp, time)
            packet.write(Field.Packet.sequence, Self.sequence)
            packet.write(Field.Packet.sequenceFlags, flags)
            body(&packet)
        }
        sink.write(record: writer.bytes)
    }

    private mutating func declare(
        _ track: UInt64, below parent: UInt64?, flags: UInt64 = Field.Packet.needsState, to sink: inout ByteSink,
        _ body: (inout ProtobufWriter) -> Void
    ) {
        packet(flags, to: &sink) { packet in
            packet.write(message: Field.Packet.descriptor) { descriptor in
                descriptor.write(Field.Track.number, track)
                if let parent { descriptor.write(Field.Track.parent, parent) }
                body(&descriptor)
            }
        }
    }

    private mutating func writeCast(to sink: inout ByteSink) {
        let process = UInt64(1)
        let name = cast.title.text
        declare(PerfettoTracks.process, below: nil, flags: Field.Packet.stateCleared, to: &sink) { track in
            track.write(message: Field.Track.process) {
                $0.write(Field.Process.number, process)
                $0.write(Field.Process.name, name)
            }
        }
        for index in trace.threads.indices {
            let name = cast.threads[index].text
            declare(PerfettoTracks.thread(ThreadID(index)), below: nil, to: &sink) { track in
                track.write(message: Field.Track.thread) {
                    $0.write(Field.Thread.process, process)
                    // Number 0 is reserved for a processor's idle thread.
                    $0.write(Field.Thread.number, UInt64(index + 1))
                    $0.write(Field.Thread.name, name)
                }
            }
        }
    }

    // MARK: - Events

    private mutating func write(_ event: Event, _ index: Int, to sink: inout ByteSink) {
        advance(to: event, index)
        causes.consume(event)
        run.consume(event)
        if !event.kind.concernsRun && roles[index] != .inside { endWait(of: event.thread, to: &sink) }
        if roles[index] == .step {
            let isWait = event.kind.beginsWait || event.kind.effect == .sleep
            if isWait { beginWait(event, to: &sink) }
            writeStep(event, index, isWait ? .begin : .instant, to: &sink)
        }
        switch run.heldChange {
        case .none: break
        case .taken(let lock): writeHold(lock, event, .begin, to: &sink)
        case .released(let hold): writeHold(hold.object, event, .end, to: &sink)
        }
        if let reading = counters.consume(event) { write(reading, event.object, to: &sink) }
    }

    /// In a controlled run, where most steps take no time, each event is a microsecond after the previous one.
    private mutating func advance(to event: Event, _ index: Int) {
        switch trace.header.runtime {
        case .controlled: time = UInt64(index) * 1000
        // Threads take their own time stamps, whose order can differ slightly from that of the events.
        case .native: time = max(time, event.time)
        }
    }

    private mutating func writeStep(_ event: Event, _ index: Int, _ type: EventType, to sink: inout ByteSink) {
        let name = names.name(of: event, index)
        let track = event.kind.concernsRun ? PerfettoTracks.process : PerfettoTracks.thread(event.thread)
        let place = UInt64(event.site.index)
        let newPlace = declaredPlaces.contains(event.site.index) ? nil : trace.site(event.site)
        if newPlace != nil { declaredPlaces.insert(event.site.index) }
        let isPlace = newPlace != nil || declaredPlaces.contains(event.site.index)
        let value = trace.meaning(of: event).isNumber && event.value != Event.noNumber ? event.value : nil
        findFlows(event, index)
        let (starts, ends) = (flowStarts, flowEnds)
        let isFirst = !hasAnnotationNames
        hasAnnotationNames = true
        packet(to: &sink) { packet in
            if name.text != nil || newPlace != nil || isFirst {
                packet.write(message: Field.Packet.internedData) { data in
                    if let text = name.text { data.intern(Field.Interned.names, name.number, text) }
                    if isFirst {
                        data.intern(Field.Interned.annotationNames, AnnotationName.event, "event")
                        data.intern(Field.Interned.annotationNames, AnnotationName.value, "value")
                    }
                    if let newPlace { data.intern(Field.Interned.places, place, newPlace.file, line: newPlace.line) }
                }
            }
            packet.write(message: Field.Packet.event) { step in
                step.write(Field.Event.type, type.rawValue)
                step.write(Field.Event.track, track)
                step.write(Field.Event.name, name.number)
                step.annotate(AnnotationName.event, Int64(index + 1))
                if let value { step.annotate(AnnotationName.value, value) }
                if isPlace { step.write(Field.Event.place, place) }
                for flow in starts { step.write(Field.Event.flows, fixed: flow) }
                for flow in ends { step.write(Field.Event.endingFlows, fixed: flow) }
            }
        }
    }

    private mutating func writeHold(_ lock: ObjectID, _ event: Event, _ type: EventType, to sink: inout ByteSink) {
        guard trace.object(lock)?.kind != .part else { return }
        let track = PerfettoTracks.hold(lock, by: event.thread)
        let name = cast.object(lock).text
        if declaredTracks.insert(track).inserted {
            declare(track, below: PerfettoTracks.thread(event.thread), to: &sink) {
                $0.write(Field.Track.name, "holds \(name)")
            }
        }
        packet(to: &sink) { packet in
            packet.write(message: Field.Packet.event) { slice in
                slice.write(Field.Event.type, type.rawValue)
                slice.write(Field.Event.track, track)
                if type == .begin { slice.write(Field.Event.text, name) }
            }
        }
    }

    // MARK: - Waits

    private mutating func beginWait(_ event: Event, to sink: inout ByteSink) {
        let thread = Int(event.thread.index)
        guard open.indices.contains(thread) else { return }
        open[thread] = event.object
        if event.object != .none { write(counters.wait(for: event.object, 1), event.object, to: &sink) }
    }

    private mutating func endWait(of thread: ThreadID, to sink: inout ByteSink) {
        let index = Int(thread.index)
        guard open.indices.contains(index), let object = open[index] else { return }
        open[index] = nil
        packet(to: &sink) { packet in
            packet.write(message: Field.Packet.event) { slice in
                slice.write(Field.Event.type, EventType.end.rawValue)
                slice.write(Field.Event.track, PerfettoTracks.thread(thread))
            }
        }
        if object != .none { write(counters.wait(for: object, -1), object, to: &sink) }
    }

    // MARK: - Counters

    private mutating func write(_ reading: PerfettoCounters.Reading, _ object: ObjectID, to sink: inout ByteSink) {
        let track = PerfettoTracks.counter(reading.counter, of: object)
        if declaredTracks.insert(track).inserted {
            let name = reading.counter.title(cast.object(object).text)
            declare(track, below: PerfettoTracks.process, to: &sink) { track in
                track.write(Field.Track.name, name)
                track.write(message: Field.Track.counter) { $0.write(Field.Counter.unit, reading.unit.rawValue) }
            }
        }
        packet(to: &sink) { packet in
            packet.write(message: Field.Packet.event) { value in
                value.write(Field.Event.type, EventType.counter.rawValue)
                value.write(Field.Event.track, track)
                value.write(Field.Event.counterValue, signed: reading.value)
            }
        }
    }

    // MARK: - Arrows

    /// The number of an arrow, which is the same at its start and at its end. It combines the event from which the
    /// arrow starts with the thread to which it leads, if that thread is known at the start.
    private static func flow(_ event: Int, to thread: ThreadID?) -> UInt64 {
        UInt64(event + 1) << threadBits | UInt64(thread.map { Int($0.index) + 1 } ?? 0)
    }

    /// The number of bits for a thread's index plus one. The index has 16 bits.
    private static let threadBits = 17

    private static func readers(_ trace: TraceDocument) -> [Int: [ThreadID]] {
        var finder = CauseFinder()
        var readers: [Int: [ThreadID]] = [:]
        for event in trace.events {
            finder.consume(event)
            for cause in finder.causes where cause.kind == .source || cause.kind == .olderSource {
                readers[cause.event, default: []].append(event.thread)
            }
        }
        return readers
    }

    private mutating func findFlows(_ event: Event, _ index: Int) {
        flowStarts.removeAll(keepingCapacity: true)
        flowEnds.removeAll(keepingCapacity: true)
        let effect = event.kind.effect
        if event.lockChange?.from != nil { flowStarts.append(Self.flow(index, to: nil)) }
        if effect == .givePermit || effect.endsThread { flowStarts.append(Self.flow(index, to: nil)) }
        if effect.createsThread, let created = event.valueAsThread { flowStarts.append(Self.flow(index, to: created)) }
        if effect.isSignal || effect.isWrite {
            for waiter in causes.waiters(of: event.object) { flowStarts.append(Self.flow(index, to: waiter)) }
        }
        for reader in readers[index] ?? [] { flowStarts.append(Self.flow(index, to: reader)) }
        for cause in causes.causes where cause.isShown && trace.object(cause.object)?.kind != .part {
            switch cause.kind {
            case .signal, .change, .creation, .source, .olderSource:
                flowEnds.append(Self.flow(cause.event, to: event.thread))
            // At the start of the arrow it is not known which thread will follow, so its number names none, and only
            // the first thread that follows gets it.
            case .lock, .permit, .end, .value: if cause.isFirst { flowEnds.append(Self.flow(cause.event, to: nil)) }
            }
        }
    }

    // MARK: - The end

    /// Writes a mark a little after the last event, so that unfinished waits have a length.
    private mutating func writeOutcome(omitting omitted: Int, to sink: inout ByteSink) {
        guard let outcome = trace.outcome else { return }
        time = time.added(saturating: max(time / 20, 1000))
        let part = omitted == 0 ? "" : " (\(Names.count(omitted, "event")) before that not shown)"
        let text = cast.label("\(outcome.kind.rawValue): \(outcome.summary)\(part)").text
        packet(to: &sink) { packet in
            packet.write(message: Field.Packet.event) { mark in
                mark.write(Field.Event.type, EventType.instant.rawValue)
                mark.write(Field.Event.track, PerfettoTracks.process)
                mark.write(Field.Event.text, text)
            }
        }
    }
}

extension ProtobufWriter {
    /// Writes an entry of a table. Events refer to it by number.
    fileprivate mutating func intern(_ field: UInt64, _ number: UInt64, _ text: String, line: Int? = nil) {
        write(message: field) { entry in
            entry.write(PerfettoField.Interned.number, number)
            entry.write(PerfettoField.Interned.text, text)
            if let line { entry.write(PerfettoField.Interned.line, UInt64(max(line, 0))) }
        }
    }

    fileprivate mutating func annotate(_ name: UInt64, _ value: Int64) {
        write(message: PerfettoField.Event.annotations) { annotation in
            annotation.write(PerfettoField.Annotation.name, name)
            annotation.write(PerfettoField.Annotation.integer, signed: value)
        }
    }
}
