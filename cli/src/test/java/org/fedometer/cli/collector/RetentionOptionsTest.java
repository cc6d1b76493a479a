package org.fedometer.cli.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.fedometer.cli.option.AgeConverter;
import org.fedometer.cli.option.SizeConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Values of {@code collect --max-age} and {@code --max-size}. */
class RetentionOptionsTest {
  @Test
  void agesHaveAUnit() {
    assertThat(new AgeConverter().convert("30d")).isEqualTo(Duration.ofDays(30));
    assertThat(new AgeConverter().convert("12h")).isEqualTo(Duration.ofHours(12));
    assertThat(new AgeConverter().convert("90m")).isEqualTo(Duration.ofMinutes(90));
    assertThat(new AgeConverter().convert("8w")).isEqualTo(Duration.ofDays(56));
  }

  @Test
  void sizesHaveAUnit() {
    assertThat(new SizeConverter().convert("200g")).isEqualTo(200L << 30);
    assertThat(new SizeConverter().convert("1.5T")).isEqualTo(3L << 39);
    assertThat(new SizeConverter().convert("64m")).isEqualTo(64L << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"30", "0d", "-1d", "d", "1.5d", "30 d", "30y", "99999999d", ""})
  void rejectsInvalidAges(String age) {
    assertThatThrownBy(() -> collect("--max-age=" + age))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageContaining("--max-age")
        .hasMessageContaining("'" + age + "' is not an age")
        .hasMessageContaining("30d");
  }

  @ParameterizedTest
  @ValueSource(strings = {"200", "0g", "0.0g", "-1g", "g", "1,5t", "200gb", "7p", ""})
  void rejectsInvalidSizes(String size) {
    assertThatThrownBy(() -> collect("--max-size=" + size))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageContaining("--max-size")
        .hasMessageContaining("'" + size + "' is not a size")
        .hasMessageContaining("200g");
  }

  private static void collect(String option) {
    new CommandLine(new CollectCommand()).parseArgs(option);
  }
}
