import CCompiled

/// The names of a program's memory in an execution that is shown: the variable there, or the code that allocated the
/// memory.
final class MemoryNames {
    private let program: UnsafeMutablePointer<compiled_program_t>
    private let symbols: ProgramSymbols
    private let stacks: ProgramStacks
    private let threadName: (Int) -> String

    /// The variables that have been named, by name.
    private var variables: [String: ProgramVariable] = [:]
    /// The addresses of the parts that have been named, by name.
    private var parts: [String: UInt64] = [:]
    /// For each address on a stack whose name was asked for: the frame that contained it when that last happened.
    private var known: [UInt64: compiled_frame_t] = [:]

    /// The maximum length of a name, in characters.
    private static let longest = 160

    init(
        _ program: UnsafeMutablePointer<compiled_program_t>, _ symbols: ProgramSymbols, _ stacks: ProgramStacks,
        threadName: @escaping (Int) -> String
    ) {
        self.program = program
        self.symbols = symbols
        self.stacks = stacks
        self.threadName = threadName
    }

    /// The name of the memory at this place. Nil: nothing is known of it.
    ///
    /// - Parameter place: an address, which may have the bit `compiled_request_t.beside`.
    func name(of place: UInt64) -> String? {
        let address = place & ~compiled_request_t.beside
        return global(address) ?? local(address) ?? inBlock(address)
    }

    /// The name of the variable that is now at this place on a thread's stack. Functions use such a place one after the
    /// other, so its variable changes. Nil: the place is not on a stack; its variable is not known, or is a reference;
    /// or the frame is the same as when the name of the place was last asked for.
    func present(onStack place: UInt64) -> String? {
        let address = place & ~compiled_request_t.beside
        guard let (frames, thread) = frames(address) else { return nil }
        if let last = known[address], last.address == frames.own.address, last.end == frames.own.end { return nil }
        guard let variable = variable(address, frames), !variable.isReference else { return nil }
        return name(of: variable, address, thread: threadName(thread))
    }

    /// Whether the place is on a thread's stack.
    func isOnStack(_ place: UInt64) -> Bool { frames(place & ~compiled_request_t.beside) != nil }

    // MARK: - Variables

    private func global(_ address: UInt64) -> String? { symbols.global(at: address).map { name(of: $0, address) } }

    private func local(_ address: UInt64) -> String? {
        guard let (frames, thread) = frames(address) else { return nil }
        return variable(address, frames).map { name(of: $0, address, thread: threadName(thread)) }
    }

    /// The frame that contains a place on a stack, and the frame that it has called.
    private typealias Frames = (called: compiled_frame_t, own: compiled_frame_t)

    /// The frames for this address, and the thread on whose stack it is. Nil: it is on no stack.
    private func frames(_ address: UInt64) -> (frames: Frames, thread: Int)? {
        let both = UnsafeMutablePointer<compiled_frame_t>.allocate(capacity: 2)
        defer { both.deallocate() }
        let thread = Int(program.pointee.frames(address, both))
        if thread < 0 { return nil }
        return (frames: (called: both[0], own: both[1]), thread: thread)
    }

    private func variable(_ address: UInt64, _ frames: Frames) -> ProgramVariable? {
        known[address] = frames.own
        let program = program
        // Memory in a caller's frame may be a parameter of the function that it has called.
        // The address of the called frame is 0 if there is none.
        for frame in [frames.own, frames.called] where frame.address != 0 {
            let found = symbols.local(at: address, in: frame) { UInt64(bitPattern: program.pointee.peek($0, 8)) }
            if let found { return found }
        }
        return nil
    }

    private func name(of variable: ProgramVariable, _ address: UInt64, thread: String? = nil) -> String {
        let owner = owner(of: variable, thread)
        let whole = shortened(variable.name + variable.part.path)
        var text = whole + owner
        // An opaque object is one whose parts have no names that users know. The part that is used first gets the
        // object's name; each other part gets the name and its distance in bytes.
        let isTaken = parts[text, default: address] != address
        if variable.part.isOpaque ? isTaken : variable.part.rest != 0 {
            text = "\(whole)+\(variable.part.rest)\(owner)"
        }
        parts[text] = parts[text] ?? address
        return text
    }

    /// What is added to a variable's name if another variable has that name: its function, or its thread if both belong
    /// to one function.
    private func owner(of variable: ProgramVariable, _ thread: String?) -> String {
        var additions = [""]
        if let function = variable.function, variables[variable.name, default: variable].function != function {
            additions.append(" of \(function)")
        }
        if let thread { additions.append(" of \(thread)") }
        let free = additions.first { variables[variable.name + $0, default: variable].start == variable.start }
        let addition = free ?? additions[additions.count - 1]
        variables[variable.name + addition] = variables[variable.name + addition] ?? variable
        return addition
    }

    private func shortened(_ text: String) -> String {
        text.count > Self.longest ? text.prefix(Self.longest - 1) + "…" : text
    }

    // MARK: - Blocks of the heap

    /// The block's name, and how far behind its start the address is. Nil: the address is in no block.
    func inBlock(_ address: UInt64) -> String? {
        guard let block = block(address) else { return nil }
        let offset = address - block.start
        let place =
            stacks.place(ofBlock: block.start, block.site).map { " from \($0.file.lastComponent):\($0.line)" } ?? ""
        return "block\(place)\(offset == 0 ? "" : "+\(offset)")"
    }

    /// A block of the heap, and the code that allocated it (`site`).
    typealias Block = (start: UInt64, size: UInt64, site: UInt64)

    /// The block that contains the address.
    func block(_ address: UInt64) -> Block? {
        var (start, size, site) = (UInt64(0), UInt64(0), UInt64(0))
        return program.pointee.block(address, &start, &size, &site) == 0 ? nil : (start, size, site)
    }

    /// The last block before an address which is in no block. Nil: no block reaches into the 64 KiB before the address.
    /// A block takes at least 16 bytes.
    func blockBefore(_ address: UInt64) -> Block? {
        for distance in stride(from: UInt64(0), to: 1 << 16, by: 16) where address > distance {
            if let block = block(address - distance) { return block }
        }
        return nil
    }
}
