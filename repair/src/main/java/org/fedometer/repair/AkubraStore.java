package org.fedometer.repair;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of Akubra. The name of each is its percent-encoded URI, {@code info:fedora/PID} or
 * {@code info:fedora/PID/DATASTREAM/VERSION}. The folders above are digits of the URI's MD5, by a
 * pattern such as {@code ##/#}, as in {@code HashPathIdMapper} of Fedora 3.8.1. Stateless.
 */
final class AkubraStore implements FileStore {

  private static final String SCHEME = "info:fedora/";
  private static final String NEW = "/new";
  private static final String OLD = "/old";

  /** Characters that are not encoded in file names. */
  private static final String PLAIN =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-=()[];";

  private final Path objects;
  private final String objectPattern;
  private final Path contents;
  private final String contentPattern;

  AkubraStore(Path objects, String objectPattern, Path contents, String contentPattern) {
    this.objects = objects;
    this.objectPattern = objectPattern;
    this.contents = contents;
    this.contentPattern = contentPattern;
  }

  @Override
  public Path content(ContentKey key) {
    return path(contents, contentPattern, uri(key));
  }

  private static String uri(ContentKey key) {
    return SCHEME
        + key.pid()
        + "/"
        + uriEncoded(key.datastreamId())
        + "/"
        + uriEncoded(key.versionId());
  }

  @Override
  public boolean mayAdopt(String pid) {
    return false;
  }

  @Override
  public boolean adopt(String pid, Path file) {
    return false;
  }

  @Override
  public List<String> rows(String pid) {
    return Collections.emptyList();
  }

  @Override
  public List<String> rows(ContentKey key) {
    return Collections.emptyList();
  }

  @Override
  public void forgetObject(String pid) {
    // There is nothing besides the files.
  }

  @Override
  public void forgetContent(ContentKey key) {
    // There is nothing besides the files.
  }

  @Override
  public void eachObject(Visitor visitor) throws IOException, SQLException {
    walk(
        objects,
        file -> {
          String uri = uri(file);
          if (isReplacement(uri)) {
            // Completed before anything else.
            return;
          }
          if (uri == null || !file.equals(path(objects, objectPattern, uri))) {
            visitor.foreign(file);
          } else {
            visitor.object(uri.substring(SCHEME.length()), file);
          }
        });
  }

  @Override
  public void eachContent(Visitor visitor) throws IOException, SQLException {
    walk(
        contents,
        file -> {
          String uri = uri(file);
          String[] parts = uri == null ? new String[0] : uri.split("/", -1);
          if (isReplacementOfContent(uri)) {
            return;
          }
          if (parts.length != 4 || !file.equals(path(contents, contentPattern, uri))) {
            visitor.foreign(file);
          } else {
            visitor.content(
                new ContentKey(parts[1], uriDecoded(parts[2]), uriDecoded(parts[3])), file);
          }
        });
  }

  /** Returns newer files first: if the file itself is gone, the newer one replaces it. */
  @Override
  public List<Replacement> replacements() throws IOException, SQLException {
    List<Replacement> found = new ArrayList<>();
    walk(
        objects,
        file -> {
          String uri = uri(file);
          if (isReplacement(uri)) {
            found.add(replacement(uri, file, objects, objectPattern, true));
          }
        });
    walk(
        contents,
        file -> {
          String uri = uri(file);
          if (isReplacementOfContent(uri)) {
            found.add(replacement(uri, file, contents, contentPattern, false));
          }
        });
    found.sort(Comparator.comparing(Replacement::isNewer).reversed());
    return found;
  }

  private static Replacement replacement(
      String uri, Path file, Path folder, String pattern, boolean ofObject) {
    String base = uri.substring(0, uri.length() - NEW.length());
    return new Replacement(
        base.split("/", -1)[1], file, path(folder, pattern, base), uri.endsWith(NEW), ofObject);
  }

  private static boolean isReplacement(String uri) {
    return uri != null && (uri.endsWith(NEW) || uri.endsWith(OLD));
  }

  /** Returns whether it replaces content; a datastream's version could have the same ending. */
  private static boolean isReplacementOfContent(String uri) {
    return isReplacement(uri) && uri.split("/", -1).length == 5;
  }

  /** Returns the URI in a file's name; null if it is not a Fedora URI. */
  private static String uri(Path file) {
    String uri = decoded(file.getFileName().toString());
    return uri != null && uri.startsWith(SCHEME) ? uri : null;
  }

  private interface FileAction {
    void accept(Path file) throws IOException, SQLException;
  }

  /** Follows links, as Fedora does: a folder may have been moved to another disk. */
  private static void walk(Path folder, FileAction action) throws IOException, SQLException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
      for (Iterator<Path> each = files.iterator(); each.hasNext(); ) {
        Path file = each.next();
        if (Files.isRegularFile(file)) {
          action.accept(file);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  static Path path(Path folder, String pattern, String uri) {
    Path path = folder;
    if (!pattern.isEmpty()) {
      String hash = md5(uri);
      int digit = 0;
      for (String part : pattern.split("/")) {
        path = path.resolve(hash.substring(digit, digit + part.length()));
        digit += part.length();
      }
    }
    return path.resolve(encoded(uri));
  }

  private static String md5(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
      StringBuilder hex = new StringBuilder();
      for (byte each : digest) {
        hex.append(Character.forDigit((each >> 4) & 0xf, 16));
        hex.append(Character.forDigit(each & 0xf, 16));
      }
      return hex.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Encodes a URI; a full stop is encoded only at the end. */
  private static String encoded(String uri) {
    StringBuilder encoded = new StringBuilder();
    for (int i = 0; i < uri.length(); i++) {
      char each = uri.charAt(i);
      if (PLAIN.indexOf(each) >= 0 || each == '.' && i < uri.length() - 1) {
        encoded.append(each);
      } else {
        encoded.append(percentEncoded(each));
      }
    }
    return encoded.toString();
  }

  private static String percentEncoded(char each) {
    switch (each) {
      case ' ':
        return "%20";
      case '_':
        return "%5F";
      case '*':
        return "%2A";
      case '.':
        return "%2E";
      default:
        try {
          return URLEncoder.encode(Character.toString(each), "UTF-8");
        } catch (UnsupportedEncodingException e) {
          throw new IllegalStateException(e);
        }
    }
  }

  /** Returns the decoded name; null if it is not such a name. */
  private static String decoded(String name) {
    try {
      return URLDecoder.decode(name, "UTF-8");
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException(e);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Encodes a part once more, since a datastream's ID may contain separators of a URI. */
  private static String uriEncoded(String part) {
    try {
      return URLEncoder.encode(part, "UTF-8");
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String uriDecoded(String part) {
    String decoded = decoded(part);
    return decoded == null ? part : decoded;
  }
}
