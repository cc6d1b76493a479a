package org.fedometer.datasets.patents;

import org.fedometer.datasets.WordLists;

/** Word lists for generated patents. A changed word changes every dataset. */
final class PatentWords {

  private static final WordLists LISTS = new WordLists(PatentWords.class, "words.txt");

  static final String[] QUALIFIERS = LISTS.get("QUALIFIERS");

  static final String[] THINGS = LISTS.get("THINGS");

  static final String[] MATERIALS = LISTS.get("MATERIALS");

  static final String[] JOINED = LISTS.get("JOINED");

  static final String[] ACTS = LISTS.get("ACTS");

  static final String[] ADVERBS = LISTS.get("ADVERBS");

  static final String[] ACTING = LISTS.get("ACTING");

  static final String[] KINDS = LISTS.get("KINDS");

  static final String[] MERITS = LISTS.get("MERITS");

  /** Beginnings, middles and ends of substances' names: 24 x 30 x 18 of them. */
  static final String[] SUBSTANCE_HEADS = LISTS.get("SUBSTANCE_HEADS");

  static final String[] SUBSTANCE_MIDDLES = LISTS.get("SUBSTANCE_MIDDLES");

  static final String[] SUBSTANCE_ENDS = LISTS.get("SUBSTANCE_ENDS");

  static final String[] OPENINGS = LISTS.get("OPENINGS");

  static final String[] CLOSINGS = LISTS.get("CLOSINGS");

  static final String[] UNITS = LISTS.get("UNITS");

  static final String[] FAMILY_NAMES = LISTS.get("FAMILY_NAMES");

  static final String[] GIVEN_NAMES = LISTS.get("GIVEN_NAMES");

  static final String[] FIRM_STEMS = LISTS.get("FIRM_STEMS");

  static final String[] FIRM_TRADES = LISTS.get("FIRM_TRADES");

  static final String[] FIRM_FORMS = LISTS.get("FIRM_FORMS");

  static final String[] COUNTRIES = LISTS.get("COUNTRIES");

  static final String[] STREETS = LISTS.get("STREETS");

  /** Country code, blank, city as content of an XML element. */
  static final String[] CITIES = LISTS.get("CITIES");

  static final String[] SEARCHING_OFFICES = LISTS.get("SEARCHING_OFFICES");

  /** Categories of documents in a search report: of special relevance, background and so on. */
  static final String[] SEARCH_CATEGORIES = LISTS.get("SEARCH_CATEGORIES");

  /** Names of the subject of independent claims, without an initial vowel. */
  static final String[] CLAIMED = LISTS.get("CLAIMED");

  /** Contracting states of the Patent Cooperation Treaty in 2007, as they are designated. */
  static final String[] NATIONAL_STATES = LISTS.get("NATIONAL_STATES");

  /** Regional offices (ARIPO, EAPO, EPO, OAPI), each before the states for which it grants. */
  static final String[][] REGIONAL_STATES = {
    {
      "AP", "BW", "GH", "GM", "KE", "LS", "MW", "MZ", "NA", "SD", "SL", "SZ", "TZ", "UG", "ZM", "ZW"
    },
    {"EA", "AM", "AZ", "BY", "KG", "KZ", "MD", "RU", "TJ", "TM"},
    {
      "EP", "AT", "BE", "BG", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GR",
      "HU", "IE", "IS", "IT", "LT", "LU", "LV", "MC", "MT", "NL", "PL", "PT", "RO", "SE", "SI",
      "SK", "TR"
    },
    {
      "OA", "BF", "BJ", "CF", "CG", "CI", "CM", "GA", "GN", "GQ", "GW", "ML", "MR", "NE", "SN",
      "TD", "TG"
    }
  };

  /** Common main groups of the International Patent Classification. */
  static final String[] IPC_GROUPS = LISTS.get("IPC_GROUPS");

  private PatentWords() {}
}
