import Machine

/// Random walks, one after the other, each with a seed of its own.
final class RandomSeries: Strategy {
    private let seed: UInt64
    private var walk: RandomWalk

    init(seed: UInt64) {
        self.seed = seed
        walk = RandomWalk(seed: seed)
    }

    func prepare(_ number: Int) -> Bool {
        walk = RandomWalk(seed: seed &+ UInt64(number))
        return true
    }

    func begin() {}

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        walk.chooseThread(enabled, last: last, state: state)
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        walk.chooseAlternative(count, of: thread, state: state)
    }
}
