import Authoring
import Execution
import Machine
import Testing
import Trace

@Suite struct ProducerConsumerTests {
    @Test(
        arguments: ["conditions", "semaphores", "condition-lock", "two-condition-locks", "queue"], [1, 2, 5])
    func `every item is taken exactly once, however producers, consumers and capacity are chosen`(
        variant: String, capacity: Int
    ) throws {
        for producers in [1, 2, 4] {
            for consumers in [1, 3] {
                for items in [1, 3] {
                    let setting = Setting(
                        "producer-consumer --variant \(variant) --capacity \(capacity) --producers \(producers) "
                            + "--consumers \(consumers) --items \(items)")
                    let survey = try Survey(setting, executions: 200)
                    #expect(survey.counts == [.completed: 200], "\(setting.testDescription)")
                }
            }
        }
    }

    @Test func `if-for-while: a thread that was woken finds that another was faster`() throws {
        let trace = try traceOfFailure("if-for-while", .assertion)
        let message = try #require(trace.texts(of: .assertionFailed).first)
        #expect(message.contains("found nothing") || message.contains("would overwrite"))
        let failed = try #require(trace.events.last { $0.kind == .assertionFailed }).thread
        #expect(trace.events.contains { $0.kind == .conditionWake && $0.thread == failed })
    }

    @Test func `if-for-while: one producer and one consumer fail only when a wait ends without a signal`() throws {
        let setting = Setting("producer-consumer --variant if-for-while --producers 1 --consumers 1 --items 5")
        #expect(try Survey(setting).counts == [.completed: 2000])
        #expect(try Survey(setting, spuriousWakeups: 1).counts[.assertion] != nil)
    }

    @Test func `one-condition: at the end producers and consumers wait on the same condition`() throws {
        let trace = try traceOfFailure("one-condition", .deadlock)
        let waiting = trace.lastEvents.filter { $0.kind == .conditionWait }.map { trace.name(of: $0.thread) }
        #expect(waiting.contains { $0.hasPrefix("producer") } && waiting.contains { $0.hasPrefix("consumer") })
    }

    @Test(
        arguments: [(1, 1, 1), (2, 2, 2), (3, 1, 2)])
    func `one-condition: as many threads as twice the capacity never get stuck`(
        producers: Int, consumers: Int, capacity: Int
    ) throws {
        let setting = Setting(
            "producer-consumer --variant one-condition --producers \(producers) --consumers \(consumers) "
                + "--capacity \(capacity)")
        #expect(try setting.make().expectation == .completes)
        #expect(try Survey(setting).counts == [.completed: 2000])
    }

    @Test func `one-condition: one thread more than twice the capacity can get stuck`() throws {
        let setting = Setting(
            "producer-consumer --variant one-condition --producers 2 --consumers 3 --capacity 2 --items 5")
        #expect(try setting.make().expectation == .completes.orElse(.deadlock))
        #expect(try Survey(setting, executions: 20_000).counts[.deadlock] != nil)
    }

    @Test func `signal-without-lock: a thread waits forever although its predicate holds`() throws {
        let trace = try traceOfFailure("signal-without-lock", .deadlock)
        let lost = trace.lastEvents.filter { $0.kind == .conditionWait }.contains { wait in
            // "used changed" is the condition, "used" the number that it concerns.
            guard let condition = trace.object(wait.object)?.name else { return false }
            let number = condition.replacing(" changed", with: "")
            return trace.events.last { trace.object($0.object)?.name == number }.map { $0.value > 0 } ?? false
        }
        #expect(lost)
    }

    @Test func `no-lock: the numbers of puts and takes are wrong, or a slot holds what it should not`() throws {
        let trace = try traceOfFailure("no-lock", .assertion)
        #expect(trace.texts(of: .assertionFailed).count == 1)
        #expect(!trace.events.contains { $0.kind == .mutexAcquire })
    }

    @Test func `condition-lock: traces show the conditions by their names`() throws {
        let trace = try Setting("producer-consumer --variant condition-lock").trace(of: Schedule())
        #expect(Set(trace.texts(of: "condition-lock.release-at")) == ["NO_DATA", "HAS_DATA"])
        #expect(!trace.events.contains { trace.name(of: $0) == "condition-lock.release" })
    }

    @Test func `plain-unlock: a consumer waits for a condition that no thread sets`() throws {
        let trace = try traceOfFailure("plain-unlock", .deadlock)
        #expect(trace.texts(of: "condition-lock.release-at").allSatisfy { $0 == "NO_DATA" })
        #expect(trace.lastEvents.contains { $0.kind == .conditionWait })
    }

    @Test(arguments: ["queue", "condition-lock"])
    func `a wait inside a built object is at its caller's line`(variant: String) throws {
        let trace = try Setting("producer-consumer --variant \(variant)").trace(of: Schedule())
        let files = Set(trace.events.filter { $0.kind.blocks }.compactMap { trace.site($0.site)?.file })
        #expect(files == ["Scenarios/ProducerConsumer.swift"])
    }

    private func traceOfFailure(_ variant: String, _ outcome: OutcomeKind) throws -> TraceDocument {
        let setting = Setting("producer-consumer --variant \(variant)")
        let schedule = try #require(try Survey(setting).examples[outcome])
        return try setting.trace(of: schedule)
    }
}
