package org.fedometer.experiments.check;

import java.util.Optional;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.java.JavaHomes;

/** Checks whether this machine has the Java for a profile's Fedora. Stateless. */
public final class ProfileJavaCheck {
  private static final String NAME = "profile-java";

  private ProfileJavaCheck() {}

  /** Searches like a run. */
  public static Check of(Profile profile) throws InterruptedException {
    Optional<String> lack = JavaHomes.problemFor(profile);
    return lack.isPresent()
        ? Check.problem(NAME, lack.get(), "Runs of the profile need it.")
        : Check.ok(NAME, "Java " + profile.javaVersion() + " is installed");
  }
}
