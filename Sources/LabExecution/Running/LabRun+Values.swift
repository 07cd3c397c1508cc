import Machine

/// A value that the condition of an assertion has read.
struct AssertedRead {
    /// The position of the read in the code.
    var place: Int
    var object: Int
    var text: String
}

/// The values that messages show: of failed assertions, and of claims that do not hold.
extension LabRun {
    /// Keeps the result of a read, if it is one of an assertion's condition.
    ///
    /// - Parameter reads: the reads that are kept for the thread.
    func note(
        _ result: Int, of operation: Operation, _ words: UnsafeMutablePointer<Int>, _ reads: inout [AssertedRead]
    ) {
        let place = words[ThreadWords.programCounter] - 1
        guard bytecode.assertedReads.contains(place) else { return }
        // Reads at this or a later position in the code belong to an earlier evaluation.
        reads.removeAll { $0.place >= place }
        let number = Int(operation.object)
        reads.append(AssertedRead(place: place, object: number, text: state(of: words).text(of: number, value: result)))
    }

    /// The values that an assertion's condition has found, as `: a is 3`, or as ` (a is 3)` if the assertion has a text
    /// of its own.
    func values(
        ofAssertion number: Int, _ words: UnsafeMutablePointer<Int>, _ reads: [AssertedRead]
    ) -> String {
        guard let assertion = bytecode.assertions[number] else { return "" }
        let frame = words + words[ThreadWords.frame]
        let read = reads.filter { assertion.reads.contains($0.place) }.map { "\(name(of: $0.object)) is \($0.text)" }
        let own = assertion.variables.map { "\($0.name) is \($0.type.text(of: frame[$0.slot]))" }
        let values = Self.sentence(read + own)
        if values.isEmpty { return "" }
        return assertion.hasText ? " (\(values))" : ": \(values)"
    }

    /// The current values of the places that the claim names, such as `a is 1 and b is 2`.
    func values(of claim: CompiledClaim) -> String {
        let state = state(of: shared.base)
        return Self.sentence(
            claim.places.compactMap { place in
                state.number(of: place).map {
                    "\(name(of: $0)) is \(state.text(of: $0, value: word(of: UInt32($0))))"
                }
            })
    }

    private func name(of object: Int) -> String { bytecode.objects[object - 1].name }

    /// Joins clauses to a phrase. Equal ones appear once.
    private static func sentence(_ clauses: [String]) -> String {
        var seen: Set<String> = []
        let clauses = clauses.filter { seen.insert($0).inserted }
        guard let last = clauses.last, clauses.count > 1 else { return clauses.first ?? "" }
        return clauses.dropLast().joined(separator: ", ") + " and " + last
    }
}
