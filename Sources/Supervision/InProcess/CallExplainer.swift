import Diagnosis
import Execution
import Trace

/// Records the stack of calls at each operation of a run (`CallWitness`) and, when the run has a finding, adds the
/// calls that led to its steps to the trace.
package protocol CallExplainer: CallWitness {
    /// The place of an operation in the source, given the number of its stack of calls. During a run, the sites of
    /// events contain such a number in place of the file (see `noteCalls`).
    func place(ofStack number: Int) -> SourceSite

    /// Adds to a trace what is known about the places and objects of a finding: calls, names and origins.
    ///
    /// - Parameter site: the number of a place in the trace.
    func explain(_ finding: Finding, in trace: inout TraceDocument, site: (SourceSite) -> SiteID?)
}
