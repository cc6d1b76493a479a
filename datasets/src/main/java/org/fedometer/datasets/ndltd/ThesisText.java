package org.fedometer.datasets.ndltd;

import static org.fedometer.datasets.ndltd.ThesisWords.ADJECTIVES;
import static org.fedometer.datasets.ndltd.ThesisWords.DATA;
import static org.fedometer.datasets.ndltd.ThesisWords.ENDINGS;
import static org.fedometer.datasets.ndltd.ThesisWords.FIELDS;
import static org.fedometer.datasets.ndltd.ThesisWords.GIVEN;
import static org.fedometer.datasets.ndltd.ThesisWords.LINKS;
import static org.fedometer.datasets.ndltd.ThesisWords.OPENINGS;
import static org.fedometer.datasets.ndltd.ThesisWords.SYLLABLES;
import static org.fedometer.datasets.ndltd.ThesisWords.THINGS;
import static org.fedometer.datasets.ndltd.ThesisWords.VERBS;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.random.StableRandom;

/**
 * Titles, abstracts, subjects and names of theses, from a grammar. A change here changes every
 * record. Stateless.
 */
final class ThesisText {

  private static final String INITIALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

  /** Number of a hundred family names that begin with each letter, A to Z; at least one each. */
  private static final int[] INITIAL_WEIGHTS = {
    5, 9, 8, 5, 2, 4, 5, 7, 1, 3, 5, 5, 10, 3, 2, 6, 1, 5, 10, 4, 1, 3, 6, 1, 2, 2
  };

  private static final int INITIAL_WEIGHT;

  static {
    int sum = 0;
    for (int weight : INITIAL_WEIGHTS) {
      sum += weight;
    }
    INITIAL_WEIGHT = sum;
  }

  private ThesisText() {}

  /** Returns the SHA-256 of all words, in hexadecimal: equal ones make equal records. */
  static String sha256() {
    MessageDigest digest = ChecksumAlgorithm.SHA_256.newDigest();
    String[][] all = {
      FIELDS, ADJECTIVES, THINGS, VERBS, OPENINGS, LINKS, DATA, ENDINGS, SYLLABLES, GIVEN
    };
    for (String[] words : all) {
      digest.update(String.join("\n", words).getBytes(StandardCharsets.US_ASCII));
      digest.update((byte) 0);
    }
    digest.update(Arrays.toString(INITIAL_WEIGHTS).getBytes(StandardCharsets.US_ASCII));
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Returns the number of a letter, 0 for A. */
  static int initial(StableRandom random) {
    int remaining = random.nextInt(INITIAL_WEIGHT);
    int initial = 0;
    while (remaining >= INITIAL_WEIGHTS[initial]) {
      remaining -= INITIAL_WEIGHTS[initial++];
    }
    return initial;
  }

  static char letter(int initial) {
    return INITIALS.charAt(initial);
  }

  /** Returns a name such as {@code Family, Given}. */
  static String name(int initial, StableRandom random) {
    StringBuilder name = new StringBuilder(24).append(letter(initial));
    int syllables = random.nextBetween(2, 3);
    for (int i = 0; i < syllables; i++) {
      name.append(random.pick(SYLLABLES));
    }
    return name.append(", ").append(random.pick(GIVEN)).toString();
  }

  static String subject(StableRandom random) {
    return random.nextChance(0.5)
        ? random.pick(FIELDS)
        : random.pick(ADJECTIVES) + ' ' + random.pick(THINGS);
  }

  static String title(StableRandom random) {
    StringBuilder title = new StringBuilder(120);
    if (random.nextChance(0.3)) {
      title.append(random.pick(ADJECTIVES)).append(' ');
      title.append(random.pick(THINGS)).append(": ");
    }
    title.append(random.nextChance(0.5) ? "a study of " : "on ");
    title.append(random.pick(ADJECTIVES)).append(' ').append(random.pick(THINGS));
    title.append(random.nextChance(0.5) ? " and " : " in ").append(random.pick(THINGS));
    title.setCharAt(0, Character.toUpperCase(title.charAt(0)));
    return title.toString();
  }

  /**
   * Returns sentences of exactly so many ASCII characters; the last is cut and ends with a full
   * stop.
   */
  static String sentences(int characters, StableRandom random) {
    StringBuilder text = new StringBuilder(characters + 200);
    while (text.length() < characters) {
      if (!text.isEmpty()) {
        text.append(' ');
      }
      sentence(text, random);
    }
    text.setLength(characters);
    if (characters > 0) {
      text.setCharAt(characters - 1, '.');
    }
    return text.toString();
  }

  private static void sentence(StringBuilder text, StableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> {
        text.append(random.pick(OPENINGS)).append(' ').append(random.pick(VERBS));
        text.append(' ').append(random.pick(ADJECTIVES)).append(' ').append(random.pick(THINGS));
        text.append(' ').append(random.pick(LINKS)).append(' ').append(random.pick(THINGS));
        text.append('.');
      }
      case 1 -> {
        text.append("A total of ").append(random.nextBetween(12, 980)).append(' ');
        text.append(random.pick(DATA)).append(" on ").append(random.pick(THINGS));
        text.append(" were collected between ").append(random.nextBetween(1970, 1995));
        text.append(" and ").append(random.nextBetween(1996, 2012)).append('.');
      }
      case 2 -> {
        text.append("In ").append(random.pick(FIELDS)).append(", ").append(random.pick(THINGS));
        text.append(" and ").append(random.pick(ADJECTIVES)).append(' ');
        text.append(random.pick(THINGS)).append(" are seldom studied ").append(random.pick(LINKS));
        text.append(' ').append(random.pick(ADJECTIVES)).append(' ').append(random.pick(THINGS));
        text.append('.');
      }
      default -> text.append(random.pick(ENDINGS));
    }
  }
}
