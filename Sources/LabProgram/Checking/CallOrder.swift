/// An order of functions in which every function comes after those that it calls.
struct CallOrder {
    /// Without those that are part of a cycle.
    private(set) var calleesFirst: [Int] = []
    /// Functions that call each other in a cycle.
    private(set) var cycles: [[Int]] = []

    private enum Mark { case new, open, done }

    /// - Parameter callees: for each function, the functions that it calls.
    init(_ callees: [Set<Int>]) {
        var marks = [Mark](repeating: .new, count: callees.count)
        for function in callees.indices {
            var path: [Int] = []
            visit(function, callees, &marks, &path)
        }
    }

    /// At most as deep as the number of functions, which is limited.
    private mutating func visit(_ function: Int, _ callees: [Set<Int>], _ marks: inout [Mark], _ path: inout [Int]) {
        switch marks[function] {
        case .done: return
        case .open:
            if let start = path.firstIndex(of: function) { cycles.append(Array(path[start...])) }
            return
        case .new: break
        }
        marks[function] = .open
        path.append(function)
        for callee in callees[function].sorted() { visit(callee, callees, &marks, &path) }
        path.removeLast()
        marks[function] = .done
        calleesFirst.append(function)
    }
}
