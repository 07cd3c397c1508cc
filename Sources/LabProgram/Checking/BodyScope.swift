import LabSyntax

/// The variables of the body that is being checked, and what is allowed in it.
struct BodyScope {
    enum Owner {
        case thread(name: String, isArray: Bool)
        case function(name: String, result: ValueType?)
        case finally
    }

    struct Local {
        var slot: Int
        var isConstant: Bool
        var name: Syntax.Name
        var isRead = false
        /// Whether it may remain unread: a function's parameter, a loop's variable, the name of a result that cannot be
        /// ignored.
        var mayBeUnread: Bool
    }

    let owner: Owner
    var slots: [Program.Body.Slot] = []
    /// The visible variables, by block, the innermost one last.
    var blocks: [[String: Local]] = []
    /// The number of open loops.
    var loops = 0
    /// The functions that it calls.
    var callees: Set<Int> = []

    init(_ owner: Owner) { self.owner = owner }

    func local(_ name: String) -> Local? {
        for block in blocks.reversed() {
            if let local = block[name] { return local }
        }
        return nil
    }

    mutating func markRead(_ name: String) {
        for i in blocks.indices.reversed() where blocks[i][name] != nil {
            blocks[i][name]?.isRead = true
            return
        }
    }

    /// A slot without a name.
    mutating func newSlot(_ name: String? = nil, _ type: ValueType) -> Int {
        slots.append(Program.Body.Slot(name: name, type: type))
        return slots.count - 1
    }

    var visibleNames: [String] { blocks.flatMap(\.keys).sorted() }
}
