package org.fedometer.datasets.patents;

import static org.fedometer.datasets.FedoraVocabulary.IS_MEMBER_OF_COLLECTION;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.StoredLiteral;

/**
 * Statements of a patent in DC and RELS-EXT, in the vocabulary of the European Patent Office's
 * linked data and Fedora's own. Thread-safe.
 */
final class PatentStatements {

  /** Longest label that Fedora's registry and clients show. */
  private static final int LABEL_BYTES = 255;

  private static final String EPO = "http://data.epo.org/linked-data/";
  private static final String PATENT = EPO + "def/patent/";

  /**
   * Not hasModel: Fedora ingests an object whose model is absent but cannot validate it or list its
   * methods.
   */
  private static final String RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

  private final DatasetOptions options;

  PatentStatements(DatasetOptions options) {
    this.options = options;
  }

  String label(PatentRecord patent) {
    return StoredLiteral.cut(patent.title(), Math.min(LABEL_BYTES, options.literalLimitBytes()));
  }

  /** Returns the Dublin Core record of a real document, with all known data. */
  List<DublinCoreValue> dublinCore(String pid, PatentRecord patent) {
    Set<DublinCoreValue> values = new LinkedHashSet<>();
    add(values, "title", patent.title());
    patent.inventors().forEach(name -> add(values, "creator", name));
    patent.classifications().forEach(symbol -> add(values, "subject", symbol));
    add(values, "description", patent.abstractText());
    add(values, "publisher", publisher(patent.authority()));
    patent.applicants().forEach(name -> add(values, "contributor", name));
    add(values, "date", patent.isoPublicationDate());
    add(values, "type", "patent");
    add(values, "identifier", pid);
    add(values, "identifier", patent.documentNumber());
    add(values, "language", patent.language());
    return List.copyOf(values);
  }

  /**
   * Returns the Dublin Core record of a generated document: ten fields with different values, so
   * that each makes a triple.
   */
  List<DublinCoreValue> studyDublinCore(String pid, PatentRecord patent) {
    List<DublinCoreValue> values = new ArrayList<>(10);
    add(values, "title", patent.title());
    add(values, "creator", patent.inventors().get(0));
    add(values, "subject", patent.classifications().get(0));
    add(values, "description", patent.abstractText());
    add(values, "publisher", publisher(patent.authority()));
    add(values, "date", patent.isoPublicationDate());
    add(values, "type", "patent");
    add(values, "identifier", pid);
    add(values, "language", patent.language());
    add(values, "rights", "Public record");
    return List.copyOf(values);
  }

  /**
   * Returns the study's record of ten fields, equal for every object. Only the identifier is the
   * object's own, because Fedora would add it.
   */
  List<DublinCoreValue> sameDublinCore(String pid) {
    List<DublinCoreValue> values = new ArrayList<>(10);
    add(values, "title", "International patent application");
    add(values, "creator", "Applicants of the Patent Cooperation Treaty");
    add(values, "subject", "Patents");
    add(values, "description", "Full text, pages and first-page image of a publication.");
    add(values, "publisher", publisher("WO"));
    add(values, "date", "2007-11-01");
    add(values, "type", "patent");
    add(values, "identifier", pid);
    add(values, "language", "en");
    add(values, "rights", "Public record");
    return List.copyOf(values);
  }

  /** Returns statements of RELS-EXT without duplicates, the most informative first. */
  List<Relationship> relationships(PatentRecord patent) {
    Set<Relationship> statements = new LinkedHashSet<>();
    resource(statements, RDF_TYPE, PATENT + "Publication");
    resource(
        statements,
        IS_MEMBER_OF_COLLECTION,
        "info:fedora/" + options.pidNamespace() + ":publications-" + year(patent));
    literal(statements, "publicationNumber", patent.number());
    literal(statements, "publicationDate", patent.isoPublicationDate());
    if (!patent.authority().isEmpty()) {
      resource(
          statements,
          PATENT + "publicationAuthority",
          EPO + "def/st3/" + token(patent.authority()));
    }
    literal(statements, "publicationKind", patent.kind());
    literal(statements, "applicationNumber", patent.applicationNumber());
    literal(statements, "filingDate", patent.isoFilingDate());
    patent.inventors().forEach(name -> literal(statements, "inventorVC", name));
    patent.applicants().forEach(name -> literal(statements, "applicantVC", name));
    for (String symbol : patent.classifications()) {
      if (symbol.indexOf('/') < 0) {
        continue; // a design's Locarno class, for which there is no vocabulary
      }
      resource(statements, PATENT + "classificationIPCInventive", EPO + "def/ipc/" + ipc(symbol));
    }
    for (PatentRecord.Citation cited : patent.citations()) {
      String authority = cited.authority().isEmpty() ? "XX" : token(cited.authority());
      String kind = cited.kind().isEmpty() ? "-" : token(cited.kind());
      resource(
          statements,
          PATENT + "citesPatentPublication",
          EPO + "data/publication/" + authority + '/' + token(cited.number()) + '/' + kind + "/-");
    }
    return List.copyOf(statements);
  }

  private static String year(PatentRecord patent) {
    String date = patent.publicationDate();
    return date.length() >= 4 ? token(date.substring(0, 4)) : "unknown";
  }

  private static String publisher(String authority) {
    return switch (authority) {
      case "WO" -> "World Intellectual Property Organization";
      case "US" -> "United States Patent and Trademark Office";
      case "EP" -> "European Patent Office";
      default -> authority;
    };
  }

  private void add(Collection<DublinCoreValue> values, String element, String text) {
    String cut = StoredLiteral.cut(text.strip(), options.literalLimitBytes());
    if (!cut.isEmpty()) {
      values.add(new DublinCoreValue(element, cut));
    }
  }

  private void literal(Set<Relationship> statements, String property, String text) {
    String cut = StoredLiteral.cut(text.strip(), options.literalLimitBytes());
    if (!cut.isEmpty()) {
      statements.add(Relationship.toLiteral(PATENT + property, cut));
    }
  }

  private static void resource(Set<Relationship> statements, String predicate, String uri) {
    statements.add(Relationship.toResource(predicate, uri));
  }

  private static String ipc(String symbol) {
    return token(symbol.replace('/', '-'));
  }

  /**
   * Returns letters, digits, dots and hyphens, so that the text can be part of any URI; never
   * empty.
   */
  private static String token(String text) {
    StringBuilder token = new StringBuilder(text.length());
    for (int i = 0; i < text.length() && token.length() < 40; i++) {
      char c = text.charAt(i);
      if (c < 0x7F && (Character.isLetterOrDigit(c) || c == '-' || c == '.')) {
        token.append(c);
      }
    }
    return token.isEmpty() ? "-" : token.toString();
  }
}
