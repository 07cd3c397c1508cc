import Authoring
import Exploration
import Machine
import Primitives
import Support
import Testing
import Trace

@testable import Supervision

/// A run that is stepped, from where it has paused.
@Suite struct StepperTests {
    private static let waiting = Program {
        let mutex = Mutex("m")
        let changed = Condition("changed")
        let isReady = Shared("ready", false)
        let waiters = try (1...2).map { number in
            try Thread("waiter \(number)") {
                try mutex.lock()
                while try !isReady.read() { try changed.wait(with: mutex) }
                try mutex.unlock()
            }
        }
        try mutex.lock()
        try isReady.write(true)
        try changed.signal()
        try changed.signal()
        try mutex.unlock()
        for waiter in waiters { try waiter.join() }
    }

    /// Steps to the end, choosing the thread and the way that come first, or last.
    private static func choices(at moment: Moment, last: Bool) -> [Schedule.Choice] {
        if moment.isQuiet { return [.alternative(0)] }
        guard let thread = last ? moment.enabled.last : moment.enabled.first else { return [] }
        let ways = moment.threads[thread].ways
        return [.thread(UInt16(thread))] + (ways > 1 ? [.alternative(last ? ways - 1 : 0)] : [])
    }

    // Each in a process of its own: one that forks while other tests' threads hold locks leaves a child that may wait for
    // them forever.

    @Test(arguments: [false, true]) func `a step that continues is the same as one from the start`(last: Bool) async {
        await #expect(processExitsWith: .success) { [last] in
            let plan = RunPlan(StepperTests.waiting, .controlled(seed: 1))
            let stepper = Stepper(plan)
            var schedule = Schedule()
            var run = try stepper.step(StepPlan(schedule))
            var steps = 0
            while run.isPaused {
                let next = StepperTests.choices(at: run.moments[run.moments.count - 1], last: last)
                schedule = Schedule(schedule.choices + next)
                run = try stepper.step(StepPlan(schedule))
                let fresh = try Stepper(plan).step(StepPlan(schedule))
                #expect(run.trace.events == fresh.trace.events)
                #expect(run.trace.outcome == fresh.trace.outcome)
                #expect(run.schedule == fresh.schedule && run.isPaused == fresh.isPaused && run.misfit == nil)
                #expect(
                    (0..<run.moments.count).map { run.moments[$0] }
                        == (0..<fresh.moments.count).map { fresh.moments[$0] })
                steps += 1
            }
            #expect(steps > 10 && stepper.starts == 1)
            #expect(run.trace.outcome?.kind == .completed)
        }
    }

    @Test func `any other choice starts the program again, and then steps continue there`() async {
        await #expect(processExitsWith: .success) {
            let stepper = Stepper(RunPlan(StepperTests.waiting, .controlled(seed: 1)))
            func step(_ threads: [Int]) throws -> SteppedRun {
                try stepper.step(StepPlan(Schedule(threads.map { .thread(UInt16($0)) })))
            }
            _ = try step([])
            _ = try step([0])
            #expect(try step([0, 0]).moments.count == 3)
            #expect(stepper.starts == 1)
            #expect(try step([0, 1]).moments.count == 3)
            #expect(stepper.starts == 2)
            #expect(try step([0, 1, 1]).moments.count == 4)
            #expect(stepper.starts == 2)
            #expect(try step([0, 9]).misfit != nil)
            #expect(try step([0, 0]).isPaused)
            #expect(stepper.starts == 4)
        }
    }

    @Test func `a crash in a step that continues ends that run`() async {
        await #expect(processExitsWith: .success) {
            let stepper = Stepper(
                RunPlan(
                    Program {
                        let count = Shared("count", 0)
                        try count.write(1)
                        if try count.read() == 1 { fatalError("on purpose") }
                    }, .controlled(seed: 1)))
            var schedule = Schedule()
            var run = try stepper.step(StepPlan(schedule))
            while run.isPaused {
                schedule = Schedule(schedule.choices + [.thread(0)])
                run = try stepper.step(StepPlan(schedule))
            }
            #expect(run.trace.outcome?.kind == .crash && stepper.starts == 1)
            #expect(run.trace.events.contains { $0.kind == .cellRead })
            #expect(try stepper.step(StepPlan(Schedule([.thread(0)]))).isPaused)
        }
    }
}
