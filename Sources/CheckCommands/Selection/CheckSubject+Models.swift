import Authoring
import Console
import LabExecution
import Machine

extension CheckSubject {
    /// The subjects that are made of this one. With `--model`: the program under that model alone. Otherwise: the
    /// program under the model that its memory orders ask for, and again under each other model that its claims name.
    func under(_ model: MemoryModel?) -> [CheckSubject] {
        guard case .scenario(let scenario) = content else { return [self] }
        if let model { return [model == .sc ? self : under(model, scenario, alone: false)] }
        var first = self
        do { first.content = .scenario(try scenario.underOwnModel()) } catch { first.content = .wrong("\(error)") }
        return [first] + scenario.claimedModels.map { under($0, scenario, alone: true) }
    }

    /// - Parameter alone: whether only the claims that name this model count.
    private func under(_ model: MemoryModel, _ scenario: any Runnable, alone: Bool) -> CheckSubject {
        let name = name + Self.conditionMark + model.rawValue
        do throws(Complaint) {
            let scenario = try model.supported(by: scenario, alone: alone)
            return CheckSubject(
                name: name, content: .scenario(scenario), file: file, source: source,
                condition: model.rawValue)
        } catch {
            return CheckSubject(name: name, content: .wrong(error.message), file: file, condition: model.rawValue)
        }
    }
}
