// The moves that the reader has taken, and the reader's position among them: after going back, later moves are kept.
// Other scripts register functions that are called after each change.
"use strict";
lab.history = (() => {
  let taken = [];
  let position = 0;
  const listeners = [];

  const stateAt = (place) => (place === 0 ? 0 : taken[place - 1].target);
  const changed = (reason) => { for (const listener of listeners) listener(reason); };

  function go(place, reason) {
    const target = Math.max(0, Math.min(taken.length, place));
    if (target === position) return false;
    position = target;
    changed(reason || "moved");
    return true;
  }

  return {
    /// Calls a function after each change, with what has happened: "stepped", "moved", or what `refresh` was given.
    onChange(listener) { listeners.push(listener); },
    refresh: (reason) => changed(reason),
    get position() { return position; },
    get length() { return taken.length; },
    get state() { return stateAt(position); },
    get last() { return position ? taken[position - 1] : undefined; },
    stateAt,
    moveAt: (place) => taken[place - 1],
    go,
    /// Takes a move at the present position. The moves that had been taken after it are forgotten, unless this move is
    /// the first of them.
    take(move) {
      const next = taken[position];
      const isKnown = next && next.place === move.place;
      if (!isKnown) taken = taken.slice(0, position).concat([move]);
      position += 1;
      changed("stepped");
    },
    /// The moves up to the present position as the text of a schedule, in which `1x3` stands for three choices of 1.
    schedule() {
      let text = "";
      let repeated = "", count = 0;
      const flush = () => {
        if (count) text += (text ? "," : "") + repeated + (count > 1 ? "x" + count : "");
        count = 0;
      };
      for (const move of taken.slice(0, position)) {
        const choice = lab.choice(move);
        if (choice === repeated && count) { count += 1; continue; }
        flush();
        if (/^\d+$/.test(choice)) { repeated = choice; count = 1; }
        else text += (text && choice[0] !== "=" ? "," : "") + choice;
      }
      flush();
      return text;
    },
  };
})();
