extension Array {
    /// The number of elements that satisfy the predicate, by binary search. They must come before all elements that do
    /// not.
    func countOfPrefix(where condition: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if condition(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
