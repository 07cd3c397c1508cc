/// The places of the parts of a film strip, in pixels. Each picture has threads as disks on its left side, objects as
/// boxes on its right side, and a caption below them.
struct FilmLayout {
    static let margin = 20
    static let lineHeight = 22
    static let captionHeight = 18
    /// The average width of a character.
    static let character = 8
    /// The maximum widths of a caption's line, of a thread's name, and of a box's text, in characters.
    static let captionColumns = 29
    static let nameColumns = 12
    static let boxColumns = 11
    /// The distance from a figure to its name.
    static let belowFigure = 25

    private static let gap = 12
    /// The distance between the centers of two threads, and of two boxes.
    private static let rowHeight = 56
    /// The distance between a picture's left side and its boxes.
    private static let boxes = 140

    let frameWidth = 252
    let frameHeight: Int
    let width: Int
    /// The place below the pictures.
    let end: Int
    /// The number of pictures beside each other.
    private let columns: Int
    /// The number of threads or of objects in a picture, whichever is greater.
    private let rows: Int
    /// The top of the pictures, below the title and the notes.
    private let top: Int

    /// - Parameters:
    ///   - rows: the number of threads or of objects in a picture, whichever is greater.
    ///   - notes: the number of lines above the pictures.
    init(pictures: Int, rows: Int, notes: Int) {
        self.rows = max(rows, 1)
        top = 56 + notes * 22
        frameHeight = self.rows * Self.rowHeight + 3 * Self.captionHeight + 22
        columns = Self.columns(pictures)
        width = max(2 * Self.margin + columns * (frameWidth + Self.gap) - Self.gap, 780)
        end = top + (pictures + columns - 1) / columns * (frameHeight + Self.gap) + 8
    }

    /// The number of pictures beside each other, chosen so that the strip is wider than high, like a slide.
    private static func columns(_ pictures: Int) -> Int {
        switch pictures {
        case ...3: max(pictures, 1)
        case ...8: 4
        case ...15: 5
        default: 6
        }
    }

    /// The upper left corner of a picture. The following functions give places in the picture with that corner.
    func corner(_ picture: Int) -> (x: Int, y: Int) {
        (
            Self.margin + picture % columns * (frameWidth + Self.gap),
            top + picture / columns * (frameHeight + Self.gap)
        )
    }

    /// The center of a thread's disk.
    func figure(_ place: Int, in corner: (x: Int, y: Int)) -> (x: Int, y: Int) {
        (corner.x + 58, corner.y + 26 + place * Self.rowHeight)
    }

    /// The middle of the left side of an object's box.
    func box(_ place: Int, in corner: (x: Int, y: Int)) -> (x: Int, y: Int) {
        (corner.x + Self.boxes, corner.y + 30 + place * Self.rowHeight)
    }

    func caption(in corner: (x: Int, y: Int)) -> (x: Int, y: Int) {
        (corner.x + 12, corner.y + rows * Self.rowHeight + 20)
    }
}
