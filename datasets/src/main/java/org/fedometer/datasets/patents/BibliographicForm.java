package org.fedometer.datasets.patents;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Forms of bibliographic data in the files of patent offices. */
enum BibliographicForm {
  /**
   * Element names in words: US grants and applications 4.x, WIPO, the Japanese office and other
   * users of ST.36, and the exchange format of the European office (DOCDB, OPS).
   */
  ST36("abstract", "claim") {
    @Override
    PatentRecord read(XmlNode root, XmlNode document, XmlNode data, List<XmlNode> summaries) {
      XmlNode published = best(documentIds(data, "publication-reference"));
      PatentRecord.Citation publication = citation(published, "country", "doc-number", "kind");
      List<XmlNode> applications = documentIds(data, "application-reference");
      List<XmlNode> titles = data.all("invention-title").toList();
      String authority = firstOf(publication.authority(), document.attribute("country"));
      String language =
          language(
              firstOf(
                  document.language(),
                  root.language(),
                  data.language(),
                  data.text("language-of-publication").toLowerCase(Locale.ROOT)),
              titles,
              authority);
      List<XmlNode> abstracts =
          Stream.concat(data.all("abstract"), summaries.stream()).distinct().toList();
      return new PatentRecord(
          authority,
          number(firstOf(publication.number(), document.attribute("doc-number"))),
          kind(document, publication.kind()),
          firstOf(published.text("date"), document.attribute("date-publ")),
          first(applications, "doc-number"),
          first(applications, "date"),
          language,
          inLanguage(titles, language),
          inLanguage(abstracts, language),
          distinct(inventors(data)),
          distinct(applicants(data)),
          distinct(classifications(data)),
          data.all("references-cited|us-references-cited", "citation|us-citation", "patcit")
              .map(citation -> best(citation.all("document-id").toList()))
              .map(cited -> citation(cited, "country", "doc-number", "kind"))
              .filter(cited -> !cited.number().isEmpty())
              .distinct()
              .toList());
    }

    private List<XmlNode> documentIds(XmlNode data, String reference) {
      return data.all(reference, "document-id").toList();
    }

    /** Returns the format with a separate country, if a number is given in several. */
    private XmlNode best(List<XmlNode> ids) {
      return ids.stream()
          .filter(id -> !id.text("country").isEmpty())
          .findFirst()
          .orElse(ids.isEmpty() ? new XmlNode("", Map.of()) : ids.get(0));
    }

    private String first(List<XmlNode> nodes, String name) {
      return firstOf(nodes.stream().map(node -> node.text(name)).toArray(String[]::new));
    }

    /**
     * Returns the kind code; the Japanese office has a description in the place where others have
     * it.
     */
    private String kind(XmlNode document, String text) {
      String code = firstOf(document.attribute("kind-of-st16"), text, document.attribute("kind"));
      return KIND.matcher(code).matches() ? code : "";
    }

    private Stream<XmlNode> parties(XmlNode data, String group, String party) {
      return inOneFormat(data.all("parties|us-parties", group, party).toList());
    }

    /**
     * Returns the names in one format; each name appears once per format, in separate numbers and
     * orders.
     */
    private Stream<XmlNode> inOneFormat(List<XmlNode> parties) {
      Map<String, List<XmlNode>> formats = new LinkedHashMap<>();
      for (XmlNode party : parties) {
        formats
            .computeIfAbsent(party.attribute("data-format"), format -> new ArrayList<>())
            .add(party);
      }
      List<XmlNode> most = List.of();
      for (List<XmlNode> format : formats.values()) {
        most = format.size() > most.size() ? format : most;
      }
      return most.stream();
    }

    private Stream<String> inventors(XmlNode data) {
      List<String> named = parties(data, "inventors", "inventor").map(this::name).toList();
      return named.isEmpty()
          ? parties(data, "applicants|us-applicants", "applicant|us-applicant")
              .filter(party -> party.attribute("app-type").contains("inventor"))
              .map(this::name)
          : named.stream();
    }

    private Stream<String> applicants(XmlNode data) {
      return Stream.of(
              parties(data, "applicants|us-applicants", "applicant|us-applicant"),
              data.all("parties", "applicants-agents-article", "applicants-agents", "applicant"),
              inOneFormat(data.all("assignees", "assignee").toList()))
          .flatMap(parties -> parties)
          .filter(party -> !party.attribute("app-type").contains("inventor"))
          .map(this::name);
    }

    private String name(XmlNode party) {
      XmlNode book =
          party.all("addressbook|applicant-name|inventor-name").findFirst().orElse(party);
      String organization = book.text("orgname");
      return organization.isEmpty()
          ? person(
              book.text("last-name"),
              book.text("first-name"),
              book.text("middle-name"),
              book.text("suffix"),
              COUNTRY_OR_COMMA_BEHIND.matcher(book.text("name")).replaceFirst(""))
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
                  "main-classification|further-classification|text")
              .map(symbol -> ipc(symbol.rawText()));
      return Stream.concat(current, older);
    }
  },

  /**
   * Element names in INID codes: US PATDOC 2.x and European documents, whose text, abstract and
   * claims are in the elements of ST.36.
   */
  ST32("SDOAB|abstract", "CLM|claim") {
    @Override
    PatentRecord read(XmlNode root, XmlNode document, XmlNode data, List<XmlNode> summaries) {
      String authority = data.text("B100", "B190");
      String language =
          firstOf(
              document.language(),
              data.language(),
              data.text("B200", "B260").toLowerCase(Locale.ROOT));
      if (language.isEmpty()) {
        language = languageOfTitle(data, authority);
      }
      return new PatentRecord(
          authority,
          number(data.text("B100", "B110")),
          data.text("B100", "B130"),
          data.text("B100", "B140"),
          data.text("B200", "B210"),
          data.text("B200", "B220"),
          language,
          title(data, language),
          inLanguage(summaries, language),
          distinct(names(data, "B720", "B721")),
          distinct(Stream.concat(names(data, "B710", "B711"), names(data, "B730", "B731"))),
          distinct(
              Stream.concat(
                      data.all("B500", "B510EP", "classification-ipcr", "text"),
                      data.all("B500", "B510", "B511|B512"))
                  .map(symbol -> ipc(symbol.rawText()))),
          data.all("B500", "B560", "B561")
              .flatMap(this::citations)
              .filter(cited -> !cited.number().isEmpty())
              .map(cited -> cited.withDefaultAuthority(authority))
              .distinct()
              .toList());
    }

    /**
     * Returns citations: elements in US documents, text in European ones, as in {@code
     * WO-A1-98/12345}.
     */
    private Stream<PatentRecord.Citation> citations(XmlNode cited) {
      return Stream.concat(
          cited.all("PCIT", "DOC").map(one -> citation(one, "CTRY", "DNUM", "KIND")),
          cited.all("text").map(text -> textCitation(text.text())));
    }

    private PatentRecord.Citation textCitation(String text) {
      Matcher matcher = CITATION.matcher(text);
      if (!matcher.matches()) {
        return new PatentRecord.Citation("", "", "");
      }
      boolean kindFirst = matcher.group(2) != null;
      return new PatentRecord.Citation(
          matcher.group(1),
          number(matcher.group(3)),
          kindFirst ? matcher.group(2) : matcher.group(4) == null ? "" : matcher.group(4));
    }

    private String languageOfTitle(XmlNode data, String authority) {
      List<String> languages =
          data.all("B500", "B540", "B541").map(one -> one.text().toLowerCase(Locale.ROOT)).toList();
      if (languages.isEmpty()) {
        return defaultLanguage(authority);
      }
      return languages.contains("en") ? "en" : languages.get(0);
    }

    /**
     * Returns the title in the document's language, or the first. If there are several, each
     * follows its language.
     */
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
                    ? person(first(one, "SNM"), first(one, "FNM"), "", first(one, "SFX"), "")
                    : organization;
              });
    }

    private String first(XmlNode party, String name) {
      return party.anywhere(name).map(XmlNode::text).findFirst().orElse("");
    }
  },

  /** US applications of 2001 to 2004: PAP 1.5. */
  PAP("subdoc-abstract", "claim") {
    @Override
    PatentRecord read(XmlNode root, XmlNode document, XmlNode data, List<XmlNode> summaries) {
      String language = firstOf(document.language(), defaultLanguage("US"));
      return new PatentRecord(
          "US",
          number(data.text("document-id", "doc-number")),
          data.text("document-id", "kind-code"),
          data.text("document-id", "document-date"),
          data.text("domestic-filing-data", "application-number", "doc-number"),
          data.text("domestic-filing-data", "filing-date"),
          language,
          data.text("technical-information", "title-of-invention"),
          inLanguage(summaries, language),
          distinct(
              data.all("inventors", "first-named-inventor|inventor", "name").map(this::partsOf)),
          distinct(
              data.all("assignee")
                  .map(
                      one -> {
                        String organization = one.text("organization-name");
                        return organization.isEmpty()
                            ? one.all("name").map(this::partsOf).findFirst().orElse("")
                            : organization;
                      })),
          distinct(
              data.all("technical-information", "classification-ipc")
                  .flatMap(group -> group.anywhere("ipc"))
                  .map(symbol -> ipc(symbol.rawText()))),
          List.of());
    }

    private String partsOf(XmlNode name) {
      return person(
          name.text("family-name"),
          name.text("given-name"),
          name.text("middle-name"),
          name.text("name-suffix"),
          name.text("name-1"));
    }
  };

  /**
   * Section, class, group and subgroup: {@code G06F015/16}, {@code G06F 15/16}, {@code G06F 15/
   * 16}, the same with an edition and a gap ({@code 7G 06F 15/16}), or {@code G06F 1516}.
   */
  private static final Pattern IPC =
      Pattern.compile(
          "(?:\\d? *([A-H]) ?(\\d\\d[A-Z]) *0*(\\d+)/ *(\\d+).*)"
              + "|(?:([A-H]\\d\\d[A-Z])([ \\d]{3})(\\d+))");

  /** Generous limit; a symbol has 20. */
  private static final int MAX_IPC_LENGTH = 100;

  /** Kind code by WIPO ST.16. */
  private static final Pattern KIND = Pattern.compile("[A-Z][0-9A-Z]?");

  /** {@code EP-A1- 0 123 456}, {@code US 2004/0123456 A1}: office, kind, number, kind. */
  private static final Pattern CITATION =
      Pattern.compile(
          "([A-Z]{2})[ -]*(?:([A-Z][0-9]?) ?- ?)?"
              + "([A-Z]{0,2}[ -]?[0-9][0-9 .,/-]*)(?:[(]?([A-Z][0-9]?)[)]?)?(?:[ ;,(].*)?");

  /** The exchange format writes {@code DOE JOHN [US]} and {@code DOE, JOHN,}. */
  private static final Pattern COUNTRY_OR_COMMA_BEHIND = Pattern.compile("( *\\[[A-Z]{2}\\]| *,)$");

  private final Set<String> abstractNames;
  private final Set<String> claimNames;

  BibliographicForm(String abstractNames, String claimNames) {
    this.abstractNames = Set.of(abstractNames.split("\\|"));
    this.claimNames = Set.of(claimNames.split("\\|"));
  }

  /** Returns the form whose bibliographic part has this root element, or null. */
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

  boolean isAbstract(String element) {
    return abstractNames.contains(element);
  }

  boolean isClaim(String element) {
    return claimNames.contains(element);
  }

  /**
   * @param root the file's root element, with attributes only
   * @param document the element around the bibliographic part, likewise; may be the root
   * @param summaries abstracts, or the claim used instead of one
   */
  abstract PatentRecord read(XmlNode root, XmlNode document, XmlNode data, List<XmlNode> summaries);

  private static PatentRecord.Citation citation(
      XmlNode cited, String country, String number, String kind) {
    String authority = cited.text(country);
    String text = number(cited.text(number));
    // A number in the format EPODOC begins with its country.
    return authority.isEmpty() && text.matches("[A-Z]{2}[0-9]{4,}.*") && country.equals("country")
        ? new PatentRecord.Citation(text.substring(0, 2), text.substring(2), cited.text(kind))
        : new PatentRecord.Citation(authority, text, cited.text(kind));
  }

  /**
   * Returns the letters and digits of a number, such as in {@code 2007/0140112} and {@code D.
   * 271298}.
   */
  private static String number(String text) {
    return text.replaceAll("[^A-Za-z0-9]", "");
  }

  private static String firstOf(String... texts) {
    for (String text : texts) {
      if (!text.isEmpty()) {
        return text;
      }
    }
    return "";
  }

  /** Returns the document's language, or else that of its title, English before others. */
  private static String language(String stated, List<XmlNode> titles, String authority) {
    List<String> languages =
        titles.stream().map(XmlNode::language).filter(one -> !one.isEmpty()).toList();
    return firstOf(
        stated,
        languages.contains("en") ? "en" : "",
        languages.isEmpty() ? defaultLanguage(authority) : languages.get(0));
  }

  /** Returns the office's only language, or empty. */
  private static String defaultLanguage(String authority) {
    return authority.equals("US") ? "en" : "";
  }

  /** Returns the text in the language, or else the first. */
  private static String inLanguage(List<XmlNode> texts, String language) {
    return texts.stream()
        .filter(text -> text.language().equals(language))
        .findFirst()
        .or(() -> texts.stream().findFirst())
        .map(XmlNode::text)
        .orElse("");
  }

  /** Returns {@code Family, Given Middle, Jr.}, or the full name if it is not in parts. */
  private static String person(
      String family, String given, String middle, String suffix, String fullName) {
    if (family.isEmpty()) {
      return fullName;
    }
    return Stream.of(family, (given + ' ' + middle).strip(), suffix)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static String ipc(String raw) {
    String text = raw.strip();
    Matcher matcher = IPC.matcher(text);
    if (text.length() > MAX_IPC_LENGTH || !matcher.matches()) {
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
