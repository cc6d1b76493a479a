package org.fedometer.attach;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.fedometer.attach.FedoraEvidence.Certainty;
import org.junit.jupiter.api.Test;

class FedoraSignsTest {

  @Test
  void aFolderWhoseNameCannotBeSaidHereIsNotLookedInto() {
    // As one with an umlaut, where this JVM has the locale C.
    FedoraSigns signs =
        new FedoraSigns(
            ProcessFiles.ofSelf(),
            List.of("java", "-Dcatalina.base=/srv/\0", "org.apache.catalina.startup.Bootstrap"),
            Map.of("FEDORA_HOME", "/srv/fedora"),
            List.of(),
            List.of());
    assertThat(signs.evidence())
        .isEqualTo(new FedoraEvidence(Certainty.LIKELY, "/srv/fedora", "FEDORA_HOME is set"));
  }
}
