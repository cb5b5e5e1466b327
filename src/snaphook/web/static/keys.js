// j/k move, Enter opens, / searches, g and a letter goes, t changes the theme, ? tells.
const WAIT = 1500;
let going = 0;

export function listenToKeys(toggleTheme) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (document.querySelector("dialog[open]")) return;
    if (Date.now() - going < WAIT && go(event.key)) { event.preventDefault(); going = 0; return; }
    going = 0;
    const acts = {
      j: () => step(1), k: () => step(-1), t: toggleTheme,
      g: () => { going = Date.now(); },
      p: () => document.getElementById("pause")?.click(),
      "/": () => search(),
      "?": () => document.getElementById("keys").showModal(),
    };
    if (acts[event.key]) { event.preventDefault(); acts[event.key](); }
  });
}

function go(key) {
  const link = document.querySelector(`[data-go="${CSS.escape(key)}"]`);
  if (link) location.assign(link.href);
  return Boolean(link);
}

function search() {
  const box = document.getElementById("search");
  if (box) { box.focus(); box.select(); } else location.assign("/feed");
}

function step(by) {
  const rows = [...document.querySelectorAll(".row-link")].filter((row) => row.offsetParent !== null);
  if (!rows.length) {
    document.querySelector(`[data-key="${by > 0 ? "j" : "k"}"]`)?.click();
    return;
  }
  const here = rows.indexOf(document.activeElement);
  const next = here < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(here + by, 0), rows.length - 1);
  rows[next].focus();
  rows[next].scrollIntoView({ block: "nearest" });
}
