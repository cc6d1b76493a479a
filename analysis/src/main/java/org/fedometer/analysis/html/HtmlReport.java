package org.fedometer.analysis.html;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.util.List;
import org.fedometer.analysis.EnvironmentDocument;
import org.fedometer.analysis.RunReport;
import org.fedometer.analysis.course.GrowthCurves;
import org.fedometer.analysis.course.RunCourse;
import org.fedometer.analysis.study.DatastreamStudy;
import org.fedometer.analysis.study.ScaleStudy;
import org.fedometer.store.RunView;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/**
 * Reports as HTML: one file each, which holds its data, script and style, loads nothing, and works
 * for ever. Two reports of one folder by one Fedometer are equal, character by character. Whatever
 * comes from a run is text in it. Safe on any thread.
 */
public final class HtmlReport {
  private static final TemplateEngine TEMPLATES =
      TemplateEngine.createPrecompiled(ContentType.Html);

  private HtmlReport() {}

  /**
   * The page of one run.
   *
   * @param report of the same run
   * @param version of Fedometer, for the foot of the page
   * @throws IOException one sentence: a file of the run cannot be read
   * @throws QueryException a sealed table cannot be read
   */
  public static String of(RunView run, RunReport report, String version)
      throws IOException, QueryException {
    RunCourse course;
    List<GrowthCurves.Curve> curves;
    try (Query query = run.query()) {
      course = RunCourse.of(query, report);
      curves = GrowthCurves.of(query, report, course);
    }
    return page(
        "run.jte",
        new RunPage(
            report,
            course,
            curves,
            ScaleStudy.of(run),
            DatastreamStudy.of(run),
            EnvironmentDocument.of(run),
            version));
  }

  private static String page(String template, Object page) {
    StringOutput output = new StringOutput(1 << 20);
    TEMPLATES.render(template, page, output);
    return output.toString();
  }
}
