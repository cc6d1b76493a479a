package org.fedometer.datasets.foxml;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.fedometer.datasets.StoredLiteral;

/**
 * Goes through one FOXML 1.1 file in one pass and refuses what Fedora 3.8.1 would refuse at ingest,
 * as far as that can be said without a Fedora: rules of its schema and its Schematron, of its
 * deserializer and its validator of relationships. Memory does not grow with the file but for its
 * datastreams and their statements. For one file and one thread.
 *
 * <p>Not looked at: checksums of inline XML, which Fedora takes of its own form of it; POLICY; what
 * a content model demands of its objects; whether a URL answers.
 */
final class FoxmlReader {

  static final String FOXML = "info:fedora/fedora-system:def/foxml#";

  private static final String SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";
  private static final String MODEL = "info:fedora/fedora-system:def/model#";
  private static final Set<String> PROPERTIES =
      Set.of(
          MODEL + "state",
          MODEL + "label",
          MODEL + "createdDate",
          MODEL + "ownerId",
          "info:fedora/fedora-system:def/view#lastModifiedDate");

  private static final Pattern PID =
      Pattern.compile("[A-Za-z0-9.-]+:([A-Za-z0-9.~_-]|%[0-9A-F]{2})+");
  private static final Pattern DATE_TIME =
      Pattern.compile(
          "-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?"
              + "(Z|[+-][0-9]{2}:[0-9]{2})?");
  private static final Pattern LONG = Pattern.compile("[+-]?[0-9]{1,18}");

  private static final int LONGEST_PID = 64;
  private static final int LONGEST_ID = 64;
  private static final int LONGEST_VERSION_ID = 69;
  private static final int LONGEST_LABEL = 255;

  /** Of DC, RELS-EXT, RELS-INT and METHODMAP, of which statements are held in memory. */
  private static final int MOST_CHARACTERS = 8_000_000;

  /** Created date, label, owner, state, last modified date: there are defaults for each. */
  private static final int TRIPLES_OF_THE_OBJECT = 5;

  /** Disseminates, dissemination type, is volatile, last modified date, media type, state. */
  private static final int TRIPLES_OF_A_DATASTREAM = 6;

  private static final Map<String, String> DIGESTS =
      Map.of(
          "MD5", "MD5",
          "SHA-1", "SHA-1",
          "SHA-256", "SHA-256",
          "SHA-384", "SHA-384",
          "SHA-512", "SHA-512");

  private final XMLStreamReader2 xml;
  private final Mode mode;

  private String pid;
  private String label = "";
  private int longestStoredBytes = StoredLiteral.storedBytes("");
  private final Map<String, Version> latest = new LinkedHashMap<>();
  private final Set<String> ids = new HashSet<>();
  private final List<FoxmlDocument.OwnPid> ownPids = new ArrayList<>();
  private int binaries;

  /** What the file is read for. */
  enum Mode {
    /** To send it as it is, having checked it before. */
    AS_IT_IS,
    /** The same, with content compared to its checksums. */
    AS_IT_IS_THOROUGHLY,
    /** To send it with other PIDs: these are looked for, and the file has to be UTF-8. */
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

  /** A version of a datastream, and of its datastream what is the same for all versions. */
  private static final class Version {
    private String id;
    private String controlGroup;
    private String label;
    private String mediaType;
    private Long createdMillis;
    private String digestType;
    private String digest;
    private FoxmlDocument.Source source;
    private int binary = -1;
    private long sizeBytes = -1;
    private boolean isBase64;
    private Metadata metadata;
    private UnusableFoxmlException problem;

    private boolean isLaterThan(Version other) {
      // Fedora gives the time of the ingest to those without a date, and prefers the first.
      return other == null
          || other.createdMillis != null
              && (createdMillis == null || createdMillis > other.createdMillis);
    }

    /** Whether Fedora makes a checksum of it, for which it parses inline XML. */
    private boolean isSummed() {
      return digestType != null && !digestType.equals("DISABLED");
    }

    private boolean hasDigest() {
      return digest != null && !digest.isEmpty() && !digest.equals("none");
    }
  }

  private FoxmlReader(XMLStreamReader2 xml, Mode mode) {
    this.xml = xml;
    this.mode = mode;
  }

  /**
   * Reads a file.
   *
   * @param in from the start; not closed
   * @throws UnusableFoxmlException if it cannot be sent to Fedora
   * @throws IOException if reading fails
   */
  static FoxmlDocument read(InputStream in, Mode mode) throws IOException, UnusableFoxmlException {
    try {
      XMLStreamReader2 xml = mode.isForNewPid() ? FoxmlXml.utf8Parser(in) : FoxmlXml.parser(in);
      try {
        return new FoxmlReader(xml, mode).read();
      } finally {
        xml.close();
      }
    } catch (XMLStreamException | RuntimeException e) {
      // Woodstox wraps some errors of its lazy parsing.
      throw FoxmlXml.notWellFormed(e);
    }
  }

  private FoxmlDocument read() throws XMLStreamException, IOException, UnusableFoxmlException {
    checkEncoding();
    if (next() != XMLStreamConstants.START_ELEMENT) {
      throw new UnusableFoxmlException("has no root element");
    }
    readRoot();
    if (next() != XMLStreamConstants.START_ELEMENT || !isFoxml("objectProperties")) {
      throw unexpected();
    }
    readProperties();
    while (next() == XMLStreamConstants.START_ELEMENT) {
      if (!isFoxml("datastream")) {
        throw unexpected();
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
          "is in %s: other PIDs can be written into UTF-8 only (use pids=kept)"
              .formatted(encoding));
    }
  }

  // The parts of a FOXML, in order.

  private void readRoot() throws UnusableFoxmlException {
    String name = xml.getLocalName();
    if (!isFoxml("digitalObject")) {
      throw notFoxml(name, namespace());
    }
    String version = attribute("VERSION");
    if (version == null || version.equals("1.0")) {
      throw new UnusableFoxmlException(
          "is FOXML 1.0: have a Fedora 3.x ingest it, and export it as"
              + " info:fedora/fedora-system:FOXML-1.1");
    }
    if (!version.equals("1.1")) {
      throw new UnusableFoxmlException("is FOXML '%s', and not 1.1".formatted(version));
    }
    pid = attribute("PID");
    if (pid == null || pid.isEmpty()) {
      throw new UnusableFoxmlException("has no PID");
    }
    if (pid.length() > LONGEST_PID || !PID.matcher(pid).matches()) {
      throw new UnusableFoxmlException(
          "has a PID that cannot be one: '%s' (namespace:name of letters, digits and . - , in the"
                  .formatted(pid)
              + " name ~ _ %XX too, at most 64 characters)");
    }
    requireOnly(Set.of("VERSION", "PID", "FEDORA_URI"), true);
    noteOwnPid("PID", "", "");
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
            ? "is no FOXML: its root element is <%s>".formatted(name)
            : "is %s and not FOXML: export it as info:fedora/fedora-system:FOXML-1.1"
                .formatted(format));
  }

  private void readProperties() throws XMLStreamException, IOException, UnusableFoxmlException {
    requireOnly(Set.of(), false);
    Set<String> names = new HashSet<>();
    boolean external = false;
    while (next() == XMLStreamConstants.START_ELEMENT) {
      boolean isProperty = isFoxml("property");
      if (!isProperty && (!isFoxml("extproperty") || names.isEmpty()) || isProperty && external) {
        throw unexpected();
      }
      external = !isProperty;
      requireOnly(Set.of("NAME", "VALUE"), false);
      String name = required("NAME");
      String value = required("VALUE");
      if (isProperty) {
        if (!PROPERTIES.contains(name)) {
          throw new UnusableFoxmlException("has an object property '%s'".formatted(name));
        }
        if (!names.add(name)) {
          throw new UnusableFoxmlException("has the object property %s twice".formatted(name));
        }
        readProperty(name, value);
      }
      readEmptyElement();
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
    requireOnly(Set.of("ID", "CONTROL_GROUP", "FEDORA_URI", "STATE", "VERSIONABLE"), false);
    String id = id("ID");
    String group = required("CONTROL_GROUP");
    requireOneOf("CONTROL_GROUP", group, Set.of("E", "M", "R", "X"));
    requireOneOf("STATE", attribute("STATE"), Set.of("A", "D", "I"));
    requireOneOf("VERSIONABLE", attribute("VERSIONABLE"), Set.of("true", "false", "1", "0"));
    int versions = 0;
    boolean undated = false;
    while (next() == XMLStreamConstants.START_ELEMENT) {
      if (!isFoxml("datastreamVersion")) {
        throw unexpected();
      }
      Version version = new Version();
      version.id = id;
      version.controlGroup = group;
      readVersion(version);
      versions++;
      if (undated && version.createdMillis != null && id.startsWith("RELS-")) {
        throw new UnusableFoxmlException(
            "has a %s with a version without CREATED before one with it, on which Fedora fails"
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

  private void readVersion(Version version)
      throws XMLStreamException, IOException, UnusableFoxmlException {
    requireOnly(
        Set.of("ID", "LABEL", "CREATED", "MIMETYPE", "ALT_IDS", "FORMAT_URI", "SIZE"), false);
    id("ID");
    version.mediaType = required("MIMETYPE");
    version.label = attribute("LABEL") == null ? "" : attribute("LABEL");
    checkLabel(version.id, version.label);
    String created = attribute("CREATED");
    if (created != null && !DATE_TIME.matcher(created.strip()).matches()) {
      throw new UnusableFoxmlException(
          "has %s with a CREATED that is no xsd:dateTime: '%s'".formatted(version.id, created));
    }
    version.createdMillis = created == null ? null : FedoraDates.millis(created);
    String size = attribute("SIZE");
    if (size != null && !LONG.matcher(size.strip()).matches()) {
      throw new UnusableFoxmlException(
          "has %s with a SIZE that is no number: '%s'".formatted(version.id, size));
    }
    int event = next();
    if (event == XMLStreamConstants.START_ELEMENT && isFoxml("contentDigest")) {
      requireOnly(Set.of("TYPE", "DIGEST"), false);
      version.digestType = attribute("TYPE");
      version.digest = attribute("DIGEST");
      if (version.digest != null && version.digestType == null) {
        throw new UnusableFoxmlException("has %s with a DIGEST without TYPE".formatted(version.id));
      }
      readEmptyElement();
      event = next();
    }
    if (event != XMLStreamConstants.START_ELEMENT) {
      throw new UnusableFoxmlException("has %s without content".formatted(version.id));
    }
    readContent(version);
    if (next() != XMLStreamConstants.END_ELEMENT) {
      throw unexpected();
    }
  }

  private void readContent(Version version)
      throws XMLStreamException, IOException, UnusableFoxmlException {
    if (isFoxml("xmlContent")) {
      // Whatever the control group says, Fedora makes it inline XML.
      version.source = FoxmlDocument.Source.INLINE;
      readInline(version);
      if (version.id.equals("AUDIT")) {
        return;
      }
      if (version.mediaType.isEmpty()) {
        version.mediaType = "text/xml";
      }
    } else if (isFoxml("binaryContent")) {
      if (!version.controlGroup.equals("M")) {
        throw lost(version, "binaryContent");
      }
      version.source = FoxmlDocument.Source.MANAGED;
      readBinary(version);
    } else if (isFoxml("contentLocation")) {
      readLocation(version);
    } else {
      throw unexpected();
    }
    if (version.isLaterThan(latest.get(version.id))) {
      latest.put(version.id, version);
    }
  }

  private static UnusableFoxmlException lost(Version version, String element) {
    return new UnusableFoxmlException(
        "has %s of control group %s with %s, which Fedora drops without a word"
            .formatted(version.id, version.controlGroup, element));
  }

  private void readLocation(Version version)
      throws XMLStreamException, IOException, UnusableFoxmlException {
    requireOnly(Set.of("TYPE", "REF"), false);
    String type = required("TYPE");
    requireOneOf("TYPE", type, Set.of("INTERNAL_ID", "URL"));
    String location = required("REF").strip();
    switch (version.controlGroup) {
      case "M" -> {
        if (type.equals("INTERNAL_ID")) {
          throw new UnusableFoxmlException(
              "has %s whose content is in another repository (%s): export with context=archive"
                  .formatted(version.id, location));
        }
        version.source = FoxmlDocument.Source.MANAGED_BY_URL;
        requireUrl(version, location, Set.of("http", "https", "ftp"));
      }
      case "E" -> {
        version.source = FoxmlDocument.Source.EXTERNAL;
        requireUrl(version, location, Set.of("http", "https", "ftp", "file", "jar"));
      }
      case "R" -> {
        version.source = FoxmlDocument.Source.REDIRECTED;
        requireUrl(version, location, Set.of("http", "https", "ftp", "jar"));
      }
      default -> throw lost(version, "contentLocation");
    }
    readEmptyElement();
  }

  private static void requireUrl(Version version, String location, Set<String> schemes)
      throws UnusableFoxmlException {
    try {
      URL url = new URL(location);
      if (schemes.contains(url.getProtocol())) {
        return;
      }
    } catch (MalformedURLException e) {
      // The sentence below says it.
    }
    throw new UnusableFoxmlException(
        "has %s of control group %s at '%s', where Fedora cannot fetch it: a full URL is needed (%s)"
            .formatted(
                version.id,
                version.controlGroup,
                location,
                String.join(", ", schemes.stream().sorted().toList())));
  }

  // Content.

  /** From the start tag to the end tag of xmlContent. */
  private void readInline(Version version)
      throws XMLStreamException, IOException, UnusableFoxmlException {
    requireOnly(Set.of(), false);
    Metadata metadata = metadataOf(version);
    version.metadata = metadata;
    InlineXml inline = metadata != null || version.isSummed() ? new InlineXml() : null;
    boolean editsOwnPid = mode.isForNewPid() && ownsPid(version.id);
    OwnText identifier = null;
    int depth = 0;
    int roots = 0;
    int characters = 0;
    int before = ownPids.size();
    for (int event = xml.next(); depth > 0 || event != XMLStreamConstants.END_ELEMENT; ) {
      switch (event) {
        case XMLStreamConstants.START_ELEMENT -> {
          roots += depth++ == 0 ? 1 : 0;
          checkNestedFoxml();
          if (editsOwnPid) {
            noteAbout(version.id);
            identifier = version.id.equals("DC") ? OwnText.startingAt(xml) : null;
          }
          if (inline != null) {
            metadata = started(version, metadata, inline);
          }
          characters += 16;
        }
        case XMLStreamConstants.END_ELEMENT -> {
          depth--;
          if (identifier != null) {
            identifier.endingAt(xml, pid).ifPresent(ownPids::add);
            identifier = null;
          }
          if (inline != null) {
            inline.end(xml);
          }
          if (metadata != null) {
            metadata = ended(version, metadata);
          }
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          if (depth == 0 && !xml.isWhiteSpace()) {
            throw new UnusableFoxmlException(
                "has %s with text beside its XML".formatted(version.id));
          }
          if (metadata != null) {
            characters += xml.getTextLength();
            String text = xml.getText();
            if (identifier != null) {
              identifier.append(text);
            }
            metadata = depth == 0 ? metadata : text(version, metadata, text);
          }
        }
        case XMLStreamConstants.ENTITY_REFERENCE -> throw undeclaredEntity();
        default -> {
          // Comments and processing instructions say nothing.
        }
      }
      if (metadata != null && characters > MOST_CHARACTERS) {
        throw new UnusableFoxmlException(
            "has %s with more than %d characters".formatted(version.id, MOST_CHARACTERS));
      }
      event = xml.next();
    }
    if (roots == 0) {
      throw new UnusableFoxmlException("has %s with an empty xmlContent".formatted(version.id));
    }
    if (metadata != null) {
      finish(version, metadata);
    }
    if (roots > 1 && inline != null && version.problem == null) {
      version.problem =
          new UnusableFoxmlException(
              "has %s with more than one root element".formatted(version.id));
      if (version.isSummed()) {
        throw version.problem;
      }
    }
    if (ownPids.size() > before && version.hasDigest()) {
      throw new UnusableFoxmlException(
          "has %s with a checksum, which no other PID would have (use pids=kept)"
              .formatted(version.id));
    }
  }

  /** Fedora's Schematron looks at FOXML wherever it is, and so at FOXML inside inline XML. */
  private void checkNestedFoxml() throws UnusableFoxmlException {
    if (!namespace().equals(FOXML)) {
      return;
    }
    boolean allowed =
        switch (xml.getLocalName()) {
          case "datastream" ->
              isNestedId(LONGEST_ID)
                  && Set.of("R", "E", "M", "X", "B").contains(given("CONTROL_GROUP"));
          case "datastreamVersion" ->
              isNestedId(LONGEST_VERSION_ID) && given("LABEL").length() <= LONGEST_LABEL;
          case "contentLocation" -> !given("REF").isEmpty();
          case "contentDigest" -> attribute("DIGEST") == null || attribute("TYPE") != null;
          case "property" ->
              !given("NAME").equals(MODEL + "label") || given("VALUE").length() <= LONGEST_LABEL;
          default -> true;
        };
    if (!allowed) {
      throw new UnusableFoxmlException(
          "has inline XML with <%s> of FOXML, which Fedora checks there too, as it may not be (line %d)"
              .formatted(xml.getLocalName(), xml.getLocation().getLineNumber()));
    }
  }

  private boolean isNestedId(int longest) {
    String id = given("ID");
    return !id.isEmpty() && id.length() <= longest && id.indexOf('+') < 0 && id.indexOf(':') < 0;
  }

  private String given(String attribute) {
    String value = attribute(attribute);
    return value == null ? "" : value;
  }

  private Metadata started(Version version, Metadata metadata, InlineXml inline)
      throws UnusableFoxmlException {
    MetadataElement element;
    try {
      element = inline.start(xml);
    } catch (UnusableFoxmlException e) {
      if (version.isSummed()) {
        throw e;
      }
      if (metadata != null) {
        version.problem = e;
      }
      return null;
    }
    if (metadata == null) {
      return null;
    }
    try {
      metadata.start(element);
      return metadata;
    } catch (UnusableFoxmlException e) {
      version.problem = e;
      return null;
    }
  }

  private static Metadata text(Version version, Metadata metadata, String text) {
    try {
      metadata.text(text);
      return metadata;
    } catch (UnusableFoxmlException e) {
      version.problem = e;
      return null;
    }
  }

  private Metadata ended(Version version, Metadata metadata) {
    try {
      metadata.end(xml.getLocalName());
      return metadata;
    } catch (UnusableFoxmlException e) {
      version.problem = e;
      return null;
    }
  }

  private static void finish(Version version, Metadata metadata) {
    try {
      metadata.end();
    } catch (UnusableFoxmlException e) {
      version.problem = e;
    }
  }

  private static boolean ownsPid(String id) {
    return id.equals("DC") || id.equals("RELS-EXT") || id.equals("RELS-INT");
  }

  /** What Fedora reads the datastream for, or null. */
  private Metadata metadataOf(Version version) {
    return switch (version.id) {
      case "DC" -> new DublinCore();
      case "RELS-EXT", "RELS-INT" -> new Relationships(version.id, pid);
      case "METHODMAP" -> new MethodMap();
      default -> null;
    };
  }

  /** From the start tag to the end tag of binaryContent. */
  private void readBinary(Version version)
      throws XMLStreamException, IOException, UnusableFoxmlException {
    requireOnly(Set.of(), false);
    version.binary = binaries++;
    version.isBase64 = true;
    Base64Text base64 = new Base64Text();
    MessageDigest digest =
        mode.isThorough() && version.hasDigest() ? digest(version.digestType) : null;
    ByteArrayOutputStream kept = metadataOf(version) == null ? null : new ByteArrayOutputStream();
    byte[] decoded = new byte[0];
    long size = 0;
    for (int event = xml.next(); event != XMLStreamConstants.END_ELEMENT; event = xml.next()) {
      switch (event) {
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          int most = Base64Text.mostBytes(xml.getTextLength());
          decoded = decoded.length < most ? new byte[most] : decoded;
          int length = decode(version, base64, decoded);
          size += length;
          if (digest != null) {
            digest.update(decoded, 0, length);
          }
          if (kept != null) {
            kept.write(decoded, 0, length);
          }
          if (kept != null && size > MOST_CHARACTERS) {
            throw new UnusableFoxmlException(
                "has %s with more than %d bytes".formatted(version.id, MOST_CHARACTERS));
          }
        }
        case XMLStreamConstants.START_ELEMENT -> throw unexpected();
        case XMLStreamConstants.ENTITY_REFERENCE -> throw undeclaredEntity();
        default -> {
          // Comments and processing instructions say nothing.
        }
      }
    }
    end(version, base64);
    version.sizeBytes = size;
    if (digest != null) {
      String found = HexFormat.of().formatHex(digest.digest());
      if (!found.equals(version.digest)) {
        throw new UnusableFoxmlException(
            "has %s with the checksum %s and content of %s"
                .formatted(version.id, version.digest, found));
      }
    }
    if (kept != null) {
      readMetadata(version, kept.toByteArray());
    }
  }

  private int decode(Version version, Base64Text base64, byte[] out) throws UnusableFoxmlException {
    try {
      return base64.decode(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength(), out);
    } catch (UnusableFoxmlException e) {
      throw new UnusableFoxmlException("has %s that %s".formatted(version.id, e.getMessage()));
    }
  }

  private static void end(Version version, Base64Text base64) throws UnusableFoxmlException {
    try {
      base64.end();
    } catch (UnusableFoxmlException e) {
      throw new UnusableFoxmlException("has %s that %s".formatted(version.id, e.getMessage()));
    }
    if (base64.isEmpty()) {
      throw new UnusableFoxmlException(
          "has %s with a binaryContent without a character, on which Fedora fails: a line break"
                  .formatted(version.id)
              + " makes it an empty datastream");
    }
  }

  /** Fedora refuses the type where it cannot count; those that are not of Java are left to it. */
  private static MessageDigest digest(String type) {
    String algorithm = DIGESTS.get(type);
    if (algorithm == null) {
      return null;
    }
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has " + algorithm, e);
    }
  }

  /** Reads a managed datastream that Fedora makes triples of. */
  private void readMetadata(Version version, byte[] content) throws IOException {
    Metadata metadata = metadataOf(version);
    version.metadata = metadata;
    try {
      XMLStreamReader2 inner = FoxmlXml.parser(new ByteArrayInputStream(content));
      InlineXml scope = new InlineXml();
      while (inner.hasNext()) {
        switch (inner.next()) {
          case XMLStreamConstants.START_ELEMENT -> metadata.start(scope.start(inner));
          case XMLStreamConstants.END_ELEMENT -> {
            scope.end(inner);
            metadata.end(inner.getLocalName());
          }
          case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
              metadata.text(inner.getText());
          case XMLStreamConstants.DTD ->
              throw new UnusableFoxmlException("has %s with a DOCTYPE".formatted(version.id));
          case XMLStreamConstants.ENTITY_REFERENCE -> throw undeclaredEntity();
          default -> {
            // Comments and processing instructions say nothing.
          }
        }
      }
      metadata.end();
    } catch (UnusableFoxmlException e) {
      version.problem = e;
    } catch (XMLStreamException | RuntimeException e) {
      version.problem =
          new UnusableFoxmlException(
              "has %s that %s".formatted(version.id, FoxmlXml.notWellFormed(e).getMessage()));
    }
  }

  // Where the object's own PID stands.

  private void noteAbout(String id) {
    if (!id.startsWith("RELS-")
        || !Relationships.RDF.equals(xml.getNamespaceURI())
        || !xml.getLocalName().equals("Description")) {
      return;
    }
    String uri = "info:fedora/" + pid;
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      String prefix = xml.getAttributePrefix(i);
      String value = xml.getAttributeValue(i);
      boolean own = id.equals("RELS-EXT") ? value.equals(uri) : value.startsWith(uri + "/");
      if (own && xml.getAttributeLocalName(i).equals("about")) {
        noteOwnPid(
            prefix == null || prefix.isEmpty() ? "about" : prefix + ":about",
            "info:fedora/",
            value.substring(uri.length()));
      }
    }
  }

  /** In the start tag at the cursor. */
  private void noteOwnPid(String attribute, String before, String after) {
    if (mode.isForNewPid()) {
      ownPids.add(
          new FoxmlDocument.OwnPid(
              xml.getLocationInfo().getStartingCharOffset(),
              OwnText.endingOffset(xml),
              attribute,
              before,
              after));
    }
  }

  // What all parts need.

  /** To the next start or end tag. */
  private int next() throws XMLStreamException, UnusableFoxmlException {
    while (true) {
      int event = xml.next();
      switch (event) {
        case XMLStreamConstants.START_ELEMENT,
            XMLStreamConstants.END_ELEMENT,
            XMLStreamConstants.END_DOCUMENT -> {
          return event;
        }
        case XMLStreamConstants.DTD ->
            throw new UnusableFoxmlException(
                "has a DOCTYPE, which Fedora might fetch: FOXML needs none, remove it");
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
          if (!xml.isWhiteSpace()) {
            throw new UnusableFoxmlException(
                "has text where FOXML has none (line %d)"
                    .formatted(xml.getLocation().getLineNumber()));
          }
        }
        case XMLStreamConstants.ENTITY_REFERENCE -> throw undeclaredEntity();
        default -> {
          // Comments, processing instructions and white space say nothing.
        }
      }
    }
  }

  /** Not even white space may be in it. */
  private void readEmptyElement() throws XMLStreamException, UnusableFoxmlException {
    String name = xml.getLocalName();
    int event = xml.next();
    while (event == XMLStreamConstants.COMMENT
        || event == XMLStreamConstants.PROCESSING_INSTRUCTION) {
      event = xml.next();
    }
    if (event != XMLStreamConstants.END_ELEMENT) {
      throw new UnusableFoxmlException(
          "has <%s> with something in it (line %d)"
              .formatted(name, xml.getLocation().getLineNumber()));
    }
  }

  private UnusableFoxmlException undeclaredEntity() {
    return new UnusableFoxmlException(
        "uses the entity &%s;, which is not declared".formatted(xml.getLocalName()));
  }

  private UnusableFoxmlException unexpected() {
    return new UnusableFoxmlException(
        "has <%s> where FOXML 1.1 does not have it (line %d)"
            .formatted(
                xml.isStartElement() || xml.isEndElement() ? xml.getLocalName() : "",
                xml.getLocation().getLineNumber()));
  }

  private boolean isFoxml(String name) {
    return xml.getLocalName().equals(name) && namespace().equals(FOXML);
  }

  private String namespace() {
    return xml.getNamespaceURI() == null ? "" : xml.getNamespaceURI();
  }

  private String attribute(String name) {
    return xml.getAttributeValue("", name);
  }

  private String required(String name) throws UnusableFoxmlException {
    String value = attribute(name);
    if (value == null) {
      throw new UnusableFoxmlException(
          "has <%s> without %s (line %d)"
              .formatted(xml.getLocalName(), name, xml.getLocation().getLineNumber()));
    }
    return value;
  }

  private void requireOneOf(String attribute, String valueOrNull, Set<String> allowed)
      throws UnusableFoxmlException {
    if (valueOrNull != null && !allowed.contains(valueOrNull)) {
      throw new UnusableFoxmlException(
          "has <%s> with %s '%s' (line %d)"
              .formatted(
                  xml.getLocalName(), attribute, valueOrNull, xml.getLocation().getLineNumber()));
    }
  }

  private void requireOnly(Set<String> allowed, boolean foreignToo) throws UnusableFoxmlException {
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      String namespace = xml.getAttributeNamespace(i);
      boolean foreign = namespace != null && !namespace.isEmpty();
      boolean known =
          foreign
              ? foreignToo && !namespace.equals(FOXML) || namespace.equals(SCHEMA_INSTANCE)
              : allowed.contains(xml.getAttributeLocalName(i));
      if (!known) {
        throw new UnusableFoxmlException(
            "has <%s> with an attribute %s, which FOXML 1.1 does not have (line %d)"
                .formatted(
                    xml.getLocalName(),
                    xml.getAttributeLocalName(i),
                    xml.getLocation().getLineNumber()));
      }
    }
  }

  /** IDs of datastreams and of their versions are all different. */
  private String id(String attribute) throws UnusableFoxmlException {
    String id = required(attribute).strip();
    if (id.length() > LONGEST_ID || !XmlNames.isNameWithoutColon(id)) {
      throw new UnusableFoxmlException(
          "has the ID '%s', which is no XML name of at most 64 characters".formatted(id));
    }
    if (!ids.add(id)) {
      throw new UnusableFoxmlException("has the ID %s twice".formatted(id));
    }
    return id;
  }

  private static void checkLabel(String of, String label) throws UnusableFoxmlException {
    int length = label.codePointCount(0, label.length());
    if (length > LONGEST_LABEL) {
      throw new UnusableFoxmlException(
          "has a label of %d characters for %s; Fedora takes 255".formatted(length, of));
    }
  }

  private void noteStored(String literal) {
    longestStoredBytes = Math.max(longestStoredBytes, StoredLiteral.storedBytes(literal));
  }

  // The whole.

  private FoxmlDocument document() throws UnusableFoxmlException {
    int triples = TRIPLES_OF_THE_OBJECT + TRIPLES_OF_A_DATASTREAM * latest.size();
    boolean hasFixedIdentifier = false;
    if (latest.get("DC") == null) {
      noteStored(DublinCore.asKept(label));
      // Fedora makes one with the label, if there is any, and the PID.
      triples += TRIPLES_OF_A_DATASTREAM + (label.isEmpty() ? 1 : 2);
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
              "has %s in base64, where its PID is not changed (use pids=kept)".formatted(id));
        }
      }
    }
    triples += Relationships.triples(relationships, pid);
    boolean isServiceDefinition =
        relationships.stream().anyMatch(Relationships::saysServiceDefinition);
    if (isServiceDefinition && latest.containsKey("METHODMAP")) {
      triples += ((MethodMap) known("METHODMAP")).triples();
    }
    List<FoxmlDocument.Datastream> datastreams = new ArrayList<>(latest.size());
    for (Version version : latest.values()) {
      noteStored(version.mediaType);
      if (version.metadata != null && version.problem == null) {
        longestStoredBytes = Math.max(longestStoredBytes, version.metadata.longestStoredBytes());
      }
      datastreams.add(
          new FoxmlDocument.Datastream(
              version.id,
              version.label,
              version.mediaType,
              version.source,
              version.binary,
              version.sizeBytes));
    }
    return new FoxmlDocument(
        pid, label, datastreams, triples, longestStoredBytes, ownPids, hasFixedIdentifier);
  }

  /** What Fedora makes triples of, if it is here and can be read. */
  private Metadata known(String id) throws UnusableFoxmlException {
    Version version = latest.get(id);
    if (version.problem != null) {
      throw version.problem;
    }
    if (version.metadata == null) {
      throw new UnusableFoxmlException(
          "has %s somewhere else: what it says is not known, nor how many triples it makes"
              .formatted(id));
    }
    return version.metadata;
  }
}
