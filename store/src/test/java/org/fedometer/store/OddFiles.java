package org.fedometer.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files that people and sources put into a run's folder, and what the store leaves there. */
final class OddFiles {
  private static final List<String> LASTING =
      List.of(
          "run.json",
          "my notes.txt",
          "it's \"quoted\"*?.txt",
          ".hidden",
          "-",
          "notes.tmp",
          ".notes.tmp",
          "config/fedora.fcfg.tmp",
          "config/run.json.tmp",
          "logs/" + "x".repeat(255),
          "logs/" + "x".repeat(251) + ".log",
          "a/b/c/d/e/f/g/h/i/j/k/l/deep",
          "y".repeat(255) + "/" + "z".repeat(255) + "/y");

  private static final List<String> TEMPORARY =
      List.of(
          "run.json.tmp",
          ".fetch.tmp",
          "logs/.fetch.tmp",
          "segments/document.tmp",
          "segments/0a1b2c3d-000001.segment.tmp",
          "segments/seal-0a1b2c3d-000001.segment.tmp/samples.parquet");

  private OddFiles() {}

  /** The paths of those that are to be kept. */
  static List<String> writeInto(RunFolder run) throws IOException {
    for (List<String> names : List.of(LASTING, TEMPORARY)) {
      for (String name : names) {
        Path file = run.path().resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "{}" + " ".repeat(name.length()));
      }
    }
    return LASTING;
  }

  /** The paths of all files in a run's folder. */
  static List<String> in(RunFolder run) throws IOException {
    try (Stream<Path> all = Files.walk(run.path())) {
      return all.filter(Files::isRegularFile)
          .map(file -> run.path().relativize(file).toString())
          .toList();
    }
  }
}
