/// threadlab itself could not do its work: no memory, no process, no scratch directory.
package struct SupervisionFailed: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
