package org.fedometer.datasets.foxml;

import static org.fedometer.datasets.FedoraVocabulary.HAS_MODEL;
import static org.fedometer.datasets.FedoraVocabulary.MODEL;
import static org.fedometer.datasets.FedoraVocabulary.OBJECT_MODEL;
import static org.fedometer.datasets.FedoraVocabulary.VIEW;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.fedometer.datasets.FedoraRules;
import org.fedometer.datasets.StoredLiteral;

/**
 * Statements of RELS-EXT or RELS-INT. Refuses whatever Fedora's {@code RelsValidator} or its RDF
 * parser refuses. Also refuses forms of RDF/XML other than one element per statement: property
 * attributes, reified and numbered statements, anonymous resources, XML literals.
 */
final class Relationships implements Metadata {

  static final String RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

  private static final String SERVICE_DEFINITION =
      "info:fedora/fedora-system:ServiceDefinition-3.0";

  private static final String XSD = "http://www.w3.org/2001/XMLSchema#";

  /**
   * Values accepted by both the validator, for the unchanged text, and the RDF parser, for the
   * trimmed text.
   */
  private static final Map<String, Pattern> DATATYPES =
      Map.of(
          XSD + "int", Pattern.compile("[+-]?[0-9]+"),
          XSD + "long", Pattern.compile("[+-]?[0-9]+"),
          XSD + "float", number(),
          XSD + "double", number(),
          XSD + "dateTime",
              Pattern.compile(
                  "-?[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?Z?"));

  private final String id;
  private final String objectUri;
  private final Set<Statement> statements = new HashSet<>();
  private final Map<List<Object>, String> writtenForms = new HashMap<>();

  /** Language at each depth; a statement's text has the language of its context. */
  private final String[] languages = {"", "", "", ""};

  private int depth;
  private int descriptions;
  private String subject;
  private String predicate;
  private String resource;
  private String datatype;
  private StringBuilder literal;
  private int maxLiteralBytes;

  /**
   * A statement. Fedora stores one of two statements that differ only in language.
   *
   * @param datatype empty for none
   */
  private record Statement(
      String subject, String predicate, String object, boolean isLiteral, String datatype) {}

  /**
   * @param id RELS-EXT or RELS-INT
   * @param pid the object's PID, or null if it has none yet
   */
  Relationships(String id, String pid) {
    this.id = id;
    this.objectUri = pid == null ? null : "info:fedora/" + pid;
  }

  private static Pattern number() {
    return Pattern.compile(
        "[\\x00-\\x20]*([+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?|NaN)[\\x00-\\x20]*");
  }

  @Override
  public void start(MetadataElement element) throws UnusableFoxmlException {
    depth++;
    if (depth == 1) {
      if (!element.is(RDF, "RDF")) {
        throw refused("its root element is not rdf:RDF");
      }
    } else if (depth == 2) {
      startDescription(element);
    } else if (depth == 3) {
      startStatement(element);
    } else {
      throw refused("statements are nested");
    }
    String language = element.value(MetadataElement.XML_NAMESPACE, "lang");
    languages[depth] = language == null ? languages[depth - 1] : language;
  }

  private void startDescription(MetadataElement element) throws UnusableFoxmlException {
    if (!element.is(RDF, "Description")) {
      throw refused("it has <%s> instead of rdf:Description".formatted(element.name()));
    }
    if (++descriptions > 1 && !isInternal()) {
      throw refused("it has more than one rdf:Description");
    }
    String about = element.value(RDF, "about");
    String unqualified = element.value("", "about");
    if (about != null && unqualified != null) {
      throw refused("<rdf:Description> has both rdf:about and about");
    }
    about = about == null ? unqualified : about;
    checkAbout(about == null ? "" : about);
    subject = about;
    requireOnly(element, Set.of("about"));
  }

  private void checkAbout(String about) throws UnusableFoxmlException {
    if (objectUri == null) {
      throw refused("it describes no object, since the file has no PID");
    }
    if (!isInternal()) {
      if (!about.equals(objectUri)) {
        throw refused("it is about '%s' instead of %s".formatted(about, objectUri));
      }
      return;
    }
    String datastream =
        about.startsWith(objectUri + "/") ? about.substring(objectUri.length() + 1) : "";
    if (datastream.length() > FedoraRules.MAX_DATASTREAM_ID_LENGTH
        || !XmlNames.isNameWithoutColon(datastream)) {
      throw refused("it is about '%s' instead of a datastream of the object".formatted(about));
    }
  }

  private void startStatement(MetadataElement element) throws UnusableFoxmlException {
    checkPredicate(element);
    predicate = element.namespace() + element.name();
    requireUri(predicate, "predicate");
    String given = element.value(RDF, "resource");
    resource = given == null ? element.value("", "resource") : given;
    datatype = element.value(RDF, "datatype");
    literal = new StringBuilder();
    requireOnly(element, Set.of(resource == null ? "datatype" : "resource"));
    boolean ofModel = element.namespace().equals(MODEL);
    if (resource != null) {
      requireUri(resource, "object");
    } else if (ofModel && !isInternal()) {
      throw refused("the object of %s is not a resource".formatted(element.name()));
    }
  }

  private void checkPredicate(MetadataElement element) throws UnusableFoxmlException {
    String namespace = element.namespace();
    String name = element.name();
    boolean allowed =
        switch (namespace) {
          case "", VIEW -> false;
          case RDF -> name.equals("type") || name.matches("_[1-9][0-9]*");
          case MODEL ->
              isInternal()
                  ? name.equals("downloadFilename")
                  : FedoraRules.MODEL_NAMES_OF_RELS_EXT.contains(name);
          default -> isInternal() || !FedoraRules.DUBLIN_CORE_NAMESPACES.contains(namespace);
        };
    if (!allowed) {
      throw refused("the predicate '%s%s' is not allowed".formatted(namespace, name));
    }
  }

  private void requireOnly(MetadataElement element, Set<String> allowed)
      throws UnusableFoxmlException {
    for (MetadataElement.Attribute attribute : element.attributes()) {
      boolean known =
          switch (attribute.namespace()) {
            case MetadataElement.XML_NAMESPACE -> !attribute.name().equals("base");
            case RDF -> allowed.contains(attribute.name());
            case "" -> allowed.contains(attribute.name()) && !attribute.name().equals("datatype");
            default -> false;
          };
      if (!known) {
        throw refused(
            "<%s> has the attribute '%s', which Fedora refuses, or whose statements Fedometer does"
                    .formatted(element.name(), attribute.name())
                + " not count");
      }
    }
  }

  @Override
  public void text(String text) {
    if (depth == 3) {
      literal.append(text);
    }
  }

  @Override
  public void end(String name) throws UnusableFoxmlException {
    if (depth == 3) {
      endStatement(name);
    }
    depth--;
  }

  private void endStatement(String name) throws UnusableFoxmlException {
    String text = DublinCore.asStored(literal.toString());
    if (resource != null) {
      if (!text.isEmpty()) {
        throw refused("<%s> has both a resource and text".formatted(name));
      }
      add(resource, false, "");
      return;
    }
    if (datatype != null) {
      checkTyped(name, literal.toString());
    }
    add(text, true, datatype == null ? "" : datatype);
  }

  private void checkTyped(String name, String value) throws UnusableFoxmlException {
    Pattern pattern = DATATYPES.get(datatype);
    if (pattern == null) {
      throw refused(
          "<%s> has the datatype %s; it can be int, long, float, double or dateTime"
              .formatted(name, datatype));
    }
    if (!pattern.matcher(value).matches() || !isInRange(value)) {
      throw refused(
          "'%s' in <%s> is not a valid %s"
              .formatted(value, name, datatype.substring(XSD.length())));
    }
  }

  private boolean isInRange(String value) {
    try {
      switch (datatype.substring(XSD.length())) {
        case "int" -> Integer.parseInt(value);
        case "long" -> Long.parseLong(value);
        case "dateTime" -> LocalDateTime.parse(value.replace("Z", ""));
        default -> {
          // Any number of digits is a float or a double.
        }
      }
      return true;
    } catch (NumberFormatException | DateTimeException e) {
      return false;
    }
  }

  private void add(String object, boolean isLiteral, String type) throws UnusableFoxmlException {
    // Java treats some URIs as equal, Mulgara some numbers and dates; each would cause a fault
    // elsewhere.
    String other =
        writtenForms.putIfAbsent(
            List.of(subject, predicate, valueOf(object, isLiteral, type), type), object);
    if (other != null && !other.equals(object)) {
      throw refused(
          "'%s' and '%s' of %s are equal; some triplestores keep both, others one"
              .formatted(other, object, predicate));
    }
    statements.add(new Statement(subject, predicate, object, isLiteral, type));
    // Angle brackets take as much as quotes. A literal is followed by ^^<datatype> or @language.
    int bytes = StoredLiteral.storedBytes(object);
    if (!type.isEmpty()) {
      bytes += 4 + type.length();
    } else if (isLiteral && !languages[depth].isEmpty()) {
      bytes += 1 + languages[depth].length();
    }
    maxLiteralBytes = Math.max(maxLiteralBytes, bytes);
  }

  private static Object valueOf(String object, boolean isLiteral, String type) {
    if (!isLiteral) {
      return URI.create(object);
    }
    return switch (type.isEmpty() ? "" : type.substring(XSD.length())) {
      case "int", "long" -> Long.valueOf(object);
      case "float" -> Float.valueOf(object);
      case "double" -> Double.valueOf(object);
      case "dateTime" -> LocalDateTime.parse(object.replace("Z", ""));
      default -> object;
    };
  }

  private void requireUri(String uri, String what) throws UnusableFoxmlException {
    try {
      if (!new URI(uri).isAbsolute()) {
        throw refused("the %s '%s' is not an absolute URI".formatted(what, uri));
      }
    } catch (URISyntaxException e) {
      throw refused("the %s is not a URI: %s".formatted(what, e.getMessage()));
    }
  }

  private boolean isInternal() {
    return id.equals("RELS-INT");
  }

  private UnusableFoxmlException refused(String reason) {
    return new UnusableFoxmlException("has an invalid %s: %s".formatted(id, reason));
  }

  @Override
  public void end() throws UnusableFoxmlException {
    if (depth != 0) {
      throw refused("it ends too early");
    }
  }

  /**
   * Returns the number of all triples, including the object's own model, which Fedora adds if
   * missing.
   */
  static int triples(List<Relationships> all, String pid) {
    Set<Statement> together = new HashSet<>();
    together.add(new Statement("info:fedora/" + pid, HAS_MODEL, OBJECT_MODEL, false, ""));
    all.forEach(one -> together.addAll(one.statements));
    return together.size();
  }

  /** Returns whether one of the object's models is that of service definitions. */
  boolean isServiceDefinition() {
    return statements.contains(new Statement(objectUri, HAS_MODEL, SERVICE_DEFINITION, false, ""));
  }

  @Override
  public int maxLiteralBytes() {
    return maxLiteralBytes;
  }
}
