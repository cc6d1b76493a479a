package org.fedometer.driver;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.RepositoryObject;

/**
 * Compares an object as Fedora has it with the object as the dataset makes it: label, datastreams,
 * every content stream byte for byte by SHA-256, and the statements of DC and RELS-EXT where these
 * are ours. Used by the final verification, and where an answer was lost and the object may be
 * there all the same.
 *
 * @param problems one sentence each; empty if all is equal
 * @param bytes content bytes that were read from Fedora
 */
record ReadBack(List<String> problems, long bytes) {

  private static final String DUBLIN_CORE = "http://purl.org/dc/elements/1.1/";
  private static final String RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

  ReadBack {
    problems = List.copyOf(problems);
  }

  boolean equal() {
    return problems.isEmpty();
  }

  /**
   * @throws IOException if Fedora could not be asked
   * @throws ContentFailureException if the dataset cannot produce the content
   */
  static ReadBack of(FedoraSession session, RepositoryObject expected) throws IOException {
    String pid = expected.pid();
    List<String> problems = new ArrayList<>();
    Optional<ObjectProfile> profile = session.profile(pid);
    if (profile.isEmpty()) {
      return new ReadBack(List.of("Fedora has no object " + pid + "."), 0);
    }
    String label = profile.get().label();
    if (!squeezed(label).equals(squeezed(expected.label()))) {
      problems.add(pid + " is labelled '" + label + "' and should be '" + expected.label() + "'.");
    }
    Set<String> ids = session.datastreamIds(pid).orElse(Set.of());
    for (String id : expected.datastreamIds()) {
      if (!ids.contains(id)) {
        problems.add(pid + " has no datastream " + id + ".");
      }
    }
    long bytes = 0;
    for (ContentStream content : expected.content()) {
      if (ids.contains(content.id())) {
        bytes += compare(session, pid, content, problems);
      }
    }
    if (expected instanceof ComposedObject composed) {
      compareDublinCore(session, composed, problems);
      compareRelationships(session, composed, problems);
    }
    return new ReadBack(problems, bytes);
  }

  private static void compareDublinCore(
      FedoraSession session, ComposedObject expected, List<String> problems) throws IOException {
    Set<String> wanted = new TreeSet<>();
    expected.keptDublinCore().forEach(value -> wanted.add(value.element() + ' ' + value.value()));
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
    compare(expected.pid() + "/DC", wanted, found, problems);
  }

  private static void compareRelationships(
      FedoraSession session, ComposedObject expected, List<String> problems) throws IOException {
    Set<String> wanted = new TreeSet<>();
    for (Relationship statement : expected.keptRelationships()) {
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
    compare(expected.pid() + "/RELS-EXT", wanted, found, problems);
  }

  private static boolean isFrame(FedoraXml.Element element) {
    return element.namespace().equals(RDF)
        && (element.name().equals("RDF") || element.name().equals("Description"));
  }

  private static String statement(String predicate, boolean literal, String object) {
    return predicate + (literal ? " \"" + object + '"' : " <" + object + '>');
  }

  private static void compare(
      String what, Set<String> wanted, Set<String> found, List<String> problems) {
    Set<String> missing = new TreeSet<>(wanted);
    missing.removeAll(found);
    Set<String> added = new TreeSet<>(found);
    added.removeAll(wanted);
    if (!missing.isEmpty()) {
      problems.add(what + " lacks " + first(missing) + '.');
    }
    if (!added.isEmpty()) {
      problems.add(what + " has " + first(added) + ", which should not be there.");
    }
  }

  private static String first(Set<String> several) {
    String first = FedoraMessages.cut(several.iterator().next());
    return several.size() == 1 ? first : first + " and " + (several.size() - 1) + " more";
  }

  private static long compare(
      FedoraSession session, String pid, ContentStream content, List<String> problems)
      throws IOException {
    Optional<Sum> found = session.content(pid, content.id(), Sum::of);
    if (found.isEmpty()) {
      problems.add(pid + " lists the datastream " + content.id() + ", but has no content for it.");
      return 0;
    }
    Sum wanted;
    try (InputStream in = content.open()) {
      wanted = Sum.of(in);
    } catch (IOException | RuntimeException e) {
      throw new ContentFailureException(e);
    }
    if (!found.get().equals(wanted)) {
      problems.add(
          pid + "/" + content.id() + " holds " + found.get() + " and should hold " + wanted + ".");
    }
    return found.get().bytes();
  }

  private static String squeezed(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  /** Length and checksum of some content. */
  private record Sum(long bytes, String sha256) {

    static Sum of(InputStream in) throws IOException {
      MessageDigest digest;
      try {
        digest = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("Every Java has SHA-256.", e);
      }
      byte[] buffer = new byte[16 * 1024];
      long bytes = 0;
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
        bytes += n;
      }
      return new Sum(bytes, HexFormat.of().formatHex(digest.digest()));
    }

    @Override
    public String toString() {
      return bytes + " bytes with SHA-256 " + sha256;
    }
  }
}
