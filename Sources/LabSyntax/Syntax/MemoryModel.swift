/// The memory model that an expectation is about.
package enum MemoryModel: String, CaseIterable, Sendable { case seqcst, weak }
