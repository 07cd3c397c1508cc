import CCompiled
import DebugInformation

/// What the functions of a program call the bytes of the heap's blocks: `q->head`, `accounts[2].balance`. A pointer that
/// a function can write, and that leads to the byte now, gives the name.
///
/// The first block that is reached by `q` is not named in `q->head`; the next ones are: `q->head (queue 2)`.
final class BlockNames {
    /// A block of the heap, and the code that allocated it (`site`).
    typealias Block = MemoryNames.Block

    private let program: UnsafeMutablePointer<compiled_program_t>
    private let symbols: ProgramSymbols
    private let stacks: ProgramStacks
    /// What blocks are called, by their addresses: `queue 2`.
    private var labels: [UInt64: String] = [:]
    /// The number of blocks that are called so, by their words without the number.
    private var counts: [String: Int] = [:]
    /// The first block that was reached by an expression, by what the source calls it.
    private var firsts: [String: UInt64] = [:]
    /// The expressions by which blocks were reached, by the blocks' addresses, and the files of their functions.
    private var known: [UInt64: (expression: Expression, file: FileSymbols)] = [:]

    /// The expressions of a thread's functions, as long as the thread does not continue: a step can be on many objects.
    private var present: Present?

    private struct Present {
        let thread: Int
        /// All frames, of which some belong to libraries.
        let frames: [compiled_frame_t]
        /// The frames of the program's own functions.
        let own: [compiled_frame_t]
        /// The expressions of the first of those, each list with those that are easier to read first. Nil: the function
        /// is in none of the program's files.
        var expressions: [(file: FileSymbols, lists: [[Expression]])?] = []
    }

    /// The maximum number of frames in which expressions are looked for.
    private static let mostFrames = 8
    /// The maximum number of frames that are read, those of libraries included.
    private static let depth = 64
    /// The maximum length of a type's name in a block's name, in characters.
    private static let longestType = 40

    init(
        _ program: UnsafeMutablePointer<compiled_program_t>, _ symbols: ProgramSymbols, _ stacks: ProgramStacks
    ) {
        self.program = program
        self.symbols = symbols
        self.stacks = stacks
    }

    /// What a byte of a block is called.
    struct Name {
        let text: String
        /// What comes after a distance in bytes: ` (queue 2)`.
        let addition: String
        let part: DwarfTypes.Part
    }

    /// What a byte of a block is called by a thread that is about to access it. Nil: no expression leads there.
    ///
    /// - Parameter thread: waits for the engine. Nil: there is none.
    func name(of address: UInt64, in block: Block, thread: Int?) -> Name? {
        let bytes = block.start..<block.start &+ max(1, block.size)
        guard bytes.contains(address) else { return nil }
        if let thread, let (found, expression, file) = search(address, bytes, thread) {
            if known[block.start] == nil || found.rank == .member { known[block.start] = (expression, file) }
            return name(found, expression, block)
        }
        // As the function calls it that has accessed another part of it before.
        guard let (expression, file) = known[block.start],
            let found = file.designation(of: address, in: bytes, by: expression), found.element == nil
        else { return nil }
        return name(found, expression, block)
    }

    private func name(_ found: Designation, _ expression: Expression, _ block: Block) -> Name {
        let first = firsts[expression.text] ?? block.start
        firsts[expression.text] = first
        // The label is given to the first block, too, so that it has the smaller number.
        let label = label(of: block, type: found.type)
        var additions = first == block.start ? [] : [label]
        if let element = found.element { additions.append("element \(element)") }
        return Name(
            text: found.text, addition: additions.isEmpty ? "" : " (\(additions.joined(separator: ", ")))",
            part: found.part)
    }

    /// The best expression of the thread's innermost functions.
    private func search(
        _ address: UInt64, _ block: Range<UInt64>, _ thread: Int
    ) -> (Designation, Expression, FileSymbols)? {
        var now: Present
        if let present, present.thread == thread {
            now = present
        } else {
            let frames = frames(of: thread)
            let own = frames.filter { !stacks.ownCalls(at: $0.address).isEmpty }.prefix(Self.mostFrames)
            now = Present(thread: thread, frames: frames, own: Array(own))
        }
        present = nil
        defer { present = now }
        var best: (Designation, Expression, FileSymbols)?
        for number in now.own.indices {
            guard let (file, lists) = expressions(inFrame: number, of: &now) else { continue }
            for list in lists {
                for expression in list {
                    guard let made = file.designation(of: address, in: block, by: expression) else { continue }
                    if best.map({ made.rank < $0.0.rank }) ?? true { best = (made, expression, file) }
                }
                if let best, best.0.rank <= .value { return best }
            }
        }
        return best
    }

    /// Must be called when a thread has continued: its variables have other values now.
    func noteReturn() { present = nil }

    /// The expressions of the frame with this number among those of the program's own functions.
    private func expressions(inFrame number: Int, of present: inout Present) -> (
        file: FileSymbols, lists: [[Expression]]
    )? {
        if number < present.expressions.count { return present.expressions[number] }
        let frame = present.own[number]
        let (all, word) = (present.frames, word)
        let made = symbols.file(of: frame).map { file in
            let found = file.expressions(in: DwarfFrame(frame, file, word), word: word) { isReadable($0, all) }
            return (file: file, lists: found.map(\.variables) + found.map(\.members))
        }
        present.expressions.append(made)
        return made
    }

    // MARK: - Blocks as a whole

    /// What a block is called that a pointer points to: `queue 2`, or `block from a.c:9`.
    ///
    /// - Parameter type: the name of the type to which the pointer points. Nil: it has none.
    func label(of block: Block, type: String?) -> String {
        if let known = labels[block.start] { return known }
        // Names that begin so are those of the C++ library's insides.
        let type = type.flatMap { $0.hasPrefix("_") ? nil : $0 }.map {
            $0.count > Self.longestType ? $0.prefix(Self.longestType - 1) + "…" : $0
        }
        let words = type ?? "block\(place(of: block))"
        let number = counts[words, default: 0] + 1
        counts[words] = number
        // The number of a typed block is part of its name from the beginning: `item 1` is not any item.
        let label = type == nil && number == 1 ? words : "\(words) \(number)"
        labels[block.start] = label
        return label
    }

    /// The code that asked for the block, for its name: ` from a.c:9`. Empty: it is not known.
    func place(of block: Block) -> String {
        stacks.place(ofBlock: block.start, block.site).map { " from \($0.file.lastComponent):\($0.line)" } ?? ""
    }

    // MARK: - Reading memory

    private func word(_ address: UInt64) -> UInt64 { program.pointee.word(at: address) }

    /// Whether eight bytes at an address are in a block of the heap, or on a stack.
    private func isReadable(_ address: UInt64, _ frames: [compiled_frame_t]) -> Bool {
        if let first = frames.first, let last = frames.last, address >= first.stack, address < last.end {
            return last.end - address >= 8
        }
        var (start, size, site) = (UInt64(0), UInt64(0), UInt64(0))
        if program.pointee.block(address, &start, &size, &site) != 0 {
            return size >= 8 && address - start <= size - 8
        }
        // A frame of another thread. Eight bytes of its stack follow every address in it.
        return withUnsafeTemporaryAllocation(of: compiled_frame_t.self, capacity: 2) {
            program.pointee.frames(address, $0.baseAddress) >= 0
        }
    }

    private func frames(of thread: Int) -> [compiled_frame_t] {
        [compiled_frame_t](unsafeUninitializedCapacity: Self.depth) { buffer, count in
            count = Int(program.pointee.stack(UInt32(thread), buffer.baseAddress, UInt32(Self.depth)))
        }
    }
}
