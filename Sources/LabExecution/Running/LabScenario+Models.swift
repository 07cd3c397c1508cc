import Authoring
import Machine

extension Runnable {
    /// The program itself, and again under each other memory model that its claims name, where only those claims count.
    ///
    /// - Throws: the reason as a sentence, if its executions cannot follow such a model.
    package func underClaimedModels() throws -> [any Runnable] {
        let models = (self as? LabScenario)?.program.weakModels ?? []
        return [self] + (try models.map { try under(claimedModel: $0) })
    }

    private func under(claimedModel model: MemoryModel) throws -> any Runnable {
        if !isSequential, let obstacle = obstacle(under: model) { throw UnsupportedModel(description: obstacle) }
        return try under(model, alone: true)
    }
}

/// Why a program cannot be searched under a memory model that its claims name.
package struct UnsupportedModel: Error, CustomStringConvertible {
    package let description: String
}
