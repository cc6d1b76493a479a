package org.fedometer.datasets.patents;

import java.util.List;
import java.util.Set;

/**
 * The bibliographic data of one patent document, generated or read. Texts are plain; unknown values
 * are empty strings or lists.
 *
 * @param authority the publishing office, two letters (WIPO ST.3)
 * @param number the publication number without authority and kind
 * @param kind the kind code (WIPO ST.16) such as {@code A1}
 * @param publicationDate eight digits, {@code yyyyMMdd}
 * @param filingDate eight digits
 * @param language the ISO 639 code in lower case
 * @param abstractText the abstract, or its replacement (a design's claim)
 * @param inventors names, {@code Family, Given}
 * @param applicants names of applicants or assignees, except those who are also inventors
 * @param classifications IPC symbols as {@code H01L21/336}, the main one first; for a design,
 *     Locarno classes
 */
record PatentRecord(
    String authority,
    String number,
    String kind,
    String publicationDate,
    String applicationNumber,
    String filingDate,
    String language,
    String title,
    String abstractText,
    List<String> inventors,
    List<String> applicants,
    List<String> classifications,
    List<Citation> citations) {

  PatentRecord {
    inventors = List.copyOf(inventors);
    Set<String> persons = Set.copyOf(inventors);
    applicants = applicants.stream().filter(name -> !persons.contains(name)).toList();
    classifications = List.copyOf(classifications);
    citations = List.copyOf(citations);
  }

  /**
   * @param authority two letters, or empty
   * @param kind the kind code, or empty
   */
  record Citation(String authority, String number, String kind) {

    /** Returns a copy with an authority if there is none: US files name only foreign ones. */
    Citation withDefaultAuthority(String defaultAuthority) {
      return authority.isEmpty() ? new Citation(defaultAuthority, number, kind) : this;
    }
  }

  /** Returns the usual form of the document's number: {@code US07272630B2}. */
  String documentNumber() {
    return authority + number + kind;
  }

  /** Returns the publication date as {@code yyyy-MM-dd}, or unchanged if it is not eight digits. */
  String isoPublicationDate() {
    return isoDate(publicationDate);
  }

  String isoFilingDate() {
    return isoDate(filingDate);
  }

  private static String isoDate(String date) {
    return date.length() == 8
        ? date.substring(0, 4) + '-' + date.substring(4, 6) + '-' + date.substring(6)
        : date;
  }
}
