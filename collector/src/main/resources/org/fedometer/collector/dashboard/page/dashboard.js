/*
 * The live dashboard: asks the collector that served it for its runs, follows one by server-sent events, compares two.
 * Whatever a run says is put into the page as text.
 */
"use strict";
(() => {
  const { element, format, elapsed, timeOfDay } = Fedometer;
  const content = document.getElementById("content");
  const COLOURS = Array.from({ length: 8 }, (_, i) => `c${i + 1}`);
  const RUNS_EVERY_MILLIS = 5000;
  const SOON_MILLIS = 1000;
  const MAX_RETRY_DELAY_MILLIS = 30000;
  const MAX_LOGS = 200;
  const MAX_ERRORS = 100;

  const count = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en-US"));
  const isKnown = (value) => value !== null && value !== undefined;
  /** As the agent's memory is given, in the option and by `status`: in units of 1024 times 1024. */
  const mebibytes = (bytes) => (isKnown(bytes) ? (bytes / 1048576).toLocaleString("en-US", { maximumFractionDigits: 1 }) : "–");
  const said = (value) => (value === null || value === undefined || value === "" ? "–" : String(value));

  /** A part of the address; as it is where it cannot be decoded. */
  const decoded = (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  };

  // ---- asking ----

  const TOKEN = "fedometer-token";

  /** The token of this tab: given in the address behind #token=, which no server sees, or asked for. */
  const login = {
    dialog: document.getElementById("login"),
    given: null,
    get token() {
      try {
        return this.given ?? sessionStorage.getItem(TOKEN);
      } catch {
        return this.given;
      }
    },
    store(token) {
      this.given = token;
      try {
        sessionStorage.setItem(TOKEN, token);
      } catch {
        // A browser that keeps nothing: then it is asked for again when the page is loaded again.
      }
    },
    fromAddress() {
      const given = /^#token=(.*)$/.exec(location.hash);
      if (given) {
        history.replaceState(null, "", `${location.pathname}#/`);
        this.store(decoded(given[1]));
      }
    },
    pending: null,
    request() {
      this.pending ??= new Promise((resolve) => {
        const input = document.getElementById("token");
        document.getElementById("login-error").textContent = this.token ? "The collector does not accept this token." : "";
        input.value = "";
        this.dialog.showModal();
        this.dialog.addEventListener(
          "close",
          () => {
            this.store(input.value.trim());
            this.pending = null;
            resolve();
          },
          { once: true },
        );
      });
      return this.pending;
    },
  };

  /** An answer of the collector; asks for the token where one is needed. */
  async function ask(path, signal) {
    for (;;) {
      const headers = login.token ? { Authorization: `Bearer ${login.token}` } : {};
      const answer = await fetch(path, { headers, signal, cache: "no-store" });
      if (answer.status !== 401) return answer;
      await login.request();
    }
  }

  async function refusal(answer) {
    let why = `${answer.status}`;
    try {
      why = (await answer.json()).error ?? why;
    } catch {
      // Said in no JSON: the number has to do.
    }
    return Object.assign(new Error(why), { status: answer.status });
  }

  async function askJson(path, signal) {
    const answer = await ask(path, signal);
    if (!answer.ok) throw await refusal(answer);
    return answer.json();
  }

  const status = document.getElementById("status");
  function tell(text) {
    if (status.textContent !== text) status.textContent = Fedometer.safe(text);
  }

  const sleep = (millis, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, millis);
      signal.addEventListener("abort", end);
    });

  /**
   * Calls back with each event of a stream, and begins again when it breaks; returns when it has ended for good. What is
   * thrown by whom it calls is no fault of the collector's, and ends it.
   */
  async function follow(path, signal, onEvent, isOver) {
    let wait = 1000;
    while (!signal.aborted) {
      let why = "";
      let reader = null;
      let calling = false;
      try {
        const answer = await ask(path, signal);
        // 400: what can be no run's name.
        if (answer.status === 404 || answer.status === 400) return "unknown";
        if (!answer.ok) throw await refusal(answer);
        reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (;;) {
          const { value, done } = await reader.read();
          if (done) break;
          tell("");
          wait = 1000;
          rest += value;
          const events = rest.split("\n\n");
          rest = events.pop();
          for (const text of events) {
            const name = /^event: ?(.*)$/m.exec(text)?.[1];
            const data = /^data: ?(.*)$/m.exec(text)?.[1];
            if (name === "end") return "ended";
            if (name && data) {
              const event = JSON.parse(data);
              calling = true;
              onEvent(name, event);
              calling = false;
            }
          }
        }
      } catch (error) {
        if (calling) {
          // Otherwise the collector would continue to send.
          reader.cancel().catch(() => {});
          throw error;
        }
        why = error.status ? ` (${error.message})` : "";
      }
      if (signal.aborted) return "left";
      if (isOver()) return "over";
      tell(`The collector does not answer${why}; trying again …`);
      await sleep(wait, signal);
      wait = Math.min(MAX_RETRY_DELAY_MILLIS, wait * 2);
    }
    return "left";
  }

  // ---- pieces of pages ----

  const STATES = { done: "good", ended: "good", imported: "good", "done-with-errors": "bad", failed: "bad", interrupted: "warning", running: "warning", monitoring: "warning" };

  function stateOf(run) {
    if (run.state === "running") return run.open ? "running" : "abandoned";
    return run.state;
  }
  /** Runs in these states may continue: a sender can come back. */
  const IN_PROGRESS = new Set(["running", "monitoring", "unknown"]);
  /** Whether more comes of it now; a collector keeps a run open for a while after its end. */
  const isUnderWay = (run) => run.open && IN_PROGRESS.has(run.state);
  const badge = (run) => element("span", { class: `badge ${STATES[run.state] ?? "warning"}` }, stateOf(run));

  /** A table whose body is exchanged; columns [title, isNumber]. Without rows its text is shown instead. */
  function liveTable(name, caption, columns, tall = true, empty = "None.") {
    const body = element("tbody");
    const table = element(
      "table",
      { "data-csv": name },
      element("caption", { class: "hidden" }, caption),
      element("thead", {}, element("tr", {}, ...columns.map(([title, isNumber]) => element("th", { scope: "col", class: isNumber ? "number" : null }, title)))),
      body,
    );
    const scroll = element("div", { class: tall ? "scroll tall" : "scroll", tabindex: "0", role: "region", "aria-label": caption }, table);
    const rows = () => [columns.map(([title, , unit]) => (unit ? `${title} (${unit})` : title)), ...[...body.rows].map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent))];
    const none = element("p", { class: "faint", hidden: "" }, empty);
    const host = element("div", {}, none, scroll, element("div", { class: "tools" }, Fedometer.csvLink(() => `${document.body.dataset.file ?? "fedometer"}-${name}.csv`, rows, caption)));
    return {
      host,
      size: () => body.rows.length,
      show(list) {
        list.forEach((cells, at) => {
          const row = element(
            "tr",
            {},
            ...cells.map((cell, i) => {
              const { text, value, style } = typeof cell === "object" && cell !== null && !(cell instanceof Node) ? cell : { text: cell };
              return element(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : null, class: [columns[i][1] ? "number" : "", style ?? ""].join(" ").trim() || null, "data-value": value, "data-title": columns[i][0] }, text instanceof Node ? text : said(text));
            }),
          );
          // A row that stays as it is keeps what is selected or focused in it.
          const before = body.rows[at];
          if (!before) body.append(row);
          else if (!before.isEqualNode(row)) before.replaceWith(row);
        });
        while (body.rows.length > list.length) body.lastChild.remove();
        none.hidden = list.length > 0;
        for (const part of host.children) if (part !== none) part.hidden = list.length === 0;
      },
    };
  }
  const number = (text, value, style) => ({ text, value: value === null || value === undefined ? "" : String(value), style });

  function facts(pairs) {
    const list = element("dl", { class: "facts" });
    for (const [name, value] of pairs) {
      if (value === null || value === undefined || value === "") continue;
      list.append(element("dt", {}, name), element("dd", {}, value));
    }
    return list;
  }
  const pairs = (map) => Object.entries(map ?? {}).map(([name, value]) => `${name} ${value}`).join(", ");

  function section(id, title, ...children) {
    return element("section", { "aria-labelledby": id }, element("h2", { id }, title), ...children);
  }

  function tiles() {
    const list = element("dl", { class: "tiles" });
    const known = new Map();
    return {
      host: list,
      show(name, value, note) {
        if (!known.has(name)) {
          const dd = element("dd");
          list.append(element("div", {}, element("dt", {}, name), dd));
          known.set(name, dd);
        }
        known.get(name).replaceChildren(value, note ? element("small", {}, note) : "");
      },
      drop(name) {
        known.get(name)?.parentElement.remove();
        known.delete(name);
      },
    };
  }

  const runLink = (name) => `#/run/${encodeURIComponent(name)}`;

  // ---- all runs ----

  async function runsPage(signal) {
    document.title = "Runs – Fedometer";
    delete document.body.dataset.file;
    document.getElementById("place").textContent = "";
    const chosen = new Set();
    const table = liveTable("runs", "Runs of this store, newest first", [["run"], ["state"], ["objects", true], ["objects/s", true], ["profile"], ["dataset"], ["started"], ["took", true], ["Fedometer"], ["Fedora"], ["Java"], ["database"], ["experiment"]], false, "");
    const filter = element("input", { type: "search", id: "filter", placeholder: "name, profile, state …" });
    const compare = element("button", { type: "button", disabled: "" }, "Compare the two chosen");
    const more = element("p", { class: "faint" });
    const none = element("p", { role: "status" });
    content.replaceChildren(element("h1", {}, "Runs"), element("div", { class: "row" }, element("label", { for: "filter" }, "Filter"), filter, compare, element("span", { class: "faint" }, "Tick two runs to compare them.")), table.host, none, more);
    let runs = [];
    const show = () => {
      const wanted = filter.value.toLowerCase();
      const focused = document.activeElement?.dataset?.key;
      table.show(
        runs
          .filter((run) => !wanted || [run.name, stateOf(run), run.profile, run.dataset, run.experiment?.name].some((text) => (text ?? "").toLowerCase().includes(wanted)))
          .map((run) => {
            const box = element("input", { type: "checkbox", "aria-label": `Compare ${run.name}`, "data-key": `compare ${run.name}` });
            box.checked = chosen.has(run.name);
            box.addEventListener("change", () => {
              if (box.checked) chosen.add(run.name);
              else chosen.delete(run.name);
              compare.disabled = chosen.size !== 2;
            });
            const commit = run.versions?.["fedometer.gitCommit"];
            return [
              { text: element("span", { class: "pick" }, box, element("a", { href: runLink(run.name), "data-key": `run ${run.name}` }, run.name)), value: run.name },
              { text: badge(run), value: stateOf(run) },
              number(count(run.objects), run.objects),
              number(run.objectsPerSecond === null ? "–" : format(run.objectsPerSecond, ""), run.objectsPerSecond),
              run.profile,
              run.dataset,
              run.started ? timeOfDay(Date.parse(run.started)) : null,
              number(run.durationMillis === null ? "–" : elapsed(Math.round(run.durationMillis / 1000)), run.durationMillis),
              [run.versions?.fedometer, commit ? commit.slice(0, 12) : null].filter(Boolean).join(" "),
              run.versions?.fedora,
              run.versions?.java,
              run.versions?.database,
              run.experiment ? `${run.experiment.name}: ${run.experiment.label} ${run.experiment.repetition}` : "",
            ];
          }),
      );
      none.textContent = runs.length > 0 && table.size() === 0 ? `No run has “${filter.value}” in its name, state, profile, dataset or experiment.` : "";
      if (focused) table.host.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    };
    filter.addEventListener("input", show);
    compare.addEventListener("click", () => {
      const [a, b] = chosen;
      location.hash = `#/compare/${encodeURIComponent(a)}/${encodeURIComponent(b)}`;
    });
    /** They could not be deselected any more. */
    const forgetThoseThatAreGone = () => {
      const names = new Set(runs.map((run) => run.name));
      for (const name of chosen) if (!names.has(name)) chosen.delete(name);
      compare.disabled = chosen.size !== 2;
    };
    let before = "";
    while (!signal.aborted) {
      let answer = null;
      try {
        answer = await askJson("api/runs", signal);
      } catch (error) {
        if (signal.aborted) return;
        tell(`The collector does not answer (${error.message}); trying again …`);
      }
      if (answer) {
        const now = JSON.stringify(answer.runs);
        if (now !== before) {
          before = now;
          runs = answer.runs;
          forgetThoseThatAreGone();
          show();
        }
        more.textContent = answer.more > 0 ? `${count(answer.more)} older runs are not listed.` : runs.length === 0 ? "No run yet." : "";
        tell("");
      }
      await sleep(RUNS_EVERY_MILLIS, signal);
    }
  }

  // ---- one run ----

  /** Phases of a run in which nothing is ingested any more. */
  const AFTER_LOADING = new Set(["drain", "verify", "index", "stop"]);

  const WHOLE_RUN_NOTE = "Covers the whole run, including Fedora's start and Fedometer's counting and verification; a report covers only the ingest.";

  const TELEMETRY = [
    ["Processors", "cores", { "fedora.process.cpu.time": "Fedora", "jvm.cpu.time": "Fedora's JVM", "database.process.cpu.time": "database", "driver.process.cpu.time": "driver" }],
    ["Machine: share of its processors", "1", { "jvm.system.cpu.utilization": "machine" }],
    ["Heap of Fedora's JVM", "B", { "jvm.memory.used.heap": "used", "jvm.memory.limit.heap": "limit" }],
    ["Resident memory", "B", { "fedora.process.memory.usage": "Fedora", "database.process.memory.usage": "database", "driver.process.memory.usage": "driver" }],
    ["Disks below Fedora's home and its own database", "B/s", { "system.disk.written": "written", "system.disk.read": "read" }],
    ["Free disk of FEDORA_HOME", "B", { "fedora.home.disk.free": "free" }],
    ["Threads of Fedora's JVM", "", { "jvm.thread.count": "threads" }],
    ["Longest hiccup of Fedora's JVM", "s", { "jvm.hiccup.max": "hiccup" }],
  ];

  /** What has come of a run so far; updates are put in place. */
  class Timeline {
    constructor(snapshot) {
      // Anybody gives these names; no object may know "constructor" of its own accord.
      const named = (columns) => Object.assign(Object.create(null), columns);
      this.all = { ...snapshot, others: named(snapshot.others), telemetry: named(snapshot.telemetry) };
    }

    update(update) {
      const { all } = this;
      const { first } = update;
      const put = (column, more) => {
        column.length = Math.min(column.length, first);
        while (column.length < first) column.push(null);
        column.push(...more);
      };
      const putNamed = (columns, more) => {
        for (const name of Object.keys(more)) {
          columns[name] ??= Array.isArray(more[name]) ? [] : { unit: more[name].unit, values: [] };
          if (Array.isArray(more[name])) put(columns[name], more[name]);
          else put(columns[name].values, more[name].values);
        }
      };
      for (const name of ["objects", "failed", "p50", "p95", "p99", "max"]) put(all[name], update[name]);
      putNamed(all.others, update.others);
      putNamed(all.telemetry, update.telemetry);
      put(all.gc.seconds, update.gc.seconds);
      put(all.gc.max, update.gc.max);
      update.stageSeries.self.forEach((own, i) => put(all.stageSeries.self[i], own));
      if (update.stages) {
        const byName = new Map(all.stages.map((stage) => [stage.name, stage]));
        update.stages.forEach((stage) => byName.set(stage.name, stage));
        all.stages = [...byName.values()].sort((a, b) => b.selfMillis - a.selfMillis);
        all.stagesMore = update.stagesMore;
      }
      all.logs = all.logs.concat(update.logs).slice(-MAX_LOGS);
      all.errors = all.errors.concat(update.errors).slice(-MAX_ERRORS);
      all.progress = update.progress;
      all.sources = update.sources;
      all.sourcesMore = update.sourcesMore;
      all.run = update.run ?? all.run;
      all.incomplete = update.incomplete;
      all.loading = update.loading;
      all.atEpochMillis = update.atEpochMillis;
    }

    /** Index of the first bucket with a request, where charts begin; 0 for a run without a load. */
    get first() {
      const { all } = this;
      const begins = [all.objects, all.failed, ...Object.values(all.others)].map((column) => column.findIndex((value) => value > 0)).filter((i) => i >= 0);
      return begins.length === 0 ? 0 : Math.min(...begins);
    }

    /** The buckets of a column from the first request on. */
    loaded(column) {
      return column.slice(this.first);
    }

    /** Where each bucket from the first request on begins, seconds since the first of them. */
    get t() {
      return this.loaded(this.all.objects).map((_, i) => i * this.all.bucketSeconds);
    }

    /** By the second; the newest bucket is not over, and one that has only begun says nothing yet. */
    perSecond(column) {
      const { all } = this;
      return column.map((value, i) => {
        if (value === null || value === undefined) return null;
        if (!all.run.open || i < column.length - 1) return value / all.bucketSeconds;
        const passed = Math.min(all.bucketSeconds, all.atEpochMillis / 1000 - all.from - i * all.bucketSeconds);
        return passed < all.bucketSeconds / 5 ? null : value / passed;
      });
    }

    /** As long as the others: what is at the end of a run has no reading. */
    padded(column) {
      const { length } = this.all.objects;
      return column.length < length ? column.concat(Array(length - column.length).fill(null)) : column.slice(0, length);
    }
  }

  async function runPage(name, signal) {
    document.title = `${name} – Fedometer`;
    document.body.dataset.file = name.replace(/[^A-Za-z0-9.-]+/g, "-");
    document.getElementById("place").textContent = Fedometer.safe(name);
    const GROUP = "timeline";
    const outcome = element("p", { class: "row" });
    const progress = element("progress", { max: "100", "aria-label": "Objects ingested" });
    const top = tiles();
    const remarks = element("ul", { class: "problems" });
    const charts = element("div", { class: "charts" });
    const all = element("button", { type: "button" }, "Show all");
    all.addEventListener("click", () => Fedometer.charts.get("chart-throughput")?.showAll());
    const machine = element("div", { class: "charts" });
    const stages = liveTable("stages", "Stages by self time", [["stage"], ["calls", true], ["failed", true], ["total", true, "ms"], ["self", true, "ms"], ["self per object", true, "ms"], ["p50", true, "ms"], ["p99", true, "ms"], ["max", true, "ms"]]);
    const sources = liveTable("sources", "Agents, drivers and other sources", [["source"], ["kind"], ["connected"], ["samples", true], ["dropped", true], ["frames dropped", true], ["last heard", true], ["woven", true], ["agent's memory", true], ["heap", true], ["processors", true], ["clock within", true]]);
    const errors = liveTable("errors", "Failed requests, newest first", [["time"], ["object"], ["operation"], ["attempt", true], ["status", true], ["message"]]);
    const logs = liveTable("logs", "Log lines at WARN and above, newest first", [["time"], ["level"], ["source"], ["logger"], ["message"]]);
    const details = element("div");
    content.replaceChildren(
      element("h1", {}, name),
      outcome,
      progress,
      top.host,
      remarks,
      section("timeline", "Throughput and latency", element("div", { class: "row" }, all, element("span", { class: "faint" }, "Drag across a chart to zoom in; on the keyboard, arrows read a chart, + and − zoom, 0 shows all.")), charts),
      section("stages", "Where the time goes", element("p", { class: "faint" }, WHOLE_RUN_NOTE), stages.host),
      section("machine", "Machine", machine),
      section("sources", "Agents and other sources", sources.host),
      section("errors", "Errors", errors.host),
      section("logs", "Log", logs.host),
      section("about", "Environment", details),
    );
    let timeline = null;
    let documentShown = null;
    let documentsAsked = 0;
    let documentAnswered = 0;

    const addFigure = (host, id, title, note, wide) => {
      if (!document.getElementById(id)) host.append(Fedometer.figure(id, title, note, wide));
    };

    function drawCharts() {
      const { all } = timeline;
      const x = { kind: "time", values: timeline.t, origin: (all.from + timeline.first * all.bucketSeconds) * 1000 };
      const loaded = (column) => timeline.loaded(column);
      if (x.values.length === 0) return;
      addFigure(charts, "chart-throughput", "Throughput", "Objects acknowledged in a second.", true);
      Fedometer.chart("chart-throughput", { x, y: { unit: "" }, series: [{ name: "objects a second", values: loaded(timeline.perSecond(all.objects)), colour: "c1", fill: true }, ...Object.entries(all.others).map(([other, values], i) => ({ name: other, values: loaded(timeline.perSecond(timeline.padded(values))), colour: COLOURS[(i + 1) % 8] }))], group: GROUP });
      addFigure(charts, "chart-latency", "Latency", "Service times of ingests; the scale is logarithmic.", true);
      Fedometer.chart("chart-latency", {
        x,
        y: { unit: "ms", log: true },
        series: [
          { name: "p50", values: loaded(all.p50), colour: "c1" },
          { name: "p95", values: loaded(all.p95), colour: "c3" },
          { name: "p99", values: loaded(all.p99), colour: "c2" },
          { name: "longest", values: loaded(all.max), colour: "c4" },
        ],
        group: GROUP,
        height: 240,
      });
      if (all.failed.some((value) => value > 0)) {
        addFigure(charts, "chart-failed", "Failed requests", null, true);
        Fedometer.chart("chart-failed", { x, y: { unit: "" }, series: [{ name: "failed requests", values: loaded(all.failed), colour: "bad", bars: true }], group: GROUP, height: 130 });
      }
      if (all.stageSeries.names.length > 0 && all.stageSeries.self.some((own) => own.some((value) => value > 0))) {
        addFigure(charts, "chart-stages", "Stages", "How many threads were in each stage itself, on average.", true);
        const whole = all.run.open ? (column) => scaledToNow(column) : (column) => column;
        Fedometer.chart("chart-stages", { x, y: { unit: "threads" }, series: all.stageSeries.names.map((stage, i) => ({ name: stage, values: loaded(whole(timeline.padded(all.stageSeries.self[i]))), colour: stage === "others" ? "c8" : COLOURS[i % 7] })), stacked: true, group: GROUP, height: 280 });
      }
      if (all.gc.seconds.some((value) => value > 0)) {
        addFigure(machine, "chart-gc", "Stopped for garbage collection", "Share of the time.", false);
        Fedometer.chart("chart-gc", { x, y: { unit: "1" }, series: [{ name: "share of time stopped", values: loaded(timeline.perSecond(timeline.padded(all.gc.seconds))), colour: "c2", fill: true }], group: GROUP, height: 150 });
      }
      TELEMETRY.forEach(([title, unit, metrics], i) => {
        const series = Object.entries(metrics)
          .filter(([metric]) => all.telemetry[metric]?.values.some((value) => value !== null))
          // The agent's reading of the same process only if no other source reads it.
          .filter(([metric]) => metric !== "jvm.cpu.time" || !all.telemetry["fedora.process.cpu.time"])
          .map(([metric, label], k) => ({ name: label, values: loaded(timeline.padded(all.telemetry[metric].values)), colour: COLOURS[k] }));
        if (series.length === 0) return;
        addFigure(machine, `chart-telemetry-${i}`, title, null, false);
        Fedometer.chart(`chart-telemetry-${i}`, { x, y: { unit }, series, group: GROUP, height: 150 });
      });
    }

    /** Own seconds in a second of the newest bucket, of which only some has passed. */
    function scaledToNow(column) {
      const { all } = timeline;
      const last = column.length - 1;
      const passed = Math.min(all.bucketSeconds, all.atEpochMillis / 1000 - all.from - last * all.bucketSeconds);
      return column.map((value, i) => (i < last || value === null ? value : passed < all.bucketSeconds / 5 ? null : (value * all.bucketSeconds) / passed));
    }

    function drawTop() {
      const { all } = timeline;
      const { run, progress: at } = all;
      outcome.replaceChildren(badge(run), element("span", {}, at.phase && isUnderWay(run) ? `phase ${at.phase}` : ""), element("span", { class: "faint" }, run.started ? `started ${timeOfDay(Date.parse(run.started))}` : ""));
      const known = at.percent !== null && at.percent !== undefined;
      progress.hidden = !known;
      if (known) progress.value = at.percent;
      const objects = at.objects ?? run.objects;
      top.show("objects", count(objects), at.requested ? `of ${count(at.requested)}${known ? ` (${format(at.percent / 100, "1")})` : ""}` : null);
      if (isUnderWay(run)) {
        const loaded = AFTER_LOADING.has(at.phase);
        top.show("objects a second", loaded ? "–" : format(at.ratePerSecond, ""), loaded ? "loading has ended" : "in the last minute");
        top.show("left", at.etaSeconds === null || at.etaSeconds === undefined ? "–" : elapsed(Math.round(at.etaSeconds)), at.etaSeconds ? `until ${timeOfDay(all.atEpochMillis + at.etaSeconds * 1000).slice(0, 16)}` : null);
      } else {
        top.show("objects a second", format(run.objectsPerSecond, ""), "over the whole run");
        top.drop("left");
      }
      const failed = all.failed.reduce((sum, value) => sum + value, 0);
      top.show("failed requests", failed > 0 ? element("span", { class: "bad" }, count(failed)) : "0");
      const dropped = all.sources.reduce((sum, source) => sum + (source.dropped ?? 0), 0);
      top.show("samples dropped", dropped > 0 ? element("span", { class: "warning" }, count(dropped)) : "0");
      remarks.replaceChildren(...[all.incomplete, all.loading ? "Loading earlier data ..." : null, run.state === "running" && !run.open ? "This run is abandoned: its driver has ended." : null].filter(Boolean).map((remark) => element("li", {}, remark)));
    }

    function drawTables() {
      const { all } = timeline;
      const objects = all.progress.objects || all.run.objects;
      stages.show(
        all.stages.map((stage) => [
          stage.name,
          number(count(stage.count), stage.count),
          number(stage.failed > 0 ? count(stage.failed) : "", stage.failed, stage.failed > 0 ? "bad" : null),
          number(format(stage.totalMillis, "ms"), stage.totalMillis),
          number(format(stage.selfMillis, "ms"), stage.selfMillis),
          number(objects > 0 ? format(stage.selfMillis / objects, "ms") : "–", objects > 0 ? stage.selfMillis / objects : null),
          number(format(stage.p50Millis, "ms"), stage.p50Millis),
          number(format(stage.p99Millis, "ms"), stage.p99Millis),
          number(format(stage.maxMillis, "ms"), stage.maxMillis),
        ]),
      );
      sources.show(
        all.sources.map((source) => [
          source.name || source.source,
          source.kind,
          { text: source.connected ? "yes" : "no", style: source.connected ? "good" : "faint" },
          number(count(source.samples), source.samples),
          number(count(source.dropped), source.dropped, source.dropped > 0 ? "warning" : null),
          number(count(source.framesDropped), source.framesDropped, source.framesDropped > 0 ? "bad" : null),
          number(source.lastSeenSecondsAgo === null || source.lastSeenSecondsAgo === undefined ? "–" : `${elapsed(Math.round(source.lastSeenSecondsAgo))} ago`, source.lastSeenSecondsAgo),
          number(isKnown(source.stagesWoven) ? `${count(source.stagesWoven)} of ${count(source.stagesPlanned)}` : "–", source.stagesWoven),
          number(isKnown(source.agentMemoryBytes) ? `${mebibytes(source.agentMemoryBytes)} of ${mebibytes(source.agentMemoryLimitBytes)} MiB` : "–", source.agentMemoryBytes),
          number(isKnown(source.heapUsedBytes) ? `${format(source.heapUsedBytes, "B")} of ${format(source.heapLimitBytes, "B")}` : "–", source.heapUsedBytes),
          number(format(source.cpuCores, ""), source.cpuCores),
          number(format(source.clockUncertaintyMillis, "ms"), source.clockUncertaintyMillis),
        ]),
      );
      errors.show([...all.errors].reverse().map((error) => [timeOfDay(error.atEpochMillis), error.pid, error.operation, number(said(error.attempt), error.attempt), { text: error.status === 0 ? "no answer" : said(error.status), style: "bad" }, { text: error.message, style: "text" }]));
      logs.show([...all.logs].reverse().map((line) => [timeOfDay(line.atEpochMillis), { text: line.level, style: line.level === "WARN" ? "warning" : "bad" }, line.source, line.logger, { text: line.message, style: "text log" }]));
    }

    async function drawDocument() {
      const key = JSON.stringify(timeline.all.run);
      if (key === documentShown) return;
      documentShown = key;
      documentsAsked++;
      const asked = documentsAsked;
      try {
        const run = await askJson(`api/run?name=${encodeURIComponent(name)}`, signal);
        // The response to a later request may have come before this one.
        if (asked > documentAnswered) {
          documentAnswered = asked;
          showDocument(run);
        }
      } catch {
        // It cannot be read now; the next event asks again.
        if (asked === documentsAsked) documentShown = null;
      }
    }

    function showDocument(run) {
      const opened = [...details.querySelectorAll("details")].map((one) => one.open);
      const focused = [...details.querySelectorAll("summary")].indexOf(document.activeElement);
      const artifacts = (run.artifacts ?? []).map((artifact) => element("li", {}, `${artifact.file} `, element("code", {}, artifact.sha256)));
      details.replaceChildren(
        facts([
          ["failure", run.failure ? `${run.failure.step}: ${run.failure.message}` : null],
          ["profile", run.profile ? `${run.profile}: ${pairs(run.profileChoices)}` : null],
          ["dataset", run.dataset ? `${run.dataset}: ${pairs(run.datasetParameters)}` : null],
          ["workload", pairs(run.workload)],
          ["workers", run.workers ? String(run.workers) : null],
          ["versions", pairs(run.allVersions)],
          ["ULID", run.id],
          ["phases", (run.phases ?? []).map((phase) => `${phase.name} ${phase.seconds === null ? "…" : format(phase.seconds, "s")}`).join(", ")],
          ["requests", run.requests && !isUnderWay(run) ? `${count(run.requests.sent)} sent, ${count(run.requests.failed)} failed, ${count(run.requests.retried)} retried` : null],
          ["triples", run.triples?.counted ? `${count(run.triples.expected)} expected, ${count(run.triples.counted)} counted` : null],
          ["verified", run.verification ? (run.verification.ok ? "all checks passed" : run.verification.problems.join(" ")) : null],
          ["outages", (run.outages ?? []).map((outage) => `${outage.who} away for ${format(outage.seconds, "s")}: ${outage.reason ?? ""}`).join("; ")],
          ["notes", (run.notes ?? []).join(" ")],
          ["host", pairs(Object.fromEntries(Object.entries(run.environment ?? {}).filter(([fact]) => fact !== "fedora.command")))],
        ]),
        element("details", {}, element("summary", {}, "Settings of the profile"), facts(Object.entries(run.settings ?? {}))),
        element("details", {}, element("summary", {}, `Artifacts with their SHA-256 (${count(artifacts.length + (run.artifactsMore ?? 0))})`), element("ul", {}, ...artifacts)),
        element("p", {}, "The full report, available without this collector: ", element("code", {}, `fedometer report ${name} --html ${name}.html`)),
      );
      details.querySelectorAll("details").forEach((one, i) => (one.open = opened[i] ?? false));
      details.querySelectorAll("summary")[focused]?.focus({ preventScroll: true });
    }

    function draw() {
      drawTop();
      drawCharts();
      drawTables();
      drawDocument();
    }

    const onEvent = (kind, data) => {
      // Told when the run has changed, perhaps in what only its document has.
      if (data.run) documentShown = null;
      if (kind === "snapshot") timeline = new Timeline(data);
      else if (timeline) timeline.update(data);
      draw();
    };
    while (!signal.aborted) {
      const ended = await follow(`api/live?run=${encodeURIComponent(name)}`, signal, onEvent, () => timeline !== null && !IN_PROGRESS.has(timeline.all.run.state));
      if (ended === "over") {
        tell("");
        remarks.append(element("li", {}, "The run and its collector have ended; the page shows the last state. The report has more: ", element("code", {}, `fedometer report ${name} --html ${name}.html`)));
      }
      if (ended === "unknown") {
        Fedometer.clear();
        content.replaceChildren(element("h1", {}, name), element("p", {}, "This run is not, or no longer, in this store."), element("p", {}, element("a", { href: "#/" }, "All runs")));
      }
      if (ended !== "ended") return;
      let history;
      try {
        history = await askJson(`api/history?run=${encodeURIComponent(name)}`, signal);
      } catch (error) {
        if (signal.aborted) return;
        // Without an answer the collector has gone again, and is waited for as before.
        if (!error.status) continue;
        tell(`The history of the run cannot be loaded: ${error.message}`);
        return;
      }
      timeline = new Timeline(history);
      draw();
      tell("");
      // A collector that has just begun opens and closes what it finds, and opens it again when a source comes back.
      const { run, loading } = timeline.all;
      if (!loading && !run.open && !IN_PROGRESS.has(run.state)) return;
      await sleep(loading ? SOON_MILLIS : RUNS_EVERY_MILLIS, signal);
    }
  }

  // ---- two runs ----

  const STEPS = 300;
  const COUNT = "count";

  /** Buckets of a run as steps over time or objects, so that two runs can share an axis. */
  class Steps {
    constructor(history, over) {
      this.all = history;
      const { objects, bucketSeconds } = history;
      let sum = 0;
      const first = objects.findIndex((value) => value > 0);
      this.from = Math.max(0, first);
      const last = objects.findLastIndex((value) => value > 0);
      this.ends = objects.slice(this.from, last + 1).map((value, i) => {
        sum += value ?? 0;
        return over === "objects" ? sum : (i + 1) * bucketSeconds;
      });
    }

    get end() {
      return this.ends.length === 0 ? 0 : this.ends[this.ends.length - 1];
    }

    /** The column's values at these places. */
    at(places, column) {
      let i = 0;
      return places.map((place) => {
        if (place > this.end) return null;
        while (i < this.ends.length - 1 && this.ends[i] <= place) i++;
        return column[this.from + i] ?? null;
      });
    }
  }

  async function comparePage(names, signal) {
    document.title = `${names.join(" and ")} – Fedometer`;
    delete document.body.dataset.file;
    document.getElementById("place").textContent = Fedometer.safe(names.join(" / "));
    const choice = element("fieldset", { class: "choice" }, element("legend", {}, "Over"));
    let over = "objects";
    const buttons = ["objects", "time"].map((axis) => element("button", { type: "button", "aria-pressed": String(axis === over) }, axis));
    choice.append(...buttons);
    const figures = liveTable("comparison", "The two runs", [["figure"], [names[0], true], [names[1], true], ["second / first", true]]);
    const stages = liveTable("stages-compared", "Self time of stages per object", [["stage"], [names[0], true, "ms"], [names[1], true, "ms"], ["difference", true, "ms"]]);
    const charts = element("div", { class: "charts" }, Fedometer.figure("chart-rates", "Throughput", "Objects acknowledged in a second.", true), Fedometer.figure("chart-p50", "Median time of an ingest", null, true), Fedometer.figure("chart-p99", "99th percentile of the time of an ingest", null, true));
    content.replaceChildren(
      element("h1", {}, ...names.flatMap((name, i) => [i > 0 ? " and " : "", element("a", { href: runLink(name) }, name)])),
      element("p", { class: "faint" }, "Single runs differ by chance. To see which profile is better, by how much and how sure, use ", element("code", {}, `fedometer compare ${names.join(" ")} --html comparison.html`), ", or better an experiment with several runs of each."),
      figures.host,
      section("timeline", "Timelines of both runs", choice, charts),
      section("stages", "Where the time goes", element("p", { class: "faint" }, WHOLE_RUN_NOTE), stages.host),
    );
    let histories = null;

    function draw() {
      const steps = histories.map((history) => new Steps(history, over));
      const end = Math.max(...steps.map((each) => each.end));
      if (end > 0) {
        const places = Array.from({ length: STEPS }, (_, i) => (i * end) / STEPS);
        const x = over === "objects" ? { kind: "objects", values: places } : { kind: "time", values: places, origin: null };
        const lines = (column) => steps.map((each, i) => ({ name: names[i], values: each.at(places, column(histories[i])), colour: COLOURS[i] }));
        Fedometer.chart("chart-rates", { x, y: { unit: "" }, series: lines((history) => new Timeline(history).perSecond(history.objects)), group: "both" });
        Fedometer.chart("chart-p50", { x, y: { unit: "ms", log: true }, series: lines((history) => history.p50), group: "both" });
        Fedometer.chart("chart-p99", { x, y: { unit: "ms", log: true }, series: lines((history) => history.p99), group: "both" });
      }
      const row = (title, unit, values) => [title, ...values.map((value) => number(unit === COUNT ? count(value) : format(value, unit), value)), number(values[0] > 0 && values[1] !== null && values[1] !== undefined ? format(values[1] / values[0], "") : "–", values[0] > 0 ? values[1] / values[0] : null)];
      const objects = histories.map((history) => history.progress.objects ?? history.run.objects ?? 0);
      const request = histories.map((history) => history.stages.find((stage) => stage.name === "http.request"));
      figures.show([
        row("objects", COUNT, objects),
        row("objects a second", "", histories.map((history) => history.run.objectsPerSecond ?? history.progress.ratePerSecond)),
        row("failed requests", COUNT, histories.map((history) => history.failed.reduce((sum, value) => sum + value, 0))),
        row("http.request, median", "ms", request.map((stage) => stage?.p50Millis)),
        row("http.request, 99th percentile", "ms", request.map((stage) => stage?.p99Millis)),
        row("http.request, longest", "ms", request.map((stage) => stage?.maxMillis)),
      ]);
      const perObject = histories.map((history, i) => new Map(history.stages.map((stage) => [stage.name, objects[i] > 0 ? stage.selfMillis / objects[i] : null])));
      const all = [...new Set(perObject.flatMap((map) => [...map.keys()]))].map((stage) => [stage, perObject[0].get(stage) ?? 0, perObject[1].get(stage) ?? 0]);
      all.sort((a, b) => Math.abs(b[2] - b[1]) - Math.abs(a[2] - a[1]));
      stages.show(all.map(([stage, a, b]) => [stage, number(format(a, "ms"), a), number(format(b, "ms"), b), number(`${b >= a ? "+" : "−"}${format(Math.abs(b - a), "ms")}`, b - a)]));
    }

    buttons.forEach((button, i) =>
      button.addEventListener("click", () => {
        over = ["objects", "time"][i];
        buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
        if (histories) draw();
      }),
    );
    while (!signal.aborted) {
      let answers = null;
      try {
        answers = await Promise.all(names.map((name) => askJson(`api/history?run=${encodeURIComponent(name)}`, signal)));
      } catch (error) {
        if (signal.aborted) return;
        // 400: what can be no run's name.
        if (error.status === 404 || error.status === 400) {
          content.append(element("p", { class: "bad" }, error.message));
          return;
        }
        tell(`The collector does not answer (${error.message}); trying again …`);
      }
      if (answers) {
        histories = answers;
        draw();
        tell("");
        if (!histories.some((history) => history.run.open)) return;
      }
      await sleep(2 * RUNS_EVERY_MILLIS, signal);
    }
  }

  // ---- going from page to page ----

  let leaving = null;
  function go() {
    login.fromAddress();
    const [, page, ...names] = location.hash.split("/").map(decoded);
    leaving?.abort();
    leaving = new AbortController();
    Fedometer.clear();
    tell("");
    const { signal } = leaving;
    const shown = page === "run" && names.length === 1 ? runPage(names[0], signal) : page === "compare" && names.length === 2 ? comparePage(names, signal) : runsPage(signal);
    scrollTo(0, 0);
    shown.catch((error) => {
      if (!signal.aborted) tell(`Something went wrong on this page: ${error.message}`);
      throw error;
    });
  }

  Fedometer.themeButton(document.getElementById("theme"));
  // The address says which page it is, so it cannot say where on the page one is.
  document.querySelector("a.skip").addEventListener("click", (event) => {
    event.preventDefault();
    content.focus();
  });
  addEventListener("hashchange", () => {
    go();
    content.focus({ preventScroll: true });
  });
  go();
})();
