// The page works without this: it shows a tile's cases, copies reproducers and opens the finding that a link names.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const panel = document.getElementById("panel");
  document.documentElement.classList.add("js");

  // Text only ever becomes text: nothing from a result file is read as HTML.
  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function listOfCases(cases) {
    const details = make("details");
    details.append(make("summary", "", cases.length === 1 ? "1 case" : cases.length + " cases"));
    const list = make("ul");
    for (const [name, verdict, rule] of cases) {
      const item = make("li");
      item.append(make("code", "", name), " " + data.words[verdict]);
      if (data.words[rule]) item.append(" ", make("code", "soft", data.words[rule]));
      list.append(item);
    }
    details.append(list);
    return details;
  }

  // What became of one class of shapes.
  function section(tile) {
    const [, , shapes, standing, what, findings, cases] = tile;
    const info = data.standings[standing];
    const element = make("section");
    const mark = make("i", "m " + info.name, info.mark);
    mark.setAttribute("aria-hidden", "true");
    element.append(mark, " ", make("b", "", data.shapes[shapes]), " " + info.name + ": " + what);
    if (findings.length) {
      const list = make("ul");
      for (const finding of findings) {
        const item = make("li");
        const link = make("a", "", data.findings[finding]);
        link.href = "#f" + finding;
        item.append(link);
        list.append(item);
      }
      element.append(list);
    }
    if (cases.length) element.append(listOfCases(cases));
    return element;
  }

  let shown = null;
  function close() {
    if (shown) shown.setAttribute("aria-expanded", "false");
    shown = null;
    panel.hidden = true;
  }
  function show(button) {
    if (shown === button) return;
    close();
    shown = button;
    button.setAttribute("aria-expanded", "true");
    const [row, column] = button.dataset.at.split(",").map(Number);
    const header = make("header");
    header.append(make("h3", "", data.rows[row] + (data.columns[column] ? ", " + data.columns[column] : "")));
    const x = make("button", "", "Close");
    x.addEventListener("click", () => { const back = shown; close(); if (back) back.focus({preventScroll: true}); close(); });
    header.append(x);
    panel.replaceChildren(header);
    for (const tile of data.tiles) {
      if (tile[0] === row && tile[1] === column) panel.append(section(tile));
    }
    panel.hidden = false;
  }

  // One stop for the tab key; arrows walk the mosaic.
  const buttons = [...document.querySelectorAll("button.t")];
  const at = new Map(buttons.map((button) => [button.dataset.at, button]));
  function enter(button) {
    for (const one of buttons) one.tabIndex = one === button ? 0 : -1;
  }
  const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
  function next(button, [down, right]) {
    let [row, column] = button.dataset.at.split(",").map(Number);
    for (;;) {
      row += down;
      column += right;
      if (row < 0 || column < 0 || row >= data.rows.length || column >= data.columns.length) return null;
      const found = at.get(row + "," + column);
      if (found) return found;
    }
  }
  // Of its own accord: a page that has not the window's focus yet hears of no focus event.
  function visit(button) {
    const fold = button.closest("details");
    if (fold) fold.open = true;
    button.focus();
    enter(button);
    show(button);
  }
  for (const button of buttons) {
    button.addEventListener("focus", () => { enter(button); show(button); });
    button.addEventListener("click", () => show(button));
    button.addEventListener("keydown", (event) => {
      const to = event.key in steps ? next(button, steps[event.key]) : null;
      if (event.key in steps) event.preventDefault();
      if (to) visit(to);
    });
  }
  if (buttons.length) enter(document.querySelector("button.t.urgent") || buttons[0]);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });

  async function copy(button) {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }
  for (const button of document.querySelectorAll("button.copy")) button.addEventListener("click", () => copy(button));

  // #f3 names a finding, #tile=add/f32 a tile.
  function follow() {
    const hash = decodeURIComponent(location.hash.slice(1));
    if (hash.startsWith("tile=")) {
      const [name, type] = hash.slice(5).split("/");
      const button = at.get(data.rows.indexOf(name) + "," + data.columns.indexOf(type || ""));
      if (button) visit(button);
      return;
    }
    const target = hash && document.getElementById(hash);
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    if (target) target.scrollIntoView();
  }
  addEventListener("hashchange", follow);
  follow();
})();
