package org.fedometer.experiments.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.verify.RunClaim;
import org.fedometer.experiments.load.VerifyChoice;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunParts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects expected in Fedora by a run's folder alone. */
class RecordedRunTest {
  private static final Dataset DATASET =
      Datasets.open("collections", new DatasetOptions("c", PidForm.NUMERIC, 2700));

  private final ObjectMapper mapper = new ObjectMapper();
  private ObjectNode document;
  private Path run;

  @BeforeEach
  void aRunOfAThousandObjectsThatEndedWell(@TempDir Path folder) {
    run = folder.resolve("big");
    document = mapper.createObjectNode();
    document.put("schema", 1).put("id", "01JD0000000000000000000000").put("name", "big");
    document.put("state", "done").put("workers", 4);
    ObjectNode dataset = document.putObject("dataset");
    dataset.put("name", "collections");
    dataset.set("parameters", mapper.valueToTree(DATASET.parameters()));
    document.putObject("workload").put("content", "in-request").put("packaging", "foxml");
    objects(1000, 1000, 0);
    document.putObject("triples").put("before", 100).put("expected", 54_000).put("counted", 54_000);
    document.putObject("requests").put("sent", 1000).put("retried", 0).put("failed", 0);
  }

  private void objects(long requested, long ingested, long failed) {
    document
        .putObject("objects")
        .put("requested", requested)
        .put("ingested", ingested)
        .put("failed", failed)
        .put("verified", 0)
        .put("bytes", 0)
        .put("purged", 0);
  }

  private RecordedRun read() throws IOException {
    Files.createDirectories(run);
    mapper.writeValue(run.resolve("run.json").toFile(), document);
    return RecordedRun.of(new RunFolder(run));
  }

  @Test
  void allObjectsOfARunThatEndedWellAreExpected() throws IOException {
    RecordedRun recorded = read();

    RunClaim claim = recorded.claim();
    assertThat(claim.endIndex()).isEqualTo(1000);
    assertThat(claim.open()).isZero();
    assertThat(claim.allAdded()).isTrue();
    assertThat(claim.triplesInAll()).isEqualTo(54_100);
    assertThat(claim.dataset().parameters()).isEqualTo(DATASET.parameters());
    assertThat(recorded.triples()).isTrue();
    assertThat(recorded.notes()).isEmpty();
  }

  @Test
  void objectsThatFailedAreThoseThatAreNamedAndOtherwiseAnyOfAsMany() throws IOException {
    document.put("state", "done-with-errors");
    objects(1000, 997, 3);

    assertThat(read().claim().open()).isEqualTo(3);

    Files.createFile(run.resolve("failed-pids.txt")); // of a resume in which nothing failed
    assertThat(read().claim().open()).isEqualTo(3);

    Files.writeString(
        run.resolve("failed-pids.txt"),
        DATASET.object(7).pid() + "\n" + DATASET.object(500).pid() + "\n");
    RunClaim named = read().claim();
    assertThat(named.notIngested().contains(7)).isTrue();
    assertThat(named.notIngested().size()).isEqualTo(2);
    assertThat(named.open()).isEqualTo(1);
    assertThat(named.allAdded()).isFalse();
  }

  @Test
  void reportsThatFailedObjectsAreNotAllListed() throws IOException {
    document.put("state", "done-with-errors");
    objects(3_000_000, 1_499_998, 1_500_002);
    Files.createDirectories(run);
    Files.writeString(
        run.resolve("failed-pids.txt"),
        DATASET.object(7).pid() + "\n" + DATASET.object(500).pid() + "\n");

    assertThat(read().notes())
        .containsExactly(
            "1,500,002 objects failed, and the run names 2 of them. As many objects as it"
                + " does not name may be missing.");

    objects(3_000_000, 2_999_998, 2);
    assertThat(read().notes()).isEmpty();
  }

  @Test
  void namesOfObjectsThatAreInSinceAResumeAreForgotten() throws IOException {
    Files.createDirectories(run);
    Files.writeString(run.resolve("failed-pids.txt"), DATASET.object(7).pid() + "\n");

    RunClaim claim = read().claim();

    assertThat(claim.notIngested().isEmpty()).isTrue();
    assertThat(claim.open()).isZero();
  }

  @Test
  void ofARunThatWasCutShortWhatWasUnderWayIsOpen() throws IOException {
    document.put("state", "interrupted");
    objects(1000, 300, 0);

    RunClaim claim = read().claim();

    assertThat(claim.endIndex()).as("two for each worker").isEqualTo(308);
    assertThat(claim.open()).isEqualTo(8);
  }

  @Test
  void aRunOfPartsIsExpectedAsAWholeOnceAllHaveCome() throws IOException {
    part(1, 500, 499);
    assertThatThrownBy(this::read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("loaded by 2 drivers")
        .hasMessageContaining("there is no data of 2/2");

    part(2, 500, 500);
    Files.writeString(run.resolve("big.1-of-2-failed-pids.txt"), DATASET.object(10).pid() + "\n");
    RecordedRun recorded = read();

    assertThat(recorded.claim().endIndex()).isEqualTo(1000);
    assertThat(recorded.claim().open()).isZero();
    assertThat(recorded.claim().notIngested().contains(10)).isTrue();
    assertThat(recorded.claim().triplesInAll()).isEqualTo(100 + 2 * 54_000);

    document.put("state", "interrupted");
    part(2, 500, 20);
    assertThatThrownBy(this::read).hasMessageContaining("not all of them have finished");
  }

  @Test
  void doesNotMergePartsOfDifferentLoads() throws IOException {
    part(1, 3, 10, 10);
    part(2, 3, 10, 10);
    part(2, 2, 15, 15);

    assertThatThrownBy(this::read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("did not load parts of the same")
        .hasMessageContaining("2/2");

    Files.delete(run.resolve(RunParts.path(2, 2)));
    part(2, 3, 13, 13);
    part(3, 3, 10, 10);
    assertThatThrownBy(this::read).hasMessageContaining("13 objects in 2/3 (--objects 38 to 40)");
  }

  /** Writes what one of two drivers has shipped. */
  private void part(int number, long requested, long ingested) throws IOException {
    part(number, 2, requested, ingested);
  }

  private void part(int number, int count, long requested, long ingested) throws IOException {
    objects(requested, ingested, requested - ingested);
    Files.createDirectories(run.resolve("parts"));
    mapper.writeValue(run.resolve(RunParts.path(number, count)).toFile(), document);
  }

  @Test
  void contentThatStayedAtTheDriverIsNotCompared() throws IOException {
    ((ObjectNode) document.get("workload")).put("content", "external");

    RecordedRun recorded = read();

    assertThat(recorded.claim().contentElsewhere()).isTrue();
    assertThat(recorded.notes().get(0)).contains("Content is not compared");
    assertThat(recorded.delivery().server()).isEmpty();
  }

  @Test
  void aMixIsGoneThroughAgainUnlessARequestFailedOrItEndedEarly() throws IOException {
    ((ObjectNode) document.get("workload"))
        .put("mix", "ingest=1,purge=1")
        .put("mixSeed", "1")
        .put("steps", "100")
        .put("preload", "950");
    assertThat(read().claim().mix().begun()).isEqualTo(100);

    ((ObjectNode) document.get("requests")).put("failed", 1);
    assertThatThrownBy(this::read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a mix with failed requests");

    document.put("state", "interrupted");
    assertThatThrownBy(this::read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("did not reach its last step");
  }

  @Test
  void aNumberThatIsMissingOrDamagedIsNamedWithItsRun() throws IOException {
    ObjectNode workload = (ObjectNode) document.get("workload");
    workload.put("mix", "ingest=1,purge=1").put("mixSeed", "1").put("preload", "950");
    assertThatThrownBy(this::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("run.json of big has no 'steps'");

    workload.put("steps", "many");
    assertThatThrownBy(this::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'steps' of its workload, 'many'");

    workload.put("steps", "100").put("shards", "2000000000");
    assertThatThrownBy(this::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'shards' of its workload, '2000000000'");
  }

  @Test
  void aStudyOfDatastreamsIsExpectedWithWhatItHasAdded() throws IOException {
    Dataset plain = Datasets.open("datastreams", new DatasetOptions("d", PidForm.NAMED, 2700));
    ObjectNode dataset = (ObjectNode) document.get("dataset");
    dataset.put("name", "datastreams");
    dataset.set("parameters", mapper.valueToTree(plain.parameters()));
    ((ObjectNode) document.get("workload")).put("study", "datastreams");
    objects(1, 1, 0);
    assertThatThrownBy(this::read).hasMessageContaining("without datastream-study.json");

    Files.writeString(run.resolve("datastream-study.json"), "{\"added\": 30, \"limit\": null}");

    assertThat(read().claim().dataset().finished(0, 0, 1).datastreamIds())
        .containsAll(plain.object(0).datastreamIds())
        .contains("ADDED-0", "ADDED-29")
        .hasSize(plain.object(0).datastreamIds().size() + 30);
  }

  @Test
  void whatIsNotOnRecordIsRefusedInWords() throws IOException {
    ((ObjectNode) document.get("workload")).put("study", "scale");
    assertThatThrownBy(this::read).hasMessageContaining("is a study");

    ((ObjectNode) document.get("workload")).remove("study");
    objects(1000, 0, 0);
    assertThatThrownBy(this::read).hasMessageContaining("no ingested object on record");

    document.putNull("dataset");
    assertThatThrownBy(this::read).hasMessageContaining("has loaded no dataset");

    assertThatThrownBy(() -> RecordedRun.of(new RunFolder(run.resolveSibling("none"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("monitoring run");
  }

  @Test
  void aStackIsTheRunsByWhateverNameItsHostWasCalled() {
    for (String url :
        new String[] {
          "http://localhost:8080/fedora",
          "http://127.0.0.1:8080/fedora",
          "http://127.0.0.1:8080/fedora/",
          "http://[::1]:8080/fedora"
        }) {
      assertThat(RecordedRun.isHere(url, 8080)).as(url).isTrue();
    }
    // A network reserved for documentation.
    for (String url :
        new String[] {
          "http://127.0.0.1:8081/fedora", "http://192.0.2.1:8080/fedora", "no address", ""
        }) {
      assertThat(RecordedRun.isHere(url, 8080)).as(url).isFalse();
    }
  }

  @Test
  void aDepthIsReadAsItIsWrittenAndAnotherRefused() {
    assertThat(VerifyChoice.of("sample", null)).isEqualTo(VerifyChoice.STANDARD);
    assertThat(VerifyChoice.of("sample", 7).options(1).sampledObjects()).isEqualTo(7);
    assertThat(VerifyChoice.of("all", null).options(1).everything()).isTrue();
    assertThat(VerifyChoice.of("none", null).wanted()).isFalse();
    assertThatThrownBy(() -> VerifyChoice.of("some", null))
        .hasMessage("'some' is not a depth; give sample, all, none");
    assertThatThrownBy(() -> VerifyChoice.of("none", 3)).hasMessageContaining("for a sample");
    assertThat(VerifyChoice.of("none", null)).isEqualTo(VerifyChoice.NONE);
  }
}
