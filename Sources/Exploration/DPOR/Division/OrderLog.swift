import Machine
import Trace

/// The changes of objects in random walks, in their order.
struct OrderLog {
    private struct Entry {
        let track: Int32
        let number: Int32
        let position: Int32
    }

    /// Where walks have a step.
    private struct Place {
        /// In the first walk: the sum of the other threads' steps on the object that came before.
        let others: UInt64
        /// Whether it was another one in some walk.
        var varies = false
    }

    private var walks: [[Entry]] = []
    private var present: [Entry] = []
    /// By track, by number of the step.
    private var places: [[Place]] = []

    /// The number of a thread's steps on an object that are considered, and the number of all.
    private static let mostOfEach = 24
    private static let most = 2048

    mutating func begin() { present = [] }

    mutating func note(_ track: Int, _ number: Int, at position: Int32) {
        present.append(Entry(track: Int32(track), number: Int32(number), position: position))
    }

    /// The walk that just ended counts.
    mutating func keep(_ tracks: OrderTracks) {
        while places.count < tracks.all.count { places.append([]) }
        var ofTrack = [UInt64](repeating: 0, count: tracks.all.count)
        var ofObject = [UInt64](repeating: 0, count: tracks.objects.count)
        for entry in present {
            let (track, number) = (Int(entry.track), Int(entry.number))
            let object = tracks.all[track].object
            note(track, number, after: ofObject[object] &- ofTrack[track])
            let word = SplitMix64.mixed(UInt64(track) << 32 | UInt64(number + 1))
            ofTrack[track] &+= word
            ofObject[object] &+= word
        }
        walks.append(present)
    }

    private mutating func note(_ track: Int, _ number: Int, after others: UInt64) {
        if number == places[track].count {
            places[track].append(Place(others: others))
        } else if places[track][number].others != others {
            places[track][number].varies = true
        }
    }

    /// Of the steps that some walks have before, and others after a step of another thread. A program may begin with thousands that only
    /// one thread can take: no order divides its executions by them.
    func table(_ tracks: OrderTracks) -> OrderTable {
        var table = OrderTable()
        var numbers = places.map { Array(repeating: Self.none, count: $0.count) }
        var counts = Array(repeating: 0, count: places.count)
        for walk in walks {
            var row = Array(repeating: Int32(-1), count: table.steps.count)
            for entry in walk {
                let (track, number) = (Int(entry.track), Int(entry.number))
                if numbers[track][number] == Self.none {
                    guard counts[track] < Self.mostOfEach, table.steps.count < Self.most,
                        places[track][number].varies, tracks.objects[tracks.all[track].object].isFit
                    else { continue }
                    counts[track] += 1
                    numbers[track][number] = table.steps.count
                    table.steps.append(tracks.step(track, number))
                    row.append(-1)
                }
                row[numbers[track][number]] = entry.position
            }
            table.walks.append(row)
        }
        return table
    }

    private static let none = -1
}

/// In which order some walks have come to steps of different threads.
struct OrderTable {
    fileprivate(set) var steps: [OrderedStep] = []
    /// By walk: where each step came in it, by the number of the step; −1: nowhere. Steps with greater numbers came nowhere.
    fileprivate(set) var walks: [[Int32]] = []
}

extension OrderTracks {
    fileprivate func step(_ track: Int, _ number: Int) -> OrderedStep {
        OrderedStep(thread: all[track].thread, object: objects[all[track].object].identity, number: number)
    }
}
