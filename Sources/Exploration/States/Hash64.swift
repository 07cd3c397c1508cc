/// A fast hash of words. Equal hashes prove nothing: tables compare the words themselves.
struct Hash64 {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    @inline(__always) mutating func add(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        state = product.high ^ product.low &+ 0x9E37_79B9_7F4A_7C15
    }

    @inline(__always) var value: UInt64 {
        let mixed = (state ^ (state >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ (mixed >> 32)
    }
}
