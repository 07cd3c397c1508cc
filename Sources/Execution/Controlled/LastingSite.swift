import Trace

extension SourceSite {
    /// A number for the source location that is the same in every process that runs the program, unlike the address of
    /// the file's name. So findings of several machines are recognized as the same.
    var lastingNumber: Int {
        // A site without an address (of a text, of calls, or unknown) has the same word in every process.
        guard fileText == nil, calls == nil, let name = UnsafePointer<UInt8>(bitPattern: fileAddress) else {
            return Int(truncatingIfNeeded: word)
        }
        // FNV-1a of the file's name, with the constants of its definition.
        let (offsetBasis, prime): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x100_0000_01B3)
        var hash = offsetBasis
        var index = 0
        while name[index] != 0 {
            hash = (hash ^ UInt64(name[index])) &* prime
            index += 1
        }
        return Int(truncatingIfNeeded: SplitMix64.mixed(hash ^ UInt64(line)))
    }
}
