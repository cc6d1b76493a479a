package org.fedometer.datasets;

import java.util.List;
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
}
