import Machine
import Trace

/// The order in which threads change objects in random walks. `Division` looks there for steps whose order divides a
/// search.
struct OrderLog {
    /// A step of a walk: the track of its thread and object (`OrderTracks`), its number in the track, and its position
    /// in the walk.
    private struct Entry {
        let track: Int32
        let number: Int32
        let position: Int32
    }

    /// What comes before a step in the walks, to see whether that is always the same.
    private struct Place {
        /// A hash of the other threads' earlier steps on the object, in the first walk that took the step.
        let others: UInt64
        /// Whether the hash was different in some later walk.
        var varies = false
    }

    private var walks: [[Entry]] = []
    /// The steps of the walk that is being run.
    private var present: [Entry] = []
    /// By track and by the number of the step in it.
    private var places: [[Place]] = []

    /// Limits of the steps that are considered: of one thread on one object (one track), and in total.
    private static let mostOfTrack = 24
    private static let mostSteps = 2048

    /// Begins a walk.
    mutating func begin() { present = [] }

    /// Adds a step to the walk that is being run.
    mutating func note(_ track: Int, _ number: Int, at position: Int32) {
        present.append(Entry(track: Int32(track), number: Int32(number), position: position))
    }

    /// Adds the walk that just ended.
    mutating func keep(_ tracks: OrderTracks) {
        while places.count < tracks.all.count { places.append([]) }
        // Sums of the hashes of the steps so far, so that a difference leaves out those of one track.
        var ofTrack = [UInt64](repeating: 0, count: tracks.all.count)
        var ofObject = [UInt64](repeating: 0, count: tracks.objects.count)
        for entry in present {
            let (track, number) = (Int(entry.track), Int(entry.number))
            let object = tracks.all[track].object
            compare(track, number, after: ofObject[object] &- ofTrack[track])
            let hash = SplitMix64.mixed(UInt64(track) << 32 | UInt64(number + 1))
            ofTrack[track] &+= hash
            ofObject[object] &+= hash
        }
        walks.append(present)
    }

    /// Compares what comes before the step in this walk with what came before it in the first walk that took it.
    private mutating func compare(_ track: Int, _ number: Int, after others: UInt64) {
        if number == places[track].count {
            places[track].append(Place(others: others))
        } else if places[track][number].others != others {
            places[track][number].varies = true
        }
    }

    /// The table of the steps whose order relative to steps of other threads varies between walks. Others are left out:
    /// a program may begin with thousands of steps that only one thread can take, and no order of those divides its
    /// executions.
    func table(_ tracks: OrderTracks) -> OrderTable {
        var table = OrderTable()
        var numbers = places.map { Array(repeating: Self.none, count: $0.count) }
        var counts = Array(repeating: 0, count: places.count)
        for walk in walks {
            var row = Array(repeating: Int32(-1), count: table.steps.count)
            for entry in walk {
                let (track, number) = (Int(entry.track), Int(entry.number))
                if numbers[track][number] == Self.none {
                    guard counts[track] < Self.mostOfTrack, table.steps.count < Self.mostSteps,
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

    /// The number of a step that has none in the table yet.
    private static let none = -1
}

/// The order in which some walks took the steps of different threads.
struct OrderTable {
    fileprivate(set) var steps: [OrderedStep] = []
    /// By walk: the position of each step, by the number of the step; −1, or past the end: the walk did not take it.
    fileprivate(set) var walks: [[Int32]] = []
}

extension OrderTracks {
    fileprivate func step(_ track: Int, _ number: Int) -> OrderedStep {
        OrderedStep(thread: all[track].thread, object: objects[all[track].object].identity, number: number)
    }
}
