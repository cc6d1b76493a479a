/*
 * Charts, tables and their CSV, the keyboard, light and dark: what reports and the dashboard have in common.
 * Everything that comes from a run goes into the page as text (textContent) and never as markup.
 */
"use strict";
const Fedometer = (() => {
  // ---- numbers as people read them ----

  const THREE_DIGITS = (value) => {
    const size = Math.abs(value);
    if (size >= 99.95) return Math.round(value).toLocaleString("en-US");
    return value.toFixed(size >= 9.995 ? 1 : size >= 0.9995 || size === 0 ? 2 : 3);
  };
  const scaled = (value, units, step) => {
    let unit = 0;
    let rest = value;
    while (Math.abs(rest) >= step * 0.9995 && unit < units.length - 1) {
      rest /= step;
      unit++;
    }
    return `${THREE_DIGITS(rest)} ${units[unit]}`;
  };
  const duration = (millis) => {
    if (millis === 0) return "0";
    if (Math.abs(millis) >= 9999500) return `${THREE_DIGITS(millis / 3600000)} h`;
    if (Math.abs(millis) >= 999.5) return `${THREE_DIGITS(millis / 1000)} s`;
    return Math.abs(millis) >= 0.9995 ? `${THREE_DIGITS(millis)} ms` : `${THREE_DIGITS(millis * 1000)} µs`;
  };
  const FORMATS = {
    ms: duration,
    s: (value) => duration(value * 1000),
    B: (value) => scaled(value, ["B", "kB", "MB", "GB", "TB"], 1000),
    "B/s": (value) => scaled(value, ["B/s", "kB/s", "MB/s", "GB/s"], 1000),
    1: (value) => `${THREE_DIGITS(value * 100)} %`,
  };

  /** A value with its unit; what is unknown is a dash. */
  function format(value, unit) {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    const known = FORMATS[unit];
    if (known) return known(value);
    return unit ? `${THREE_DIGITS(value)} ${unit.replace(/[{}]/g, "")}` : THREE_DIGITS(value);
  }

  /** A value at an axis: no zeros at its end, and no unit that the title says. */
  function tick(value, unit) {
    const text = format(value, FORMATS[unit] ? unit : "");
    return text.replace(/(\.\d*?)0+(?=\s|$)/, "$1").replace(/\.(?=\s|$)/, "");
  }

  /** Seconds since the beginning as 1 d 02:03:04, 2:03:04 or 3:04. */
  function elapsed(seconds) {
    // First of all: else what is rounded up to a second would be a tenth of one, and what is next to nothing a bare point.
    let rest = Math.round(Math.abs(seconds) * 1000) / 1000;
    const sign = seconds < 0 && rest > 0 ? "−" : "";
    const fraction = rest % 1 === 0 ? "" : rest < 60 ? `.${String(Math.round((rest % 1) * 1000)).padStart(3, "0").replace(/0+$/, "")}` : "";
    rest = Math.floor(rest);
    const days = Math.floor(rest / 86400);
    const hours = Math.floor((rest % 86400) / 3600);
    const two = (n) => String(n).padStart(2, "0");
    const clock = `${two(Math.floor((rest % 3600) / 60))}:${two(rest % 60)}`;
    if (days > 0) return `${sign}${days} d ${two(hours)}:${clock}`;
    return sign + (hours > 0 ? `${hours}:${clock}` : clock.replace(/^0/, "")) + fraction;
  }

  /** Time of day in UTC; a dash for what is none. */
  const timeOfDay = (epochMillis) => {
    const time = new Date(epochMillis);
    return Number.isNaN(time.getTime()) ? "–" : time.toISOString().replace("T", " ").replace(/\.\d+Z/, " UTC");
  };

  // ---- elements ----

  /** An element with attributes and children; strings become text. */
  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) made.setAttribute(key, safe(value));
    }
    made.append(...children.filter((child) => child !== null && child !== undefined).map((child) => (child instanceof Node ? child : safe(child))));
    return made;
  }

  /** Text as it may be shown: what is invisible, or turns the direction of writing, is written out. */
  function safe(text) {
    return String(text).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (c) => (c === "\n" || c === "\t" ? c : `\\u${c.codePointAt(0).toString(16).padStart(4, "0")}`));
  }

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  // ---- CSV ----

  /** One field after RFC 4180; what a spreadsheet would take for a formula is made text by an apostrophe. */
  function csvField(value) {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = /^\s*[=+\-@]/.test(value) && !/^[+-]?[\d.,]+([eE][+-]?\d+)?$/.test(value) ? `'${safe(value)}` : safe(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }
  const csvOf = (rows) => rows.map((row) => row.map(csvField).join(",")).join("\r\n") + "\r\n";

  /** A link whose file is made, and named, when it is followed. */
  function csvLink(fileName, rows, label) {
    const link = element("a", { href: "#", download: fileName(), class: "csv", "aria-label": `${label}: data as CSV` }, "CSV");
    link.addEventListener("click", () => {
      if (link.href.startsWith("blob:")) URL.revokeObjectURL(link.href);
      link.download = fileName();
      link.href = URL.createObjectURL(new Blob([csvOf(rows())], { type: "text/csv;charset=utf-8" }));
    });
    return link;
  }

  // ---- charts ----

  const charts = new Map();
  const groups = new Map();
  const SECOND_STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000];
  const PIXELS_A_CHARACTER = 7;
  const MIN_CHARACTERS = 5;
  /** Least mean height of a layer below its name, in CSS pixels. */
  const MIN_LABELLED_HEIGHT = 8;
  /** Height of a name in a layer, in CSS pixels. */
  const NAME_HEIGHT = 13;

  /** Values that lie on those before them, so that the last is the sum. */
  function stackedValues(series, shown) {
    const sums = [];
    let below = null;
    series.forEach((one, i) => {
      if (!shown[i]) {
        sums.push(one.values.map(() => null));
        return;
      }
      const from = below;
      below = one.values.map((value, k) => (value === null && from === null ? null : (value ?? 0) + (from === null ? 0 : from[k] ?? 0)));
      sums.push(below);
    });
    return sums;
  }

  /** A dashed line as a background, for the legend. */
  function dashes(tint, dash) {
    let at = 0;
    const parts = dash.map((length, i) => `${i % 2 === 0 ? tint : "transparent"} ${at}px ${(at += length)}px`);
    return `repeating-linear-gradient(to right, ${parts.join(", ")})`;
  }

  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

  /** Where between two edges a name of this half width has most height, all in pixels; null if nowhere. */
  const spaceFor = (half, places, top, bottom, box, drawn) => {
    let best = null;
    let first = 0;
    let next = 0;
    for (const x of places) {
      if (x - half < box.left || x + half > box.left + box.width) continue;
      while (places[first] < x - half) first++;
      next = Math.max(next, first);
      while (next < places.length && places[next] <= x + half) next++;
      const from = mean(top.slice(first, next));
      const to = mean(bottom.slice(first, next));
      const y = (from + to) / 2;
      if (best !== null && to - from <= best.height) continue;
      if (drawn.some((other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < NAME_HEIGHT * devicePixelRatio)) continue;
      best = { x, y, height: to - from };
    }
    return best;
  };

  class Chart {
    /**
     * @param figure a figure with a .plot in it and an id
     * @param spec x {kind: "time" | "objects" | "number", values, origin: epoch milliseconds or null, and of numbers name, unit,
     *     log}, y {unit, log}, series [{name, values, colour, low, high, fill, bars, dash, points: false | true | "only"}], stacked,
     *     heat {edges, cells}, marks, lines [{value, name}] across, group, height,
     *     gaps: false to go on over what is unknown
     */
    constructor(figure, spec) {
      this.figure = figure;
      this.id = figure.id;
      this.plot = figure.querySelector(".plot");
      this.title = figure.querySelector("h3").textContent;
      this.shown = spec.series.map((one) => !one.hidden);
      this.spec = spec;
      this.index = null;
      this.isHeld = false;
      this.addTools();
      this.draw();
      this.resizing = new ResizeObserver(() => this.resize());
      this.resizing.observe(this.plot);
      charts.set(this.id, this);
    }

    /** The charts that share an x axis with this one, itself included. */
    get members() {
      const { group } = this.spec;
      if (!group) return [this];
      if (!groups.has(group)) groups.set(group, new Set());
      return [...groups.get(group).add(this)];
    }

    /** First and last place of this chart's own data; null without any. */
    get ownExtent() {
      const { x, heat } = this.spec;
      if (x.values.length === 0) return null;
      const last = x.values[x.values.length - 1];
      return [x.values[0], heat ? last + this.step() : last];
    }

    /** First and last place of all data on the shared axis. */
    get extent() {
      const extents = this.members
        .filter((one) => one.spec.x.kind === this.spec.x.kind)
        .map((one) => one.ownExtent)
        .filter((one) => one !== null);
      if (extents.length === 0) return null;
      return [Math.min(...extents.map((one) => one[0])), Math.max(...extents.map((one) => one[1]))];
    }

    /** Width of the y axis: the widest of the group, so that all plots begin at one line. */
    axisSize(texts) {
      this.axisNeeds = 20 + PIXELS_A_CHARACTER * Math.max(MIN_CHARACTERS, ...(texts ?? []).map((one) => one?.length ?? 0));
      return Math.max(...this.members.map((one) => one.axisNeeds ?? 0));
    }

    /** Gives the other charts of the group the width of this one's y axis. */
    alignAxes() {
      const size = Math.max(...this.members.map((one) => one.axisNeeds ?? 0));
      for (const other of this.members) {
        if (other.uplot && other.axisDrawn !== undefined && other.axisDrawn !== size) other.uplot.redraw(false, true);
      }
    }

    /** Shows in all charts of the group the range that the data of this one has changed. */
    alignRange() {
      if (!this.spec.group || this.zoomed || this.extent === null) return;
      const [min, max] = this.rangeOfX(...this.extent);
      Chart.follow(() => {
        for (const other of this.members) {
          if (!other.uplot || other.zoomed || other.spec.x.kind !== this.spec.x.kind || other.spec.x.values.length === 0) continue;
          const { min: from, max: to } = other.uplot.scales.x;
          // Of this one, the range of its new data is not in its scale yet.
          if (other === this || from !== min || to !== max) other.uplot.setScale("x", { min, max });
        }
      });
    }

    addTools() {
      this.legend = element("ul", { class: "legend", "aria-label": `Lines of ${this.title}` });
      this.readout = element("output", { class: "readout", "aria-live": "off" });
      const table = element("details", {}, element("summary", {}, "Data as a table"));
      table.addEventListener("toggle", () => {
        table.querySelector(".scroll")?.remove();
        if (table.open) table.append(this.table());
      });
      this.tableHost = table;
      const tools = element("div", { class: "tools" }, csvLink(() => `${document.body.dataset.file ?? "fedometer"}-${this.id}.csv`, () => this.rows(), this.title), table);
      this.figure.append(this.legend, this.readout, tools);
      this.plot.setAttribute("tabindex", "0");
      this.plot.setAttribute("role", "group");
      this.plot.setAttribute("aria-roledescription", "chart");
      this.plot.setAttribute("aria-label", `${this.title}: chart. Left and right arrow keys read values, plus and minus zoom, 0 shows all.`);
      this.plot.addEventListener("keydown", (event) => this.key(event));
      // The cursors of a group move together; only the chart that is read is read out.
      this.plot.addEventListener("focus", () => this.readout.setAttribute("aria-live", "polite"));
      this.plot.addEventListener("blur", () => this.readout.setAttribute("aria-live", "off"));
    }

    drawLegend() {
      const { series, heat } = this.spec;
      const focused = document.activeElement;
      // Lines that stay keep their buttons, and the keyboard its place.
      const before = new Map([...this.legend.querySelectorAll("button")].map((button) => [button.textContent, button]));
      this.legend.replaceChildren();
      if (heat) {
        const gradient = `linear-gradient(to right, rgb(${colour("heat-low")}), rgb(${colour("heat-high")}))`;
        const scale = element("i");
        scale.style.cssText = `width: 6rem; background: ${gradient}`;
        this.legend.append(element("li", { class: "faint" }, "1 request ", scale, ` ${this.maxCount.toLocaleString("en-US")} requests`));
        return;
      }
      if (series.length < 2) return;
      series.forEach((one, i) => {
        const swatch = element("i");
        const tint = colour(one.colour);
        swatch.style.background = one.dash ? dashes(tint, one.dash) : tint;
        if (one.dash) swatch.className = "dashed";
        const button = before.get(one.name) ?? element("button", { type: "button" });
        before.delete(one.name);
        button.replaceChildren(swatch, one.name);
        button.setAttribute("aria-pressed", String(this.shown[i]));
        button.onclick = () => {
          this.shown[i] = !this.shown[i];
          this.draw();
        };
        this.legend.append(element("li", {}, button));
      });
      if (focused !== document.activeElement && this.legend.contains(focused)) focused.focus({ preventScroll: true });
    }

    xText(value) {
      const { x } = this.spec;
      if (x.kind === "objects") return `object ${Math.round(value).toLocaleString("en-US")}`;
      if (x.kind === "number") return `${x.name} ${FORMATS[x.unit] ? format(value, x.unit) : tick(value)}`;
      return x.origin === null || x.origin === undefined ? elapsed(value) : `${elapsed(value)} (${timeOfDay(x.origin + value * 1000)})`;
    }

    /** What the chart shows, as rows with a heading; for CSV and the table. */
    rows() {
      const { x, y, series, heat } = this.spec;
      const unit = y.unit ? ` (${y.unit === "1" ? "share" : y.unit})` : "";
      const first = x.kind === "objects" ? "object" : x.kind === "number" ? x.name : "seconds";
      if (heat) {
        return [[first, "from (ms)", "to (ms)", "requests"], ...heat.cells.map(([column, row, count]) => [x.values[column], heat.edges[row], heat.edges[row + 1], count])];
      }
      const columns = [];
      for (const one of series) {
        columns.push([one.name + unit, one.values]);
        if (one.low) columns.push([`${one.name}, lowest${unit}`, one.low], [`${one.name}, highest${unit}`, one.high]);
      }
      return [[first, ...columns.map((column) => column[0])], ...x.values.map((value, i) => [value, ...columns.map((column) => column[1][i])])];
    }

    table() {
      const [heading, ...rows] = this.rows();
      const body = element("tbody");
      for (const row of rows) {
        body.append(element("tr", {}, ...row.map((value, i) => element(i === 0 ? "th" : "td", { class: "number", scope: i === 0 ? "row" : null, "data-title": heading[i] }, value === null || value === undefined ? "–" : String(value)))));
      }
      const table = element("table", {}, element("caption", { class: "hidden" }, this.title), element("thead", {}, element("tr", {}, ...heading.map((name) => element("th", { class: "number", scope: "col" }, name)))), body);
      return element("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": `${this.title}: table` }, table);
    }

    /** Takes new data; what is zoomed stays so, lines that were left out stay out, and the keyboard stays at its place. */
    update(spec) {
      const before = new Map(this.spec.series.map((one, i) => [one.name, this.shown[i]]));
      const shape = this.shape();
      if (this.spec.x.kind !== spec.x.kind) {
        // A stretch of time, or the place in it that was read, means nothing over objects.
        this.zoomed = false;
        this.index = null;
      }
      if (document.activeElement === this.plot && (this.index ?? -1) >= 0) this.holdPlace(spec.x.values);
      this.shown = spec.series.map((one) => before.get(one.name) ?? !one.hidden);
      this.spec = { ...this.spec, ...spec };
      if (shape === this.shape()) {
        const { min, max } = this.uplot.scales.x;
        const zoomed = this.zoomed;
        Chart.follow(() => {
          this.uplot.setData(this.columns().data, !zoomed);
          if (zoomed) this.uplot.setScale("x", { min, max });
        });
        this.alignRange();
      } else this.draw();
      if (this.tableHost.open) {
        // The same region with other rows: who reads it by the keyboard stays in it.
        const scroll = this.tableHost.querySelector(".scroll");
        if (scroll) {
          const { scrollTop, scrollLeft } = scroll;
          scroll.replaceChildren(...this.table().childNodes);
          scroll.scrollTop = scrollTop;
          scroll.scrollLeft = scrollLeft;
        } else this.tableHost.append(this.table());
      }
    }

    /** Else the cursor stays where it is on the screen, and another value is read out each time that the axis grows. */
    holdPlace(values) {
      const read = this.spec.x.values[this.index];
      this.isHeld = true;
      queueMicrotask(() =>
        // Behind uPlot's own microtasks, which set its scales.
        queueMicrotask(() => {
          this.isHeld = false;
          const place = values.findLastIndex((value) => value <= read);
          if (place >= 0 && values === this.spec.x.values) this.pointAt(place);
        }),
      );
    }

    /** All but the data: charts of one shape take each other's data as it is. */
    shape() {
      const { x, y, series, stacked, heat, lines } = this.spec;
      return JSON.stringify([x.kind, x.name, x.log, lines, y, stacked, Boolean(heat), series.map((one, i) => [one.name, one.colour, Boolean(one.low), one.bars, one.fill, this.shown[i]])]);
    }

    draw() {
      const zoom = this.zoomed ? { min: this.uplot.scales.x.min, max: this.uplot.scales.x.max } : null;
      this.uplot?.destroy();
      if (this.spec.heat) this.maxCount = Math.max(1, ...this.spec.heat.cells.map((cell) => cell[2]));
      const columns = this.columns();
      Chart.follow(() => {
        this.uplot = new uPlot(this.options(columns), columns.data, this.plot);
        if (zoom) this.uplot.setScale("x", zoom);
      });
      this.alignRange();
      this.drawLegend();
    }

    /** What uPlot draws: its data, a line for each column, and the bands between them. */
    columns() {
      const { x, y, series, stacked, heat } = this.spec;
      const values = stacked ? stackedValues(series, this.shown) : series.map((one) => one.values);
      const positive = (column) => (y.log ? column.map((value) => (value > 0 ? value : null)) : column);
      const lines = [];
      const data = [x.values];
      const bands = [];
      const add = (line, column) => {
        lines.push(line);
        data.push(column);
        return lines.length;
      };
      const order = series.map((_, i) => i);
      if (stacked) order.reverse();
      for (const i of order) {
        if (!this.shown[i]) continue;
        const one = series[i];
        const stroke = heat ? "transparent" : colour(one.colour);
        if (one.low && !stacked) {
          const high = add({ stroke: "transparent", points: { show: false } }, positive(one.high));
          const low = add({ stroke: "transparent", points: { show: false } }, positive(one.low));
          bands.push({ series: [high, low], fill: `${stroke}33` });
        }
        add(
          {
            stroke,
            width: stacked ? 0.5 : 1.6,
            fill: stacked || one.bars ? stroke : one.fill ? `${stroke}33` : undefined,
            dash: one.dash,
            spanGaps: this.spec.gaps === false,
            paths: one.bars ? uPlot.paths.bars({ size: [0.9, 30], align: x.kind === "number" ? 0 : 1 }) : one.points === "only" ? () => null : undefined,
            points: { show: !heat && !stacked && !one.bars && Boolean(one.points ?? x.values.length < 30), size: 5, fill: stroke },
          },
          positive(values[i]),
        );
      }
      if (lines.length === 0) add({ points: { show: false } }, x.values.map(() => null));
      return { data, lines, bands };
    }

    /** How wide a column of a heat map is; of all others it does not matter. */
    step() {
      const { values } = this.spec.x;
      return values.length > 1 ? values[1] - values[0] : 1;
    }

    /** The range to draw for the range asked for; all of the chart's own data means all of the group's. */
    rangeOfX(min, max) {
      if (min === null) return [0, 1];
      const { values } = this.spec.x;
      // A single value is asked for with a margin.
      const all = min === values[0] && max === values[values.length - 1];
      if (all || (values.length === 1 && !this.zoomed)) [min, max] = this.extent;
      if (min === max) return this.spec.x.log ? [min / 2, max * 2] : [min - 0.5, max + 0.5];
      return [min, max];
    }

    rangeOfY(min, max) {
      const { y, heat, lines } = this.spec;
      if (heat) return [heat.edges[0], heat.edges[heat.edges.length - 1]];
      // The line above all values tells how far they are from it.
      const above = Math.min(...(lines ?? []).map((one) => one.value).filter((value) => value > max));
      if (y.log) return min === null ? [1, 10] : uPlot.rangeLog(min, above === Infinity ? max : above, 10, false);
      if (max === null) return [0, 1];
      return [Math.min(0, min), max <= 0 ? 1 : max * 1.05];
    }

    /** Places of a logarithmic axis: what was measured as far as there is space, or else powers of ten. */
    logSplits(width, min, max) {
      const inside = this.spec.x.values.filter((value) => value >= min && value <= max);
      const powers = [];
      for (let power = 10 ** Math.ceil(Math.log10(min)); power <= max; power *= 10) powers.push(power);
      const space = Math.max(200, width - 90) / Math.log(max / min);
      let last = -Infinity;
      return (inside.length <= 30 || powers.length < 2 ? inside : powers).filter((value) => {
        const at = Math.log(value) * space;
        if (at - last < 56) return false;
        last = at;
        return true;
      });
    }

    options({ lines, bands }) {
      const { x, y, stacked, heat } = this.spec;
      const text = colour("faint");
      const line = { stroke: colour("line"), width: 0.5 };
      const isPowerOfTen = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
      return {
        width: Math.max(200, this.plot.clientWidth),
        height: this.spec.height ?? 220,
        // The last number of an axis may stand at its very end.
        padding: [12, 26, 0, 0],
        legend: { show: false },
        cursor: { drag: { x: true, y: false }, points: { show: !heat && !stacked }, sync: this.spec.group ? { key: this.spec.group, setSeries: false } : undefined },
        scales: {
          x: { time: false, distr: x.log ? 3 : 1, range: (u, min, max) => this.rangeOfX(min, max) },
          y: { distr: y.log ? 3 : 1, range: (u, min, max) => this.rangeOfY(min, max) },
        },
        axes: [
          {
            stroke: text,
            grid: line,
            ticks: line,
            incrs: x.kind === "time" ? SECOND_STEPS : undefined,
            space: 70,
            ...(x.kind === "number" ? { label: x.name, labelSize: 18, labelGap: 0, labelFont: "12px system-ui, sans-serif", size: 32 } : {}),
            ...(x.log ? { splits: (u, axis, min, max) => this.logSplits(u.width, min, max), filter: (u, splits) => splits } : {}),
            values: (u, splits) => splits.map((split) => (x.kind === "time" ? elapsed(split) : x.kind === "objects" ? split.toLocaleString("en-US") : tick(split, x.unit))),
          },
          {
            stroke: text,
            grid: line,
            ticks: line,
            size: (u, texts) => (this.axisDrawn = this.axisSize(texts)),
            values: (u, splits) => splits.map((split) => (y.log && !isPowerOfTen(split) ? "" : tick(split, y.unit))),
          },
        ],
        series: [{}, ...lines],
        bands,
        hooks: {
          drawClear: heat ? [(u) => this.drawHeat(u)] : [],
          draw: [(u) => this.drawLines(u), (u) => this.drawNames(u), (u) => this.drawMarks(u), () => this.alignAxes()],
          setCursor: [(u) => this.read(u)],
          setScale: [(u, scale) => this.scaled(u, scale)],
        },
      };
    }

    drawHeat(u) {
      const { x, heat } = this.spec;
      const low = colour("heat-low").split(",").map(Number);
      const high = colour("heat-high").split(",").map(Number);
      const step = this.step();
      const { ctx } = u;
      ctx.save();
      ctx.beginPath();
      ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
      ctx.clip();
      for (const [column, row, count] of heat.cells) {
        const left = u.valToPos(x.values[column], "x", true);
        const right = u.valToPos(column + 1 < x.values.length ? x.values[column + 1] : x.values[column] + step, "x", true);
        const bottom = u.valToPos(heat.edges[row], "y", true);
        const top = u.valToPos(heat.edges[row + 1], "y", true);
        const share = this.maxCount === 1 ? 1 : Math.log(count) / Math.log(this.maxCount);
        ctx.fillStyle = `rgb(${low.map((from, i) => Math.round(from + (high[i] - from) * share)).join(",")})`;
        ctx.fillRect(Math.floor(left), Math.floor(top), Math.max(1, Math.ceil(right - left)), Math.max(1, Math.ceil(bottom - top)));
      }
      ctx.restore();
    }

    /** Limits: dashed lines across, with their names above them. */
    drawLines(u) {
      const { ctx } = u;
      const ratio = devicePixelRatio;
      ctx.save();
      ctx.font = `${11 * ratio}px system-ui, sans-serif`;
      ctx.textAlign = "left";
      ctx.strokeStyle = ctx.fillStyle = colour("faint");
      ctx.lineWidth = ratio;
      for (const line of this.spec.lines ?? []) {
        const y = u.valToPos(line.value, "y", true);
        if (!(y >= u.bbox.top - 1 && y <= u.bbox.top + u.bbox.height)) continue;
        ctx.setLineDash([6 * ratio, 4 * ratio]);
        ctx.beginPath();
        ctx.moveTo(u.bbox.left, y);
        ctx.lineTo(u.bbox.left + u.bbox.width, y);
        ctx.stroke();
        // At the top edge there is no space above the line.
        const below = y - u.bbox.top < 14 * ratio;
        ctx.textBaseline = below ? "top" : "bottom";
        ctx.fillText(safe(line.name), u.bbox.left + 6 * ratio, y + (below ? 3 : -2) * ratio);
      }
      ctx.restore();
    }

    /** Names of stacked layers, each where its layer has most space and no other name is. */
    drawNames(u) {
      const { series, stacked } = this.spec;
      if (!stacked) return;
      const { ctx } = u;
      const ratio = devicePixelRatio;
      const order = series.map((_, i) => i).filter((i) => this.shown[i]);
      // The topmost layer is drawn first, so its column is the first, too.
      const columnOf = new Map([...order].reverse().map((i, k) => [i, k + 1]));
      const places = u.data[0].map((value) => u.valToPos(value, "x", true));
      const edge = (column, empty) => places.map((_, at) => u.valToPos(column?.[at] ?? empty, "y", true));
      ctx.save();
      ctx.beginPath();
      ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
      ctx.clip();
      ctx.font = `${11 * ratio}px system-ui, sans-serif`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.lineWidth = 3 * ratio;
      ctx.lineJoin = "round";
      const drawn = [];
      let bottom = edge(null, 0);
      for (const i of order) {
        const top = edge(u.data[columnOf.get(i)], 0);
        const half = ctx.measureText(series[i].name).width / 2 + 4 * ratio;
        const place = spaceFor(half, places, top, bottom, u.bbox, drawn);
        bottom = top;
        if (place === null || place.height < MIN_LABELLED_HEIGHT * ratio) continue;
        drawn.push({ ...place, half });
        ctx.strokeStyle = colour("panel");
        ctx.fillStyle = colour("text");
        ctx.strokeText(safe(series[i].name), place.x, place.y);
        ctx.fillText(safe(series[i].name), place.x, place.y);
      }
      ctx.restore();
    }

    /** Outages and errors in red, pauses and warm-up grey, changes of pace dashed; with the number in the table of events, and the name where there is space. */
    drawMarks(u) {
      const { ctx } = u;
      const ratio = devicePixelRatio;
      ctx.save();
      ctx.beginPath();
      ctx.rect(u.bbox.left, 0, u.bbox.width, u.bbox.top + u.bbox.height);
      ctx.clip();
      ctx.font = `${10 * ratio}px system-ui, sans-serif`;
      ctx.textBaseline = "top";
      const marks = this.spec.marks ?? [];
      const places = marks.map((mark) => u.valToPos(mark.from, "x", true));
      for (const [i, mark] of marks.entries()) {
        const from = places[i];
        const to = mark.to === null || mark.to === undefined ? from : u.valToPos(mark.to, "x", true);
        if (to < u.bbox.left || from > u.bbox.left + u.bbox.width) continue;
        const tint = colour(mark.bad ? "bad" : "faint");
        if (to > from) {
          ctx.fillStyle = tint + (mark.bad ? "44" : "1f");
          ctx.fillRect(from, u.bbox.top, Math.max(ratio, to - from), u.bbox.height);
        }
        ctx.strokeStyle = tint;
        ctx.lineWidth = (mark.bad ? 1.5 : 1) * ratio;
        ctx.setLineDash(mark.bad ? [] : [4 * ratio, 3 * ratio]);
        ctx.beginPath();
        ctx.moveTo(from, u.bbox.top);
        ctx.lineTo(from, u.bbox.top + u.bbox.height);
        ctx.stroke();
        if (mark.number) {
          ctx.fillStyle = tint;
          const next = Math.min(u.bbox.left + u.bbox.width, ...places.filter((place) => place > from));
          const named = mark.name ? `${mark.number} ${mark.name}` : String(mark.number);
          const name = ctx.measureText(named).width < next - from - 6 * ratio ? named : String(mark.number);
          const space = u.bbox.left + u.bbox.width - from - 4 * ratio;
          ctx.textAlign = ctx.measureText(name).width > space ? "right" : "left";
          ctx.fillText(safe(name), from + (ctx.textAlign === "right" ? -2 : 2) * ratio, 0);
        }
      }
      ctx.restore();
    }

    read(u) {
      if (this.isHeld) return;
      const i = u.cursor.idx;
      this.index = i;
      this.say(i === null || i === undefined ? "" : this.textAt(i));
    }

    textAt(i) {
      const { x, y, series, heat } = this.spec;
      const at = this.xText(x.values[i]);
      if (heat) {
        const cells = heat.cells.filter((cell) => cell[0] === i);
        const all = cells.reduce((sum, cell) => sum + cell[2], 0);
        if (all === 0) return `${at}: no request`;
        const rows = cells.map((cell) => cell[1]);
        return `${at}: ${all.toLocaleString("en-US")} requests of ${format(heat.edges[Math.min(...rows)], "ms")} to ${format(heat.edges[Math.max(...rows) + 1], "ms")}`;
      }
      const parts = series
        .filter((_, k) => this.shown[k])
        .map((one) => `${series.length > 1 ? `${one.name} ` : ""}${format(one.values[i], y.unit)}${one.low && one.low[i] !== null ? ` (${format(one.low[i], y.unit)} to ${format(one.high[i], y.unit)})` : ""}`);
      return `${at}: ${parts.join(", ")}`;
    }

    key(event) {
      const moves = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
      const last = this.spec.x.values.length - 1;
      let to = this.index ?? -1;
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key in moves) to = Math.max(0, Math.min(last, to < 0 ? (moves[event.key] > 0 ? 0 : last) : to + moves[event.key]));
      else if (event.key === "Home") to = 0;
      else if (event.key === "End") to = last;
      else if (event.key === "+" || event.key === "-") {
        this.zoom(event.key === "+" ? 0.5 : 2);
        event.preventDefault();
        return;
      } else if (event.key === "0" || event.key === "Escape") {
        this.showAll();
        return;
      } else return;
      event.preventDefault();
      const x = this.spec.x.values[to];
      const { min, max } = this.uplot.scales.x;
      if (x < min || x > max) {
        const half = this.spec.x.log ? Math.sqrt(max / min) : (max - min) / 2;
        this.uplot.setScale("x", this.spec.x.log ? { min: x / half, max: x * half } : { min: x - half, max: x + half });
      }
      this.pointAt(to);
    }

    pointAt(i) {
      this.uplot.setCursor({ left: this.uplot.valToPos(this.spec.x.values[i], "x"), top: 10 });
      this.index = i;
      this.say(this.textAt(i));
    }

    /** What is said already is not said again. */
    say(text) {
      if (this.readout.textContent !== text) this.readout.textContent = safe(text);
    }

    zoom(factor) {
      if (this.extent === null) return;
      const { min, max } = this.uplot.scales.x;
      const values = this.spec.x.values;
      const [first, last] = this.extent;
      if (this.spec.x.log) {
        const middle = this.index === null || this.index === undefined ? Math.sqrt(min * max) : values[this.index];
        const half = Math.sqrt(max / min) ** factor;
        if (half * half >= last / first) this.showAll();
        else this.uplot.setScale("x", { min: Math.max(first, middle / half), max: Math.min(last, middle * half) });
        return;
      }
      const middle = this.index === null || this.index === undefined ? (min + max) / 2 : values[this.index];
      const half = ((max - min) / 2) * factor;
      if (half * 2 >= last - first) this.showAll();
      else this.uplot.setScale("x", { min: Math.max(first, middle - half), max: Math.min(last, middle + half) });
    }

    showAll() {
      if (this.extent === null) return;
      const [min, max] = this.extent;
      this.uplot.setScale("x", { min, max });
    }

    /** Charts of one group show the same stretch. */
    scaled(u, scale) {
      if (scale !== "x" || u !== this.uplot || Chart.following > 0) return;
      const { min, max } = u.scales.x;
      const [first, last] = this.extent ?? [min, max];
      this.zoomed = min > first || max < last;
      if (!this.spec.group) return;
      Chart.follow(() => {
        for (const other of this.members) {
          if (other === this || !other.uplot) continue;
          other.zoomed = this.zoomed;
          other.uplot.setScale("x", { min, max });
        }
      });
    }

    /** Changes charts without their leading others; uPlot tells of a change behind this, in microtasks that are queued by it. */
    static follow(change) {
      Chart.following++;
      change();
      queueMicrotask(() => Chart.following--);
    }

    destroy() {
      this.resizing.disconnect();
      this.uplot.destroy();
    }

    resize() {
      const width = Math.max(200, this.plot.clientWidth);
      if (this.uplot && Math.abs(this.uplot.width - width) > 1) this.uplot.setSize({ width, height: this.uplot.height });
    }
  }
  Chart.following = 0;

  /** A figure for a chart, for pages that are made by script. */
  function figure(id, title, said, wide) {
    const caption = element("figcaption", {}, element("h3", {}, title), said ? element("p", {}, said) : null);
    return element("figure", { class: wide ? "chart wide" : "chart", id }, caption, element("div", { class: "plot" }));
  }

  /** Ends all charts, whose figures are about to go. */
  function clear() {
    charts.forEach((each) => each.destroy());
    charts.clear();
    groups.clear();
  }

  /** Draws a chart in the figure of that id, or gives the one that is there new data; none where the page has no such figure. */
  function chart(id, spec) {
    const figure = document.getElementById(id);
    if (!figure) return null;
    const known = charts.get(id);
    if (known) {
      known.update(spec);
      return known;
    }
    return new Chart(figure, spec);
  }

  // ---- tables ----

  /** Makes columns sortable by their headings, and puts a CSV link below. */
  function tables() {
    document.querySelectorAll("table[data-csv]").forEach((table) => {
      const heading = [...table.querySelectorAll("thead th")];
      if (table.dataset.sortable !== undefined) heading.forEach((cell, column) => sortable(table, cell, column));
      const label = table.querySelector("caption")?.textContent ?? table.dataset.csv;
      const rows = () => [heading.map((cell) => cell.textContent.trim() + (cell.dataset.unit ? ` (${cell.dataset.unit})` : "")), ...[...table.tBodies].flatMap((body) => [...body.rows]).map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent.trim()))];
      const tools = element("div", { class: "tools" }, csvLink(() => `${document.body.dataset.file ?? "fedometer"}-${table.dataset.csv}.csv`, rows, label));
      (table.closest(".scroll") ?? table).after(tools);
    });
  }

  function sortable(table, cell, column) {
    const text = cell.textContent.trim();
    if (!text) return;
    const button = element("button", { type: "button", class: "sort" }, text);
    cell.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = cell.getAttribute("aria-sort") !== "descending";
      table.querySelectorAll("thead th").forEach((other) => other.removeAttribute("aria-sort"));
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column]?.dataset.value ?? row.cells[column]?.textContent.trim() ?? "";
      const order = (a, b) => {
        const [left, right] = [key(a), key(b)];
        const numbers = Number(left) - Number(right);
        const rising = left !== "" && right !== "" && !Number.isNaN(numbers) ? numbers : left.localeCompare(right);
        return down ? -rising : rising;
      };
      for (const body of table.tBodies) {
        // What belongs below a title of the table stays below it.
        const parts = [{ title: [], rows: [] }];
        for (const row of body.rows) {
          if (row.classList.contains("section")) parts.push({ title: [row], rows: [] });
          else parts[parts.length - 1].rows.push(row);
        }
        for (const { title, rows } of parts) body.append(...title, ...rows.sort(order));
      }
    });
  }

  // ---- light, dark, paper ----

  const redraw = () => charts.forEach((each) => each.draw());

  function setTheme(theme) {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    redraw();
  }

  /** The button that goes from the system's colours to light, to dark and back. */
  function themeButton(button) {
    const order = ["auto", "light", "dark"];
    let theme = "auto";
    try {
      theme = localStorage.getItem("fedometer-theme") ?? "auto";
    } catch {
      // A page from a file may have no storage.
    }
    const show = () => {
      button.textContent = `Colours: ${theme}`;
      setTheme(theme);
    };
    button.addEventListener("click", () => {
      theme = order[(order.indexOf(theme) + 1) % order.length];
      try {
        localStorage.setItem("fedometer-theme", theme);
      } catch {
        // As above: then it is for this visit.
      }
      show();
    });
    if (!order.includes(theme)) theme = "auto";
    show();
  }

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  let onScreen = null;
  addEventListener("beforeprint", () => {
    const closed = [...document.querySelectorAll("details[data-print]:not([open])")];
    onScreen = { theme: document.documentElement.dataset.theme ?? "auto", closed };
    closed.forEach((details) => (details.open = true));
    setTheme("light");
  });
  addEventListener("afterprint", () => {
    if (onScreen === null) return;
    onScreen.closed.forEach((details) => (details.open = false));
    setTheme(onScreen.theme);
    onScreen = null;
  });

  return { chart, charts, clear, csvLink, element, elapsed, figure, format, safe, tables, themeButton, timeOfDay };
})();
