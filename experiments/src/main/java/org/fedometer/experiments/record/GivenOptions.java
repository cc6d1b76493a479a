package org.fedometer.experiments.record;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the collector options on a job's command line.
 *
 * @param arguments the command line
 * @param folder its working folder; null in records without it
 */
record GivenOptions(List<String> arguments, String folder) {
  private static final String COLLECTOR = "--collector";

  /** Options of a collector with a token or TLS; each names a file. */
  private static final List<String> ACCESS =
      List.of("--token-file", "--tls-ca", "--tls-certificate", "--tls-key");

  private static final String TLS = "--tls";

  static GivenOptions of(JobRecord record) {
    return new GivenOptions(record.arguments(), record.folder());
  }

  /** Returns the collector on the command line; empty for the store's own. */
  Optional<String> collector() {
    return valueOf(COLLECTOR);
  }

  /** Returns the access options of that collector, with paths that are valid in this folder. */
  List<String> collectorAccess() {
    List<String> access = new ArrayList<>();
    if (arguments.contains(TLS)) {
      access.add(TLS);
    }
    for (String option : ACCESS) {
      valueOf(option).ifPresent(file -> access.addAll(List.of(option, fromHere(file))));
    }
    return access;
  }

  /** Returns an option's last value. */
  private Optional<String> valueOf(String option) {
    String value = null;
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals(option) && i + 1 < arguments.size()) {
        value = arguments.get(i + 1);
      } else if (argument.startsWith(option + "=")) {
        value = argument.substring(option.length() + 1);
      }
    }
    return Optional.ofNullable(value);
  }

  /** Resolves a file name against the folder in which the job was begun. */
  private String fromHere(String file) {
    try {
      return folder == null || Path.of("").toAbsolutePath().equals(Path.of(folder))
          ? file
          : Path.of(folder).resolve(file).toString();
    } catch (InvalidPathException e) {
      return file; // no such path is possible
    }
  }
}
