/// The paths through the code.
extension Bytecode {
    /// The instructions of a body.
    func codeRange(of body: Int) -> Range<Int> {
        let entry = bodies[body].entry
        let bodyCount = program.functions.count + 1 + program.threads.count + claims.count
        let next = (0..<bodyCount).map { bodies[$0].entry }.filter { $0 > entry }.min()
        return entry..<(next ?? codeCount)
    }

    /// Where a thread may continue after an instruction; after a call, in the function as well as behind it.
    func successors(of place: Int) -> [Int] {
        let instruction = code[place]
        let a = Int(instruction.a)
        return switch instruction.opcode {
        case .jump, .jumpBack: [a]
        case .jumpIfFalse, .jumpIfTrue, .jumpKeepingFalse, .jumpKeepingTrue, .jumpUnlessEqual, .jumpUnlessNotEqual,
            .jumpUnlessLess, .jumpUnlessLessOrEqual, .jumpUnlessGreater, .jumpUnlessGreaterOrEqual, .countDown:
            [a, place + 1]
        case .awaitAgain: [a]
        case .call: [bodies[a].entry, place + 1]
        case .return, .end, .fail: []
        default: [place + 1]
        }
    }
}
