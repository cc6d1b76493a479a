package org.fedometer.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * Lists of words for generated texts, from a resource. A list begins with a line {@code == NAME},
 * and has one entry per line. An entry with blanks at an end is in quotes. Immutable.
 */
public final class WordLists {
  private static final String HEAD = "== ";

  private final Map<String, List<String>> lists = new HashMap<>();

  public WordLists(Class<?> owner, String resource) {
    try (InputStream in = owner.getResourceAsStream(resource)) {
      List<String> list = null;
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (line.startsWith(HEAD)) {
          list = lists.computeIfAbsent(line.substring(HEAD.length()), name -> new ArrayList<>());
        } else if (!line.isEmpty()) {
          boolean isQuoted = line.startsWith("\"") && line.endsWith("\"");
          list.add(isQuoted ? line.substring(1, line.length() - 1) : line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a new array.
   *
   * @throws NoSuchElementException if there is no list of that name
   */
  public String[] get(String name) {
    List<String> list = lists.get(name);
    if (list == null) {
      throw new NoSuchElementException("there is no list " + name);
    }
    return list.toArray(String[]::new);
  }
}
