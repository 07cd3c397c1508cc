/// An event as it stands in a recording's memory: 32 bytes, no pointer.
///
/// A write to an atomic carries the value that it replaced as well, which puts the writes into their order. Most values lie close to
/// the one before, and the distance has room in the event's last byte; otherwise a second record follows that holds nothing
/// but the old value.
package struct RecordedEvent {
    /// In ticks of the recording's clock.
    package var time: UInt64
    package var site: UInt64
    package var value: Int64
    /// The object's number; above it 16 bits of thread; then the kind plus one, so that a word of zeros is no event; then
    /// the distance to the old value.
    package var word: UInt64

    @inlinable @inline(__always)
    package init(time: UInt64, site: SourceSite, value: Int64, object: UInt32, thread: UInt16, kind: EventKind) {
        self.time = time
        self.site = site.word
        self.value = value
        word = UInt64(object) | UInt64(thread) << 32 | (UInt64(kind.rawValue) + 1) << 48
    }

    /// A record that is not an event of its own: it belongs to the one before, or fills a chunk.
    @inlinable @inline(__always)
    init(supplement value: Int64) {
        time = 0
        site = 0
        self.value = value
        word = Self.supplementMark
    }

    var object: UInt32 { UInt32(truncatingIfNeeded: word) }
    var thread: UInt16 { UInt16(truncatingIfNeeded: word >> 32) }
    /// Nil for what no recorder writes.
    var kind: EventKind? {
        let number = word >> 48 & 0xFF
        return number == 0 ? nil : EventKind(rawValue: UInt8(number - 1))
    }

    // MARK: - The old value

    /// The kind of a supplement: no event has it.
    @usableFromInline static let supplementMark: UInt64 = 0xFF << 48

    var isSupplement: Bool { word == Self.supplementMark }

    /// Notes the old value.
    ///
    /// - Returns: false if a supplement has to say it.
    @inlinable @inline(__always)
    mutating func setOld(_ old: Int64) -> Bool {
        // 1 to 254; 0 says that nothing is known of an old value, and 255 that a supplement says it.
        let distance = UInt64(bitPattern: value &- old &+ 128)
        let fits = distance &- 1 < 254
        word |= (fits ? distance : 255) << 56
        return fits
    }

    var hasOld: Bool { word >> 56 != 0 }
    var hasSupplement: Bool { word >> 56 == 255 }
    /// The old value, if the event itself says it.
    var nearOld: Int64 { value &- Int64(word >> 56) &+ 128 }
}
