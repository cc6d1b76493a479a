package org.fedometer.experiments.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of runs. */
class RunNameTest {

  @Test
  void generatesAValidNameFromTimeAndParts() {
    String made = RunName.generate("01M8198W44505MZ573F22Z3F6T", "mulgara-derby", "patents");

    assertThat(made).matches("[0-9]{8}-[0-9]{6}-mulgara-derby-patents-3f6t");
    assertThat(RunName.isValid(made)).isTrue();
  }

  @Test
  void aNameThatIsMadeOfWhatNoRunCanBeCalledIsValidAllTheSame() {
    String made =
        RunName.generate("01M8198W44505MZ573F22Z3F6T", "my profile, 2 GB", "x".repeat(100));

    assertThat(made).matches("[0-9]{8}-[0-9]{6}-my-profile-2-GB-x+-3f6t").hasSize(100);
    assertThat(RunName.isValid(made)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-x", ".x", "a b", "a/b"})
  void whatCannotBeAFolderOrLooksLikeAnOptionIsRefused(String name) {
    assertThatThrownBy(() -> RunName.require("--name", name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--name '" + name + "': ");
  }

  @Test
  void noNameIsNoWrongOne() {
    assertThatCode(() -> RunName.require("--name", null)).doesNotThrowAnyException();
  }
}
