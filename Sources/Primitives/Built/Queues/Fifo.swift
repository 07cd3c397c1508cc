/// Elements in order, the first of which is removed in constant time, amortized.
struct Fifo<Element> {
    private var elements: ContiguousArray<Element?> = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }

    /// The element at this distance from the first.
    subscript(index: Int) -> Element { elements[head + index]! }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Puts an element before the first.
    mutating func prepend(_ element: Element) {
        if head == 0 {
            elements.insert(element, at: 0)
        } else {
            head -= 1
            elements[head] = element
        }
    }

    mutating func popLast() -> Element? {
        guard !isEmpty else { return nil }
        return elements.removeLast()
    }

    mutating func popFirst() -> Element? { isEmpty ? nil : remove(at: 0) }

    @discardableResult
    mutating func remove(at index: Int) -> Element {
        guard index == 0 else { return elements.remove(at: head + index)! }
        // Moved, so that no reference is counted.
        let first = elements[head].take()!
        head += 1
        if isEmpty {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 32 && head > elements.count / 2 {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }

    func firstIndex(where fits: (Element) -> Bool) -> Int? {
        elements[head...].firstIndex { fits($0!) }.map { $0 - head }
    }
}
