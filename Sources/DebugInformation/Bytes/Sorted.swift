extension Array {
    /// The number of elements before the first that is not such; all that are such come before all others.
    func countOfFirst(_ isSuch: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if isSuch(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
