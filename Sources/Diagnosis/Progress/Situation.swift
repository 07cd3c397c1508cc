import Trace

/// The state of the whole run, hashed to one number: which threads hold which locks, the numbers of permits, the
/// contents of memory, and the last event of each thread. If the hash occurs again, the run is taken to have returned
/// to the same state, from which it can repeat itself.
struct Situation {
    /// The sum of the hashes of all parts, so that an event replaces only what it changes.
    private(set) var hash: UInt64 = 0
    private var values = PerObject<UInt64>(0)
    private var places = PerThread<UInt64>(0)

    mutating func consume(_ event: Event) {
        let thread = UInt64(event.thread.index)
        let object = UInt64(event.object.index)
        let place = Self.mix(thread, UInt64(event.kind.rawValue) << 32 | object, UInt64(event.site.index))
        hash = hash &- places[event.thread] &+ place
        places[event.thread] = place
        let effect = event.kind.effect
        if effect.isWrite {
            let value = Self.mix(~0, object, UInt64(bitPattern: event.value))
            hash = hash &- values[event.object] &+ value
            values[event.object] = value
        }
        if effect == .givePermit { hash = hash &+ Self.mix(~0, object, ~0) }
        if effect == .takePermit { hash = hash &- Self.mix(~0, object, ~0) }
        if let change = event.lockChange {
            let hold = Self.mix(thread, UInt64(change.lock.index), ~0)
            if change.from != nil { hash = hash &- hold }
            if change.to != nil { hash = hash &+ hold }
        }
    }

    /// A hash of three words, which describe a part of the state. `~0` is in the place of a word that the part lacks.
    private static func mix(_ a: UInt64, _ b: UInt64, _ c: UInt64) -> UInt64 {
        // Odd factors, so that the three words do not cancel each other out.
        SplitMix64.mixed(a &* 0x9E37_79B9_7F4A_7C15 ^ b &* 0xBF58_476D_1CE4_E5B9 ^ c &* 0x94D0_49BB_1331_11EB)
    }
}
