package org.fedometer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Prints the ten slowest test classes of all modules at a build's end. */
public final class SlowestTests {
  private static final int SHOWN = 10;

  private static final Pattern REPORT =
      Pattern.compile("Time elapsed: ([0-9.]+) s .*-- in (?:org\\.fedometer\\.)?(\\S+)");

  private SlowestTests() {}

  private record Took(double seconds, String name) {}

  /**
   * @param arguments the checkout, and when the build began, as Maven's build timestamp has it
   */
  public static void main(String[] arguments) throws IOException {
    String time = arguments[1]; // another format in a build whose seed is derived from it
    Instant began = time.contains("T") ? Instant.parse(time) : Instant.EPOCH;
    List<Took> all = new ArrayList<>();
    try (Stream<Path> files =
        Files.find(
            Path.of(arguments[0]),
            4,
            (file, attributes) ->
                file.getParent().getFileName().toString().matches("(surefire|failsafe)-reports")
                    && file.toString().endsWith(".txt")
                    && !attributes.lastModifiedTime().toInstant().isBefore(began))) {
      for (Path file : files.toList()) {
        Matcher report = REPORT.matcher(Files.readString(file));
        if (report.find()) {
          all.add(new Took(Double.parseDouble(report.group(1)), report.group(2)));
        }
      }
    }
    if (all.isEmpty()) {
      return;
    }
    System.out.printf(
        Locale.ROOT,
        "%d test classes took %.0f s; the slowest:%n",
        all.size(),
        all.stream().mapToDouble(Took::seconds).sum());
    all.stream()
        .sorted(Comparator.comparingDouble(Took::seconds).reversed())
        .limit(SHOWN)
        .forEach(
            took -> System.out.printf(Locale.ROOT, "%7.1f s  %s%n", took.seconds(), took.name()));
  }
}
