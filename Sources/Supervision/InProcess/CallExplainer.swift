import Diagnosis
import Execution
import Trace

/// Finds the calls by which a program reached the steps of a finding.
package protocol CallExplainer: CallWitness {
    /// The source place for which `noteCalls` returned a site with this number: the number of the stack of calls that
    /// it noted.
    func place(ofStack number: Int) -> SourceSite

    /// Adds to a trace what is known about the places and objects of a finding: calls, names and origins.
    ///
    /// - Parameter site: the number of a place in the trace.
    func explain(_ finding: Finding, in trace: inout TraceDocument, site: (SourceSite) -> SiteID?)
}
