/* Draws what a run's page has beside its timeline: studies, steps of the load, growth. Runs after run.js. */
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const COLOURS = Array.from({ length: 8 }, (_, i) => `c${i + 1}`);
  const NIELSEN = ["at once", "no break in thought", "the end of attention"];
  const limitLines = (millis) => millis.map((value, i) => ({ value, name: `${value / 1000} s: ${NIELSEN[i]}` }));

  // ---- scale study ----

  function drawScale() {
    const { scale } = data;
    if (!scale) return;
    const { sizes, operations, limitsMillis } = scale;
    const x = { kind: "number", name: "objects in the collection", unit: "", values: sizes, log: sizes.length > 1 };
    const chosen = document.getElementById("scale-operation");
    const failedAt = (some) => sizes.filter((_, i) => some.some((one) => one.failed[i] > 0)).map((size, i) => ({ number: i === 0 ? "failed" : "", from: size, bad: true }));
    const draw = () => {
      const alone = operations[Number(chosen.value)];
      const some = alone ? [alone] : operations;
      const series = some.map((one) => ({
        name: one.name,
        values: one.mean,
        colour: COLOURS[operations.indexOf(one) % COLOURS.length],
        dash: operations.indexOf(one) >= COLOURS.length ? [6, 3] : undefined,
        points: true,
        ...(alone ? { low: one.min, high: one.max } : {}),
      }));
      Fedometer.chart("chart-scale", { x, y: { unit: "ms", log: true }, series, marks: failedAt(some), lines: limitLines(limitsMillis), height: 380 });
    };
    chosen.append(Fedometer.element("option", { value: "all" }, "all operations"), ...operations.map((one, i) => Fedometer.element("option", { value: String(i) }, one.name)));
    chosen.closest("p").hidden = false;
    chosen.addEventListener("change", draw);
    draw();
  }

  // ---- datastream study ----

  function drawDatastreams() {
    const { datastreams } = data;
    if (!datastreams || datastreams.datastreams.length === 0) return;
    const values = datastreams.datastreams;
    Fedometer.chart("chart-datastreams", {
      x: { kind: "number", name: "datastreams of the object", unit: "", values, log: values.length > 1 },
      y: { unit: "ms", log: true },
      series: [{ name: "mean of an addition", values: datastreams.mean, low: datastreams.min, high: datastreams.max, colour: "c1", points: true }],
      lines: limitLines(datastreams.limitsMillis),
      marks: datastreams.limited ? [{ number: "limit", from: values[values.length - 1], bad: true }] : [],
      height: 300,
    });
  }

  // ---- steps ----

  const BAD = new Set(["errors", "not-held"]);

  function drawSteps() {
    if (!data.steps || data.steps.asked.length === 0) return;
    const byRate = data.steps.by === "rate";
    // In the order of what was asked for; what was asked for twice is moved apart by a hair.
    const order = data.steps.asked.map((_, i) => i).sort((a, b) => data.steps.asked[a] - data.steps.asked[b] || a - b);
    const of = (name) => order.map((i) => data.steps[name][i]);
    const asked = of("asked");
    const values = [];
    for (const value of asked) values.push(values.length > 0 && value <= values[values.length - 1] ? values[values.length - 1] * (1 + 1e-6) : value);
    const outcome = of("outcome");
    const reached = of("reached");
    const only = (which) => reached.map((value, i) => (which(outcome[i]) ? value : null));
    const x = { kind: "number", name: byRate ? "objects a second asked for" : "workers", unit: "", values };
    const clean = data.steps.highestCleanRate;
    const marks = clean === null ? [] : [{ number: "highest clean rate", from: clean, bad: false }];
    const series = [];
    if (byRate) series.push({ name: "asked for", values: asked, colour: "c8", dash: [6, 4], points: false });
    series.push({ name: "reached", values: reached, colour: "c1", points: true });
    if (outcome.some((one) => BAD.has(one))) series.push({ name: "reached in a step that was not clean", values: only((one) => BAD.has(one)), colour: "bad", points: "only" });
    if (outcome.includes("cut")) series.push({ name: "reached in a step that was cut short", values: only((one) => one === "cut"), colour: "c5", points: "only" });
    Fedometer.chart("chart-steps-rate", { x, y: { unit: "" }, series, marks, height: 280 });
    Fedometer.chart("chart-steps-latency", {
      x,
      y: { unit: "ms", log: true },
      series: [
        { name: "p50", values: of("p50"), colour: "c1", points: true },
        { name: "p95", values: of("p95"), colour: "c3", points: true },
        { name: "p99", values: of("p99"), colour: "c2", points: true },
        { name: "longest", values: of("max"), colour: "c4", points: true },
      ],
      marks,
      height: 280,
    });
    const bad = [
      { name: "failed requests", values: of("failed"), colour: "bad", points: true },
      { name: "late objects", values: of("late"), colour: "c5", dash: [6, 4], points: true },
    ];
    Fedometer.chart("chart-steps-bad", { x, y: { unit: "" }, series: bad, marks, height: 180 });
  }

  // ---- growth ----

  function drawGrowth() {
    const { growth, objects, curves } = data;
    if (growth && objects) {
      // A bucket's mean stands in its middle, the line where its points are.
      const values = objects.n.map((n) => n + objects.bucketObjects / 2);
      const middle = (growth.fromObjects + growth.toObjects) / 2;
      const middleMillis = (growth.fromMillis + growth.toMillis) / 2;
      const at = (n, microsPerThousand) => middleMillis + ((n - middle) * microsPerThousand) / 1e6;
      const steady = (of) => values.map((n) => (n < growth.fromObjects || n > growth.toObjects ? null : of(n)));
      Fedometer.chart("chart-growth", {
        x: { kind: "objects", values },
        y: { unit: "ms" },
        series: [
          { name: "mean time of an ingest", values: objects.mean, colour: "c6", points: "only" },
          {
            name: "line through the steady part",
            values: steady((n) => at(n, growth.slopeMicrosPerThousand)),
            low: steady((n) => Math.min(at(n, growth.low), at(n, growth.high))),
            high: steady((n) => Math.max(at(n, growth.low), at(n, growth.high))),
            colour: "c2",
            points: false,
          },
        ],
        height: 280,
      });
    }
    (curves ?? []).forEach((curve, i) => {
      const band = curve.low ? { low: curve.low, high: curve.high } : {};
      Fedometer.chart(`chart-curve-${i}`, { x: { kind: "objects", values: curve.n }, y: { unit: curve.unit }, series: [{ name: curve.title, values: curve.values, colour: "c1", points: curve.n.length < 30, ...band }], height: 170 });
    });
  }

  drawScale();
  drawDatastreams();
  drawSteps();
  drawGrowth();
})();
