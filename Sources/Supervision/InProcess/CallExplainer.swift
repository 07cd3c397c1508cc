import Diagnosis
import Execution
import Trace

/// Says by which calls a program reached the steps that a finding is about.
package protocol CallExplainer: CallWitness {
    /// The place of the calls with this number, by which the witness has replaced it.
    func place(ofCalls number: Int) -> SourceSite

    /// Adds to a trace what is known of a finding's places and objects: calls, names and origins.
    ///
    /// - Parameter site: the trace's number of a place.
    func explain(_ finding: Finding, in trace: inout TraceDocument, site: (SourceSite) -> SiteID?)
}
