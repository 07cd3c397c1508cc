extension PlaySession {
    package static let help = [
        "N, step N        thread N takes its next step; by number or by name",
        "step N WAY       the same, for a step that can go several ways",
        "forward [N]      N known steps forward, by default 1",
        "back [N]         N steps back, by default 1",
        "goto N|NAME      to step N, or to a bookmark",
        "start, end       to the first or the last known step",
        "run [random [SEED]] [until end|finding|line N|event NAME]",
        "                 the run continues by itself, by default until a finding",
        "why N            why thread N cannot step, or what it would do",
        "hint             which choice of now leads to a failure",
        "predict [on|off] asks before a step is shown",
        "bookmark [NAME]  marks this step; 'bookmarks' lists the marks",
        "schedule         the choices so far, and the command that replays them",
        "state            threads and objects",
        "source           the line of each thread",
        "lanes, trace     the run so far, as a graph or as a list",
        "help, quit",
    ]
}
