package org.fedometer.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import org.fedometer.experiments.load.FlushChoice;
import org.fedometer.experiments.load.LoadPlan;
import org.fedometer.experiments.load.LoadSpec;
import org.fedometer.experiments.load.MixChoice;
import org.fedometer.experiments.load.OperationsChoice;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Options of a mix. */
class OperationOptionsTest {

  @CommandLine.Command(name = "with-operations")
  private static final class WithOperations {
    @CommandLine.Mixin private OperationOptions operations;
  }

  @Test
  void withoutAnyOptionThereIsNoMix() {
    assertThat(choice()).isNull();
  }

  @Test
  void aMixIsOfSeedOneAndAsManyObjectsAsItNeeds() {
    MixChoice choice = (MixChoice) choice("--mix", "ingest=7,purge=1");

    assertThat(choice.mix()).hasToString("ingest=7,purge=1");
    assertThat(choice.seed()).isEqualTo(1);
    assertThat(choice.preload()).isNull();
    assertThat(choice.flushEvery()).isZero();
  }

  @Test
  void flushesAloneLeaveAPlainLoad() {
    OperationsChoice choice = choice("--flush-every", "100");

    assertThat(choice).isEqualTo(new FlushChoice(100));
    assertThat(choice.facts()).containsOnly(entry("flushEvery", "100"));
    assertThat(LoadSpec.of("patents", LoadPlan.of(4), choice).isResumable()).isTrue();
  }

  @Test
  void rejectsInvalidValues() {
    assertThatThrownBy(() -> choice("--mix", "read=1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--mix: there is no operation 'read'");
    assertThatThrownBy(() -> choice("--preload", "5"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--preload needs --mix");
    assertThatThrownBy(() -> choice("--flush-every", "5", "--mix-seed", "7"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--mix-seed needs --mix");
    assertThatThrownBy(() -> choice("--flush-every", "0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--flush-every 0: give 1 or more writes");
    assertThatThrownBy(() -> choice("--mix", "ingest=1", "--preload", "-1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--preload -1: give 0 or more objects");
  }

  private static OperationsChoice choice(String... arguments) {
    WithOperations command = new WithOperations();
    new CommandLine(command).parseArgs(arguments);
    return command.operations.choice();
  }
}
