import Machine
import Testing

@testable import Exploration

@Suite struct MovedScheduleTests {
    @Test func `a thread's steps come after all later steps of the others`() throws {
        let schedule = try Schedule(parsing: "0x2,1x3,2,1,0")
        #expect(schedule.delaying(from: 2).description == "0x2,2,0,1x4")
        #expect(schedule.delaying(from: 4).description == "0x2,1x2,2,0,1x2")
        #expect(schedule.delaying(from: 7) == schedule)
    }

    @Test func `a thread's steps come right after its earlier ones`() throws {
        let schedule = try Schedule(parsing: "0x2,1x3,2,1,0")
        #expect(try #require(schedule.advancing(to: 6)).description == "0x2,1x4,2,0")
        #expect(try #require(schedule.advancing(to: 7)).description == "0x3,1x3,2,1")
        // It has no earlier step.
        #expect(schedule.advancing(to: 4) == nil)
        #expect(schedule.advancing(to: 1) == nil)
    }

    @Test func `alternatives stay with their steps`() throws {
        let schedule = try Schedule(parsing: "0,1=1,0=2,1")
        #expect(schedule.delaying(from: 1).description == "0x2=2,1=1,1")
        #expect(try #require(schedule.advancing(to: 3)).description == "0x2=2,1=1,1")
    }
}
