import Exploration
import Machine
import Testing

/// Numbers of executions that papers and other tools give for small programs.
@Suite struct PublishedCountTests {
    @Test(arguments: PublishedProgram.all, PartialOrderSearch.Form.allCases)
    func `each trace is run once`(_ published: PublishedProgram, _ form: PartialOrderSearch.Form) throws {
        var rules = Rules()
        rules.endsAtCycles = false
        rules.waiters = .fifo
        let engine = try TestProgram(published.text).engine(rules)
        let search = PartialOrderSearch(form, rules: rules)
        var number = 0
        while search.prepare(number) {
            _ = search.execute(engine)
            number += 1
            if number > 2 * published.traces + 20_000 { break }
        }
        #expect(search.obstacle == nil)
        #expect(search.completeCount == published.traces)
        if form == .optimal { #expect(search.redundantCount == 0) }
    }

    @Test(arguments: zip([5, 6, 7], [33, 131, 473]))
    func `source sets give up as many executions as an independent search that begins with the first thread`(
        _ n: Int, _ redundant: Int
    ) throws {
        let engine = try TestProgram(PublishedProgram.lastZero(n)).engine()
        let search = PartialOrderSearch(.source, rules: Rules())
        var number = 0
        while search.prepare(number) {
            _ = search.execute(engine)
            number += 1
        }
        #expect(search.redundantCount == redundant)
    }
}
