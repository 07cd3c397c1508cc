import Exploration

extension SearchWorker {
    /// The messages to its parent.
    enum News {
        /// The report of a unit, by its number in the agenda.
        case report(unit: Int, UnitReport)
        /// An execution differs when it is repeated, and how.
        case discrepancy(Discrepancy)
        /// How the search can be divided. Fewer than two parts: the process continues with the search as a whole.
        case division([SearchPart])
    }
}

extension SearchWorker.News {
    private enum Kind: Int {
        case report, discrepancy, division
    }

    func write(to words: inout WordWriter) {
        switch self {
        case .report(let unit, let report):
            words.add(Kind.report.rawValue)
            words.add(unit)
            report.write(to: &words)
        case .discrepancy(let discrepancy):
            words.add(Kind.discrepancy.rawValue)
            discrepancy.write(to: &words)
        case .division(let parts):
            words.add(Kind.division.rawValue)
            words.add(parts) { $1.write(to: &$0) }
        }
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        switch try words.value(Kind.self) {
        case .report: self = .report(unit: try words.count(), try UnitReport(from: &words))
        case .discrepancy: self = .discrepancy(try Discrepancy(from: &words))
        case .division: self = .division(try words.list(SearchPart.init))
        }
    }
}

extension Mailbox {
    func send(_ news: SearchWorker.News) {
        var message = WordWriter()
        news.write(to: &message)
        send(message)
    }
}
