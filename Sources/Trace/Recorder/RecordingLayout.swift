/// The layout of a recording's memory. Offsets and sizes are in bytes; every field is one word of 64 bits.
///
/// | part   | holds |
/// |--------|-------|
/// | header | what wrote it, its clock, and contended words, each in a cache line of its own |
/// | lanes  | a record for each thread that records: how much it has published, and its first chunk |
/// | names  | the run, threads, objects, remarks and texts, one after the other (`NameArea`) |
/// | chunks | 64 KiB each: a header of one event's size, then events; a lane's chunks are a linked list |
enum RecordingLayout {
    /// The letters `tlabrec1`.
    static let magic: UInt64 = 0x3163_6572_6261_6C74
    static let version: UInt64 = 3

    enum Header {
        static let magic = 0
        static let version = 8
        static let size = 16
        /// A hash of the names of event kinds. Kinds' numbers are valid only for a reader with the same hash.
        static let vocabulary = 24
        /// The identity of the program's build (`ProgramIdentity`).
        static let program = 32
        /// The address at which the program was loaded.
        static let loadAddress = 40
        /// The raw value of a `RecordingClock`.
        static let clock = 48
        /// The start of the recording, in units of its clock.
        static let startTicks = 56
        /// The start of the recording, in nanoseconds of the monotonic clock.
        static let startNanoseconds = 64
        /// A `Double`: nanoseconds per tick.
        static let nanosecondsPerTick = 72
        /// The offset of the end of the part for names.
        static let namesEnd = 80
        /// The order of the lanes' events: the raw value of a `LaneOrder`.
        static let order = 88
        /// The number of lanes that threads have asked for, which may be more than there are.
        static let laneCount = 128
        /// The offset of the next record of the part for names.
        static let nextName = 256
        /// The number of chunks that have ever been taken.
        static let chunksTaken = 384
        /// The list of drained chunks (`ChunkPool`).
        static let freeChunks = 512
        /// The number of events that were dropped because there was no room.
        static let dropped = 640
        /// 1 while a reader drains the recording, so that a wait for a chunk can succeed.
        static let reader = 768
        /// The system's error number for a write to the recording's file that the disk refused. 0: none was refused.
        static let diskFailure = 896
        /// The hashes of the remarks (`RemarkTable`).
        static let remarks = 1024
        static let length = 4096
    }

    enum LaneRecord {
        /// Twice the number of published records, plus 1 if an event is announced and not yet published.
        static let state = 0
        /// The number of the first chunk that has not been drained, plus one.
        static let firstChunk = 8
        /// The kernel's number of the thread.
        static let kernelThread = 16
        /// Two cache lines, because the processor fetches them in pairs.
        static let size = 128
        /// The maximum number of lanes.
        static let limit = 1088
    }

    enum Chunk {
        static let size = 64 << 10
        static let eventSize = 32
        static let eventCount = size / eventSize - 1
        /// The chunk's index in its lane, from 0.
        static let sequence = 0
        /// The number of the lane plus one.
        static let lane = 8
        /// The number of the lane's next chunk plus one; for a free chunk, of the next free one.
        static let next = 16
    }

    static let lanes = Header.length
    static let names = lanes + LaneRecord.limit * LaneRecord.size

    /// The offset of the first chunk. The parts before the chunks take an eighth of the region, or more if their
    /// minimum size requires it.
    static func chunks(size: Int) -> Int {
        let end = max(names + Chunk.size, size / 8)
        return (end + Chunk.size - 1) / Chunk.size * Chunk.size
    }

    /// The size of a recording's memory, for a wanted size: whole chunks, at least four of them, and at most 1 TiB.
    static func roundedSize(_ size: Int) -> Int {
        let least = chunks(size: 0) + 4 * Chunk.size
        let wanted = min(max(size, least), 1 << 40)
        return (wanted + Chunk.size - 1) / Chunk.size * Chunk.size
    }

    /// The value of `Header.vocabulary`: a hash (FNV-1a).
    static let vocabulary: UInt64 = EventKind.allCases.reduce(into: 0xCBF2_9CE4_8422_2325) { hash, kind in
        for byte in kind.name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
}

/// How the events of a recording's lanes are brought into one order.
package enum LaneOrder: UInt64, Sendable {
    /// Threads record at the same time, each on its own lane. The lanes are merged (`LaneMerge`).
    case byTime = 1
    /// The run takes one step at a time, so events are recorded in order. Each lane continues the one before it.
    case byLane = 2
}

/// An event in a recording's memory: 32 bytes, without pointers.
///
/// A write of an atomic also carries the value that it replaced, which orders the writes. Most values are close to the
/// previous one, and the difference fits in the event's last byte. Otherwise a second record follows, which only
/// contains the old value.
package struct RecordedEvent {
    /// The time in ticks of the recording's clock.
    package var time: UInt64
    package var site: UInt64
    package var value: Int64
    /// From low to high: the object's number (32 bits), the thread (16), a code for the kind (8), and the difference to
    /// the old value or the number of the remark (8). The code is the kind plus one, so that a word of zeros is not an
    /// event; operations on atomics with weak memory orders have codes of their own.
    package var word: UInt64

    @inlinable @inline(__always)
    package init(
        time: UInt64, site: SourceSite, value: Int64, object: UInt32, thread: UInt16, kind: EventKind,
        order: MemoryOrder = .seqcst
    ) {
        self.time = time
        self.site = site.word
        self.value = value
        let code = order == .seqcst ? UInt64(kind.rawValue) + 1 : Self.code(kind, order)
        word = UInt64(object) | UInt64(thread) << 32 | code << 48
    }

    /// - Parameter remark: the number of the remark.
    @inlinable @inline(__always)
    init(time: UInt64, site: SourceSite, value: Int64, object: UInt32, thread: UInt16, remark: UInt8) {
        self.init(time: time, site: site, value: value, object: object, thread: thread, kind: .remark)
        word |= UInt64(remark) << 56
    }

    /// A record that is not an event by itself. It belongs to the previous event, or fills a chunk.
    @inlinable @inline(__always)
    init(supplement value: Int64) {
        time = 0
        site = 0
        self.value = value
        word = Self.supplementMark
    }

    var object: UInt32 { UInt32(truncatingIfNeeded: word) }
    var thread: UInt16 { UInt16(truncatingIfNeeded: word >> 32) }
    /// Nil: no recorder writes such data.
    var kind: EventKind? {
        let number = word >> 48 & 0xFF
        if Self.codes.contains(number) {
            return Self.ordered[Int((number - Self.codes.lowerBound) % Self.orderedCount)]
        }
        return number == 0 ? nil : EventKind(rawValue: UInt8(number - 1))
    }

    /// The memory order of an operation on an atomic.
    var order: MemoryOrder {
        let number = word >> 48 & 0xFF
        guard Self.codes.contains(number) else { return .seqcst }
        return MemoryOrder(rawValue: UInt8((number - Self.codes.lowerBound) / Self.orderedCount + 1)) ?? .seqcst
    }

    // MARK: - Codes for kinds with a memory order

    /// The codes of operations on atomics with an order other than `seqcst`: for each of these four orders, one for
    /// each kind in `ordered`. They are greater than the code of any kind.
    private static let codes: Range<UInt64> = 0xE4..<0xF4
    private static let ordered: [EventKind] = [.atomicLoad, .atomicStore, .atomicUpdate, .atomicMismatch]
    /// The number of elements of `ordered`.
    private static let orderedCount: UInt64 = 4

    /// The code of a kind with a memory order.
    ///
    /// - Parameter order: any order but `seqcst`.
    @usableFromInline static func code(_ kind: EventKind, _ order: MemoryOrder) -> UInt64 {
        guard let place = ordered.firstIndex(of: kind) else { return UInt64(kind.rawValue) + 1 }
        return codes.lowerBound + UInt64(order.rawValue - 1) * orderedCount + UInt64(place)
    }

    private var isRemark: Bool { word >> 48 & 0xFF == UInt64(EventKind.remark.rawValue) + 1 }

    /// The number of the remark. 0: it has no words, or the event is not a remark.
    var remark: UInt8 { isRemark ? UInt8(truncatingIfNeeded: word >> 56) : 0 }

    // MARK: - The old value

    /// The word of a supplement. Its code is that of no event.
    @usableFromInline static let supplementMark: UInt64 = 0xFF << 48

    var isSupplement: Bool { word == Self.supplementMark }

    /// Stores the old value.
    ///
    /// - Returns: false if it needs a supplement.
    @inlinable @inline(__always)
    mutating func setOld(_ old: Int64) -> Bool {
        // The last byte: from 1 to 254, the new value minus the old one plus 128; 0, the old value is unknown; 255, a
        // supplement contains it.
        let distance = UInt64(bitPattern: value &- old &+ 128)
        let fits = distance &- 1 < 254
        word |= (fits ? distance : 255) << 56
        return fits
    }

    /// Whether the event, or its supplement, contains the old value. The last byte of a remark is its number instead,
    /// which is never 255.
    var hasOld: Bool { word >> 56 != 0 && !isRemark }
    var hasSupplement: Bool { word >> 56 == 255 }
    /// The old value, if the event itself contains it.
    var nearOld: Int64 { value &- Int64(word >> 56) &+ 128 }
}
