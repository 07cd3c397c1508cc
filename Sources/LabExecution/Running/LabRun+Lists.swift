import Execution
import Machine
import Synchronization

/// The values of lists, which traces show as a text beside each access. A list has no word that a runtime knows, and it
/// changes after the step that says so: the values are those that the thread is about to leave behind.
extension LabRun {
    /// Lets the journal ask for the values of lists, until the run ends.
    func showLists(to runtime: ControlledRuntime) {
        guard let journal = runtime.journal, !bytecode.listStart.isEmpty else { return }
        var numbers: [UInt32: Int] = [:]
        for number in bytecode.listStart.keys { numbers[objects[number].id] = number }
        journal.textOfList = { [unowned(unsafe) self] object, thread, isWrite in
            guard let number = numbers[object], let words = words(of: thread) else { return nil }
            return text(ofList: number, changedBy: isWrite ? words : nil)
        }
    }

    /// On real threads, which record their own accesses: the operation with the number of a text that says what the
    /// thread is about to find in the list, or to make of it. Other threads may change the list meanwhile.
    func showingList(_ operation: Operation, _ words: UnsafeMutablePointer<Int>) -> Operation {
        let number = Int(operation.object)
        guard let listTexts, case .native(let native) = runtime, bytecode.listStart[number] != nil else {
            return operation
        }
        let isWrite = operation.kind == .write
        let text = text(ofList: number, changedBy: isWrite ? words : nil)
        let known = listTexts.withLock { texts in
            let known = texts[text] ?? native._withUnsafeGuaranteedRef { $0.number(ofText: text) }
            texts[text] = known
            return known
        }
        var shown = operation
        if isWrite { shown.b = known } else { shown.a = known }
        return shown
    }

    /// - Parameter words: the words of a thread that is about to change the list. Nil: it stays as it is.
    private func text(ofList number: Int, changedBy words: UnsafeMutablePointer<Int>?) -> String {
        guard let start = bytecode.listStart[number] else { return "" }
        let values = words.map { interpreter.list(start, changedBy: $0) } ?? interpreter.list(start)
        let object = bytecode.firstObject.lastIndex { $0 <= number } ?? 0
        guard case .list(let type) = bytecode.program.objects[object].kind else { return "" }
        return ListText.text(values.map(type.text))
    }
}

/// A list as traces show it.
enum ListText {
    /// The maximum number of values that are shown.
    private static let mostShown = 32

    /// For example `[1, 2]`. Of many values, those in the middle are left out.
    static func text(_ values: [String]) -> String {
        guard values.count > mostShown, let last = values.last else { return "[\(values.joined(separator: ", "))]" }
        let left = values.count - mostShown
        return "[\(values.prefix(mostShown - 1).joined(separator: ", ")), … \(left) more …, \(last)]"
    }
}
