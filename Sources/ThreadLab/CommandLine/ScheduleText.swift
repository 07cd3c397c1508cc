import Arguments
import Machine

/// Schedules that somebody typed.
enum ScheduleText {
    static func read(_ text: String) throws(Complaint) -> Schedule {
        do throws(Schedule.ParseError) {
            return try Schedule(parsing: text)
        } catch {
            throw Complaint("--schedule: \(error.message.printable)")
        }
    }
}
