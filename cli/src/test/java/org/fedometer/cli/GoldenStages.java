package org.fedometer.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Calls of each stage in one ingest of the golden object: a column for each stack. */
final class GoldenStages {
  private GoldenStages() {}

  /**
   * @param run the column's name
   * @return calls by stage, without stages that are not called
   */
  static Map<String, Integer> of(String run) throws IOException {
    try (InputStream in = GoldenStages.class.getResourceAsStream("golden-stages.csv")) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      int column = List.of(lines.get(0).split(",")).indexOf(run);
      if (column < 1) {
        throw new IllegalArgumentException(run + " has no column in " + lines.get(0));
      }
      Map<String, Integer> calls = new TreeMap<>();
      for (String line : lines.subList(1, lines.size())) {
        String[] fields = line.split(",");
        int count = Integer.parseInt(fields[column]);
        if (count > 0) {
          calls.put(fields[0], count);
        }
      }
      return calls;
    }
  }
}
