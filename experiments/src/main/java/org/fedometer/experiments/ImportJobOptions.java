package org.fedometer.experiments;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fedometer.experiments.imported.ImportChoices;

/**
 * What is to be imported, and where to.
 *
 * @param file null for standard input
 * @param choices how it is to be understood
 * @param name of the run, or null for one of time and format
 * @param profileChoices what the measured stack was made of, by dimension, in the user's order
 * @param store of this host
 * @param collector null for one in the background
 * @param access to it
 * @param collectorCommand starts one in the background
 */
public record ImportJobOptions(
    Path file,
    ImportChoices choices,
    String name,
    Map<String, String> profileChoices,
    Path store,
    InetSocketAddress collector,
    CollectorAccess access,
    List<String> collectorCommand) {

  public ImportJobOptions {
    Objects.requireNonNull(choices, "choices");
    Objects.requireNonNull(store, "store");
    RunOptions.requireName(name);
    profileChoices = new LinkedHashMap<>(profileChoices);
    collectorCommand = List.copyOf(collectorCommand);
  }
}
