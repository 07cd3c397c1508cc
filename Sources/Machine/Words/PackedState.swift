/// A copy of a machine's state, to which the machine can return. It takes a few hundred bytes; a machine itself has
/// room for the maximum number of threads. The copy contains neither `MemoryPieces` nor the graph of a weaker memory
/// model.
package struct PackedState: ~Copyable {
    fileprivate var scalars = MachineState.Scalars()
    /// The threads, objects, read holds and watches that exist, one array after the other.
    fileprivate var words = OwnedBuffer<UInt64>(capacity: 0)

    package init() {}

    /// The size of its memory, in bytes.
    var byteCount: Int { words.capacity * 8 }
}

extension MachineState {
    /// Writes the present state.
    package func encode(into packed: inout PackedState) {
        packed.scalars = header.pointee.scalars
        var size = Size()
        size.add(threads, threadCount)
        size.add(header.pointee.objects.base, objectCount)
        size.add(header.pointee.holds.base, header.pointee.scalars.holdCount)
        size.add(header.pointee.watches.base, header.pointee.scalars.watchCount)
        packed.words.reserve(size.words, keeping: 0)
        var end = UnsafeMutableRawPointer(packed.words.base)
        end.put(threads, threadCount)
        end.put(header.pointee.objects.base, objectCount)
        end.put(header.pointee.holds.base, header.pointee.scalars.holdCount)
        end.put(header.pointee.watches.base, header.pointee.scalars.watchCount)
    }

    /// Restores the state that was written.
    package func decode(_ packed: borrowing PackedState) {
        header.pointee.scalars = packed.scalars
        header.pointee.objects.reserve(packed.scalars.objectCount, keeping: 0)
        header.pointee.holds.reserve(packed.scalars.holdCount, keeping: 0)
        header.pointee.watches.reserve(packed.scalars.watchCount, keeping: 0)
        var next = UnsafeRawPointer(packed.words.base)
        next.take(threads, packed.scalars.threadCount)
        next.take(header.pointee.objects.base, packed.scalars.objectCount)
        next.take(header.pointee.holds.base, packed.scalars.holdCount)
        next.take(header.pointee.watches.base, packed.scalars.watchCount)
    }
}

/// The number of words that several arrays take together, if each starts at a new word.
private struct Size {
    private(set) var words = 0

    mutating func add<Element>(_: UnsafeMutablePointer<Element>, _ count: Int) {
        words += wordCount(count, Element.self)
    }
}

/// The number of words that an array takes.
private func wordCount<Element>(_ count: Int, _: Element.Type) -> Int {
    (count * MemoryLayout<Element>.stride + 7) / 8
}

extension UnsafeMutableRawPointer {
    fileprivate mutating func put<Element: BitwiseCopyable>(_ array: UnsafeMutablePointer<Element>, _ count: Int) {
        copyMemory(from: array, byteCount: count * MemoryLayout<Element>.stride)
        self += wordCount(count, Element.self) * 8
    }
}

extension UnsafeRawPointer {
    fileprivate mutating func take<Element: BitwiseCopyable>(_ array: UnsafeMutablePointer<Element>, _ count: Int) {
        UnsafeMutableRawPointer(array).copyMemory(from: self, byteCount: count * MemoryLayout<Element>.stride)
        self += wordCount(count, Element.self) * 8
    }
}
