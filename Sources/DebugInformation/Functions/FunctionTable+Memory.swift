extension FunctionTable {
    /// Whether a function seems to give its caller memory, as `malloc` does: what it returns is a pointer to `void` or to
    /// `char`, and it cannot be a thread's function, whose only parameter is a pointer to `void`.
    ///
    /// - Parameter entry: the offset of the function's entry.
    package func returnsMemory(_ entry: Int) -> Bool {
        var work = Work(Limits.typeWork)
        let types = DwarfTypes(tree)
        guard let entry = tree.entry(at: entry, &work),
            let result = tree.first(of: entry, &work, { $0.type }),
            isUntyped(result, types, &work)
        else { return false }
        // A function that is inlined has its parameters at its origin.
        var parameters = tree.children(of: entry.place, [.formalParameter], &work)
        if parameters.isEmpty, let origin = entry.origin {
            parameters = tree.children(of: origin, [.formalParameter], &work)
        }
        guard parameters.count == 1 else { return true }
        let parameter = tree.first(of: parameters[0], &work) { $0.type }
        return types.pointee(parameter, &work) != .some(nil)
    }

    /// Whether the type is a pointer to `void`, or to a number of one byte.
    private func isUntyped(_ type: Int, _ types: DwarfTypes, _ work: inout Work) -> Bool {
        guard let target = types.pointee(type, &work) else { return false }
        guard let target else { return true }
        var types = types
        return types.structure(target, &work) == nil && types.size(of: target, &work) == 1
    }
}
