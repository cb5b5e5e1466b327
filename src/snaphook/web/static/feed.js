// The live feed: batches from the server, at most two a second, into a list that stays short.
import { showLocalTimes } from "./times.js";

const MOST_ROWS = 300;
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

  // A server that is gone for good would be asked every two seconds by the browser; ask less and less often.
  fail() {
    this.stop();
    this.show("away", "connection lost, trying again");
    const wait = RETRY[Math.min(this.failures++, RETRY.length - 1)];
    this.timer = setTimeout(() => this.connect(), wait);
  }

  hear(batch) {
    if (batch.problem) { this.show("away", "database away, trying again"); return; }
    if (this.state.dataset.state !== "live") this.show("live", "live");
    this.tell(batch);
    if (this.paused) {
      this.waiting.push(batch);
      if (this.waiting.length > 20) this.waiting.shift();
      this.show("paused", `paused, ${this.news.whilePaused += batch.count} new`);
    } else {
      requestAnimationFrame(() => this.draw(batch));
    }
  }

  draw(batch) {
    document.getElementById("feed-empty")?.remove();
    const made = document.createElement("template");
    made.innerHTML = batch.rows; // made and escaped by the template of the page itself
    showLocalTimes(made.content);
    for (const row of made.content.querySelectorAll(".row")) {
      if (this.list.querySelector(`[data-id="${CSS.escape(row.dataset.id)}"]`)) row.remove();
      else row.classList.add("fresh");
    }
    const focused = document.activeElement?.closest(".row");
    this.list.prepend(made.content);
    while (this.list.children.length > MOST_ROWS && this.list.lastElementChild !== focused) {
      this.list.lastElementChild.remove();
    }
    const note = document.getElementById("skipped");
    note.hidden = !batch.skipped;
    if (batch.skipped) note.textContent = `${batch.skipped} more came than fit; the list shows the newest.`;
  }

  pause(button) {
    this.paused = !this.paused;
    button.setAttribute("aria-pressed", String(this.paused));
    button.textContent = this.paused ? "Go on" : "Pause";
    this.news.whilePaused = 0;
    if (this.paused) { this.show("paused", "paused"); return; }
    this.show("live", "live");
    for (const batch of this.waiting.splice(0)) this.draw(batch);
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
