import CCompiled
import Machine
import Trace

/// Records memory that is used wrongly, or lost.
extension ProgramRecord {
    /// Records that a thread uses freed memory, frees it again, or uses memory in no block.
    func noteMemory(_ verb: String, _ request: compiled_request_t, of thread: Int, _ state: MachineState) {
        noteFailure("\(verb) \(fate(of: request, of: thread, state))", .threadFault, request, of: thread, state)
    }

    /// Says what the memory is, and why it must not be used: "memory that was freed: block from a.c:3". First records
    /// the allocation and the freeing of its block.
    private func fate(of request: compiled_request_t, of thread: Int, _ state: MachineState) -> String {
        let address = request.object
        // A local variable of a function or a thread-local one. `detail` is 1 if the function has returned.
        if let variable = name(of: request) {
            return "\(variable.text), \(request.detail == 1 ? "whose function has returned" : "which has ended")"
        }
        // The block that contains the address, perhaps in the bytes that round the block's size up to a multiple of 16.
        let own = memory.block(address)
        guard let block = own ?? memory.blockBefore(address) else { return "memory that is in no block of the heap" }
        let name = memory.name(of: block)
        let isFreed = stacks.release(of: block.start) != nil
        if own != nil, isFreed || address &- block.start < block.size {
            note(stacks.allocation(of: block.start), .blockAllocated, name, state)
            note(stacks.release(of: block.start), .blockFreed, name, state)
            // A block that is freed again is freed as a whole.
            if request.kind == compiled_double_free { return "memory that was freed: \(name)" }
            let offset = address &- block.start
            let byte = memory.name(of: address, by: thread)?.text ?? name + (offset == 0 ? "" : "+\(offset)")
            // Where the block is from says the name itself, if no function has another one.
            return "memory that was freed: \(byte)\(byte.hasPrefix(name) ? "" : " (\(name))")"
        }
        // At least the 16 bytes after the end of a block are in no block. An address farther away may have been meant
        // for the next block.
        guard address &- block.start < (max(block.size, 1) &+ 15) / 16 * 16 &+ 16 else {
            return "memory that is in no block of the heap: it is near the end of \(name)"
        }
        note(stacks.allocation(of: block.start), .blockAllocated, name, state)
        return "memory behind the end of \(name), which has \(block.size) byte\(block.size == 1 ? "" : "s")"
    }

    /// Records the memory that the completed execution has lost, with the threads and the calls that allocated it.
    ///
    /// - Returns: the code that allocated the first lost block. Nil: no memory is lost.
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

    /// Records that a block was allocated or freed at that moment, if it is known.
    private func note(_ moment: ProgramStacks.Moment?, _ kind: EventKind, _ name: String, _ state: MachineState) {
        guard let moment else { return }
        let place = site(of: stacks.calls(of: moment))
        journal.record(kind, thread: moment.thread, text: name, at: place, time: state.time)
    }

    private func site(of calls: [TraceDocument.Site.Call]) -> SourceSite {
        calls.first.map { journal.site(inFileNamed: $0.file, line: $0.line, calls: calls) } ?? .unknown
    }
}
