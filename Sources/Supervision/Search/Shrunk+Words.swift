import Exploration

extension Shrunk {
    func write(to words: inout WordWriter) {
        rehearsal.write(to: &words)
        words.add(original.preemptions)
        words.add(original.steps)
        words.add(minimality.rawValue)
    }

    init(from words: inout WordReader) {
        self.init(
            Rehearsal(from: &words), original: ScheduleCost(preemptions: words.word(), steps: words.word()),
            Minimality(rawValue: words.text())!)
    }
}
