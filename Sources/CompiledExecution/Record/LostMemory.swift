import CCompiled
import Trace

/// The heap memory that an execution has lost, for a report: blocks that were not freed, and to which nothing points
/// any more except other lost blocks. Only those are listed to which no other lost block points and, of a cycle, the
/// first. Listed blocks that one thread allocated by the same calls form one part.
struct LostMemory {
    struct Part {
        let thread: Int
        /// The calls that allocated the memory, the innermost first. Empty: none of the program's own is known.
        let calls: [TraceDocument.Site.Call]
        fileprivate(set) var blocks: Int
        fileprivate(set) var bytes: UInt64

        /// For example `3 blocks (48 bytes)`.
        var amount: String {
            let bytes = "\(bytes) \(bytes == 1 ? "byte" : "bytes")"
            return blocks == 1 ? bytes : "\(blocks) blocks (\(bytes))"
        }
    }

    private(set) var parts: [Part] = []
    /// Sentences about what the parts do not show.
    private(set) var rest: [String] = []
    /// The code that allocated the first lost block. Nil: no memory is lost.
    let site: UInt64?

    /// The maximum number of listed blocks that are examined. Further ones are only counted.
    private static let mostBlocks = 1 << 12
    /// The maximum number of parts that are shown.
    private static let mostParts = 8

    init(_ program: UnsafeMutablePointer<compiled_program_t>, _ stacks: ProgramStacks) {
        // The number of lost blocks that are not listed.
        var others: UInt32 = 0
        // The number of those that are, which may exceed `mostBlocks`.
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

    /// The code that allocated the first lost block, for an execution that is not shown. Nil: no memory is lost.
    static func site(_ program: UnsafeMutablePointer<compiled_program_t>) -> UInt64? {
        var first = compiled_lost_t()
        var others: UInt32 = 0
        return program.pointee.lost(&first, 1, &others) > 0 ? first.site : nil
    }

    /// Adds a block to its part.
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
