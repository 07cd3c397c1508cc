import Machine

/// Decides a whole series of executions of a subject: a way to search.
package protocol Strategy: Chooser {
    /// Gets ready for the next execution. False: there is none that it has not tried.
    ///
    /// - Parameter number: of the execution, from 0. What is chosen in it depends on this number and, if the strategy learns, on what the
    ///   executions before have shown.
    func prepare(_ number: Int) -> Bool

    /// Runs the execution that was prepared.
    func execute(_ subject: any Subject) -> Verdict
}

extension Strategy {
    package func execute(_ subject: any Subject) -> Verdict { subject.execute(self) }
}
