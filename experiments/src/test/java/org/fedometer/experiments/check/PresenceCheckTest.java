package org.fedometer.experiments.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.fedometer.experiments.check.Check.State;
import org.junit.jupiter.api.Test;

/** Checks of objects that are in Fedora before their load. */
class PresenceCheckTest {

  @Test
  void reportsWhichOfTwoObjectsIsPresent() {
    Check first = PresenceCheck.bothPresent("p:WO-0", true, "p:WO-9", false);
    Check last = PresenceCheck.bothPresent("p:WO-0", false, "p:WO-9", true);

    assertThat(first.state()).isEqualTo(State.WARNING);
    assertThat(first.found())
        .isEqualTo("p:WO-0, the first one, is in Fedora already, and the last, p:WO-9, is not");
    assertThat(last.state()).isEqualTo(State.WARNING);
    assertThat(last.found())
        .isEqualTo("p:WO-9, the last one, is in Fedora already, and the first, p:WO-0, is not");
    assertThat(first.advice())
        .isEqualTo(last.advice())
        .contains("fail and stay unchanged", "the others are loaded", "--namespace NS");
  }

  @Test
  void whereBothAreThereTheLoadIsNotBegun() {
    Check both = PresenceCheck.bothPresent("p:WO-0", true, "p:WO-9", true);

    assertThat(both.state()).isEqualTo(State.PROBLEM);
    assertThat(both.found()).isEqualTo("p:WO-0 and p:WO-9 are in Fedora already");
    assertThat(both.advice()).startsWith("Fedora rejects existing PIDs");
  }

  @Test
  void whereNeitherIsThereNothingIsToBeDone() {
    Check neither = PresenceCheck.bothPresent("p:WO-0", false, "p:WO-9", false);

    assertThat(neither.state()).isEqualTo(State.OK);
    assertThat(neither.advice()).isEmpty();
  }
}
