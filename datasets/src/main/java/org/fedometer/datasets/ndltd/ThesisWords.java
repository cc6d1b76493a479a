package org.fedometer.datasets.ndltd;

import org.fedometer.datasets.WordLists;

/**
 * Word lists for the texts of theses. A changed word changes every record. The lists are never
 * modified.
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

  /** Syllables that continue a family name. */
  static final String[] SYLLABLES = LISTS.get("SYLLABLES");

  static final String[] GIVEN = LISTS.get("GIVEN");

  private ThesisWords() {}
}
