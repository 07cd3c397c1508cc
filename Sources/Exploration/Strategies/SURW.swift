import Machine
import Trace

/// Selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: Selectively uniform concurrency testing, ASPLOS
/// 2025).
///
/// For each execution it selects one shared object, with a probability proportional to the number of steps on it, and
/// draws uniformly among the orders of the steps on that object alone. Random priorities decide where the other steps
/// come. Few steps have few orders, so each order is seen soon, however long the threads are.
///
/// As in the paper, one thread is *intended*, drawn with a probability proportional to its remaining steps on the
/// object, before it reaches the next of them. Other threads continue until their next step on the object, and are held
/// there until the intended thread has taken its own. If the intended thread does not come to that step (it waits,
/// yields or has ended, or very many other steps have been taken), another thread is drawn.
///
/// How often objects are used is measured in some of the executions (`Profile`). If no object is shared, all steps are
/// selected, as in `URW`. Objects are identified by their numbers. If threads make objects, a number can mean a
/// different object in another execution, and the selection fits less well.
package final class SURW: Strategy {
    private struct Progress {
        /// The thread's node in the profile. −1: none.
        var node = -1
        /// The expected number of its remaining steps on the selected object, with those of threads that it will start.
        var stepsLeft = 0
        /// The number of threads that it has started.
        var childCount = 0
        var priority: UInt64 = 0
        /// The turn in which the thread is held. −1: none.
        var heldTurn = -1
    }

    /// What changes at every step. Behind a pointer, because a class's variables would be checked for exclusive access.
    private struct Present {
        var generator: SplitMix64
        var threadCount = 0
        /// The selected object. 0: all steps are selected.
        var object: UInt32 = 0
        /// The intended thread. Nil: it is drawn when a thread reaches a step on the object.
        var intended: UInt16?
        /// The number of the turn. A turn ends with a step on the object, or when the intended thread's step is given
        /// up. A thread is held until the turn ends.
        var turn = 0
        /// The number of steps of all threads in this turn.
        var stepsInTurn = 0
    }

    private let seed: UInt64
    private let profile: Profile
    private var number = 0
    /// By thread.
    private let progress = UnsafeMutablePointer<Progress>.allocate(capacity: MachineState.maximumThreads)
    private let present = UnsafeMutablePointer<Present>.allocate(capacity: 1)
    /// By node of the profile's tree: the number of selected steps of its thread and all descendants.
    private var familySteps: [Int] = []

    /// A turn with more steps is ended, because some thread may be waiting in a loop for a thread that is held.
    private static let mostStepsInTurn = 1000

    package init(seed: UInt64) {
        self.seed = seed
        profile = Profile(seed: seed)
        present.initialize(to: Present(generator: SplitMix64(seed: seed)))
    }

    deinit {
        progress.deallocate()
        present.deallocate()
    }

    package func prepare(_ number: Int) -> Bool {
        self.number = number
        present.pointee = Present(generator: SplitMix64(seed: seed, execution: number))
        return true
    }

    package func execute(_ subject: any Subject) -> Verdict { profile.execute(number, of: subject, by: self) }

    package func begin() {
        present.pointee.threadCount = 0
        endTurn()
        if let shared = profile.sharedObject(&present.pointee.generator) {
            present.pointee.object = shared.object
            familySteps = shared.familySteps
        } else {
            present.pointee.object = 0
            familySteps = profile.familySteps
        }
    }

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        while present.pointee.threadCount < state.threadCount {
            addThread(startedBy: ThreadTree.starter(last, known: present.pointee.threadCount))
            present.pointee.threadCount += 1
        }
        let chosen = enabled.count == 1 ? enabled[0] : pick(enabled, state)
        take(chosen, state)
        return chosen
    }

    /// Accounts for the step that the thread is about to take.
    private func take(_ thread: UInt16, _ state: MachineState) {
        progress[Int(thread)].priority = present.pointee.generator.next()
        present.pointee.stepsInTurn += 1
        if isSelected(thread, state) {
            progress[Int(thread)].stepsLeft -= 1
            endTurn()
        } else if present.pointee.stepsInTurn > Self.mostStepsInTurn || isGivingWay(thread, state) {
            endTurn()
        }
    }

    /// Whether the thread is the intended one, and yields.
    private func isGivingWay(_ thread: UInt16, _ state: MachineState) -> Bool {
        thread == present.pointee.intended && state.operation(of: Int(thread)).kind == .yield
    }

    private func endTurn() {
        present.pointee.intended = nil
        present.pointee.turn += 1
        present.pointee.stepsInTurn = 0
    }

    // MARK: - Choosing

    /// Whether the thread's next step is on the object.
    @inline(__always) private func isSelected(_ thread: UInt16, _ state: MachineState) -> Bool {
        let operation = state.operation(of: Int(thread))
        if operation.object == present.pointee.object || present.pointee.object == 0 { return true }
        return operation.kind == .wait && operation.a == Int(present.pointee.object)
    }

    /// The thread with the highest priority that need not be held.
    private func pick(_ enabled: UnsafeBufferPointer<UInt16>, _ state: MachineState) -> UInt16 {
        while true {
            guard let thread = highest(of: enabled) else {
                endTurn()
                continue
            }
            if !isSelected(thread, state) { return thread }
            if present.pointee.intended == nil { present.pointee.intended = draw(enabled, state) }
            if thread == present.pointee.intended { return thread }
            progress[Int(thread)].heldTurn = present.pointee.turn
        }
    }

    /// The thread with the highest priority among those that are not held. Nil: all are held.
    @inline(__always) private func highest(of enabled: UnsafeBufferPointer<UInt16>) -> UInt16? {
        var highest: UInt16?
        for thread in enabled where progress[Int(thread)].heldTurn != present.pointee.turn {
            if let other = highest, progress[Int(other)].priority >= progress[Int(thread)].priority { continue }
            highest = thread
        }
        return highest
    }

    /// Draws the intended thread. Called when no thread is held and one is about to take a step on the object.
    private func draw(_ enabled: UnsafeBufferPointer<UInt16>, _ state: MachineState) -> UInt16 {
        var total = 0
        for thread in enabled { total += weight(of: thread, state) }
        var rest = present.pointee.generator.next(below: total)
        for thread in enabled {
            rest -= weight(of: thread, state)
            if rest < 0 { return thread }
        }
        return enabled[enabled.count - 1]
    }

    /// The thread's weight in the draw: its expected remaining steps, but at least 1 if it is about to take one of
    /// them.
    @inline(__always) private func weight(of thread: UInt16, _ state: MachineState) -> Int {
        max(isSelected(thread, state) ? 1 : 0, progress[Int(thread)].stepsLeft)
    }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        present.pointee.generator.next(below: count)
    }

    // MARK: - Threads

    private func addThread(startedBy parent: Int) {
        progress[present.pointee.threadCount] = Progress(priority: present.pointee.generator.next())
        guard present.pointee.threadCount > 0 else { return setNode(ThreadTree.main, of: 0) }
        let number = progress[parent].childCount
        progress[parent].childCount += 1
        let node = progress[parent].node
        guard node >= 0, let child = profile.tree.child(number, of: node) else { return }
        setNode(child, of: present.pointee.threadCount)
        inherit(familySteps[child], from: parent)
    }

    /// Moves a part of the parent's expected steps to its new child. If the parent is the intended thread, the child
    /// takes its place with a probability proportional to that part.
    private func inherit(_ share: Int, from parent: Int) {
        let before = progress[parent].stepsLeft
        progress[parent].stepsLeft -= share
        guard let thread = present.pointee.intended, thread == parent, before > 0 else { return }
        if present.pointee.generator.next(below: before) < share {
            present.pointee.intended = UInt16(present.pointee.threadCount)
        }
    }

    private func setNode(_ node: Int, of thread: Int) {
        progress[thread].node = node
        progress[thread].stepsLeft = familySteps[node]
    }
}
