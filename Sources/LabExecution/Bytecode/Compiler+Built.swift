import LabProgram
import Machine

/// Barriers and `once`, out of locks and conditions.
extension Compiler {
    /// The slot that sequences of instructions may use.
    private var scratch: Int { slots - 1 }

    /// Leaves on the stack whether the thread was the last of its round.
    mutating func barrierWait(_ place: Program.Place) {
        let members = configuration.initialValues[place.object].first ?? 1
        forElement(of: place) { $0.barrierWait($1, members) }
        pushed()
    }

    private mutating func barrierWait(_ barrier: Int, _ members: Int) {
        let words = builtStart[barrier]!
        let condition = sharedWords[words + 2]
        operate(OperationForm(kind: .lock), on: barrier)
        emit(.word, words)
        push(1)
        emit(.add)
        emit(.setWord, words)
        emit(.word, words)
        push(members)
        emit(.equal)
        let wait = emit(.jumpIfFalse)
        push(0)
        emit(.setWord, words)
        emit(.word, words + 1)
        push(1)
        emit(.add)
        emit(.setWord, words + 1)
        operate(OperationForm(kind: .broadcast), on: condition)
        operate(OperationForm(kind: .unlock), on: barrier)
        push(1)
        let end = emit(.jump)
        land(wait)
        emit(.word, words + 1)
        emit(.set, scratch)
        let again = code.count
        emit(.word, words + 1)
        pushed()
        emit(.get, scratch)
        pushed()
        emit(.equal)
        let leave = emit(.jumpIfFalse)
        operate(OperationForm(kind: .wait, fixed: barrier), on: condition)
        emit(.jump, again)
        land(leave)
        emit(.clear, scratch, 1)
        operate(OperationForm(kind: .unlock), on: barrier)
        push(0)
        land(end)
    }

    /// The first thread runs the block with the lock held; those that come later find that it is done.
    mutating func once(_ place: Program.Place, _ block: Program.Block) {
        enter(place, .lock)
        onceWord(place) { $0.emit(.word, $1) }
        pushed()
        let done = emit(.jumpIfTrue)
        cleanups.append(Cleanup(place: place, kind: .unlock, isOnce: true))
        self.block(block)
        cleanups.removeLast()
        markDone(place)
        land(done)
        leave(place, .unlock)
    }

    mutating func markDone(_ place: Program.Place) {
        push(1)
        onceWord(place) { $0.emit(.setWord, $1) }
    }

    private mutating func onceWord(_ place: Program.Place, _ access: (inout Compiler, Int) -> Void) {
        let first = firstObject[place.object]
        guard place.index != nil, let slot = place.slot else {
            return access(&self, builtStart[constantElement(place) ?? first]!)
        }
        var ends: [Int] = []
        for element in 0..<configuration.elementCounts[place.object] {
            emit(.get, slot)
            pushed()
            push(first + element)
            emit(.equal)
            let next = emit(.jumpIfFalse)
            access(&self, builtStart[first + element]!)
            ends.append(emit(.jump))
            land(next)
        }
        for end in ends { land(end) }
    }

    /// Code for each element of an array, of which the subscript picks one.
    private mutating func forElement(of place: Program.Place, _ code: (inout Compiler, Int) -> Void) {
        let object = object(place)
        guard object.isOnStack else { return code(&self, object.number) }
        emit(.set, scratch)
        var ends: [Int] = []
        for element in 0..<configuration.elementCounts[place.object] {
            emit(.get, scratch)
            pushed()
            push(firstObject[place.object] + element)
            emit(.equal)
            let next = emit(.jumpIfFalse)
            code(&self, firstObject[place.object] + element)
            ends.append(emit(.jump))
            land(next)
        }
        for end in ends { land(end) }
    }
}
