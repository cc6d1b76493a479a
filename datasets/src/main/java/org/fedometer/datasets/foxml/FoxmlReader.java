package org.fedometer.datasets.foxml;

import static org.fedometer.datasets.FedoraVocabulary.MODEL;
import static org.fedometer.datasets.FedoraVocabulary.VIEW;

import com.ctc.wstx.exc.WstxLazyException;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.FedoraRules;
import org.fedometer.datasets.StoredLiteral;

/**
 * Reads one FOXML 1.1 file in one pass and refuses files that Fedora 3.8.1 would refuse at ingest,
 * as far as known without a Fedora. It applies rules of Fedora's schema and Schematron,
 * deserializer and validator of relationships. Memory grows only with the file's datastreams and
 * their statements. For one file and one thread.
 *
 * <p>Not checked: checksums of inline XML, which Fedora computes from its own form of it; POLICY;
 * requirements of a content model; availability of URLs.
 */
final class FoxmlReader {

  private static final Set<String> PROPERTIES =
      Set.of(
          MODEL + "state",
          MODEL + "label",
          MODEL + "createdDate",
          MODEL + "ownerId",
          VIEW + "lastModifiedDate");

  private static final Pattern DATE_TIME =
      Pattern.compile(
          "-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?"
              + "(Z|[+-][0-9]{2}:[0-9]{2})?");

  /** Protocols with which Fedora fetches managed content; other URLs fail at ingest. */
  private static final Set<String> FETCHED = Set.of("http", "https", "file");

  /** Types that Fedora knows by name, including those that it cannot compute. */
  private static final Set<String> DIGEST_TYPES =
      Stream.concat(
              ChecksumAlgorithm.fedoraNames().stream(),
              Stream.of("HAVAL", "TIGER", "WHIRLPOOL", "DISABLED"))
          .collect(Collectors.toUnmodifiableSet());

  private final XMLStreamReader2 xml;
  private final FoxmlCursor cursor;
  private final Mode mode;
  private final Utf8Positions positions;

  private String pid;
  private String label = "";
  private int maxLiteralBytes = StoredLiteral.storedBytes("");
  private final Map<String, DatastreamVersion> latest = new LinkedHashMap<>();
  private final Set<String> ids = new HashSet<>();
  private final Set<FoxmlWarning> warnings = EnumSet.noneOf(FoxmlWarning.class);
  private ContentReader content;

  enum Mode {
    /** For sending an already checked file unchanged. */
    AS_IT_IS,
    /** The same, with content compared to its checksums. */
    AS_IT_IS_THOROUGHLY,
    /** For sending with other PIDs, whose places are searched; the file must be UTF-8. */
    NEW_PID,
    /** The same, with content compared to its checksums. */
    NEW_PID_THOROUGHLY;

    boolean isThorough() {
      return this == AS_IT_IS_THOROUGHLY || this == NEW_PID_THOROUGHLY;
    }

    boolean isForNewPid() {
      return this == NEW_PID || this == NEW_PID_THOROUGHLY;
    }
  }

  private FoxmlReader(XMLStreamReader2 xml, Mode mode, Utf8Positions positions) {
    this.xml = xml;
    this.cursor = new FoxmlCursor(xml);
    this.mode = mode;
    this.positions = positions;
  }

  /**
   * @param in the file from its start; not closed
   * @throws UnusableFoxmlException if it cannot be sent to Fedora
   */
  static FoxmlDocument read(InputStream in, Mode mode) throws IOException, UnusableFoxmlException {
    try {
      Utf8Positions positions = new Utf8Positions(in);
      XMLStreamReader2 xml =
          mode.isForNewPid() ? FoxmlXml.utf8Parser(positions) : FoxmlXml.parser(positions);
      try {
        return new FoxmlReader(xml, mode, positions).read();
      } finally {
        xml.close();
      }
    } catch (XMLStreamException | WstxLazyException e) {
      // Other runtime exceptions would be faults of this program.
      if (mode.isForNewPid() && FoxmlXml.isOfAnotherEncoding(e)) {
        throw new UnusableFoxmlException(
            "is not in UTF-8: PIDs can be replaced in UTF-8 only (use pids=kept)");
      }
      throw FoxmlXml.notWellFormed(e);
    }
  }

  private FoxmlDocument read() throws XMLStreamException, IOException, UnusableFoxmlException {
    checkEncoding();
    if (cursor.next() != XMLStreamConstants.START_ELEMENT) {
      throw new UnusableFoxmlException("has no root element");
    }
    readRoot();
    if (cursor.next() != XMLStreamConstants.START_ELEMENT || !cursor.isFoxml("objectProperties")) {
      throw cursor.unexpected();
    }
    readProperties();
    while (cursor.next() == XMLStreamConstants.START_ELEMENT) {
      if (!cursor.isFoxml("datastream")) {
        throw cursor.unexpected();
      }
      readDatastream();
    }
    while (xml.hasNext()) {
      xml.next();
    }
    return document();
  }

  private void checkEncoding() throws UnusableFoxmlException {
    String encoding = xml.getCharacterEncodingScheme();
    if (mode.isForNewPid()
        && encoding != null
        && !Set.of("UTF-8", "UTF8", "US-ASCII").contains(encoding.toUpperCase(Locale.ROOT))) {
      throw new UnusableFoxmlException(
          "is in %s: PIDs can be replaced in UTF-8 only (use pids=kept)".formatted(encoding));
    }
  }

  private boolean isUtf8() {
    return mode.isForNewPid() || "UTF-8".equalsIgnoreCase(xml.getEncoding());
  }

  // ---- parts of a FOXML file, in order ----

  private void readRoot() throws UnusableFoxmlException {
    String name = xml.getLocalName();
    if (!cursor.isFoxml("digitalObject")) {
      throw notFoxml(name, cursor.namespace());
    }
    String version = cursor.attribute("VERSION");
    if (version == null || version.equals("1.0")) {
      throw new UnusableFoxmlException(
          "is FOXML 1.0: ingest it into a Fedora 3.x, and export it as"
              + " info:fedora/fedora-system:FOXML-1.1");
    }
    if (!version.equals("1.1")) {
      throw new UnusableFoxmlException("is FOXML '%s' instead of 1.1".formatted(version));
    }
    pid = cursor.attribute("PID");
    if (pid == null) {
      warnings.add(FoxmlWarning.NO_PID);
    } else if (!FedoraRules.isPid(pid)) {
      throw new UnusableFoxmlException(
          ("has an invalid PID: '%s' (expected namespace:name of at most 64 letters,"
                      + " digits, . and -,")
                  .formatted(pid)
              + " in the name also ~, _ and %XX)");
    }
    cursor.requireOnly(Set.of("VERSION", "PID", "FEDORA_URI"), true);
    content = new ContentReader(xml, mode, pid, isUtf8() ? positions : null);
    if (pid != null) {
      content.addPidOccurrence("PID", "", "");
    }
  }

  private static UnusableFoxmlException notFoxml(String name, String namespace) {
    String format =
        switch (namespace) {
          case "http://www.loc.gov/METS/" -> "METS";
          case "http://www.w3.org/2005/Atom" -> "Atom";
          default -> null;
        };
    return new UnusableFoxmlException(
        format == null
            ? "is not FOXML: its root element is <%s>".formatted(name)
            : "is %s and not FOXML: export it as info:fedora/fedora-system:FOXML-1.1"
                .formatted(format));
  }

  private void readProperties() throws XMLStreamException, IOException, UnusableFoxmlException {
    cursor.requireOnly(Set.of(), false);
    Set<String> names = new HashSet<>();
    boolean external = false;
    while (cursor.next() == XMLStreamConstants.START_ELEMENT) {
      boolean isProperty = cursor.isFoxml("property");
      if (!isProperty && (!cursor.isFoxml("extproperty") || names.isEmpty())
          || isProperty && external) {
        throw cursor.unexpected();
      }
      external = !isProperty;
      cursor.requireOnly(Set.of("NAME", "VALUE"), false);
      String name = cursor.required("NAME");
      String value = cursor.required("VALUE");
      if (isProperty) {
        if (!PROPERTIES.contains(name)) {
          throw new UnusableFoxmlException("has an unknown object property '%s'".formatted(name));
        }
        if (!names.add(name)) {
          throw new UnusableFoxmlException("has the object property %s twice".formatted(name));
        }
        readProperty(name, value);
      }
      cursor.readEmptyElement();
    }
    if (names.isEmpty()) {
      throw new UnusableFoxmlException("has no object properties");
    }
  }

  private void readProperty(String name, String value) throws UnusableFoxmlException {
    switch (name.substring(name.indexOf('#') + 1)) {
      case "label" -> {
        label = value;
        checkLabel("the object", value);
        noteStored(value);
      }
      case "ownerId" -> noteStored(value);
      case "state" -> {
        if (!isState(value)) {
          throw new UnusableFoxmlException(
              "has the object state '%s'; it can be Active, Inactive or Deleted".formatted(value));
        }
      }
      default -> {
        // Dates that Fedora cannot read become the time of the ingest.
      }
    }
  }

  private static boolean isState(String value) {
    return value.isEmpty()
        || "AID".contains(value.toUpperCase(Locale.ROOT)) && value.length() == 1
        || Set.of("active", "inactive", "deleted").contains(value.toLowerCase(Locale.ROOT))
        || value.contains("Active")
        || value.contains("Inactive")
        || value.contains("Deleted");
  }

  private void readDatastream() throws XMLStreamException, IOException, UnusableFoxmlException {
    cursor.requireOnly(Set.of("ID", "CONTROL_GROUP", "FEDORA_URI", "STATE", "VERSIONABLE"), false);
    String id = id("ID");
    String group = cursor.required("CONTROL_GROUP");
    cursor.requireOneOf("CONTROL_GROUP", group, Set.of("E", "M", "R", "X"));
    cursor.requireOneOf("STATE", cursor.attribute("STATE"), Set.of("A", "D", "I"));
    cursor.requireOneOf("VERSIONABLE", stripped("VERSIONABLE"), Set.of("true", "false", "1", "0"));
    int versions = 0;
    boolean undated = false;
    while (cursor.next() == XMLStreamConstants.START_ELEMENT) {
      if (!cursor.isFoxml("datastreamVersion")) {
        throw cursor.unexpected();
      }
      DatastreamVersion version = new DatastreamVersion();
      version.id = id;
      version.controlGroup = group;
      readVersion(version);
      versions++;
      if (undated && version.createdMillis != null && id.startsWith("RELS-")) {
        throw new UnusableFoxmlException(
            "has a %s on which Fedora fails: a version without CREATED precedes one with it"
                .formatted(id));
      }
      undated |= version.createdMillis == null;
    }
    if (versions == 0) {
      throw new UnusableFoxmlException("has the datastream %s without a version".formatted(id));
    }
    if (id.equals("AUDIT") && versions > 1) {
      throw new UnusableFoxmlException("has more than one version of AUDIT");
    }
  }

  private void readVersion(DatastreamVersion version)
      throws XMLStreamException, IOException, UnusableFoxmlException {
    cursor.requireOnly(
        Set.of("ID", "LABEL", "CREATED", "MIMETYPE", "ALT_IDS", "FORMAT_URI", "SIZE"), false);
    id("ID");
    version.mediaType = cursor.required("MIMETYPE");
    version.label = cursor.attribute("LABEL") == null ? "" : cursor.attribute("LABEL");
    checkLabel(version.id, version.label);
    String created = cursor.attribute("CREATED");
    if (created != null && !DATE_TIME.matcher(created.strip()).matches()) {
      throw new UnusableFoxmlException(
          "has %s with a CREATED that is not an xsd:dateTime: '%s'".formatted(version.id, created));
    }
    version.createdMillis = created == null ? null : FedoraDates.millis(created);
    String size = cursor.attribute("SIZE");
    if (size != null && !isLong(size)) {
      throw new UnusableFoxmlException(
          "has %s with a SIZE that is not a number: '%s'".formatted(version.id, size));
    }
    int event = cursor.next();
    if (event == XMLStreamConstants.START_ELEMENT && cursor.isFoxml("contentDigest")) {
      cursor.requireOnly(Set.of("TYPE", "DIGEST"), false);
      version.digestType = cursor.attribute("TYPE");
      version.digest = cursor.attribute("DIGEST");
      checkDigest(version);
      cursor.readEmptyElement();
      event = cursor.next();
    }
    if (event != XMLStreamConstants.START_ELEMENT) {
      throw new UnusableFoxmlException("has %s without content".formatted(version.id));
    }
    readContent(version);
    if (cursor.next() != XMLStreamConstants.END_ELEMENT) {
      throw cursor.unexpected();
    }
  }

  private String stripped(String attribute) {
    String value = cursor.attribute(attribute);
    return value == null ? null : value.strip();
  }

  /** Returns whether the text is a number as Fedora reads it, without surrounding white space. */
  private static boolean isLong(String text) {
    try {
      Long.parseLong(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private void checkDigest(DatastreamVersion version) throws UnusableFoxmlException {
    cursor.requireOneOf("TYPE", version.digestType, DIGEST_TYPES);
    if (version.digest != null && version.digestType == null) {
      throw new UnusableFoxmlException("has %s with a DIGEST without TYPE".formatted(version.id));
    }
    boolean isComputed =
        version.hasDigest() || version.digestType != null && !version.digestType.equals("DISABLED");
    if (isComputed && ChecksumAlgorithm.named(version.digestType).isEmpty()) {
      throw new UnusableFoxmlException(
          "has %s with a checksum of type %s, which Fedora cannot compute"
              .formatted(version.id, version.digestType));
    }
  }

  private void readContent(DatastreamVersion version)
      throws XMLStreamException, IOException, UnusableFoxmlException {
    if (cursor.isFoxml("xmlContent")) {
      // Fedora makes it inline XML regardless of the control group.
      version.source = FoxmlDocument.Source.INLINE;
      content.readInline(version);
      if (version.id.equals("AUDIT")) {
        return;
      }
      if (version.mediaType.isEmpty()) {
        version.mediaType = "text/xml";
      }
    } else if (cursor.isFoxml("binaryContent")) {
      boolean isDropped = !version.controlGroup.equals("M");
      if (isDropped) {
        // It is not compared with a checksum.
        version.digest = null;
        warnings.add(FoxmlWarning.DROPPED_CONTENT);
      }
      version.source = FoxmlDocument.Source.MANAGED;
      content.readBinary(version);
      if (isDropped) {
        return;
      }
    } else if (cursor.isFoxml("contentLocation")) {
      readLocation(version);
      if (version.source == null) {
        return;
      }
    } else {
      throw cursor.unexpected();
    }
    if (version.isLaterThan(latest.get(version.id))) {
      latest.put(version.id, version);
    }
  }

  /** Reads a location, whose type Fedora ignores: it is a URL. */
  private void readLocation(DatastreamVersion version)
      throws XMLStreamException, IOException, UnusableFoxmlException {
    cursor.requireOnly(Set.of("TYPE", "REF"), false);
    String type = cursor.required("TYPE");
    cursor.requireOneOf("TYPE", type, Set.of("INTERNAL_ID", "URL"));
    String location = cursor.required("REF").strip();
    if (location.isEmpty()) {
      throw new UnusableFoxmlException("has %s with an empty REF".formatted(version.id));
    }
    switch (version.controlGroup) {
      case "M" -> readManagedLocation(version, type, location);
      case "E" -> {
        version.source = FoxmlDocument.Source.EXTERNAL;
        protocol(version, location);
      }
      case "R" -> {
        version.source = FoxmlDocument.Source.REDIRECTED;
        if (protocol(version, location).equals("file")) {
          throw new UnusableFoxmlException(
              "has %s of control group R at '%s'; Fedora does not redirect to files"
                  .formatted(version.id, location));
        }
      }
      default -> warnings.add(FoxmlWarning.DROPPED_CONTENT);
    }
    cursor.readEmptyElement();
  }

  private void readManagedLocation(DatastreamVersion version, String type, String location)
      throws UnusableFoxmlException {
    version.source = FoxmlDocument.Source.MANAGED_BY_URL;
    boolean isElsewhere = type.equals("INTERNAL_ID");
    if (isElsewhere && !location.contains(":/")) {
      throw new UnusableFoxmlException(
          "has %s whose content is in another repository (%s): export it with context=archive"
              .formatted(version.id, location));
    }
    String protocol = protocol(version, location);
    if (isElsewhere) {
      warnings.add(FoxmlWarning.OTHER_REPOSITORY);
    }
    if (!FETCHED.contains(protocol)) {
      throw new UnusableFoxmlException(
          "has %s of control group M at '%s', from where Fedora cannot fetch it: it supports %s"
              .formatted(
                  version.id, location, String.join(", ", FETCHED.stream().sorted().toList())));
    }
    if (protocol.equals("file")) {
      warnings.add(FoxmlWarning.FILE_URL);
    }
  }

  private static String protocol(DatastreamVersion version, String location)
      throws UnusableFoxmlException {
    try {
      return new URL(location).getProtocol();
    } catch (MalformedURLException e) {
      throw new UnusableFoxmlException(
          "has %s of control group %s at '%s', which is not a URL that Fedora accepts"
              .formatted(version.id, version.controlGroup, location));
    }
  }

  /** Returns an ID; those of datastreams and versions must all differ. */
  private String id(String attribute) throws UnusableFoxmlException {
    String id = cursor.required(attribute).strip();
    if (id.length() > FedoraRules.MAX_DATASTREAM_ID_LENGTH || !XmlNames.isNameWithoutColon(id)) {
      throw new UnusableFoxmlException(
          "has the ID '%s', which is not an XML name of at most 64 characters".formatted(id));
    }
    if (!ids.add(id)) {
      throw new UnusableFoxmlException("has the ID %s twice".formatted(id));
    }
    return id;
  }

  private static void checkLabel(String of, String label) throws UnusableFoxmlException {
    int length = label.codePointCount(0, label.length());
    if (length > FedoraRules.MAX_LABEL_LENGTH) {
      throw new UnusableFoxmlException(
          "has a label of %d characters for %s; Fedora allows 255".formatted(length, of));
    }
  }

  private void noteStored(String literal) {
    maxLiteralBytes = Math.max(maxLiteralBytes, StoredLiteral.storedBytes(literal));
  }

  private FoxmlDocument document() throws UnusableFoxmlException {
    int triples =
        FedoraRules.TRIPLES_OF_AN_OBJECT + FedoraRules.TRIPLES_OF_A_DATASTREAM * latest.size();
    boolean hasFixedIdentifier = false;
    if (latest.get("DC") == null) {
      noteStored(DublinCore.asStored(label));
      // Fedora creates one with the PID and the label, if any.
      triples += FedoraRules.TRIPLES_OF_A_DATASTREAM + (label.isEmpty() ? 1 : 2);
    } else {
      DublinCore dublinCore = (DublinCore) known("DC");
      triples += dublinCore.triples(pid);
      hasFixedIdentifier = latest.get("DC").isBase64 && dublinCore.hasIdentifier(pid);
    }
    List<Relationships> relationships = new ArrayList<>(2);
    for (String id : List.of("RELS-EXT", "RELS-INT")) {
      if (latest.containsKey(id)) {
        relationships.add((Relationships) known(id));
        if (mode.isForNewPid() && latest.get(id).isBase64) {
          throw new UnusableFoxmlException(
              "has %s in base64, where its PID cannot be replaced (use pids=kept)".formatted(id));
        }
      }
    }
    triples += Relationships.triples(relationships, pid);
    boolean isServiceDefinition =
        relationships.stream().anyMatch(Relationships::isServiceDefinition);
    if (isServiceDefinition && latest.containsKey("METHODMAP")) {
      triples += ((MethodMap) known("METHODMAP")).triples();
    }
    List<FoxmlDocument.Datastream> datastreams = new ArrayList<>(latest.size());
    for (DatastreamVersion version : latest.values()) {
      noteStored(version.mediaType);
      if (version.metadata != null && version.problem == null) {
        maxLiteralBytes = Math.max(maxLiteralBytes, version.metadata.maxLiteralBytes());
      }
      datastreams.add(
          new FoxmlDocument.Datastream(
              version.id,
              version.label,
              version.mediaType,
              version.source,
              version.binary,
              version.text,
              version.sizeBytes));
    }
    return new FoxmlDocument(
        pid,
        label,
        datastreams,
        triples,
        maxLiteralBytes,
        content.pidOccurrences(),
        hasFixedIdentifier,
        warnings);
  }

  /** Returns the statements from which Fedora makes triples, if they are here and readable. */
  private Metadata known(String id) throws UnusableFoxmlException {
    DatastreamVersion version = latest.get(id);
    if (version.problem != null) {
      throw version.problem;
    }
    if (version.metadata == null) {
      throw new UnusableFoxmlException(
          "has %s outside the file, so that its content and its number of triples are unknown"
              .formatted(id));
    }
    return version.metadata;
  }
}
