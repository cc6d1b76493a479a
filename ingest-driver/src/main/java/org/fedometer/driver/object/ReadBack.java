package org.fedometer.driver.object;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.datasets.CarriedContent;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.ContentFailureException;
import org.fedometer.driver.fedora.CountingInputStream;
import org.fedometer.driver.fedora.DatastreamProfile;
import org.fedometer.driver.fedora.FedoraMessages;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.FedoraXml;
import org.fedometer.driver.fedora.ObjectProfile;

/**
 * Compares an object in Fedora with the dataset's: label, datastreams, and every content stream by
 * SHA-256. Inline XML is compared by its information, since Fedora rewrites it. Also compares
 * content locations, checksums, and, for composed objects, the statements of DC and RELS-EXT.
 *
 * @param problems one sentence each; empty if all is equal
 * @param bytes content bytes read from Fedora
 * @param there true if Fedora has an object of that PID
 * @param foreign number of problems that no loss explains, since another client has changed the
 *     object: surplus parts, another label, version or location
 */
public record ReadBack(List<String> problems, long bytes, boolean there, int foreign) {

  private static final String DUBLIN_CORE = "http://purl.org/dc/elements/1.1/";
  private static final String RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

  /** Datastreams that Fedora itself adds. */
  private static final Set<String> FEDORA_DATASTREAMS = Set.of("DC", "RELS-EXT", "AUDIT");

  public ReadBack {
    problems = List.copyOf(problems);
  }

  /** Creates a result without foreign problems. */
  public ReadBack(List<String> problems, long bytes, boolean there) {
    this(problems, bytes, there, 0);
  }

  /** Creates a result of an object that exists, or may. */
  public ReadBack(List<String> problems, long bytes) {
    this(problems, bytes, true);
  }

  private ReadBack(Differences differences, long bytes) {
    this(differences.problems, bytes, true, differences.foreign);
  }

  private static final class Differences {

    private final List<String> problems = new ArrayList<>();
    private int foreign;

    void lost(String problem) {
      problems.add(problem);
    }

    void foreign(String problem) {
      problems.add(problem);
      foreign++;
    }
  }

  /** Returns whether there is no problem, whether or not the object exists. */
  public boolean equal() {
    return problems.isEmpty();
  }

  /** Returns whether a part is missing or has other content. */
  public boolean isIncomplete() {
    return problems.size() > foreign;
  }

  /**
   * @param contents expected content streams, with their delivery
   * @throws IOException if Fedora could not be queried
   * @throws ContentFailureException if the dataset cannot produce the content
   */
  public static ReadBack of(
      FedoraSession session, RepositoryObject expected, List<CarriedContent> contents)
      throws IOException {
    String pid = expected.pid();
    Differences differences = new Differences();
    Optional<ObjectProfile> profile = session.profile(pid);
    if (profile.isEmpty()) {
      return new ReadBack(List.of("Fedora has no object " + pid + "."), 0, false);
    }
    String label = profile.get().label();
    if (!normalizedSpace(label).equals(normalizedSpace(expected.label()))) {
      differences.foreign(
          pid + " is labelled '" + label + "' and should be '" + expected.label() + "'.");
    }
    Set<String> ids = session.datastreamIds(pid).orElse(Set.of());
    Set<String> wanted = new TreeSet<>(expected.datastreamIds());
    expected.content().forEach(content -> wanted.remove(content.id()));
    contents.forEach(carried -> wanted.add(carried.content().id()));
    for (String id : wanted) {
      if (!ids.contains(id)) {
        differences.lost(pid + " has no datastream " + id + ".");
      }
    }
    long bytes = 0;
    for (CarriedContent carried : contents) {
      if (ids.contains(carried.content().id())) {
        bytes += compare(session, pid, carried, differences);
      }
    }
    if (expected instanceof ComposedObject composed) {
      compareDublinCore(session, composed, differences);
      compareRelationships(session, composed, differences);
    }
    return new ReadBack(differences, bytes);
  }

  /**
   * Compares also what an ingest need not: surplus datastreams, and each content datastream's
   * control group, media type, recorded size and version. There is one version unless a mix has
   * modified it. Packaged objects may have any of these.
   *
   * @param contents content streams to read; the others are only looked up in Fedora's list
   * @param modified true if some datastreams may have more than one version
   */
  public static ReadBack detailed(
      FedoraSession session,
      RepositoryObject expected,
      List<CarriedContent> contents,
      boolean modified)
      throws IOException {
    ReadBack readBack = of(session, expected, contents);
    if (!readBack.there() || !(expected instanceof ComposedObject)) {
      return readBack;
    }
    List<String> problems = new ArrayList<>(readBack.problems());
    String pid = expected.pid();
    Set<String> ids = session.datastreamIds(pid).orElse(Set.of());
    Set<String> unread = new TreeSet<>();
    expected.content().forEach(content -> unread.add(content.id()));
    contents.forEach(carried -> unread.remove(carried.content().id()));
    unread.removeAll(ids);
    for (String id : unread) {
      problems.add(pid + " has no datastream " + id + ".");
    }
    int lost = problems.size();
    Set<String> surplus = new TreeSet<>(ids);
    surplus.removeAll(expected.datastreamIds());
    surplus.removeAll(FEDORA_DATASTREAMS);
    for (String id : surplus) {
      problems.add(pid + " has a datastream " + id + ", which should not be there.");
    }
    for (CarriedContent carried : contents) {
      Optional<DatastreamProfile> profile = session.datastreamProfile(pid, carried.content().id());
      if (profile.isPresent()) {
        compareProfile(pid, carried, profile.get(), modified, problems);
      }
    }
    int foreign = readBack.foreign() + problems.size() - lost;
    return new ReadBack(problems, readBack.bytes(), true, foreign);
  }

  private static void compareProfile(
      String pid,
      CarriedContent carried,
      DatastreamProfile profile,
      boolean modified,
      List<String> problems) {
    ContentStream content = carried.content();
    String what = pid + "/" + content.id();
    difference(
            what, "control group", String.valueOf(carried.controlGroup()), profile.controlGroup())
        .ifPresent(problems::add);
    difference(what, "media type", content.mediaType(), profile.mediaType())
        .ifPresent(problems::add);
    if (!modified) {
      difference(what, "version", content.id() + ".0", profile.versionId())
          .ifPresent(problems::add);
    }
    if (carried.controlGroup() == 'M') {
      difference(what, "size on record", Long.toString(content.sizeBytes()), profile.sizeBytes())
          .ifPresent(problems::add);
    }
  }

  /** Returns empty also if Fedora omits the property, as older versions do. */
  private static Optional<String> difference(
      String what, String property, String wanted, String found) {
    return found.isEmpty() || found.equals(wanted)
        ? Optional.empty()
        : Optional.of(
            "%s has the %s %s and should have %s."
                .formatted(what, property, FedoraMessages.cut(found), wanted));
  }

  private static void compareDublinCore(
      FedoraSession session, ComposedObject expected, Differences differences) throws IOException {
    Set<String> wanted = new TreeSet<>();
    expected.storedDublinCore().forEach(value -> wanted.add(value.element() + ' ' + value.value()));
    Set<String> found = new TreeSet<>();
    session.content(
        expected.pid(),
        "DC",
        in -> {
          FedoraXml.forEachElement(
              in,
              element -> {
                if (element.namespace().equals(DUBLIN_CORE)) {
                  String name = element.name();
                  found.add(name + ' ' + element.text().trim());
                }
              });
          return found;
        });
    compare(expected.pid() + "/DC", wanted, found, differences);
  }

  private static void compareRelationships(
      FedoraSession session, ComposedObject expected, Differences differences) throws IOException {
    Set<String> wanted = new TreeSet<>();
    for (Relationship statement : expected.storedRelationships()) {
      wanted.add(statement(statement.predicate(), statement.literal(), statement.object()));
    }
    Set<String> found = new TreeSet<>();
    session.content(
        expected.pid(),
        "RELS-EXT",
        in -> {
          FedoraXml.forEachElement(
              in,
              element -> {
                if (!isFrame(element)) {
                  String predicate = element.namespace() + element.name();
                  String resource = element.attribute(RDF, "resource");
                  boolean literal = resource.isEmpty();
                  found.add(
                      statement(predicate, literal, literal ? element.text().trim() : resource));
                }
              });
          return found;
        });
    compare(expected.pid() + "/RELS-EXT", wanted, found, differences);
  }

  private static boolean isFrame(FedoraXml.Element element) {
    return element.namespace().equals(RDF)
        && (element.name().equals("RDF") || element.name().equals("Description"));
  }

  private static String statement(String predicate, boolean literal, String object) {
    return predicate + (literal ? " \"" + object + '"' : " <" + object + '>');
  }

  private static void compare(
      String what, Set<String> wanted, Set<String> found, Differences differences) {
    Set<String> missing = new TreeSet<>(wanted);
    missing.removeAll(found);
    Set<String> added = new TreeSet<>(found);
    added.removeAll(wanted);
    if (!missing.isEmpty()) {
      differences.lost(what + " lacks " + first(missing) + '.');
    }
    if (!added.isEmpty()) {
      differences.foreign(what + " has " + first(added) + ", which should not be there.");
    }
  }

  private static String first(Set<String> several) {
    String first = FedoraMessages.cut(several.iterator().next());
    return several.size() == 1 ? first : first + " and " + (several.size() - 1) + " more";
  }

  /**
   * Compares one datastream that Fedora lists.
   *
   * @return content bytes read
   */
  static long compare(
      FedoraSession session, String pid, CarriedContent carried, List<String> problems)
      throws IOException {
    Differences differences = new Differences();
    long bytes = compare(session, pid, carried, differences);
    problems.addAll(differences.problems);
    return bytes;
  }

  private static long compare(
      FedoraSession session, String pid, CarriedContent carried, Differences differences)
      throws IOException {
    ContentStream content = carried.content();
    compareChecksum(session, pid, carried, differences);
    Optional<Sum> found;
    if (carried.controlGroup() == 'R') {
      Optional<String> location = session.redirectOf(pid, content.id());
      String wanted = ((CarriedContent.Referenced) carried.carriage()).location();
      if (location.isPresent() && !location.get().equals(wanted)) {
        differences.foreign(
            "%s/%s leads to %s and should lead to %s."
                .formatted(pid, content.id(), location.get(), wanted));
        return 0;
      }
      found = location.isEmpty() ? Optional.empty() : session.fetchExternal(wanted, Sum::of);
    } else if (carried.controlGroup() == 'X') {
      found = session.content(pid, content.id(), Sum::ofXml);
    } else {
      found = session.content(pid, content.id(), Sum::of);
    }
    if (found.isEmpty()) {
      String problem =
          pid + " lists the datastream " + content.id() + ", but has no content for it.";
      if (carried.controlGroup() == 'R') {
        differences.foreign(problem); // Fedora never had it
      } else {
        differences.lost(problem);
      }
      return 0;
    }
    Sum wanted;
    try (InputStream in = content.open()) {
      wanted = carried.controlGroup() == 'X' ? Sum.ofXml(in) : Sum.of(in);
    } catch (IOException | RuntimeException e) {
      throw new ContentFailureException(e);
    }
    if (!found.get().sameAs(wanted)) {
      differences.lost(
          pid + "/" + content.id() + " holds " + found.get() + " and should hold " + wanted + ".");
    }
    return found.get().bytes();
  }

  private static void compareChecksum(
      FedoraSession session, String pid, CarriedContent carried, Differences differences)
      throws IOException {
    if (carried.checksum().isEmpty()) {
      return;
    }
    CarriedContent.Checksum wanted = carried.checksum().get();
    String id = carried.content().id();
    Optional<DatastreamProfile> found = session.datastreamProfile(pid, id);
    if (found.isEmpty()) {
      return; // reported as missing content
    }
    String name = wanted.algorithm().fedoraName();
    String digest = found.get().checksum();
    boolean equal =
        wanted.digest().isPresent()
            ? wanted.digest().get().equals(digest)
            : digest.matches(
                "[0-9a-f]{" + 2 * wanted.algorithm().newDigest().getDigestLength() + "}");
    if (!found.get().checksumType().equals(name) || !equal) {
      differences.lost(
          "%s/%s has the checksum %s %s and should have %s %s."
              .formatted(
                  pid,
                  id,
                  found.get().checksumType(),
                  digest,
                  name,
                  wanted.digest().orElse("of its content")));
    }
  }

  private static String normalizedSpace(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  /**
   * @param ofWhat subject of the checksum
   */
  private record Sum(long bytes, String sha256, String ofWhat) {

    static Sum of(InputStream in) throws IOException {
      MessageDigest digest = ChecksumAlgorithm.SHA_256.newDigest();
      byte[] buffer = new byte[16 * 1024];
      long bytes = 0;
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
        bytes += n;
      }
      return new Sum(bytes, HexFormat.of().formatHex(digest.digest()), "");
    }

    static Sum ofXml(InputStream in) throws IOException {
      CountingInputStream counted = new CountingInputStream(in);
      String sha256 = XmlDigest.sha256(counted);
      return new Sum(counted.bytes(), sha256, " of what the XML says");
    }

    /** Ignores the length of XML, which Fedora rewrites. */
    boolean sameAs(Sum other) {
      return sha256.equals(other.sha256) && (!ofWhat.isEmpty() || bytes == other.bytes);
    }

    @Override
    public String toString() {
      return bytes + " bytes with SHA-256 " + sha256 + ofWhat;
    }
  }
}
