/// The shapes of a film strip's pictures.
extension SVGCanvas {
    static let filmStyle = """

        .frame { fill: #fbfbfa; stroke: #c9c9c9; }
        .frame.marked { stroke: #b00020; stroke-width: 2.5; }
        .figure { text-anchor: middle; font-size: 12px; font-weight: bold; stroke: #fbfbfa; stroke-width: 4px; paint-order: stroke; }
        .box { fill: #ffffff; stroke: #444444; stroke-width: 1.5; }
        .boxname { text-anchor: middle; font-size: 12px; font-weight: bold; fill: #222222; }
        .boxvalue { text-anchor: middle; font-size: 12px; fill: #222222; }
        .ring { fill: none; stroke-width: 2; }
        .gone { fill: #d0d0d0; }
        .holds { fill: none; stroke: #555555; stroke-width: 1.8; marker-end: url(#head); }
        .waits { fill: none; stroke: #b00020; stroke-width: 2; stroke-dasharray: 5 4; marker-end: url(#wanted); }
        """

    /// The head of an arrow from a waiting thread.
    static let filmMarker = """
        <marker id="wanted" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" \
        orient="auto"><path d="M 0 0 L 8 4 L 0 8 z" fill="#b00020"/></marker>
        """

    private static let radius = 13

    mutating func frame(x: Int, y: Int, _ width: Int, _ height: Int, isMarked: Bool) {
        shape(
            .bands,
            "<rect class=\"frame\(isMarked ? " marked" : "")\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" "
                + "height=\"\(height)\" rx=\"8\"/>")
    }

    /// Draws a thread as a disk, with a ring around it if the thread took the step (`acts`).
    mutating func figure(x: Int, y: Int, _ look: FilmPicture.Figure.Look, acts: Bool, lane: Int) {
        let color = Self.color(lane)
        let disk = "<ellipse cx=\"\(x)\" cy=\"\(y)\" rx=\"\(Self.radius)\" ry=\"\(Self.radius)\""
        switch look {
        case .absent: return
        case .created: shape(.marks, disk + " fill=\"#ffffff\" stroke=\"\(color)\" stroke-width=\"1\"/>")
        case .running: shape(.marks, disk + " fill=\"\(color)\"/>")
        case .waiting:
            shape(
                .marks, disk + " fill=\"#ffffff\" stroke=\"\(color)\" stroke-width=\"3\" stroke-dasharray=\"4 3\"/>")
        case .ended: shape(.marks, disk + " class=\"gone\"/>")
        }
        guard acts else { return }
        let ring = Self.radius + 4
        shape(
            .marks,
            "<ellipse class=\"ring\" cx=\"\(x)\" cy=\"\(y)\" rx=\"\(ring)\" ry=\"\(ring)\" stroke=\"\(color)\"/>")
    }

    /// Draws an object as a box with its name and its value.
    ///
    /// - Parameters:
    ///   - x: the left side of the box.
    ///   - y: the middle of that side.
    mutating func box(x: Int, y: Int, _ name: String, _ words: String) {
        shape(.marks, "<rect class=\"box\" x=\"\(x)\" y=\"\(y - 20)\" width=\"100\" height=\"40\" rx=\"3\"/>")
        text(name, x: x + 50, y: y - (words.isEmpty ? 0 : 9), .boxname)
        text(words, x: x + 50, y: y + 8, .boxvalue)
    }

    /// Draws an arrow from an object to a thread that holds it.
    mutating func hold(from box: (x: Int, y: Int), to figure: (x: Int, y: Int)) {
        shape(
            .arrows,
            "<path class=\"holds\" d=\"M \(box.x) \(box.y - 5) L \(figure.x + Self.radius + 6) \(figure.y - 3)\"/>")
    }

    /// Draws an arrow from a thread to the object for which it waits.
    mutating func wait(from figure: (x: Int, y: Int), to box: (x: Int, y: Int)) {
        shape(
            .arrows,
            "<path class=\"waits\" d=\"M \(figure.x + Self.radius + 4) \(figure.y + 4) L \(box.x - 2) \(box.y + 6)\"/>")
    }

    /// Draws an arrow from a thread to the thread for which it waits, around the disks in between.
    mutating func wait(from figure: (x: Int, y: Int), toFigure other: (x: Int, y: Int)) {
        let left = figure.x - Self.radius - 4
        shape(
            .arrows,
            "<path class=\"waits\" d=\"M \(left) \(figure.y) C \(left - 34) \(figure.y), \(left - 34) \(other.y), "
                + "\(left) \(other.y)\"/>")
    }
}
