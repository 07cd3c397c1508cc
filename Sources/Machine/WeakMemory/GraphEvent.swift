import Trace

/// A set of events of an execution graph that contains, with each event, all earlier ones of its thread. It is
/// therefore stored as one number for each thread: how many of its events are in the set. The vector has 16 elements,
/// so a graph has at most 16 threads.
package typealias GraphClock = SIMD16<UInt16>

extension UnsafeMutablePointer<GraphClock> {
    /// The entry of one thread. Read from memory directly, because a subscript would first copy the whole vector there.
    @inline(always) func entry(_ thread: Int) -> Int {
        Int(UnsafeRawPointer(self).load(fromByteOffset: thread &<< 1, as: UInt16.self))
    }

    @inline(always) func setEntry(_ thread: Int, _ count: Int) {
        UnsafeMutableRawPointer(self).storeBytes(
            of: UInt16(truncatingIfNeeded: count), toByteOffset: thread &<< 1, as: UInt16.self)
    }

    @inline(always) func merge(_ other: GraphClock) {
        let own = pointee
        pointee = own.replacing(with: other, where: other .> own)
    }
}

/// The name of an event in a graph: its thread, and its position in the thread, from 1 on.
package struct EventName: Equatable, Sendable, BitwiseCopyable {
    package let word: Int32

    @inline(always) package init(_ thread: Int, _ index: Int) {
        word = Int32(truncatingIfNeeded: thread &<< 16 | index)
    }

    @inline(always) init(word: Int32) { self.word = word }

    @inline(always) package var thread: Int { Int(word) &>> 16 }
    @inline(always) package var index: Int { Int(word) & 0xffff }

    /// Stands for the initial value of an object, as its first message.
    package static let initial = EventName(word: 0)
    /// No event. As the source of a read: there is nothing that it can read yet, so its thread waits.
    package static let none = EventName(word: -1)
}

/// An event of an execution graph.
package struct GraphEvent: BitwiseCopyable {
    package enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// The first event of a thread.
        case start
        case load
        /// The read of an update (a read-modify-write). If the update stores, its write is the thread's next event.
        case loadToUpdate
        case store
        /// The write of an update.
        case storeOfUpdate
        case fence
        /// An access of plain memory.
        case read, write
        /// A step on a normal mutex, in a search of graphs of a program without attempts to lock one.
        case lock, unlock
        /// A step on an object other than an atomic or a cell, as a message. Only in a run of the machine.
        case sync
        /// Starts the thread whose number is the event's value.
        case spawn
        case join
        case choose
        /// A step without an effect in a graph.
        case other
    }

    package var kind: Kind
    package var order: MemoryOrder
    package var thread: UInt16
    package var object: UInt32
    /// The message that a read reads; for the write of an update, the one that its read reads.
    package var source: EventName
    /// What a read finds; the number that a choice returns; the thread that is started or joined; for the write of a
    /// step on a lock or semaphore, the act.
    package var value: Int
    /// What a write stores.
    package var word: Int
    /// The position of the thread's previous event on the same object, or 0.
    package var previous: Int32
    /// When the event was added: events with lower stamps were in the graph before it.
    package var stamp: Int32
    /// The place of a message in modification order. The initial message has place 0.
    package var place: Int32
    /// For a write that was added later than the read that reads it (the search revisited that read): the read.
    /// Otherwise `none`.
    package var revisited: EventName
    /// The position at which the owner of the graph keeps what belongs to the event.
    package var note: Int32
    /// The events on which it depends, by program order and reads-from, itself included.
    package var prefix: GraphClock
    /// The events that happen before it, and itself.
    package var seen: GraphClock
    /// What an acquire fence of the thread would add to `seen`: what was published by messages that relaxed loads have
    /// read.
    package var pending: GraphClock
    /// What the thread's last release fence had seen.
    package var fenced: GraphClock
    /// For a message: what a read that acquires it sees.
    package var published: GraphClock
}

extension GraphEvent.Kind {
    @inline(always) package var reads: Bool { self == .load || self == .loadToUpdate }
    /// Whether it writes an atomic, or the word of a lock or semaphore (`ObjectWord`).
    @inline(always) package var writes: Bool { self == .store || self == .storeOfUpdate }
    /// Whether it has a place in the order of its object's messages.
    @inline(always) var isMessage: Bool {
        switch self {
        case .store, .storeOfUpdate, .unlock, .sync: true
        case .start, .load, .loadToUpdate, .fence, .read, .write, .lock, .spawn, .join, .choose, .other: false
        }
    }
}
