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
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.RepositoryObject;

/**
 * Compares an object as Fedora has it with the object as the dataset makes it: label, datastreams,
 * and every content stream byte for byte by SHA-256. Used by the final verification, and where an
 * answer was lost and the object may be there all the same.
 *
 * @param problems one sentence each; empty if all is equal
 * @param bytes content bytes that were read from Fedora
 */
record ReadBack(List<String> problems, long bytes) {

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
    return new ReadBack(problems, bytes);
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
