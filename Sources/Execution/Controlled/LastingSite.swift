import Trace

extension SourceSite {
    /// A number for the place, which is the same in each process that runs the program: the address of a file's name is not. So findings
    /// of several machines are known as the same one.
    var lastingNumber: Int {
        // A text has a number already.
        guard fileText == nil, calls == nil, let name = UnsafePointer<UInt8>(bitPattern: fileAddress) else {
            return Int(truncatingIfNeeded: word)
        }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var place = 0
        while name[place] != 0 {
            hash = (hash ^ UInt64(name[place])) &* 0x100_0000_01B3
            place += 1
        }
        return Int(truncatingIfNeeded: SplitMix64.mixed(hash ^ UInt64(line)))
    }
}
