package org.fedometer.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.driver.journal.Journal;
import org.fedometer.store.RunFolder;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ingest} at a real collector, as far as it comes where it finds no Fedora: it is on record
 * by then.
 */
@Tag("slow")
class IngestWithoutFedoraTest {
  private static final String HOME = "fedometer.home";

  @TempDir Path folder;

  private CollectorServer collector;
  private String homeBefore;
  private int unusedPort;

  private record Result(int exitCode, String err) {}

  @BeforeEach
  void startCollector() throws IOException {
    homeBefore = System.setProperty(HOME, folder.toString());
    Files.writeString(folder.resolve("password"), "secret");
    collector = startedCollector();
    // Afterwards, or the collector might get it.
    try (ServerSocket free = new ServerSocket(0)) {
      unusedPort = free.getLocalPort();
    }
  }

  @AfterEach
  void stopCollector() throws Exception {
    collector.close();
    if (homeBefore == null) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, homeBefore);
    }
  }

  @Test
  void aDriverThatWouldLoadNoPartOfWhatTheOthersLoadIsRefused() throws Exception {
    findsNoFedora(ingest("--name", "big", "--shard", "1/3", "--objects", "30"));

    assertThat(refused("--name", "big", "--shard", "2/3", "--objects", "40"))
        .contains("the other drivers of big load something else", "(--objects 28 to 30)");
    assertThat(refused("--name", "big", "--shard", "2/2", "--objects", "30"))
        .contains("1/3 and 2/2 differ in the number of parts");
    assertThat(refused("--name", "big", "--shard", "2/3", "--objects", "30", "--dataset", "ndltd"))
        .contains("dataset is patents in 1/3 and ndltd in 2/3");
    assertThat(
            refused("--name", "big", "--shard", "2/3", "--objects", "30", "--namespace", "other"))
        .contains("is patent in 1/3 and other in 2/3");
    assertThat(refused("--name", "big", "--shard", "2/3", "--objects", "30", "--content", "upload"))
        .contains("--content is in-request in 1/3 and upload in 2/3");
    assertThat(store().resolve("runs/big/parts")).isDirectoryNotContaining("glob:**2-of-*");
    assertThat(store().resolve("journals")).isEmptyDirectory();

    findsNoFedora(ingest("--name", "big", "--shard", "2/3", "--objects", "30"));
    assertThat(store().resolve("runs/big/parts")).isDirectoryContaining("glob:**2-of-3.json");
  }

  @Test
  void aRunOfOneDriverGetsNoParts() throws Exception {
    findsNoFedora(ingest("--name", "whole", "--objects", "30"));

    assertThat(refused("--name", "whole", "--shard", "1/3", "--objects", "30"))
        .contains("whole exists already and is loaded by one driver");
  }

  @Test
  void rejectsJoiningAShardedRunUnsharded() throws Exception {
    findsNoFedora(ingest("--name", "big", "--shard", "1/3", "--objects", "30"));

    assertThat(refused("--name", "big", "--join", "--objects", "30"))
        .contains("big is loaded by several drivers, each with a --shard");
  }

  @Test
  void replacesARunThatNeverLoaded() throws Exception {
    findsNoFedora(ingest("--name", "again", "--objects", "30"));
    RunFolder run = new RunFolder(store().resolve("runs/again"));
    String id = run.document().id();

    findsNoFedora(ingest("--name", "again", "--objects", "20"));

    assertThat(run.document().id()).isEqualTo(id);
    assertThat(run.document().objects().requested()).isEqualTo(20);
    assertThat(store().resolve("journals")).isEmptyDirectory();
  }

  @Test
  void keepsARunThatHasSamples() throws Exception {
    findsNoFedora(ingest("--name", "again", "--objects", "30"));
    RunFolder run = new RunFolder(store().resolve("runs/again"));
    ClientOptions agent =
        ClientOptions.builder("127.0.0.1", collector.address().getPort())
            .source(UUID.randomUUID())
            .sourceKind(Hello.AGENT)
            .sourceName("fedora")
            .runId(run.document().id())
            .runName("again")
            .build();
    try (CollectorClient client = CollectorClient.open(agent)) {
      client.send(FrameType.STAGES, new Dictionary().put(0, "http.request").encode(), 20_000);
      assertThat(client.awaitAcknowledged(20_000)).isTrue();
    }
    // It seals what has come.
    collector.close();
    collector = startedCollector();

    assertThat(nameTakenMessage("again")).contains("the run again has ended (failed)");
  }

  @Test
  void unreachableCollectorDoesNotMentionTheName() throws Exception {
    writeRun("whole", "done");

    Result result =
        ingest("--name", "whole", "--objects", "30", "--collector", "127.0.0.1:" + unusedPort);

    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.COULD_NOT_START);
    assertThat(result.err()).doesNotContain("fedometer runs rm");
  }

  @Test
  void explainsAnExistingName() throws Exception {
    writeRun("whole", "done");
    writeRun("agents", "monitoring");

    assertThat(nameTakenMessage("whole"))
        .contains(
            "the run whole has ended (done): 'fedometer runs rm whole' on the collector's machine");
    assertThat(nameTakenMessage("agents")).contains("or give --join: the run agents is an agent's");
  }

  private CollectorServer startedCollector() throws IOException {
    return CollectorServer.start(
        CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store()));
  }

  private String nameTakenMessage(String name) {
    Result result = ingest("--name", name, "--objects", "30");
    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.COULD_NOT_START);
    assertThat(result.err()).contains("the run name \"" + name + "\" already belongs to the run");
    return result.err();
  }

  private void writeRun(String name, String state) throws IOException {
    Path run = Files.createDirectories(store().resolve("runs").resolve(name));
    Files.writeString(
        run.resolve("run.json"),
        """
        {"schema":1,"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","name":"%s","state":"%s"}
        """
            .formatted(name, state));
  }

  @Test
  void rejectsJoiningAMissingRun() throws Exception {
    findsNoFedora(ingest("--name", "night", "--objects", "30"));

    assertThat(refused("--name", "nigth", "--join", "--objects", "30"))
        .contains("--join: No run \"nigth\"", "its runs are night");
    assertThat(store().resolve("runs/nigth")).doesNotExist();
  }

  @Test
  void resumeSuggestsAnotherTarget() throws Exception {
    Path folder = Files.createDirectories(store().resolve("journals/night"));
    Files.writeString(
        folder.resolve("job.json"),
        """
        {"schema":1,"runId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","runName":"night","arguments":[],
         "folder":"/","datasetParameters":{},"objectsBefore":0,"triplesBefore":0,"started":"s",
         "startedEpochMillis":1,"ended":null,"stack":null}
        """);
    Journal.create(folder, 0).close();

    Result result = ingest("--resume", "night");

    findsNoFedora(result);
    assertThat(result.err())
        .contains("No connection to http://127.0.0.1:" + unusedPort + "/fedora")
        .contains("'fedometer ingest --resume night --target URL --store " + store() + "'");
    assertThat(ingest("--name", "new", "--objects", "1").err())
        .contains("No connection to")
        .doesNotContain("--target URL");
  }

  @Test
  void rejectsADiskBelowMinFreeDisk() {
    assertThat(refused("--min-free-disk", "9999t", "--duration", "1s"))
        .contains("--min-free-disk", "has only", "nothing would be loaded");
  }

  @Test
  void aMixIsNotDividedAndAPartNeedsAName() {
    assertThat(refused("--shard", "1/3", "--mix", "ingest=1"))
        .contains("--mix cannot be combined with --shard");
    assertThat(refused("--shard", "1/3")).contains("--shard needs --name NAME");
    assertThat(refused("--join")).contains("--join needs --name NAME");
  }

  private void findsNoFedora(Result result) {
    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.COULD_NOT_START);
    assertThat(result.err()).contains("start failed");
  }

  private String refused(String... more) {
    Result result = ingest(more);
    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.BAD_USAGE);
    return result.err();
  }

  private Result ingest(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "ingest",
                "--target",
                "http://127.0.0.1:" + unusedPort + "/fedora",
                "--password-file",
                folder.resolve("password").toString(),
                "--dataset",
                "patents:small",
                "--collector",
                "127.0.0.1:" + collector.address().getPort(),
                "--store",
                store().toString()));
    arguments.addAll(List.of(more));
    StringWriter err = new StringWriter();
    int exitCode =
        Main.commandLine()
            .setErr(new PrintWriter(err, true))
            .setOverwrittenOptionsAllowed(true)
            .execute(arguments.toArray(String[]::new));
    return new Result(exitCode, err.toString());
  }

  private Path store() {
    return folder.resolve("store");
  }
}
