import Trace

/// A random program in C, of threads that hand words on to each other by atomic operations on static words that nothing has written before. How it
/// ends follows from how it was made.
///
/// Its steps have an order, which is that of the program in each thread. A step waits until all earlier steps on its word are done, and makes the
/// word one more. So every execution ends, with as many in each word as it has steps. Without one of the steps, those that come later on its word
/// wait forever.
struct HandoverProgram {
    private struct Step {
        let thread: Int
        let word: Int
        let form: Form
    }

    private enum Form: CaseIterable {
        case strong, weak, politely, add, exchange, store, lookFirst
    }

    private let name: String
    private let threads: Int
    private let steps: [Step]
    /// What each thread adds to a word, and exchanges with another, at any moment.
    private let extras: [Bool]
    /// The step that is left out. Nil: none.
    private let missing: Int?

    let ends: Bool

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        name = "p\(seed)"
        threads = random.below(3) == 0 ? 3 : 2
        let words = 1 + random.below(2)
        var steps: [Step] = []
        for _ in 0..<(threads == 3 ? 3 : 3 + random.below(2)) {
            steps.append(
                Step(
                    thread: random.below(threads), word: random.below(words),
                    form: Form.allCases[random.below(Form.allCases.count)]))
        }
        self.steps = steps
        extras = (0..<threads).map { _ in random.below(3) == 0 }
        // One that others wait for, in another thread or their own.
        let awaited = steps.indices.filter { number in steps[(number + 1)...].contains { $0.word == steps[number].word }
        }
        missing = random.below(4) == 0 && !awaited.isEmpty ? awaited[random.below(awaited.count)] : nil
        ends = missing == nil
    }

    /// Its variables and functions; `NAME_run` runs it, and returns 0 if all is as it should be.
    var text: String {
        let words = Set(steps.map(\.word)).sorted()
        var text = words.map { "static atomic_int \(name)_w\($0);\n" }.joined()
        text += "static atomic_int \(name)_sum, \(name)_last;\nstatic int \(name)_found[\(threads)];\n"
        for thread in 0..<threads {
            text += "static void *\(name)_t\(thread)(void *unused) {\n    int found;\n    (void)found;\n"
            if extras[thread] { text += "    atomic_fetch_add(&\(name)_sum, \(thread + 1));\n" }
            for (number, step) in steps.enumerated() where step.thread == thread && number != missing {
                text += body(of: step, after: steps[..<number].count { $0.word == step.word })
            }
            if extras[thread] {
                text += "    \(name)_found[\(thread)] = atomic_exchange(&\(name)_last, \(thread + 1));\n"
            }
            text += "    return unused;\n}\n"
        }
        return text + run
    }

    private func body(of step: Step, after count: Int) -> String {
        let word = "&\(name)_w\(step.word)"
        let wait = "    while (atomic_load(\(word)) != \(count)) {}\n"
        func attempt(_ strength: String, _ otherwise: String) -> String {
            """
                found = \(count);
                while (!atomic_compare_exchange_\(strength)(\(word), &found, \(count + 1))) {
                    found = \(count);\(otherwise)
                }

            """
        }
        return switch step.form {
        case .strong: attempt("strong", "")
        case .weak: attempt("weak", "")
        case .politely: attempt("strong", "\n        sched_yield();")
        case .lookFirst: wait + attempt("weak", "")
        case .add: wait + "    atomic_fetch_add(\(word), 1);\n"
        case .exchange: wait + "    if (atomic_exchange(\(word), \(count + 1)) != \(count)) abort();\n"
        case .store: wait + "    atomic_store(\(word), \(count + 1));\n"
        }
    }

    private var run: String {
        var text = "static int \(name)_run(void) {\n    pthread_t threads[\(threads)];\n"
        for thread in 0..<threads {
            text += "    pthread_create(&threads[\(thread)], NULL, \(name)_t\(thread), NULL);\n"
        }
        text += "    for (int i = 0; i < \(threads); i++) pthread_join(threads[i], NULL);\n"
        for word in Set(steps.map(\.word)).sorted() {
            text += "    if (\(name)_w\(word) != \(steps.count { $0.word == word })) return 1;\n"
        }
        // Each value that was stored was found by the next exchange, or is left.
        let total = extras.indices.filter { extras[$0] }.reduce(0) { $0 + $1 + 1 }
        text += "    if (\(name)_sum != \(total)) return 1;\n    int sum = \(name)_last;\n"
        text += "    for (int i = 0; i < \(threads); i++) sum += \(name)_found[i];\n    return sum != \(total);\n}\n"
        return text
    }

    /// One program of several: its first argument is the seed of the one that runs.
    static func text(of seeds: [UInt64]) -> String {
        let programs = seeds.map { HandoverProgram(seed: $0).text }.joined(separator: "\n")
        let calls = seeds.map { "    if (seed == \($0)) return p\($0)_run();\n" }.joined()
        return """
            #include <pthread.h>
            #include <sched.h>
            #include <stdatomic.h>
            #include <stdlib.h>

            \(programs)
            int main(int count, char **words) {
                unsigned long seed = count > 1 ? strtoul(words[1], NULL, 10) : 0;
            \(calls)    return 2;
            }

            """
    }
}

extension SplitMix64 {
    fileprivate mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}
