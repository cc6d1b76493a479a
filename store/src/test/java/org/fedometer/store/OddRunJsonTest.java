package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever one run's document holds, the other runs are listed. */
class OddRunJsonTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static final String COMPLETE =
      """
      {"schema": 1, "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "name": "odd", "state": "done",
       "failure": {"step": "start", "message": "m", "log": "l"},
       "profile": {"name": "p", "choices": {"a": "b"}, "settings": {"c": "d"}},
       "dataset": {"name": "d", "parameters": {"seed": "1"}}, "workers": 4,
       "objects": {"requested": 20, "ingested": 20, "failed": 0, "counted": 20, "verified": 1,
                   "bytes": 5},
       "triples": {"before": 1, "expected": 2, "counted": 2},
       "requests": {"sent": 20, "retried": 0, "failed": 0,
                    "failures": [{"pid": "x:1", "attempt": 1, "status": 500, "message": "m"}]},
       "verification": {"ok": true, "sampledObjects": 1, "sampledBytes": 1, "problems": ["p"]},
       "phases": [{"name": "ingest", "startNanos": 0, "endNanos": 1000000000},
                  {"name": "drain", "startNanos": 1000000000, "endNanos": 2000000000}],
       "versions": {"fedora": "3.8.1"}, "environment": {"host": "h"},
       "configurationFiles": ["config/a"], "logFiles": ["logs/a"], "bootId": "b",
       "started": "2026-01-01T00:00:00Z", "ended": "2026-01-01T00:01:00Z"}""";

  private static final List<String> ODD_VALUES =
      List.of(
          "null",
          "true",
          "-1",
          "0.5",
          "1e400",
          "1e1000000000",
          "9223372036854775807",
          "-9223372036854775808",
          "9".repeat(500),
          "\"\"",
          "\"\\u0000\"",
          "\"-999999999-01-01T00:00:00Z\"",
          "\"+1000000000-12-31T23:59:59.999999999Z\"",
          "[]",
          "[null]",
          "[[]]",
          "[{}]",
          "{}",
          "{\"\": null}");

  @TempDir Path directory;
  private RunStore store;
  private Path odd;

  @BeforeEach
  void makeAnotherRun() throws IOException {
    store = RunStore.at(directory);
    Path innocent = Files.createDirectories(store.folderOf("innocent").path());
    Files.writeString(innocent.resolve("run.json"), COMPLETE.replace("\"odd\"", "\"innocent\""));
    odd = Files.createDirectories(store.folderOf("odd").path()).resolve("run.json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "[null]", "5", "\"x\"", "{", "\u0000", "nul"})
  void reportsAFileThatIsNoDocument(String content) throws Exception {
    Files.writeString(odd, content);

    assertOthersAreListed(content);
    assertThat(summaryOf("odd").state()).isEqualTo(RunSummary.UNKNOWN);
    assertThatThrownBy(() -> store.run("odd").document())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("run.json cannot be read: ");
  }

  @Test
  void everyFieldMayHoldAnything() throws Exception {
    ObjectNode document = (ObjectNode) JSON.readTree(COMPLETE);
    int listed = 0;
    for (Place place : placesIn(document, new ArrayList<>())) {
      for (String value : ODD_VALUES) {
        JsonNode before = place.put(JSON.getNodeFactory().rawValueNode(new RawValue(value)));
        String content = JSON.writeValueAsString(document);
        place.put(before);
        Files.writeString(odd, content);
        assertOthersAreListed(content);
        listed++;
      }
    }
    assertThat(listed).isGreaterThan(1_000);
  }

  @Test
  void timesBeyondAllMeasureGiveNoDuration() throws Exception {
    Files.writeString(
        odd,
        """
        {"started": "-999999999-01-01T00:00:00Z", "ended": "+999999999-01-01T00:00:00Z",
         "objects": {"ingested": 5}, "phases": [null, {},
            {"name": "ingest", "startNanos": 0, "endNanos": 1000000000}]}""");

    assertThat(summaryOf("odd").durationMillis()).isNull();
    assertThat(summaryOf("odd").objectsPerSecond()).isEqualTo(5.0);
  }

  @Test
  void aDocumentLargerThanAnyIsNotReadIntoMemory() throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(odd.toFile(), "rw")) {
      file.setLength(5L << 30);
    }

    assertOthersAreListed("five gigabytes");
    assertThatThrownBy(() -> store.run("odd").document())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than 4194304 bytes");
  }

  @Test
  void aFolderInPlaceOfTheDocumentHidesNoOtherRun() throws Exception {
    Files.createDirectory(odd);

    assertOthersAreListed("a folder");
    assertThat(summaryOf("odd").state()).isEqualTo(RunSummary.UNKNOWN);
  }

  private void assertOthersAreListed(String content) throws IOException {
    assertThat(store.runs()).extracting(RunFolder::name).as(content).contains("innocent", "odd");
    assertThat(store.summaries()).as(content).hasSize(2);
    assertThat(summaryOf("innocent").objectsPerSecond()).as(content).isEqualTo(10.0);
  }

  private RunSummary summaryOf(String name) throws IOException {
    return store.summaries().stream().filter(run -> run.name().equals(name)).findAny().get();
  }

  private interface Place {
    /** Replaces what is there, and returns it. */
    JsonNode put(JsonNode value);
  }

  private static List<Place> placesIn(JsonNode node, List<Place> places) {
    if (node instanceof ObjectNode object) {
      object
          .properties()
          .forEach(
              field -> {
                places.add(value -> object.replace(field.getKey(), value));
                placesIn(field.getValue(), places);
              });
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        int index = i;
        places.add(
            value -> {
              JsonNode before = array.get(index);
              array.set(index, value);
              return before;
            });
        placesIn(array.get(i), places);
      }
    }
    return places;
  }
}
