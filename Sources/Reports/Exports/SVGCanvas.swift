import Trace

/// A drawing in SVG: shapes in three layers, which are written one after the other. A shape that is not in the current
/// layer is skipped. Styles are classes, so that a presentation can change them in one place. All text is escaped here.
struct SVGCanvas {
    enum TextStyle: String {
        case title, head, name, number, plain, place, note, failure, good
        /// For sheets to print: given words; lines of a program; small print.
        case given, code, small
        /// For film strips: the name of a thread; the name and the value of an object.
        case figure, boxname, boxvalue
    }

    /// The layers from the bottom up.
    enum Layer: CaseIterable {
        case bands, arrows
        /// Marks and text.
        case marks
    }

    private(set) var sink: ByteSink
    private(set) var layer = Layer.bands

    init(_ sink: ByteSink) { self.sink = sink }

    /// Colors that are dark enough for text on white, and distinct for readers that confuse red and green.
    private static let colors = ["#0b6e8a", "#8a5a00", "#8e2a8e", "#1f7a3d", "#2a4fb0", "#a33a2a"]

    static func color(_ lane: Int) -> String { colors[lane % colors.count] }

    /// Writes a shape that only one kind of drawing has.
    mutating func shape(_ layer: Layer, _ element: String) {
        guard self.layer == layer else { return }
        sink.write(element)
        sink.endLine()
    }

    mutating func lane(x: Int, from top: Int, to bottom: Int, isBlocked: Bool) {
        guard layer == .bands else { return }
        let look = isBlocked ? "wait" : "run"
        sink.write("<line class=\"\(look)\" x1=\"\(x)\" y1=\"\(top)\" x2=\"\(x)\" y2=\"\(bottom)\"/>")
        sink.endLine()
    }

    /// Draws an arrow as a curve, because a straight line could cross marks in the lanes between.
    mutating func arrow(from start: (x: Int, y: Int), to end: (x: Int, y: Int), isDashed: Bool) {
        guard layer == .arrows else { return }
        let side = start.x < end.x ? 1 : -1
        let (from, to) = (start.x + side * 7, end.x - side * 8)
        let bend = max(abs(to - from) / 2, 10) * side
        sink.write(
            "<path class=\"arrow\(isDashed ? " signal" : "")\" d=\"M \(from) \(start.y) "
                + "C \(from + bend) \(start.y), \(to - bend) \(end.y), \(to) \(end.y)\"/>")
        sink.endLine()
    }

    mutating func mark(x: Int, y: Int, _ mark: StepMark, lane: Int) {
        guard layer == .marks else { return }
        let color = Self.color(lane)
        switch mark {
        case .step, .context: sink.write("<ellipse cx=\"\(x)\" cy=\"\(y)\" rx=\"5.5\" ry=\"5.5\" fill=\"\(color)\"/>")
        case .wait:
            sink.write(
                "<ellipse cx=\"\(x)\" cy=\"\(y)\" rx=\"5\" ry=\"5\" fill=\"#ffffff\" stroke=\"\(color)\" stroke-width=\"2\"/>"
            )
        case .failure: return cross(x: x, y: y)
        case .older:
            sink.write(
                "<path d=\"M \(x) \(y - 7) l 7 7 l -7 7 l -7 -7 z\" fill=\"#ffffff\" stroke=\"\(color)\" stroke-width=\"2\"/>"
            )
        case .end:
            sink.write("<rect x=\"\(x - 5)\" y=\"\(y - 5)\" width=\"10\" height=\"10\" fill=\"\(color)\"/>")
        }
        sink.endLine()
    }

    mutating func cross(x: Int, y: Int) {
        guard layer == .marks else { return }
        sink.write("<path class=\"cross\" d=\"M \(x - 6) \(y - 6) l 12 12 m 0 -12 l -12 12\"/>")
        sink.endLine()
    }

    /// - Parameters:
    ///   - y: the middle of the text. Its baseline is lower.
    ///   - lane: the thread in whose color the text is. Nil: the color is that of the style.
    mutating func text(_ text: String, x: Int, y: Int, _ style: TextStyle, lane: Int? = nil) {
        guard layer == .marks, !text.isEmpty else { return }
        let color = lane.map { " fill=\"\(Self.color($0))\"" } ?? ""
        let space = style == .code ? " xml:space=\"preserve\"" : ""
        sink.write(
            "<text class=\"\(style.rawValue)\"\(space) x=\"\(x)\" y=\"\(y + 5)\"\(color)>\(text.escapedForXML)</text>")
        sink.endLine()
    }

    /// Draws a line to write on.
    mutating func dots(from start: Int, to end: Int, y: Int) {
        guard layer == .marks else { return }
        sink.write("<line class=\"dots\" x1=\"\(start)\" y1=\"\(y)\" x2=\"\(end)\" y2=\"\(y)\"/>")
        sink.endLine()
    }

    /// Draws the background of a part of a page.
    mutating func panel(x: Int, y: Int, width: Int, height: Int) {
        guard layer == .bands else { return }
        sink.write(
            "<rect class=\"panel\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"6\"/>")
        sink.endLine()
    }

    /// Begins a part that is moved and scaled as a whole.
    ///
    /// - Parameter scale: the scale in thousandths.
    mutating func beginPart(x: Int, y: Int, scale: Int) {
        sink.write("<g transform=\"translate(\(x) \(y)) scale(\(scale / 1000).\(Self.thousandths(scale)))\">")
        sink.endLine()
    }

    private static func thousandths(_ scale: Int) -> String { String(String(scale % 1000 + 1000).dropFirst()) }

    mutating func endPart() { endLayer() }

    /// - Parameter size: the printed size, such as 210mm. Nil: the size on the screen.
    mutating func begin(
        width: Int, height: Int, title: String, story: String, size: (width: String, height: String)? = nil,
        extraStyle: String = "", extraMarker: String = ""
    ) {
        sink.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size?.width ?? "\(width)")" height="\(size?.height ?? "\(height)")" \
            viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="title story">
            <title id="title">\(title.escapedForXML)</title>
            <desc id="story">\(story.escapedForXML)</desc>
            <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" \
            orient="auto"><path d="M 0 0 L 8 4 L 0 8 z" fill="#555555"/></marker>\(extraMarker)</defs>
            <style>
            \(Self.style)\(extraStyle)
            </style>
            <rect width="100%" height="100%" fill="#ffffff"/>

            """)
    }

    mutating func begin(_ layer: Layer) {
        self.layer = layer
        sink.write("<g>")
        sink.endLine()
    }

    mutating func endLayer() {
        sink.write("</g>")
        sink.endLine()
    }

    mutating func finish() {
        sink.write("</svg>")
        sink.endLine()
        sink.flush()
    }

    private static let style = """
        text { font-family: sans-serif; font-size: 14px; }
        .title { font-size: 17px; font-weight: bold; fill: #222222; }
        .head { font-weight: bold; text-anchor: middle; }
        .name { font-weight: bold; }
        .plain { fill: #222222; }
        .number, .place { font-family: monospace; font-size: 12px; fill: #666666; white-space: pre; }
        .number { text-anchor: end; }
        .given { fill: #666666; }
        .note { font-style: italic; fill: #666666; }
        .failure { font-weight: bold; fill: #b00020; }
        .good { font-weight: bold; fill: #1f7a3d; }
        .run { stroke: #9a9a9a; stroke-width: 2; }
        .wait { stroke: #e9a13b; stroke-width: 9; stroke-opacity: 0.55; }
        .arrow { fill: none; stroke: #555555; stroke-width: 1.5; marker-end: url(#head); }
        .signal { stroke-dasharray: 5 3; }
        .cross { fill: none; stroke: #b00020; stroke-width: 3; }
        """
}
