package org.fedometer.analysis.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.fedometer.analysis.section.Section;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/**
 * A part of a report with its own query, shown in text, page and JSON. A new one needs its class
 * and its entry in {@link #of}. Immutable.
 */
public interface ReportPart {

  /** Reads all parts, in the order of a report. */
  static List<ReportPart> of(Query query) throws QueryException {
    return List.of(ContentSizes.of(query));
  }

  /** Returns the name of its field in the report's JSON. */
  String field();

  JsonNode json();

  /** Returns the section of text and page; empty if it would tell nothing. */
  Optional<Section> section();
}
