package org.fedometer.datasets.catalogue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DocumentFolder;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.UnknownDatasetException;
import org.fedometer.datasets.foxml.FoxmlDirectory;
import org.fedometer.datasets.ndltd.NdltdRecords;
import org.fedometer.datasets.patents.PatentXmlDirectory;
import org.fedometer.datasets.patents.Patents;
import org.fedometer.datasets.workloads.CollectionMembers;
import org.fedometer.datasets.workloads.ContainerBinary;
import org.fedometer.datasets.workloads.ManyDatastreams;
import org.fedometer.datasets.workloads.NestedWorks;
import org.fedometer.datasets.workloads.UniqueFiles;

/** Finds datasets by name. Thread-safe; threads can share the result of {@link #open}. */
public final class Datasets {

  private static final List<Openable> ALL =
      List.of(
          new Openable(Patents.KIND, Patents::open),
          new Openable(PatentXmlDirectory.KIND, PatentXmlDirectory::open),
          new Openable(FoxmlDirectory.KIND, FoxmlDirectory::open),
          new Openable(NdltdRecords.KIND, NdltdRecords::open),
          new Openable(CollectionMembers.KIND, CollectionMembers::open),
          new Openable(NestedWorks.KIND, NestedWorks::open),
          new Openable(UniqueFiles.KIND, UniqueFiles::open),
          new Openable(ContainerBinary.KIND, ContainerBinary::open),
          new Openable(ManyDatastreams.KIND, ManyDatastreams::open));

  private static final List<String> NAMES = ALL.stream().map(one -> one.kind().name()).toList();

  private Datasets() {}

  private record Openable(DatasetKind kind, BiFunction<String, DatasetOptions, Dataset> opener) {}

  /** Returns the names in the order for lists. */
  public static List<String> names() {
    return NAMES;
  }

  /** Returns the kinds in the order for lists. */
  public static List<DatasetKind> kinds() {
    return ALL.stream().map(Openable::kind).toList();
  }

  /**
   * @throws UnknownDatasetException if there is no dataset of that name
   */
  public static DatasetKind kind(String name) {
    return openable(name).kind();
  }

  private static Openable openable(String name) {
    return ALL.stream()
        .filter(one -> one.kind().name().equals(name))
        .findFirst()
        .orElseThrow(() -> new UnknownDatasetException(name, NAMES));
  }

  /**
   * Opens a dataset; creates pools and reads directories, which can take some seconds.
   *
   * @param spec {@code NAME[:VALUE][,KEY=VALUE]...}, such as {@code patents:scale=small,seed=7},
   *     {@code patents:small} or {@code patents-xml:DIR}
   * @throws UnknownDatasetException if there is no dataset of that name
   * @throws UnusableDataException if files of the dataset are unusable; names them
   * @throws IllegalArgumentException if a parameter is unknown, malformed or missing
   */
  public static Dataset open(String spec, DatasetOptions options) {
    return openable(nameIn(spec)).opener().apply(parametersIn(spec), options);
  }

  /**
   * Checks a dataset's name and each parameter separately, without opening anything or reading a
   * directory.
   *
   * @param spec the same form as for {@link #open}
   * @throws UnknownDatasetException if there is no dataset of that name
   * @throws IllegalArgumentException if a parameter is unknown or malformed
   */
  public static void check(String spec) {
    DatasetKind kind = kind(nameIn(spec));
    Parameters given =
        kind.parameters().contains(DocumentFolder.DIRECTORY)
            ? Parameters.parseWithPath(kind, parametersIn(spec))
            : Parameters.parse(kind, parametersIn(spec));
    for (Parameter<?> parameter : kind.parameters()) {
      given.value(parameter);
    }
  }

  private static String nameIn(String spec) {
    int colon = spec.indexOf(':');
    return (colon < 0 ? spec : spec.substring(0, colon)).strip();
  }

  private static String parametersIn(String spec) {
    int colon = spec.indexOf(':');
    return colon < 0 ? "" : spec.substring(colon + 1);
  }

  /**
   * Opens the dataset in a run's record, and refuses one that would now make other objects.
   *
   * @param parameters the recorded {@link Dataset#parameters}
   * @throws UnknownDatasetException if the dataset of that name no longer exists
   * @throws UnusableDataException if its files are unusable
   * @throws IllegalArgumentException with a message for the user: it has changed
   */
  public static Dataset reopen(String name, Map<String, String> parameters) {
    List<String> given = new ArrayList<>();
    for (Parameter<?> parameter : kind(name).parameters()) {
      String value = parameters.get(parameter.name());
      if (value != null) {
        given.add(parameter == DocumentFolder.DIRECTORY ? value : parameter.name() + "=" + value);
      }
    }
    Dataset dataset =
        open(given.isEmpty() ? name : name + ":" + String.join(",", given), optionsOf(parameters));
    requireSame(name, parameters, dataset.parameters());
    return dataset;
  }

  private static DatasetOptions optionsOf(Map<String, String> parameters) {
    String form = parameters.getOrDefault("pidForm", parameters.getOrDefault("pids", "named"));
    String limit = parameters.getOrDefault("literalLimitBytes", "unlimited");
    try {
      return new DatasetOptions(
          parameters.getOrDefault("pidNamespace", DatasetOptions.STANDARD_NAMESPACE),
          // for "foxml" with its own PIDs, this names them, and there is no form
          parameters.containsKey("pidNamespace") ? PidForm.named(form) : PidForm.NAMED,
          limit.equals("unlimited") ? DatasetOptions.UNLIMITED : Integer.parseInt(limit));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the run's record has an invalid literalLimitBytes '" + limit + "'", e);
    }
  }

  private static void requireSame(
      String name, Map<String, String> recorded, Map<String, String> now) {
    for (Map.Entry<String, String> before : recorded.entrySet()) {
      String value = now.get(before.getKey());
      if (!before.getValue().equals(value)) {
        throw new IllegalArgumentException(
            ("the dataset %s has changed since the run: %s was %s and is %s; its objects"
                    + " cannot be generated again")
                .formatted(
                    name, before.getKey(), before.getValue(), value == null ? "nothing" : value));
      }
    }
  }
}
