/// A stack with memory of its own, which never shrinks: a long search soon allocates no more. The arithmetic is
/// unchecked, because a count cannot get large enough to overflow.
struct Pile<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 64) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    var isEmpty: Bool { count == 0 }

    subscript(_ index: Int) -> Element {
        @inline(__always) get { base[index] }
        @inline(__always) nonmutating set { base[index] = newValue }
    }

    @inline(__always) mutating func append(_ element: Element) {
        if count == capacity { grow(to: count &+ 1) }
        base[count] = element
        count &+= 1
    }

    /// Adds uninitialized elements on top.
    @inline(__always) mutating func extend(by more: Int) {
        let longer = count &+ more
        if longer > capacity { grow(to: longer) }
        count = longer
    }

    /// Appends copies of the element until there are `count` elements.
    mutating func fill(to count: Int, with element: Element) {
        while self.count < count { append(element) }
    }

    /// Replaces the contents by `count` copies of the element.
    @inline(__always) mutating func refill(to count: Int, with element: Element) {
        cut(to: 0)
        extend(by: count)
        for index in 0..<count { base[index] = element }
    }

    /// Removes all elements but the first `count`.
    @inline(__always) mutating func cut(to count: Int) { self.count = count }

    private mutating func grow(to needed: Int) {
        let larger = max(capacity * 2, needed)
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: larger)
        memory.update(from: base, count: count)
        base.deallocate()
        base = memory
        capacity = larger
    }
}
