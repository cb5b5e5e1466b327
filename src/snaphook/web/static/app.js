// What every page has: the theme, the keyboard, local times, figures that stay fresh.
import { listenToKeys } from "./keys.js";
import { followFeed } from "./feed.js";
import { keepFresh } from "./fresh.js";
import { showLocalTimes } from "./times.js";

export function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("snaphook-theme", root.dataset.theme); } catch { /* for this page only */ }
}

document.getElementById("theme").addEventListener("click", toggleTheme);
document.getElementById("help").addEventListener("click", () => document.getElementById("keys").showModal());
for (const select of document.querySelectorAll("#filters select")) {
  select.addEventListener("change", () => submitLean(select.form));
}
for (const form of document.querySelectorAll("form[method=get]")) {
  form.addEventListener("submit", (event) => { event.preventDefault(); submitLean(form); });
}

// An address holds what was asked for and no empty words.
function submitLean(form) {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) asked.append(name, value);
  const query = asked.toString();
  location.assign(new URL(form.action).pathname + (query ? `?${query}` : ""));
}

showLocalTimes(document);
listenToKeys(toggleTheme);
followFeed();
keepFresh();
