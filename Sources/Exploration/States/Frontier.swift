/// The states that have been found and not yet expanded.
struct Frontier {
    private let isDepthFirst: Bool
    private var numbers: [Int] = []
    /// Where the oldest one is, if they are taken in the order in which they were found.
    private var first = 0

    init(isDepthFirst: Bool = false) { self.isDepthFirst = isDepthFirst }

    mutating func add(_ number: Int) { numbers.append(number) }

    mutating func next() -> Int? {
        if isDepthFirst { return numbers.popLast() }
        guard first < numbers.count else { return nil }
        defer { first += 1 }
        if first > 1 << 16 && first > numbers.count / 2 {
            numbers.removeFirst(first)
            first = 0
        }
        return numbers[first]
    }
}
