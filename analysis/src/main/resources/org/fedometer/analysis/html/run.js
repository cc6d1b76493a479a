/* Draws the report of one run from the data in its page (see docs/report.md, "The page"). */
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const GROUP = "timeline";
  const COLOURS = Array.from({ length: 8 }, (_, i) => `c${i + 1}`);
  let over = "time";

  // ---- two axes ----

  /** Objects ingested up to a time, between the ends of buckets in a straight line. */
  function objectsAt(t) {
    const { t: begins, objects, bucketSeconds } = data.time;
    if (t <= begins[0]) return 0;
    let low = 0;
    let high = begins.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (begins[middle] <= t) low = middle;
      else high = middle - 1;
    }
    const before = low === 0 ? 0 : objects[low - 1];
    return before + (objects[low] - before) * Math.min(1, (t - begins[low]) / bucketSeconds);
  }

  /** An axis on which every place comes after the one before, as a chart needs it. */
  function rising(values) {
    let last = -Infinity;
    return values.map((value) => {
      last = value > last ? value : last + Math.max(1e-6, Math.abs(last) * 1e-9);
      return last;
    });
  }
  const axis = (t) => (over === "objects" ? { kind: "objects", values: rising(t.map(objectsAt)) } : { kind: "time", values: t, origin: data.origin.epochMillis });
  const place = (t) => (t === null || t === undefined ? null : over === "objects" ? objectsAt(t) : t);

  const BAD = new Set(["outage", "failure"]);
  // Steps follow upon each other: shades of them all would hide those of warm-up and pauses.
  const marks = () =>
    (data.marks ?? [])
      .filter((mark) => mark.kind !== "phase")
      .map((mark) => ({ number: data.marks.indexOf(mark) + 1, name: mark.kind, from: place(mark.t), to: mark.kind === "step" ? null : place(mark.end), bad: BAD.has(mark.kind) }));

  // ---- charts ----

  // Told apart without their colours, too.
  const latencyLines = (of) => [
    { name: "p50", values: of.p50, colour: "c1" },
    { name: "p95", values: of.p95, colour: "c3", dash: [7, 3] },
    { name: "p99", values: of.p99, colour: "c2", dash: [7, 2, 2, 2] },
    { name: "longest", values: of.max, colour: "c4", dash: [2, 2] },
    { name: "mean", values: of.mean, colour: "c8", hidden: true },
    { name: "shortest", values: of.min, colour: "c5", hidden: true },
  ];

  function drawIngest() {
    const { time, objects } = data;
    if (!time) return;
    const byObjects = over === "objects" && objects;
    const of = byObjects ? objects : time;
    const x = byObjects ? { kind: "objects", values: objects.n } : axis(time.t);
    const rate = { name: "objects a second", values: of.rate, colour: "c1", fill: true };
    if (!byObjects && time.rateLow && time.rateLow.some((value) => value !== null)) {
      rate.low = time.rateLow;
      rate.high = time.rateHigh;
    }
    Fedometer.chart("chart-throughput", { x, y: { unit: "" }, series: [rate], marks: marks(), group: GROUP });
    Fedometer.chart("chart-latency", { x, y: { unit: "ms", log: true }, series: latencyLines(of), marks: marks(), group: GROUP, height: 260 });
    if (time.response) {
      Fedometer.chart("chart-response", { x: axis(time.t), y: { unit: "ms", log: true }, series: latencyLines(time.response), marks: marks(), group: GROUP, height: 260 });
    }
    if (time.failed.some((count) => count > 0)) {
      Fedometer.chart("chart-failed", { x: axis(time.t), y: { unit: "" }, series: [{ name: "failed requests", values: time.failed, colour: "bad", bars: true }], marks: marks(), group: GROUP, height: 140 });
    }
    if (data.heat) {
      const { heat } = data;
      const edges = heat.edgesMillis;
      Fedometer.chart("chart-heat", {
        x: axis(heat.t),
        y: { unit: "ms", log: true },
        series: [{ name: "requests", values: heat.t.map(() => edges[0]), colour: "c1" }],
        heat: { edges, cells: heat.cells },
        marks: marks(),
        group: GROUP,
        height: 260,
      });
    }
  }

  function drawStages() {
    const { stages } = data;
    if (!stages) return;
    const others = stages.names.indexOf("others");
    const colourOf = (i) => (i === others ? "c8" : COLOURS[others >= 0 && i > others ? i - 1 : i]);
    const series = stages.names.map((name, i) => ({ name: stages.outside[i] ? `${name} (outside requests)` : name, values: stages.self[i], colour: colourOf(i) }));
    Fedometer.chart("chart-stages", { x: axis(stages.t), y: { unit: "threads" }, series, stacked: true, marks: marks(), group: GROUP, height: 320 });
  }

  function drawMachine() {
    if (data.gc) {
      Fedometer.chart("chart-gc", {
        x: axis(data.gc.t),
        y: { unit: "1" },
        series: [{ name: "share of time stopped", values: data.gc.share, colour: "c2", fill: true }],
        marks: marks(),
        group: GROUP,
        height: 160,
      });
      Fedometer.chart("chart-gc-longest", { x: axis(data.gc.t), y: { unit: "ms" }, series: [{ name: "longest stop", values: data.gc.max, colour: "c2", bars: true }], marks: marks(), group: GROUP, height: 160 });
    }
    drawTelemetry();
  }

  /** What is looked at together: title, unit, lines by the metric's id. All others have a chart of their own. */
  const TOGETHER = [
    ["Processors in use", "cores", { "fedora.process.cpu.time": "Fedora", "database.process.cpu.time": "database", "driver.process.cpu.time": "driver", "jvm.compilation.time": "compilers of Fedora's JVM" }],
    ["Heap of Fedora's JVM", "B", { "jvm.memory.used.heap": "used", "jvm.memory.committed.heap": "committed" }],
    ["Resident memory", "B", { "fedora.process.memory.usage": "Fedora", "database.process.memory.usage": "database", "driver.process.memory.usage": "driver" }],
    ["Disks below Fedora's home and its own database", "B/s", { "system.disk.written": "written", "system.disk.read": "read" }],
    ["Read from disk by processes", "B/s", { "fedora.process.disk.read": "Fedora", "database.process.disk.read": "database", "driver.process.disk.read": "driver" }],
    ["Threads of Fedora's JVM", "", { "jvm.thread.count": "all", "jvm.thread.count.blocked": "blocked" }],
  ];

  /** Columns of several sources over one time; where one has no reading it has none. */
  function joined(all) {
    const t = [...new Set(all.flatMap((readings) => readings.t))].sort((a, b) => a - b);
    const place = new Map(t.map((value, i) => [value, i]));
    const spread = (readings, column) => {
      const values = Array(t.length).fill(null);
      readings.t.forEach((at, i) => {
        values[place.get(at)] = column[i];
      });
      return values;
    };
    return { t, columns: all.map((readings) => ["mean", "low", "high"].map((name) => spread(readings, readings[name]))) };
  }

  function drawTelemetry() {
    // Of several sources, such as two drivers, each has readings of one metric, and a title that names it.
    const known = new Map();
    for (const readings of data.telemetry ?? []) {
      if (!known.has(readings.id)) known.set(readings.id, []);
      known.get(readings.id).push(readings);
    }
    // The agent's reading of the same process only if no other source reads it.
    if (known.has("fedora.process.cpu.time")) known.delete("jvm.cpu.time");
    if (data.gc) [...known.keys()].filter((id) => id.startsWith("jvm.gc.time.")).forEach((id) => known.delete(id));
    const named = (id, name) => known.get(id).map((readings) => [readings, known.get(id).length > 1 ? readings.title : name]);
    const groups = TOGETHER.map(([title, unit, lines]) => [title, unit, Object.entries(lines).flatMap(([id, name]) => (known.has(id) ? named(id, name) : []))]).filter((group) => group[2].length > 0);
    const grouped = new Set(groups.flatMap((group) => group[2].map(([readings]) => readings.id)));
    for (const [id, all] of known) {
      if (!grouped.has(id)) all.forEach((readings) => groups.push([readings.title, readings.unit, [[readings, readings.title]]]));
    }
    const host = document.getElementById("telemetry");
    const ids = new Map();
    for (const [title, unit, lines] of groups) {
      const metric = `chart-${lines[0][0].id.replace(/[^a-z0-9]+/gi, "-")}`;
      const before = ids.get(metric) ?? 0;
      ids.set(metric, before + 1);
      const id = before === 0 ? metric : `${metric}-${before + 1}`;
      if (!document.getElementById(id)) host.append(Fedometer.figure(id, title, null, false));
      const { t, columns } = joined(lines.map(([readings]) => readings));
      const series = lines.map(([, name], i) => ({ name, values: columns[i][0], low: columns[i][1], high: columns[i][2], colour: COLOURS[i % COLOURS.length] }));
      Fedometer.chart(id, { x: axis(t), y: { unit }, series, gaps: false, marks: marks(), group: GROUP, height: 160 });
    }
  }

  function draw() {
    drawIngest();
    drawStages();
    drawMachine();
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
  document.querySelectorAll("button[data-all]").forEach((button) => button.addEventListener("click", () => Fedometer.charts.forEach((chart) => chart.spec.group === GROUP && chart.showAll())));

  // What is nested deep is small; a click shows a part over the whole width.
  document.querySelectorAll(".icicle .node").forEach((node) => {
    node.addEventListener("click", () => Icicle.show(node));
  });
  const Icicle = {
    show(node) {
      const root = node.closest(".icicle");
      const item = node.closest("li");
      const whole = item.dataset.whole === "true";
      root.querySelectorAll("li").forEach((li) => {
        delete li.dataset.whole;
        li.style.width = li.dataset.width;
        li.hidden = false;
      });
      if (whole) return;
      item.dataset.whole = "true";
      for (let li = item; li && root.contains(li); li = li.parentElement.closest("li")) {
        li.style.width = "100%";
        for (const sibling of li.parentElement.children) if (sibling !== li) sibling.hidden = true;
      }
    },
  };
})();
