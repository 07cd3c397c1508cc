import CCompiled

/// What a program's memory is called in an execution that is shown: by variables, or by the code that allocated it.
final class MemoryNames {
    private let program: UnsafeMutablePointer<compiled_program_t>
    private let symbols: ProgramSymbols
    private let stacks: ProgramStacks
    private let threadName: (Int) -> String

    /// The addresses of what has these names: of variables, and of parts of them.
    private var variables: [String: UInt64] = [:]
    private var parts: [String: UInt64] = [:]

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

    /// Nil: nothing is known of it.
    func name(of place: UInt64) -> String? {
        let address = place & ~compiled_request_t.beside
        return global(address) ?? local(address) ?? inBlock(address)
    }

    /// The name of what is there now on a thread's stack, where functions have their variables one after the other. Nil: it is elsewhere,
    /// or nothing is known of it.
    func present(onStack address: UInt64) -> String? { local(address & ~compiled_request_t.beside, orReferred: false) }

    // MARK: - Variables

    private func global(_ address: UInt64) -> String? { symbols.global(at: address).map { name(of: $0, address, []) } }

    private func local(_ address: UInt64, orReferred: Bool = true) -> String? {
        guard let (variable, thread) = variable(onStack: address), orReferred || !variable.isReference else {
            return nil
        }
        return name(of: variable, address, [variable.function, threadName(thread)].compactMap { $0 })
    }

    private func variable(onStack address: UInt64) -> (ProgramVariable, thread: Int)? {
        let frames = UnsafeMutablePointer<compiled_frame_t>.allocate(capacity: 2)
        defer { frames.deallocate() }
        let thread = Int(program.pointee.frames(address, frames))
        guard thread >= 0 else { return nil }
        let program = program
        // What is in a caller's frame may be a parameter of the function that it has called.
        for frame in [frames[1], frames[0]] where frame.address != 0 {
            let found = symbols.local(at: address, in: frame) { UInt64(bitPattern: program.pointee.peek($0, 8)) }
            if let found { return (found, thread) }
        }
        return nil
    }

    /// - Parameter owners: what can be said of the variable if another one has its name.
    private func name(of variable: ProgramVariable, _ address: UInt64, _ owners: [String]) -> String {
        let additions = [""] + owners.map { " of \($0)" }
        let addition = additions.first { addition in
            variables[variable.name + addition, default: variable.start] == variable.start
        }
        let last = addition ?? additions[additions.count - 1]
        variables[variable.name + last] = variables[variable.name + last] ?? variable.start
        let whole = shortened(variable.name + variable.part.path)
        var text = whole + last
        // Of what has no parts that a person knows, the first that is used has the name alone.
        let isTaken = parts[text, default: address] != address
        if variable.part.isOpaque ? isTaken : variable.part.rest != 0 {
            text = "\(whole)+\(variable.part.rest)\(last)"
        }
        parts[text] = parts[text] ?? address
        return text
    }

    private func shortened(_ text: String) -> String {
        text.count > Self.longest ? text.prefix(Self.longest - 1) + "…" : text
    }

    // MARK: - Blocks of the heap

    private func inBlock(_ address: UInt64) -> String? {
        guard let block = block(address) else { return nil }
        let offset = address - block.start
        let place =
            stacks.place(ofBlock: block.start, block.site).map { " from \($0.file.lastComponent):\($0.line)" } ?? ""
        return "block\(place)\(offset == 0 ? "" : "+\(offset)")"
    }

    /// The block of the heap that the address is in, and the code that allocated it.
    func block(_ address: UInt64) -> (start: UInt64, site: UInt64)? {
        var (start, size, site) = (UInt64(0), UInt64(0), UInt64(0))
        return program.pointee.block(address, &start, &size, &site) == 0 ? nil : (start, site)
    }

    /// The name of the last block before an address that is in none, if it is near.
    func blockBefore(_ address: UInt64) -> String? {
        for distance in stride(from: UInt64(0), to: 1 << 16, by: 16) where address > distance {
            if let block = block(address - distance) { return inBlock(block.start) }
        }
        return nil
    }
}
