import LabExecution
import Machine

/// An engine whose steps are counted as they are taken.
final class CountedSubject: RevisitableSubject {
    /// Counts steps. It cannot go back: steps that were taken stay counted.
    final class Count: Observer {
        private(set) var count = 0

        func begin() {}
        func willTake(_ step: NextStep) { count += 1 }
        var canGoBack: Bool { true }
        func keep(_ number: Int) {}
        func goBack(to number: Int) {}
    }

    let steps = Count()
    private let engine: Engine

    init(_ engine: Engine) {
        self.engine = engine
        engine.observers = [steps]
    }

    var observers: [any Observer] {
        get { engine.observers }
        set { engine.observers = newValue + [steps] }
    }

    func execute(_ chooser: any Chooser) -> Verdict { engine.execute(chooser) }
    func keepState(_ number: Int) { engine.keepState(number) }
    func execute(fromState number: Int, _ chooser: any Chooser) -> Verdict {
        engine.execute(fromState: number, chooser)
    }

    var schedule: Schedule { engine.schedule }
    var stepCount: Int { engine.stepCount }
    var restoredSteps: Int { engine.restoredSteps }
    var place: Int { engine.place }
    var futureHash: UInt64? { engine.futureHash }
    var machine: MachineState { engine.machine }
}
