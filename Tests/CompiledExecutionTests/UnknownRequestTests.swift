import CCompiled
import CompiledExecution
import Exploration
import Machine
import Testing

/// What the engine does not know in a request is an error of threadlab, never of the program.
@Suite struct UnknownRequestTests {
    enum Unknown: CaseIterable, Codable {
        case request, kindOfLock, order

        var request: compiled_request_t {
            switch self {
            case .request: return compiled_request_t(compiled_kind_t(rawValue: 999))
            case .kindOfLock:
                var request = compiled_request_t(compiled_lock, 64)
                request.detail = 99
                return request
            case .order:
                var request = compiled_request_t(compiled_load, 64, size: 4)
                request.order = 77
                return request
            }
        }
    }

    @Test(arguments: Unknown.allCases) func `ends the process as an error of threadlab's own`(unknown: Unknown) async {
        await #expect(processExitsWith: .exitCode(3)) { [unknown] in
            let scripted = ScriptedProgram([[unknown.request]], learned: [:])
            _ = scripted.hosted.makeSubject(Rules(), log: nil).execute(RandomWalk(seed: 1))
        }
    }
}
