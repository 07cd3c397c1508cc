import Diagnosis
import Trace
import Views

/// The state of a run before the first step on its page, and what each step changes in it, as numbers (see `PageData`).
///
/// Comparing every thread after every event would take most of the time of making a page. So only what an event can
/// change is compared: its own thread and object, those in its value, and threads that wait for one of these.
struct PageChanges {
    private let model: RunModel
    private let writer: PageStates
    /// The objects that are part of a state.
    let objects: [ObjectID]
    private let places: [ObjectID: Int]
    /// The row of the initial state.
    private let start: [Int]
    /// By step: the indices in a state's row at which numbers change, each followed by its new number.
    private let changes: [[Int]]
    private let tables: PageStates.Tables
    /// The number of steps on the page.
    var count: Int { changes.count }
    /// Whether later steps are not on the page, because the words of all states would need too much memory.
    let isCut: Bool

    /// The limit of the words of all states, in bytes.
    private static let mostWords = 1 << 26
    /// The number of numbers for each thread in a row.
    fileprivate static let numbersOfThread = 3

    /// - Parameters:
    ///   - steps: the numbers of the events that are steps on the page.
    ///   - begin: the number of events before the initial state.
    init(_ model: RunModel, steps: [Int], after begin: Int, _ cast: Cast) {
        self.model = model
        writer = PageStates(model, steps: steps, cast)
        objects = Self.objects(in: model.trace, steps, cast)
        places = Dictionary(uniqueKeysWithValues: objects.enumerated().map { ($0.element, $0.offset) })
        var pass = Pass(model, writer, objects, places, after: begin)
        start = pass.row
        var changes: [[Int]] = []
        changes.reserveCapacity(steps.count)
        for step in steps where pass.tables.size <= Self.mostWords { changes.append(pass.changes(to: step)) }
        self.changes = changes
        isCut = changes.count < steps.count
        tables = pass.tables
    }

    /// The objects that the steps use, by number. Meters are left out, because they only measure; so are objects inside
    /// built objects, unless the report shows these.
    static func objects(in trace: TraceDocument, _ steps: [Int], _ cast: Cast) -> [ObjectID] {
        var seen: Set<ObjectID> = []
        for index in steps {
            seen.insert(trace.events[index].object)
            if let other = trace.events[index].valueAsObject { seen.insert(other) }
        }
        return seen.filter { id in
            guard let object = trace.object(id) else { return false }
            return object.kind != .meter && (cast.showsInsides || !trace.isInside(id))
        }.sorted()
    }

    /// The object's number on the page.
    func place(of object: ObjectID) -> Int? { places[object] }

    func write(to json: inout JSONObject) {
        json.array("start", start)
        json.array("changes") { json in for change in changes { json.array(change) } }
        tables.write(to: &json)
    }
}

extension PageChanges {
    /// One pass over the events, which follows the state of the run.
    private struct Pass {
        private let model: RunModel
        private let writer: PageStates
        private let objects: [ObjectID]
        private let places: [ObjectID: Int]
        private var state: RunMoment
        /// The present state: three numbers for each thread, and then one for each object.
        private(set) var row: [Int]
        /// The index of the first object's number in the row.
        private let firstObject: Int
        private(set) var tables = PageStates.Tables()
        /// The objects for which each thread waits.
        private var waiting: [ThreadID: Set<ObjectID>] = [:]
        /// The thread for whose end each thread waits.
        private var joining: [ThreadID: ThreadID] = [:]

        init(
            _ model: RunModel, _ writer: PageStates, _ objects: [ObjectID], _ places: [ObjectID: Int], after begin: Int
        ) {
            self.model = model
            self.writer = writer
            self.objects = objects
            self.places = places
            state = model.state(after: begin)
            let firstObject = PageChanges.numbersOfThread * model.trace.threads.count
            self.firstObject = firstObject
            row = Array(repeating: 0, count: firstObject + objects.count)
            for thread in model.trace.threads.indices {
                set(writer.thread(ThreadID(thread), state, &tables), at: PageChanges.numbersOfThread * thread)
            }
            for (place, object) in objects.enumerated() {
                row[firstObject + place] = writer.object(object, state, &tables)
            }
            if begin > 0 { for thread in model.trace.threads.indices { note(ThreadID(thread)) } }
        }

        /// Sets a thread's three numbers, of which the first is at this index.
        private mutating func set(_ numbers: (Int, Int, Int), at index: Int) {
            (row[index], row[index + 1], row[index + 2]) = numbers
        }

        /// Applies the events up to this one.
        ///
        /// - Returns: the indices in the row at which numbers have changed, each followed by its new number.
        mutating func changes(to index: Int) -> [Int] {
            var threads: Set<ThreadID> = []
            var touched: Set<ObjectID> = []
            while state.position <= index {
                let event = model.trace.events[state.position]
                model.advance(&state)
                gather(event, &threads, &touched)
            }
            var changes: [Int] = []
            for thread in threads.sorted() where Int(thread.index) < model.trace.threads.count {
                look(at: thread, &changes)
            }
            for object in touched.sorted() {
                guard let place = places[object] else { continue }
                let index = firstObject + place
                let number = writer.object(object, state, &tables)
                if row[index] != number { changes += [index, number] }
                row[index] = number
            }
            return changes
        }

        /// Adds the threads and objects that the event can change. The event has been applied to `state`.
        private mutating func gather(_ event: Event, _ threads: inout Set<ThreadID>, _ touched: inout Set<ObjectID>) {
            // The event that ends the run can change all threads.
            if state.end == state.position {
                threads.formUnion(model.trace.threads.indices.map { ThreadID($0) })
                return
            }
            let other = event.valueAsThread
            threads.insert(event.thread)
            if let other { threads.insert(other) }
            touched.insert(event.object)
            if let object = event.valueAsObject { touched.insert(object) }
            // If the thread was waiting, it no longer is.
            if let awaited = waiting[event.thread] { touched.formUnion(awaited) }
            note(event.thread)
            for (thread, awaited) in waiting where !awaited.isDisjoint(with: touched) { threads.insert(thread) }
            for (thread, awaited) in joining where awaited == event.thread || awaited == other {
                threads.insert(thread)
            }
        }

        /// Notes what the thread waits for now.
        private mutating func note(_ thread: ThreadID) {
            waiting[thread] = nil
            joining[thread] = nil
            guard let wait = state.graph.wait(of: thread) else { return }
            switch wait.target {
            case .thread(let other): joining[thread] = other
            case .condition(let condition, let mutex): waiting[thread] = Set([condition] + [mutex].compactMap(\.self))
            default: waiting[thread] = Set([wait.object].compactMap(\.self))
            }
        }

        /// Updates the thread's three numbers, and adds those that have changed.
        private mutating func look(at thread: ThreadID, _ changes: inout [Int]) {
            let first = PageChanges.numbersOfThread * Int(thread.index)
            let old = row[first..<first + PageChanges.numbersOfThread]
            set(writer.thread(thread, state, &tables), at: first)
            for (index, number) in zip(first..., old) where row[index] != number { changes += [index, row[index]] }
        }
    }
}
