package org.fedometer.experiments.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.Test;

class ProfileRecordTest {

  @Test
  void secretsAmongArgumentsAreMaskedAndWhatStandsBesideThemIsNot() throws Exception {
    Profile profile =
        Profiles.ofUser()
            .profile(
                "mulgara-derby",
                List.of(
                    "gc=serial",
                    "jvm.arguments+=-Djavax.net.ssl.trustStorePassword=Secret1 -Da=b"));

    RunDocument.Profile recorded = ProfileRecord.of(profile);

    assertThat(recorded.name())
        .isEqualTo(
            "mulgara-derby gc=serial"
                + " jvm.arguments+=-Djavax.net.ssl.trustStorePassword=******** -Da=b");
    assertThat(recorded.settings().get("jvm.arguments"))
        .isEqualTo("-Djavax.net.ssl.trustStorePassword=******** -Da=b");
    assertThat(recorded.toString()).doesNotContain("Secret1");
    assertThat(recorded.choices()).isEqualTo(profile.choicesAsText());
    assertThat(recorded.settings().keySet()).isEqualTo(profile.settings().keySet());
  }
}
