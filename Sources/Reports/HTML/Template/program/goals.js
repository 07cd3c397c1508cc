// The goal that the reader tries to reach: its choice, hints, and what is shown when it is reached or the run ends.
"use strict";
lab.goals = (() => {
  const { byId, element, setText, history, plural } = lab;
  const all = lab.data.goals;
  const isLevel = document.body.classList.contains("level");
  const select = byId("goal");
  let goal = all[0];
  let hints = false;

  select.append(...all.map((other, index) => Object.assign(element("option", other.title), { value: index })));
  select.append(Object.assign(element("option", "Just look around"), { value: -1 }));
  select.hidden = document.querySelector("label[for=goal]").hidden = isLevel || all.length === 0;
  byId("onlyGoal").hidden = !isLevel;
  if (isLevel) setText(byId("onlyGoal"), "Goal: " + goal.title);
  byId("hint").hidden = all.length === 0;
  select.addEventListener("change", () => {
    goal = all[Number(select.value)];
    history.refresh("goal");
  });

  const isReached = (state) => Boolean(goal) && lab.distance(goal, state) === 0;
  /// The number of steps after which the goal was first reached. -1: it has not been reached.
  function reachedAt() {
    for (let place = 0; place <= history.position; place++) if (isReached(history.stateAt(place))) return place;
    return -1;
  }

  function hintWords(move) {
    const distance = lab.distance(goal, move.target);
    return distance < 0 ? "not this way" : distance === 0 ? "reaches it" : "then " + plural(distance, "more step");
  }

  /// Shows a hint at each thread that can step, if hints are on. Returns, for each of these threads, the move that ends
  /// nearest to the goal.
  function showHints(state) {
    const best = new Map();
    for (const move of lab.moves(state)) {
      const known = best.get(move.thread);
      const value = (other) => { const far = lab.distance(goal, other.target); return far < 0 ? Infinity : far; };
      if (!known || value(move) < value(known)) best.set(move.thread, move);
    }
    const views = lab.views.buttons.map((view, number) => [view, number]).concat([[lab.views.time, -1]]);
    for (const [view, number] of views) {
      const move = hints && goal && best.get(number);
      setText(view.hint, move ? hintWords(move) + (move.label ? " (" + move.label + ")" : "") : "");
      view.button.classList.toggle("away", Boolean(move) && lab.distance(goal, move.target) < 0);
    }
    return [...best.values()];
  }

  const steps = (number) => plural(number, "step");

  /// What to say about a state in which the goal is first reached, or the run has ended. Otherwise undefined.
  function result(state) {
    const reached = reachedAt();
    const end = lab.end(state);
    const shortest = goal ? lab.distance(goal, 0) : -1;
    if (reached >= 0 && reached === history.position) {
      const text = end ? end.text : lab.trouble(state);
      const best = reached === shortest ? "No way is shorter." : "The shortest way has " + shortest + ".";
      return { tone: "solved", title: (isLevel ? "Level solved in " : "Reached in ") + steps(reached), text: (text + " " + best).trim() };
    }
    if (!end) return undefined;
    const title = end.tone === "good" ? "The run has completed" : "The run has ended: " + end.kind;
    const rest = goal ? " That is not the goal: go back, or start again." : "";
    const text = end.tone === "good" && /^The run has completed\.$/.test(end.text) ? rest.trim() : end.text + rest;
    return { tone: end.tone, title, text };
  }

  history.onChange((reason) => {
    const state = history.state;
    if (reason !== "hint") hints = false;
    showHints(state);
    const shortest = goal ? lab.distance(goal, 0) : -1;
    const parts = ["step " + history.position];
    if (shortest >= 0) parts.push("the shortest way has " + shortest);
    setText(byId("progress"), parts.join(" · "));
    const found = result(state);
    byId("result").hidden = !found;
    if (!found) return;
    byId("result").className = "result " + found.tone;
    setText(byId("resultTitle"), found.title);
    setText(byId("resultText"), found.text);
    const next = document.querySelector("header a[rel=next]");
    byId("onward").replaceChildren(...(next && found.tone === "solved" ? [next.cloneNode(true)] : []));
  });

  return {
    get goal() { return goal; },
    isReached, result,
    /// Shows the hints at the threads, and returns them as a sentence.
    hint() {
      if (!goal) return "There is no goal: choose one.";
      hints = true;
      history.refresh("hint");
      const moves = showHints(history.state);
      if (moves.length === 0) return "Nothing can step: go back, or start again.";
      if (lab.distance(goal, history.state) === 0) return "The goal is reached.";
      if (moves.every((move) => lab.distance(goal, move.target) < 0)) return "Hint: the goal cannot be reached from here: go back.";
      const name = (move) => (move.thread < 0 ? "time" : lab.data.threads[move.thread]);
      return "Hint: " + moves.map((move) => name(move) + ": " + hintWords(move)).join("; ") + ".";
    },
  };
})();
