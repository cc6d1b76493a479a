"use strict";
fetch("/api/runs")
  .then((answer) => answer.json())
  .then((list) => {
    const runs = document.getElementById("runs");
    for (const run of list.runs) {
      const line = document.createElement("li");
      line.textContent = run.name + " (" + run.state + ")";
      runs.append(line);
    }
  });
