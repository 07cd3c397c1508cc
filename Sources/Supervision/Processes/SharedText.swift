/// A text in memory shared with forked processes. What a process wrote last remains after its end.
package struct SharedText: @unchecked Sendable {
    private let memory: SharedMemory
    private static let lengthSize = 8

    /// - Parameters:
    ///   - size: the maximum length, in bytes of UTF-8.
    ///   - purpose: what the text is, for error messages.
    package init(size: Int, for purpose: String) throws(SupervisionFailed) {
        memory = try SharedMemory(size: Self.lengthSize + size, for: purpose)
    }

    package var text: String {
        get {
            let length = min(memory.bytes.load(as: UInt64.self), UInt64(memory.bytes.count - Self.lengthSize))
            return String(decoding: memory.bytes[Self.lengthSize...].prefix(Int(length)), as: UTF8.self)
        }
        nonmutating set {
            // The length is zero during the change, so that a process that ends in the middle leaves an empty text.
            memory.bytes.storeBytes(of: 0, as: UInt64.self)
            let bytes = Array(newValue.utf8.prefix(memory.bytes.count - Self.lengthSize))
            UnsafeMutableRawBufferPointer(rebasing: memory.bytes[Self.lengthSize...]).copyBytes(from: bytes)
            memory.bytes.storeBytes(of: UInt64(bytes.count), as: UInt64.self)
        }
    }
}
