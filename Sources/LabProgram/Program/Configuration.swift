/// A program's constants for given parameters: the numbers of elements, and the initial values.
package struct Configuration: Equatable, Sendable {
    /// The parameters' values, in the order of `Program.parameters`.
    package let arguments: [Int]
    /// For each of `Program.objects`, the number of its elements: 1 for a single object.
    package internal(set) var elementCounts: [Int] = []
    /// For each of `Program.objects`, its initial contents: for cells, atomics and semaphores a value for each element;
    /// for a list its values; for a built object its number, if any.
    package internal(set) var initialValues: [[Int]] = []
    /// For each of `Program.objects` that is a condition, the element of the mutex array that it uses; 0 for the
    /// others.
    package internal(set) var mutexElements: [Int] = []
    /// For each of `Program.threads`, the number of its elements.
    package internal(set) var threadCounts: [Int] = []

    /// For each of `Program.objects`, the number of its first element when all elements are numbered consecutively.
    package var firstElements: [Int] {
        var next = 0
        return elementCounts.map { count in
            defer { next += count }
            return next
        }
    }
}
