import Synchronization

/// The numbers of remarks in a recording, without locks: a table of hashes in its header, where a remark's place is its
/// number. It is in the recording itself because several processes may write to it.
struct RemarkTable {
    let memory: RecordingMemory
    let names: NameArea

    /// Set in an entry whose words are in the recording. Hashes are even.
    private static let written: UInt64 = 1

    /// The remark's number, from 1. Its words are in the recording before this returns, so before any event that uses
    /// them. 0: there is no room for them.
    func number(of remark: Remark) -> UInt8 {
        var place = Int(remark.key >> 32) % Remark.limit
        for _ in 0..<Remark.limit {
            let entry = memory.word(RecordingLayout.Header.remarks + place * 8)
            var found = entry.pointee.load(ordering: .acquiring)
            if found == 0 {
                found =
                    entry.pointee.compareExchange(
                        expected: 0, desired: remark.key, ordering: .acquiringAndReleasing
                    ).original
                if found == 0 { found = remark.key }
            }
            if found & ~Self.written == remark.key {
                guard found & Self.written != 0 || write(remark, place + 1) else { return 0 }
                return UInt8(place + 1)
            }
            place = (place + 1) % Remark.limit
        }
        return 0
    }

    /// Writes the words. A thread that finds a number without them writes them too, instead of waiting for the one that
    /// has taken the number, and may be dead.
    private func write(_ remark: Remark, _ number: Int) -> Bool {
        guard names.add(.remark, id: UInt32(number), remark.record) != 0 else { return false }
        memory.store(RecordingLayout.Header.remarks + (number - 1) * 8, remark.key | Self.written)
        return true
    }
}
