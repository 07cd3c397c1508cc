import Exploration
import LabExecution
import Machine
import Support
import Testing

/// Steps that a search by states remembers. Debug builds compare them with the machine, and so does every test of the
/// search.
@Suite struct StepMemoryTests {
    /// One move in this number may need the machine.
    private static let share = 10

    @Test(
        arguments: [
            // Conditions, and values that threads share.
            """
            mutex m
            condition changed with m
            shared used = 0
            thread producer[2] {
                repeat 6 { lock m { while used == 2 { changed.wait() }; used = used + 1; changed.broadcast() } }
            }
            thread consumer[2] {
                repeat 6 { lock m { while used == 0 { changed.wait() }; used = used - 1; changed.signal() } }
            }
            """,
            // Locks taken in turn, and threads that are told apart.
            """
            mutex fork[4]
            atomic meals = 0
            thread philosopher[4] {
                repeat 2 {
                    if index == 3 { lock fork[0] { lock fork[3] { meals.add(1) } } }
                    else { lock fork[index] { lock fork[index + 1] { meals.add(1) } } }
                }
            }
            """,
            // Threads that watch a value.
            """
            atomic turn = 0
            semaphore permits = 1
            thread player[3] {
                repeat 4 {
                    permits.wait()
                    turn.add(1)
                    permits.signal()
                }
            }
            thread watcher[2] { await turn.load() >= 7 + index }
            """,
        ])
    func `a step is taken by the machine only where it is new`(_ text: String) throws {
        var settings = StateSettings()
        settings.isReduced = false
        settings.exchanges = false
        let search = StateSearch(try TestProgram(text).engine(Rules()), SearchGoal(), settings)
        let report = search.run(10_000_000)
        #expect(report.end == .exhausted)
        #expect(report.counts.moves > 1000)
        #expect(search.machineMoveCount * Self.share < report.counts.moves)
    }
}
