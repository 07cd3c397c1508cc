import Trace

/// What has been seen of each thread: the number of its events, by thread.
///
/// One vector: a graph has at most as many threads as it has elements.
package typealias GraphClock = SIMD16<UInt16>

extension UnsafeMutablePointer<GraphClock> {
    /// The entry of one thread. Read in memory, because a subscript of a vector would copy it there first.
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

/// The name of an event in a graph: its thread and its position in it, from 1 on.
package struct EventName: Equatable, Sendable, BitwiseCopyable {
    package let word: Int32

    @inline(always) package init(_ thread: Int, _ index: Int) {
        word = Int32(truncatingIfNeeded: thread &<< 16 | index)
    }

    @inline(always) init(word: Int32) { self.word = word }

    @inline(always) package var thread: Int { Int(word) &>> 16 }
    @inline(always) package var index: Int { Int(word) & 0xffff }

    /// Of a message: the initial value of its object.
    package static let initial = EventName(word: 0)
    /// Of a source: there is none. The thread waits.
    package static let none = EventName(word: -1)
}

/// An event of an execution graph.
package struct GraphEvent: BitwiseCopyable {
    package enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// The thread's first one.
        case start
        case load
        /// The read of an update. The update's write follows if it stores.
        case loadToUpdate
        case store
        /// The write of an update.
        case storeOfUpdate
        case fence
        /// Plain memory.
        case read, write
        case lock, unlock
        /// A step on another object, in the order of all steps on it.
        case sync
        /// It starts a thread: the value is its number. The thread's first event comes after it.
        case spawn
        case join
        case choose
        /// It has no effect that a graph shows.
        case other
    }

    package var kind: Kind
    package var order: MemoryOrder
    package var thread: UInt16
    package var object: UInt32
    /// What a read reads; of the write of an update, what its read reads.
    package var source: EventName
    /// What a read finds; the number that a choice returns; the thread that is joined.
    package var value: Int
    /// What a write stores.
    package var word: Int
    /// The thread's event before it on the same object, or 0.
    package var previous: Int32
    /// When it was added: an event with a lower number was there before.
    package var stamp: Int32
    /// Of a message: its place in modification order. The initial message has place 0.
    package var place: Int32
    /// Of a write that was added to be read by a read that was there before: that read. Otherwise `none`.
    package var revisited: EventName
    /// Where the owner of the graph keeps what belongs to the event.
    package var note: Int32
    /// What precedes it in program order and by what reads have read: itself included.
    package var prefix: GraphClock
    /// What happens before it: itself included.
    package var seen: GraphClock
    /// What an acquire fence of the thread would see: published by messages that relaxed loads have read.
    package var pending: GraphClock
    /// What the thread's last release fence had seen.
    package var fenced: GraphClock
    /// Of a message: what a read that acquires it sees.
    package var published: GraphClock
}

extension GraphEvent.Kind {
    @inline(always) package var reads: Bool { self == .load || self == .loadToUpdate }
    /// Whether it is a message of an atomic.
    @inline(always) package var writes: Bool { self == .store || self == .storeOfUpdate }
    /// Whether it has a place in the order of its object's messages.
    @inline(always) var isMessage: Bool {
        switch self {
        case .store, .storeOfUpdate, .unlock, .sync: true
        case .start, .load, .loadToUpdate, .fence, .read, .write, .lock, .spawn, .join, .choose, .other: false
        }
    }
}
