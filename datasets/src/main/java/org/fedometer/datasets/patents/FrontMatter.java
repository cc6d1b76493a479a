package org.fedometer.datasets.patents;

import java.util.function.IntFunction;
import org.fedometer.datasets.random.StableRandom;

/**
 * The complete bibliographic data of one generated document, in the ST.36 form of international
 * publications. It has addresses, priorities, designated states and results of the search. A
 * document too short for all has the most informative parts first. Created for one document, used
 * by one thread.
 */
final class FrontMatter {

  /** Since 2004 an application designates all states; earlier, applicants chose. */
  private static final int FIRST_YEAR_OF_ALL_STATES = 2004;

  private static final int FOUR_MILLION_YEAR = 1977;
  private static final int GRANTS_A_YEAR = 75_000;

  /** Size of the elements around the parts. */
  private static final int FRAME_BYTES = 170;

  /** With less space, classes and persons are brief, and search results precede further ones. */
  private static final int BRIEF_BYTES = 3_500;

  private static final int STATES_FRAME_BYTES = 200;
  private static final int STATE_BYTES = "<country>DE</country>\n".length();

  private final PatentRecord patent;
  private final StableRandom random;
  private int availableBytes;

  /**
   * @param maxBytes the approximate limit on the length; required parts need up to 1,040
   * @param random the source for data that the record lacks
   */
  FrontMatter(PatentRecord patent, int maxBytes, StableRandom random) {
    this.patent = patent;
    this.random = random;
    this.availableBytes = maxBytes - FRAME_BYTES;
  }

  /** Returns the text from the XML declaration to the end of the bibliographic data, in ASCII. */
  String write() {
    boolean brief = availableBytes < BRIEF_BYTES;
    String start = charged(start());
    String title = charged(title());
    String classes = charged(classification(0, !brief));
    String inventors = charged(inventor(0, !brief));
    String application = ifItFits(application());
    String citations = brief ? citations(availableBytes) : "";
    String states = brief ? states(availableBytes) : "";
    String applicants = ifItFits(applicants());
    inventors += asManyAsFit(1, patent.inventors().size(), i -> inventor(i, true));
    classes += asManyAsFit(1, patent.classifications().size(), i -> classification(i, true));
    String agents = ifItFits(agents());
    String priorities = ifItFits(priorities());
    if (!brief) {
      states = states(availableBytes / 2);
      citations = citations(availableBytes);
    }
    StringBuilder xml = new StringBuilder(start.length() + states.length() + 8_192);
    xml.append(start).append("<classifications-ipcr>\n").append(classes);
    xml.append("</classifications-ipcr>\n").append(application).append(priorities);
    xml.append("<parties>\n").append(applicants).append("<inventors>\n").append(inventors);
    xml.append("</inventors>\n").append(agents).append("</parties>\n").append(states).append(title);
    if (!citations.isEmpty()) {
      xml.append("<references-cited>\n").append(citations).append("</references-cited>\n");
    }
    return xml.append("</bibliographic-data>\n").toString();
  }

  private String citations(int maxBytes) {
    int reserved = availableBytes - maxBytes;
    availableBytes = maxBytes;
    String citations = asManyAsFit(0, patent.citations().size(), this::citation);
    availableBytes += reserved;
    return citations;
  }

  private String charged(String part) {
    availableBytes -= part.length();
    return part;
  }

  private String ifItFits(String part) {
    return part.length() <= availableBytes ? charged(part) : "";
  }

  private String asManyAsFit(int first, int end, IntFunction<String> part) {
    StringBuilder parts = new StringBuilder();
    for (int i = first; i < end; i++) {
      String next = ifItFits(part.apply(i));
      if (next.isEmpty()) {
        break;
      }
      parts.append(next);
    }
    return parts.toString();
  }

  private String start() {
    StringBuilder xml = new StringBuilder(400);
    xml.append(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<wo-patent-document lang=\"EN\" country=\"");
    xml.append(patent.authority()).append("\" doc-number=\"").append(patent.number());
    xml.append("\" kind=\"").append(patent.kind()).append("\" date-publ=\"");
    xml.append(patent.publicationDate()).append("\">\n<bibliographic-data>\n");
    xml.append("<publication-reference>\n");
    documentId(
        xml, patent.authority(), patent.number(), patent.kind(), "", patent.publicationDate());
    return xml.append("</publication-reference>\n").toString();
  }

  private String application() {
    StringBuilder xml = new StringBuilder(300);
    xml.append("<application-reference appl-type=\"pct\">\n");
    documentId(xml, "WO", patent.applicationNumber(), "", "", patent.filingDate());
    xml.append("</application-reference>\n<language-of-filing>en</language-of-filing>\n");
    return xml.append("<language-of-publication>en</language-of-publication>\n").toString();
  }

  /** Adds a number, and kind, name and date if not empty. */
  private static void documentId(
      StringBuilder xml, String country, String number, String kind, String name, String date) {
    xml.append("<document-id>\n<country>").append(country).append("</country>\n<doc-number>");
    xml.append(number).append("</doc-number>\n");
    if (!kind.isEmpty()) {
      xml.append("<kind>").append(kind).append("</kind>\n");
    }
    if (!name.isEmpty()) {
      xml.append("<name>");
      PatentXml.escape(xml, name);
      xml.append("</name>\n");
    }
    xml.append("<date>").append(date).append("</date>\n</document-id>\n");
  }

  private String priorities() {
    int year = Integer.parseInt(patent.filingDate().substring(0, 4)) - 1;
    StringBuilder xml = new StringBuilder("<priority-claims>\n");
    int count = 1 + random.nextPoisson(0.5);
    for (int i = 1; i <= count; i++) {
      xml.append("<priority-claim sequence=\"")
          .append(i)
          .append("\" kind=\"national\">\n<country>");
      xml.append(random.pick(PatentWords.COUNTRIES))
          .append("</country>\n<doc-number>")
          .append(year);
      xml.append('/').append(Digits.padded(random.nextInt(1_000_000), 6));
      xml.append("</doc-number>\n<date>").append(date(year)).append("</date>\n</priority-claim>\n");
    }
    return xml.append("</priority-claims>\n").toString();
  }

  private String date(int year) {
    return Digits.date(year, random.nextBetween(1, 12), random.nextBetween(1, 28));
  }

  private String title() {
    StringBuilder xml = new StringBuilder("<invention-title lang=\"EN\">");
    PatentXml.escape(xml, patent.title());
    return xml.append("</invention-title>\n").toString();
  }

  private String classification(int index, boolean detailed) {
    String symbol = patent.classifications().get(index);
    int slash = symbol.indexOf('/');
    StringBuilder xml = new StringBuilder(480);
    xml.append("<classification-ipcr sequence=\"").append(index + 1).append("\">\n");
    if (detailed) {
      xml.append("<ipc-version-indicator><date>20060101</date></ipc-version-indicator>\n");
      xml.append("<classification-level>A</classification-level>\n");
    }
    xml.append("<section>").append(symbol.charAt(0));
    xml.append("</section>\n<class>").append(symbol, 1, 3);
    xml.append("</class>\n<subclass>").append(symbol.charAt(3));
    xml.append("</subclass>\n<main-group>").append(symbol, 4, slash);
    xml.append("</main-group>\n<subgroup>").append(symbol, slash + 1, symbol.length());
    xml.append("</subgroup>\n");
    if (detailed) {
      xml.append("<symbol-position>").append(index == 0 ? 'F' : 'L');
      xml.append("</symbol-position>\n<classification-value>");
      xml.append(random.nextChance(0.8) ? 'I' : 'N');
      xml.append("</classification-value>\n<action-date><date>").append(patent.publicationDate());
      xml.append("</date></action-date>\n<generating-office><country>");
      xml.append(random.pick(PatentWords.SEARCHING_OFFICES));
      xml.append("</country></generating-office>\n<classification-status>B");
      xml.append("</classification-status>\n<classification-data-source>");
      xml.append(random.nextChance(0.7) ? 'H' : 'M').append("</classification-data-source>\n");
    }
    return xml.append("</classification-ipcr>\n").toString();
  }

  private String applicants() {
    StringBuilder xml = new StringBuilder("<applicants>\n");
    int sequence = 1;
    for (String name : patent.applicants()) {
      xml.append("<applicant sequence=\"").append(sequence++);
      xml.append("\" app-type=\"applicant\" designation=\"all-except-us\">\n");
      xml.append("<addressbook>\n<orgname>");
      PatentXml.escape(xml, name);
      xml.append("</orgname>\n");
      String country = address(xml);
      xml.append("</addressbook>\n");
      nationality(xml, country);
      xml.append("</applicant>\n");
    }
    return xml.append("</applicants>\n").toString();
  }

  private String inventor(int index, boolean detailed) {
    String name = patent.inventors().get(index);
    int comma = name.indexOf(',');
    StringBuilder xml = new StringBuilder(400);
    xml.append("<inventor sequence=\"").append(index + 1).append("\">\n<addressbook>\n<last-name>");
    PatentXml.escape(xml, name.substring(0, comma));
    xml.append("</last-name>\n<first-name>");
    PatentXml.escape(xml, name.substring(comma + 2));
    xml.append("</first-name>\n");
    String country = detailed ? address(xml) : "";
    xml.append("</addressbook>\n");
    if (detailed) {
      nationality(xml, country);
    }
    return xml.append("</inventor>\n").toString();
  }

  private String agents() {
    StringBuilder xml = new StringBuilder(400);
    xml.append("<agents>\n<agent sequence=\"1\" rep-type=\"agent\">\n<addressbook>\n<last-name>");
    PatentXml.escape(xml, random.pick(PatentWords.FAMILY_NAMES));
    xml.append("</last-name>\n<first-name>");
    PatentXml.escape(xml, random.pick(PatentWords.GIVEN_NAMES));
    xml.append("</first-name>\n");
    address(xml);
    return xml.append("</addressbook>\n</agent>\n</agents>\n").toString();
  }

  /** Adds an address and returns its country. */
  private String address(StringBuilder xml) {
    String city = random.pick(PatentWords.CITIES);
    String country = city.substring(0, 2);
    xml.append("<address>\n<street>").append(random.nextBetween(1, 180)).append(' ');
    xml.append(random.pick(PatentWords.STREETS))
        .append("</street>\n<city>")
        .append(city, 3, city.length());
    xml.append("</city>\n<postcode>").append(Digits.padded(random.nextInt(100_000), 5));
    xml.append("</postcode>\n<country>").append(country).append("</country>\n</address>\n");
    return country;
  }

  private static void nationality(StringBuilder xml, String country) {
    xml.append("<nationality>\n<country>").append(country).append("</country>\n</nationality>\n");
    xml.append("<residence>\n<country>").append(country).append("</country>\n</residence>\n");
  }

  /** Returns the states for which protection is sought: some of them in early years, later all. */
  private String states(int maxBytes) {
    int max = (Math.min(availableBytes, maxBytes) - STATES_FRAME_BYTES) / STATE_BYTES;
    if (max <= 0) {
      return "";
    }
    boolean all = patent.publicationDate().compareTo(FIRST_YEAR_OF_ALL_STATES + "") >= 0;
    double share = all ? 1 : 0.1 + 0.8 * random.nextOpen();
    StringBuilder xml = new StringBuilder(maxBytes);
    xml.append("<designation-of-states>\n<designation-pct>\n<national>\n");
    int named = 0;
    for (String state : PatentWords.NATIONAL_STATES) {
      if (named < max && random.nextChance(share)) {
        country(xml, state);
        named++;
      }
    }
    xml.append("</national>\n");
    for (String[] region : PatentWords.REGIONAL_STATES) {
      if (named + region.length <= max && random.nextChance(share)) {
        xml.append("<regional>\n<region><country>").append(region[0]);
        xml.append("</country></region>\n");
        for (int i = 1; i < region.length; i++) {
          country(xml, region[i]);
        }
        xml.append("</regional>\n");
        named += region.length + 2;
      }
    }
    return charged(xml.append("</designation-pct>\n</designation-of-states>\n").toString());
  }

  private static void country(StringBuilder xml, String code) {
    xml.append("<country>").append(code).append("</country>\n");
  }

  /**
   * Returns the approximate grant year of a US patent with that number, before this one was filed.
   */
  private int yearOf(PatentRecord.Citation cited) {
    int granted =
        FOUR_MILLION_YEAR + (Integer.parseInt(cited.number()) - 4_000_000) / GRANTS_A_YEAR;
    return Math.min(granted, Integer.parseInt(patent.filingDate().substring(0, 4)) - 1);
  }

  private String citation(int index) {
    PatentRecord.Citation cited = patent.citations().get(index);
    StringBuilder xml = new StringBuilder(320);
    xml.append("<citation>\n<patcit num=\"").append(Digits.padded(index + 1L, 5)).append("\">\n");
    documentId(
        xml,
        cited.authority(),
        cited.number(),
        cited.kind(),
        random.pick(PatentWords.FAMILY_NAMES) + (random.nextChance(0.6) ? " et al." : ""),
        date(yearOf(cited)));
    xml.append("</patcit>\n<category>").append(random.pick(PatentWords.SEARCH_CATEGORIES));
    xml.append("</category>\n<rel-claims>1-").append(random.nextBetween(2, 20));
    xml.append("</rel-claims>\n</citation>\n");
    return xml.toString();
  }
}
