/* Draws the timelines of the runs that are compared, one upon the other (see docs/experiments-and-compare.md, "The page"). */
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const GROUP = "runs";
  let over = "objects";

  const drawn = () => data.runs.filter((run) => run[over]);

  /** The beginnings of all buckets; runs end at different ones. */
  function axis() {
    const longest = Math.max(0, ...drawn().map((run) => run[over].rate.length));
    const step = over === "objects" ? data.bucketObjects : data.bucketSeconds;
    return { kind: over, values: Array.from({ length: longest }, (_, i) => i * step), origin: null };
  }

  const padded = (values, length) => Array.from({ length }, (_, i) => values[i] ?? null);

  function draw() {
    if (drawn().length === 0) return;
    const x = axis();
    const marks = data.changes.map((change) => ({ number: change.number, from: over === "objects" ? change.object : change.t, to: null, bad: false }));
    const one = (id, column, y, height) => {
      const series = drawn().map((run) => ({ name: run.name, values: padded(run[over][column], x.values.length), colour: run.colour }));
      Fedometer.chart(id, { x, y, series, marks, group: GROUP, height });
    };
    one("chart-runs-throughput", "rate", { unit: "" }, 280);
    one("chart-runs-p50", "p50", { unit: "ms", log: true }, 240);
    one("chart-runs-p99", "p99", { unit: "ms", log: true }, 240);
  }

  Fedometer.tables();
  Fedometer.themeButton(document.getElementById("theme"));
  draw();

  document.querySelectorAll("button[data-over]").forEach((button) => {
    button.addEventListener("click", () => {
      if (button.dataset.over === over) return;
      over = button.dataset.over;
      document.querySelectorAll("button[data-over]").forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      draw();
    });
  });
  document.querySelectorAll("button[data-all]").forEach((button) => button.addEventListener("click", () => Fedometer.charts.get("chart-runs-throughput")?.showAll()));
})();
