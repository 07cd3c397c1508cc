import CCompiled
import DebugInformation

/// The names of a program's memory in an execution that is shown: the variable there, or the code that allocated the
/// memory.
final class MemoryNames {
    private let program: UnsafeMutablePointer<compiled_program_t>
    private let symbols: ProgramSymbols
    private let stacks: ProgramStacks
    private let threadName: (Int) -> String
    private let blocks: BlockNames

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
        blocks = BlockNames(program, symbols, stacks)
    }

    /// What memory is called.
    struct Name {
        var text: String
        /// The pointer that begins there. Nil: there is none.
        var pointer: Pointer?
    }

    /// A pointer in the program's memory.
    struct Pointer {
        /// The name of the type to which it points. Nil: it has none.
        let type: String?
    }

    /// The name of the memory at this place. Nil: nothing is known of it.
    ///
    /// - Parameters:
    ///   - place: an address, which may have the bit `compiled_request_t.beside`.
    ///   - thread: the thread that uses it. It waits for the engine. Nil: it is not known.
    func name(of place: UInt64, by thread: Int? = nil) -> Name? {
        let address = place & ~compiled_request_t.beside
        return global(address) ?? local(address) ?? threadLocal(address) ?? inBlock(address, thread)
            ?? nameless(address)
    }

    /// The name of the variable that is now at this place on a thread's stack. Functions use such a place one after the
    /// other, so its variable changes. Nil: the place is not on a stack; its variable is not known, or is a reference;
    /// or the frame is the same as when the name of the place was last asked for.
    func present(onStack place: UInt64) -> Name? {
        let address = place & ~compiled_request_t.beside
        guard let (frames, thread) = frames(address) else { return nil }
        if let last = known[address], last.address == frames.own.address, last.end == frames.own.end { return nil }
        guard let variable = variable(address, frames), !variable.isReference else { return nil }
        return name(of: variable, address, thread: threadName(thread))
    }

    /// Whether the place is on a thread's stack.
    func isOnStack(_ place: UInt64) -> Bool { frames(place & ~compiled_request_t.beside) != nil }

    /// Must be called when a thread has continued.
    func noteReturn() { blocks.noteReturn() }

    // MARK: - Variables

    private func global(_ address: UInt64) -> Name? { symbols.global(at: address).map { name(of: $0, address) } }

    private func local(_ address: UInt64) -> Name? {
        guard let (frames, thread) = frames(address) else { return nil }
        return variable(address, frames).map { name(of: $0, address, thread: threadName(thread)) }
    }

    private func threadLocal(_ address: UInt64) -> Name? {
        var pointer: UInt64 = 0
        let thread = Int(program.pointee.owner(address, &pointer))
        guard thread >= 0, let variable = symbols.threadLocal(at: address, pointer) else { return nil }
        // Each thread has such a variable.
        let found = name(of: variable, address)
        return Name(text: "\(found.text) of \(threadName(thread))", pointer: found.pointer)
    }

    /// The name of memory on a stack that the compiler says nothing of: a temporary object, or a variable whose place is
    /// not known.
    private func nameless(_ address: UInt64) -> Name? {
        guard let (frames, _) = frames(address) else { return nil }
        for frame in [frames.own, frames.called] where frame.address != 0 {
            if let function = symbols.calls(at: frame.address &- 1, withoutLibraries: true).last?.function {
                return Name(text: "temporary of \(shortened(function))")
            }
        }
        return nil
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

    /// - Parameter remembers: whether the frame is noted for `present(onStack:)`.
    private func variable(_ address: UInt64, _ frames: Frames, remembers: Bool = true) -> ProgramVariable? {
        if remembers { known[address] = frames.own }
        let program = program
        // Memory in a caller's frame may be a parameter of the function that it has called.
        // The address of the called frame is 0 if there is none.
        for frame in [frames.own, frames.called] where frame.address != 0 {
            let found = symbols.local(at: address, in: frame) { program.pointee.word(at: $0) }
            if let found { return found }
        }
        return nil
    }

    private func name(of variable: ProgramVariable, _ address: UInt64, thread: String? = nil) -> Name {
        let owner = owner(of: variable, thread)
        return name(shortened(variable.name + variable.part.path), owner, variable.part, address)
    }

    /// The name of a part at an address: what the source calls it, the distance in bytes from the part's beginning if
    /// that is needed, and the addition.
    private func name(_ whole: String, _ addition: String, _ part: DwarfTypes.Part, _ address: UInt64) -> Name {
        var text = whole + addition
        // An opaque object is one whose parts have no names that users know. The part that is used first gets the
        // object's name; each other part gets the name and its distance in bytes.
        let isTaken = parts[text, default: address] != address
        if part.isOpaque ? isTaken : part.rest != 0 {
            text = "\(whole)+\(part.rest)\(addition)"
        }
        parts[text] = parts[text] ?? address
        return Name(text: text, pointer: part.isPointer ? Pointer(type: part.pointee) : nil)
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

    private func inBlock(_ address: UInt64, _ thread: Int?) -> Name? {
        guard let block = block(address) else { return nil }
        if let found = blocks.name(of: address, in: block, thread: thread) {
            return name(shortened(found.text), found.addition, found.part, address)
        }
        let offset = address - block.start
        return Name(text: "\(name(of: block))\(offset == 0 ? "" : "+\(offset)")")
    }

    /// What a block of the heap is called as a whole, by the place where the program asked for it: `block from a.c:9`.
    func name(of block: Block) -> String { "block\(blocks.place(of: block))" }

    // MARK: - What pointers point to

    /// What a pointer with this value points to: `item 3`, `&x`. Nil: that is not known.
    func target(of value: UInt64, _ pointer: Pointer) -> String? {
        if let block = block(value) {
            let offset = value - block.start
            return blocks.label(of: block, type: pointer.type) + (offset == 0 ? "" : "+\(offset)")
        }
        if symbols.isStart(ofFunction: value) { return symbols.function(at: value).map(shortened) }
        var variable = symbols.global(at: value)
        if variable == nil, let (frames, _) = frames(value) {
            variable = self.variable(value, frames, remembers: false)
        }
        guard let variable, !variable.isReference else { return nil }
        let rest = variable.part.rest == 0 || variable.part.isOpaque ? "" : "+\(variable.part.rest)"
        return shortened("&\(variable.name)\(value == variable.start ? "" : variable.part.path + rest)")
    }

    // MARK: - Finding blocks

    /// A block of the heap, and the code that allocated it (`site`).
    typealias Block = (start: UInt64, size: UInt64, site: UInt64)

    /// The block that contains the address.
    func block(_ address: UInt64) -> Block? {
        var (start, size, site) = (UInt64(0), UInt64(0), UInt64(0))
        guard program.pointee.block(address, &start, &size, &site) != 0 else { return nil }
        // Code that is not instrumented may have overwritten the size.
        return size > Self.mostBytes || start.addingReportingOverflow(size).overflow ? nil : (start, size, site)
    }

    /// The maximum size of a block: that of a thread's part of the heap.
    private static let mostBytes: UInt64 = 16 << 30

    /// The last block before an address which is in no block. Nil: no block reaches into the 64 KiB before the address.
    /// A block takes at least 16 bytes.
    func blockBefore(_ address: UInt64) -> Block? {
        for distance in stride(from: UInt64(0), to: 1 << 16, by: 16) where address > distance {
            if let block = block(address - distance) { return block }
        }
        return nil
    }
}

extension compiled_program_t {
    /// Eight bytes of the program's memory. 0 if there is none at the address: debug information, and pointers of the
    /// program, may lead anywhere.
    func word(at address: UInt64) -> UInt64 {
        var word: UInt64 = 0
        return read_word(address, &word) == 0 ? 0 : word
    }
}
