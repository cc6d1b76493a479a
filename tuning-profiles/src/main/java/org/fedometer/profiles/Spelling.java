package org.fedometer.profiles;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds the word that somebody who mistyped it has probably meant. Stateless. */
public final class Spelling {
  private static final int MOST_SLIPS = 2;

  private Spelling() {}

  /** Words that are at most two slips away, the nearest first. */
  public static List<String> near(String given, Collection<String> known) {
    return known.stream()
        .filter(word -> slips(given, word) <= MOST_SLIPS)
        .sorted(Comparator.comparing(word -> slips(given, word)))
        .toList();
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
