// The board of Backroll: draws the trait `state` and says in the trait `chosen` what is chosen.
// It is the front end of an anywidget, and needs nothing but a browser.
//
// Traits: state, chosen {event, move, position, n}, animate, theme (auto, light, dark), locked,
// tools (of undo, hint, save), keyboard (board: where it has the focus; page: everywhere).

const SVG = "http://www.w3.org/2000/svg";
const PITCH = { x: 44, y: 36 };
const RIM = { label: 15, across: 12, along: 38 };
const WORDS = { undo: ["u", "Undo"], hint: ["h", "Hint"], save: ["", "Save"] };

function node(name, attributes = {}, ...children) {
  const made = attributes.svg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key !== "svg" && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const svg = (name, attributes = {}, ...children) => node(name, { svg: 1, ...attributes }, ...children);

// Marks of the seats: a disc with a dot and a lozenge; of this turn: a runner's triangle.

function mark(kind, size) {
  if (kind === "first") return svg("circle", { r: size });
  if (kind === "second") {
    const r = size * 1.2;
    return svg("path", { d: `M0 ${-r} L${r} 0 L0 ${r} L${-r} 0 Z` });
  }
  const r = size * 1.15;
  return svg("path", { d: `M0 ${-r} L${r} ${r * 0.8} L${-r} ${r * 0.8} Z` });
}

// Can't Stop: columns that stand around one line make an octagon, as a stop sign does.

function cantstop(state) {
  const lengths = state.columns.map((column) => column.length);
  const middle = (lengths.length - 1) / 2;
  const half = (lengths[middle] * PITCH.y) / 2 + RIM.along;
  const width = lengths.length * PITCH.x;
  const box = [-RIM.across - 10, -half - 10, width + 2 * RIM.across + 20, 2 * half + 20];
  const picture = svg("svg", { viewBox: box.join(" "), role: "img" });
  const outline = octagon(lengths, middle, half, width);
  picture.append(
    svg("polygon", { class: "sign", points: outline }),
    svg("polygon", { class: "rim", points: outline }),
  );
  const place = (column, height) => ({
    x: (column + 0.5) * PITCH.x,
    y: (lengths[column] * PITCH.y) / 2 - (height - 0.5) * PITCH.y,
  });
  const cells = new Map();
  const columns = state.columns.map(({ total, length }, column) =>
    track(picture, cells, place, column, total, length));
  const ghosts = svg("g");
  const markers = svg("g");
  picture.append(markers, ghosts);
  const shown = new Map();
  let drawn = false;

  function update(now) {
    picture.setAttribute("aria-label", described(now));
    now.columns.forEach(({ total }, column) => {
      const seat = now.players.findIndex((player) => player.won.includes(total)) + 1;
      columns[column].setAttribute("class", seat ? `won${seat}` : "");
    });
    for (const cell of cells.values()) cell.classList.remove("last");
    for (const [total, height] of Object.entries(now.last?.squares ?? {})) {
      cells.get(`${total}:${height}`)?.classList.add("last");
    }
    move(wanted(now));
    drawn = true;
    preview(null);
  }

  function move(targets) {
    for (const [key, group] of shown) {
      if (!targets.has(key)) {
        group.remove();
        shown.delete(key);
      }
    }
    for (const [key, { kind, column, height, shift, size }] of targets) {
      const { x, y } = place(column, height);
      let group = shown.get(key);
      if (!group) {
        group = svg("g", { class: `marker ${kind}` }, mark(kind, 11));
        shown.set(key, group);
        markers.append(group);
        if (drawn) comeFrom(group, x, place(column, height - 1).y);
      }
      group.style.transform = `translate(${x + shift}px, ${y}px) scale(${size})`;
    }
  }

  function comeFrom(group, x, y) {
    group.style.transform = `translate(${x}px, ${y}px)`;
    group.getBoundingClientRect(); // it has stood there, so that it is seen to move
  }

  function wanted(now) {
    const found = new Map();
    now.columns.forEach(({ total, length }, column) => {
      const here = now.players.map((player, seat) => ({
        kind: seat ? "second" : "first",
        height: player.heights[total],
      }));
      here.push({ kind: "neutral", height: now.neutral[total] ?? 0 });
      const standing = here.filter((each) => each.height > 0 &&
        !(each.kind !== "neutral" && each.height === length));
      for (const each of standing) {
        const together = standing.filter((other) => other.height === each.height);
        const shift = (together.indexOf(each) - (together.length - 1) / 2) * 17;
        const size = together.length > 1 ? 0.72 : 1;
        found.set(`${each.kind}${total}`, { ...each, column, shift, size });
      }
    });
    return found;
  }

  function preview(choice) {
    for (const cell of cells.values()) cell.classList.remove("path");
    ghosts.replaceChildren();
    for (const [total, height] of Object.entries(choice?.leads ?? {})) {
      const column = Number(total) - 2;
      const { x, y } = place(column, height);
      cells.get(`${total}:${height}`)?.classList.add("path");
      ghosts.append(svg("g", { class: "ghost", transform: `translate(${x} ${y})` },
        mark("neutral", 12)));
    }
  }

  return { element: picture, update, preview };
}

// Columns of lengths that differ by two have their corners on one line; it is moved outwards.

function octagon(lengths, middle, half, width) {
  const outer = (lengths[0] * PITCH.y) / 2 + RIM.along - (RIM.across * PITCH.y) / PITCH.x;
  const [left, right] = [-RIM.across, width + RIM.across];
  const [from, to] = [middle * PITCH.x, (middle + 1) * PITCH.x];
  const points = [[left, outer], [left, -outer], [from, -half], [to, -half],
    [right, -outer], [right, outer], [to, half], [from, half]];
  return points.map((point) => point.join(",")).join(" ");
}

function track(picture, cells, place, column, total, length) {
  const group = svg("g");
  for (let height = 1; height <= length; height += 1) {
    const { x, y } = place(column, height);
    const cell = svg("rect", {
      class: "cell", x: x - 19, y: y - 15, width: 38, height: 30, rx: 6,
    });
    cells.set(`${total}:${height}`, cell);
    const at = `translate(${x} ${y})`;
    group.append(cell, svg("g", { class: "seal disc", transform: at }, mark("first", 7)),
      svg("g", { class: "seal lozenge", transform: at }, mark("second", 7)));
  }
  for (const [height, down] of [[length, -1], [1, 1]]) {
    const { x, y } = place(column, height);
    const text = svg("text", { class: "total", x, y: y + 6 + down * (PITCH.y / 2 + RIM.label) });
    text.append(String(total));
    picture.append(text);
  }
  picture.append(group);
  return group;
}

function described(state) {
  const columns = state.columns.map(({ total, length }) => {
    const won = state.players.find((player) => player.won.includes(total));
    if (won) return `column ${total} won by ${won.name}`;
    const parts = state.players.map((player) => `${player.name} ${player.heights[total]}`);
    if (state.neutral[total]) parts.push(`this turn ${state.neutral[total]}`);
    return `column ${total} of ${length}: ${parts.join(", ")}`;
  });
  return `${state.columns_to_win} columns win; ${columns.join("; ")}`;
}

function pig(state) {
  const tracks = state.players.map((_, seat) => {
    const kept = node("i", { class: `kept${seat + 1}` });
    const risk = node("i", { class: "risk" });
    const told = node("p");
    return { bar: node("div", { class: "track", role: "img" }, kept, risk), kept, risk, told };
  });
  const element = node("div", { class: "tracks" },
    ...tracks.map(({ told, bar }) => node("div", {}, told, bar)));
  function update(now) {
    tracks.forEach(({ bar, kept, risk, told }, seat) => {
      const { name, mark, score } = now.players[seat];
      const turn = now.turn === seat + 1 ? now.total : 0;
      kept.style.width = `${(100 * Math.min(score, now.target)) / now.target}%`;
      risk.style.width = `${(100 * Math.min(turn, now.target - score)) / now.target}%`;
      const more = turn ? `, and ${turn} in this turn` : "";
      bar.setAttribute("aria-label", `${name}: ${score} of ${now.target}${more}`);
      told.textContent = `${mark} ${score} of ${now.target}${more}`;
    });
  }
  return { element, update, preview() {} };
}

function shutthebox(state) {
  const tiles = state.tiles.map(({ tile }) => node("div", { class: "tile" }, String(tile)));
  const element = node("div", { class: "tiles", role: "img" }, ...tiles);
  function update(now) {
    now.tiles.forEach(({ open }, at) => tiles[at].classList.toggle("down", !open));
    const open = now.tiles.filter((tile) => tile.open).map(({ tile }) => tile);
    element.setAttribute("aria-label", `open tiles: ${open.join(", ") || "none"}`);
    preview(null);
  }
  function preview(choice) {
    const flips = choice?.leads ?? {};
    tiles.forEach((tile, at) => tile.classList.toggle("path", String(at + 1) in flips));
  }
  return { element, update, preview };
}

function plain() {
  const element = node("pre", { class: "picture", "aria-label": "the position" });
  return { element, update: (now) => { element.textContent = now.picture; }, preview() {} };
}

const BOARDS = { cantstop, pig, shutthebox, plain };

// Dice

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

function die(face, classes) {
  const drawn = svg("svg", { class: `die ${classes}`, viewBox: "-30 -30 60 60", "aria-hidden": "true" },
    svg("rect", { x: -26, y: -26, width: 52, height: 52, rx: 11 }));
  for (const [x, y] of PIPS[face] ?? []) drawn.append(svg("circle", { cx: x * 14, cy: y * 14, r: 5 }));
  if (!PIPS[face]) drawn.append(svg("text", { y: 9 }, String(face)));
  return drawn;
}

// Which two dice make which total: [1, 1, 2, 2] says the first two make one, the others the other.

function pairing(dice, move) {
  const totals = /^\d+(\+\d+)?$/.test(move) ? move.split("+").map(Number) : [];
  if (dice.length !== 4 || !totals.length) return [];
  for (const mate of [1, 2, 3]) {
    const first = dice.map((_, at) => (at === 0 || at === mate ? 1 : 2));
    const sum = (pair) => dice.reduce((all, face, at) => all + (first[at] === pair ? face : 0), 0);
    for (const [one, two] of [[1, 2], [2, 1]]) {
      if (sum(one) === totals[0] && (totals.length < 2 || sum(two) === totals[1])) {
        return first.map((pair) => (pair === one ? 1 : totals.length > 1 ? 2 : 0));
      }
    }
  }
  return [];
}

// Figures

function figure(value, quantity) {
  return quantity === "win probability" ? `${(100 * value).toFixed(1)} %` : value.toFixed(3);
}

function standing(state, player) {
  if (state.kind === "pig") return `${player.score} of ${state.target}`;
  if (state.kind === "shutthebox" && "score" in player) return `score ${player.score}`;
  if (state.kind !== "cantstop") return "";
  const won = player.won.length ? `: ${player.won.join(", ")}` : "";
  return `${player.won.length} of ${state.columns_to_win} columns${won}`;
}

function render({ model, el }) {
  const parts = {
    players: node("ul", { class: "players" }),
    field: node("div", { class: "field" }),
    said: node("p", { class: "said", role: "status", "aria-live": "polite" }),
    dice: node("div", { class: "dice" }),
    choices: node("div", { class: "choices", role: "group", "aria-label": "choices" }),
    basis: node("p", { class: "basis" }),
    tools: node("div", { class: "tools" }),
  };
  const side = node("div", { class: "side" },
    parts.said, parts.dice, parts.choices, parts.basis, parts.tools);
  const layout = node("div", { class: "layout" }, parts.players, parts.field, side);
  const root = node("section",
    { class: "backroll", tabindex: "0", "data-lm-suppress-shortcuts": "true" }, layout);
  el.append(root);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let board = null;
  let drawn = null;
  let thrown = "";

  function send(event, move = null) {
    if (model.get("locked")) return;
    const n = (model.get("chosen")?.n ?? 0) + 1;
    model.set("chosen", { event, move, position: model.get("state")?.position ?? null, n });
    model.save_changes();
  }

  function update() {
    const state = model.get("state");
    if (!state?.kind) return;
    const shape = `${state.kind} ${state.spec}`;
    if (drawn !== shape) {
      board = (BOARDS[state.kind] ?? plain)(state);
      parts.field.replaceChildren(board.element);
      drawn = shape;
    }
    root.setAttribute("aria-label", `board of ${state.spec}`);
    board.update(state);
    drawPlayers(state);
    drawDice(state);
    drawChoices(state);
    if (parts.said.textContent !== state.said) parts.said.textContent = state.said;
    parts.basis.textContent = state.basis;
  }

  function drawPlayers(state) {
    parts.players.replaceChildren(...state.players.map((player, seat) => {
      const now = state.turn === seat + 1;
      const won = state.winner === seat + 1;
      const flag = won ? "won" : now ? "to move" : "";
      const name = node("b", { class: `seat${seat + 1}` }, `${player.mark} ${player.name}`);
      return node("li", { class: `player${now || won ? " moves" : ""}` }, name,
        node("small", {}, standing(state, player)), node("small", { class: "flag" }, flag));
    }));
  }

  function drawDice(state) {
    const spent = !state.dice.length;
    const faces = spent ? state.last?.dice ?? [] : state.dice;
    const key = `${state.position} ${faces}`;
    const fresh = faces.length > 0 && key !== thrown && state.last?.rolled;
    thrown = key;
    const dice = faces.map((face) => die(face, `${fresh ? "tumbling" : ""} ${spent ? "spent" : ""}`));
    if (state.roll) dice.push(die(state.roll > 6 ? String(state.roll) : state.roll, ""));
    parts.dice.replaceChildren(...dice);
    const said = state.roll ? `rolled ${state.roll}` : `dice: ${faces.join(", ")}`;
    parts.dice.setAttribute("role", "img");
    parts.dice.setAttribute("aria-label", dice.length ? said : "no dice");
    parts.dice.style.display = dice.length || ["cantstop", "pig", "shutthebox"].includes(state.kind)
      ? "" : "none";
  }

  function preview(state, choice) {
    board.preview(choice);
    const pairs = choice ? pairing(state.dice, choice.move) : [];
    [...parts.dice.children].forEach((each, at) => {
      each.classList.toggle("pair1", pairs[at] === 1);
      each.classList.toggle("pair2", pairs[at] === 2);
    });
  }

  function drawChoices(state) {
    const focused = parts.choices.contains(document.activeElement);
    const buttons = state.choices.map((choice, at) => button(state, choice, at));
    parts.choices.classList.toggle("many", buttons.length > 3);
    parts.choices.replaceChildren(...buttons);
    drawLocked();
    if (focused) (buttons[0] ?? root).focus();
  }

  function button(state, choice, at) {
    const known = choice.value !== null;
    const best = known && choice.cost === 0;
    const key = keyOf(state, choice, at);
    const value = known ? figure(choice.value, state.quantity) : "";
    const cost = known ? (best ? "best" : `costs ${figure(choice.cost, state.quantity)}`) : "";
    const name = known ? `${choice.full}; ${value}, ${cost}` : choice.full;
    const made = node("button",
      { type: "button", "aria-label": name, "aria-keyshortcuts": key || null, class: best ? "best" : "" });
    if (key) made.append(node("kbd", { "aria-hidden": "true" }, key));
    made.append(node("b", {}, choice.label));
    if (known) made.append(node("span", { class: "worth" }, value, node("br"), cost));
    made.addEventListener("click", () => send("move", choice.move));
    for (const event of ["pointerenter", "focus"]) {
      made.addEventListener(event, () => preview(state, choice));
    }
    for (const event of ["pointerleave", "blur"]) {
      made.addEventListener(event, () => preview(state, null));
    }
    return made;
  }

  function keyOf(state, choice, at) {
    if (state.kind !== "plain" && choice.move === "roll") return "r";
    if (state.kind !== "plain" && ["stop", "hold"].includes(choice.move)) return "s";
    return at < 9 ? String(at + 1) : "";
  }

  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.defaultPrevented) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable='true']")) return;
    const state = model.get("state");
    const key = event.key.toLowerCase();
    const tool = (model.get("tools") ?? []).find((each) => WORDS[each]?.[0] === key);
    const choice = (state?.choices ?? []).find((each, at) => keyOf(state, each, at) === key) ??
      (/^[1-9]$/.test(key) ? state?.choices[Number(key) - 1] : undefined);
    if (!tool && !choice) return;
    event.preventDefault();
    event.stopPropagation(); // notebooks have meanings of their own for single letters
    if (tool) send(tool);
    else send("move", choice.move);
  }

  function drawTools() {
    parts.tools.replaceChildren(...(model.get("tools") ?? []).filter((each) => WORDS[each]).map((each) => {
      const [key, word] = WORDS[each];
      const made = node("button", { type: "button", "aria-keyshortcuts": key || null }, word);
      if (key) made.prepend(node("kbd", { "aria-hidden": "true" }, key));
      made.addEventListener("click", () => send(each));
      return made;
    }));
    drawLocked();
  }

  function drawLocked() {
    const locked = String(Boolean(model.get("locked")));
    for (const each of root.querySelectorAll("button")) each.setAttribute("aria-disabled", locked);
  }

  function drawStyle() {
    const theme = model.get("theme");
    const notebook = document.body.dataset.jpThemeLight; // JupyterLab says it there
    const night = notebook ? notebook === "false" : dark.matches;
    root.dataset.theme = theme === "light" || theme === "dark" ? theme : night ? "dark" : "light";
    root.toggleAttribute("data-still", model.get("animate") === false);
  }

  const keys = model.get("keyboard") === "page" ? document : root;
  const heard = [["state", update], ["locked", drawLocked], ["tools", drawTools],
    ["theme", drawStyle], ["animate", drawStyle]];
  for (const [trait, does] of heard) model.on(`change:${trait}`, does);
  keys.addEventListener("keydown", pressed);
  dark.addEventListener("change", drawStyle);
  drawStyle();
  update();
  drawTools();
  return () => {
    for (const [trait, does] of heard) model.off?.(`change:${trait}`, does);
    keys.removeEventListener("keydown", pressed);
    dark.removeEventListener("change", drawStyle);
    root.remove();
  };
}

export default { render };
