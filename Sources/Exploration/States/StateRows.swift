/// The rows of a table of states, for reading and setting them. Valid until the table grows.
struct StateRows: BitwiseCopyable {
    private let chunks: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>
    private let width: Int
    private let stride: Int

    static let chunkBits = 16
    static let chunkSize = 1 << chunkBits

    @inline(__always)
    init(_ chunks: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>>, width: Int, stride: Int) {
        self.chunks = chunks
        self.width = width
        self.stride = stride
    }

    @inline(__always) subscript(_ number: Int) -> UnsafeMutablePointer<UInt32> {
        chunks[number >> Self.chunkBits] + (number & (Self.chunkSize - 1)) * stride
    }

    @inline(__always) func set(_ number: Int, _ row: UnsafePointer<UInt32>, from parent: Int, by move: StateMove) {
        let place = self[number]
        place.update(from: row, count: width)
        place[width] = UInt32(truncatingIfNeeded: parent)
        place[width + 1] = move.word
    }

    /// Whether a state has this row.
    @inline(__always) func equals(_ number: Int, _ row: UnsafePointer<UInt32>) -> Bool {
        Self.equals(self[number], row, width)
    }

    @inline(__always) static func equals(
        _ row: UnsafePointer<UInt32>, _ other: UnsafePointer<UInt32>, _ width: Int
    ) -> Bool {
        for i in 0..<width where row[i] != other[i] { return false }
        return true
    }

    @inline(__always) static func hash(_ row: UnsafePointer<UInt32>, _ width: Int) -> UInt64 {
        var hash = Hash64()
        var i = 0
        while i + 1 < width {
            hash.add(UInt64(row[i]) << 32 | UInt64(row[i + 1]))
            i += 2
        }
        if i < width { hash.add(UInt64(row[i])) }
        return hash.value
    }
}
