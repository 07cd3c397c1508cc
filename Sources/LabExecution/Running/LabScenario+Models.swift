import Authoring
import Machine

/// The memory models under which a program must be searched to verify its claims.
extension Runnable {
    /// The program under each memory model that its orders or its claims require.
    ///
    /// The first is the program's own model, which follows from its orders. Its general claims count there, and those
    /// that name this model. Under each other model, only the claims that name it count.
    ///
    /// - Throws: the reason as a sentence, if executions cannot follow a model that a claim names.
    package func underEachModel() throws -> [any Runnable] {
        [try underOwnModel()] + (try claimedModels.map { try under(claimedModel: $0, alone: true) })
    }

    /// The program under the model that follows from its orders.
    package func underOwnModel() throws -> any Runnable { ownModel == model ? self : try under(ownModel, alone: false) }

    /// The memory models that its claims name, except the program's own.
    package var claimedModels: [MemoryModel] {
        (self as? LabScenario)?.program.claimedModels.filter { $0 != ownModel } ?? []
    }

    /// The program under a model that a claim names.
    ///
    /// - Parameter alone: whether only the claims that name the model count.
    /// - Throws: the reason as a sentence, if executions cannot follow the model.
    package func under(claimedModel model: MemoryModel, alone: Bool) throws -> any Runnable {
        if !isSequential, let obstacle = obstacle(under: model) { throw UnsupportedModel(description: obstacle) }
        return try under(model, alone: alone)
    }
}

/// Why a program cannot be searched under a memory model that its claims name.
package struct UnsupportedModel: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}
