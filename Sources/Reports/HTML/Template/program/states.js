// The states of the program and the moves between them, as threadlab has computed them: this script only looks numbers
// up. It defines `lab`, which the other scripts of the page use and extend. Text from the program only ever becomes
// text, never markup.
"use strict";
const lab = (() => {
  const data = JSON.parse(document.getElementById("program").textContent);
  const threads = data.threads.length;
  const width = threads + data.objects.length;
  const count = data.rows.length / width;

  /// A map from states to texts, made from a list of pairs: a state, and the index of its text.
  const pairs = (list, texts) => {
    const found = new Map();
    for (let i = 0; i < list.length; i += 2) found.set(list[i], texts[list[i + 1]]);
    return found;
  };
  const ends = pairs(data.endAt, data.ends);
  const races = pairs(data.raceAt, data.races);
  const cycles = pairs(data.cycleAt, data.cycles);
  const ways = new Map();
  for (let i = 0; i < data.waysAt.length; i += 3) {
    ways.set(data.waysAt[i] + ":" + data.waysAt[i + 1], data.ways[data.waysAt[i + 2]]);
  }

  const thread = (state, number) => {
    const [kind, step, why, holds, line, variables] = data.threadStates[data.rows[state * width + number]];
    return { number, name: data.threads[number], kind, step, why, holds, line, variables, canStep: kind === "ready" };
  };

  const object = (state, number) => {
    const [value, holders, waiters] = data.objectStates[data.rows[state * width + threads + number]];
    return { value, holders, waiters };
  };

  /// The moves that leave a state, each with its thread (-1: time passes), its target, and a label that says which
  /// alternative of the step it is, if the step has several.
  const moves = (state) => {
    const list = data.moves[state];
    const found = [];
    const seen = new Map();
    for (let i = 0; i < list.length; i += 2) {
      const way = seen.get(list[i]) || 0;
      seen.set(list[i], way + 1);
      const labels = ways.get(state + ":" + list[i]);
      found.push({ from: state, place: i / 2, thread: list[i], target: list[i + 1], label: labels ? labels[way] : "" });
    }
    return found;
  };

  /// The text that stands for a move in a schedule.
  const choice = (move) => data.schedules[move.from + ":" + move.place] || String(move.thread);

  return {
    data, count, thread, object, moves, choice,
    threads: (state) => data.threads.map((_, number) => thread(state, number)),
    end: (state) => { const end = ends.get(state); return end && { kind: end[0], tone: end[1], text: end[2] }; },
    /// What is wrong with a state in which the run continues.
    trouble: (state) => races.get(state) || cycles.get(state) || "",
    goals: data.goals,
    /// The smallest number of steps to the goal. -1: it cannot be reached.
    distance: (goal, state) => goal.distance[state],
    byId: (id) => document.getElementById(id),
    element(name, text, className) {
      const made = document.createElement(name);
      if (text !== undefined) made.textContent = text;
      if (className) made.className = className;
      return made;
    },
    setText(element, text) { if (element.textContent !== text) element.textContent = text; },
    plural: (number, noun) => number + " " + noun + (number === 1 ? "" : "s"),
    list: (names) => names.length < 2 ? names.join("") : names.slice(0, -1).join(", ") + " and " + names[names.length - 1],
    tint: (number) => "t" + (number % 8),
  };
})();
