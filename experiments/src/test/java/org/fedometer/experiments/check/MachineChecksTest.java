package org.fedometer.experiments.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fedometer.attach.FedoraEvidence;
import org.fedometer.attach.Jvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks of a machine. */
class MachineChecksTest {
  @TempDir private Path store;

  @Test
  void eachThingIsLookedAtOnce() {
    assertThat(MachineChecks.of(store, 4).stream().map(Check::name))
        .containsExactly(
            "java", "attach", "store-disk", "native-libraries", "open-files", "clock-source");
  }

  @Test
  void aFedoraThatAttachRefusesIsNotSaidToBeAttachable() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      assertThat(MachineChecks.attach(List.of(jvm(process.pid()))).found())
          .isEqualTo(process.pid() + " can be attached to");

      Check refused =
          MachineChecks.attach(
              List.of(jvm(process.pid(), "-XX:-EnableDynamicAgentLoading"), jvm(process.pid())));

      assertThat(refused.state()).isEqualTo(Check.State.WARNING);
      assertThat(refused.found())
          .isEqualTo(
              "the JVM of process "
                  + process.pid()
                  + " was started with -XX:-EnableDynamicAgentLoading, which forbids agents");
      assertThat(refused.advice())
          .startsWith("Restart it without, or start Fedora with -javaagent:")
          .endsWith(" instead.");
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aFedoraThatCannotBeInspectedIsUnknown() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      Check check = MachineChecks.attach(List.of(jvm(process.pid(), false)));

      assertThat(check.state()).isEqualTo(Check.State.UNKNOWN);
      assertThat(check.found())
          .isEqualTo(
              "the options and the container of process "
                  + process.pid()
                  + ", which belongs to tomcat, cannot be read");
      assertThat(check.advice())
          .isEqualTo("Run 'fedometer doctor' as that user, or start Fedora with -javaagent.");
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void theOwnProcessIsNotCheckedForAttach() {
    assertThat(MachineChecks.attach(List.of(jvm(ProcessHandle.current().pid()))).found())
        .isEqualTo("no Fedora runs here");
  }

  @Test
  void anObstacleWithoutARemedyGivesNoAdvice() {
    assertThat(MachineChecks.sentences(List.of(""))).isEmpty();
    assertThat(MachineChecks.sentences(List.of("", "restart it", "wait")))
        .isEqualTo("Restart it. Wait.");
  }

  private static Jvm jvm(long pid, String... options) {
    return jvm(pid, true, options);
  }

  private static Jvm jvm(long pid, boolean readable, String... options) {
    return new Jvm(
        pid,
        "tomcat",
        Jvm.Kind.HOTSPOT,
        "17.0.15",
        Optional.empty(),
        List.of(options),
        Map.of(),
        new FedoraEvidence(FedoraEvidence.Certainty.CERTAIN, "/srv/fedora", "fedora.home"),
        Optional.empty(),
        readable);
  }

  @Test
  void workersThatNoLoadHasAreRefusedAndNotReckonedWith() {
    assertThatThrownBy(() -> MachineChecks.of(store, 1_000_000_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--workers 1000000000: give 1 to 1000");
  }
}
