package org.fedometer.datasets.ndltd;

import org.fedometer.datasets.WordLists;

/**
 * What the texts of theses are put together from. Changing a word changes every record. Nothing
 * writes to the lists.
 */
final class ThesisWords {

  private static final WordLists LISTS = new WordLists(ThesisWords.class, "words.txt");

  static final String[] FIELDS = LISTS.get("FIELDS");

  static final String[] ADJECTIVES = LISTS.get("ADJECTIVES");

  static final String[] THINGS = LISTS.get("THINGS");

  static final String[] VERBS = LISTS.get("VERBS");

  static final String[] OPENINGS = LISTS.get("OPENINGS");

  static final String[] LINKS = LISTS.get("LINKS");

  static final String[] DATA = LISTS.get("DATA");

  static final String[] ENDINGS = LISTS.get("ENDINGS");

  /** Syllables that a family name goes on with. */
  static final String[] SYLLABLES = LISTS.get("SYLLABLES");

  static final String[] GIVEN = LISTS.get("GIVEN");

  private ThesisWords() {}
}
