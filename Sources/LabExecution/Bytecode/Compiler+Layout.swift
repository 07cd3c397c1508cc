import LabProgram
import LabSyntax
import Machine
import Recipes
import Trace

/// Lays out a run: makes the lists of its objects and threads, and gives lists and built objects their shared words.
extension Compiler {
    /// Threads that exist from the start are identified by their numbers. Each other thread has a seat, an object that
    /// identifies the thread once it has been started.
    mutating func layOutThreads() {
        var started = 0
        for (number, thread) in program.threads.enumerated() {
            firstThread.append(threads.count)
            firstStarted.append(started + 1)
            if thread.startsByItself { started += configuration.threadCounts[number] }
            for index in 0..<configuration.threadCounts[number] {
                threads.append(
                    CompiledThread(
                        name: thread.count == nil ? thread.name : "\(thread.name)[\(index)]", index: index,
                        body: program.functions.count + 1 + number, line: thread.site.line))
            }
        }
    }

    /// Adds the seats after the objects that the program declares.
    private mutating func layOutSeats() {
        for (number, thread) in program.threads.enumerated() {
            firstSeat.append(objects.count + 1)
            if thread.startsByItself { continue }
            for index in 0..<configuration.threadCounts[number] {
                let place = firstThread[number] + index
                threads[place].seat = UInt32(objects.count + 1)
                objects.append(
                    CompiledObject(
                        kind: .seat, shown: .part, name: "\(threads[place].name)'s seat", value: 0,
                        line: thread.site.line))
            }
        }
    }

    /// Adds the objects that the program declares, the parts of built ones, and the seats.
    mutating func layOutObjects() {
        for number in program.objects.indices {
            firstObject.append(objects.count + 1)
            let object = program.objects[number]
            for element in 0..<configuration.elementCounts[number] {
                let initial = configuration.initialValues[number]
                add(object, name(of: object, element), value: element < initial.count ? initial[element] : 0)
                if case .list = object.kind { addList(initial) }
            }
        }
        for number in program.objects.indices { addParts(of: number) }
        layOutSeats()
    }

    private mutating func add(_ object: Program.Object, _ name: String, value: Int) {
        let (kind, shown, value): (ObjectState.Kind, ObjectKind, Int) =
            switch object.kind {
            case .cell(let type): (.cell, type == .boolean ? .booleanCell : .cell, value)
            case .atomic(let type): (.atomic, type == .boolean ? .booleanAtomic : .atomic, value)
            case .list: (.cell, .list, Int(Event.noNumber))  // traces show a list as a text
            case .mutex(.normal): (.normalMutex, .mutex, 0)
            case .mutex(.checking): (.errorCheckingMutex, .errorCheckingMutex, 0)
            case .mutex(.recursive): (.recursiveMutex, .recursiveMutex, 0)
            case .readWriteLock(let writersFirst):
                (writersFirst ? .writersFirstLock : .readersFirstLock, .readWriteLock, 0)
            case .semaphore: (.semaphore, .semaphore, value)
            case .condition: (.condition, .condition, 0)
            // The lock of a built object.
            case .built: (.normalMutex, .part, 0)
            }
        var name = name
        if case .built(let recipe) = object.kind { name = recipe.partNames(name).lock }
        objects.append(CompiledObject(kind: kind, shown: shown, name: name, value: value, line: object.site.line))
    }

    private mutating func addList(_ values: [Int]) {
        listStart[objects.count] = sharedWords.count
        sharedWords.append(values.count)
        sharedWords += values + Array(repeating: 0, count: Bytecode.listCapacity - values.count)
    }

    /// Adds the conditions and the words of a built object's elements. Their locks are the declared objects themselves.
    /// In reports the first condition stands for the whole element, so it is the owner of the lock.
    private mutating func addParts(of number: Int) {
        let object = program.objects[number]
        guard case .built(let recipe) = object.kind else { return }
        let elements = configuration.elementCounts[number]
        builtWords[number] = sharedWords.count
        sharedWords += Array(repeating: 0, count: elements * recipe.wordCount)
        for condition in 0..<recipe.conditionCount {
            builtConditions[number, default: []].append(objects.count + 1)
            for element in 0..<elements {
                let name = recipe.partNames(self.name(of: object, element)).conditions[condition]
                objects.append(
                    CompiledObject(kind: .condition, shown: .part, name: name, value: 0, line: object.site.line))
                if condition == 0 { objects[firstObject[number] + element - 1].owner = objects.count }
            }
        }
    }

    private func name(of object: Program.Object, _ element: Int) -> String {
        object.count == nil ? object.name : "\(object.name)[\(element)]"
    }
}
