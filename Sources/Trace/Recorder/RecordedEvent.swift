/// An event as it stands in a recording's memory: 32 bytes, no pointer.
package struct RecordedEvent {
    /// In ticks of the recording's clock.
    package var time: UInt64
    package var site: UInt64
    package var value: Int64
    /// The object's number; above it 16 bits of thread, then the kind plus one, so that a word of zeros is no event.
    package var word: UInt64

    @inlinable @inline(__always)
    package init(time: UInt64, site: SourceSite, value: Int64, object: UInt32, thread: UInt16, kind: EventKind) {
        self.time = time
        self.site = site.word
        self.value = value
        word = UInt64(object) | UInt64(thread) << 32 | (UInt64(kind.rawValue) + 1) << 48
    }

    var object: UInt32 { UInt32(truncatingIfNeeded: word) }
    var thread: UInt16 { UInt16(truncatingIfNeeded: word >> 32) }
    /// Nil for what no recorder writes.
    var kind: EventKind? {
        let number = word >> 48
        return number == 0 || number > 0xFF ? nil : EventKind(rawValue: UInt8(number - 1))
    }
}
