package org.fedometer.datasets.patents;

import org.fedometer.datasets.WordLists;

/**
 * Sentence patterns of descriptions and claims, by field, for {@link PatentGrammar}. A change here
 * changes every dataset.
 */
final class PatentPhrases {

  private static final WordLists LISTS = new WordLists(PatentPhrases.class, "phrases.txt");

  static final String[] GENERAL = LISTS.get("GENERAL");

  static final String[] MECHANICAL = LISTS.get("MECHANICAL");

  static final String[] ELECTRICAL = LISTS.get("ELECTRICAL");

  static final String[] CHEMICAL = LISTS.get("CHEMICAL");

  static final String[] COMPUTING = LISTS.get("COMPUTING");

  static final String[] CIRCUMSTANCES = LISTS.get("CIRCUMSTANCES");

  static final String[] PURPOSES = LISTS.get("PURPOSES");

  /** Parts listed in an independent claim. */
  static final String[] CLAIM_ELEMENTS = LISTS.get("CLAIM_ELEMENTS");

  /** Additions of a dependent claim. */
  static final String[] CLAIM_FEATURES = LISTS.get("CLAIM_FEATURES");

  static final String[] TABLE_ROWS = LISTS.get("TABLE_ROWS");

  private PatentPhrases() {}
}
