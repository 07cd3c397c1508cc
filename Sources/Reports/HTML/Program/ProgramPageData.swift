import Diagnosis
import Exploration
import Trace

/// The data of a program's page, which its scripts read as JSON: words, and the states and moves as numbers.
///
/// A state is a row of numbers: for each thread an index into `threadStates`, and for each object an index into
/// `objectStates`. A property that few states have is a table of words and a list of pairs: the number of a state, and
/// an index into the table. In `waysAt` a thread's number is between the two.
struct ProgramPageData {
    private let map: StateMap
    private let goals: [ProgramGoal]
    private let words: ProgramWords
    private let lines: [String]
    private let file: String
    private let command: String

    private var threadStates = Numbering<ProgramWords.ThreadWords>()
    private var objectStates = Numbering<ProgramWords.ObjectWords>()
    /// The alternatives of a thread's next step, if it has several, in words.
    private var ways = Numbering<[String]>()
    /// How the run ended in a state: the outcome, whether it is good or bad, and a sentence.
    private var ends = Numbering<[String]>()
    private var races = Numbering<String>()
    /// The rows of all states, one after the other.
    private var rows: [Int] = []
    private var waysAt: [Int] = []
    private var endAt: [Int] = []
    private var raceAt: [Int] = []

    init(_ map: StateMap, _ goals: [ProgramGoal], file: String, lines: [String], command: String) {
        self.map = map
        self.goals = goals
        self.file = file
        self.lines = lines
        self.command = command
        words = ProgramWords(map, file: file, lines: lines.count)
        for (number, state) in map.states.enumerated() { add(number, state) }
    }

    private mutating func add(_ number: Int, _ state: ShownState) {
        let (threads, objects) = words.describe(state)
        rows += threads.map { threadStates.number(of: $0) } + objects.map { objectStates.number(of: $0) }
        for (thread, shown) in state.threads.enumerated() where !shown.ways.isEmpty {
            waysAt += [number, thread, ways.number(of: shown.ways.map(words.way))]
        }
        if let end = state.end {
            let tone = end.kind == .completed ? "good" : "bad"
            endAt += [number, ends.number(of: [end.kind.rawValue, tone, words.end(end, state)])]
        }
        // Of several races, a state shows the first.
        for race in state.races.prefix(1) { raceAt += [number, races.number(of: words.race(race))] }
    }

    func write(to sink: inout ByteSink) {
        sink.writeObject { json in
            json.array("threads", words.threadNames)
            json.array("objects") { json in
                for number in words.objects {
                    let (name, kind) = words.name(ofObject: number)
                    json.array([name, kind])
                }
            }
            json.member("file", Label(file).text)
            json.array("lines", lines)
            json.member("firstLine", firstLine)
            json.member("command", Label(command).text)
            writeStates(to: &json)
            writeMoves(to: &json)
            json.objects("goals", goals) { goal, json in
                json.member("name", goal.name)
                json.member("title", Label(goal.title).text)
                json.array("distance", goal.distances.map { $0 ?? -1 })
            }
        }
    }

    /// The number, from 1, of the first line that is shown. The documentation comment at the beginning of the file is
    /// left out: the page has an introduction of its own.
    private var firstLine: Int {
        let isHeading = { (line: String) in line.hasPrefix("///") || line.allSatisfy(\.isWhitespace) }
        return (lines.firstIndex { !isHeading($0) } ?? 0) + 1
    }

    private func writeStates(to json: inout JSONObject) {
        json.array("threadStates") { json in
            for state in threadStates.all {
                json.array { json in
                    json.element(state.kind.rawValue)
                    json.element(state.step)
                    json.element(state.why)
                    json.element(state.holds)
                    json.element(state.line)
                    json.array(state.variables)
                }
            }
        }
        json.array("objectStates") { json in
            for state in objectStates.all { json.array([state.value, state.holders, state.waiters]) }
        }
        json.array("rows", rows)
        json.array("ends") { json in for end in ends.all { json.array(end) } }
        json.array("endAt", endAt)
        json.array("races", races.all)
        json.array("raceAt", raceAt)
        json.array("cycles", map.cycles.map { Self.sentence(onCycle: $0.kind) })
        json.array("cycleAt", map.cycles.enumerated().flatMap { index, cycle in cycle.states.flatMap { [$0, index] } })
    }

    private static func sentence(onCycle kind: OutcomeKind) -> String {
        kind == .starvation
            ? "Starvation: from here the threads can repeat their steps forever, and one of them makes no progress."
            : "Livelock: from here the threads can repeat their steps forever, without progress."
    }

    /// Writes by state the thread of each move (-1 if time passes) and the state to which it leads. The text that
    /// stands for a move in a schedule is written only where it differs from the thread's number.
    private func writeMoves(to json: inout JSONObject) {
        json.array("moves") { json in
            for moves in map.moves { json.array(moves.flatMap { [$0.thread ?? -1, $0.target] }) }
        }
        json.array("ways") { json in for labels in ways.all { json.array(labels) } }
        json.array("waysAt", waysAt)
        json.member("hasSchedules", map.hasSchedules)
        json.object("schedules") { json in
            for (state, moves) in map.moves.enumerated() {
                for (place, move) in moves.enumerated() where move.schedule != "\(move.thread ?? -1)" {
                    json.member(named: "\(state):\(place)", move.schedule)
                }
            }
        }
    }
}
