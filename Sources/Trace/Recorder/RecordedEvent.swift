/// An event in a recording's memory: 32 bytes, without pointers.
///
/// A write to an atomic also carries the value that it replaced, which orders the writes. Most values are close to the
/// previous one, and the difference fits in the event's last byte; otherwise a second record follows that holds only
/// the old value.
package struct RecordedEvent {
    /// In ticks of the recording's clock.
    package var time: UInt64
    package var site: UInt64
    package var value: Int64
    /// The object's number; above it 16 bits of thread; then the kind plus one, so that a word of zeros is not an
    /// event; then the difference to the old value, or the number of a remark's words.
    package var word: UInt64

    @inlinable @inline(__always)
    package init(time: UInt64, site: SourceSite, value: Int64, object: UInt32, thread: UInt16, kind: EventKind) {
        self.time = time
        self.site = site.word
        self.value = value
        word = UInt64(object) | UInt64(thread) << 32 | (UInt64(kind.rawValue) + 1) << 48
    }

    /// - Parameter remark: the number of its words.
    @inlinable @inline(__always)
    init(time: UInt64, site: SourceSite, value: Int64, object: UInt32, thread: UInt16, remark: UInt8) {
        self.init(time: time, site: site, value: value, object: object, thread: thread, kind: .remark)
        word |= UInt64(remark) << 56
    }

    /// A record that is not an event by itself: it belongs to the previous one, or fills a chunk.
    @inlinable @inline(__always)
    init(supplement value: Int64) {
        time = 0
        site = 0
        self.value = value
        word = Self.supplementMark
    }

    var object: UInt32 { UInt32(truncatingIfNeeded: word) }
    var thread: UInt16 { UInt16(truncatingIfNeeded: word >> 32) }
    /// Nil for data that no recorder writes.
    var kind: EventKind? {
        let number = word >> 48 & 0xFF
        return number == 0 ? nil : EventKind(rawValue: UInt8(number - 1))
    }

    private var isRemark: Bool { word >> 48 & 0xFF == UInt64(EventKind.remark.rawValue) + 1 }

    /// The number of a remark's words; 0 if it has none, or is no remark.
    var remark: UInt8 { isRemark ? UInt8(truncatingIfNeeded: word >> 56) : 0 }

    // MARK: - The old value

    /// The kind of a supplement: no event has it.
    @usableFromInline static let supplementMark: UInt64 = 0xFF << 48

    var isSupplement: Bool { word == Self.supplementMark }

    /// Stores the old value.
    ///
    /// - Returns: false if it needs a supplement.
    @inlinable @inline(__always)
    mutating func setOld(_ old: Int64) -> Bool {
        // 1 to 254; 0 means that the old value is unknown, and 255 that a supplement holds it.
        let distance = UInt64(bitPattern: value &- old &+ 128)
        let fits = distance &- 1 < 254
        word |= (fits ? distance : 255) << 56
        return fits
    }

    // Not of remarks: their last byte, which is never 255, is something else.
    var hasOld: Bool { word >> 56 != 0 && !isRemark }
    var hasSupplement: Bool { word >> 56 == 255 }
    /// The old value, if the event itself holds it.
    var nearOld: Int64 { value &- Int64(word >> 56) &+ 128 }
}
