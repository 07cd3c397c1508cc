import Trace

extension SourceSite {
    /// A number for the source location that is the same in every process that runs the program, unlike the address of
    /// the file's name. So findings of several machines are recognized as the same.
    var lastingNumber: Int {
        // The word of a text, or of calls, is already the same in every process.
        guard fileText == nil, calls == nil, let name = UnsafePointer<UInt8>(bitPattern: fileAddress) else {
            return Int(truncatingIfNeeded: word)
        }
        // FNV-1a of the file's name.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var place = 0
        while name[place] != 0 {
            hash = (hash ^ UInt64(name[place])) &* 0x100_0000_01B3
            place += 1
        }
        return Int(truncatingIfNeeded: SplitMix64.mixed(hash ^ UInt64(line)))
    }
}
