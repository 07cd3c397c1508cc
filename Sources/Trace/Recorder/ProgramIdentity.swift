import Glibc

/// Identifies the program that wrote a recording, because its addresses are valid only in the same program.
enum ProgramIdentity {
    /// The running program's file: its size and modification time, as one word. Never 0.
    static let current: UInt64 = {
        var status = stat()
        guard stat("/proc/self/exe", &status) == 0 else { return 1 }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for word in [Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)] {
            hash = (hash ^ UInt64(bitPattern: Int64(word))) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return hash | 1
    }()

    private static let landmark: StaticString = "threadlab: where the program was loaded"

    /// The address of a fixed constant in the program. It differs between processes by the same offset as every other
    /// address.
    static var loadAddress: UInt64 { UInt64(UInt(bitPattern: landmark.utf8Start)) }
}
