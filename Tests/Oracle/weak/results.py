"""What an oracle says about a program under one model."""

MODELS = ("sc", "tso", "rc11")


class Result:
    """Numbers of complete and of blocked graphs, and the values at the end of the complete ones. A race makes the rest
    meaningless: then only `race` is the verdict."""

    def __init__(self):
        self.graphs, self.blocked, self.race, self.outcomes = 0, 0, False, set()

    def add(self, program, finals, isBlocked, hasRace):
        self.race = self.race or hasRace
        if isBlocked:
            self.blocked += 1
        else:
            self.graphs += 1
            self.outcomes.add(program.outcome(finals))

    def json(self):
        if self.race:
            return {"race": True, "graphs": None, "blocked": None, "deadlock": None, "outcomes": None}
        return {"race": False, "graphs": self.graphs, "blocked": self.blocked, "deadlock": self.blocked > 0,
                "outcomes": sorted([list(pair) for pair in row] for row in self.outcomes)}
