package org.fedometer.attach;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.fedometer.attach.FedoraEvidence.Certainty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the kernel's data of a process distinguishes Fedora from other programs. */
class JvmsIT {
  @TempDir private Path folder;

  @Test
  void aTomcatWithFedorasHomeIsFedoraForSure() throws Exception {
    try (TargetJvm jvm =
        TargetJvm.fedora(folder, "-Dcatalina.base=" + folder, "-XX:+UseStringDeduplication")) {
      Jvm seen = jvm.seen();

      assertThat(seen.fedora().certainty()).isEqualTo(Certainty.CERTAIN);
      assertThat(seen.fedora().home()).isEqualTo("/srv/fedora");
      assertThat(seen.kind()).isEqualTo(Jvm.Kind.HOTSPOT);
      assertThat(seen.version()).isEqualTo(System.getProperty("java.version"));
      assertThat(seen.feature()).hasValue(Runtime.version().feature());
      assertThat(seen.user()).isEqualTo(System.getProperty("user.name"));
      assertThat(seen.started()).hasValueSatisfying(at -> assertThat(at).isBefore(Instant.now()));
      assertThat(seen.agentJar()).isEmpty();
      assertThat(seen.flag("UseStringDeduplication")).hasValue(true);
      assertThat(seen.flag("UseZGC")).isEmpty();
      assertThat(Jvms.all()).extracting(Jvm::pid).contains(jvm.pid()).isSorted();
    }
  }

  @Test
  void fedoraIsFoundAmongTheApplicationsOfATomcat() throws Exception {
    Path webapp = folder.resolve("webapps/repository/WEB-INF");
    Files.createDirectories(webapp.resolve("lib"));
    Files.writeString(webapp.resolve("lib/fcrepo-server-3.8.1.jar"), "");
    Files.writeString(
        webapp.resolve("web.xml"),
        """
        <web-app><context-param>
          <param-name>fedora.home</param-name>
          <param-value>/srv/repository</param-value>
        </context-param></web-app>
        """);

    assertThat(evidence(Map.of(), "-Dcatalina.base=" + folder))
        .isEqualTo(
            new FedoraEvidence(
                Certainty.CERTAIN, "/srv/repository", "webapps/repository is Fedora"));
  }

  @Test
  void aNameAloneIsAGuess() throws Exception {
    Files.createDirectories(folder.resolve("webapps/fedora"));

    assertThat(evidence(Map.of(), "-Dcatalina.base=" + folder).certainty())
        .isEqualTo(Certainty.LIKELY);
    assertThat(evidence(Map.of(), "-Dfedora.home=/srv/fedora").certainty())
        .isEqualTo(Certainty.LIKELY);
    FedoraEvidence byVariable =
        evidence(Map.of("FEDORA_HOME", "/srv/f"), "-Dcatalina.base=/nowhere");
    assertThat(byVariable.certainty()).isEqualTo(Certainty.LIKELY);
    assertThat(byVariable.home()).isEqualTo("/srv/f");
  }

  @Test
  void whatIsNoServerIsNoFedora() throws Exception {
    assertThat(evidence(Map.of("FEDORA_HOME", "/srv/fedora"))).isEqualTo(FedoraEvidence.none());
    assertThat(evidence(Map.of(), "-Dcatalina.base=" + folder)).isEqualTo(FedoraEvidence.none());
  }

  private FedoraEvidence evidence(Map<String, String> environment, String... options)
      throws IOException {
    try (TargetJvm jvm = TargetJvm.start(folder, List.of(), environment, List.of(options))) {
      return jvm.seen().fedora();
    }
  }
}
