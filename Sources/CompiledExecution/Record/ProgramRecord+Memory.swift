import CCompiled
import Machine
import Trace

/// What is recorded of memory that is used wrongly, or lost.
extension ProgramRecord {
    /// A thread uses memory that was freed, frees it again, or uses what is in no block.
    func noteMemory(_ verb: String, _ request: compiled_request_t, of thread: Int, _ state: MachineState) {
        noteFailure("\(verb) \(fate(of: request, state))", .threadFault, request, of: thread, state)
    }

    /// What it is, and why it must not be used. Records before that what had been done with its block.
    private func fate(of request: compiled_request_t, _ state: MachineState) -> String {
        let address = request.object
        if let variable = name(of: request) {
            return "\(variable), \(request.detail == 1 ? "whose function has returned" : "which has ended")"
        }
        let own = memory.block(address)
        guard let block = own ?? memory.blockBefore(address), let name = memory.name(of: block.start) else {
            return "memory that is in no block of the heap"
        }
        let isFreed = stacks.release(of: block.start) != nil
        if own != nil, isFreed || address &- block.start < block.size {
            note(stacks.allocation(of: block.start), .blockAllocated, name, state)
            note(stacks.release(of: block.start), .blockFreed, name, state)
            return "memory that was freed: \(memory.name(of: address) ?? name)"
        }
        // Behind a block are at least 16 bytes that are in none, and further on it is before the next one.
        guard address &- block.start < (max(block.size, 1) &+ 15) / 16 * 16 &+ 16 else {
            return "memory that is in no block of the heap: it is near the end of \(name)"
        }
        note(stacks.allocation(of: block.start), .blockAllocated, name, state)
        return "memory behind the end of \(name), which has \(block.size) byte\(block.size == 1 ? "" : "s")"
    }

    /// The execution is over: notes what memory it has lost, by the thread and the calls that have allocated it.
    ///
    /// - Returns: the code that has allocated the first block of it. Nil: there is none.
    func noteLost(_ state: MachineState) -> UInt64? {
        let lost = LostMemory(program, stacks)
        for part in lost.parts {
            journal.record(
                .blockLost, thread: part.thread, text: "allocated \(part.amount)", at: site(of: part.calls),
                time: state.time)
        }
        for text in lost.rest {
            journal.record(.moreLost, thread: 0, text: text, at: .unknown, time: state.time)
        }
        return lost.site
    }

    private func note(_ moment: ProgramStacks.Moment?, _ kind: EventKind, _ name: String, _ state: MachineState) {
        guard let moment else { return }
        let place = site(of: stacks.calls(of: moment))
        journal.record(kind, thread: moment.thread, text: name, at: place, time: state.time)
    }

    private func site(of calls: [TraceDocument.Site.Call]) -> SourceSite {
        calls.first.map { journal.site(inFileNamed: $0.file, line: $0.line, calls: calls) } ?? .unknown
    }
}
