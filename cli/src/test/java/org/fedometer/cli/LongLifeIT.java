package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.fedometer.driver.journal.Journal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What comes about in weeks, in minutes: sessions of Fedora that expire, certificates that are
 * renewed, a collector that is updated, runs that grow too old.
 */
@Tag("endurance-only")
class LongLifeIT {
  private static final Duration PATIENCE = Site.PATIENCE;
  private static final long OBJECTS = 600;

  /** Tomcat's shortest; a pause of the load is longer. */
  private static final Duration SESSION = Duration.ofMinutes(1);

  @TempDir private Path folder;
  private Fedometer fedometer;
  private int port;
  private Path tokenFile;
  private Path trusted;
  private Path log;
  private CollectorCertificate inUse;

  @Test
  void anIngestOutlivesSessionsCertificatesAndOldRuns() throws Exception {
    port = Site.freePort();
    tokenFile = Files.writeString(folder.resolve("token"), "open sesame");
    log = folder.resolve("collector.log");
    CollectorCertificate first = CollectorCertificate.make(folder, "first");
    CollectorCertificate second = CollectorCertificate.make(folder, "second");
    inUse = new CollectorCertificate(folder.resolve("used.pem"), folder.resolve("used.key"));
    trusted =
        Files.writeString(
            folder.resolve("trusted.pem"),
            Files.readString(first.certificate()) + Files.readString(second.certificate()));
    use(first);
    try (Site site = new Site(folder, "mptstore-postgresql")) {
      fedometer = site.fedometer();
      makeSessionsShort(site);
      Fedometer.Call collector = startCollector();
      fedometer
          .start(
              "attach",
              Long.toString(site.process("Fedora").pid()),
              "--collector",
              address(),
              "--token-file",
              tokenFile.toString(),
              "--tls-ca",
              trusted.toString(),
              "--run-name",
              "life")
          .await(PATIENCE)
          .expect(ExitCode.DONE);
      Fedometer.Call driver =
          site.startIngest(
              "life",
              OBJECTS,
              "--join",
              "--rate",
              "10",
              "--collector",
              address(),
              "--token-file",
              tokenFile.toString(),
              "--tls-ca",
              trusted.toString());
      site.awaitBegun(driver, "life", 50);

      fedometer.startWithStore("pause", "life").await(PATIENCE).expect(ExitCode.DONE);
      long paused = System.nanoTime();
      use(second);
      runs(second).expect(ExitCode.DONE);
      runs(first).expect(ExitCode.COULD_NOT_START);
      Path old = oldRun("old");
      await().atMost(Duration.ofMinutes(3)).until(() -> !Files.exists(old));
      await()
          .atMost(SESSION.multipliedBy(2))
          .until(() -> System.nanoTime() - paused > SESSION.plusSeconds(20).toNanos());
      fedometer.startWithStore("continue", "life").await(PATIENCE).expect(ExitCode.DONE);
      site.awaitBegun(driver, "life", Journal.read(site.journal("life")).nextIndex() + 50);
      collector.process().destroy();
      collector.await(PATIENCE);
      collector = startCollector();

      JsonNode report = driver.await(PATIENCE).expect(ExitCode.DONE).json();
      Reports.assertWhole(report, OBJECTS);
      assertThat(report.at("/load/pauses").size()).isEqualTo(1);
      JsonNode samples =
          fedometer
              .startWithStore(
                  "query",
                  "--run",
                  "life",
                  "--json",
                  "SELECT count(*) AS samples, (SELECT max(frames_missing) FROM sources) AS missing"
                      + " FROM samples JOIN traces USING (source, trace)"
                      + " WHERE stage = 'ingest' AND operation = 'ingest' AND pid LIKE 'life:%'")
              .await(PATIENCE)
              .expect(ExitCode.DONE)
              .json();
      assertThat(samples.at("/0/samples").asLong()).as("%s", samples).isEqualTo(OBJECTS);
      assertThat(samples.at("/0/missing").asLong()).isZero();
      collector.process().destroy();
      collector.await(PATIENCE);
    }
  }

  private void use(CollectorCertificate certificate) throws IOException {
    Files.copy(certificate.certificate(), inUse.certificate(), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(certificate.key(), inUse.key(), StandardCopyOption.REPLACE_EXISTING);
  }

  private void makeSessionsShort(Site site) throws Exception {
    site.down();
    Path webXml = site.home().resolve("fedora/tomcat/webapps/fedora/WEB-INF/web.xml");
    String text = Files.readString(webXml);
    String minutes = "<session-timeout>" + SESSION.toMinutes() + "</session-timeout>";
    Files.writeString(
        webXml,
        text.replace("</web-app>", "<session-config>" + minutes + "</session-config>\n</web-app>"));
    assertThat(text).contains("</web-app>").doesNotContain("<session-config>");
    site.up();
    assertThat(Files.readString(webXml)).contains(minutes);
  }

  private String address() {
    return "127.0.0.1:" + port;
  }

  private Fedometer.Call startCollector() throws IOException {
    Fedometer.Call collector =
        fedometer.startWithStore(
            "collect",
            "--listen",
            address(),
            "--token-file",
            tokenFile.toString(),
            "--tls-certificate",
            inUse.certificate().toString(),
            "--tls-key",
            inUse.key().toString(),
            "--keep-age",
            "1d",
            "--log-file",
            log.toString());
    await()
        .atMost(PATIENCE)
        .failFast(() -> assertThat(collector.process().isAlive()).as(collector.err()).isTrue())
        .until(this::listens);
    return collector;
  }

  private boolean listens() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Asks as one who trusts this certificate only. */
  private Fedometer.Call runs(CollectorCertificate onlyTrusted) throws Exception {
    return fedometer
        .start(
            "runs",
            "--from",
            address(),
            "--token-file",
            tokenFile.toString(),
            "--tls-ca",
            onlyTrusted.certificate().toString())
        .await(PATIENCE);
  }

  /** Written to three days ago. */
  private Path oldRun(String name) throws IOException {
    Path run = fedometer.store().resolve("runs").resolve(name);
    Files.createDirectories(run);
    Path json = Files.writeString(run.resolve("run.json"), "{\"schema\":1,\"state\":\"done\"}");
    FileTime then = FileTime.from(Instant.now().minus(Duration.ofDays(3)));
    Files.setLastModifiedTime(json, then);
    Files.setLastModifiedTime(run, then);
    return run;
  }
}
