package org.fedometer.experiments.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a job's collector was reached, by its command line. */
class GivenOptionsTest {
  private static final List<String> SECURE =
      List.of("--tls-key=key.pem", "--tls", "--token-file", "/etc/token", "--tls-ca", "ca.pem");

  @Test
  void resolvesFileNamesAgainstTheJobsFolder() {
    assertThat(new GivenOptions(SECURE, "/home/one").collectorAccess())
        .containsExactly(
            "--tls",
            "--token-file",
            "/etc/token",
            "--tls-ca",
            "/home/one/ca.pem",
            "--tls-key",
            "/home/one/key.pem");
  }

  @Test
  void keepsFileNamesIfTheFolderIsTheSameOrUnknown() {
    String here = Path.of("").toAbsolutePath().toString();
    List<String> asGiven =
        List.of(
            "--tls", "--token-file", "/etc/token", "--tls-ca", "ca.pem", "--tls-key", "key.pem");

    assertThat(new GivenOptions(SECURE, here).collectorAccess()).isEqualTo(asGiven);
    assertThat(new GivenOptions(SECURE, null).collectorAccess()).isEqualTo(asGiven);
  }

  @Test
  void whatWasNotGivenIsNotThere() {
    GivenOptions none = new GivenOptions(List.of("--workers", "4"), "/home/one");

    assertThat(none.collector()).isEmpty();
    assertThat(none.collectorAccess()).isEmpty();
  }
}
