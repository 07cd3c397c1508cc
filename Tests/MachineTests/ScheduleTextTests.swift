import Machine
import Testing

@Suite struct ScheduleTextTests {
    @Test(arguments: [
        ("0", [Schedule.Choice.thread(0)]),
        ("0x3,1", [.thread(0), .thread(0), .thread(0), .thread(1)]),
        ("1=2", [.thread(1), .alternative(2)]),
        ("1=2=0,1x2", [.thread(1), .alternative(2), .alternative(0), .thread(1), .thread(1)]),
        ("1x2=1,1", [.thread(1), .thread(1), .alternative(1), .thread(1)]),
        ("1023=1073741823", [.thread(1023), .alternative(1_073_741_823)]),
    ])
    func `text and choices are the same`(_ text: String, _ choices: [Schedule.Choice]) throws {
        #expect(try Schedule(parsing: text).choices == choices)
        #expect(Schedule(choices).description == text)
    }

    @Test func `any schedule is read as it was written`() throws {
        var number: UInt64 = 1
        func next(_ bound: UInt64) -> UInt64 {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (number >> 33) % bound
        }
        for _ in 0..<500 {
            var choices: [Schedule.Choice] = [.thread(UInt16(next(3)))]
            for _ in 0..<next(40) {
                choices.append(next(4) == 0 ? .alternative(Int(next(3))) : .thread(UInt16(next(3))))
            }
            #expect(try Schedule(parsing: Schedule(choices).description).choices == choices)
        }
    }

    @Test(arguments: [
        "", ",", "0,", "a", "x2", "=1", "-1", "+1", "1x", "1x0", "1x-1", "1x+1", "1xa", "1x2x3", "1=", "1=a", "1=-1",
        "1=+1",
        "1 ", " 1", "65536", "1=1073741824", "1x99999999999999999999", "1x10000001", "1;2", "١",
        "0,1x9223372036854775807", "9223372036854775808",
    ])
    func `what is no schedule is refused with a sentence`(_ text: String) {
        let error = #expect(throws: Schedule.ParseError.self) { try Schedule(parsing: text) }
        #expect(error?.message.hasPrefix("part ") == true)
    }

    @Test func `the message says which part of a schedule cannot be read`() {
        let error = #expect(throws: Schedule.ParseError.self) { try Schedule(parsing: "0,1,two") }
        #expect(error?.message == "part 3, 'two', is not a thread's number like 2 or 2x5")
    }

    @Test func `no text makes a schedule that does not fit in memory`() {
        let text = Array(repeating: "1x9000000", count: 3).joined(separator: ",")
        #expect(throws: Schedule.ParseError.self) { try Schedule(parsing: text) }
    }
}
