package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Events of weeks within minutes: Fedora's sessions expire, certificates are renewed, a collector
 * is updated, runs exceed their age limit.
 */
@Tag("endurance")
class LongIngestIT {
  private static final Duration TIMEOUT = Site.TIMEOUT;
  private static final long OBJECTS = 600;

  /** Tomcat's shortest; a pause of the load is longer. */
  private static final Duration SESSION = Duration.ofMinutes(1);

  @TempDir private Path folder;
  private Fedometer fedometer;
  private Path tokenFile;
  private CollectorCertificate inUse;

  @Test
  void ingestOutlivesSessionsCertificatesAndRetention() throws Exception {
    tokenFile = Files.writeString(folder.resolve("token"), "open sesame");
    CollectorCertificate first = CollectorCertificate.make(folder, "first");
    CollectorCertificate second = CollectorCertificate.make(folder, "second");
    inUse = new CollectorCertificate(folder.resolve("used.pem"), folder.resolve("used.key"));
    Path trusted =
        Files.writeString(
            folder.resolve("trusted.pem"),
            Files.readString(first.certificate()) + Files.readString(second.certificate()));
    use(first);
    try (Site site = new Site(folder, "mptstore-postgresql")) {
      fedometer = site.fedometer();
      makeSessionsShort(site);
      try (CollectorInForeground collector = collector()) {
        String[] way = {
          "--collector",
          collector.address(),
          "--token-file",
          tokenFile.toString(),
          "--tls-ca",
          trusted.toString()
        };
        attach(site, way);
        Fedometer.Call driver = ingest(site, way);
        site.awaitBegun(driver, "life", 50);

        fedometer.startWithStore("load", "pause", "life").await(TIMEOUT).expect(ExitCode.DONE);
        long paused = System.nanoTime();
        String session = isSessionValid(site, "").orElseThrow();
        use(second);
        runs(collector, second).expect(ExitCode.DONE);
        runs(collector, first).expect(ExitCode.COULD_NOT_START);
        Path old = oldRun("old");
        await().atMost(Duration.ofMinutes(3)).until(() -> !Files.exists(old));
        await()
            .atMost(SESSION.multipliedBy(2))
            .until(() -> System.nanoTime() - paused > SESSION.plusSeconds(20).toNanos());
        assertThat(isSessionValid(site, session))
            .as("a session as old as the driver's has expired: there is another")
            .isPresent()
            .isNotEqualTo(Optional.of(session));
        fedometer.startWithStore("load", "resume", "life").await(TIMEOUT).expect(ExitCode.DONE);
        site.awaitMore(driver, "life", 50);
        collector.stop();
        collector.start();

        JsonNode report = driver.await(TIMEOUT).expect(ExitCode.DONE).json();
        Reports.assertComplete(report, OBJECTS);
        assertThat(report.at("/load/pauses").size()).isEqualTo(1);
        assertThat(
                fedometer
                    .queryNumbers(
                        "life",
                        "samples",
                        "count(*) FROM samples JOIN traces USING (source, trace) WHERE stage ="
                            + " 'ingest' AND operation = 'ingest' AND pid LIKE 'life:%'")
                    .get("samples")
                    .asLong())
            .isEqualTo(OBJECTS);
        Reports.assertRecordedOnce(fedometer, report, OBJECTS, 0);
        collector.stop();
      }
    }
  }

  private void attach(Site site, String... way) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("attach"));
    arguments.add(Long.toString(site.process("Fedora").pid()));
    arguments.addAll(List.of("--name", "life"));
    arguments.addAll(Arrays.asList(way));
    fedometer.start(arguments.toArray(String[]::new)).await(TIMEOUT).expect(ExitCode.DONE);
  }

  private static Fedometer.Call ingest(Site site, String... way) throws IOException {
    List<String> options = new ArrayList<>(List.of("--join", "--rate", "10"));
    options.addAll(Arrays.asList(way));
    return site.startIngest("life", OBJECTS, options.toArray(String[]::new));
  }

  /**
   * Logs in as the driver does.
   *
   * @param known session that is sent along, or empty
   * @return the session that Fedora gives, which it does where it knows none of that name
   */
  private static Optional<String> isSessionValid(Site site, String known) throws Exception {
    String password = Files.readString(site.passwordFile()).strip();
    String login =
        Base64.getEncoder()
            .encodeToString(("fedoraAdmin:" + password).getBytes(StandardCharsets.UTF_8));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(site.target() + "/user"))
            .header("Authorization", "Basic " + login);
    if (!known.isEmpty()) {
      request.header("Cookie", "JSESSIONID=" + known);
    }
    HttpResponse<Void> answer =
        HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.discarding());
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.headers().allValues("Set-Cookie").stream()
        .map(Pattern.compile("JSESSIONID=([^;]+)")::matcher)
        .filter(Matcher::find)
        .map(matcher -> matcher.group(1))
        .findFirst();
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

  private CollectorInForeground collector() throws IOException {
    return new CollectorInForeground(
        fedometer,
        "--token-file",
        tokenFile.toString(),
        "--tls-certificate",
        inUse.certificate().toString(),
        "--tls-key",
        inUse.key().toString(),
        "--max-age",
        "1d");
  }

  /** Asks as one who trusts this certificate only. */
  private Fedometer.Call runs(CollectorInForeground collector, CollectorCertificate onlyTrusted)
      throws Exception {
    return fedometer
        .start(
            "runs",
            "list",
            "--from",
            collector.address(),
            "--token-file",
            tokenFile.toString(),
            "--tls-ca",
            onlyTrusted.certificate().toString())
        .await(TIMEOUT);
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
