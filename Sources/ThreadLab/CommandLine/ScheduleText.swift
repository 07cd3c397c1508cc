import Arguments
import Machine
import Text

/// Schedules typed on the command line.
enum ScheduleText {
    private static let name = "schedule"

    static func option(_ help: String) -> TypedOption<String?> { .text(name, placeholder: "S", help) }

    static func read(_ text: String) throws(Complaint) -> Schedule {
        do throws(Schedule.ParseError) {
            return try Schedule(parsing: text)
        } catch {
            throw Complaint("--\(name): \(error.message.printable)")
        }
    }
}
