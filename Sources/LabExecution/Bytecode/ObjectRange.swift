/// Objects with consecutive numbers: the elements of an array.
struct ObjectRange: BitwiseCopyable {
    let first: Int
    let count: Int

    /// - Parameter first: the number of the first element.
    init(from first: Int, count: Int) {
        self.first = first
        self.count = count
    }

    static let none = ObjectRange(from: 0, count: 0)

    var isEmpty: Bool { count == 0 }
    var numbers: Range<Int> { first..<first + count }
}
