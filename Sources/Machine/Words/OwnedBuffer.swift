import Glibc

/// The size of a huge page on x86, in bytes.
private let largePage = 2 << 20

/// Memory for plain elements, freed with its owner. Indices are checked by an assertion only; reading an element that
/// was not initialized is not detected.
package struct OwnedBuffer<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
    package private(set) var base: UnsafeMutablePointer<Element>
    package private(set) var capacity: Int

    /// The elements are not initialized.
    @inlinable package init(capacity: Int) {
        base = Self.allocate(max(1, capacity))
        self.capacity = max(1, capacity)
    }

    @inlinable package init(repeating element: Element, count: Int) {
        self.init(capacity: count)
        base.initialize(repeating: element, count: count)
    }

    package init(_ elements: [Element]) {
        self.init(capacity: elements.count)
        base.initialize(from: elements, count: elements.count)
    }

    /// Allocates memory. From twice the size of a huge page on, it asks for huge pages, which make random accesses
    /// faster.
    package static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Element> {
        let size = capacity * MemoryLayout<Element>.stride
        guard size >= 2 * largePage else { return .allocate(capacity: capacity) }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: largePage)
        // Only advice: the result does not matter.
        madvise(memory, size, MADV_HUGEPAGE)
        return memory.bindMemory(to: Element.self, capacity: capacity)
    }

    @inlinable deinit { base.deallocate() }

    @inlinable @inline(always) package subscript(_ index: Int) -> Element {
        unsafeAddress {
            assert(index >= 0 && index < capacity, "an index outside its buffer")
            return UnsafePointer(base + index)
        }
        nonmutating unsafeMutableAddress {
            assert(index >= 0 && index < capacity, "an index outside its buffer")
            return base + index
        }
    }

    /// Makes room for at least `needed` elements, and keeps the first `count`.
    package mutating func reserve(_ needed: Int, keeping count: Int) {
        if needed <= capacity { return }
        let larger = max(needed, capacity * 2)
        let memory = Self.allocate(larger)
        memory.update(from: base, count: count)
        base.deallocate()
        base = memory
        capacity = larger
    }
}
