package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several drivers load a run; each writes its own document. */
class RunPartsTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static final String PART =
      """
      {"schema": 1, "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "name": "big", "state": "done",
       "dataset": {"name": "d", "parameters": {"seed": "1"}}, "workers": 4,
       "objects": {"requested": 20, "ingested": 20, "failed": 0, "counted": null, "verified": 0,
                   "bytes": 5},
       "triples": {"before": 7, "expected": 40, "counted": null},
       "requests": {"sent": 21, "retried": 1, "failed": 1,
                    "failures": [{"pid": "x:1", "attempt": 1, "status": 500, "message": "m"}]},
       "phases": [{"name": "ingest", "startNanos": 100, "endNanos": 200}],
       "outages": [{"who": "fedora", "startNanos": 120, "endNanos": 130, "reason": "r"}],
       "bootId": "b", "notes": ["n"],
       "started": "2026-01-01T00:00:00Z", "ended": "2026-01-01T00:01:00Z"}""";

  @TempDir Path directory;
  private RunFolder run;

  @BeforeEach
  void makeRun() throws IOException {
    run = RunStore.at(directory).folderOf("big");
    Files.createDirectories(run.path().resolve("parts"));
    Files.writeString(run.path().resolve("run.json"), PART);
  }

  @Test
  void theRunIsTheSumOfItsParts() throws Exception {
    part(1, 2);
    part(
        2,
        2,
        """
        {"started": "2025-12-31T23:59:00Z", "ended": "2026-01-01T00:02:00Z", "workers": 2,
         "objects": {"requested": 19, "ingested": 18, "failed": 1, "bytes": 4, "verified": 0},
         "triples": {"before": 3, "expected": 36}, "state": "done-with-errors",
         "phases": [{"name": "ingest", "startNanos": 50, "endNanos": 180},
                    {"name": "drain", "startNanos": 180, "endNanos": 190}],
         "outages": [{"who": "fedora", "startNanos": 60, "endNanos": 61, "reason": "r"}]}""");

    RunDocument joined = run.document();

    assertThat(joined.objects()).isEqualTo(new RunDocument.ObjectCounts(39, 38, 1, null, 0, 9));
    assertThat(joined.triples()).isEqualTo(new RunDocument.TripleCounts(3L, 76L, null));
    assertThat(joined.requests().sent()).isEqualTo(42);
    assertThat(joined.requests().failures()).hasSize(2);
    assertThat(joined.workers()).isEqualTo(6);
    assertThat(joined.phases())
        .containsExactlyInAnyOrder(
            new RunDocument.Phase("ingest", 50, 200), new RunDocument.Phase("drain", 180, 190));
    assertThat(joined.outages())
        .extracting(RunDocument.Outage::startNanos)
        .containsExactly(60L, 120L);
    assertThat(joined.state()).isEqualTo("done-with-errors");
    assertThat(joined.started()).isEqualTo("2025-12-31T23:59:00Z");
    assertThat(joined.ended()).isEqualTo("2026-01-01T00:02:00Z");
    assertThat(joined.notes()).containsExactly("n");
  }

  @Test
  void isAtWorkAsLongAsOnePartIs() throws Exception {
    part(1, 2);
    part(2, 2, "{\"state\": \"running\", \"ended\": null}");

    assertThat(run.document().state()).isEqualTo("running");
    assertThat(run.document().ended()).isNull();
    assertThat(run.document().notes())
        .contains("These parts have not ended yet, or were killed: 2/2.");
  }

  @Test
  void saysWhichPartsAreMissing() throws Exception {
    part(2, 4);
    part(3, 4);

    assertThat(run.document().state()).isEqualTo("done-with-errors");
    assertThat(run.document().notes()).contains("These parts have sent nothing: 1/4, 4/4.");
  }

  @Test
  void reportsPartsOfDifferentLoads() throws Exception {
    part(1, 3);
    part(2, 3, "{\"objects\": {\"requested\": 23, \"ingested\": 23}}");
    assertThat(RunParts.disagreement(run.parts()))
        .contains(
            "23 objects in 2/3 (--objects 68 to 70) and 20 objects in 1/3 (--objects 58 to 60)"
                + " imply different values of --objects");

    part(2, 3, "{\"dataset\": {\"name\": \"d\", \"parameters\": {\"seed\": \"2\"}}}");
    assertThat(RunParts.disagreement(run.parts()))
        .contains("the dataset's seed is 1 in 1/3 and 2 in 2/3");

    part(2, 3, "{\"workload\": {\"content\": \"url\"}}");
    assertThat(RunParts.disagreement(run.parts()))
        .hasValueSatisfying(text -> assertThat(text).contains("--content", "url in 2/3"));

    part(2, 3, "{\"objects\": {\"requested\": 19, \"ingested\": 19}}");
    assertThat(RunParts.disagreement(run.parts())).as("58 objects in all").isEmpty();
  }

  @Test
  void aPartMoreOfAnotherNumberOfPartsIsNoRunThatEndedWell() throws Exception {
    part(1, 3);
    part(2, 3);
    part(2, 2);

    assertThat(run.document().state()).isEqualTo("done-with-errors");
    assertThat(run.document().notes())
        .contains("Its drivers contradict each other: 1/3 and 2/2 differ in the number of parts.");
  }

  @Test
  void timesOfSeveralHostsAreNotMixed() throws Exception {
    part(1, 2);
    part(
        2,
        2,
        """
        {"started": "2026-01-02T00:00:00Z", "bootId": "other",
         "phases": [{"name": "ingest", "startNanos": 5, "endNanos": 999999}]}""");

    assertThat(run.document().phases()).containsExactly(new RunDocument.Phase("ingest", 100, 200));
    assertThat(run.document().outages()).hasSize(1);
    assertThat(run.document().notes()).anyMatch(note -> note.contains("several hosts"));
  }

  @Test
  void combinesOutagesOfDriversAndFedora() throws Exception {
    part(
        1,
        2,
        """
        {"outages": [{"who": "driver", "startNanos": 10, "endNanos": 50, "reason": "a"},
                     {"who": "fedora", "startNanos": 60, "endNanos": 70, "reason": "c"}]}""");
    part(
        2,
        2,
        """
        {"outages": [{"who": "driver", "startNanos": 30, "endNanos": 90, "reason": "b"},
                     {"who": "fedora", "startNanos": 65, "endNanos": 80, "reason": "d"}]}""");

    assertThat(run.document().outages())
        .containsExactly(
            new RunDocument.Outage("driver", 30, 50, "b"),
            new RunDocument.Outage("fedora", 60, 80, "c"));
  }

  @Test
  void reportsADriverThatWasAway() throws Exception {
    part(1, 3);
    part(
        2,
        3,
        """
        {"outages": [{"who": "driver", "startNanos": 0, "endNanos": 1500000000, "reason": "a"},
                     {"who": "fedora", "startNanos": 0, "endNanos": 1000000000, "reason": "c"},
                     {"who": "driver", "startNanos": 4000000000, "endNanos": 5000000000,
                      "reason": "b"}]}""");
    part(3, 3);

    assertThat(run.document().outages())
        .extracting(RunDocument.Outage::who)
        .isNotEmpty()
        .doesNotContain("driver");
    assertThat(run.document().notes())
        .contains("The drivers of these parts had outages: 2/3 for 2.5 s.");
  }

  @Test
  void whatIsOfAnotherRunOrNoPartDoesNotCount() throws Exception {
    part(1, 1);
    part(2, 1);
    Files.writeString(run.path().resolve("parts/readme.json"), "no JSON");
    part(1, 3, "{\"id\": \"01BX5ZZKBKACTAV9WEVGEMMVRZ\"}");

    assertThat(run.document().objects().requested()).isEqualTo(20);
  }

  @Test
  void ignoresInvalidParts() throws Exception {
    part(1, 2);
    part(
        2,
        2,
        """
        {"phases": [null, {"name": null}], "outages": [null], "notes": null, "requests": null,
         "started": "+1000000000-12-31T23:59:59.999999999Z", "ended": "soon", "state": "odd"}""");

    assertThat(run.document().objects().requested()).isEqualTo(40);
    assertThat(run.document().ended()).isNull();
  }

  private void part(int number, int count) throws IOException {
    part(number, count, "{}");
  }

  /** A part that differs in these fields. */
  private void part(int number, int count, String fields) throws IOException {
    ObjectNode document = (ObjectNode) JSON.readTree(PART);
    document.setAll((ObjectNode) JSON.readTree(fields));
    Files.writeString(run.path().resolve(RunParts.path(number, count)), document.toString());
  }
}
