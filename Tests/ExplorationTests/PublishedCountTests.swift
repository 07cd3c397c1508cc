import Exploration
import Machine
import Testing

/// Numbers of executions that papers and other tools give for small programs.
@Suite struct PublishedCountTests {
    @Test(arguments: PublishedProgram.all)
    func `each trace is run once`(_ published: PublishedProgram) throws {
        var rules = Rules()
        rules.endsAtCycles = false
        rules.waiters = .fifo
        let engine = try TestProgram(published.text).engine(rules)
        let search = PartialOrderSearch(rules: rules)
        var number = 0
        while search.prepare(number) {
            _ = search.execute(engine)
            number += 1
            if number > 2 * published.traces + 20_000 { break }
        }
        #expect(search.obstacle == nil)
        #expect(search.completeCount == published.traces)
        #expect(search.redundantCount == 0)
    }

    @Test(arguments: PublishedProgram.all)
    func `the parts of a search have the published number of traces together`(_ published: PublishedProgram) throws {
        var rules = Rules()
        rules.endsAtCycles = false
        rules.waiters = .fifo
        let engine = try TestProgram(published.text).engine(rules)
        var traces = 0
        for part in Division(of: engine, seed: 1).parts(atMost: 8) {
            let search = PartialOrderSearch(rules: rules, part: part)
            var number = 0
            while search.prepare(number) && number < 2 * published.traces + 20_000 {
                _ = search.execute(engine)
                number += 1
            }
            #expect(search.obstacle == nil)
            traces += search.completeCount
        }
        #expect(traces == published.traces)
    }
}
