/// A program's constants for given parameters: how many there are of everything, and what it begins with.
package struct Configuration: Equatable, Sendable {
    /// The parameters' values, in the order of `Program.parameters`.
    package let arguments: [Int]
    /// For each of `Program.objects`, how many elements it has: 1 for a single object.
    package internal(set) var elementCounts: [Int] = []
    /// For each of `Program.objects`, what it begins with: of cells, atomics and semaphores a value for each element; of a list
    /// its values; of a built object the number that it is made with, if any.
    package internal(set) var initialValues: [[Int]] = []
    /// For each of `Program.objects` that is a condition, which element of its mutex it uses; 0 for the others.
    package internal(set) var mutexElements: [Int] = []
    /// For each of `Program.threads`, how many there are.
    package internal(set) var threadCounts: [Int] = []

    /// For each of `Program.objects`, the number of its first element when all elements are counted through.
    package var firstElements: [Int] {
        var next = 0
        return elementCounts.map { count in
            defer { next += count }
            return next
        }
    }
}
