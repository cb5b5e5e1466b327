// Figures stay fresh: the page is fetched again and its live part replaced, while somebody looks.
import { showLocalTimes } from "./times.js";

const EVERY = 5000;

export function keepFresh() {
  if (!document.querySelector("[data-live]")) return;
  setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
}

async function refresh() {
  const link = document.getElementById("link");
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of document.querySelectorAll("[data-live]")) replace(part, page.getElementById(part.id));
    link.dataset.state = "ok";
  } catch {
    link.dataset.state = "gone";
    document.getElementById("news").textContent = "The dashboard is not responding; retrying.";
  }
}

// Left alone while somebody reads inside it: a selection, a focus, an open table.
function replace(part, fresh) {
  if (!fresh || part.innerHTML === fresh.innerHTML) return;
  if (part.contains(document.activeElement) || !getSelection().isCollapsed) return;
  const open = [...part.querySelectorAll("details")].map((each) => each.open);
  part.replaceChildren(...fresh.childNodes);
  part.querySelectorAll("details").forEach((each, number) => { each.open = open[number] ?? each.open; });
  showLocalTimes(part);
}
