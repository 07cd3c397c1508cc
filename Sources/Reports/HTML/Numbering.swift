/// Distinct values, numbered in the order in which they were first seen.
struct Numbering<Value: Hashable> {
    private(set) var all: [Value] = []
    private var numbers: [Value: Int] = [:]

    mutating func number(of value: Value) -> Int {
        if let known = numbers[value] { return known }
        numbers[value] = all.count
        all.append(value)
        return all.count - 1
    }
}
