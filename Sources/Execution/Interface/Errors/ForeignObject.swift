/// A primitive is used in another run, or another execution, than the one in which it was made: it means nothing there.
struct ForeignObject: Error, CustomStringConvertible {
    let description =
        "a primitive that was created outside this execution is used in it: create it in the code that is run"

    /// A shared instance, for the same reason as `RunEnded`'s.
    static let error: any Error = ForeignObject()
}
