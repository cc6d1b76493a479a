package org.fedometer.experiments.stack;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.store.RunDocument;

/**
 * Describes a profile for {@code run.json}, without secrets such as in an argument of the JVM.
 * Stateless.
 */
public final class ProfileRecord {
  private static final String BETWEEN_VALUES = " ";

  private ProfileRecord() {}

  /**
   * Masks each value separately: a line that begins with a secret's name would be masked
   * completely.
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

  /** Masks a change such as {@code jvm.arguments+=-Da=b -Dc=d}. */
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
