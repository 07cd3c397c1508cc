import LabSyntax

@testable import Judging

/// The task that most tests are about, and changes of its text.
enum Submissions {
    static let task = """
        scenario "two at once"
        parameter n = 2
        given shared count = 0
        given atomic there = 0
        given func enter() { there.add(1) }
        given func leave() { there.add(-1) }
        given func add() { count += 1 }
        mutex m
        shared log = [], total = 0
        thread adder[n] {
            enter()
            leave()
            lock m { add() }
        }
        thread parent {
            spawn child
            join child
        }
        thread child { note "here" }
        finally { assert max(count, total) == n }
        expect completes
        expect possible there == 2
        task {
            at most 1 mutex
            at most 32 lines
            no tryLock
            each adder calls add
        }

        """

    /// The task with another text in the place of one of its own.
    static func with(_ old: String, _ new: String, task: String = task) -> String {
        precondition(task.contains(old), "the task has no '\(old)'")
        return task.replacing(old, with: new)
    }

    static func read(_ text: String, against task: String = task) throws -> JudgedProgram.Reading {
        let task = try LabTask(SourceText(name: "task.lab", task))
        return JudgedProgram.read(SourceText(name: "answer.lab", text), against: task)
    }
}
