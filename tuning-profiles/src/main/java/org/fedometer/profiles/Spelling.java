package org.fedometer.profiles;

import java.util.Collection;
import java.util.List;

/** Suggests known words for a mistyped one. Stateless. */
public final class Spelling {
  private static final int MAX_EDITS = 2;

  /** Shorter prefixes match too many words. */
  private static final int MIN_PREFIX_LENGTH = 4;

  private Spelling() {}

  /**
   * Returns at most two words with the fewest typing errors, unless every letter would be wrong;
   * otherwise, a single word with the given prefix.
   */
  public static List<String> nearest(String given, Collection<String> known) {
    int minEdits =
        known.stream().mapToInt(word -> editDistance(given, word)).min().orElse(MAX_EDITS + 1);
    List<String> near =
        known.stream()
            .filter(word -> minEdits <= MAX_EDITS && editDistance(given, word) == minEdits)
            .filter(word -> minEdits < Math.max(given.length(), word.length()))
            .toList();
    List<String> begun =
        near.isEmpty() && given.length() >= MIN_PREFIX_LENGTH
            ? known.stream().filter(word -> word.startsWith(given)).toList()
            : List.of();
    return begun.size() == 1 ? begun : near;
  }

  /** Returns suggestions or else all known words, to follow a sentence about an unknown word. */
  public static String suggestionOrAll(String given, Collection<String> known) {
    String suggestion = suggestion(given, known);
    return suggestion.isEmpty() ? "; there are: " + String.join(", ", known) : suggestion;
  }

  /** Returns suggestions, to follow a sentence about an unknown word; empty if none is similar. */
  public static String suggestion(String given, Collection<String> known) {
    return suggestion(nearest(given, known));
  }

  /** Formats suggestions that are already found. */
  public static String suggestion(List<String> nearest) {
    return nearest.isEmpty() ? "" : "; perhaps you mean " + String.join(" or ", nearest);
  }

  /** Returns the number of wrong, missing, surplus or swapped letters. */
  private static int editDistance(String given, String meant) {
    int[][] distances = new int[given.length() + 1][meant.length() + 1];
    for (int i = 0; i <= given.length(); i++) {
      for (int j = 0; j <= meant.length(); j++) {
        if (i == 0 || j == 0) {
          distances[i][j] = i + j;
          continue;
        }
        boolean same = given.charAt(i - 1) == meant.charAt(j - 1);
        distances[i][j] =
            Math.min(
                distances[i - 1][j - 1] + (same ? 0 : 1),
                1 + Math.min(distances[i - 1][j], distances[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && given.charAt(i - 1) == meant.charAt(j - 2)
                && given.charAt(i - 2) == meant.charAt(j - 1);
        if (swapped) {
          distances[i][j] = Math.min(distances[i][j], distances[i - 2][j - 2] + 1);
        }
      }
    }
    return distances[given.length()][meant.length()];
  }
}
