// Times come in UTC and are shown in the reader's own zone.
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

// The whole of a time is written when somebody points at it: a busy feed has hundreds, twice a second.
document.addEventListener("pointerover", (event) => {
  const each = event.target.closest?.("time[datetime]");
  const moment = each && new Date(each.dateTime);
  if (moment && !isNaN(moment)) each.title = whole.format(moment);
});

export function showLocalTimes(root) {
  for (const each of root.querySelectorAll("time[data-clock]")) {
    const moment = new Date(each.dateTime);
    if (isNaN(moment)) continue;
    const old = Date.now() - moment.getTime() > 20 * 3600 * 1000;
    each.textContent = old ? day.format(moment) : clock.format(moment);
  }
}
