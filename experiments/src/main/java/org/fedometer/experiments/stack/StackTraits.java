package org.fedometer.experiments.stack;

import java.util.Map;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.store.RunDocument;

/**
 * What a run has to know of the profile that its Fedora is made of. Of a run that goes on it comes
 * from the stack itself: what the profile's files say by now is of no matter.
 *
 * @param name of the profile, without what was changed for this time
 * @param literalLimitBytes longest literal that the triplestore keeps
 * @param onRecord what {@code run.json} says of it
 */
public record StackTraits(
    String name,
    PidForm pids,
    int literalLimitBytes,
    boolean triplestore,
    boolean recording,
    RunDocument.Profile onRecord) {

  private static final String NONE = "none";

  /** Of a run that begins; on record with the profile's secrets masked. */
  public static StackTraits of(Profile profile) {
    return of(
        profile.name(),
        profile.settingsAsText(),
        profile.literalLimitBytes(),
        ProfileRecord.of(profile));
  }

  /** Of a run that goes on; on record as its first process had it. */
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

  /** Of a dataset for a Fedora of a run's own, whose objects are in the standard namespace. */
  public DatasetOptions datasetOptions() {
    return new DatasetOptions(DatasetOptions.STANDARD_NAMESPACE, pids, literalLimitBytes);
  }
}
