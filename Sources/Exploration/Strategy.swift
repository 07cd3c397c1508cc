import Machine

/// A method of searching: decides a whole series of executions of a subject.
package protocol Strategy: Chooser {
    /// Prepares the next execution. False: it has tried all.
    ///
    /// - Parameter number: of the execution, from 0. Its choices depend on this number and, if the strategy learns, on
    ///   earlier executions.
    func prepare(_ number: Int) -> Bool

    /// Runs the execution that was prepared.
    func execute(_ subject: any Subject) -> Verdict
}

extension Strategy {
    package func execute(_ subject: any Subject) -> Verdict { subject.execute(self) }
}
