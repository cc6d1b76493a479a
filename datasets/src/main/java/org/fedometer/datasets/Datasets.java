package org.fedometer.datasets;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fedometer.datasets.foxml.FoxmlDirectory;
import org.fedometer.datasets.ndltd.NdltdRecords;
import org.fedometer.datasets.patents.PatentXmlDirectory;
import org.fedometer.datasets.patents.Patents;
import org.fedometer.datasets.workloads.CollectionMembers;
import org.fedometer.datasets.workloads.ContainerBinary;
import org.fedometer.datasets.workloads.ManyDatastreams;
import org.fedometer.datasets.workloads.NestedWorks;
import org.fedometer.datasets.workloads.UniqueFiles;

/**
 * Where datasets are found by name. Whoever conducts a run calls {@link #open} once, on any thread,
 * and shares what it gets among the workers.
 */
public final class Datasets {

  private static final List<String> NAMES =
      List.of(
          Patents.NAME,
          PatentXmlDirectory.NAME,
          FoxmlDirectory.NAME,
          NdltdRecords.NAME,
          CollectionMembers.NAME,
          NestedWorks.NAME,
          UniqueFiles.NAME,
          ContainerBinary.NAME,
          ManyDatastreams.NAME);

  private Datasets() {}

  /** Every dataset there is, in the order in which to list them. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * Opens a dataset. Pools are made and directories are read here, so this can take some seconds.
   *
   * @param spec {@code NAME[:VALUE][,KEY=VALUE]...}, such as {@code patents:scale=small,seed=7},
   *     {@code patents:small} or {@code patents-xml:DIR}
   * @throws UnknownDatasetException if there is no dataset of that name
   * @throws UnusableDataException if files that the dataset is made of cannot be used; names them
   * @throws IllegalArgumentException if a parameter is unknown, malformed or missing
   */
  public static Dataset open(String spec, DatasetOptions options) {
    int colon = spec.indexOf(':');
    String name = (colon < 0 ? spec : spec.substring(0, colon)).strip();
    String parameters = colon < 0 ? "" : spec.substring(colon + 1);
    return switch (name) {
      case Patents.NAME -> Patents.open(parameters, options);
      case PatentXmlDirectory.NAME -> PatentXmlDirectory.open(parameters, options);
      case FoxmlDirectory.NAME -> FoxmlDirectory.open(parameters, options);
      case NdltdRecords.NAME -> NdltdRecords.open(parameters, options);
      case CollectionMembers.NAME -> CollectionMembers.open(parameters, options);
      case NestedWorks.NAME -> NestedWorks.open(parameters, options);
      case UniqueFiles.NAME -> UniqueFiles.open(parameters, options);
      case ContainerBinary.NAME -> ContainerBinary.open(parameters, options);
      case ManyDatastreams.NAME -> ManyDatastreams.open(parameters, options);
      default -> throw new UnknownDatasetException(name, NAMES);
    };
  }

  /**
   * Opens a dataset that a run has on record, and refuses one that would make other objects now.
   *
   * @param parameters as {@link Dataset#parameters} gave them then
   * @throws UnknownDatasetException if there is no dataset of that name any more
   * @throws UnusableDataException if its files cannot be used
   * @throws IllegalArgumentException in words for the user: it is not what it was
   */
  public static Dataset reopen(String name, Map<String, String> parameters) {
    List<String> given = new ArrayList<>();
    for (String key : givenParameters(name)) {
      String value = parameters.get(key);
      if (value != null) {
        given.add(key.equals("dir") ? value : key + "=" + value);
      }
    }
    Dataset dataset =
        open(given.isEmpty() ? name : name + ":" + String.join(",", given), optionsOf(parameters));
    requireSame(name, parameters, dataset.parameters());
    return dataset;
  }

  /** Those that a user may give, a path first; all else in the record follows from them. */
  private static List<String> givenParameters(String name) {
    return switch (name) {
      case Patents.NAME -> List.of("scale", "seed", "dc", "real-pdf");
      case PatentXmlDirectory.NAME -> List.of("dir", "skip-bad");
      case FoxmlDirectory.NAME -> List.of("dir", "skip-bad", "pids");
      case NdltdRecords.NAME -> List.of("workload", "levels", "seed");
      case UniqueFiles.NAME -> List.of("bytes", "seed");
      case ContainerBinary.NAME -> List.of("most", "least", "seed");
      case ManyDatastreams.NAME -> List.of("most", "bytes", "seed");
      default -> List.of();
    };
  }

  private static DatasetOptions optionsOf(Map<String, String> parameters) {
    String form = parameters.getOrDefault("pidForm", parameters.getOrDefault("pids", "named"));
    String limit = parameters.getOrDefault("literalLimitBytes", "unlimited");
    try {
      return new DatasetOptions(
          parameters.getOrDefault("pidNamespace", DatasetOptions.STANDARD_NAMESPACE),
          // of "foxml" with its own PIDs it says which, and there is no form
          parameters.containsKey("pidNamespace") ? PidForm.named(form) : PidForm.NAMED,
          limit.equals("unlimited") ? DatasetOptions.UNLIMITED : Integer.parseInt(limit));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("the record has literalLimitBytes '" + limit + "'", e);
    }
  }

  private static void requireSame(
      String name, Map<String, String> recorded, Map<String, String> now) {
    for (Map.Entry<String, String> before : recorded.entrySet()) {
      String value = now.get(before.getKey());
      if (!before.getValue().equals(value)) {
        throw new IllegalArgumentException(
            "the dataset %s is not what it was: %s was %s and is %s; its objects cannot be made again"
                .formatted(
                    name, before.getKey(), before.getValue(), value == null ? "nothing" : value));
      }
    }
  }
}
