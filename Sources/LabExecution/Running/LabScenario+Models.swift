import Authoring
import Machine

extension Runnable {
    /// The program under each memory model that its orders or its claims require. All are searched to verify its
    /// claims.
    ///
    /// The first is the model of the program's own orders, under which its general claims count, and those that name
    /// this model. Under each other model, only the claims that name it count.
    ///
    /// - Throws: the reason as a sentence, if executions cannot follow a model that a claim names.
    package func underEachModel() throws -> [any Runnable] {
        [try underOwnModel()] + (try claimedModels.map { try under(claimedModel: $0, alone: true) })
    }

    package func underOwnModel() throws -> any Runnable { ownModel == model ? self : try under(ownModel, alone: false) }

    /// The memory models that its claims name, except the program's own.
    package var claimedModels: [MemoryModel] {
        (self as? LabScenario)?.program.claimedModels.filter { $0 != ownModel } ?? []
    }

    /// - Parameter alone: whether only the claims that name the model count.
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
