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

/** Reads a run's {@code environment.json}, documented in docs/store-and-query.md. Stateless. */
public final class EnvironmentDocument {
  static final String PATH = "environment.json";

  /** Limits the size, since any source may send a document of that name. */
  static final int MAX_BYTES = 4 * 1024 * 1024;

  private EnvironmentDocument() {}

  /**
   * Returns the document; empty if the run has none.
   *
   * @throws IOException if it is unreadable; the message is one sentence
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
        throw new IOException("it is not a JSON object");
      }
      return root;
    } catch (JacksonException e) {
      throw unreadable(run, JsonFault.of(e), e);
    } catch (IOException e) {
      throw unreadable(run, e.getMessage(), e);
    }
  }

  /** Returns an object's members as texts, in order; empty for other types. */
  public static Map<String, String> members(JsonNode object) {
    Map<String, String> members = new LinkedHashMap<>();
    object.properties().forEach(e -> members.put(e.getKey(), e.getValue().asText()));
    return members;
  }

  /** Returns an array's elements as texts; empty if missing. */
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
