/// How large the files for other viewers become. What is longer is written in part, and the command says so.
package enum ExportLimits {
    /// Of a log or a trace for another viewer.
    package static let bytes = 1 << 28
    /// Of a drawing, in rows, even if all are asked for.
    static let rows = 20_000
}
