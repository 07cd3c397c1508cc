/// The memory model that an expectation refers to.
package enum MemoryModel: String, CaseIterable, Sendable { case seqcst, weak }
