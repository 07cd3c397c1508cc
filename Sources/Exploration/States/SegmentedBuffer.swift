import Machine

/// Memory for plain elements that grows without moving them: in segments, each as large as all before it together. The elements
/// are not initialized.
struct SegmentedBuffer<Element: BitwiseCopyable>: ~Copyable {
    /// For reading and setting elements. Valid as long as the buffer.
    struct View: BitwiseCopyable {
        fileprivate let segments: UnsafeMutablePointer<UnsafeMutablePointer<Element>>

        @inline(__always) func address(of index: Int) -> UnsafeMutablePointer<Element> {
            let (segment, place) = SegmentedBuffer.place(of: index)
            return segments[segment] + place
        }
    }

    private let segments = OwnedBuffer<UnsafeMutablePointer<Element>>(capacity: 64)
    private var segmentCount = 0

    private static var firstSize: Int { 1 << 10 }

    deinit {
        for segment in 0..<segmentCount { segments[segment].deallocate() }
    }

    @inline(__always) private static func place(of index: Int) -> (segment: Int, place: Int) {
        let shifted = index + firstSize
        let segment = 53 - shifted.leadingZeroBitCount
        return (segment, shifted - firstSize << segment)
    }

    /// The index of the first element behind the segment of this one.
    @inline(__always) static func end(ofSegmentWith index: Int) -> Int {
        let segment = 53 - (index + firstSize).leadingZeroBitCount
        return firstSize << (segment + 1) - firstSize
    }

    /// Makes room for elements below an index.
    @inline(__always) mutating func reserve(_ end: Int) {
        while end > Self.firstSize << segmentCount - Self.firstSize { addSegment() }
    }

    @inline(never) private mutating func addSegment() {
        segments[segmentCount] = OwnedBuffer<Element>.allocate(Self.firstSize << segmentCount)
        segmentCount += 1
    }

    @inline(__always) var view: View { View(segments: segments.base) }

    @inline(__always) func address(of index: Int) -> UnsafeMutablePointer<Element> { view.address(of: index) }
}
