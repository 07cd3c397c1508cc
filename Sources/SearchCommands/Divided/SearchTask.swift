import Console
import Exploration
import Supervision
import Text

/// A task of a divided search, as a file: some pieces of the search, for `work` on any machine.
struct SearchTask {
    let search: DividedSearch
    /// A number such as `3`. A task that was split off from it has a name such as `3.1`.
    package let name: String
    /// The pieces, in the order of the search.
    let pieces: [SearchPiece]

    static let suffix = ".task"
    static let file = SealedFile.searchTask

    var fileName: String { name + Self.suffix }
    var content: [UInt8] { Self.file.content(self) }

    /// The new tasks for the pieces that `work` has not done in its time.
    func rest(_ state: ShareState) -> [SearchTask] {
        let pieces = state.rest ?? []
        let count = min(pieces.count, Self.mostOfRest)
        return Self.deal(pieces, into: count).enumerated().map { number, pieces in
            SearchTask(search: search, name: "\(name).\(number + 1)", pieces: pieces)
        }
    }

    /// The maximum number of new tasks that the work on a task can leave.
    private static let mostOfRest = 16
    /// The maximum number of levels of a name: `3.1` has two.
    private static let mostLevels = 64

    /// Whether the work on this task may leave new tasks: their names have one level more.
    var mayLeave: Bool { name.count { $0 == "." } + 1 < Self.mostLevels }

    /// Deals the pieces to this number of tasks, one to each in turn. A division puts the largest pieces first, so each
    /// task gets large and small ones. The pieces of each task are in the order of the search.
    static func deal(_ pieces: [SearchPiece], into count: Int) -> [[SearchPiece]] {
        (0..<count).map { task in
            stride(from: task, to: pieces.count, by: count).map { pieces[$0] }.sorted(by: SearchPiece.precedes)
        }
    }
}

extension SearchTask: Message {
    func write(to words: inout WordWriter) {
        words.add(search)
        words.add(name)
        words.add(pieces)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        search = try words.message()
        name = try words.text()
        pieces = try words.list()
        guard Self.isName(name, of: search.taskCount), !pieces.isEmpty, pieces.allSatisfy(fits) else {
            throw DamagedMessage()
        }
        let isSorted = zip(pieces, pieces.dropFirst()).allSatisfy { SearchPiece.precedes($0, $1) }
        guard isSorted else { throw DamagedMessage() }
    }

    /// Whether the piece can be one of the search. The executions of a random search are divided into units, which are
    /// numbered.
    private func fits(_ piece: SearchPiece) -> Bool {
        switch piece {
        case .part(let part): part.part.isPart(ofSearchWith: search.strategy) && PartCover.isMeaningful(part.part)
        case .units(let units):
            search.strategy.isRandom && units.upperBound <= Agenda.randomUnitCount(limit: search.executions)
        }
    }

    /// Whether the name can be a task's. Names become parts of paths.
    private static func isName(_ name: String, of count: Int) -> Bool {
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let digits = name.allSatisfy { $0 == "." || ("0"..."9").contains($0) }
        return digits && numbers.count <= mostLevels && (1...count).contains(numbers[0])
            && numbers.dropFirst().allSatisfy { (1...mostOfRest).contains($0) }
    }
}

/// The result of the work on a task, as a file. While the work is in progress, the file contains the progress.
struct WorkResult {
    let task: SearchTask
    let state: ShareState

    static let suffix = ".result"
    static let file = SealedFile.searchResult

    var content: [UInt8] { Self.file.content(self) }

    /// The pieces that were searched, each with its report. Also, without a report, the pieces that were neither
    /// searched nor left to new tasks.
    var pieces: [JoinedSearch.Piece] {
        let rest = state.rest ?? []
        let done = state.done.map { ($0.piece, Optional($0.report)) }
        return done + state.open(of: task.pieces).filter { piece in !isLeft(piece, rest) }.map { ($0, nil) }
    }

    /// Whether the piece, or a part of it, is left to new tasks.
    private func isLeft(_ piece: SearchPiece, _ rest: [SearchPiece]) -> Bool {
        rest.contains { left in
            switch (piece, left) {
            case (.part(let one), .part(let other)): other.place.starts(with: one.place)
            case (.units(let one), .units(let other)): other.overlaps(one)
            case (.part, .units), (.units, .part): false
            }
        }
    }
}

extension WorkResult: Message {
    func write(to words: inout WordWriter) {
        words.add(task)
        words.add(state)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        task = try words.message()
        state = try words.message()
        guard state.done.allSatisfy({ isOwn($0.piece) }), (state.rest ?? []).allSatisfy(isOwn) else {
            throw DamagedMessage()
        }
    }

    /// Whether the task contains the piece, or one from which it was divided.
    private func isOwn(_ piece: SearchPiece) -> Bool {
        task.pieces.contains { own in
            switch (own, piece) {
            case (.part(let whole), .part(let part)):
                part.place.starts(with: whole.place) && part.part.isInside(whole.part)
            case (.units(let whole), .units(let units)):
                whole.lowerBound <= units.lowerBound && units.upperBound <= whole.upperBound
            case (.part, .units), (.units, .part): false
            }
        }
    }
}
