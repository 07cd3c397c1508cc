import Machine

/// What a search by states needs to know of a program's code. Computed when the first such search begins.
final class StateFacts {
    let liveness: Liveness
    let futures: Futures
    let interchange: Interchange
    /// By instruction: the number of slots of the body that it belongs to, and whether that is a function.
    let slots: OwnedBuffer<Int>
    let isFunction: OwnedBuffer<Bool>
    /// By object: for a condition, its mutex; otherwise 0.
    let mutexes: OwnedBuffer<UInt32>
    /// The numbers of the mutexes and read-write locks.
    let locks: [Int]

    init(_ bytecode: Bytecode) {
        liveness = Liveness(bytecode)
        futures = Futures(bytecode)
        interchange = Interchange(bytecode)
        var slots = [Int](repeating: 0, count: bytecode.codeCount)
        var isFunction = [Bool](repeating: false, count: bytecode.codeCount)
        for body in 0..<bytecode.program.functions.count + 1 + bytecode.program.threads.count {
            for place in bytecode.codeRange(of: body) {
                slots[place] = bytecode.bodies[body].slots
                isFunction[place] = body < bytecode.program.functions.count
            }
        }
        self.slots = OwnedBuffer(slots)
        self.isFunction = OwnedBuffer(isFunction)
        mutexes = OwnedBuffer(bytecode.mutexesOfConditions)
        locks = bytecode.objects.indices.filter {
            bytecode.objects[$0].kind.isMutex || bytecode.objects[$0].kind.isReadWriteLock
        }.map { $0 + 1 }
    }
}

extension Bytecode {
    fileprivate var mutexesOfConditions: [UInt32] {
        var mutexes = [UInt32](repeating: 0, count: objects.count + 1)
        for place in 0..<codeCount where code[place].opcode == .operate {
            let form = forms[Int(code[place].b)]
            guard form.kind == .wait else { continue }
            if form.hasObjectOnStack && form.arguments == .twoValues {
                for (index, condition) in form.elements.numbers.enumerated() {
                    mutexes[condition] = UInt32(form.fixed + index)
                }
            } else {
                let conditions =
                    form.hasObjectOnStack ? form.elements.numbers : Int(code[place].a)..<Int(code[place].a) + 1
                for condition in conditions { mutexes[condition] = UInt32(form.fixed) }
            }
        }
        return mutexes
    }
}
