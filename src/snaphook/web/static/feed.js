// The live feed: batches from the server, at most two a second, into a list that stays short.
import { showLocalTimes } from "./times.js";

const MOST_ROWS = 300;
const MOST_FRESH = 30; // more at once need no light to be noticed
const NEWS_EVERY = 10_000;
const RETRY = [1000, 2000, 5000, 10_000];

export function followFeed() {
  const list = document.getElementById("feed");
  if (!list?.dataset.stream) return;
  const feed = new Feed(list);
  feed.connect();
  addEventListener("pagehide", () => feed.stop());
  addEventListener("pageshow", (event) => { if (event.persisted) feed.connect(); });
}

class Feed {
  constructor(list) {
    this.list = list;
    this.state = document.getElementById("feed-state");
    this.paused = false;
    this.waiting = [];
    this.news = { count: 0, stopped: 0, told: 0 };
    this.failures = 0;
    document.getElementById("pause").addEventListener("click", (event) => this.pause(event.currentTarget));
  }

  connect() {
    this.stop();
    this.source = new EventSource(this.list.dataset.stream);
    this.source.addEventListener("ready", () => { this.failures = 0; this.show("live", "live"); });
    this.source.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    this.source.addEventListener("error", () => this.fail());
  }

  stop() {
    clearTimeout(this.timer);
    this.source?.close();
  }

  // A server that is gone would be asked every two seconds by the browser; ask less and less often.
  fail() {
    this.stop();
    this.show("away", "connection lost, trying again");
    const wait = RETRY[Math.min(this.failures++, RETRY.length - 1)];
    this.timer = setTimeout(() => this.connect(), wait);
  }

  hear(batch) {
    if (batch.problem) { this.show("away", "database away, trying again"); return; }
    this.tell(batch);
    this.list.dataset.heard = Number(this.list.dataset.heard ?? 0) + batch.count;
    this.waiting.push(batch);
    this.letGo();
    if (this.paused) {
      this.show("paused", `paused, ${this.news.whilePaused += batch.count} new`);
    } else {
      if (this.state.dataset.state !== "live") this.show("live", "live");
      this.drawSoon();
    }
  }

  // A page that is paused or behind another tab keeps no more than it would show.
  letGo() {
    let newer = 0;
    const kept = this.waiting.findLastIndex((batch) => (newer += batch.shown) >= MOST_ROWS);
    if (kept > 0) this.waiting.splice(0, kept);
  }

  drawSoon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      if (!this.paused) for (const batch of this.waiting.splice(0)) this.draw(batch);
    });
  }

  draw(batch) {
    document.getElementById("feed-empty")?.remove();
    const made = document.createElement("template");
    made.innerHTML = batch.rows; // made and escaped by the template of the page itself
    showLocalTimes(made.content);
    const here = new Set([...this.list.children].map((row) => row.dataset.id));
    for (const row of made.content.querySelectorAll(".row")) {
      if (here.has(row.dataset.id)) row.remove();
      else row.classList.toggle("fresh", batch.shown <= MOST_FRESH);
    }
    this.list.prepend(made.content);
    this.trim();
    const note = document.getElementById("skipped");
    note.hidden = !batch.skipped;
    if (batch.skipped) note.textContent = `${batch.skipped} more events not shown; the list shows the newest.`;
  }

  // The row that somebody reads stays, whatever else has to go.
  trim() {
    const focused = document.activeElement?.closest(".row");
    while (this.list.children.length > MOST_ROWS) {
      const last = this.list.lastElementChild;
      (last === focused ? last.previousElementSibling : last).remove();
    }
  }

  pause(button) {
    this.paused = !this.paused;
    button.setAttribute("aria-pressed", String(this.paused));
    button.textContent = this.paused ? "Resume" : "Pause";
    this.news.whilePaused = 0;
    if (this.paused) { this.show("paused", "paused"); return; }
    this.show("live", "live");
    this.drawSoon();
  }

  // Said aloud at most every ten seconds, however much happens.
  tell(batch) {
    this.news.count += batch.count;
    this.news.stopped += batch.stopped;
    if (Date.now() - this.news.told < NEWS_EVERY) return;
    const { count, stopped } = this.news;
    document.getElementById("news").textContent = `${count} new decisions${stopped ? `, ${stopped} blocked` : ""}`;
    this.news = { ...this.news, count: 0, stopped: 0, told: Date.now() };
  }

  show(state, words) {
    this.state.dataset.state = state;
    this.state.textContent = words;
  }
}
