package org.fedometer.analysis.compare;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fedometer.store.JsonFault;
import org.fedometer.store.RunView;

/**
 * What a run's {@code environment.json} says; docs/store-and-query.md has its fields. Stateless.
 */
public final class EnvironmentDocument {
  static final String PATH = "environment.json";

  /** Any source may ship a document of that name. */
  static final int MAX_BYTES = 4 * 1024 * 1024;

  private EnvironmentDocument() {}

  /**
   * The document as it is, empty where the run has none.
   *
   * @throws IOException one sentence: it cannot be read
   */
  public static Optional<JsonNode> of(RunView run) throws IOException {
    return run.files().stream().anyMatch(file -> file.path().equals(PATH))
        ? Optional.of(read(run))
        : Optional.empty();
  }

  static JsonNode read(RunView run) throws IOException {
    try (InputStream in = run.open(PATH)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException("it has more than 4 MiB");
      }
      JsonNode root = new ObjectMapper().readTree(bytes);
      if (root == null || !root.isObject()) {
        throw new IOException("no JSON object");
      }
      return root;
    } catch (JacksonException e) {
      throw unreadable(run, JsonFault.of(e), e);
    } catch (IOException e) {
      throw unreadable(run, e.getMessage(), e);
    }
  }

  /** Members of an object as texts, in its order; none of anything else. */
  public static Map<String, String> members(JsonNode object) {
    Map<String, String> members = new LinkedHashMap<>();
    object.properties().forEach(e -> members.put(e.getKey(), e.getValue().asText()));
    return members;
  }

  /** Elements of an array as texts; none of what is missing. */
  public static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(value -> texts.add(value.asText()));
    return texts;
  }

  private static IOException unreadable(RunView run, String why, IOException cause) {
    return new IOException(
        "The " + PATH + " of the run " + run.name() + " cannot be read: " + why, cause);
  }
}
