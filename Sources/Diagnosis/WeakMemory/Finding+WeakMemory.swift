import Trace

extension [Finding] {
    /// The findings of a run, with the steps that only its memory model allows if there is a fault: they can be why. A search
    /// under sc tells whether they are; one run does not.
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
    /// Whether it is about the values that threads have read, and nothing else is known of what fixes it.
    fileprivate var dependsOnValues: Bool { code == .assertion || code == .claim }
}

extension TraceDocument {
    /// Whether it is of a program whose orders can be changed and tried.
    fileprivate var hasText: Bool { if case .text? = header.program { true } else { false } }
}
