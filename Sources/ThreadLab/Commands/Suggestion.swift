/// What a description of a scenario suggests to do with it.
enum Suggestion {
    /// - Parameters:
    ///   - call: the scenario's name, as a shell reads it.
    ///   - promisesFailure: whether some run fails. Any seed may give one that does not, so only a search is sure to show it.
    /// - Returns: command lines without the program's name.
    static func commands(_ call: String, promisesFailure: Bool) -> [String] {
        ["run \(call)"] + (promisesFailure ? [] : ["run \(call) --seed 1 --format lanes"]) + ["explore \(call)"]
    }
}
