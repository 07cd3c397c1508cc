import Authoring
import Scenarios
import Testing
import Trace

/// A variant of a built-in scenario that the scheduler can run, as what follows the name of a command.
///
/// The variants are those of the catalogue. The tables have only what is searched with other parameters than the default
/// ones.
struct VariantCall: CustomTestStringConvertible, Sendable {
    /// `deadlock --variant ring --pause 0`
    let words: String
    /// What a broken variant must end in.
    let outcome: OutcomeKind?

    var testDescription: String { words }

    /// Those with a failing run, in the order of the catalogue, with parameters that keep the search short.
    static let broken = all.filter { $0.outcome != nil }

    /// Those without, in the order of the catalogue. With their default parameters all are searched by `check` as well.
    static let fixed = all.filter { $0.outcome == nil }

    private static let all = Catalogue.builtIn.filter { $0.realThreadsOnly == nil }.flatMap { calls(of: $0) }

    private static func calls<S: Scenario>(of scenario: S.Type) -> [VariantCall] {
        S.Variant.allCases.flatMap { variant in
            let name = "\(S.name) --variant \(variant.argument)"
            let outcome = outcomes[name] ?? variant.expectation.findings.first
            return (parameters[name] ?? [""]).map { own in
                VariantCall(words: own.isEmpty ? name : "\(name) \(own)", outcome: outcome)
            }
        }
    }

    /// Of a variant with several: the one whose shortest schedule is kept, if that is not the first.
    private static let outcomes: [String: OutcomeKind] = ["producer-consumer --variant no-lock": .assertion]

    /// A fixed variant may be searched with several sizes.
    private static let parameters = [
        "thread-dictionary --variant separate": ["--rounds 4"],
        "priority-inversion --variant plain": ["--pieces 1 --work 2"],
        "priority-inversion --variant inheritance": ["--pieces 1 --work 2", "--pieces 2 --work 2 --pause 0"],
        "priority-inversion --variant ceiling": ["--pieces 1 --work 2", "--pieces 2 --work 2 --pause 0"],
        "shutdown --variant joinable": ["--records 1", "--records 2"],
        "shutdown --variant main-exits": ["", "--records 1"],
        "cancellation --variant dictionary": [
            "--request-after 0 --chunks 2", "--request-after 0 --chunks 2 --chunk 0",
        ],
        "cancellation --variant atomic-flag": [
            "--request-after 0 --chunks 2 --chunk 0", "--request-after 0 --chunks 3 --chunk 0",
        ],
        "kill-or-cancel --variant asked": ["", "--pause 0"],
        "perform --variant no-loop": ["--calls 1"],
        "perform --variant empty-loop": ["--calls 1"],
        "perform --variant each-other": ["--calls 1"],
        "perform --variant running": ["", "--calls 1"],
        "perform --variant later": ["", "--calls 1"],
        "perform --variant cancelled": ["", "--calls 1"],
        "command-source --variant no-signal": ["--commands 1"],
        "command-source --variant no-wake": ["--commands 1"],
        "command-source --variant cancel-waits": ["--commands 1"],
        "command-source --variant complete": ["", "--commands 1"],
        "command-source --variant cancel-heard": ["--commands 1"],
        "port-check-in --variant check-in": ["", "--commands 2"],
        "port-check-in --variant gone": ["", "--commands 2"],
        "producer-consumer --variant conditions": ["", "--producers 2 --items 1"],
        "producer-consumer --variant semaphores": ["", "--producers 2"],
        "producer-consumer --variant condition-lock": ["", "--consumers 1"],
        "producer-consumer --variant two-condition-locks": ["", "--consumers 1"],
        "producer-consumer --variant queue": ["", "--producers 2 --items 1"],
        "deadlock --variant ordered": ["", "--pause 0"],
        "deadlock --variant try-lock": ["--attempts 1"],
        "deadlock --variant change-sides": ["--attempts 1"],
        "deadlock --variant try-lock-jitter": ["", "--attempts 1", "--attempts 2"],
        "deadlock --variant philosophers-ordered": ["--pause 0", "--threads 4 --pause 0"],
        "from-container --variant retained": ["", "--pause 0"],
        "from-container --variant autoreleased": ["", "--pause 0"],
        "atomic-property --variant captured": ["", "--pause 0"],
        "atomic-property --variant snapshot": ["", "--pause 0"],
        "queue-inversion --variant lock": ["--pieces 1 --work 2"],
        "queue-inversion --variant target": ["", "--pieces 1 --work 2"],
    ]
}
