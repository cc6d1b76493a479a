package org.fedometer.analysis.html;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.util.List;
import org.fedometer.analysis.compare.EnvironmentDocument;
import org.fedometer.analysis.compare.Gate;
import org.fedometer.analysis.compare.Lineup;
import org.fedometer.analysis.compare.ProfileComparison;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.study.DatastreamStudy;
import org.fedometer.analysis.study.ScaleStudy;
import org.fedometer.analysis.timeline.GrowthCurves;
import org.fedometer.analysis.timeline.RunPaces;
import org.fedometer.analysis.timeline.RunTimeline;
import org.fedometer.store.RunView;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.wire.SafeLine;

/**
 * Writes reports as single, self-contained HTML files. Two reports of one folder by one Fedometer
 * are identical. All data of a run is escaped as text. Safe on any thread.
 */
public final class HtmlReport {
  private static final TemplateEngine TEMPLATES =
      TemplateEngine.createPrecompiled(
          null, ContentType.Html, null, "org.fedometer.analysis.html.templates");

  private HtmlReport() {}

  /**
   * Returns the page of one run.
   *
   * @param report of the same run
   * @param version of Fedometer, for the page's footer
   * @throws IOException if a file of the run is unreadable; the message is one sentence
   * @throws QueryException if a sealed table is unreadable
   */
  public static String of(RunView run, RunReport report, String version)
      throws IOException, QueryException {
    RunTimeline timeline;
    List<GrowthCurves.Curve> curves;
    try (Query query = run.query()) {
      timeline = RunTimeline.of(query, report);
      curves = GrowthCurves.of(query, report, timeline);
    }
    return page(
        "run.jte",
        new RunPage(
            report,
            timeline,
            curves,
            ScaleStudy.of(run),
            DatastreamStudy.of(run),
            EnvironmentDocument.of(run),
            version));
  }

  /**
   * Returns the page of a comparison.
   *
   * @param gates results; empty without gates
   * @param version of Fedometer, for the page's footer
   * @throws IOException if a run's files cannot be listed; the message is one sentence
   * @throws QueryException if a sealed table is unreadable
   */
  public static String of(
      ProfileComparison comparison, Lineup lineup, List<Gate.Result> gates, String version)
      throws IOException, QueryException {
    List<RunPaces.Source> runs =
        lineup.inOrder().stream()
            .flatMap(profile -> profile.runs().stream())
            .map(run -> new RunPaces.Source(run.view(), run.document()))
            .toList();
    return page(
        "comparison.jte", new ComparisonPage(comparison, gates, RunPaces.of(runs), version));
  }

  private static String page(String template, Object page) {
    StringOutput output = new StringOutput(1 << 20);
    TEMPLATES.render(template, page, output);
    // In a script's JSON the escape denotes the same character: charts.js escapes it for display.
    return SafeLine.lines(output.toString());
  }
}
