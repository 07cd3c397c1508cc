import Exploration

extension Shrunk {
    func write(to words: inout WordWriter) {
        rehearsal.write(to: &words)
        original.write(to: &words)
        words.add(minimality.rawValue)
    }

    init(from words: inout WordReader) throws(DamagedMessage) {
        self.init(try Rehearsal(from: &words), original: try ScheduleCost(from: &words), try words.value())
    }
}
