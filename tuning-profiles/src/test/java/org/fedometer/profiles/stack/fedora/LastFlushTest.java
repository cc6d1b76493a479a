package org.fedometer.profiles.stack.fedora;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Fedora whose JVM refuses management, which is this one: requests use its own port. */
class LastFlushTest {
  @TempDir Path home;

  private final List<String> flushRequests = new ArrayList<>();
  private HttpServer fedora;
  private StackFolders folders;
  private int status = 200;

  @BeforeEach
  void start() throws Exception {
    folders = new StackFolders(home);
    Files.createDirectories(folders.fedoraLog().getParent());
    Files.writeString(folders.fedoraLog(), "WARN Error auto-flushing update buffer: long ago\n");
    Secrets.create(folders, null);
    fedora = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    fedora.createContext(
        "/fedora/risearch",
        exchange -> {
          flushRequests.add(exchange.getRequestURI().getQuery());
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    fedora.start();
  }

  @AfterEach
  void stop() {
    fedora.stop(0);
  }

  @Test
  void whatIsWrittenIsNotLost() throws Exception {
    assertThat(run("mptstore-derby").loss(true)).isEmpty();
    assertThat(flushRequests).singleElement().asString().contains("flush=true");
  }

  @Test
  void whatFedoraCannotWriteIsLost() throws Exception {
    status = 500;

    assertThat(run("mptstore-derby").loss(true))
        .hasValue(
            "Fedora lost an unknown number of triples at shutdown although it had"
                + " acknowledged them (Fedora answered with status 500); 'fedometer verify --home "
                + home
                + "' names the objects, and 'fedometer stack repair --home "
                + home
                + "' restores the triples");
  }

  @Test
  void anAnswerBeforeTheFlushIsNoLossWhereFedoraEndsInOrder() throws Exception {
    for (int refusal : new int[] {401, 403, 503}) {
      status = refusal;
      LastFlush flush = run("mptstore-derby");

      assertThat(flush.loss(true)).isEmpty();
      assertThat(flush.loss(false).orElseThrow()).contains("(Fedora answered with status");
    }
  }

  @Test
  void whatComesAfterTheFlushIsLostWhereFedoraIsKilled() throws Exception {
    assertThat(run("mptstore-derby").loss(false).orElseThrow())
        .contains("(requests continued during its last flush, and it was killed afterwards)");
  }

  @Test
  void whatFedoraDropsAsItEndsIsLostWithItsReason() throws Exception {
    LastFlush flush = run("mulgara-derby");
    Files.writeString(
        folders.fedoraLog(),
        "WARN Error flushing update buffer while closing Triplestore\nCaused by: disk full\n",
        StandardOpenOption.APPEND);

    assertThat(flush.loss(true).orElseThrow()).contains("acknowledged them (disk full);");
  }

  @Test
  void aFedoraThatDoesNotAnswerFlushesAsItEndsUnlessItIsKilled() throws Exception {
    fedora.stop(0);
    LastFlush flush = run("mptstore-derby");

    assertThat(flush.loss(true)).isEmpty();
    assertThat(flush.loss(false).orElseThrow())
        .contains("acknowledged them (Fedora did not answer);");
  }

  @Test
  void doesNotFlushWithoutATriplestore() throws Exception {
    assertThat(run("mulgara-derby", "triplestore=none").loss(false)).isEmpty();
    assertThat(flushRequests).isEmpty();
  }

  @Test
  void updatesAreCountedByTheirClassAlone() {
    String histogram =
        """
         num     #instances         #bytes  class name (module)
        -------------------------------------------------------
           1:          4711         112864  org.trippi.TripleUpdate
           2:             3             72  [Lorg.trippi.TripleUpdate;
           3:             9            216  java.lang.Byte (java.base@17)
        Total         99999        9999999
        """;

    assertThat(TomcatManagement.updates(histogram)).isEqualTo(4711);
    assertThat(TomcatManagement.updates("")).isZero();
  }

  private LastFlush run(String profile, String... changes) throws Exception {
    StackDocument document =
        StackDocument.of(
                "1",
                Profiles.shipped().profile(profile, List.of(changes)),
                StackOptions.at(home),
                Path.of(System.getProperty("java.home")))
            .withPorts(fedora.getAddress().getPort(), 0);
    LastFlush flush =
        new LastFlush(
            folders,
            document,
            LinuxProcess.of("Fedora", ProcessHandle.current().pid()).orElseThrow());
    flush.run();
    return flush;
  }
}
