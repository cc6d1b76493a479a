package org.fedometer.experiments.stack;

import java.util.Map;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.store.RunDocument;

/**
 * Properties of the profile of a run's Fedora. For a resumed run, they come from the stack itself,
 * regardless of the profile's current files.
 *
 * @param name of the profile, without changes for this run
 * @param literalLimitBytes longest literal that the triplestore keeps
 * @param onRecord profile in {@code run.json}
 */
public record StackTraits(
    String name,
    PidForm pids,
    int literalLimitBytes,
    boolean triplestore,
    boolean recording,
    RunDocument.Profile onRecord) {

  private static final String NONE = "none";

  /** Returns the traits of a new run; secrets are masked in the record. */
  public static StackTraits of(Profile profile) {
    return of(
        profile.name(),
        profile.settingsAsText(),
        profile.literalLimitBytes(),
        ProfileRecord.of(profile));
  }

  /** Returns the traits of a resumed run; recorded as by its first process. */
  public static StackTraits of(Stack stack, RunDocument.Profile onRecord) {
    return of(stack.profileName(), stack.settings(), stack.literalLimitBytes(), onRecord);
  }

  private static StackTraits of(
      String name,
      Map<String, String> settings,
      int literalLimitBytes,
      RunDocument.Profile onRecord) {
    return new StackTraits(
        name,
        PidForm.named(settings.get("fedora.pids")),
        literalLimitBytes,
        !settings.get("triplestore.store").equals(NONE),
        !settings.get("jvm.jfr").equals(NONE),
        onRecord);
  }

  /** Returns options of a dataset in the standard namespace, for a run's own Fedora. */
  public DatasetOptions datasetOptions() {
    return new DatasetOptions(DatasetOptions.STANDARD_NAMESPACE, pids, literalLimitBytes);
  }
}
