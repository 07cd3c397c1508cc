import Trace

/// The *sights* of threads: reads of an atomic that see a write of another thread but are not ordered after it, because
/// the write does not release or the read does not acquire. If the two threads race, such a read may be the reason.
struct WeakSights {
    /// A thread has read what another thread wrote.
    struct Sight {
        var object: ObjectID
        var write: Event
        var read: Event
        /// The write's number in the run, from 1.
        var number: Int

        /// The memory orders of the write and the read, in words.
        var orders: String {
            write.order == read.order
                ? write.order.word : "weak (\(write.order.word) and \(read.order.word))"
        }
    }

    // Under a weaker memory model: the step of each event, and the writes of atomics by number, from 0.
    private var weakSteps = WeakSteps()
    private var weakWrites: [Int: Event] = [:]
    /// Of each atomic: the last store and the updates since then, with their numbers from 1, of each thread the last.
    /// A thread that reads the value could be ordered after all of them (C++20: a release sequence). Used under sequential
    /// consistency.
    private var writes = PerObject<[(event: Event, number: Int)]>([])
    private var sights = PerThread<[Sight]>([])
    /// The maximum number of sights of a thread. The last ones explain a race.
    private static let most = 16

    mutating func consume(_ event: Event, number: Int) {
        weakSteps.consume(event)
        guard event.kind.isOfAtomic else { return }
        if let step = weakSteps.step { return consume(event, step, number: number) }
        if event.kind != .atomicStore {
            for write in writes[event.object] where write.event.thread.index != event.thread.index {
                note(Sight(object: event.object, write: write.event, read: event, number: write.number))
            }
        }
        guard event.kind.effect.isWrite else { return }
        if event.kind == .atomicStore {
            writes[event.object].removeAll(keepingCapacity: true)
        } else {
            writes[event.object].removeAll { $0.event.thread.index == event.thread.index }
            if writes[event.object].count == Self.most { writes[event.object].removeFirst() }
        }
        writes[event.object].append((event, number))
    }

    /// Under a weaker memory model, a read need not see the last write: the step says which one it sees.
    private mutating func consume(_ event: Event, _ step: WeakStep, number: Int) {
        if let source = step.source, let write = weakWrites[source], write.thread.index != event.thread.index {
            note(Sight(object: event.object, write: write, read: event, number: source + 1))
        }
        if event.kind.effect.isWrite { weakWrites[number - 1] = event }
    }

    /// Keeps the sight, unless its orders synchronize, in place of an earlier one of the same atomic and writer.
    private mutating func note(_ sight: Sight) {
        if sight.write.order.releases && sight.read.order.acquires { return }
        let thread = sight.read.thread
        sights[thread].removeAll {
            $0.object.index == sight.object.index && $0.write.thread.index == sight.write.thread.index
        }
        if sights[thread].count == Self.most { sights[thread].removeFirst() }
        sights[thread].append(sight)
    }

    /// The thread's last sight of a write that the other thread made after the event with this number, or by it.
    func last(of thread: ThreadID, writtenBy other: ThreadID, after number: Int) -> Sight? {
        sights[thread].last { $0.write.thread.index == other.index && $0.number >= number }
    }
}
