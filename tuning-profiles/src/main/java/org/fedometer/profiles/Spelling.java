package org.fedometer.profiles;

import java.util.Collection;
import java.util.List;

/** Finds the word that somebody who mistyped it has probably meant. Stateless. */
public final class Spelling {
  private static final int MOST_SLIPS = 2;

  /** A word of fewer letters begins too many. */
  private static final int LEAST_BEGINNING = 4;

  private Spelling() {}

  /**
   * The words that the fewest slips are away, at most two; not one of which every letter would be
   * wrong. Where there is none, the one that begins like what was given.
   */
  public static List<String> near(String given, Collection<String> known) {
    int fewest = known.stream().mapToInt(word -> slips(given, word)).min().orElse(MOST_SLIPS + 1);
    List<String> near =
        known.stream()
            .filter(word -> fewest <= MOST_SLIPS && slips(given, word) == fewest)
            .filter(word -> fewest < Math.max(given.length(), word.length()))
            .toList();
    List<String> begun =
        near.isEmpty() && given.length() >= LEAST_BEGINNING
            ? known.stream().filter(word -> word.startsWith(given)).toList()
            : List.of();
    return begun.size() == 1 ? begun : near;
  }

  /** What may have been meant, or else all there is, to follow a sentence on an unknown word. */
  public static String meant(String given, Collection<String> known) {
    String perhaps = perhaps(given, known);
    return perhaps.isEmpty() ? "; there are: " + String.join(", ", known) : perhaps;
  }

  /**
   * What may have been meant, to follow a sentence on an unknown word; empty if nothing is near.
   */
  public static String perhaps(String given, Collection<String> known) {
    return perhaps(near(given, known));
  }

  /** The same of words that are found already. */
  public static String perhaps(List<String> near) {
    return near.isEmpty() ? "" : "; perhaps you mean " + String.join(" or ", near);
  }

  /** How many letters are wrong, missing, too many, or swapped with the next. */
  private static int slips(String given, String meant) {
    int[][] slips = new int[given.length() + 1][meant.length() + 1];
    for (int i = 0; i <= given.length(); i++) {
      for (int j = 0; j <= meant.length(); j++) {
        if (i == 0 || j == 0) {
          slips[i][j] = i + j;
          continue;
        }
        boolean same = given.charAt(i - 1) == meant.charAt(j - 1);
        slips[i][j] =
            Math.min(
                slips[i - 1][j - 1] + (same ? 0 : 1),
                1 + Math.min(slips[i - 1][j], slips[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && given.charAt(i - 1) == meant.charAt(j - 2)
                && given.charAt(i - 2) == meant.charAt(j - 1);
        if (swapped) {
          slips[i][j] = Math.min(slips[i][j], slips[i - 2][j - 2] + 1);
        }
      }
    }
    return slips[given.length()][meant.length()];
  }
}
