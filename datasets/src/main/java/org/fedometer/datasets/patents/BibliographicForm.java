package org.fedometer.datasets.patents;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The ways in which patent offices write bibliographic data, and where each keeps what. */
enum BibliographicForm {
  /** Element names in words: US grants and applications 4.x, WIPO and other users of ST.36. */
  ST36("abstract", "claim") {
    @Override
    PatentRecord read(XmlNode data, String summary, String language) {
      XmlNode empty = new XmlNode("", "");
      XmlNode publication =
          data.all("publication-reference", "document-id").findFirst().orElse(empty);
      XmlNode application =
          data.all("application-reference", "document-id").findFirst().orElse(empty);
      return new PatentRecord(
          publication.text("country"),
          number(publication.text("doc-number")),
          publication.text("kind"),
          publication.text("date"),
          application.text("doc-number"),
          application.text("date"),
          language,
          data.text("invention-title"),
          summary,
          distinct(inventors(data)),
          distinct(applicants(data)),
          distinct(classifications(data)),
          data.all("references-cited|us-references-cited", "citation|us-citation", "patcit")
              .flatMap(citation -> citation.all("document-id"))
              .map(cited -> citation(cited, "country", "doc-number", "kind"))
              .filter(cited -> !cited.number().isEmpty())
              .toList());
    }

    private Stream<XmlNode> parties(XmlNode data, String group, String party) {
      return data.all("parties|us-parties", group, party);
    }

    private Stream<String> inventors(XmlNode data) {
      List<String> named = parties(data, "inventors", "inventor").map(this::name).toList();
      return named.isEmpty()
          ? parties(data, "applicants|us-applicants", "applicant|us-applicant")
              .filter(party -> party.kind().contains("inventor"))
              .map(this::name)
          : named.stream();
    }

    private Stream<String> applicants(XmlNode data) {
      return Stream.concat(
          parties(data, "applicants|us-applicants", "applicant|us-applicant")
              .filter(party -> !party.kind().contains("inventor"))
              .map(this::name),
          data.all("assignees", "assignee").map(this::name));
    }

    private String name(XmlNode party) {
      XmlNode book = party.all("addressbook").findFirst().orElse(party);
      String organization = book.text("orgname");
      return organization.isEmpty()
          ? personOr(book.text("last-name"), book.text("first-name"), book.text("name"))
          : organization;
    }

    private Stream<String> classifications(XmlNode data) {
      Stream<String> current =
          data.all("classifications-ipcr", "classification-ipcr")
              .map(
                  symbol -> {
                    String section = symbol.text("section");
                    return section.isEmpty()
                        ? ipc(symbol.text("text"))
                        : section
                            + symbol.text("class")
                            + symbol.text("subclass")
                            + symbol.text("main-group")
                            + '/'
                            + symbol.text("subgroup");
                  });
      Stream<String> older =
          data.all(
                  "classification-ipc|classification-locarno",
                  "main-classification|further-classification")
              .map(symbol -> ipc(symbol.rawText()));
      return Stream.concat(current, older);
    }
  },

  /**
   * Element names in INID codes: US PATDOC 2.x, and European documents, which have text, abstract
   * and claims in the elements of ST.36.
   */
  ST32("SDOAB|abstract", "CLM|claim") {
    @Override
    PatentRecord read(XmlNode data, String summary, String language) {
      return new PatentRecord(
          data.text("B100", "B190"),
          number(data.text("B100", "B110")),
          data.text("B100", "B130"),
          data.text("B100", "B140"),
          data.text("B200", "B210"),
          data.text("B200", "B220"),
          language,
          title(data, language),
          summary,
          distinct(names(data, "B720", "B721")),
          distinct(Stream.concat(names(data, "B710", "B711"), names(data, "B730", "B731"))),
          distinct(
              Stream.concat(
                      data.all("B500", "B510EP", "classification-ipcr", "text"),
                      data.all("B500", "B510", "B511|B512"))
                  .map(symbol -> ipc(symbol.rawText()))),
          data.all("B500", "B560", "B561", "PCIT", "DOC")
              .map(cited -> citation(cited, "CTRY", "DNUM", "KIND"))
              .filter(cited -> !cited.number().isEmpty())
              .map(cited -> cited.orFrom(data.text("B100", "B190")))
              .toList());
    }

    /** Of several, each behind its language, the one in the document's; or the first. */
    private String title(XmlNode data, String language) {
      List<String> languages = data.all("B500", "B540", "B541").map(XmlNode::text).toList();
      List<String> titles = data.all("B500", "B540", "B542").map(XmlNode::text).toList();
      if (titles.isEmpty()) {
        return data.text("B500", "B540");
      }
      for (int i = 0; i < Math.min(languages.size(), titles.size()); i++) {
        if (languages.get(i).equalsIgnoreCase(language)) {
          return titles.get(i);
        }
      }
      return titles.get(0);
    }

    private Stream<String> names(XmlNode data, String group, String party) {
      return data.all("B700", group, party)
          .map(
              one -> {
                String organization = one.anywhere("ONM").map(XmlNode::text).findFirst().orElse("");
                return organization.isEmpty()
                    ? personOr(
                        one.anywhere("SNM").map(XmlNode::text).findFirst().orElse(""),
                        one.anywhere("FNM").map(XmlNode::text).findFirst().orElse(""),
                        "")
                    : organization;
              });
    }
  },

  /** US applications of 2001 to 2004: PAP 1.5. */
  PAP("subdoc-abstract", "claim") {
    @Override
    PatentRecord read(XmlNode data, String summary, String language) {
      return new PatentRecord(
          "US",
          number(data.text("document-id", "doc-number")),
          data.text("document-id", "kind-code"),
          data.text("document-id", "document-date"),
          data.text("domestic-filing-data", "application-number", "doc-number"),
          data.text("domestic-filing-data", "filing-date"),
          language,
          data.text("technical-information", "title-of-invention"),
          summary,
          distinct(
              data.all("inventors", "first-named-inventor|inventor", "name").map(this::person)),
          distinct(
              data.all("assignee")
                  .map(
                      one -> {
                        String organization = one.text("organization-name");
                        return organization.isEmpty()
                            ? one.all("name").map(this::person).findFirst().orElse("")
                            : organization;
                      })),
          distinct(
              data.all("technical-information", "classification-ipc")
                  .flatMap(group -> group.anywhere("ipc"))
                  .map(symbol -> ipc(symbol.rawText()))),
          List.of());
    }

    private String person(XmlNode name) {
      String given = (name.text("given-name") + ' ' + name.text("middle-name")).strip();
      return personOr(name.text("family-name"), given, name.text("name-1"));
    }
  };

  /**
   * {@code G06F015/16}, {@code G06F 15/16}, the same with an edition and a gap ({@code 7G 06F
   * 15/16}), or {@code G06F 1516}: section, class, group and subgroup.
   */
  private static final Pattern IPC =
      Pattern.compile(
          "(?:\\d? *([A-H]) ?(\\d\\d[A-Z]) *0*(\\d+)/(\\d+).*)"
              + "|(?:([A-H]\\d\\d[A-Z])([ \\d]{3})(\\d+))");

  /** A symbol has 20. */
  private static final int LONGEST_IPC = 100;

  private final Set<String> abstractNames;
  private final Set<String> claimNames;

  BibliographicForm(String abstractNames, String claimNames) {
    this.abstractNames = Set.of(abstractNames.split("\\|"));
    this.claimNames = Set.of(claimNames.split("\\|"));
  }

  /** The form whose bibliographic part has this element at its top, or null. */
  static BibliographicForm startingWith(String element) {
    return switch (element) {
      case "bibliographic-data",
          "us-bibliographic-data-grant",
          "us-bibliographic-data-application",
          "wo-bibliographic-data",
          "ep-bibliographic-data" ->
          ST36;
      case "SDOBI" -> ST32;
      case "subdoc-bibliographic-information" -> PAP;
      default -> null;
    };
  }

  /** Whether the element is the abstract. */
  boolean isAbstract(String element) {
    return abstractNames.contains(element);
  }

  /** Whether the element is a claim. */
  boolean isClaim(String element) {
    return claimNames.contains(element);
  }

  /**
   * @param data the bibliographic part
   * @param summary text of the abstract
   * @param language of the document
   */
  abstract PatentRecord read(XmlNode data, String summary, String language);

  private static PatentRecord.Citation citation(
      XmlNode cited, String country, String number, String kind) {
    return new PatentRecord.Citation(
        cited.text(country), number(cited.text(number)), cited.text(kind));
  }

  /** Letters and digits of a number: {@code 2007/0140112} and {@code D. 271298} lose the rest. */
  private static String number(String text) {
    return text.replaceAll("[^A-Za-z0-9]", "");
  }

  private static String personOr(String family, String given, String otherwise) {
    if (family.isEmpty()) {
      return otherwise;
    }
    return given.isEmpty() ? family : family + ", " + given;
  }

  private static String ipc(String raw) {
    String text = raw.strip();
    Matcher matcher = IPC.matcher(text);
    if (text.length() > LONGEST_IPC || !matcher.matches()) {
      return text;
    }
    return matcher.group(1) != null
        ? matcher.group(1) + matcher.group(2) + matcher.group(3) + '/' + matcher.group(4)
        : matcher.group(5) + matcher.group(6).strip() + '/' + matcher.group(7);
  }

  private static List<String> distinct(Stream<String> values) {
    Set<String> distinct = new LinkedHashSet<>();
    values.filter(value -> !value.isBlank()).forEach(distinct::add);
    return new ArrayList<>(distinct);
  }
}
