import CCompiled
import Machine
import Trace

/// Records a failed assertion, with the values that decided it.
extension ProgramRecord {
    /// The maximum number of variables whose values are shown.
    private static let mostValues = 6

    /// Records that an assertion has failed: `end.count == 2: end.count is 1`.
    func noteAssertion(_ request: compiled_request_t, of thread: Int, _ state: MachineState) {
        let text = request.text.map { String(cString: $0) } ?? ""
        let values = values(named: text, line: Int(request.line), by: thread).map { "\($0) is \($1)" }
        let words = values.isEmpty ? "" : ": " + TraceWords.list(values)
        noteFailure(text + words, .assertionFailed, request, of: thread, state)
    }

    /// The variables in memory that the assertion names, and the values that the thread has found there: what it has
    /// read in the assertion's line or, if that was no step, what is there now. Then nothing can have changed it since,
    /// because such a read is ordered with all writes.
    private func values(named text: String, line: Int, by thread: Int) -> [(name: String, value: String)] {
        let assertion = AssertedValues(text)
        let own = seen.all(by: thread)
        let read = own.filter { $0.call?.line == line }
        // Memory of the heap may have another object's name in this function.
        let others = seen.objects.filter { other in
            !read.contains { $0.object == other.object } && !memory.isOnStack(other.address)
                && memory.block(other.address) == nil
        }
        let keys = Dictionary(grouping: others.compactMap { variableName(of: $0.object) }, by: AssertedValues.key)
        // By the place in the text.
        var found: [Int: (name: String, value: String)] = [:]
        for (seen, isPresent) in read.map({ ($0, false) }) + others.map({ ($0, true) }) {
            guard let name = variableName(of: seen.object) else { continue }
            let key = AssertedValues.key(name)
            // Of an array's elements, only one that was read in this line is known to be meant.
            guard let place = assertion.place(of: key), found[place] == nil,
                !isPresent || !key.contains("[") && keys[key]?.count == 1
            else { continue }
            let value = isPresent ? Int(program.pointee.peek(seen.address, UInt32(seen.size))) : seen.value
            let shown = String(name.prefix(upTo: name.ranges(of: " of ").first?.lowerBound ?? name.endIndex))
            found[place] = (shown, words(value, isPointer: seen.size == 8))
        }
        return found.sorted { $0.key < $1.key }.prefix(Self.mostValues).map(\.value)
    }

    /// A value in words. That of a pointer into the heap is the block's name, because its number says nothing.
    private func words(_ value: Int, isPointer: Bool) -> String {
        guard isPointer, let address = UInt64(exactly: value), address >= 1 << 32 else { return "\(value)" }
        return memory.name(of: address)?.text ?? "0x" + String(address, radix: 16)
    }
}

private enum TraceWords {
    /// A list in words: `a, b and c`.
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
