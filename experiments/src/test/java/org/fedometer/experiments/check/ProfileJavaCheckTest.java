package org.fedometer.experiments.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.junit.jupiter.api.Test;

/** The search for a profile's Java before its run. */
class ProfileJavaCheckTest {

  @Test
  void theJavaThatRunsThisIsThere() throws Exception {
    Check check = ProfileJavaCheck.of(profile());

    assertThat(check.state()).isEqualTo(Check.State.OK);
    assertThat(check.found()).isEqualTo("Java " + Runtime.version().feature() + " is installed");
  }

  @Test
  void aFolderWithoutJavaIsAProblemThatIsNamed() throws Exception {
    Check check = ProfileJavaCheck.of(profile("jvm.home=/nowhere"));

    assertThat(check.state()).isEqualTo(Check.State.PROBLEM);
    assertThat(check.found()).startsWith("There is no Java in /nowhere that runs");
  }

  private static Profile profile(String... changes) throws Exception {
    return Profiles.shipped().profile(Profiles.DEFAULT, List.of(changes));
  }
}
