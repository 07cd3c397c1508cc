/// The entries of one of the document's tables as the reader finds them, with their numbers by content.
struct NameNumbers {
    private var numbers: [String: Int] = [:]
    private(set) var count = 0

    /// - Parameter first: the number of the first entry that a file declares.
    init(first: Int = 0) { count = first }

    /// Adds an entry. If an earlier one has the same content, that content still refers to the earlier one.
    mutating func append(_ name: String?) {
        if let name, numbers[name] == nil { numbers[name] = count }
        count += 1
    }

    func number(of name: String) -> Int? { numbers[name] }
}
