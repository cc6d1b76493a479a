package org.fedometer.experiments.imported;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests read from a text.
 *
 * @param requests {@code number operation worker start+duration status message}, times in
 *     microseconds
 * @param overview of them
 */
record ImportedText(List<String> requests, ImportOverview overview) {

  static ImportedText of(ImportChoices choices, String text) throws IOException {
    return of(choices, text.getBytes(StandardCharsets.UTF_8));
  }

  /** As an import does it: first a look, then all. */
  static ImportedText of(ImportChoices choices, byte[] bytes) throws IOException {
    try (MeasuredFile file = MeasuredFile.copyOf(new ByteArrayInputStream(bytes), "old.txt")) {
      ImportedMeasurements measurements = new ImportedMeasurements(file, choices);
      ImportOverview overview = measurements.inspect();
      List<String> requests = new ArrayList<>();
      measurements.send(
          overview,
          (number, operation, worker, start, duration, status, message) ->
              requests.add(
                  "%d %s %d %d+%d %d %s"
                      .formatted(
                          number,
                          operation,
                          worker,
                          start / 1000,
                          duration / 1000,
                          status,
                          message)));
      return new ImportedText(requests, overview);
    }
  }

  static ImportChoices choices(ImportFormat format) {
    return new ImportChoices(format, null, null, null, false);
  }

  static ImportChoices skippingBad(ImportFormat format) {
    return new ImportChoices(format, null, null, null, true);
  }

  String notes() {
    return String.join("\n", overview.notes());
  }
}
