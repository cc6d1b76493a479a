package org.fedometer.datasets.patents;

import org.fedometer.datasets.WordLists;

/**
 * The sentences that descriptions and claims are written in, by field, as {@link PatentGrammar}
 * reads them. Changing one changes every dataset.
 */
final class PatentPhrases {

  private static final WordLists LISTS = new WordLists(PatentPhrases.class, "phrases.txt");

  /** Sentences of any field. */
  static final String[] GENERAL = LISTS.get("GENERAL");

  /** Sentences about things that move and hold. */
  static final String[] MECHANICAL = LISTS.get("MECHANICAL");

  /** Sentences about circuits and signals. */
  static final String[] ELECTRICAL = LISTS.get("ELECTRICAL");

  /** Sentences about substances. */
  static final String[] CHEMICAL = LISTS.get("CHEMICAL");

  /** Sentences about programs and data. */
  static final String[] COMPUTING = LISTS.get("COMPUTING");

  /** When or on what condition. */
  static final String[] CIRCUMSTANCES = LISTS.get("CIRCUMSTANCES");

  /** What for. */
  static final String[] PURPOSES = LISTS.get("PURPOSES");

  /** Parts that an independent claim lists. */
  static final String[] CLAIM_ELEMENTS = LISTS.get("CLAIM_ELEMENTS");

  /** What a dependent claim adds. */
  static final String[] CLAIM_FEATURES = LISTS.get("CLAIM_FEATURES");

  /** What a row of a table is about. */
  static final String[] TABLE_ROWS = LISTS.get("TABLE_ROWS");

  private PatentPhrases() {}
}
