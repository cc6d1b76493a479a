package org.fedometer.experiments.stack;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.store.RunDocument;

/**
 * What {@code run.json} says of a profile: without the secrets that somebody may have put into it,
 * an argument of the JVM for one. Stateless.
 */
public final class ProfileRecord {
  private static final String BETWEEN_VALUES = " ";

  private ProfileRecord() {}

  /**
   * Each value is masked by itself: where a line begins with a secret's name, all of it is taken
   * for the secret.
   */
  public static RunDocument.Profile of(Profile profile) {
    StringBuilder label = new StringBuilder(profile.name());
    profile.changes().forEach(change -> label.append(' ').append(maskedChange(change)));
    Map<String, String> settings = new LinkedHashMap<>();
    profile
        .settings()
        .forEach(
            (name, setting) ->
                settings.put(
                    name,
                    setting.values().stream()
                        .map(Stack::maskedByForm)
                        .collect(Collectors.joining(BETWEEN_VALUES))));
    return new RunDocument.Profile(label.toString(), profile.choicesAsText(), settings);
  }

  /** Such as {@code jvm.arguments+=-Da=b -Dc=d}. */
  private static String maskedChange(String change) {
    int equals = change.indexOf('=');
    if (equals < 0) {
      return Stack.maskedByForm(change);
    }
    return change.substring(0, equals + 1)
        + Arrays.stream(change.substring(equals + 1).split(BETWEEN_VALUES))
            .map(Stack::maskedByForm)
            .collect(Collectors.joining(BETWEEN_VALUES));
  }
}
