package org.fedometer.analysis.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.fedometer.store.RunFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StudyFilesTest {

  private static final String TIMING =
      "{\"objects\":%d,\"operation\":\"%s\",\"count\":%d,\"failed\":%d,\"meanMillis\":%s,"
          + "\"minMillis\":1,\"maxMillis\":90000}";

  @TempDir Path directory;

  @Test
  void aRunWithoutThemIsNoStudy() {
    RunFolder run = new RunFolder(directory);

    assertThat(ScaleStudy.of(run)).isEmpty();
    assertThat(DatastreamStudy.of(run)).isEmpty();
  }

  @Test
  void anOperationPassesALimitWhereItIsAboveItAtThatSizeAndAllLargerOnes() throws IOException {
    ScaleStudy study =
        scale(
            timing(100, "search", 5, 0, 101),
            timing(200, "search", 5, 0, 100),
            timing(400, "search", 5, 0, 100.1),
            timing(800, "search", 5, 0, 1000.5),
            timing(100, "get", 5, 0, 10_001),
            timing(200, "get", 5, 0, 10_001),
            timing(400, "get", 5, 0, 10_001),
            timing(800, "get", 5, 0, 9));

    assertThat(study.sizes()).containsExactly(100L, 200L, 400L, 800L);
    ScaleStudy.Operation search = study.operations().get(0);
    assertThat(search.passes(100)).isEqualTo(400);
    assertThat(search.passes(1000)).isEqualTo(800);
    assertThat(search.passes(10_000)).isNull();
    assertThat(study.operations().get(1).passes(10_000)).as("fast at the largest size").isNull();
  }

  @Test
  void ignoresASizeWithoutSuccesses() throws IOException {
    ScaleStudy study =
        scale(
            timing(100, "purge", 5, 0, 200),
            timing(200, "purge", 0, 5, 0),
            timing(100, "get", 0, 5, 0));

    assertThat(study.operations().get(0).passes(100)).isEqualTo(100);
    assertThat(study.operations().get(0).failed()).isEqualTo(5);
    assertThat(study.operations().get(1).isTimed()).isFalse();
    assertThat(study.operations().get(1).passes(100)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "7",
        "{",
        "{}",
        "{\"timings\":[]}",
        "{\"timings\":{}}",
        "{\"timings\":[7]}",
        "{\"timings\":[{}]}",
        "{\"timings\":[{\"operation\":\"x\",\"objects\":0}]}",
        "{\"timings\":[{\"operation\":\"x\",\"objects\":-5,\"count\":1}]}",
        "{\"timings\":[{\"operation\":\"x\",\"objects\":1e99,\"count\":1}]}",
        "{\"timings\":[{\"operation\":\"x\",\"objects\":99999999999999999999999,\"count\":1}]}",
        "{\"timings\":[{\"operation\":[\"x\"],\"objects\":5}]}",
        "{\"timings\":[{\"operation\":\"x\",\"objects\":5,\"count\":1,\"failed\":0,\"meanMillis\":NaN}]}",
        "{\"timings\":[{\"operation\":\"x\",\"objects\":5,\"count\":1,\"failed\":0,\"meanMillis\":1e999}]}",
        "{\"timings\":[{\"operation\":\"x\",\"objects\":5,\"count\":1,\"failed\":0,\"meanMillis\":-1}]}",
      })
  void rejectsOtherDocuments(String document) throws IOException {
    assertThat(unreadable(document)).startsWith("scale-study.json of the run cannot be read: ");
  }

  @Test
  void rejectsLargeDeepOrDuplicateContent() throws IOException {
    assertThat(unreadable("{\"timings\":[" + " ".repeat(StudyFile.MAX_BYTES) + "]}"))
        .endsWith("it has more than 4 MiB.");
    assertThat(unreadable("[".repeat(100_000))).endsWith("it is not JSON.");
    assertThat(unreadable(document(timing(1, "x", 1, 0, 1), timing(1, "x", 1, 0, 2))))
        .endsWith("an operation is timed twice at one size.");
    String[] many = new String[ScaleStudy.MAX_OPERATIONS + 1];
    for (int i = 0; i < many.length; i++) {
      many[i] = timing(1, "operation " + i, 1, 0, 1);
    }
    assertThat(unreadable(document(many))).endsWith("it has more than 64 sizes or 40 operations.");
  }

  @Test
  void aFolderInThePlaceOfTheFileIsNoStudy() throws IOException {
    Files.createDirectory(directory.resolve(ScaleStudy.PATH));

    assertThat(ScaleStudy.of(new RunFolder(directory))).isEmpty();
  }

  @Test
  void readsHowADatastreamStudyReachedItsLimit() throws IOException {
    DatastreamStudy study =
        datastreams(
                "{\"added\":12,\"limit\":\"no memory\",\"additions\":["
                    + "{\"datastreams\":10,\"count\":10,\"meanMillis\":5,\"minMillis\":2,\"maxMillis\":9},"
                    + "{\"datastreams\":12,\"count\":2,\"meanMillis\":7.5,\"minMillis\":7,\"maxMillis\":8}]}")
            .orElseThrow()
            .study();

    assertThat(study.added()).isEqualTo(12);
    assertThat(study.limit()).isEqualTo("no memory");
    assertThat(study.additions())
        .containsExactly(
            new DatastreamStudy.Additions(10, 10, 5, 2, 9),
            new DatastreamStudy.Additions(12, 2, 7.5, 7, 8));
  }

  @Test
  void aStudyOfDatastreamsMayHaveAddedNone() throws IOException {
    StudyResult<DatastreamStudy> found =
        datastreams("{\"added\":0,\"limit\":null,\"additions\":[]}").orElseThrow();

    assertThat(found.study()).isEqualTo(new DatastreamStudy(0, null, List.of()));
  }

  @Test
  void datastreamsThatBecomeFewerAreNoStudy() throws IOException {
    String one =
        "{\"datastreams\":10,\"count\":1,\"meanMillis\":5,\"minMillis\":2,\"maxMillis\":9}";

    assertThat(
            datastreams("{\"added\":20,\"additions\":[" + one + "," + one + "]}")
                .orElseThrow()
                .unreadable())
        .startsWith(
            "datastream-study.json of the run cannot be read: “datastreams” is not a number");
  }

  private ScaleStudy scale(String... timings) throws IOException {
    return read(document(timings)).study();
  }

  private String unreadable(String document) throws IOException {
    return read(document).unreadable();
  }

  private StudyResult<ScaleStudy> read(String document) throws IOException {
    Files.writeString(directory.resolve(ScaleStudy.PATH), document);
    return ScaleStudy.of(new RunFolder(directory)).orElseThrow();
  }

  private Optional<StudyResult<DatastreamStudy>> datastreams(String document) throws IOException {
    Files.writeString(directory.resolve(DatastreamStudy.PATH), document);
    return DatastreamStudy.of(new RunFolder(directory));
  }

  private static String document(String... timings) {
    return "{\"timings\":[" + String.join(",", timings) + "]}";
  }

  private static String timing(
      long objects, String operation, int count, int failed, double meanMillis) {
    return TIMING.formatted(objects, operation, count, failed, meanMillis);
  }
}
