// Loaded before the first paint, so that nobody sees the wrong theme for a moment.
try {
  const chosen = localStorage.getItem("snaphook-theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
} catch { /* no storage: the system's wish holds */ }
