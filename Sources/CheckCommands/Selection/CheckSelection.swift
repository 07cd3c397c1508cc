import Arguments
import Console
import Text

/// The scenarios that a check covers, and which of them this command checks: those of its part (`--shard`), that failed
/// before (`--last-failed`) or have changed (`--changed-since`).
struct CheckSelection {
    let scope: CheckScope
    let coverage: CheckScope.Coverage
    /// All units that the command line names.
    let units: [CheckUnit]
    /// For each unit, the number of its part, from 1.
    let parts: [Int]
    let shard: Shard?
    /// The subjects that this command checks, each with the index of its unit.
    let subjects: [(unit: Int, subject: CheckSubject)]
    /// The units that it does not check.
    let others: [CheckUnit]
    /// Whether all units of the part are checked: `--last-failed` and `--changed-since` are not given.
    private let isWhole: Bool

    init(_ arguments: TypedArguments<CheckOptions>, _ session: Session) throws(Complaint) {
        let options = arguments.options
        scope = CheckScope(arguments.paths) { !CheckUnit.known($0, session).isEmpty }
        coverage = scope.coverage(
            builtIn: arguments.builtIn, filters: arguments.filter, exclusions: arguments.exclude)
        let units = try CheckUnit.all(scope, coverage, session)
        self.units = units
        let shard = try arguments.shard.map { text throws(Complaint) in try Shard(text, options.shard.spelling) }
        self.shard = shard
        if let path = arguments.balance, shard == nil {
            throw Complaint(
                "\(options.balance.spelling) \(path.printable): say which part with \(options.shard.spelling)")
        }
        let durations = try arguments.balance.map { path throws(Complaint) in try CheckResult(file: path).durations }
        let parts = Shard.parts(of: units.map(\.name), shard?.count ?? 1, balancedBy: durations ?? [:])
        self.parts = parts
        var chosen = units.indices.filter { shard == nil || parts[$0] == shard?.number }
        if let path = arguments.lastFailed {
            let failed = try CheckResult(file: path).failed
            chosen.removeAll { !failed.contains(units[$0].name) }
        }
        if let revision = arguments.changedSince {
            let changes = try ChangedFiles(since: revision, in: scope.folder, options.changedSince.spelling)
            if try !Self.isOtherCheck(arguments, changes, scope.folder) {
                let files = chosen.compactMap { units[$0].file?.name }.filter { !$0.isAbsolutePath }
                let changed = try changes.changed(among: files)
                chosen.removeAll { number in
                    units[number].file.map { !changed.contains($0.name) && !Self.dependsOnMore($0, session) } ?? false
                }
            }
        }
        isWhole = arguments.lastFailed == nil && arguments.changedSince == nil
        let model = arguments.model
        // A single program may be executed in this process, unless the check is to be repeated in it.
        let start: CheckSubject.Start =
            arguments.list ? .never : units.count == 1 && !arguments.watch ? .here : .apart
        subjects = chosen.flatMap { number in
            CheckSubject(units[number], session, start).under(model).map { (number, $0) }
        }
        let isChosen = Set(chosen)
        others = units.indices.filter { !isChosen.contains($0) }.map { units[$0] }
    }

    /// Whether the configuration file or the task has changed since the revision. Then everything is checked.
    private static func isOtherCheck(
        _ arguments: TypedArguments<CheckOptions>, _ changes: ChangedFiles, _ folder: NamingFolder
    ) throws(Complaint) -> Bool {
        if !arguments.ignoresFile {
            var files = changes.names { "/\($0)".hasSuffix("/\(CheckConfiguration.name)") }
            // The configuration file may be new.
            let present = try CheckConfiguration.nearest().flatMap { NamingFolder.resolved($0) }
            files += present.flatMap { folder.relative($0) }.map { [$0] } ?? []
            if try !changes.changed(among: files).isEmpty { return true }
        }
        guard let task = arguments.against else { return false }
        guard let name = NamingFolder.resolved(task).flatMap({ folder.relative($0) }) else { return true }
        return try !changes.changed(among: [name]).isEmpty
    }

    /// Whether a check of the file depends on more than the file's text: on a compiled program, or on a scenario in
    /// this executable. True for a file outside of the repository.
    private static func dependsOnMore(_ file: CheckedFile, _ session: Session) -> Bool {
        guard file.location != nil, !file.name.isAbsolutePath else { return true }
        guard let program = (try? session.files.file(file.path))?.program else { return false }
        return program.call != nil || program.builtIn != nil
    }

    /// Whether this command reports the name if a list contains it and it belongs to no scenario. Of several machines,
    /// only one does; with `--last-failed` or `--changed-since`, none does.
    func owns(_ name: String) -> Bool { isWhole && shard?.has(name) ?? true }
}

extension CheckResult {
    /// The names of scenarios that failed, or were not checked.
    fileprivate var failed: Set<String> {
        Set(
            entries.filter { entry in
                if case .notRun = entry.scenario.verdict { return true }
                return entry.scenario.verdict.isFailure
            }.map { names[$0.unit] })
    }
}
