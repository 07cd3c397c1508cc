import CCompiled
import Exploration
import Machine
import Testing

@testable import CompiledExecution

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

    /// `COMPILED_REQUESTS` is the one table of requests: each row that is a step names an operation, and no two name the same.
    @Test func `every request of the table has a meaning`() {
        let requests = (0..<compiled_kind_count.rawValue).map { compiled_request_t(compiled_kind_t($0)) }
        let steps = requests.compactMap(\.step?.operation)
        #expect(steps.count == Int(compiled_destroy.rawValue) + 1 && Set(steps).count == steps.count)
        #expect(requests.filter(\.isNoStep).map(\.kind) == [compiled_forget, compiled_allocated, compiled_freed])
        #expect(compiled_request_t(compiled_kind_count).step == nil)
    }

    @Test(arguments: Unknown.allCases) func `ends the process as an error of threadlab's own`(unknown: Unknown) async {
        await #expect(processExitsWith: .exitCode(3)) { [unknown] in
            let scripted = ScriptedProgram([[unknown.request]], learned: [:])
            _ = scripted.hosted.makeSubject(Rules(), log: nil).execute(RandomWalk(seed: 1))
        }
    }
}
