import LabSyntax

extension Program {
    /// An object, or an element of an array of objects or of a list.
    package struct Place: Sendable {
        /// Its number in `Program.objects`.
        package var object: Int
        /// The subscript. Out of bounds, the run ends with an error. Nil for a single object, and for a list as a
        /// whole.
        package var index: Expression?
        /// A slot of the body for the subscript's value, if the place is needed twice: in `a[i] += 1`, in `lock m[i] {
        /// … }`.
        package var slot: Int?
        package var site: Site
    }
}
