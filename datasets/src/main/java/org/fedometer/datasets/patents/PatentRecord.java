package org.fedometer.datasets.patents;

import java.util.List;
import java.util.Set;

/**
 * The bibliographic data of one patent document, generated or read. Texts are plain; what is not
 * known is an empty string or list.
 *
 * @param authority office that published it, two letters (WIPO ST.3)
 * @param number publication number without authority and kind
 * @param kind kind code (WIPO ST.16) such as {@code A1}
 * @param publicationDate eight digits, {@code yyyyMMdd}
 * @param filingDate eight digits
 * @param language ISO 639 code in lower case
 * @param abstractText the abstract, or what stands for it (a design's claim)
 * @param inventors names, {@code Family, Given}
 * @param applicants names of applicants or assignees; those who are inventors too are left out
 * @param classifications IPC symbols as {@code H01L21/336}, the main one first; of a design,
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
   * @param kind kind code, or empty
   */
  record Citation(String authority, String number, String kind) {

    /** The same with an authority, where it has none: US files name only foreign ones. */
    Citation withDefaultAuthority(String defaultAuthority) {
      return authority.isEmpty() ? new Citation(defaultAuthority, number, kind) : this;
    }
  }

  /** How people write the document's number: {@code US07272630B2}. */
  String documentNumber() {
    return authority + number + kind;
  }

  /** The publication date as {@code yyyy-MM-dd}, or as it is if it is not eight digits. */
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
