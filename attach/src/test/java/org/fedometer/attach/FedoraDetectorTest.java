package org.fedometer.attach;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.fedometer.attach.FedoraEvidence.Certainty;
import org.junit.jupiter.api.Test;

class FedoraDetectorTest {

  @Test
  void skipsAFolderWithAnUnencodableName() {
    // As one with an umlaut, where this JVM has the locale C.
    FedoraDetector signs =
        new FedoraDetector(
            ProcessFiles.ofSelf(),
            List.of("java", "-Dcatalina.base=/srv/\0", "org.apache.catalina.startup.Bootstrap"),
            Map.of("FEDORA_HOME", "/srv/fedora"),
            List.of(),
            List.of());
    assertThat(signs.detect())
        .isEqualTo(new FedoraEvidence(Certainty.LIKELY, "/srv/fedora", "FEDORA_HOME is set"));
  }
}
