package org.fedometer.profiles;

import java.util.Collection;
import java.util.List;

/** Finds the word that somebody who mistyped it has probably meant. Stateless. */
public final class Spelling {
  private static final int MAX_EDITS = 2;

  /** A word of fewer letters begins too many. */
  private static final int MIN_PREFIX_LENGTH = 4;

  private Spelling() {}

  /**
   * The words that the fewest slips are away, at most two; not one of which every letter would be
   * wrong. Where there is none, the one that begins like what was given.
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

  /** What may have been meant, or else all there is, to follow a sentence on an unknown word. */
  public static String suggestionOrAll(String given, Collection<String> known) {
    String suggestion = suggestion(given, known);
    return suggestion.isEmpty() ? "; there are: " + String.join(", ", known) : suggestion;
  }

  /**
   * What may have been meant, to follow a sentence on an unknown word; empty if nothing is near.
   */
  public static String suggestion(String given, Collection<String> known) {
    return suggestion(nearest(given, known));
  }

  /** The same of words that are found already. */
  public static String suggestion(List<String> nearest) {
    return nearest.isEmpty() ? "" : "; perhaps you mean " + String.join(" or ", nearest);
  }

  /** How many letters are wrong, missing, too many, or swapped with the next. */
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
