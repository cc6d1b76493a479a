package org.fedometer.datasets.workloads;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.Relationship;

/** Common base of the datasets in this package. Workers share one instance. */
abstract class Workload implements Dataset {

  /** Limit for titles and PIDs of these datasets, with the quotes of the stored form. */
  private static final int MAX_LITERAL_BYTES = 80;

  final DatasetOptions options;
  private final String name;

  Workload(String name, DatasetOptions options) {
    this.name = name;
    this.options = options;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    addParameters(parameters);
    options.addTo(parameters);
    return parameters;
  }

  /** Adds the parameters that only this dataset has, in a fixed order. */
  void addParameters(Map<String, String> parameters) {}

  /** Returns an object whose Dublin Core has title and PID. */
  static ComposedObject titled(
      String pid, String title, List<ContentStream> content, List<Relationship> relationships) {
    return new ComposedObject(pid, title, content, dublinCore(pid, title), relationships);
  }

  static List<DublinCoreValue> dublinCore(String pid, String title) {
    return List.of(new DublinCoreValue("title", title), new DublinCoreValue("identifier", pid));
  }

  @Override
  public final int maxLiteralBytes() {
    return MAX_LITERAL_BYTES;
  }
}
