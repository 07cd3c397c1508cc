import Trace

/// An execution as a graph of events, as memory models describe it: the events of each thread in program order, what
/// each read reads, and for each object its *messages*. A message is an event that changes the object, such as a store
/// to an atomic or an unlock of a mutex. Messages are in modification order; the first, at place 0, is the initial
/// value.
///
/// The search of graphs (`GraphSearch`) and runs under a weaker model (`WeakMemory`) use it. A graph grows event by
/// event, each after the events on which it depends, and shrinks from the ends of its threads.
///
/// What a memory model allows is in `+Coherence`, `+Order` and `+SeqCst`; what events have seen of each other is in
/// `+Synchronization`.
///
/// Not thread-safe. Its variables are behind pointers, because variables of a class are checked for exclusive access.
package final class ExecutionGraph {
    package static let mostThreads = GraphClock.scalarCount
    /// The most events that a thread can have. A position must fit in 16 bits.
    package static let mostEvents = 0xfff0

    package let model: MemoryModel
    package let threadCount: Int
    /// The number of objects, plus one: they are numbered from 1 on.
    package let objectCount: Int
    /// By object: whether it has messages, as all objects but plain cells have.
    let haveMessages: OwnedBuffer<Bool>
    /// By object.
    let initialWords: OwnedBuffer<Int>
    /// By object: see `isOrdered`.
    let areOrdered: OwnedBuffer<Bool>

    struct Body: ~Copyable {
        /// For each thread, `eventCapacity` events.
        var events: OwnedBuffer<GraphEvent>
        var eventCapacity: Int
        /// For each object, `messageCapacity` messages in modification order, the initial one first.
        var messages: OwnedBuffer<EventName>
        var messageCapacity: Int
        /// See `GraphEvent.stamp`.
        var nextStamp: Int32 = 1
        /// The number of events that are sequentially consistent.
        var seqCstCount = 0
        /// For each moment at which time passed: how many events each thread had then.
        var fronts: [GraphClock] = []
    }

    let body: Owned<Body>
    /// By thread: the number of its events.
    package let counts: OwnedBuffer<Int>
    /// By object: the number of its messages, the initial one included.
    let messageCounts: OwnedBuffer<Int>
    /// By thread and object: the position of the thread's last event on the object, or 0. Events on no object, such as
    /// joins, have the object 0.
    let last: OwnedBuffer<Int32>
    /// Working memory.
    let orderSearch: Owned<OrderSearch>

    /// - Parameters:
    ///   - words: for each object, from number 1 on, its initial value.
    ///   - haveMessages: for each, whether it has messages: it is an atomic or a lock, for example, and not a plain
    ///     cell.
    ///   - ordered: for each, whether steps on it are updates of its word (`ObjectWord`). Nil: there is no such object.
    package init(
        _ model: MemoryModel, threads: Int, words: [Int], haveMessages: [Bool], ordered: [Bool]? = nil
    ) {
        precondition(threads <= Self.mostThreads && words.count == haveMessages.count)
        self.model = model
        threadCount = threads
        objectCount = words.count + 1
        self.haveMessages = OwnedBuffer([false] + haveMessages)
        initialWords = OwnedBuffer([0] + words)
        areOrdered = OwnedBuffer([false] + (ordered ?? Array(repeating: false, count: words.count)))
        let (events, messages) = (64, 16)
        body = Owned(
            Body(
                events: OwnedBuffer(capacity: threads * events), eventCapacity: events,
                messages: OwnedBuffer(capacity: objectCount * messages), messageCapacity: messages))
        counts = OwnedBuffer(repeating: 0, count: threads)
        messageCounts = OwnedBuffer(repeating: 1, count: objectCount)
        last = OwnedBuffer(repeating: 0, count: threads * objectCount)
        orderSearch = Owned(OrderSearch())
        reset()
    }

    /// Sets what an object is. Called before the first event on it.
    func define(_ object: Int, word: Int, hasMessages: Bool) {
        initialWords[object] = word
        haveMessages[object] = hasMessages
    }

    package func reset() {
        for thread in 0..<threadCount { counts[thread] = 0 }
        for object in 0..<objectCount {
            messageCounts[object] = 1
            body.pointee.messages[object * body.pointee.messageCapacity] = .initial
        }
        last.base.update(repeating: 0, count: threadCount * objectCount)
        body.pointee.nextStamp = 1
        body.pointee.seqCstCount = 0
        body.pointee.fronts.removeAll(keepingCapacity: true)
    }

    // MARK: - Events and messages

    /// The event at a position in its thread, from 1 on. Pointers to events are valid until the next one is added.
    @inline(always) package func event(_ thread: Int, _ index: Int) -> UnsafeMutablePointer<GraphEvent> {
        body.pointee.events.base + (thread &* body.pointee.eventCapacity &+ index &- 1)
    }

    @inline(always) package func event(_ name: EventName) -> UnsafeMutablePointer<GraphEvent> {
        event(name.thread, name.index)
    }

    @inline(always) package func lastEvent(of thread: Int) -> UnsafeMutablePointer<GraphEvent> {
        event(thread, counts[thread])
    }

    @inline(always) func messages(of object: Int) -> UnsafeMutablePointer<EventName> {
        body.pointee.messages.base + object &* body.pointee.messageCapacity
    }

    @inline(always) package func message(_ object: UInt32, at place: Int) -> EventName {
        messages(of: Int(object))[place]
    }

    @inline(always) package func messageCount(of object: UInt32) -> Int { messageCounts[Int(object)] }

    @inline(always) func place(of message: EventName) -> Int {
        message == .initial ? 0 : Int(event(message).pointee.place)
    }

    @inline(always) package func word(of message: EventName, _ object: UInt32) -> Int {
        message == .initial ? initialWords[Int(object)] : event(message).pointee.word
    }

    /// The stamp of the next new event.
    @inline(always) package var nextStamp: Int32 {
        get { body.pointee.nextStamp }
        set { body.pointee.nextStamp = newValue }
    }

    /// The value of the object's newest message.
    package func newestWord(of object: UInt32) -> Int {
        word(of: message(object, at: messageCount(of: object) - 1), object)
    }

    /// The events on which the thread's next event depends, apart from what that event reads.
    @inline(always) package func prefix(of thread: Int) -> GraphClock {
        counts[thread] == 0 ? .zero : lastEvent(of: thread).pointee.prefix
    }

    /// The number of events of a thread that a clock has seen.
    @inline(always) package func entry(_ clock: GraphClock, _ thread: Int) -> Int {
        withUnsafeBytes(of: clock) { Int($0.load(fromByteOffset: thread &<< 1, as: UInt16.self)) }
    }

    /// The position of the thread's last event on the object, or 0.
    @inline(always) package func lastIndex(of thread: Int, on object: UInt32) -> Int {
        Int(last[thread &* objectCount &+ Int(object)])
    }

    /// The place after the message that the thread's last event reads, where the write of an update goes.
    @inline(always) package func placeAfterSource(of thread: Int) -> Int {
        place(of: lastEvent(of: thread).pointee.source) + 1
    }

    // MARK: - Adding and removing events

    /// Adds an event to the end of a thread. It has seen what the thread's events before it have seen.
    ///
    /// - Parameter stamp: the stamp that it had, if it was in the graph before. Nil: a new one.
    /// - Returns: the event. The pointer is valid until the next event is added.
    @inline(always) package func append(
        _ kind: GraphEvent.Kind, _ thread: Int, _ object: UInt32, _ order: MemoryOrder, stamp: Int32? = nil
    ) -> UnsafeMutablePointer<GraphEvent> {
        let index = counts[thread] + 1
        if index > body.pointee.eventCapacity { growEvents() }
        let new = event(thread, index)
        if index > 1 {
            let before = new - 1
            new.pointee.prefix = before.pointee.prefix
            new.pointee.seen = before.pointee.seen
            new.pointee.pending = before.pointee.pending
            new.pointee.fenced = before.pointee.fenced
        } else {
            new.pointee.prefix = .zero
            new.pointee.seen = .zero
            new.pointee.pending = .zero
            new.pointee.fenced = .zero
        }
        prefixOf(new).setEntry(thread, index)
        seenBy(new).setEntry(thread, index)
        new.pointee.kind = kind
        new.pointee.thread = UInt16(truncatingIfNeeded: thread)
        new.pointee.order = order
        new.pointee.object = object
        new.pointee.source = .none
        new.pointee.revisited = .none
        new.pointee.value = 0
        new.pointee.word = 0
        new.pointee.place = 0
        if let stamp {
            new.pointee.stamp = stamp
        } else {
            new.pointee.stamp = body.pointee.nextStamp
            body.pointee.nextStamp += 1
        }
        let latest = last.base + (thread &* objectCount &+ Int(object))
        new.pointee.previous = latest.pointee
        latest.pointee = Int32(truncatingIfNeeded: index)
        counts[thread] = index
        if order == .seqcst { body.pointee.seqCstCount += 1 }
        return new
    }

    /// Puts an event, as a message, at a place in modification order. The messages from there on move up.
    @inline(always) func insert(_ name: EventName, _ message: UnsafeMutablePointer<GraphEvent>, at place: Int) {
        let object = Int(message.pointee.object)
        let count = messageCounts[object]
        if count == body.pointee.messageCapacity { growMessages() }
        let list = messages(of: object)
        var index = count
        while index > place {
            list[index] = list[index - 1]
            event(list[index]).pointee.place = Int32(truncatingIfNeeded: index)
            index -= 1
        }
        list[place] = name
        message.pointee.place = Int32(truncatingIfNeeded: place)
        messageCounts[object] = count + 1
    }

    /// Removes the thread's last event.
    @inline(always) package func removeLast(of thread: Int) {
        let index = counts[thread]
        let old = event(thread, index)
        let object = Int(old.pointee.object)
        if old.pointee.kind.isMessage {
            let list = messages(of: object)
            let count = messageCounts[object] - 1
            var place = Int(old.pointee.place)
            while place < count {
                list[place] = list[place + 1]
                event(list[place]).pointee.place = Int32(truncatingIfNeeded: place)
                place += 1
            }
            messageCounts[object] = count
        }
        last[thread &* objectCount &+ object] = old.pointee.previous
        if old.pointee.stamp == body.pointee.nextStamp - 1 { body.pointee.nextStamp -= 1 }
        counts[thread] = index - 1
        if old.pointee.order == .seqcst { body.pointee.seqCstCount -= 1 }
    }

    /// Copies all events of a graph with fewer objects into this one, which has none.
    func copyEvents(of other: ExecutionGraph) {
        let events = (0..<threadCount).flatMap { thread in
            (0..<other.counts[thread]).map { other.event(thread, $0 + 1).pointee }
        }
        for event in events.sorted(by: { $0.stamp < $1.stamp }) {
            while body.pointee.eventCapacity < other.body.pointee.eventCapacity { growEvents() }
            while body.pointee.messageCapacity < other.body.pointee.messageCapacity { growMessages() }
            var event = event
            // Its place among the messages that have been copied so far.
            event.place = Int32(truncatingIfNeeded: placeSoFar(of: event, in: other))
            putBack(event)
        }
        body.pointee.fronts = other.body.pointee.fronts
        body.pointee.nextStamp = other.body.pointee.nextStamp
    }

    private func placeSoFar(of event: GraphEvent, in other: ExecutionGraph) -> Int {
        guard event.kind.isMessage else { return 0 }
        return messageCounts[Int(event.object)]
            - (0..<messageCounts[Int(event.object)]).count { place in
                let message = message(event.object, at: place)
                return message != .initial && other.event(message).pointee.place > event.place
            }
    }

    /// Adds an event to the end of its thread again, as it was when it was removed.
    package func putBack(_ old: GraphEvent) {
        let thread = Int(old.thread)
        assert(counts[thread] < body.pointee.eventCapacity)
        let index = counts[thread] + 1
        let new = event(thread, index)
        new.pointee = old
        counts[thread] = index
        last[thread * objectCount + Int(old.object)] = Int32(truncatingIfNeeded: index)
        if old.order == .seqcst { body.pointee.seqCstCount += 1 }
        if old.kind.isMessage { insert(EventName(thread, index), new, at: Int(old.place)) }
    }

    @inline(never) private func growEvents() {
        let new = body.pointee.eventCapacity * 2
        let larger = OwnedBuffer<GraphEvent>(capacity: threadCount * new)
        for thread in 0..<threadCount {
            (larger.base + thread * new).update(from: event(thread, 1), count: counts[thread])
        }
        body.pointee.events = larger
        body.pointee.eventCapacity = new
    }

    @inline(never) private func growMessages() {
        let new = body.pointee.messageCapacity * 2
        let larger = OwnedBuffer<EventName>(capacity: objectCount * new)
        for object in 0..<objectCount {
            (larger.base + object * new).update(from: messages(of: object), count: messageCounts[object])
        }
        body.pointee.messages = larger
        body.pointee.messageCapacity = new
    }

    // MARK: - Clocks in memory

    @inline(always) func prefixOf(_ event: UnsafeMutablePointer<GraphEvent>) -> UnsafeMutablePointer<GraphClock> {
        clock(event, MemoryLayout<GraphEvent>.offset(of: \.prefix)!)
    }
    @inline(always) func seenBy(_ event: UnsafeMutablePointer<GraphEvent>) -> UnsafeMutablePointer<GraphClock> {
        clock(event, MemoryLayout<GraphEvent>.offset(of: \.seen)!)
    }
    @inline(always) private func clock(
        _ event: UnsafeMutablePointer<GraphEvent>, _ offset: Int
    ) -> UnsafeMutablePointer<GraphClock> {
        (UnsafeMutableRawPointer(event) + offset).assumingMemoryBound(to: GraphClock.self)
    }

    /// Whether an event is among those that a clock has seen.
    @inline(always) func contains(_ clock: UnsafeMutablePointer<GraphClock>, _ name: EventName) -> Bool {
        name == .initial || clock.entry(name.thread) >= name.index
    }
}
