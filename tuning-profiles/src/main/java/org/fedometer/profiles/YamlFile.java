package org.fedometer.profiles;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A YAML file with the position of each value, for error messages. Values stay text as written;
 * readers interpret {@code on} or {@code 1g}. Thread-safe.
 */
public final class YamlFile {

  /** A value and its position. */
  public sealed interface Node {
    Origin origin();
  }

  public record Scalar(String text, Origin origin) implements Node {}

  public record Sequence(List<Node> items, Origin origin) implements Node {}

  /**
   * @param keys position of each key
   */
  public record Mapping(Map<String, Node> entries, Map<String, Origin> keys, Origin origin)
      implements Node {

    /**
     * Returns the text of a mandatory key.
     *
     * @throws ProfileFileException if it is missing, or not text
     */
    String text(String key) {
      if (entries.get(key) instanceof Scalar scalar) {
        return scalar.text();
      }
      throw missing(key, "text");
    }

    /**
     * Returns the mapping of a mandatory key.
     *
     * @throws ProfileFileException if it is missing, or no mapping
     */
    Mapping mapping(String key) {
      if (entries.get(key) instanceof Mapping found) {
        return found;
      }
      throw missing(key, "a mapping, key: value");
    }

    private ProfileFileException missing(String key, String expected) {
      Node found = entries.get(key);
      String problem = found == null ? "key '" + key + "' is missing" : "key '" + key + "'";
      return new ProfileFileException(
          found == null ? origin : found.origin(), problem + "; expected " + expected);
    }
  }

  private static final String SUFFIX = ".yaml";

  private static final Pattern PLACE = Pattern.compile("^in .*line (\\d+), column \\d+");
  private static final Pattern FAULT =
      Pattern.compile("^(found|expected|could not|mapping values)");

  private static final YAMLFactory FACTORY =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final String name;

  private YamlFile(String name) {
    this.name = name;
  }

  /**
   * Parses a file that must be a mapping.
   *
   * @param name file name in problems
   * @throws ProfileFileException if it is no mapping, or not YAML
   */
  public static Mapping parse(String name, String text) {
    YamlFile file = new YamlFile(name);
    try (YAMLParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new ProfileFileException(new Origin(name, 1), "expected a mapping, key: value");
      }
      Mapping mapping = file.mapping(parser);
      if (parser.nextToken() != null) {
        throw new ProfileFileException(
            file.origin(parser), "expected one YAML document, found a second one");
      }
      return mapping;
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw syntaxError(name, line, e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns suggestions for a missing file, to follow a sentence about it: neighbours with similar
   * names. Empty if there are none, or the folder is unreadable.
   */
  public static String perhaps(Path missing) {
    Path beside = missing.resolveSibling("");
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(beside, "*" + SUFFIX)) {
      files.forEach(file -> names.add(withoutSuffix(file)));
    } catch (DirectoryIteratorException | IOException e) {
      names.clear();
    }
    Collections.sort(names);
    return Spelling.suggestion(
        Spelling.nearest(withoutSuffix(missing), names).stream()
            .map(name -> missing.resolveSibling(name + SUFFIX).toString())
            .toList());
  }

  private static String withoutSuffix(Path file) {
    return file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
  }

  /**
   * Extracts the fault: the parser reports its context first, then the actual problem and position.
   */
  private static ProfileFileException syntaxError(String name, int line, String message) {
    String fault = message.lines().findFirst().orElse("not valid YAML").strip();
    int faultLine = line;
    for (String each : message.lines().map(String::strip).toList()) {
      Matcher place = PLACE.matcher(each);
      if (place.find()) {
        faultLine = Integer.parseInt(place.group(1));
      } else if (FAULT.matcher(each).find()) {
        fault = "not valid YAML: " + each;
      }
    }
    return new ProfileFileException(new Origin(name, faultLine), fault);
  }

  private Mapping mapping(YAMLParser parser) throws IOException {
    Origin origin = origin(parser);
    Map<String, Node> entries = new LinkedHashMap<>();
    Map<String, Origin> keys = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      keys.put(key, origin(parser));
      parser.nextToken();
      entries.put(key, node(parser));
    }
    return new Mapping(entries, keys, origin);
  }

  private Node node(YAMLParser parser) throws IOException {
    if (parser.isCurrentAlias()) {
      throw new ProfileFileException(
          origin(parser),
          "'*"
              + parser.getText()
              + "' is a YAML alias, which is not supported; write the value itself, in quotation"
              + " marks if it begins with '*'");
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> mapping(parser);
      case START_ARRAY -> {
        Origin origin = origin(parser);
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(node(parser));
        }
        yield new Sequence(items, origin);
      }
      case VALUE_NULL -> throw new ProfileFileException(origin(parser), "the value is missing");
      default -> new Scalar(parser.getText(), origin(parser));
    };
  }

  private Origin origin(YAMLParser parser) {
    return new Origin(name, parser.currentTokenLocation().getLineNr());
  }
}
