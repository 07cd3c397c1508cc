import Trace

extension [Finding] {
    /// The findings of a run, for reports. If one of them is a fault, the steps that only a weaker memory model allows
    /// are added as a note, because they may be the reason. A search under sc shows whether they are; a single run does
    /// not.
    package func explained(by trace: TraceDocument) -> [Finding] {
        guard trace.header.memoryModel != nil, contains(where: { $0.severity == .fault }),
            !contains(where: { $0.code == .weakMemory }),
            let steps = Examination.findings(in: trace).first(where: { $0.code == .weakMemory })
        else { return self }
        var findings = self
        for index in findings.indices where findings[index].advice == nil && findings[index].dependsOnValues {
            findings[index].advice =
                "Try a stronger order where TL202 says that nothing orders."
                + (trace.hasText ? " 'explore --suggest' tries all." : "")
        }
        return findings + [steps]
    }
}

extension Finding {
    /// Whether the finding depends on values that threads have read, so that it has no known fix.
    fileprivate var dependsOnValues: Bool { code == .assertion || code == .claim }
}

extension TraceDocument {
    /// Whether the program has a text whose memory orders can be changed and tried.
    fileprivate var hasText: Bool { if case .text? = header.program { true } else { false } }
}
