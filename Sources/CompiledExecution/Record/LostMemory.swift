import CCompiled
import Trace

/// The memory that an execution has lost, for a report: together what the same calls of a thread have allocated.
struct LostMemory {
    struct Part {
        let thread: Int
        /// The calls that were in progress; empty: none of the program's own.
        let calls: [TraceDocument.Site.Call]
        fileprivate(set) var blocks: Int
        fileprivate(set) var bytes: UInt64

        var amount: String {
            let bytes = "\(bytes) \(bytes == 1 ? "byte" : "bytes")"
            return blocks == 1 ? bytes : "\(blocks) blocks (\(bytes))"
        }
    }

    private(set) var parts: [Part] = []
    /// What else is to be said of it, in sentences.
    private(set) var rest: [String] = []
    /// The code that has allocated the first block. Nil: there is none.
    let site: UInt64?

    /// More blocks are not looked at one by one; of more parts the first are shown.
    private static let mostBlocks = 1 << 12
    private static let mostParts = 8

    init(_ program: UnsafeMutablePointer<compiled_program_t>, _ stacks: ProgramStacks) {
        var others: UInt32 = 0
        var count = 0
        let lost = [compiled_lost_t](unsafeUninitializedCapacity: Self.mostBlocks) { buffer, filled in
            count = Int(program.pointee.lost(buffer.baseAddress, UInt32(Self.mostBlocks), &others))
            filled = min(count, Self.mostBlocks)
        }
        site = lost.first?.site
        for block in lost { add(block, stacks) }
        if parts.count > Self.mostParts {
            rest.append("\(parts.count - Self.mostParts) more places lost memory, too.")
            parts.removeLast(parts.count - Self.mostParts)
        }
        if count > lost.count { rest.append("\(count - lost.count) other blocks were lost, too.") }
        if others > 0 {
            rest.append("Only \(count == 1 ? "this block" : "these blocks") led to \(others) more.")
        }
    }

    /// The same as the property, of an execution that is not shown.
    static func site(_ program: UnsafeMutablePointer<compiled_program_t>) -> UInt64? {
        var first = compiled_lost_t()
        var others: UInt32 = 0
        return program.pointee.lost(&first, 1, &others) > 0 ? first.site : nil
    }

    private mutating func add(_ block: compiled_lost_t, _ stacks: ProgramStacks) {
        let moment = stacks.allocation(of: block.address)
        let calls = moment.map(stacks.calls) ?? stacks.place(of: block.site).map { [$0] } ?? []
        let thread = moment?.thread ?? 0
        if let known = parts.firstIndex(where: { $0.thread == thread && $0.calls == calls }) {
            parts[known].blocks += 1
            parts[known].bytes &+= block.size
        } else {
            parts.append(Part(thread: thread, calls: calls, blocks: 1, bytes: block.size))
        }
    }
}
