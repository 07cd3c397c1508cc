/// A `.lab` program in canonical form, with a pause of random length before each statement of its threads and functions: orders
/// that are rare on real threads become common.
func withPauses(_ program: String) -> String {
    var isInside = false
    var lines: [String] = []
    for line in program.split(separator: "\n", omittingEmptySubsequences: false) {
        let statement = line.drop { $0 == " " }
        if line.hasPrefix("}") { isInside = false }
        if isInside && !statement.isEmpty && !statement.hasPrefix("}") && !statement.hasPrefix("//") {
            lines.append("sleep 1ms * choose(4)")
        }
        lines.append(String(line))
        if (line.hasPrefix("thread ") || line.hasPrefix("func ")) && line.hasSuffix("{") { isInside = true }
    }
    return lines.joined(separator: "\n")
}
